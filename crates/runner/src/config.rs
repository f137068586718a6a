//! How games between bots are played, as plain data: which game under which rules, by which bots, how many
//! games, the clock, how many at once, the sandbox, where replays go. A front end makes a [`Config`] from
//! what its user wrote; whether it makes games is checked by the plan of them.

use crate::error::Error;
use crate::settings::SEED;
use botyard_league::schedule::Draws;
use botyard_protocol::{ClockKind, Limits, OnFault, TimeControl};
use botyard_sandbox::{MIB, ResourceLimits, Tier};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The most games of one run.
pub const MOST_GAMES: u32 = 10_000_000;

/// The time for one move where no time is given, in milliseconds.
const DEFAULT_MOVE_MS: u64 = 1000;

/// Games between bots as they were asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The name of the game.
    pub game: String,
    /// The bots, as a user writes them, in the order of the seats of the first game.
    #[serde(default)]
    pub bots: Vec<String>,
    /// Options of bots, by the bots' names.
    #[serde(default)]
    pub options: Vec<BotOption>,
    /// How the games begin.
    #[serde(default)]
    pub start: StartConfig,
    /// How many games there are.
    #[serde(default)]
    pub games: Games,
    /// Whether bot 1 always has the first seat, bot 2 the second, and so on.
    #[serde(default)]
    pub fixed_seats: bool,
    /// The clock, and what happens when a bot fails.
    #[serde(default)]
    pub time: TimeConfig,
    /// How the games are run.
    #[serde(default)]
    pub running: RunConfig,
    /// How bots are contained.
    #[serde(default)]
    pub containment: ContainmentConfig,
    /// What bots must stay within.
    #[serde(default)]
    pub limits: Limits,
    /// Where replays go.
    #[serde(default)]
    pub replays: Replays,
}

impl Config {
    /// One game under the default rules and conditions, with the sandbox that the host offers, and
    /// without a replay.
    pub fn new(game: impl Into<String>, bots: Vec<String>) -> Config {
        Config {
            game: game.into(),
            bots,
            options: Vec::new(),
            start: StartConfig::default(),
            games: Games::default(),
            fixed_seats: false,
            time: TimeConfig::default(),
            running: RunConfig::default(),
            containment: ContainmentConfig::default(),
            limits: Limits::default(),
            replays: Replays::None,
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
    /// Its value as text.
    pub value: String,
}

/// How games begin: under which rules, from which openings and which seed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StartConfig {
    /// What games are drawn from; a new secret where there is none.
    pub seed: Option<GivenSeed>,
    /// A named set of rules; the game's default where there is none.
    pub rules: Option<String>,
    /// Rules to change, by their names. A value that ends in `.json` is a file that has it.
    pub changes: Vec<(String, String)>,
    /// A file of openings or the name of a set, taken in turn; they are drawn where there is none.
    pub openings: Option<PathBuf>,
}

impl StartConfig {
    /// What the games are drawn from: the seed that was given, or else a new secret. Where the seed
    /// is a number, `name` is what ids are made from.
    ///
    /// # Errors
    ///
    /// A system that gives no random numbers.
    pub fn draws(&self, name: &str) -> Result<Draws, Error> {
        match self.seed {
            Some(GivenSeed::Number(number)) => Ok(Draws::numbered(number, name)),
            Some(GivenSeed::Draws(draws)) => Ok(draws),
            None => secret_draws(),
        }
    }
}

/// Draws from a new secret.
///
/// # Errors
///
/// A system that gives no random numbers.
pub fn secret_draws() -> Result<Draws, Error> {
    let (mut secret, mut tag) = ([0; 32], [0; 8]);
    for bytes in [&mut secret[..], &mut tag[..]] {
        getrandom::fill(bytes).map_err(|error| {
            Error::host(format!("cannot get random numbers from the system: {error}"))
        })?;
    }
    Ok(Draws::secret(secret, u64::from_le_bytes(tag)))
}

/// A seed that a user gave: a number, or the draws of an earlier match. In a file it is text.
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
                "expected a number from 0 to {}, or what a match without {SEED} printed: key:, 64 \
                 hexadecimal digits, - and 16 more",
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

/// How many games a match has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Games {
    /// This number of games, 1 to [`MOST_GAMES`].
    Number(u32),
    /// One for each opening and assignment of the seats.
    All,
}

