//! Which moves are tried first: the killer heuristic (Akl and Newborn 1977) and the history
//! heuristic (Schaeffer 1983). They cost next to nothing and never change a value.

use super::game::SearchGame;
use super::value::MOST_PLIES;

const FROM_TABLE: i32 = 1 << 30;
const NOISY: i32 = 1 << 24;
const KILLER: i32 = 1 << 22;
/// What history counts go up to.
const MOST_HISTORY: i32 = 1 << 20;

/// A move and how early it should be tried.
#[derive(Clone, Copy)]
pub(super) struct Scored<M> {
    pub(super) mv: M,
    pub(super) score: i32,
}

/// What the search has seen of good moves.
pub(super) struct Ordering<M> {
    /// The last two quiet moves that refuted a line, by ply.
    killers: Vec<[Option<M>; 2]>,
    /// How often, and how deep, a quiet move was best; by slot.
    history: Vec<i32>,
}

impl<M: Copy + Eq> Ordering<M> {
    pub(super) fn new(slots: usize) -> Ordering<M> {
        Ordering { killers: vec![[None; 2]; MOST_PLIES as usize + 1], history: vec![0; slots] }
    }

    /// A new search begins: killers are of no use any more, history is worth less.
    pub(super) fn next_search(&mut self) {
        self.killers.fill([None; 2]);
        self.history.iter_mut().for_each(|count| *count /= 8);
    }

    /// How early a move should be tried.
    #[inline]
    pub(super) fn score<G: SearchGame<Move = M>>(
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

    /// A quiet move was good enough to end the search of a node.
    #[inline]
    pub(super) fn reward<G: SearchGame<Move = M>>(
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

/// Brings the best of the moves from `from` on to that place.
#[inline]
pub(super) fn best_first<M: Copy>(moves: &mut [Scored<M>], from: usize) {
    let mut best = from;
    for index in from + 1..moves.len() {
        if moves[index].score > moves[best].score {
            best = index;
        }
    }
    // Moving the others up keeps their order, so that equal scores are tried as generated.
    moves[from..=best].rotate_right(1);
}
