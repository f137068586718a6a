//! The plan of a run: a checked configuration with its rules, bots, games, clock and place of
//! replays. Every error that can be found before a bot is started is found here.

use crate::adjudication::adjudicator;
use crate::bots::{check_built, spec};
use crate::concurrency::{check_concurrency, concurrency, cores_for};
use crate::concurrency_limit::ConcurrencyLimit;
use crate::config::{
    BetweenTurns, BotOption, Config, ContainmentConfig, Games, MOST_GAMES, OwnTime, Replays,
    StartConfig,
};
use crate::error::Error;
use crate::message;
use crate::message::Message;
use crate::planned_bot::PlannedBot;
use crate::programs::Programs;
use crate::settings::{
    BANK_MS, BOT_OPTION, DEBUG, DIRECTORY, GAME_INFO, GAMES, GAMES_LIST, GRACE_MS, INCREMENT_MS,
    MATCH, MOVE_MS, OPENINGS, RULE, WRAPPER,
};
use crate::words::{clocks_in_words, quoted};
use crate::{capacity, opening_file, rule_files};
use crate::{game_models, game_programs};
use botyard_engine::registry::{self, SetupError, TableMaker, plain_name};
use botyard_engine::rules::did_you_mean;
use botyard_engine::{ActionError, Table};
use botyard_league::scale::Scale;
use botyard_league::schedule::Schedule;
use botyard_protocol::{BotTime, Limits, TimeControl};
use botyard_referee::{
    Backend, Bot, BotCommand, HostGauge, SeatClock, ThisHost, Wiretap, Wrapper, read_text_file,
};
use botyard_replay::Adjudicator;
use botyard_sandbox::Tier;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The largest file of openings, in bytes.
const LARGEST: u64 = 256 << 20;

/// A match that can be played.
pub struct Plan {
    /// Makes tables of the game under the rules.
    pub tables: TableMaker,
    /// The rules in short: the preset and the changes to it.
    pub rules: String,
    /// The names of the seats, in seat order.
    pub seats: Vec<String>,
    /// How the points of the game count.
    pub scale: Scale,
    /// The bots: one for each seat in a match, any number in a tournament.
    pub bots: Vec<PlannedBot>,
    /// The back end that runs the bots.
    pub backend: Backend,
    /// The tier in which the bots are contained.
    pub tier: Tier,
    /// The user's command that runs the bots, if any.
    pub wrapper: Option<Wrapper>,
    /// The games.
    pub schedule: Schedule,
    /// The clock, and the handling of faults.
    pub time: TimeControl,
    /// The rules that end games whose result is clear, if any.
    pub adjudicator: Option<Adjudicator>,
    /// Limits of the protocol that bots must keep.
    pub limits: Limits,
    /// Whether turns list the legal actions.
    pub send_legal: bool,
    /// Whether bots are restarted for every game.
    pub restart: bool,
    /// Whether every bot was started once, with its options, before the first game.
    pub bots_were_tried: bool,
    /// Whether one process of a bot must not play two games with the same start.
    pub has_secrets: bool,
    /// Whether bots are stopped when it is not their turn.
    pub freeze: bool,
    /// The cores for concurrent games, one for each. Empty if games are not pinned.
    pub cores: Vec<usize>,
    /// The number of games played at once.
    pub concurrency: usize,
    /// The limit on games at once that this run shares with others. `None`: a limit of its own.
    pub limit: Option<Arc<ConcurrencyLimit>>,
    /// What measures the host.
    pub gauge: &'static dyn HostGauge,
    /// Where replays go.
    pub replays: Replays,
    /// Whether a replay is compressed after its game.
    pub compress: bool,
    /// What receives the lines between the referee and the bots.
    pub wiretap: Option<Wiretap>,
    /// What receives a sentence about a silent bot.
    pub notice: fn(&str),
    /// The bot that is run under a debugger.
    pub debug: Option<usize>,
    /// What a user should know before the first game. Sentences without a full stop.
    pub warnings: Vec<Message>,
}

