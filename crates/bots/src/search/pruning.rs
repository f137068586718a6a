//! Forward pruning: nodes that are most likely outside the window are not searched. Near the
//! horizon the evaluation itself decides, by a margin for each ply that is left (futility pruning,
//! Schaeffer 1986; Heinz 1998); further from it a shallow search does (ProbCut, Buro 1995). Both
//! trust that the value of a quiet position seldom changes by more than the margin.
//!
//! Margins are in the evaluation's unit, in which a man is about 100.

use super::game::{SearchGame, Tension};
use super::limits::Stopped;
use super::searcher::Searcher;
use super::value::MOST_EVALUATION;

/// Up to so many plies above the horizon the evaluation decides.
const FUTILE_TO: i32 = 5;
/// How far above the window it must be for each ply: the side to move will hardly let its
/// advantage slip...
const ABOVE_PER_PLY: i32 = 20;
/// ...but it may have a shot, so that below the window it takes more,
const BELOW_PER_PLY: i32 = 45;
/// and so much besides.
const BELOW: i32 = 20;

/// From so many plies above the horizon on a shallow search decides,
const PROBED_FROM: i32 = 6;
/// so many plies less deep: of the same parity, because values swing between odd and even depths,
const PROBED_LESS: i32 = 4;
/// if its value is so far outside the window.
const PROBED_BY: i32 = 30;

/// Who is ahead by this looks for the win itself, of which the evaluation knows nothing.
const AHEAD: i32 = 150;

impl<G: SearchGame> Searcher<G> {
    /// The value of a node near the horizon, where its evaluation is far outside a null window.
    /// Asked before the table is: it takes less time than a look at memory.
    #[inline(always)]
    pub(super) fn futile(
        &self,
        position: &G::Position,
        depth: i32,
        alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        if depth > FUTILE_TO || !self.may_prune(position, alpha, beta) {
            return None;
        }
        let value = self.judge(position);
        let is_outside =
            value - ABOVE_PER_PLY * depth >= beta || value + BELOW + BELOW_PER_PLY * depth <= alpha;
        (is_outside && !looks_for_win(value, beta) && !self.game.is_threatened(position))
            .then_some(value)
    }

    /// The value of a node far from the horizon, where a shallow search says that it is outside a
    /// null window.
    #[inline(always)]
    pub(super) fn probcut(
        &mut self,
        position: &G::Position,
        depth: i32,
        ply: u32,
        alpha: i32,
        beta: i32,
    ) -> Result<Option<i32>, Stopped> {
        if depth < PROBED_FROM || !self.may_prune(position, alpha, beta) {
            return Ok(None);
        }
        // Which of the two it could be, the evaluation says well enough.
        let guess = self.judge(position);
        if looks_for_win(guess, beta) {
            return Ok(None);
        }
        let is_above = guess >= beta;
        let bound = if is_above { beta + PROBED_BY } else { beta - PROBED_BY };
        let value = self.negamax(position, depth - PROBED_LESS, ply, bound - 1, bound)?;
        Ok((is_above == (value >= bound)).then_some(value))
    }

    /// Whether margins mean something here: wins and losses are proved or not, and a position in
    /// which captures are on is not what it looks.
    #[inline(always)]
    fn may_prune(&self, position: &G::Position, alpha: i32, beta: i32) -> bool {
        self.settings.pruning
            && beta - alpha == 1
            && beta.abs() <= MOST_EVALUATION / 2
            && self.game.tension(position) == Tension::Quiet
    }
}

/// Whether a window asks if a side that is ahead has still more.
#[inline(always)]
const fn looks_for_win(value: i32, beta: i32) -> bool {
    if value >= beta { value <= -AHEAD } else { value >= AHEAD }
}
