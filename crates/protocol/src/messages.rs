//! The messages of version 1 as types. `docs/protocol.md` is the page for bot authors; this is the
//! same contract in Rust, and the JSON Schemas are generated from it.
//!
//! The game's own JSON (views, actions, rules) is a type parameter: [`serde_json::Value`] for
//! convenience, `&RawValue` for speed.

use crate::marks::{self, Mark};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The version of the protocol that this crate speaks.
pub const PROTOCOL: u32 = 1;

/// A message of the referee, one JSON object per line on the bot's standard input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum RefereeMessage {
    /// The first line. The start-up allowance runs until the bot's `hello`.
    Hello(RefereeHello),
    /// A game starts. The set-up allowance runs until the bot's `ready`.
    Start(Box<Start>),
    /// The bot is to move: its clock runs until the bot's `move`.
    Turn(Turn),
    /// The game is over. No answer.
    End(End),
    /// The error in the bot's last message. No answer, unless a `turn` follows.
    Error(ErrorMessage),
    /// Exit now. The end of standard input means the same.
    Quit,
}

/// A message of the bot, one JSON object per line on its standard output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum BotMessage {
    /// The bot's name and the games it plays: the answer to `hello`.
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
}

/// The referee introduces itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct RefereeHello {
    /// The version of the protocol: 1.
    pub protocol: u32,
    /// The program that referees.
    pub referee: Program,
    /// The limits of a bot.
    pub limits: Limits,
}

/// A program's name and version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Program {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// The limits of a bot. Exceeding one is a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Limits {
    /// The maximum length of a line of the bot, in bytes, without its newline.
    pub line_bytes: u32,
    /// The maximum nesting depth of arrays and objects in a line of the bot, including the message
    /// itself; at most 127.
    pub nesting: u32,
    /// The maximum number of bytes on standard output in one game.
    pub stdout_bytes: u64,
    /// The maximum number of bytes on standard error in one game; the first and last 32 KiB are
    /// kept.
    pub stderr_bytes: u64,
    /// Milliseconds from the start of the program to its `hello`.
    pub start_ms: u64,
    /// Milliseconds from `start` to `ready`.
    pub setup_ms: u64,
    /// Milliseconds from `quit` until the program is killed.
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct BotHello {
    /// The version of the protocol that the bot speaks: 1.
    pub protocol: u32,
    /// The bot's name.
    pub name: String,
    /// Its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Its author.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The games it plays; empty if it plays every game.
    #[serde(default)]
    pub games: Vec<String>,
    /// The options that a match may set, by name (1 to 40 letters, digits, `-`, `_` and `.`).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, OptionSpec>,
}

/// The specification of an option: its kind, values and default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum OptionSpec {
    /// An integer within bounds, inclusive.
    Int {
        /// The minimum.
        min: i64,
        /// The maximum.
        max: i64,
        /// The default.
        default: i64,
        /// Its description, one line.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        about: String,
    },
    /// A number within bounds, inclusive.
    Float {
        /// The minimum.
        min: f64,
        /// The maximum.
        max: f64,
        /// The default.
        default: f64,
        /// Its description, one line.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        about: String,
    },
    /// One of a list of words.
    Enum {
        /// The words.
        values: Vec<String>,
        /// The default.
        default: String,
        /// Its description, one line.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        about: String,
    },
    /// `true` or `false`.
    Bool {
        /// The default.
        default: bool,
        /// Its description, one line.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        about: String,
    },
    /// Any text.
    Text {
        /// The default.
        default: String,
        /// Its description, one line.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        about: String,
    },
}

/// A game starts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
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
    /// The bots and their seats.
    pub players: Vec<Player>,
    /// The clock of this bot, and the handling of faults.
    pub time: TimeControl,
    /// The options that the match sets for this bot.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, Value>,
    /// The part of the game that never changes, as far as the bot's first seat may see it; the
    /// game's own JSON (`docs/games/`).
    pub setup: S,
    /// The same for each of the bot's other seats that may know something else, by seat.
    #[serde(default = "BTreeMap::<String, S>::new", skip_serializing_if = "BTreeMap::is_empty")]
    pub setups: BTreeMap<String, S>,
}

/// One bot and its seats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Player {
    /// The bot's name in this match.
    pub name: String,
    /// The seats it holds.
    pub seats: Vec<String>,
}

/// The clock of a game. At least one of the three times is set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct TimeControl {
    /// The kind of time that is measured.
    pub kind: ClockKind,
    /// The maximum time for one decision, in milliseconds.
    pub move_ms: Option<u64>,
    /// The time for all decisions of a seat, in milliseconds.
    pub bank_ms: Option<u64>,
    /// The time added to the bank after each decision, in milliseconds (Fischer).
    pub increment_ms: u64,
    /// The time over the limit that is forgiven (but charged), in milliseconds.
    pub grace_ms: u64,
    /// The handling of faults.
    pub on_fault: OnFault,
}

/// The times of a bot whose clock is not that of the other bots: they replace those of the game's
/// [`TimeControl`]. At least one of the three is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotTime {
    /// The maximum time for one decision, in milliseconds.
    pub move_ms: Option<u64>,
    /// The time for all decisions of a seat, in milliseconds.
    pub bank_ms: Option<u64>,
    /// The time added to the bank after each decision, in milliseconds.
    pub increment_ms: u64,
}

