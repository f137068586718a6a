//! The lines of a replay, typed: what a referee writes down of a game. What is hidden, drawn or
//! said by a bot stays the JSON text it was, byte for byte, because the chain of hashes and the
//! check against the rules both go by the bytes. `docs/replay.md` is the page for other languages.

use crate::host_evidence::HostEvidence;
use botyard_engine::rules::did_you_mean;
use botyard_engine::{MAX_SEATS, Seat, Seed};
use botyard_protocol::{EndOutcome, Fault, Limits, Program, TimeControl};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The version of the format that this crate writes and reads.
pub const FORMAT: u32 = 1;

/// The hash of the state is recorded after this many decisions, and at the end.
pub const STATE_EVERY: u32 = 16;

/// The first line: everything about the game that is known before it begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the format: [`FORMAT`].
    pub format: u32,
    /// Names the game, as in `start`.
    pub game_id: String,
    /// The game: `scotland-yard`, ...
    pub game: String,
    /// The full, resolved parameters of the rules.
    pub rules: Value,
    /// The program that refereed; the same name and version were said in its `hello`.
    pub engine: Program,
    /// The seed from which the opening and all chance was drawn, as text: a JSON number keeps only
    /// 53 bits. Absent where nothing was drawn from one (imported games), and in the copy for a
    /// seat, where it would give everything away.
    #[serde(default, with = "seed_text", skip_serializing_if = "Option::is_none")]
    pub seed: Option<Seed>,
    /// Where the opening came from.
    pub opening: OpeningSource,
    /// The version of the protocol that the bots spoke.
    pub protocol: u32,
    /// The clock, and what happened when a bot failed. An imported game has no times.
    pub time_control: TimeControl,
    /// What the bots had to stay within.
    pub limits: Limits,
    /// Whether `turn` messages carried the list of legal actions.
    pub legal: bool,
    /// How the bots were contained: `none`, or the tier `A`, `B`, `C` or `D`; of several the weakest.
    pub sandbox: String,
    /// Whether bots were stopped when it was not their turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub frozen: bool,
    /// Every seat, in seat order, and who held it.
    pub seats: Vec<SeatHolder>,
    /// The bots.
    pub players: Vec<ReplayPlayer>,
    /// The origin of a game that another program recorded, and no referee.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<Imported>,
    /// In a copy: the seat whose knowledge it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view_of: Option<String>,
}

impl Header {
    /// The seat of this name, or with this number as people count, from 1.
    ///
    /// # Errors
    ///
    /// A seat that this game does not have.
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

/// No seat of that name or number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no seat {name:?}{}; the seats of this game are {}, or their numbers from 1",
    did_you_mean(.name, .known), .known.join(", ")
)]
pub struct UnknownSeat {
    /// What was asked for.
    pub name: String,
    /// What there is.
    pub known: Vec<String>,
}

/// Where an opening came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OpeningSource {
    /// Drawn from the game's seed.
    Drawn,
    /// Chosen by whoever set up the game.
    Given,
}

/// A seat and who held it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatHolder {
    /// The seat's name.
    pub seat: String,
    /// The name of a player in [`Header::players`].
    pub player: String,
}

/// Where an imported game comes from: who says how it ended, where the rules do not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Imported {
    /// The name of the file.
    pub source: String,
    /// What the file calls the game, or its number there.
    pub game: String,
}

/// A bot in a replay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplayPlayer {
    /// Its name in the match.
    pub name: String,
    /// The seats it held, in seat order.
    pub seats: Vec<String>,
    /// What the bot said of itself; `null` where there was none to ask.
    pub bot: Option<BotIdentity>,
    /// The options that the match set for it, as in `start`.
    pub options: BTreeMap<String, Value>,
    /// SHA-256 of the command that started it, in hexadecimal; `null` where there was none.
    pub command_sha256: Option<String>,
    /// Whether it had no clock, whatever the time control says: it spoke for a person.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub untimed: bool,
}

/// What a bot said of itself in `hello`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotIdentity {
    /// Its name.
    pub name: String,
    /// Its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Who wrote it.
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
    /// For each seat from which something is hidden, by name: what it saw instead.
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
    /// For each seat from which something is hidden, by name: what it saw instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<Box<RawValue>>,
    /// What the bot said about it, as it said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub info: Option<Box<RawValue>>,
    /// Who decided, where it was not the seat's bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<PlayedBy>,
}

/// Who decided in place of a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlayedBy {
    /// The referee: the pass of a forfeited seat, or the substitute for a failed answer.
    Referee,
    /// The record of an earlier game, with which this one begins: no bot was asked.
    Record,
}

/// How long an answer took. Times are the one thing in a replay that the chain does not cover:
/// they differ from run to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveTime {
    /// Wall-clock time, in microseconds.
    pub wall_us: u64,
    /// CPU time, in microseconds, if it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
    /// What `turn.clock.bank_ms` said when the seat was asked; absent without a bank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bank_ms: Option<u64>,
    /// How much of the wall-clock time was the host's and did not count, in microseconds; absent
    /// where that is 0, and of faults in replays of version 0.1.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excused_us: Option<u64>,
}

/// What the whole state hashes to at this place of the replay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateEvent {
    /// The number of the last decision before it.
    pub turn: u32,
    /// 16 hexadecimal digits: `Table::state_hash`.
    pub hash: String,
}

/// A line of a bot's `log`, shortened where it was long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogEvent {
    /// The number of the last decision before it.
    pub turn: u32,
    /// The name of the player that said it.
    pub player: String,
    /// What it said.
    pub text: String,
}

/// A bot failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultEvent {
    /// What went wrong, as in `end.faults`. Its `turn` is 0 before the first `turn` line of the
    /// game was sent, and else the number of the decision in progress.
    #[serde(flatten)]
    pub fault: Fault,
    /// Whether the seat is forfeited by this: `Table::forfeit` comes here.
    pub fatal: bool,
}

/// The last line. A replay without one was cut off.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EndEvent {
    /// How it ended, as in `end`.
    pub outcome: EndOutcome,
    /// How many decisions there were.
    pub turns: u32,
}

/// The times of a whole game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndTime {
    /// By seat: wall-clock time of all its decisions together, in microseconds.
    pub total_us: BTreeMap<String, u64>,
    /// What was known of the host where it had not let a bot run for long enough: the game is void, or
    /// a second time decided against that bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<VoidEvidence>,
}

/// The decision at which the host did not let a bot run, and what is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoidEvidence {
    /// The number of the decision; 0 before the first.
    pub turn: u32,
    /// The seat that was to decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<String>,
    /// What is known of the host.
    #[serde(flatten)]
    pub evidence: HostEvidence,
}

/// One line of a replay, without its chain.
#[derive(Clone, Debug)]
pub enum Event {
    /// The first line.
    Header(Box<Header>),
    /// The opening, or what was drawn.
    Chance(ChanceEvent),
    /// A decision, and how long it took where that was measured.
    Move(MoveEvent, Option<MoveTime>),
    /// What the state hashes to.
    State(StateEvent),
    /// A bot's log.
    Log(LogEvent),
    /// A bot failed; with the time it had taken where it had been asked.
    Fault(FaultEvent, Option<MoveTime>),
    /// The last line.
    End(EndEvent, Option<EndTime>),
}

/// A seed as text.
mod seed_text {
    use botyard_engine::Seed;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(seed: &Option<Seed>, out: S) -> Result<S::Ok, S::Error> {
        seed.map(|seed| seed.to_string()).serialize(out)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Seed>, D::Error> {
        String::deserialize(from)?.parse().map(Some).map_err(D::Error::custom)
    }
}
