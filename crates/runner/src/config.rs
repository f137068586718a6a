//! The configuration of games between bots as plain data: the game and its rules, the bots, the
//! number of games, the clock, the concurrency, the sandbox, the place of replays. A front end
//! makes a [`Config`] from what its user wrote. A [`Plan`](crate::Plan) checks it.

use crate::error::Error;
use crate::game_limits::GameLimits;
use crate::settings::{BANK_MS, INCREMENT_MS, MOVE_MS, Setting};
use botyard_league::schedule::Draws;
use botyard_protocol::{
    Adjudication, BotTime, ClockKind, DrawRule, EgdbRule, Limits, OnFault, ResignRule, TimeControl,
};
use botyard_referee::Backend;
use botyard_sandbox::{MIB, ResourceLimits, Tier};
use rand::TryRng;
use rand::rngs::SysRng;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The largest number of games in one run.
pub const MOST_GAMES: u32 = 10_000_000;

/// The time per move if the configuration sets no time limit, in milliseconds.
pub const DEFAULT_MOVE_MS: u64 = 1000;

/// The requested games between bots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The name of the game.
    pub game: String,
    /// The bots, as a user writes them, in seat order of the first game.
    #[serde(default)]
    pub bots: Vec<String>,
    /// Options of bots, by the bots' names.
    #[serde(default)]
    pub options: Vec<BotOption>,
    /// Rules, openings and seed.
    #[serde(default)]
    pub start: StartConfig,
    /// The number of games.
    #[serde(default)]
    pub games: Games,
    /// Whether bot 1 always has the first seat, bot 2 the second, and so on.
    #[serde(default)]
    pub fixed_seats: bool,
    /// The clock, and what happens when a bot fails.
    #[serde(default)]
    pub time: TimeConfig,
    /// The times of single bots, in place of those in [`Config::time`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own_times: Vec<OwnTime>,
    /// The rules by which the referee ends a game if its result is clear.
    #[serde(default)]
    pub adjudication: AdjudicationConfig,
    /// How the games are run.
    #[serde(default)]
    pub running: RunConfig,
    /// The sandbox.
    #[serde(default)]
    pub containment: ContainmentConfig,
    /// Limits of the protocol that bots must keep.
    #[serde(default)]
    pub limits: Limits,
    /// Where replays go.
    #[serde(default)]
    pub replays: Replays,
    /// The name of a bot to be run under a debugger: without a clock, a sandbox, and limits of its
    /// start-up and set-up.
    #[serde(default)]
    pub debug: Option<String>,
}

impl Config {
    /// Returns the configuration of one game under the default rules and conditions, in the best
    /// sandbox of the host, without a replay.
    pub fn new(game: impl Into<String>, bots: Vec<String>) -> Config {
        Config {
            game: game.into(),
            bots,
            options: Vec::new(),
            start: StartConfig::default(),
            games: Games::default(),
            fixed_seats: false,
            time: TimeConfig::default(),
            own_times: Vec::new(),
            adjudication: AdjudicationConfig::default(),
            running: RunConfig::default(),
            containment: ContainmentConfig::default(),
            limits: Limits::default(),
            replays: Replays::None,
            debug: None,
        }
    }
}

/// An option of one bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BotOption {
    /// The bot's name in the match.
    pub bot: String,
    /// The option.
    pub key: String,
    /// Its value, as text.
    pub value: String,
}

/// A time of one bot, in place of that of all bots.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnTime {
    /// The bot's name in the match.
    pub bot: String,
    /// Which time.
    pub kind: OwnTimeKind,
    /// Its length, in milliseconds.
    pub ms: u64,
}

/// The times that a bot can have for itself, as in [`TimeConfig`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OwnTimeKind {
    /// The limit per move.
    Move,
    /// The bank.
    Bank,
    /// Added to the bank after each move.
    Increment,
}

impl OwnTimeKind {
    /// Returns the setting of all bots that it replaces for one.
    pub const fn setting(self) -> Setting {
        match self {
            OwnTimeKind::Move => MOVE_MS,
            OwnTimeKind::Bank => BANK_MS,
            OwnTimeKind::Increment => INCREMENT_MS,
        }
    }
}

