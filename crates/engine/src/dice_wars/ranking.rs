//! Outcomes: the places and points of all players.

use super::position::{End, Position, Stage};
use crate::outcome::Outcome;
use crate::seat::{MAX_SEATS, Seat};
use arrayvec::ArrayVec;

impl Position {
    /// Returns the outcome; `None` while the game is in progress.
    ///
    /// A player that was eliminated or forfeited has the last place that was open at that moment.
    /// The remaining players have the first places: a single one has won; several are ranked by
    /// their areas and then their dice, or share the first place, depending on the rules. One point
    /// is divided among all in first place.
    pub fn outcome(&self) -> Option<Outcome> {
        let Stage::Over(end) = self.stage() else { return None };
        let ranks: ArrayVec<u8, MAX_SEATS> =
            Seat::all(self.players()).map(|seat| self.rank(seat)).collect();
        let first = ranks.iter().filter(|&&rank| rank == 1).count() as f64;
        let points = |&rank: &u8| if rank == 1 { 1.0 / first } else { 0.0 };
        Some(Outcome {
            scores: ranks.iter().map(points).collect(),
            ranks,
            reason: end.reason().into(),
        })
    }

    /// Returns how the game has ended; `None` while it is in progress.
    pub const fn end(&self) -> Option<End> {
        match self.stage() {
            Stage::Over(end) => Some(end),
            _ => None,
        }
    }

    fn rank(&self, seat: Seat) -> u8 {
        if let Some(place) = self.place(seat) {
            return place;
        }
        if !self.mechanics().ranked {
            return 1;
        }
        let strength = |seat| (self.areas_of(seat).len(), self.dice_of(seat));
        let own = strength(seat);
        1 + self.contenders().filter(|&other| strength(other) > own).count() as u8
    }
}
