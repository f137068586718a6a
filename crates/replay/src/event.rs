//! The lines of a replay as types. Values that are hidden, drawn or sent by a bot stay JSON text,
//! byte for byte, because the chain of hashes and the check against the rules both compare bytes.
//! `docs/replay.md` describes the format for other languages.

use crate::host_evidence::HostEvidence;
use botyard_engine::rules::did_you_mean;
use botyard_engine::{MAX_SEATS, Seat, Seed};
use botyard_protocol::{
    Adjudicated, Adjudication, BotTime, EndOutcome, Fault, Limits, Program, TimeControl,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The version of the format that this crate writes and reads.
pub const FORMAT: u32 = 1;

/// The hash of the state is recorded every this many decisions, and at the end.
pub const STATE_EVERY: u32 = 16;

/// The first line: what is known about the game before it begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the format: [`FORMAT`].
    pub format: u32,
    /// The ID of the game, as in `start`.
    pub game_id: String,
    /// The name of the game: `scotland-yard`, ...
    pub game: String,
    /// The full, resolved parameters of the rules.
    pub rules: Value,
    /// The referee's program, with the name and version of its `hello`.
    pub engine: Program,
    /// The seed of the opening and all chance outcomes, as text because a JSON number is exact only
    /// to 53 bits. Absent if nothing was drawn from a seed (imported games), and in the copy for a
    /// seat, where it would reveal everything.
    #[serde(default, with = "seed_text", skip_serializing_if = "Option::is_none")]
    pub seed: Option<Seed>,
    /// The source of the opening.
    pub opening: OpeningSource,
    /// The version of the protocol that the bots spoke.
    pub protocol: u32,
    /// The clock of all bots without [times of their own](ReplayPlayer::time), and the rule for
    /// faults. An imported game has no times.
    pub time_control: TimeControl,
    /// The limits for the bots.
    pub limits: Limits,
    /// Whether `turn` messages carried the list of legal actions.
    pub legal: bool,
    /// How the bots were contained: `none`, or the tier `A`, `B`, `C` or `D`; the weakest if there
    /// are several.
    pub sandbox: String,
    /// Whether any bot was frozen.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub frozen: bool,
    /// The back end that ran the bots, if it was not the native one: `portable`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backend: Option<String>,
    /// Every seat, in seat order, with its holder.
    pub seats: Vec<SeatHolder>,
    /// The bots.
    pub players: Vec<ReplayPlayer>,
    /// The rules by which the referee ended the game if its result was clear. Absent if there were
    /// none.
    #[serde(default, skip_serializing_if = "Adjudication::is_off")]
    pub adjudication: Adjudication,
    /// The origin of an imported game, which another program recorded and no referee.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<Imported>,
    /// In a copy: the seat that it was made for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view_of: Option<String>,
}

impl Header {
    /// Returns the seat with this name, or with this number from 1.
    ///
    /// # Errors
    ///
    /// The game has no such seat.
    pub fn find_seat(&self, seat: &str) -> Result<Seat, UnknownSeat> {
        let named = self.seats.iter().position(|holder| holder.seat == seat);
        let numbered = || {
            let number: usize = seat.parse().ok()?;
            number.checked_sub(1).filter(|&index| index < self.seats.len())
        };
        named.or_else(numbered).filter(|&index| index < MAX_SEATS).map(Seat::new).ok_or_else(|| {
            UnknownSeat {
                name: seat.to_string(),
                known: self.seats.iter().map(|holder| holder.seat.clone()).collect(),
            }
        })
    }
}

/// The error of a seat that the game does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no seat {name:?}{}; the seats of this game are {}, or their numbers from 1",
    did_you_mean(.name, .known), .known.join(", ")
)]
pub struct UnknownSeat {
    /// The name or number that was asked for.
    pub name: String,
    /// The seats of the game.
    pub known: Vec<String>,
}

/// The source of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OpeningSource {
    /// Drawn from the game's seed.
    Drawn,
    /// Given in the configuration of the game.
    Given,
}

/// A seat and its holder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatHolder {
    /// The seat's name.
    pub seat: String,
    /// The name of a player in [`Header::players`].
    pub player: String,
}

/// The origin of an imported game: the source of its result where the rules do not decide it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Imported {
    /// The name of the file.
    pub source: String,
    /// The ID of the game in the file, or its number there.
    pub game: String,
    /// What else the file says about the game, in its order and its own words: names and values,
    /// such as the tags of PDN.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<(String, String)>,
}

/// A bot in a replay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplayPlayer {
    /// Its name in the match.
    pub name: String,
    /// The seats that it held, in seat order.
    pub seats: Vec<String>,
    /// The bot's description of itself; `null` if there was no bot.
    pub bot: Option<BotIdentity>,
    /// The options that the match set for it, as in `start`.
    pub options: BTreeMap<String, Value>,
    /// SHA-256 of the command that started it, in hexadecimal; `null` if there was none.
    pub command_sha256: Option<String>,
    /// Its times, if it did not have those of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<BotTime>,
    /// Whether it had no clock, whatever the time control says: it acted for a person, or was run
    /// under a debugger.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub untimed: bool,
}