/// The start of the games: rules, openings and seed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StartConfig {
    /// The seed of all random draws. `None`: a new secret.
    pub seed: Option<GivenSeed>,
    /// The preset of rules. `None`: the game's default.
    pub rules: Option<String>,
    /// Single rules to change, by name. A value that ends in `.json` names a file with the value.
    pub changes: Vec<(String, String)>,
    /// A file of openings or the name of a set, played in turn. `None`: openings are drawn.
    pub openings: Option<PathBuf>,
}

impl StartConfig {
    /// Returns the source of the random draws: the given seed, or else a new secret. With a numeric
    /// seed, game ids are made from `name`.
    ///
    /// # Errors
    ///
    /// The system gives no random numbers.
    pub fn draws(&self, name: &str) -> Result<Draws, Error> {
        match self.seed {
            Some(GivenSeed::Number(number)) => Ok(Draws::numbered(number, name)),
            Some(GivenSeed::Draws(draws)) => Ok(draws),
            None => secret_draws(),
        }
    }
}

/// Returns draws from a new secret.
///
/// # Errors
///
/// The system gives no random numbers.
pub fn secret_draws() -> Result<Draws, Error> {
    let (mut secret, mut tag) = ([0; 32], [0; 8]);
    for bytes in [&mut secret[..], &mut tag[..]] {
        SysRng.try_fill_bytes(bytes).map_err(|error| {
            Error::host(format!("cannot get random numbers from the system: {error}"))
        })?;
    }
    Ok(Draws::secret(secret, u64::from_le_bytes(tag)))
}

/// A seed given by a user: a number, or the draws of an earlier match. In a file it is text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum GivenSeed {
    /// A number.
    Number(u64),
    /// The draws of an earlier match.
    Draws(Draws),
}

impl FromStr for GivenSeed {
    type Err = String;

    fn from_str(text: &str) -> Result<GivenSeed, String> {
        match (text.parse(), Draws::of_secret_text(text)) {
            (Ok(number), _) => Ok(GivenSeed::Number(number)),
            (_, Some(draws)) => Ok(GivenSeed::Draws(draws)),
            _ => Err(format!(
                "expected a number from 0 to {}, or a seed that a match without one printed (key:, 64 \
                 hexadecimal digits, - and 16 more)",
                u64::MAX
            )),
        }
    }
}

impl TryFrom<String> for GivenSeed {
    type Error = String;

    fn try_from(text: String) -> Result<GivenSeed, String> {
        text.parse()
    }
}

impl fmt::Display for GivenSeed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GivenSeed::Number(number) => number.fmt(formatter),
            GivenSeed::Draws(draws) => draws.fmt(formatter),
        }
    }
}

impl From<GivenSeed> for String {
    fn from(seed: GivenSeed) -> String {
        seed.to_string()
    }
}

/// The number of games in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Games {
    /// This number, 1 to [`MOST_GAMES`].
    Number(u32),
    /// One game for each opening and assignment of the seats.
    All,
}

impl Default for Games {
    fn default() -> Games {
        Games::Number(1)
    }
}

/// The clock of every seat, and the handling of faults. Times are in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TimeConfig {
    /// Whether wall-clock or CPU time is measured.
    pub clock: ClockKind,
    /// The limit per move. One second if no other limit is given either.
    pub move_ms: Option<u64>,
    /// The bank: the time of a seat for all its moves in a game.
    pub bank_ms: Option<u64>,
    /// Added to the bank after each move.
    pub increment_ms: Option<u64>,
    /// Time over a limit that is forgiven, but charged.
    pub grace_ms: u64,
    /// What happens when a bot fails.
    pub on_fault: OnFault,
}

impl Default for TimeConfig {
    fn default() -> TimeConfig {
        TimeConfig {
            clock: ClockKind::Wall,
            move_ms: None,
            bank_ms: None,
            increment_ms: None,
            grace_ms: 0,
            on_fault: OnFault::Forfeit,
        }
    }
}

