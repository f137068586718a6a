//! The drivers: one iteration at a fixed depth, with each algorithm's choice of windows at the
//! root.

use super::game::TwoSidedGame;
use super::searcher::TwoSidedSearcher;
use super::settings::Algorithm;
use crate::limits::Stopped;
use crate::value::INFINITE;
use crate::window::Window;

/// A root move and the position after it.
#[derive(Clone, Copy)]
pub(super) struct FirstMove<P, M> {
    pub(super) mv: M,
    pub(super) after: P,
}

/// The result of an iteration.
#[derive(Clone, Copy)]
pub(super) struct Found<M> {
    pub(super) value: i32,
    /// A move that is known to reach the value; `None` if the search failed low.
    pub(super) best: Option<M>,
}

impl<P: Copy, M: Copy + Eq> TwoSidedSearcher<P, M> {
    /// Finds the root's value at this depth. `guess` is a first estimate.
    pub(super) fn iterate<G: TwoSidedGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        root: &P,
        depth: i32,
        guess: i32,
    ) -> Result<Found<M>, Stopped> {
        match self.settings.algorithm {
            Algorithm::Minimax => self.all_moves(game, root, depth),
            Algorithm::AlphaBeta | Algorithm::Pvs => {
                self.root_window(game, root, depth, Window::FULL)
            }
            Algorithm::Mtdf => self.mtdf(game, root, depth, guess),
        }
    }

    fn all_moves<G: TwoSidedGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        root: &P,
        depth: i32,
    ) -> Result<Found<M>, Stopped> {
        let mut found = Found { value: -INFINITE, best: None };
        for index in 0..self.first_moves.len() {
            let FirstMove { mv, after } = self.first_moves[index];
            self.line.push(game.key(&after), game.is_reversible(root, mv));
            let value = -self.minimax(game, &after, depth - 1, 1)?;
            self.line.pop();
            if value > found.value {
                found = Found { value, best: Some(mv) };
            }
        }
        Ok(found)
    }

    /// Searches the root in one window. The root is never looked up in the table, so that a move is
    /// always found, and it is never scored as a draw: the game continues from it.
    fn root_window<G: TwoSidedGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        root: &P,
        depth: i32,
        mut window: Window,
    ) -> Result<Found<M>, Stopped> {
        let mut found = Found { value: -INFINITE, best: None };
        for index in 0..self.first_moves.len() {
            let FirstMove { mv, after } = self.first_moves[index];
            self.line.push(game.key(&after), game.is_reversible(root, mv));
            let value = self.search_move(game, &after, mv, index, depth - 1, 0, window)?;
            self.line.pop();
            if value > found.value {
                found.value = value;
                if value > window.low {
                    (window.low, found.best) = (value, Some(mv));
                    // The best move of the iteration before comes first, so this one is better.
                    self.improved = Some(mv);
                    if value >= window.high {
                        break;
                    }
                }
            }
        }
        Ok(found)
    }

    /// Runs null-window searches that converge on the value. The move is that of the last search
    /// that failed high: a search that failed low knows only that every move is bad, not which one
    /// is best.
    fn mtdf<G: TwoSidedGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        root: &P,
        depth: i32,
        guess: i32,
    ) -> Result<Found<M>, Stopped> {
        let (mut lower, mut upper) = (-INFINITE, INFINITE);
        let mut found = Found { value: guess, best: None };
        while lower < upper {
            let beta = if found.value == lower { lower + 1 } else { found.value };
            let bound = self.root_window(game, root, depth, Window::null(beta))?;
            found.value = bound.value;
            if bound.value < beta {
                upper = bound.value;
                self.has_fallen |= guess.saturating_sub(upper) >= self.settings.fall;
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