impl TimeControl {
    /// Returns the clock of a bot in a game with this clock: with its own times, if it has any.
    #[must_use]
    pub fn of_bot(&self, own: Option<BotTime>) -> TimeControl {
        let mut control = self.clone();
        if let Some(BotTime { move_ms, bank_ms, increment_ms }) = own {
            (control.move_ms, control.bank_ms, control.increment_ms) =
                (move_ms, bank_ms, increment_ms);
        }
        control
    }
}

/// What a clock measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClockKind {
    /// Wall-clock time from the last byte of `turn` written to the newline of the answer read.
    Wall,
    /// CPU time of the bot's process tree between the same two points.
    Cpu,
}

/// The handling of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OnFault {
    /// The bot forfeits its seat. In a game of more than two sides it takes the last open place,
    /// and its seat passes in the rest of the game.
    Forfeit,
    /// For practice: the bot gets an `error` message and the same `turn` again.
    Retry,
    /// The referee plays a random legal action for the bot and counts a strike.
    Substitute,
}

/// The bot is to move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Turn<P = Value> {
    /// The number of this decision in the game, from 1, over all seats.
    pub turn: u32,
    /// The seat to move: one of the bot's.
    pub seat: String,
    /// The view of the seat. It is complete, so a bot needs no memory (`docs/games/`).
    pub view: P,
    /// Every legal action; absent if the match switched the list off for speed.
    #[serde(default = "Option::<P>::default", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<Value>>"))]
    pub legal: Option<P>,
    /// The seat's clock at the start of this decision.
    pub clock: Clock,
}

/// A seat's clock at the start of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Clock {
    /// The kind of time that is measured.
    pub kind: ClockKind,
    /// The maximum time for this decision by the cap per move, in milliseconds.
    pub move_ms: Option<u64>,
    /// The time that the seat has left for all its decisions, in milliseconds, rounded down.
    pub bank_ms: Option<u64>,
    /// The time added to the bank after this decision, in milliseconds.
    pub increment_ms: u64,
}

/// A decision of the bot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Move<P = Value> {
    /// The number of the `turn`.
    pub turn: u32,
    /// One of the legal actions.
    pub action: P,
    /// Information about the decision: an object, by convention with the fields of [`Info`]. It is
    /// recorded in the replay and has no effect on the game.
    #[serde(default = "Option::<P>::default", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Info>"))]
    pub info: Option<P>,
}

/// The conventional fields of `info`. Other fields are recorded too.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Info {
    /// The bot's evaluation of its position, in its own unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// The search depth, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The number of nodes (or playouts).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The principal variation: the actions it expects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pv: Option<Vec<Value>>,
    /// Free text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Marks on the board, which a viewer shows: at most 200. Those that are wrong are left out.
    #[serde(default, deserialize_with = "marks::lenient", skip_serializing_if = "Option::is_none")]
    pub draw: Option<Vec<Mark>>,
}

/// The game is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct End {
    /// How it ended.
    pub outcome: EndOutcome,
    /// The faults of the game; empty in a clean game.
    pub faults: Vec<Fault>,
    /// The hidden information: the whole final state (`docs/games/`).
    pub reveal: Value,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct EndOutcome {
    /// Whether the game counts.
    pub kind: OutcomeKind,
    /// The points of each seat, in seat order: 1 for a win, 0 for a loss, shares of 1 for a draw.
    /// Empty if the game is void.
    pub scores: Vec<f64>,
    /// The place of each seat, in seat order, from 1; ties have equal numbers. Empty if the game is
    /// void.
    pub ranks: Vec<u8>,
    /// The reason for the end: a word that the game defines (`caught`), or `forfeit_` and the
    /// fault.
    pub reason: String,
}

/// Whether a game counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OutcomeKind {
    /// Played to its end by the rules.
    Completed,
    /// Decided by the fault of a bot.
    BotFault,
    /// The host failed, not a bot: the game does not count.
    Void,
}

/// A fault of a bot, with the evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// The seat whose bot is at fault.
    pub seat: String,
    /// The decision at which it happened; 0 before the first.
    pub turn: u32,
    /// The evidence in a sentence: what was expected, what came.
    pub message: String,
    /// The offending line, shortened and escaped, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub got: Option<String>,
}

/// The kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// No answer before the deadline.
    Timeout,
    /// The program exited, or was killed by a signal.
    Crash,
    /// The bot closed its standard output, or stopped reading its input permanently.
    Closed,
    /// An action that the rules do not allow now.
    IllegalAction,
    /// A line that is not a message, or not the message that was due.
    Protocol,
    /// More output than allowed.
    OutputLimit,
    /// More memory than allowed.
    Memory,
    /// The program could not be started, or never sent `hello`.
    StartFailed,
}

impl FaultKind {
    /// Returns the word used in messages and replays.
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

/// An error in the bot's last message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ErrorMessage {
    /// The decision concerned, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u32>,
    /// The kind of fault.
    pub code: FaultKind,
    /// What was expected and what came, in a sentence.
    pub message: String,
    /// Whether the bot forfeits its seat.
    pub fatal: bool,
    /// The evidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<ErrorDetail>,
}

/// The evidence of an error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ErrorDetail {
    /// The offending line, shortened and escaped.
    pub got: String,
    /// Some of the actions that would have been legal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub legal_sample: Vec<Value>,
}
