//! How a game has ended for each player: places and points.

use super::position::{End, Position, Stage};
use crate::outcome::Outcome;
use crate::seat::{MAX_SEATS, Seat};
use arrayvec::ArrayVec;

impl Position {
    /// The outcome; `None` while the game goes on.
    ///
    /// Who was put off the map or forfeited has the place that was open then, the last one first.
    /// Those who are left have the first places: where there is one, it has won; where there are
    /// several, they are ranked by their areas and then their dice, or share the first place, as the
    /// rules say. A point is divided among all who are first.
    pub fn outcome(&self) -> Option<Outcome> {
        let Stage::Over(end) = self.stage() else { return None };
        let ranks: ArrayVec<u8, MAX_SEATS> =
            Seat::all(self.players()).map(|seat| self.rank(seat)).collect();
        let first = ranks.iter().filter(|&&rank| rank == 1).count() as f64;
        let points = |&rank: &u8| if rank == 1 { 1.0 / first } else { 0.0 };
        Some(Outcome { scores: ranks.iter().map(points).collect(), ranks, reason: end.reason() })
    }

    /// How the game has ended; `None` while it goes on.
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