impl Plan {
    /// Makes the plan of a configuration for the bots that it names, and the directory for replays.
    ///
    /// # Errors
    ///
    /// The configuration makes no match, or the directory is not writable.
    pub fn new(config: &Config, programs: &Programs) -> Result<Plan, Error> {
        let game =
            game_programs::named(&config.game, Path::new(""), &config.containment, programs)?;
        let config = &Config { game, ..config.clone() };
        let start = &config.start;
        let (preset, players) = (start.rules.as_deref(), Some(config.bots.len()));
        let game = (config.game.as_str(), &config.containment);
        let (tables, changes) = tables_within(game, preset, &start.changes, players)?;
        let table = tables();
        let seats = table.seats().to_vec();
        let bots = bots(config, programs, table.game(), &seats)?;
        let mut plan = Plan::with_bots(config, programs, tables, &changes, bots)?;
        plan.prepare_debugging(config.debug.as_deref())?;
        plan.check_files()?;
        match make_directory(&plan.replays) {
            // A match that was not asked to keep replays needs no place for them.
            Err(_) if matches!(plan.replays, Replays::Faulty(_)) => plan.replays = Replays::None,
            made => made?,
        }
        Ok(plan)
    }

    /// Passes the first change to fewer games at once to `notice`, in words.
    pub fn announce_overload(&mut self, notice: fn(&str)) {
        self.limit = Some(Arc::new(ConcurrencyLimit::with_notice(self.concurrency, notice)));
    }

    /// Removes the directory of [`Replays::Faulty`] if no game had a fault. It was made before the
    /// first game, so that no bot can read it.
    pub fn remove_unused_directory(&self) {
        if let Replays::Faulty(directory) = &self.replays {
            // It fails if the directory holds something.
            let _ = fs::remove_dir(directory);
        }
    }

    /// Makes the plan of a configuration for the given bots and tables of its game; the bots in the
    /// configuration are ignored. The directory for replays is not checked.
    ///
    /// # Errors
    ///
    /// The configuration makes no games.
    pub fn with_bots(
        config: &Config,
        programs: &Programs,
        tables: TableMaker,
        changes: &[(String, String)],
        mut bots: Vec<BotCommand>,
    ) -> Result<Plan, Error> {
        let table = tables();
        let seats = table.seats().to_vec();
        let scale = Scale::new(table.scores());
        let time = time_control(config, &mut bots)?;
        let adjudicator = adjudicator(&config.adjudication, programs, &*table)?;
        let running = &config.running;
        let mut schedule = Schedule {
            game: table.game(),
            draws: config.start.draws(plain_name(table.game()))?,
            bots: bots.len(),
            games: 1,
            fixed_seats: config.fixed_seats,
            openings: openings(&config.start, &mut *tables())?,
        };
        schedule.games = match config.games {
            Games::Number(number @ 1..=MOST_GAMES) => number,
            Games::Number(number) => {
                return Err(Error::usage(format!(
                    "expected 1 to {MOST_GAMES} games, got {number}"
                )));
            }
            Games::All => all_games(&schedule)?,
        };
        let mut warnings = Vec::new();
        let concurrency = concurrency(running.concurrency, schedule.games);
        warnings.extend(check_concurrency(concurrency, time.kind, running.oversubscribe)?);
        config.containment.check(time.kind, running.between_turns)?;
        let tier = config.containment.tier(&mut bots, &programs.launcher, &mut warnings)?;
        let freeze = running.between_turns.stops_bots(tier);
        let cores = cores_for(concurrency, running.pin, freeze)?;
        capacity::check(concurrency, seats.len(), tier)?;
        let replays = match &config.replays {
            Replays::Shared(directory) if schedule.games > 1 => Replays::Faulty(directory.clone()),
            replays => replays.clone(),
        };
        let directory = replays.directory();
        game_models::give_model(tier, table.game(), &mut bots, programs)?;
        let bots = config.containment.of_bots(tier, bots, programs, directory)?;
        let wrapper = config.containment.wrapper()?;
        Ok(Plan {
            backend: config.containment.backend,
            tier,
            scale,
            wrapper,
            rules: rules_in_words(&config.game, config.start.rules.as_deref(), changes)?,
            freeze,
            cores,
            concurrency,
            limit: None,
            gauge: &ThisHost,
            send_legal: running.legal,
            restart: running.restart,
            bots_were_tried: false,
            has_secrets: table.has_secrets(),
            limits: config.limits,
            tables,
            seats,
            bots,
            schedule,
            time,
            adjudicator,
            replays,
            compress: running.compress,
            wiretap: None,
            notice: programs.notice,
            debug: None,
            warnings,
        })
    }

