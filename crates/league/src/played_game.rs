//! The input of the statistics: games of a tournament with their results, and the bots that take
//! part.

use crate::scale::Scale;
use botyard_protocol::FaultKind;
use serde::{Deserialize, Serialize};

/// One scheduled game with its result, as statistics read it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// The block it belongs to, from 1. The games of a block share seed and start; statistics
    /// resample blocks, never games.
    pub block: u32,
    /// For each seat, in seat order, the bot that held it: an index into the tournament's bots.
    pub seats: Vec<usize>,
    /// Its verdict.
    pub verdict: Verdict,
    /// Of a void game: the seat whose turn it was when it became void.
    pub void_at: Option<usize>,
    /// Decisions in all.
    pub turns: u32,
    /// The time used by each seat, in seat order; empty if unknown.
    pub uses: Vec<SeatUse>,
    /// The bots' faults: the seat, counted from 0, and the fault.
    pub faults: Vec<(usize, FaultKind)>,
    /// The file name of the replay, relative to the tournament's directory.
    pub replay: Option<String>,
}

/// The verdict on a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The game counts, whether the rules or a bot's fault decided it.
    Scored {
        /// Each seat's points as the game counts them: see [`crate::scale`].
        points: Vec<f64>,
        /// Each seat's place, from 1; seats that share a place have equal numbers.
        places: Vec<u32>,
    },
    /// The host failed, not a bot: it is counted, never scored.
    Void,
}

/// The time that a seat used in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatUse {
    /// The number of decisions.
    pub decisions: u32,
    /// The wall-clock time of all decisions, in microseconds.
    pub wall_us: u64,
    /// The wall-clock time of the longest decision, in microseconds.
    pub longest_us: u64,
    /// The CPU time of the bot, in microseconds, if it was measured.
    pub cpu_us: Option<u64>,
    /// The excused time of all decisions, in microseconds. Earlier versions do not record it.
    #[serde(default)]
    pub excused_us: u64,
    /// The most excused time of a decision, in microseconds.
    #[serde(default)]
    pub longest_excused_us: u64,
}

impl SeatUse {
    /// Adds the excused time of another decision.
    pub fn excuse(&mut self, excused_us: u64) {
        self.excused_us = self.excused_us.saturating_add(excused_us);
        self.longest_excused_us = self.longest_excused_us.max(excused_us);
    }

    /// Returns whether these times are those of a replay. Earlier versions record no excused time.
    pub fn agree(stored: &[SeatUse], replay: &[SeatUse]) -> bool {
        let without = |used: &SeatUse| SeatUse { excused_us: 0, longest_excused_us: 0, ..*used };
        stored.len() == replay.len()
            && stored.iter().zip(replay).all(|(one, other)| one == other || *one == without(other))
    }
}

/// A bot of a tournament.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// Its name in this tournament. Untrusted: it may be any text.
    pub name: String,
    /// The team that submitted it; empty if unknown.
    pub team: String,
    /// The version in its `hello`, if any.
    pub version: String,
    /// SHA-256 of its program file as hexadecimal digits; empty if unknown.
    pub digest: String,
    /// Whether it passed the checks before the tournament; `None` if there were none.
    pub gate_passed: Option<bool>,
}

/// The properties of a game that statistics need: its seats, and the scale of its points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameKind {
    /// The kind of its seats.
    pub seats: SeatKind,
    /// The scale of the points.
    pub scale: Scale,
}

impl From<SeatKind> for GameKind {
    /// Returns a game in which one point is won or divided.
    fn from(seats: SeatKind) -> GameKind {
        GameKind { seats, scale: Scale::POINT }
    }
}

/// The kind of a game's seats, which determines the model of strength.
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
