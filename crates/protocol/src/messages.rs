//! The messages of version 1, typed. `docs/protocol.md` is the page that bot authors read; this is
//! the same contract for Rust, and the JSON Schemas are generated from it.
//!
//! The game's own JSON (views, actions, rules) is a type parameter: [`serde_json::Value`] where
//! convenience counts, `&RawValue` where speed does.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The version of the protocol that this crate speaks.
pub const PROTOCOL: u32 = 1;

/// A message of the referee's, one JSON object a line on the bot's standard input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum RefereeMessage {
    /// The first line. The start-up allowance runs until the bot's `hello`.
    Hello(RefereeHello),
    /// A game begins. The set-up allowance runs until the bot's `ready`.
    Start(Box<Start>),
    /// The bot's move: its clock runs until the bot's `move`.
    Turn(Turn),
    /// The game is over. No answer.
    End(End),
    /// What was wrong with the bot's last message. No answer, unless a `turn` follows.
    Error(ErrorMessage),
    /// Between games only, to calibrate: answered by `pong` with the same `id`.
    Ping {
        /// To be sent back.
        id: u64,
    },
    /// Leave now. The end of standard input means the same.
    Quit,
}

/// A message of the bot's, one JSON object a line on its standard output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum BotMessage {
    /// Who the bot is and what it plays: the answer to `hello`.
    Hello(BotHello),
    /// Set-up is done: the answer to `start`.
    Ready,
    /// A decision: the answer to `turn`.
    Move(Move),
    /// Free text for the game's log; may come before any answer.
    Log {
        /// The text, of any length within the line limit.
        text: String,
    },
    /// The answer to `ping`.
    Pong {
        /// The `id` of the ping.
        id: u64,
    },
}

/// The referee introduces itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RefereeHello {
    /// The version of the protocol: 1.
    pub protocol: u32,
    /// The program that referees.
    pub referee: Program,
    /// What a bot must stay within.
    pub limits: Limits,
}

/// A program's name and version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// What a bot must stay within. Going over is a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Limits {
    /// The longest line of the bot's, in bytes, its newline not counted.
    pub line_bytes: u32,
    /// How deep arrays and objects may nest in a line of the bot's, the message itself counted;
    /// at most 127.
    pub nesting: u32,
    /// Bytes of standard output in one game.
    pub stdout_bytes: u64,
    /// Bytes of standard error in one game; of these the first and last 32 KiB are kept.
    pub stderr_bytes: u64,
    /// Milliseconds from the start of the program to its `hello`.
    pub start_ms: u64,
    /// Milliseconds from `start` to `ready`.
    pub setup_ms: u64,
    /// Milliseconds from `quit` until the program is ended by force.
    pub quit_ms: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            line_bytes: 64 * 1024,
            nesting: 64,
            stdout_bytes: 16 * 1024 * 1024,
            stderr_bytes: 16 * 1024 * 1024,
            start_ms: 10_000,
            setup_ms: 10_000,
            quit_ms: 1_000,
        }
    }
}

/// The bot introduces itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BotHello {
    /// The version of the protocol that the bot speaks: 1.
    pub protocol: u32,
    /// The bot's name.
    pub name: String,
    /// Its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Who wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The games it plays; empty means that it plays whatever it is given.
    #[serde(default)]
    pub games: Vec<String>,
    /// The options that a match may set, by name (1 to 40 letters, digits, `-`, `_` and `.`).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, OptionSpec>,
}

/// What values an option of a bot may have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum OptionSpec {
    /// An integer within bounds, both included.
    Int {
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
        /// The value where a match sets none.
        default: i64,
        /// What it does, in a line.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        about: String,
    },
    /// A number within bounds, both included.
    Float {
        /// The least value.
        min: f64,
        /// The greatest value.
        max: f64,
        /// The value where a match sets none.
        default: f64,
        /// What it does, in a line.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        about: String,
    },
    /// One of a list of words.
    Enum {
        /// The words.
        values: Vec<String>,
        /// The value where a match sets none.
        default: String,
        /// What it does, in a line.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        about: String,
    },
    /// `true` or `false`.
    Bool {
        /// The value where a match sets none.
        default: bool,
        /// What it does, in a line.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        about: String,
    },
    /// Any text.
    Text {
        /// The value where a match sets none.
        default: String,
        /// What it does, in a line.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        about: String,
    },
}

/// A game begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Start<S = Value> {
    /// Names the game in logs and in the replay.
    pub game_id: String,
    /// The game: `scotland-yard`, ...
    pub game: String,
    /// The full, resolved parameters of the rules (`docs/games/`).
    pub rules: Value,
    /// All seats, in seat order.
    pub seats: Vec<String>,
    /// The seats that this bot holds.
    pub you: Vec<String>,
    /// Who holds which seats.
    pub players: Vec<Player>,
    /// The clock, and what happens when a bot fails.
    pub time: TimeControl,
    /// The options that the match set for this bot.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, Value>,
    /// What never changes in this game, as far as the first of the bot's seats may know it; the
    /// game's own JSON (`docs/games/`).
    pub setup: S,
}

/// One bot and its seats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Player {
    /// The bot's name in this match.
    pub name: String,
    /// The seats it holds.
    pub seats: Vec<String>,
}