    /// Prepares the bot of this name for a debugger.
    fn prepare_debugging(&mut self, name: Option<&str>) -> Result<(), Error> {
        let Some(name) = name else { return Ok(()) };
        let known: Vec<String> = self.bots.iter().map(|bot| bot.name().to_string()).collect();
        let Some(index) = known.iter().position(|known| known == name) else {
            return Err(Error::usage(no_bot_called(name, &known)).within(DEBUG.with(name)));
        };
        if self.wrapper.is_some() {
            return Err(Error::usage(message![DEBUG, " and ", WRAPPER, " exclude each other"]));
        }
        self.debug = Some(index);
        self.bots[index].containment = None;
        self.bots[index].command.may_be_root = true;
        let warning = format!("{name} has no clock and no sandbox: this game is for debugging");
        self.warnings.push(warning.into());
        Ok(())
    }

    /// Checks that every bot has the files it needs. A match fails before its first game otherwise.
    /// In a tournament only the bot without its files fails to start, and the others play.
    ///
    /// # Errors
    ///
    /// The first bot whose files are missing or may not be granted.
    pub fn check_files(&self) -> Result<(), Error> {
        for bot in &self.bots {
            let Some(containment) = &bot.containment else { continue };
            if let Err(error) = &containment.files {
                let error = error.in_words(&containment.advice);
                return Err(Error::usage(format!("bot {}: {error}", bot.name())));
            }
        }
        Ok(())
    }

    /// Returns one of the bots, not running yet.
    pub fn bot(&self, index: usize) -> Bot {
        let bot = self.bots[index]
            .bot(self.backend, self.wrapper.as_ref())
            .with_freeze(self.freeze)
            .tapped(self.wiretap.clone())
            .announcing_silence(self.notice);
        if self.debug == Some(index) { bot.debugged() } else { bot }
    }

    /// Returns the times of the bots that do not have those of all, by the bots' names.
    pub fn own_times(&self) -> BTreeMap<&str, BotTime> {
        let own = self.bots.iter().map(|bot| (bot.name(), bot.command.time));
        own.filter_map(|(name, time)| Some((name, time?))).collect()
    }

    /// Describes the clock and the containment of the bots.
    pub fn conditions(&self) -> String {
        let sandbox = match self.tier {
            Tier::None => "no sandbox".to_string(),
            tier => format!("sandbox tier {tier}"),
        };
        let own = self.bots.iter().map(|bot| (bot.name(), bot.command.time));
        let mut conditions = format!("{}; {sandbox}", clocks_in_words(&self.time, own));
        if let Some(bot) = self.debug.and_then(|index| self.bots.get(index)) {
            conditions = format!("{}: no clock; no sandbox\nother bots: {conditions}", bot.name());
        }
        let is_usual = self.freeze == BetweenTurns::Usual.stops_bots(self.tier);
        for (is_set, word) in [
            (!is_usual && self.freeze, "bots are frozen between their turns"),
            (!is_usual && !self.freeze, "bots may ponder"),
            (!self.cores.is_empty(), "pinned"),
            (self.backend != Backend::Native, "portable back end"),
        ] {
            if is_set {
                conditions.push_str("; ");
                conditions.push_str(word);
            }
        }
        if let Some(adjudicator) = &self.adjudicator {
            conditions.push_str(&format!("; adjudicated by {}", adjudicator.rules()));
        }
        conditions
    }
}