/// A bot's description of itself in its `hello`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotIdentity {
    /// Its name.
    pub name: String,
    /// Its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Its author.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
}

/// The opening (the first of these in a replay, with `turn` 0), or the outcome of a chance turn.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChanceEvent {
    /// The number of the last decision before it.
    pub turn: u32,
    /// What was drawn, in the game's own canonical JSON.
    pub outcome: Box<RawValue>,
    /// What the seats saw instead, by name, if something was hidden from them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<Box<RawValue>>,
}

/// A decision.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MoveEvent {
    /// The number of the decision in the game, from 1, over all seats.
    pub turn: u32,
    /// The seat that decided.
    pub seat: String,
    /// The action, in the game's own canonical JSON.
    pub action: Box<RawValue>,
    /// What the seats saw instead, by name, if something was hidden from them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<Box<RawValue>>,
    /// The bot's `info` about the action, unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub info: Option<Box<RawValue>>,
    /// Who chose the action, if it was not the seat's bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<PlayedBy>,
}

/// Who chose an action in place of a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlayedBy {
    /// The referee: the pass of a forfeited seat, or the substitute for a failed answer.
    Referee,
    /// The record of an earlier game, which this game continues: no bot was asked.
    Record,
}

/// The time that an answer took. Times are the only part of a replay that the chain does not cover:
/// they differ from run to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveTime {
    /// Wall-clock time, in microseconds.
    pub wall_us: u64,
    /// CPU time, in microseconds, if it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
    /// The value of `turn.clock.bank_ms` when the seat was asked; absent without a bank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bank_ms: Option<u64>,
    /// Excused time, in microseconds: the part of the wall-clock time that was not charged to the
    /// bot. Absent if it is 0, and for faults in replays of version 0.1.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excused_us: Option<u64>,
}

/// The hash of the whole state at this point of the replay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateEvent {
    /// The number of the last decision before it.
    pub turn: u32,
    /// 16 hexadecimal digits: `Table::state_hash`.
    pub hash: String,
}

/// A `log` line of a bot, shortened if it was long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogEvent {
    /// The number of the last decision before it.
    pub turn: u32,
    /// The name of the player that wrote it.
    pub player: String,
    /// The text.
    pub text: String,
}

/// A fault of a bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultEvent {
    /// The fault, as in `end.faults`. Its `turn` is 0 before the game's first `turn` line was sent,
    /// and the number of the decision in progress after that.
    #[serde(flatten)]
    pub fault: Fault,
    /// Whether the seat forfeits by it: `Table::forfeit` is called at this point.
    pub fatal: bool,
}

/// The last line. A replay without it is truncated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EndEvent {
    /// The outcome, as in `end`.
    pub outcome: EndOutcome,
    /// The number of decisions.
    pub turns: u32,
    /// The rule of [`Header::adjudication`] that ended the game, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudicated: Option<Adjudicated>,
}

/// The times of a whole game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndTime {
    /// By seat: wall-clock time of all its decisions, in microseconds.
    pub total_us: BTreeMap<String, u64>,
    /// The measurements of a host that did not let a bot run for long enough: the game is void, or,
    /// at its second attempt, decided against that bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<Box<VoidEvidence>>,
    /// Wall-clock time for which the referee waited for the program that has the rules, in microseconds.
    /// No bot's clock runs meanwhile. `None` for rules that are compiled in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules_us: Option<u64>,
}

/// The decision at which the host did not let a bot run, with the measurements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoidEvidence {
    /// The number of the decision; 0 before the first.
    pub turn: u32,
    /// The seat whose decision it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<String>,
    /// The measurements of the host.
    #[serde(flatten)]
    pub evidence: HostEvidence,
}

/// The contents of one line of a replay, without its chain.
#[derive(Clone, Debug)]
pub enum Event {
    /// The first line.
    Header(Box<Header>),
    /// The opening, or a chance outcome.
    Chance(ChanceEvent),
    /// A decision, and the time that it took, if that was measured.
    Move(MoveEvent, Option<MoveTime>),
    /// The hash of the state.
    State(StateEvent),
    /// A bot's log line.
    Log(LogEvent),
    /// A fault, and the time since the question, if the bot had been asked.
    Fault(FaultEvent, Option<MoveTime>),
    /// The last line.
    End(EndEvent, Option<EndTime>),
}

/// The serialization of a seed as text.
mod seed_text {
    use botyard_engine::Seed;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(seed: &Option<Seed>, out: S) -> Result<S::Ok, S::Error> {
        seed.map(|seed| seed.to_string()).serialize(out)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Seed>, D::Error> {
        String::deserialize(from)?.parse().map(Some).map_err(D::Error::custom)
    }
}