impl TimeConfig {
    /// Returns the times of the bot with this name, if any of `own` is for it and they are not those
    /// of all bots. They are not validated here.
    pub fn of_bot(&self, name: &str, own: &[OwnTime]) -> Option<BotTime> {
        let mut config = *self;
        for OwnTime { kind, ms, .. } in own.iter().filter(|own| own.bot == name) {
            match kind {
                OwnTimeKind::Move => config.move_ms = Some(*ms),
                OwnTimeKind::Bank => config.bank_ms = Some(*ms),
                OwnTimeKind::Increment => config.increment_ms = Some(*ms),
            }
        }
        let TimeControl { move_ms, bank_ms, increment_ms, .. } = config.control();
        (config != *self).then_some(BotTime { move_ms, bank_ms, increment_ms })
    }

    /// Returns the clock for the referee. It is not validated here.
    pub fn control(&self) -> TimeControl {
        let none_given =
            self.move_ms.is_none() && self.bank_ms.is_none() && self.increment_ms.is_none();
        TimeControl {
            kind: self.clock,
            move_ms: self.move_ms.or(none_given.then_some(DEFAULT_MOVE_MS)),
            bank_ms: self.bank_ms,
            increment_ms: self.increment_ms.unwrap_or(0),
            grace_ms: self.grace_ms,
            on_fault: self.on_fault,
        }
    }
}

/// The rules by which the referee ends a game if its result is clear; none by default. For games of
/// two seats without hidden information and chance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AdjudicationConfig {
    /// When a game is a draw.
    pub draw: Option<DrawRule>,
    /// When a game is lost.
    pub resign: Option<ResignRule>,
    /// The endgame tables whose results end games.
    pub egdb: Option<EgdbSource>,
}

/// The endgame tables of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EgdbSource {
    /// Those that the front end finds.
    Found,
    /// Those in this file.
    File(PathBuf),
}

impl AdjudicationConfig {
    /// Returns the rules with tables of this many pieces.
    pub fn rules(&self, pieces: Option<u32>) -> Adjudication {
        let egdb = self.egdb.as_ref().and(pieces).map(|pieces| EgdbRule { pieces });
        Adjudication { draw: self.draw, resign: self.resign, egdb }
    }
}

/// Concurrency, pinning, restarts and other conditions of the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RunConfig {
    /// The number of games played at once. `None`: one less than the number of cores.
    pub concurrency: Option<u16>,
    /// Allow more games at once than this host can time.
    pub oversubscribe: bool,
    /// Whether each concurrent game is pinned to its own core. `None`: games are pinned if there is
    /// one for every core and bots are stopped outside their turns.
    pub pin: Option<bool>,
    /// Restart every bot for every game.
    pub restart: bool,
    /// List the legal actions in each turn.
    pub legal: bool,
    /// What bots do when it is not their turn.
    pub between_turns: BetweenTurns,
    /// Compress each replay when its game is over.
    pub compress: bool,
}

impl Default for RunConfig {
    fn default() -> RunConfig {
        RunConfig {
            concurrency: None,
            oversubscribe: false,
            pin: None,
            restart: false,
            legal: true,
            between_turns: BetweenTurns::Usual,
            compress: false,
        }
    }
}

/// What bots do when it is not their turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BetweenTurns {
    /// They are stopped in tiers A to C of the sandbox, and run otherwise.
    #[default]
    Usual,
    /// They are stopped.
    Stop,
    /// They run, and may think.
    Ponder,
}

impl BetweenTurns {
    /// Returns whether bots in this tier are stopped.
    pub(crate) fn stops_bots(self, tier: Tier) -> bool {
        match self {
            BetweenTurns::Usual => matches!(tier, Tier::A | Tier::B | Tier::C),
            BetweenTurns::Stop => true,
            BetweenTurns::Ponder => false,
        }
    }
}

/// The containment of bots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ContainmentConfig {
    /// The back end that runs the bots. The portable one contains nothing, so only
    /// [`Sandbox::Auto`] and [`Sandbox::None`] go with it, and the limits below have no effect.
    #[serde(skip_serializing_if = "Backend::is_default")]
    pub backend: Backend,
    /// The required containment.
    pub sandbox: Sandbox,
    /// The memory limit of a bot, in MiB.
    pub memory_mib: u64,
    /// The limit of processes and threads of a bot.
    pub processes: u32,
    /// The limit of open files per process.
    pub files: u32,
    /// The size of a bot's private `/tmp`, in MiB.
    pub scratch_mib: u64,
    /// The command that runs each bot (tier D). `{command}` is replaced by the bot's command.
    pub command: Option<String>,
    /// The command that ends what `command` leaves running.
    pub end: Option<String>,
    /// Paths that bots may read besides those that their commands name.
    pub read: Vec<PathBuf>,
    /// The limits of the game's program, instead of those that its manifest states.
    #[serde(skip_serializing_if = "GameLimits::are_unset")]
    pub game: GameLimits,
    /// Whether the bots are those of others, as in a tournament. A process that is root never runs them
    /// without a sandbox, unless it is turned off.
    #[serde(skip)]
    pub for_others: bool,
}