/// The clock of a game. At least one of the three times is set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TimeControl {
    /// What is measured.
    pub kind: ClockKind,
    /// The most that one decision may take, in milliseconds.
    pub move_ms: Option<u64>,
    /// The time for all decisions of a seat together, in milliseconds.
    pub bank_ms: Option<u64>,
    /// What is added to the bank after each decision, in milliseconds (Fischer).
    pub increment_ms: u64,
    /// Overstepping by this much, in milliseconds, is forgiven (but charged).
    pub grace_ms: u64,
    /// What happens when a bot fails.
    pub on_fault: OnFault,
}

/// What a clock measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClockKind {
    /// Time on the wall, from the last byte of `turn` written to the newline of the answer read.
    Wall,
    /// Processor time of the bot's process tree between the same two points.
    Cpu,
}

/// What happens when a bot fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnFault {
    /// It loses; in a game of more than two sides it takes the last place still open and its seat
    /// passes from then on.
    Forfeit,
    /// Practice: it is told what was wrong and asked again.
    Retry,
    /// A random legal action is played for it, and counted.
    Substitute,
}

/// The bot is to move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Turn<P = Value> {
    /// The number of this decision in the game, from 1, over all seats.
    pub turn: u32,
    /// The seat that decides: one of the bot's.
    pub seat: String,
    /// All that the seat may know; complete, so a bot needs no memory (`docs/games/`).
    pub view: P,
    /// Every legal action; absent where the match switched it off for speed.
    #[serde(default = "Option::<P>::default", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<Value>>")]
    pub legal: Option<P>,
    /// The seat's clock as this decision begins.
    pub clock: Clock,
}

/// A seat's clock as a decision begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Clock {
    /// What is measured.
    pub kind: ClockKind,
    /// The most that this decision may take by the cap for a move, in milliseconds.
    pub move_ms: Option<u64>,
    /// What the seat has left for all its decisions, in milliseconds, rounded down.
    pub bank_ms: Option<u64>,
    /// What is added to the bank after this decision, in milliseconds.
    pub increment_ms: u64,
}

/// A decision of the bot's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Move<P = Value> {
    /// The number that the `turn` had.
    pub turn: u32,
    /// One of the legal actions.
    pub action: P,
    /// What the bot thought: an object, by custom with the fields of [`Info`]; kept in the
    /// replay, judged by nobody.
    #[serde(default = "Option::<P>::default", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Info>")]
    pub info: Option<P>,
}

/// What a bot may say of a decision in `info`. Other fields are kept too.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Info {
    /// How good the bot thinks its position is, in its own unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// How deep it searched, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// How many positions (or playouts) it looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The principal variation: the actions it expects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pv: Option<Vec<Value>>,
    /// Anything else, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The game is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct End {
    /// How it ended.
    pub outcome: EndOutcome,
    /// Who failed, and how; empty in a clean game.
    pub faults: Vec<Fault>,
    /// What was hidden: the whole final state (`docs/games/`).
    pub reveal: Value,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EndOutcome {
    /// Whether the game counts.
    pub kind: OutcomeKind,
    /// Points of each seat, in seat order: 1 for a win, 0 for a loss, shares of 1 for a draw.
    /// Empty when the game is void.
    pub scores: Vec<f64>,
    /// Place of each seat, in seat order, from 1; equal places are equal numbers. Empty when the
    /// game is void.
    pub ranks: Vec<u8>,
    /// Why it ended: the game's own word (`caught`), or `forfeit_` and the fault.
    pub reason: String,
}

/// Whether a game counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeKind {
    /// Played to its end by the rules.
    Completed,
    /// Decided by the fault of a bot.
    BotFault,
    /// The host failed, not a bot: the game does not count.
    Void,
}

/// A bot's failure, with the evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fault {
    /// What went wrong.
    pub kind: FaultKind,
    /// The seat whose bot failed.
    pub seat: String,
    /// The decision at which it failed; 0 before the first.
    pub turn: u32,
    /// The evidence in a sentence: what was expected, what came.
    pub message: String,
    /// The offending line, shortened and escaped, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub got: Option<String>,
}

/// The kinds of failure.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// No answer before the deadline.
    Timeout,
    /// The program ended, by itself or by a signal.
    Crash,
    /// It closed its standard output or stopped reading its input for good.
    Closed,
    /// An action that the rules do not allow now.
    IllegalAction,
    /// A line that is no message, or not the one that was asked for.
    Protocol,
    /// More output than allowed.
    OutputLimit,
    /// More memory than allowed.
    Memory,
    /// The program could not be started, or never said `hello`.
    StartFailed,
}

impl FaultKind {
    /// The word used in messages and replays.
    pub const fn as_str(self) -> &'static str {
        match self {
            FaultKind::Timeout => "timeout",
            FaultKind::Crash => "crash",
            FaultKind::Closed => "closed",
            FaultKind::IllegalAction => "illegal_action",
            FaultKind::Protocol => "protocol",
            FaultKind::OutputLimit => "output_limit",
            FaultKind::Memory => "memory",
            FaultKind::StartFailed => "start_failed",
        }
    }
}

/// What was wrong with the bot's last message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorMessage {
    /// The decision concerned, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u32>,
    /// What went wrong.
    pub code: FaultKind,
    /// What was expected and what came, in a sentence.
    pub message: String,
    /// Whether the bot has lost its seat by this.
    pub fatal: bool,
    /// The evidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<ErrorDetail>,
}

/// The evidence that goes with an error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorDetail {
    /// The offending line, shortened and escaped.
    pub got: String,
    /// Some of the actions that would have been legal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub legal_sample: Vec<Value>,
}