/// Makes tables of a game under the given rules, and returns the changes to the preset: the given
/// ones and the number of seats, if that is a rule, it was not set, and the number of players is
/// known.
///
/// # Errors
///
/// The game or a rule does not exist, or the rules cannot be played.
pub fn tables(
    game: &str,
    preset: Option<&str>,
    changes: &[(String, String)],
    players: Option<usize>,
) -> Result<(TableMaker, Vec<(String, String)>), Error> {
    made(game, preset, changes, players, &|changes| registry::tables(game, preset, changes))
}

/// The same with the limits of this configuration for a program that has the rules.
///
/// # Errors
///
/// Those of [`tables`].
pub fn tables_within(
    (game, containment): (&str, &ContainmentConfig),
    preset: Option<&str>,
    changes: &[(String, String)],
    players: Option<usize>,
) -> Result<(TableMaker, Vec<(String, String)>), Error> {
    made(game, preset, changes, players, &|changes| {
        game_programs::tables_within(game, containment, preset, changes)
    })
}

/// Makes a table with these changes of the rules.
type Make<'a> = &'a dyn Fn(&[(String, String)]) -> Result<TableMaker, SetupError>;

fn made(
    game: &str,
    preset: Option<&str>,
    changes: &[(String, String)],
    players: Option<usize>,
    make: Make<'_>,
) -> Result<(TableMaker, Vec<(String, String)>), Error> {
    let mut changes = rule_files::read(changes)?;
    let mut note = String::new();
    if let Some(players) = players
        && let Ok(Some(change)) = registry::change_for_seats(game, preset, &changes, players)
    {
        let (rule, seats) = &change;
        note = format!("{rule}={seats} follows from the number of bots\n");
        changes.push(change);
    }
    let tables = make(&changes).map_err(|error| match error {
        SetupError::Program(fault) => Error::rules(fault),
        error => Error::usage(message![error, "\n", note, rules_hint(game)]),
    })?;
    Ok((tables, changes))
}

/// Returns a hint on how to list the rules of a game, or the games.
fn rules_hint(game: &str) -> Message {
    match registry::info(game) {
        Ok(info) => message![GAME_INFO.with(info.name), " lists its presets and rules"],
        Err(_) => message![GAMES_LIST, " lists the games"],
    }
}

fn no_bot_called(name: &str, known: &[String]) -> String {
    let near = did_you_mean(name, known);
    format!("no bot of this match is called {name:?}{near}; the bots are {}", known.join(", "))
}

