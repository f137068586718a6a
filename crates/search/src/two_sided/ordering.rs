//! Move ordering: the killer heuristic (Akl and Newborn 1977) and the history heuristic (Schaeffer
//! 1983). They cost next to nothing and never change a value.

use super::game::TwoSidedGame;
use crate::value::MOST_PLIES;

const FROM_TABLE: i32 = 1 << 30;
const NOISY: i32 = 1 << 24;
const KILLER: i32 = 1 << 22;
/// The maximum of a history count.
const MOST_HISTORY: i32 = 1 << 20;

/// The move ordering statistics of a search.
pub(super) struct Ordering<M> {
    /// The last two quiet moves that caused a cutoff, by ply.
    killers: Vec<[Option<M>; 2]>,
    /// History counts of quiet moves that were best, weighted by depth; by slot.
    history: Vec<i32>,
}

impl<M: Copy + Eq> Ordering<M> {
    pub(super) fn new() -> Ordering<M> {
        Ordering { killers: vec![[None; 2]; MOST_PLIES as usize + 1], history: Vec::new() }
    }

    /// Starts a search of a game with this many history slots: clears the killers and ages the
    /// history.
    pub(super) fn next_search(&mut self, slots: usize) {
        self.history.resize(slots, 0);
        self.killers.fill([None; 2]);
        self.history.iter_mut().for_each(|count| *count /= 8);
    }

    /// Returns the ordering score of a move.
    #[inline]
    pub(super) fn score<G: TwoSidedGame<Move = M>>(
        &self,
        game: &G,
        position: &G::Position,
        ply: u32,
        mv: M,
        from_table: Option<u32>,
    ) -> i32 {
        if from_table == Some(game.move_id(mv)) {
            return FROM_TABLE;
        }
        let noise = game.noise(mv);
        if noise > 0 {
            return NOISY + noise as i32;
        }
        let [first, second] = self.killers[ply as usize];
        if first == Some(mv) {
            KILLER + 1
        } else if second == Some(mv) {
            KILLER
        } else {
            self.history[game.history_slot(position, mv)]
        }
    }

    /// Records a quiet move that caused a cutoff.
    #[inline]
    pub(super) fn reward<G: TwoSidedGame<Move = M>>(
        &mut self,
        game: &G,
        position: &G::Position,
        ply: u32,
        depth: i32,
        mv: M,
    ) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let slot = game.history_slot(position, mv);
        self.history[slot] += depth * depth;
        if self.history[slot] > MOST_HISTORY {
            self.history.iter_mut().for_each(|count| *count /= 2);
        }
    }
}