impl Default for Games {
    fn default() -> Games {
        Games::Number(1)
    }
}

/// The clock of every seat, and what happens when a bot fails. Times are in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TimeConfig {
    /// What is measured.
    pub clock: ClockKind,
    /// The most time for one move; a second where no other time is given either.
    pub move_ms: Option<u64>,
    /// The time of a seat for all its moves of a game.
    pub bank_ms: Option<u64>,
    /// Added to the bank after each move.
    pub increment_ms: Option<u64>,
    /// Exceeding a limit by this much is forgiven, but charged.
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
    /// The clock as the referee takes it, which need not be one that can be played under.
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

/// How games are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RunConfig {
    /// How many games are played at once; one less than there are cores where it is not given.
    pub concurrency: Option<u16>,
    /// Play more games at once than this host can time.
    pub oversubscribe: bool,
    /// Give each game that is played at once a core of its own, or do not. Where it is not given, each
    /// has one if there are as many as cores and bots are stopped outside their turns.
    pub pin: Option<bool>,
    /// Start every bot again for every game.
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
    /// They are stopped in the sandbox's tiers A to C, and run elsewhere.
    #[default]
    Usual,
    /// They are stopped.
    Stop,
    /// They run, and may think.
    Ponder,
}

impl BetweenTurns {
    /// Whether bots in this tier are stopped.
    pub fn stops_bots(self, tier: Tier) -> bool {
        match self {
            BetweenTurns::Usual => matches!(tier, Tier::A | Tier::B | Tier::C),
            BetweenTurns::Stop => true,
            BetweenTurns::Ponder => false,
        }
    }
}

/// How bots are contained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ContainmentConfig {
    /// How well they must be.
    pub sandbox: Sandbox,
    /// The most memory of a bot, in MiB.
    pub memory_mib: u64,
    /// The most processes and threads of a bot.
    pub processes: u32,
    /// The most open files of each process.
    pub files: u32,
    /// The most that a bot may write in its own `/tmp`, in MiB.
    pub scratch_mib: u64,
    /// The command that runs each bot (tier D), with `{command}` where the bot's goes.
    pub command: Option<String>,
    /// What ends that which the command leaves running.
    pub end: Option<String>,
    /// What bots may read besides what their commands name.
    pub read: Vec<PathBuf>,
}

impl Default for ContainmentConfig {
    fn default() -> ContainmentConfig {
        let limits = ResourceLimits::default();
        ContainmentConfig {
            sandbox: Sandbox::Auto,
            memory_mib: limits.memory / MIB,
            processes: limits.processes,
            files: limits.files,
            scratch_mib: limits.scratch / MIB,
            command: None,
            end: None,
            read: Vec::new(),
        }
    }
}

impl ContainmentConfig {
    /// No containment, for bots that are trusted.
    pub fn none() -> ContainmentConfig {
        ContainmentConfig { sandbox: Sandbox::None, ..ContainmentConfig::default() }
    }
}

/// How well bots must be contained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sandbox {
    /// As well as the host can.
    #[default]
    Auto,
    /// In tier B or better, or nothing is played.
    Strict,
    /// Not at all.
    None,
}

/// Where replays go.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Replays {
    /// Nowhere.
    #[default]
    None,
    /// Into a directory that holds nothing else.
    Own(PathBuf),
    /// That of a single game into a directory in which others may be; those of more games nowhere.
    Shared(PathBuf),
    /// Below the directory of a tournament.
    Tournament(PathBuf),
}

impl Replays {
    /// The directory, where there is one.
    pub fn directory(&self) -> Option<&Path> {
        match self {
            Replays::None => None,
            Replays::Own(directory)
            | Replays::Shared(directory)
            | Replays::Tournament(directory) => Some(directory),
        }
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
            let text = serde_json::to_string(&config).unwrap();
            assert_eq!(serde_json::from_str::<Config>(&text).unwrap(), config, "{text}");
        }
        let shortest: Config = serde_json::from_str(r#"{"game":"draughts"}"#).unwrap();
        assert_eq!(shortest, Config::new("draughts", Vec::new()));
        let unknown = serde_json::from_str::<Config>(r#"{"game":"draughts","gmaes":2}"#);
        assert!(unknown.unwrap_err().to_string().contains("unknown field `gmaes`"));
    }
}