impl Default for ContainmentConfig {
    fn default() -> ContainmentConfig {
        let limits = ResourceLimits::default();
        ContainmentConfig {
            backend: Backend::default(),
            sandbox: Sandbox::Auto,
            memory_mib: limits.memory / MIB,
            processes: limits.processes,
            files: limits.files,
            scratch_mib: limits.scratch / MIB,
            command: None,
            end: None,
            read: Vec::new(),
            game: GameLimits::default(),
            for_others: false,
        }
    }
}

impl ContainmentConfig {
    /// Returns a configuration without containment, for trusted bots.
    pub fn none() -> ContainmentConfig {
        ContainmentConfig { sandbox: Sandbox::None, ..ContainmentConfig::default() }
    }
}

/// The required containment of bots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sandbox {
    /// The best that the host offers.
    #[default]
    Auto,
    /// Tier B or better; otherwise no game is played.
    Strict,
    /// No containment.
    None,
}

/// The place of replays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Replays {
    /// Nowhere.
    #[default]
    None,
    /// In a directory that holds nothing else.
    Own(PathBuf),
    /// In a directory that may hold other replays, for a single game. A run of several games saves
    /// those with a fault there, as in [`Replays::Faulty`].
    Shared(PathBuf),
    /// Those of games with a fault only, in a directory that may hold other replays. A worker saves
    /// the first of them, so that a bot that always fails does not fill the disk.
    Faulty(PathBuf),
    /// In the directory of a tournament.
    Tournament(PathBuf),
    /// In a directory that holds nothing else and is removed after the run: only what follows the
    /// games reads them, and no report names a file there.
    Temporary(PathBuf),
}

impl Replays {
    /// Returns the directory, if replays are saved.
    pub fn directory(&self) -> Option<&Path> {
        match self {
            Replays::None => None,
            Replays::Own(directory)
            | Replays::Shared(directory)
            | Replays::Faulty(directory)
            | Replays::Tournament(directory)
            | Replays::Temporary(directory) => Some(directory),
        }
    }

    /// Returns whether replays are kept after the run, if there are any.
    pub fn are_kept(&self) -> bool {
        !matches!(self, Replays::None | Replays::Temporary(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_has_a_second_where_no_time_is_given() {
        let time = |time: TimeConfig| time.control().move_ms;
        assert_eq!(time(TimeConfig::default()), Some(1000));
        let bank = TimeConfig { bank_ms: Some(60_000), ..TimeConfig::default() };
        assert_eq!(time(bank), None);
    }

    #[test]
    fn a_configuration_is_read_back_as_it_was_written() {
        let secret = Draws::secret([7; 32], 9);
        for seed in [None, Some(GivenSeed::Number(u64::MAX)), Some(GivenSeed::Draws(secret))] {
            let mut config = Config::new("draughts", vec!["random".into(), "./mine".into()]);
            config.start = StartConfig {
                seed,
                changes: vec![("crown".into(), "stays".into())],
                openings: Some("ballots".into()),
                ..StartConfig::default()
            };
            config.games = Games::All;
            config.running.between_turns = BetweenTurns::Ponder;
            config.replays = Replays::Own("out".into());
            config.containment.backend = Backend::Portable;
            let text = serde_json::to_string(&config).unwrap();
            assert_eq!(serde_json::from_str::<Config>(&text).unwrap(), config, "{text}");
        }
        let shortest: Config = serde_json::from_str(r#"{"game":"draughts"}"#).unwrap();
        assert_eq!(shortest, Config::new("draughts", Vec::new()));
        let unknown = serde_json::from_str::<Config>(r#"{"game":"draughts","gmaes":2}"#);
        assert!(unknown.unwrap_err().to_string().contains("unknown field `gmaes`"));
    }
}
