//! One iteration at a fixed depth: each algorithm's choice of windows around the root.

use super::game::SearchGame;
use super::limits::Stopped;
use super::searcher::Searcher;
use super::settings::Algorithm;
use super::value::INFINITE;

/// A move at the root and the position after it.
#[derive(Clone, Copy)]
pub(super) struct RootMove<M, P> {
    pub(super) mv: M,
    pub(super) after: P,
}

/// What an iteration found out.
#[derive(Clone, Copy)]
pub(super) struct Found<M> {
    pub(super) value: i32,
    /// A move that is known to reach the value; `None` where the search failed low.
    pub(super) best: Option<M>,
}

impl<G: SearchGame> Searcher<G> {
    /// Finds the root's value at this depth. `guess` is what it may be.
    pub(super) fn iterate(
        &mut self,
        root: &G::Position,
        depth: i32,
        guess: i32,
    ) -> Result<Found<G::Move>, Stopped> {
        match self.settings.algorithm {
            Algorithm::Minimax => self.all_moves(root, depth),
            Algorithm::AlphaBeta | Algorithm::Pvs => self.window(root, depth, -INFINITE, INFINITE),
            Algorithm::Mtdf => self.mtdf(root, depth, guess),
        }
    }

    fn all_moves(&mut self, root: &G::Position, depth: i32) -> Result<Found<G::Move>, Stopped> {
        let mut found = Found { value: -INFINITE, best: None };
        for index in 0..self.root_moves.len() {
            let RootMove { mv, after } = self.root_moves[index];
            self.line.push(self.game.key(&after), self.game.is_reversible(root, mv));
            let value = -self.minimax(&after, depth - 1, 1)?;
            self.line.pop();
            if value > found.value {
                found = Found { value, best: Some(mv) };
            }
        }
        Ok(found)
    }

    /// The root in one window. It is never looked up, so that there always is a move, and it is
    /// never a draw: the game goes on.
    fn window(
        &mut self,
        root: &G::Position,
        depth: i32,
        mut alpha: i32,
        beta: i32,
    ) -> Result<Found<G::Move>, Stopped> {
        let mut found = Found { value: -INFINITE, best: None };
        for index in 0..self.root_moves.len() {
            let RootMove { mv, after } = self.root_moves[index];
            self.line.push(self.game.key(&after), self.game.is_reversible(root, mv));
            let value = self.search_move(&after, mv, index, depth - 1, 0, alpha, beta)?;
            self.line.pop();
            if value > found.value {
                found.value = value;
                if value > alpha {
                    (alpha, found.best) = (value, Some(mv));
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        Ok(found)
    }

    /// Null windows that close in on the value. The move is that of the last search that failed
    /// high: one that failed low knows only that every move is bad, not which is best.
    fn mtdf(
        &mut self,
        root: &G::Position,
        depth: i32,
        guess: i32,
    ) -> Result<Found<G::Move>, Stopped> {
        let (mut lower, mut upper) = (-INFINITE, INFINITE);
        let mut found = Found { value: guess, best: None };
        while lower < upper {
            let beta = if found.value == lower { lower + 1 } else { found.value };
            let bound = self.window(root, depth, beta - 1, beta)?;
            found.value = bound.value;
            if bound.value < beta {
                upper = bound.value;
            } else {
                lower = bound.value;
                found.best = bound.best;
                if let Some(best) = bound.best {
                    self.bring_to_front(best);
                }
            }
        }
        Ok(found)
    }
}