fn bots(
    config: &Config,
    programs: &Programs,
    game: &str,
    seats: &[String],
) -> Result<Vec<BotCommand>, Error> {
    let mut bots = spec::commands(&config.bots, game, programs).map_err(Error::usage)?;
    check_built(&bots)?;
    if bots.len() != seats.len() {
        let seats_rule = registry::info(game).ok().and_then(|info| info.seats_rule);
        let set = config.start.changes.iter().find(|(key, _)| Some(key.as_str()) == seats_rule);
        let or = set.map_or(Message::default(), |(key, value)| {
            let rule = RULE.with(format!("{key}={value}"));
            message!["\nor remove ", rule, ": it follows from the number of bots"]
        });
        let bots = config.bots.iter().cycle().take(seats.len()).map(|bot| quoted(bot));
        let bots = bots.collect::<Vec<_>>().join(" ");
        return Err(Error::usage(message![
            format!(
                "{} under these rules has {} seats ({}): ",
                plain_name(game),
                seats.len(),
                seats.join(", ")
            ),
            format!("expected a bot for each, got {}\nFor example: ", config.bots.len()),
            MATCH.with(format!("{game} {bots}")),
            or
        ]));
    }
    let known: Vec<String> = bots.iter().map(|bot| bot.name.clone()).collect();
    for OwnTime { bot: name, kind, ms } in &config.own_times {
        if !known.contains(name) {
            let setting = kind.setting().with(format!("{name}={ms}"));
            return Err(Error::usage(no_bot_called(name, &known)).within(setting));
        }
    }
    for BotOption { bot: name, key, value } in &config.options {
        let Some(bot) = bots.iter_mut().find(|bot| bot.name == *name) else {
            let option = BOT_OPTION.with(format!("{name}:{key}={value}"));
            return Err(Error::usage(no_bot_called(name, &known)).within(option));
        };
        bot.options.insert(key.clone(), value.clone());
    }
    Ok(bots)
}

/// Returns the clock of the games, and gives the bots the times that they have for themselves.
fn time_control(config: &Config, bots: &mut [BotCommand]) -> Result<TimeControl, Error> {
    let time = config.time.control();
    let checked = |time: &TimeControl| {
        SeatClock::new(time).map_err(|error| {
            let settings = message![MOVE_MS, ", ", BANK_MS, ", ", INCREMENT_MS, " and ", GRACE_MS];
            Error::usage(message![error, "; see ", settings])
        })
    };
    checked(&time)?;
    for bot in bots {
        bot.time = config.time.of_bot(&bot.name, &config.own_times).or(bot.time);
        checked(&time.of_bot(bot.time)).map_err(|error| error.within(bot.name.as_str()))?;
    }
    Ok(time)
}

/// Returns the preset, the game's default one if none is given, and the changes to it.
///
/// # Errors
///
/// There is no game of this name.
pub fn rules_in_words(
    game: &str,
    preset: Option<&str>,
    changes: &[(String, String)],
) -> Result<String, Error> {
    let mut words = match preset {
        Some(preset) => preset.to_string(),
        None => {
            let info = registry::info(game).map_err(Error::usage)?;
            info.presets.first().map_or(String::new(), |(preset, _)| preset.name.to_string())
        }
    };
    for (key, value) in changes {
        words.push_str(&format!(", {key}={value}"));
    }
    Ok(words)
}

/// Returns the number of games that plays every opening with every assignment of the seats.
fn all_games(schedule: &Schedule) -> Result<u32, Error> {
    if schedule.openings.is_empty() {
        return Err(Error::usage(message![
            GAMES.with("all"),
            " needs ",
            OPENINGS,
            ", because it plays every opening; add ",
            OPENINGS,
            ", or give a number of games"
        ]));
    }
    u32::try_from(schedule.openings.len())
        .ok()
        .and_then(|openings| openings.checked_mul(schedule.block_length()))
        .filter(|&games| games <= MOST_GAMES)
        .ok_or_else(|| {
            let most = format!("expected at most {MOST_GAMES} games, got more");
            Error::usage(most).within(GAMES.with("all"))
        })
}

/// Returns the openings, all of them playable. Empty if openings are drawn.
fn openings(start: &StartConfig, table: &mut dyn Table) -> Result<Vec<String>, Error> {
    start.openings.as_deref().map_or(Ok(Vec::new()), |name| read_openings(name, table))
}

