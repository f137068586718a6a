//! A bridge as a program: Botyard's protocol on standard input and output, an engine on the other
//! side.

use crate::dxp::Dxp;
use crate::engine::{Engine, EngineError, Identity, Question, SearchLimits};
use crate::hub::Hub;
use crate::link::Link;
use crate::move_text::read_move;
use crate::think_time::ThinkTime;
use crate::uci::UciLike;
use botyard_agent::program::say;
use botyard_agent::{Agent, AgentRng, Bot, Choice, Decision, Options, TurnError, serve};
use botyard_engine::Game;
use botyard_engine::draughts::{Draughts, Move};
use botyard_protocol::{
    ClockKind, Limits, OptionSpec, RefereeLine, check_specs, parse_referee_line, printable,
};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, BufRead, IsTerminal, Read};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The longest name that an engine's bot has, in characters.
const NAME_CHARACTERS: usize = 60;

/// The option that every bot of the kit has; an engine's parameter of that name is not offered.
const SEED: &str = "seed";

/// The front end's names of settings of a match, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SettingNames {
    /// The clock of wall-clock time.
    pub wall: &'static str,
    /// The clock of wall-clock time, wherever a user can set it.
    pub wall_anywhere: &'static str,
    /// The clock of CPU time.
    pub cpu: &'static str,
    /// No sandbox.
    pub uncontained: &'static str,
}

impl Default for SettingNames {
    fn default() -> SettingNames {
        SettingNames {
            wall: "a wall clock",
            wall_anywhere: "a wall clock",
            cpu: "a CPU clock",
            uncontained: "no sandbox",
        }
    }
}

impl SettingNames {
    /// Returns why DXP refuses a clock of CPU time.
    fn needs_wall(self) -> String {
        format!(
            "DXP needs {}: the engine is no process of the bot, so that its CPU time is not measured",
            self.wall_anywhere
        )
    }

    /// Returns what the user of an engine that is a child process should know about a clock of CPU time.
    fn needs_group(self) -> String {
        let SettingNames { wall, cpu, uncontained, .. } = self;
        format!(
            "bridge: {cpu} counts the CPU time of an engine only if the bot has a control group, which \
             {uncontained} does not make; without one, use {wall}"
        )
    }
}

/// What connects to the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Connection {
    /// A child process that speaks Hub.
    Hub(Vec<OsString>),
    /// A child process that speaks a UCI for draughts.
    UciLike(Vec<OsString>),
    /// DXP with an engine that waits for a connection at this address, `HOST:PORT`.
    DxpTo(String),
    /// DXP with an engine that connects to this port.
    DxpFrom(u16),
}

/// A bridge's settings.
#[derive(Clone, Debug, PartialEq)]
pub struct BridgeConfig {
    /// The engine.
    pub connection: Connection,
    /// The engine's options, for `set-param` or `setoption`.
    pub options: Vec<(String, String)>,
    /// Limits of a search, beside the clock.
    pub limits: SearchLimits,
    /// The longest time per move.
    pub move_time: Option<Duration>,
    /// The thinking time of a DXP game, in minutes; `None`: by the clock.
    pub minutes: Option<u16>,
    /// Plays the first legal move instead of an illegal one.
    pub legal_instead: bool,
    /// Prints every line of the engine's protocol to standard error.
    pub is_traced: bool,
    /// The names of settings in messages.
    pub names: SettingNames,
}

impl BridgeConfig {
    /// Returns the settings of a bridge with nothing but an engine.
    pub fn new(connection: Connection) -> BridgeConfig {
        BridgeConfig {
            connection,
            options: Vec::new(),
            limits: SearchLimits::default(),
            move_time: None,
            minutes: None,
            legal_instead: false,
            is_traced: false,
            names: SettingNames::default(),
        }
    }

    fn connect(&self, until: Option<Instant>) -> Result<Box<dyn Engine>, EngineError> {
        let start = |command: &[OsString]| Link::start(command, self.is_traced);
        Ok(match &self.connection {
            Connection::Hub(command) => Box::new(Hub::new(start(command)?)),
            Connection::UciLike(command) => Box::new(UciLike::new(start(command)?)),
            Connection::DxpTo(address) => {
                Box::new(Dxp::to(address, self.minutes, self.is_traced, until)?)
            }
            Connection::DxpFrom(port) => {
                Box::new(Dxp::from(*port, self.minutes, self.is_traced, until)?)
            }
        })
    }

