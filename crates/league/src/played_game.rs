//! One game of a tournament with its result, and the bots that take part: what the statistics are
//! computed from, and all that they know.

use crate::scale::Scale;
use botyard_protocol::FaultKind;
use serde::{Deserialize, Serialize};

/// One scheduled game with its result, as statistics read it.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedGame {
    /// The block it belongs to, from 1. The games of a block share seed and start; statistics
    /// resample blocks, never games.
    pub block: u32,
    /// For each seat, in seat order, the bot that held it: an index into the tournament's bots.
    pub seats: Vec<usize>,
    /// What came of it.
    pub verdict: Verdict,
    /// Where it is void: the seat at whose turn it became so.
    pub void_at: Option<usize>,
    /// Decisions in all.
    pub turns: u32,
    /// What each seat took, in seat order; empty where that is not known.
    pub uses: Vec<SeatUse>,
    /// The failures of bots: the seat, counted from 0, and what went wrong there.
    pub faults: Vec<(usize, FaultKind)>,
    /// The file name of the replay, relative to the tournament's directory.
    pub replay: Option<String>,
}

/// What came of a game.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It counts, whether the rules decided it or the fault of a bot.
    Scored {
        /// Each seat's points as the game counts them: see [`crate::scale`].
        points: Vec<f64>,
        /// Each seat's place, 1 is the first; seats that share a place have the same one.
        places: Vec<u32>,
    },
    /// The host failed, not a bot: it is counted, never scored.
    Void,
}

/// What a seat took in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatUse {
    /// How many decisions its bot made.
    pub decisions: u32,
    /// Time on the wall for all of them, in microseconds.
    pub wall_us: u64,
    /// Time on the wall for the longest, in microseconds.
    pub longest_us: u64,
    /// Processor time of the bot, in microseconds, where it was measured.
    pub cpu_us: Option<u64>,
}

/// A bot of a tournament.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// What it is called in this tournament. It comes from outside: any text at all.
    pub name: String,
    /// Who handed it in; empty where that is not known.
    pub team: String,
    /// The version it told, or none.
    pub version: String,
    /// SHA-256 of its program file as hexadecimal digits; empty where that is not known.
    pub digest: String,
    /// Whether it passed the checks before the tournament; `None` where there were none.
    pub gate_passed: Option<bool>,
}

/// What statistics must know of a game: its seats, and the scale of its points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameKind {
    /// What the seats are.
    pub seats: SeatKind,
    /// The scale of the points.
    pub scale: Scale,
}

impl From<SeatKind> for GameKind {
    /// A game in which one point is won or divided.
    fn from(seats: SeatKind) -> GameKind {
        GameKind { seats, scale: Scale::POINT }
    }
}

/// What the seats of a game are to statistics: which model of strength applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatKind {
    /// Two seats that ask the same of a bot (draughts: the colours).
    Symmetric,
    /// Two seats that ask different things (Scotland Yard: Mr. X escapes, the detectives chase).
    Roles,
    /// Any number of seats, and an order in which they finish (Dice Wars).
    Ranked,
}
