//! Forward pruning: nodes that are most likely outside the window are not searched. Near the
//! horizon, the evaluation decides, with a margin per remaining ply (futility pruning, Schaeffer
//! 1986; Heinz 1998); further from it, a shallow search does (ProbCut, Buro 1995). Both assume that
//! the value of a quiet position seldom changes by more than the margin.
//!
//! Margins are in the unit of the evaluation, in which a man is about 100.

use super::game::{Tension, TwoSidedGame};
use super::minimax::evaluation;
use super::searcher::TwoSidedSearcher;
use crate::limits::Stopped;
use crate::value::MOST_EVALUATION;
use crate::window::Window;

/// The maximum remaining depth, in plies, at which the evaluation decides.
const FUTILE_TO: i32 = 5;
/// The margin above the window per ply: the side to move rarely loses its advantage...
const ABOVE_PER_PLY: i32 = 20;
/// ...but it may have a shot (a combination), so the margin below the window is larger,
const BELOW_PER_PLY: i32 = 45;
/// plus this constant.
const BELOW: i32 = 20;

/// The minimum remaining depth, in plies, at which a shallow search decides,
const PROBED_FROM: i32 = 6;
/// its depth reduction, even to keep the parity, because values swing between odd and even depths,
const PROBED_LESS: i32 = 4;
/// and its margin outside the window.
const PROBED_BY: i32 = 30;

/// The advantage from which a side searches for the win itself, which the evaluation does not know.
const AHEAD: i32 = 150;

impl<P: Copy, M: Copy + Eq> TwoSidedSearcher<P, M> {
    /// Returns the value of a node near the horizon if its evaluation is far outside a null window.
    /// Called before the table lookup, which takes longer because of the cache miss.
    #[inline(always)]
    pub(super) fn futile<G: TwoSidedGame<Position = P, Move = M>>(
        &self,
        game: &G,
        position: &P,
        depth: i32,
        window: Window,
    ) -> Option<i32> {
        if depth > FUTILE_TO || !self.may_prune(game, position, window) {
            return None;
        }
        let value = evaluation(game, position);
        let is_outside = value - ABOVE_PER_PLY * depth >= window.high
            || value + BELOW + BELOW_PER_PLY * depth <= window.low;
        (is_outside && !looks_for_win(value, window.high) && !game.is_threatened(position))
            .then_some(value)
    }

    /// Returns the value of a node far from the horizon if a shallow search shows that it is
    /// outside a null window.
    #[inline(always)]
    pub(super) fn probcut<G: TwoSidedGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        position: &P,
        depth: i32,
        ply: u32,
        window: Window,
    ) -> Result<Option<i32>, Stopped> {
        if depth < PROBED_FROM || !self.may_prune(game, position, window) {
            return Ok(None);
        }
        // The evaluation decides which of the two sides of the window to try.
        let guess = evaluation(game, position);
        if looks_for_win(guess, window.high) {
            return Ok(None);
        }
        let is_above = guess >= window.high;
        let bound = if is_above { window.high + PROBED_BY } else { window.high - PROBED_BY };
        let null = Window::null(bound);
        let value = self.negamax(game, position, depth - PROBED_LESS, ply, null)?;
        Ok((is_above == (value >= bound)).then_some(value))
    }

    /// Returns whether margins apply: wins and losses must be proved, and a position with captures
    /// is not quiet.
    #[inline(always)]
    fn may_prune<G: TwoSidedGame<Position = P, Move = M>>(
        &self,
        game: &G,
        position: &P,
        window: Window,
    ) -> bool {
        self.settings.pruning
            && window.is_null()
            && window.high.abs() <= MOST_EVALUATION / 2
            && game.tension(position) == Tension::Quiet
    }
}

/// Returns whether a window asks if a side that is ahead is further ahead.
#[inline(always)]
const fn looks_for_win(value: i32, beta: i32) -> bool {
    if value >= beta { value <= -AHEAD } else { value >= AHEAD }
}