    /// Serves a referee on standard input and output, until `quit`. Prints errors on standard error.
    /// The exit code is 1 if the engine could not play.
    pub fn run(&self) -> ExitCode {
        let input = io::stdin().lock();
        if input.is_terminal() {
            say(
                "A bridge is a bot and waits for messages of a referee, one JSON object per line.\n\
                 To see its engine play: botyard match draughts \"botyard bridge hub ENGINE\" random\n\
                 To exit: Ctrl-D",
            );
        }
        match self.serve(input) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                say(&format!("bridge: {error}"));
                ExitCode::FAILURE
            }
        }
    }

    fn serve(&self, mut input: impl BufRead) -> Result<(), Box<dyn std::error::Error>> {
        // The engine's name goes into `hello`, so the engine is started first; the referee's `hello`
        // says how long that may take.
        let mut first = Vec::new();
        if input.read_until(b'\n', &mut first)? == 0 {
            return Ok(());
        }
        let limits = match parse_referee_line(first.trim_ascii_end()) {
            Ok(RefereeLine::Hello(hello)) => hello.limits,
            _ => Limits::default(),
        };
        let soon = |millis: u64| {
            let most = Duration::from_millis(millis);
            Instant::now().checked_add(most - (most / 20).min(Duration::from_millis(200)))
        };
        let until = soon(limits.start_ms);
        let mut engine = self.connect(until)?;
        let identity = engine.greet(until)?;
        let engine = Arc::new(Mutex::new(engine));
        let bot = self.bot(&identity, &engine, move || soon(limits.setup_ms));
        let served = serve(&bot, first.chain(input), io::stdout().lock());
        // A quarter of the time stays for the end of this process.
        let quit = Instant::now() + Duration::from_millis(limits.quit_ms / 2);
        engine.lock().unwrap_or_else(PoisonError::into_inner).quit(quit);
        Ok(served?)
    }

    /// Returns the bot that an engine is.
    fn bot(
        &self,
        identity: &Identity,
        engine: &Arc<Mutex<Box<dyn Engine>>>,
        setup_ends: impl Fn() -> Option<Instant> + Clone + Send + Sync + 'static,
    ) -> Bot {
        let name = match identity.name.trim() {
            "" => "engine",
            name => name,
        };
        // Once per process.
        let leaked = |text: &str| -> &'static str {
            Box::leak(printable(text, NAME_CHARACTERS).into_boxed_str())
        };
        let mut bot = Bot::new(leaked(name), "an engine behind a bridge");
        if let Some(version) = &identity.version {
            bot = bot.with_version(leaked(version));
        }
        let offered = self.offered(identity);
        for (name, spec) in &offered {
            bot = bot.with_option(name, spec.clone());
        }
        let (config, engine) = (self.clone(), Arc::clone(engine));
        bot.plays_if::<Draughts>(move |options| {
            let mut chosen = config.options.clone();
            chosen.extend(changed(&offered, options));
            let mut locked = engine.lock().unwrap_or_else(PoisonError::into_inner);
            locked.new_game(&chosen, setup_ends()).map_err(|error| error.to_string())?;
            let (engine, config) = (Arc::clone(&engine), config.clone());
            Ok(Box::new(Bridged { engine, config, is_warned: false }))
        })
    }

    /// Returns the engine's options that a match may set: those that `hello` can name, without those
    /// that the command of the bridge sets.
    fn offered(&self, identity: &Identity) -> BTreeMap<String, OptionSpec> {
        let is_set = |name: &str| self.options.iter().any(|(set, _)| set == name);
        let named = identity.options.iter().filter(|option| {
            option.name != SEED && option.name != "variant" && !is_set(&option.name)
        });
        named
            .filter_map(|option| Some((option.name.clone(), option.spec.clone()?)))
            .filter(|option| check_specs(&BTreeMap::from([option.clone()])).is_ok())
            .collect()
    }
}

/// Returns the values that differ from those that the engine declared.
fn changed(offered: &BTreeMap<String, OptionSpec>, options: &Options) -> Vec<(String, String)> {
    let value = |name: &str, spec: &OptionSpec| match spec {
        OptionSpec::Int { .. } => options.int(name).to_string(),
        OptionSpec::Float { .. } => options.float(name).to_string(),
        OptionSpec::Bool { .. } => options.bool(name).to_string(),
        OptionSpec::Enum { .. } | OptionSpec::Text { .. } => options.text(name).to_string(),
    };
    let default = |spec: &OptionSpec| match spec.default_value() {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    };
    let differs = |name: &str, spec: &OptionSpec| match spec {
        OptionSpec::Float { default, .. } => options.float(name) != *default,
        spec => value(name, spec) != default(spec),
    };
    let changed = offered.iter().filter(|(name, spec)| differs(name, spec));
    changed.map(|(name, spec)| (name.clone(), value(name, spec))).collect()
}

/// The engine in one game.
struct Bridged {
    engine: Arc<Mutex<Box<dyn Engine>>>,
    config: BridgeConfig,
    /// Whether the warning about the clock was printed.
    is_warned: bool,
}

