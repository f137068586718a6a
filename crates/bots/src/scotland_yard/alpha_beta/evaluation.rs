//! The evaluation: distances of the detectives, Mr. X's freedom to move, his tickets and, if
//! tracked, the number of his candidates. The weights are set by hand.

use super::open_game::Evaluation;
use crate::scotland_yard::{BoardTables, SimulationState};
use botyard_engine::scotland_yard::{Detective, End, Position, Stage};

/// The value of a capture; an escape has the opposite sign. It decreases with each round.
pub(in crate::scotland_yard) const DECIDED: i32 = 10_000;
/// See [`DECIDED`].
pub(super) const ROUND: i32 = 100;
/// The value of a detective by its distance to Mr. X.
const NEAR: [i32; 12] = [160, 160, 100, 64, 42, 28, 20, 14, 9, 6, 3, 1];
/// The value to Mr. X of a station that he can go to and no detective can reach next.
const EXIT: i32 = 12;
/// The values of Mr. X's tickets to him.
const BLACK: i32 = 25;
const DOUBLE: i32 = 60;
/// The value to Mr. X of twice as many candidates.
pub(super) const DOUBT: i32 = 30;

/// The evaluation, for searches from a given round on.
#[derive(Clone, Copy, Debug)]
pub struct Closeness {
    root: u16,
}

impl Closeness {
    /// Makes the evaluation of a search from `root` on.
    pub const fn new(root: &Position) -> Closeness {
        Closeness { root: root.round() }
    }

    /// Returns the value of the end of a game to the detectives, with its dependence on the round.
    pub(in crate::scotland_yard) fn decided(&self, end: End, position: &Position) -> i32 {
        let rounds = i32::from(position.round().saturating_sub(self.root)).min(60);
        let value = DECIDED - ROUND * rounds;
        if end.mr_x_wins() { -value } else { value }
    }
}

/// Returns the value to the detectives of their distances to Mr. X and of his freedom.
#[inline]
pub(in crate::scotland_yard) fn nearness(tables: &BoardTables, position: &Position) -> i32 {
    let distances = tables.detective_distances(position);
    let at = position.mr_x();
    let value: i32 =
        position.all_detectives().map(|detective| near(tables, position, detective)).sum();
    let exits = tables.neighbours(position.purse().tickets.kinds(), at);
    let free = exits.iter().filter(|&exit| distances.nearest(exit) > 1).count();
    value - EXIT * free.min(6) as i32
}

/// Returns the value of a detective by its distance to Mr. X; 0 off the board.
#[inline]
pub(in crate::scotland_yard) fn near(
    tables: &BoardTables,
    position: &Position,
    detective: Detective,
) -> i32 {
    let Some(from) = position.pawns().get(detective) else { return 0 };
    let kinds = position.tickets_of(detective).kinds();
    let moves = tables.row(kinds, position.mr_x())[from.index()];
    NEAR[usize::from(moves).min(NEAR.len() - 1)]
}

/// Returns the value of Mr. X's tickets to him.
#[inline]
pub(in crate::scotland_yard) fn tickets(position: &Position) -> i32 {
    let purse = position.purse();
    BLACK * i32::from(purse.black.min(10)) + DOUBLE * i32::from(purse.double.min(5))
}

/// Returns the value to Mr. X of a number of candidates.
#[inline]
pub(in crate::scotland_yard) fn doubt(candidates: u32) -> i32 {
    (DOUBT as f32 * (candidates.max(1) as f32).log2()) as i32
}

impl Evaluation for Closeness {
    #[inline]
    fn gain(&self, _atlas: &BoardTables, before: &SimulationState, after: &SimulationState) -> i32 {
        let Stage::Over(end) = after.position.stage() else { return 0 };
        let value = self.decided(end, &after.position);
        if before.tracked && end == End::Caught && before.position.stage() == Stage::Detectives {
            // Detectives who do not know his station may go elsewhere.
            return 2 * value / (1 + before.candidates.len().max(1) as i32);
        }
        value
    }

    #[inline]
    fn evaluate(&self, tables: &BoardTables, state: &SimulationState) -> i32 {
        if let Stage::Over(_) = state.position.stage() {
            return 0;
        }
        let known = nearness(tables, &state.position) - tickets(&state.position);
        if state.tracked { known - doubt(state.candidates.len()) } else { known }
    }

    #[inline]
    fn salt(&self) -> u64 {
        1 << 32 | u64::from(self.root)
    }
}
