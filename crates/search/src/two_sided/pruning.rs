//! Forward pruning: nodes that are most likely outside the window are not searched. Near the
//! horizon the evaluation itself decides, by a margin for each ply that is left (futility pruning,
//! Schaeffer 1986; Heinz 1998); further from it a shallow search does (ProbCut, Buro 1995). Both
//! trust that the value of a quiet position seldom changes by more than the margin.
//!
//! Margins are in the evaluation's unit, in which a man is about 100.

use super::game::{Tension, TwoSidedGame};
use super::minimax::evaluation;
use super::searcher::TwoSidedSearcher;
use crate::limits::Stopped;
use crate::value::MOST_EVALUATION;
use crate::window::Window;

/// The most plies above the horizon at which the evaluation decides.
const FUTILE_TO: i32 = 5;
/// How far above the window it must be for each ply: the side to move will hardly let its
/// advantage slip...
const ABOVE_PER_PLY: i32 = 20;
/// ...but it may have a shot, so that below the window it takes more,
const BELOW_PER_PLY: i32 = 45;
/// and this constant besides.
const BELOW: i32 = 20;

/// The fewest plies above the horizon at which a shallow search decides,
const PROBED_FROM: i32 = 6;
/// this many plies less deep: of the same parity, because values swing between odd and even depths,
const PROBED_LESS: i32 = 4;
/// if its value is so far outside the window.
const PROBED_BY: i32 = 30;

/// Who is ahead by this looks for the win itself, of which the evaluation knows nothing.
const AHEAD: i32 = 150;

impl<P: Copy, M: Copy + Eq> TwoSidedSearcher<P, M> {
    /// The value of a node near the horizon, where its evaluation is far outside a null window.
    /// Asked before the table is: it takes less time than a look at memory.
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

    /// The value of a node far from the horizon, where a shallow search says that it is outside a
    /// null window.
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
        // Which of the two it could be, the evaluation says well enough.
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

    /// Whether margins mean something here: wins and losses are proved or not, and a position in
    /// which captures are on is not what it looks.
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

/// Whether a window asks if a side that is ahead has still more.
#[inline(always)]
const fn looks_for_win(value: i32, beta: i32) -> bool {
    if value >= beta { value <= -AHEAD } else { value >= AHEAD }
}