/// Returns the openings of a named set or a file, all of them playable.
///
/// # Errors
///
/// The file cannot be read, or an opening cannot be played.
pub fn read_openings(name: &Path, table: &mut dyn Table) -> Result<Vec<String>, Error> {
    let shown = name.display();
    if let Some(openings) = name.to_str().and_then(|name| table.opening_set(name)) {
        for opening in &openings {
            let opened = table.open_with(opening);
            opened.map_err(|error| Error::usage(format!("the openings {shown}: {error}")))?;
        }
        return Ok(openings);
    }
    let is_json = |text: &str| opening_file::is_json(name, text);
    let text = read_text_file(name, LARGEST, is_json);
    let text = text.map_err(|error| {
        let sets: Vec<&str> = table.opening_sets().iter().map(|set| set.name).collect();
        let sets = match &sets[..] {
            [] => String::new(),
            sets => {
                format!("; {} has the named sets {}", plain_name(table.game()), sets.join(", "))
            }
        };
        Error::usage(format!("the openings {shown} cannot be read: {error}{sets}"))
    })?;
    if !is_json(&text)
        && let Some(read) = table.read_openings(&text)
    {
        let openings = read.map_err(|error| Error::usage(format!("{shown}, {error}")))?;
        if openings.is_empty() {
            return Err(Error::usage(format!("{shown} has no opening")));
        }
        return Ok(openings);
    }
    let openings =
        opening_file::openings(&text).map_err(|error| Error::usage(format!("{shown}: {error}")))?;
    for (number, opening) in (1..).zip(&openings) {
        table.open_with(&opening.json).map_err(|error: ActionError| {
            let line = opening.line;
            Error::usage(format!("{shown}, line {line}, opening {number}: {error}"))
        })?;
    }
    Ok(openings.into_iter().map(|opening| opening.json).collect())
}

fn make_directory(replays: &Replays) -> Result<(), Error> {
    let Some(directory) = replays.directory() else { return Ok(()) };
    let unwritable = |error: io::Error| {
        Error::host(format!("replays cannot be written to {}: {error}", directory.display()))
    };
    if directory.exists() && !directory.is_dir() {
        return Err(Error::usage(message![
            directory.display(),
            " is not a directory; choose another one with ",
            DIRECTORY
        ]));
    }
    fs::create_dir_all(directory).map_err(unwritable)?;
    let is_empty = fs::read_dir(directory).map_err(unwritable)?.next().is_none();
    if matches!(replays, Replays::Own(_)) && !is_empty {
        return Err(Error::usage(message![
            format!("the directory {} is not empty, and replays are never ", directory.display()),
            "overwritten: empty it, or choose another one with ",
            DIRECTORY
        ]));
    }
    // Finds a directory that exists but is not writable before the first game.
    let probe = directory.join(format!(".writable-{}", std::process::id()));
    File::create_new(&probe).and_then(|_| fs::remove_file(&probe)).map_err(unwritable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ContainmentConfig;
    use crate::programs::testing::programs;

    #[test]
    fn several_games_have_replays_where_others_may_be_only_after_faults() {
        let place = tempfile::tempdir().unwrap();
        let replays_of = |games| {
            let bots = ["random", "greedy"].map(String::from).to_vec();
            let config = Config {
                games,
                containment: ContainmentConfig::none(),
                replays: Replays::Shared(place.path().join("replays")),
                ..Config::new("scotland-yard", bots)
            };
            Plan::new(&config, &programs()).map(|plan| {
                plan.remove_unused_directory();
                plan.replays
            })
        };
        let directory = place.path().join("replays");
        let faulty = Replays::Faulty(directory.clone());
        assert_eq!(replays_of(Games::Number(2)).unwrap(), faulty);
        assert!(!directory.exists());
        // Without a place for them, they are not kept.
        fs::write(&directory, "a file").unwrap();
        assert_eq!(replays_of(Games::Number(2)).unwrap(), Replays::None);
        fs::remove_file(&directory).unwrap();
        let shared = Replays::Shared(place.path().join("replays"));
        assert_eq!(replays_of(Games::Number(1)).unwrap(), shared);
        for games in [Games::Number(0), Games::Number(MOST_GAMES + 1), Games::All] {
            assert!(matches!(replays_of(games), Err(Error::Usage(_))), "{games:?}");
        }
    }
}
