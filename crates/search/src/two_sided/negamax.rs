//! The node search shared by alpha-beta, principal variation search and MTD(f): one node in one
//! window, fail-soft (Fishburn 1983). Values at or outside the window are bounds, those inside are
//! exact.

use super::game::{Tension, TwoSidedGame};
use super::minimax::Horizon;
use super::searcher::TwoSidedSearcher;
use super::settings::Algorithm;
use crate::limits::Stopped;
use crate::scored::{Scored, best_first};
use crate::table::Known;
use crate::value::{self, INFINITE, draw_at, lost_at};
use crate::window::Window;

/// The number of moves of a node that are never reduced: the expected best move.
const NEVER_REDUCED: usize = 1;
/// The minimum depth for late move reductions.
const REDUCED_FROM: i32 = 3;

impl<P: Copy, M: Copy + Eq> TwoSidedSearcher<P, M> {
    /// Returns the value of a position `ply` plies from the root, searched to a depth of `depth`
    /// plies, if it lies in the window, otherwise a bound.
    pub(super) fn negamax<G: TwoSidedGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        position: &P,
        depth: i32,
        ply: u32,
        window: Window,
    ) -> Result<i32, Stopped> {
        self.meter.visit()?;
        if self.line.is_draw() && game.can_move(position) {
            return Ok(draw_at(ply, self.settings.contempt));
        }
        if let Some(value) = self.known(game, position, ply) {
            return Ok(value);
        }
        let (noisy_only, mut best) = match self.horizon(game, position, depth, ply) {
            Horizon::Beyond(value) => return Ok(value),
            Horizon::Noisy(value) if value >= window.high => return Ok(value),
            Horizon::Noisy(value) => (true, value),
            Horizon::Within => (false, -INFINITE),
        };
        // Searching captures at the horizon is faster than a table lookup.
        let is_remembered = depth > 0;
        if is_remembered && let Some(value) = self.futile(game, position, depth, window) {
            return Ok(value);
        }
        let key = game.key(position);
        let mut from_table = None;
        if is_remembered && let Some(known) = self.probe(key) {
            from_table = known.best;
            if let Some(value) = self.cutoff(known, depth, ply, window) {
                return Ok(value);
            }
        }
        if let Some(value) = self.probcut(game, position, depth, ply, window)? {
            return Ok(value);
        }
        let first = self.moves.len();
        self.push_moves(game, position, ply, from_table, noisy_only);
        let count = self.moves.len() - first;
        if count == 0 && !noisy_only {
            return Ok(lost_at(ply));
        }
        let below = match self.settings.extensions && count == 1 && !noisy_only {
            true => depth,
            false => (depth - 1).max(0),
        };
        let (mut open, mut best_move) = (window, None);
        open.low = open.low.max(best);
        for index in 0..count {
            if self.settings.ordering {
                best_first(&mut self.moves[first..], index);
            }
            let mv = self.moves[first + index].mv;
            let after = game.make(position, mv);
            self.line.push(game.key(&after), game.is_reversible(position, mv));
            let value = self.search_move(game, &after, mv, index, below, ply, open)?;
            self.line.pop();
            if value > best {
                best = value;
                if value > open.low {
                    (open.low, best_move) = (value, Some(mv));
                    if value >= open.high {
                        if self.settings.ordering && game.noise(mv) == 0 {
                            self.ordering.reward(game, position, ply, depth, mv);
                        }
                        break;
                    }
                }
            }
        }
        if is_remembered {
            // If every move failed low, the one tried first is the most promising.
            let best_move = best_move.or(self.moves.get(first).map(|scored| scored.mv));
            let best_move = best_move.map(|mv| game.move_id(mv));
            self.store(key, best, best_move, depth, ply, window);
        }
        self.moves.truncate(first);
        Ok(best)
    }

    /// Returns the value of a move for the side that makes it: with reduced depth or a null window
    /// first, where that is likely to be enough.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the state of the loop over moves, named")]
    pub(super) fn search_move<G: TwoSidedGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        after: &P,
        mv: M,
        index: usize,
        below: i32,
        ply: u32,
        window: Window,
    ) -> Result<i32, Stopped> {
        let is_better = |searcher: &mut Self, depth| {
            let null = Window::null(window.low + 1).turned();
            searcher.negamax(game, after, depth, ply + 1, null).map(|value| -value)
        };
        if self.settings.reductions
            && index >= NEVER_REDUCED
            && below >= REDUCED_FROM - 1
            && game.noise(mv) == 0
            && game.tension(after) == Tension::Quiet
        {
            let value = is_better(self, (below - reduction(below, index)).max(1))?;
            if value <= window.low {
                return Ok(value);
            }
        }
        if index > 0 && self.settings.algorithm == Algorithm::Pvs && !window.is_null() {
            let value = is_better(self, below)?;
            if value <= window.low || value >= window.high {
                return Ok(value);
            }
        }
        Ok(-self.negamax(game, after, below, ply + 1, window.turned())?)
    }

    /// Pushes a node's moves on the stack.
    #[inline(always)]
    pub(super) fn push_moves<G: TwoSidedGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        position: &P,
        ply: u32,
        from_table: Option<u32>,
        noisy_only: bool,
    ) {
        let TwoSidedSearcher { ordering, moves, settings, .. } = self;
        game.for_each_move(position, |mv| {
            if noisy_only && game.noise(mv) == 0 {
                return;
            }
            let score = match settings.ordering {
                true => ordering.score(game, position, ply, mv, from_table),
                false => 0,
            };
            moves.push(Scored { mv, score });
        });
    }

    #[inline(always)]
    pub(super) fn probe(&mut self, key: u64) -> Option<Known> {
        let table = self.table.as_ref()?;
        self.probes += 1;
        let known = table.get(key)?;
        self.hits += 1;
        Some(known)
    }

    /// Returns the value if the table's entry causes a cutoff.
    #[inline(always)]
    pub(super) fn cutoff(&self, known: Known, depth: i32, ply: u32, window: Window) -> Option<i32> {
        let is_deep_enough = match self.settings.deeper_entries {
            true => known.depth >= depth,
            false => known.depth == depth,
        };
        let value = value::from_root(known.value, ply);
        (is_deep_enough && window.is_settled_by(value, known.bound)).then_some(value)
    }

    #[inline(always)]
    pub(super) fn store(
        &mut self,
        key: u64,
        best: i32,
        best_move: Option<u32>,
        depth: i32,
        ply: u32,
        window: Window,
    ) {
        let Some(table) = &mut self.table else { return };
        let (value, bound) = (value::from_here(best, ply), window.bound(best));
        table.put(key, Known { value, depth, bound, best: best_move });
    }
}

/// Returns the reduction, in plies, of the move at this index in move order (from 0): 7/8 of the
/// product of the logarithms of depth and index, each plus 1, rounded.
#[inline(always)]
fn reduction(depth: i32, place: usize) -> i32 {
    /// 16 times the natural logarithm of 1 to 16; greater arguments count as 16.
    const LOGARITHMS: [i32; 16] = [0, 11, 18, 22, 26, 29, 31, 33, 35, 37, 38, 40, 41, 42, 43, 44];
    let logarithm = |n: usize| LOGARITHMS[n.min(15)];
    (128 + logarithm(depth as usize) * logarithm(place) * 7 / 8) / 256
}
