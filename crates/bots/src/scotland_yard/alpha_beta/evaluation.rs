//! What a game is worth by how near the detectives are, how free Mr. X is to move, what tickets he
//! has left and, where that is followed, how little the detectives know. The weights are set by
//! hand.

use super::open_game::Evaluation;
use crate::scotland_yard::{BoardTables, SimulationState};
use botyard_engine::scotland_yard::{Detective, End, Position, Stage};

/// A capture, or an escape with the other sign; each round that it takes makes it less.
pub(in crate::scotland_yard) const DECIDED: i32 = 10_000;
/// See [`DECIDED`].
pub(super) const ROUND: i32 = 100;
/// What a detective is worth by its distance to Mr. X.
const NEAR: [i32; 12] = [160, 160, 100, 64, 42, 28, 20, 14, 9, 6, 3, 1];
/// What a station is worth to Mr. X to which he can go and where no detective can follow at once.
const EXIT: i32 = 12;
/// What Mr. X's tickets are worth to him.
const BLACK: i32 = 25;
const DOUBLE: i32 = 60;
/// What it is worth to Mr. X that twice as many stations are possible.
pub(super) const DOUBT: i32 = 30;

/// The evaluation, for searches from a given round on.
#[derive(Clone, Copy, Debug)]
pub struct Closeness {
    root: u16,
}

impl Closeness {
    /// The evaluation of a search from `root` on.
    pub const fn new(root: &Position) -> Closeness {
        Closeness { root: root.round() }
    }

    /// What the end of a game is worth to the detectives, as far as the rounds count.
    pub(in crate::scotland_yard) fn decided(&self, end: End, position: &Position) -> i32 {
        let rounds = i32::from(position.round().saturating_sub(self.root)).min(60);
        let value = DECIDED - ROUND * rounds;
        if end.mr_x_wins() { -value } else { value }
    }
}

/// How near the detectives are to Mr. X and how free he is, to the detectives.
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

/// What a detective is worth by its distance to Mr. X; nothing off the board.
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

/// What Mr. X's tickets are worth, to him.
#[inline]
pub(in crate::scotland_yard) fn tickets(position: &Position) -> i32 {
    let purse = position.purse();
    BLACK * i32::from(purse.black.min(10)) + DOUBLE * i32::from(purse.double.min(5))
}

/// What it is worth to Mr. X that so many stations are possible.
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
            // Detectives who do not know which of the stations it is may well go elsewhere.
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