impl Bridged {
    /// Refuses a clock of CPU time if an engine's time is never counted, and warns if it may not be.
    fn heed(&mut self, clock: ClockKind) -> Result<(), String> {
        if clock == ClockKind::Wall {
            return Ok(());
        }
        match self.config.connection {
            Connection::DxpTo(_) | Connection::DxpFrom(_) => Err(self.config.names.needs_wall()),
            Connection::Hub(_) | Connection::UciLike(_) => {
                if !std::mem::replace(&mut self.is_warned, true) {
                    say(&self.config.names.needs_group());
                }
                Ok(())
            }
        }
    }
}

impl Agent<Draughts> for Bridged {
    fn choose(
        &mut self,
        game: &Draughts,
        turn: &Decision<'_, Draughts>,
        rng: &mut AgentRng,
    ) -> Result<Choice<Move>, TurnError> {
        let clock = turn.budget().clock();
        self.heed(clock.kind).map_err(|refused| turn.no_choice(refused))?;
        let time = ThinkTime::new(clock, Instant::now(), self.config.move_time);
        let state = turn.possible_state(rng)?;
        let movement = game.movement();
        let question = Question { state: &state, movement, time, limits: self.config.limits };
        let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = engine.think(&question).map_err(|error| turn.no_choice(error.to_string()))?;
        match read_move(&answer.text, state.position(), movement) {
            Ok(mv) => Ok(Choice::with_info(mv, answer.info)),
            Err(error) => {
                let message =
                    format!("the engine wrote {:?}: {error}", printable(&answer.line, 200));
                if !self.config.legal_instead {
                    return Err(turn.no_choice(message));
                }
                let instead = turn.legal()?[0];
                say(&format!("bridge: turn {}: {message}; playing {instead}", turn.number()));
                Ok(instead.into())
            }
        }
    }
}

impl Drop for Bridged {
    fn drop(&mut self) {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner).end_game();
    }
}

/// The game that bridges play.
pub const GAME: &str = Draughts::NAME;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::testing;
    use botyard_protocol::{BotLine, BotMessage, parse_bot_line, write_line};

    /// Returns a connection to an engine that was never started, over these lines of it.
    fn engine(connection: &Connection, lines: &[&str]) -> Box<dyn Engine> {
        let (link, _) = testing::link(lines);
        match connection {
            Connection::UciLike(_) => Box::new(UciLike::new(link)),
            _ => Box::new(Hub::new(link)),
        }
    }

    #[test]
    fn a_referee_accepts_the_hello_whatever_bounds_an_engine_declares() {
        let hub = [
            "id name=Engine",
            "param name=hash value=16 type=int",
            "param name=nodes value=0 type=int min=-9223372036854775808 max=18446744073709551615",
            "param name=key value=9223372036854775807 type=int",
            "param name=rate value=0.5 type=real max=inf",
            "wait",
        ];
        let uci = [
            "option name hash type spin default 16",
            "option name nodes type spin default 0 min -9223372036854775808 max 18446744073709551615",
            "option name key type spin default 9223372036854775807",
            "option name rate type string default x",
            "uciok",
        ];
        for (connection, lines) in
            [(Connection::Hub(Vec::new()), &hub[..]), (Connection::UciLike(Vec::new()), &uci[..])]
        {
            let mut engine = engine(&connection, lines);
            let identity = engine.greet(None).unwrap();
            let config = BridgeConfig::new(connection);
            let hello = config.bot(&identity, &Arc::new(Mutex::new(engine)), || None).hello();
            let offered: Vec<&str> = hello.options.keys().map(String::as_str).collect();
            assert_eq!(offered, ["hash", "nodes", "rate", "seed"]);
            let mut line = Vec::new();
            write_line(&mut line, &BotMessage::Hello(hello));
            match parse_bot_line(line.trim_ascii_end(), &Limits::default()) {
                Ok(BotLine::Hello(hello)) => assert_eq!(check_specs(&hello.options), Ok(())),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn a_clock_of_cpu_time_is_refused_where_it_counts_no_engine() {
        let child = Vec::new;
        for (connection, is_refused) in [
            (Connection::Hub(child()), false),
            (Connection::UciLike(child()), false),
            (Connection::DxpTo("localhost:27531".into()), true),
            (Connection::DxpFrom(27531), true),
        ] {
            let engine = Arc::new(Mutex::new(engine(&connection, &[])));
            let config = BridgeConfig::new(connection);
            let mut bridged = Bridged { engine, config, is_warned: false };
            assert_eq!(bridged.heed(ClockKind::Wall), Ok(()));
            assert!(!bridged.is_warned);
            assert_eq!(bridged.heed(ClockKind::Cpu).is_err(), is_refused);
            assert_eq!(bridged.is_warned, !is_refused);
        }
    }
}
