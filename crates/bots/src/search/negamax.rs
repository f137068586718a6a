//! The body that alpha-beta, principal variation search and MTD(f) share: one node in one window,
//! fail-soft. Values at or outside the window are bounds, those inside are exact.

use super::game::{SearchGame, Tension};
use super::limits::Stopped;
use super::minimax::Horizon;
use super::ordering::{Scored, best_first};
use super::searcher::Searcher;
use super::settings::Algorithm;
use super::table::{Bound, Known};
use super::value::{self, INFINITE, draw_at, lost_at};

/// How many moves of a node are never reduced: the one that is expected to be best.
const NEVER_REDUCED: usize = 1;
/// The depth from which on late moves are reduced.
const REDUCED_FROM: i32 = 3;

impl<G: SearchGame> Searcher<G> {
    /// The value of a position `ply` plies from the root, searched so many plies deep, as far as it
    /// lies between `alpha` and `beta`.
    pub(super) fn negamax(
        &mut self,
        position: &G::Position,
        depth: i32,
        ply: u32,
        mut alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        self.visit()?;
        if self.line.is_draw() && self.game.can_move(position) {
            return Ok(draw_at(ply, self.settings.contempt));
        }
        if let Some(value) = self.known(position, ply) {
            return Ok(value);
        }
        let (noisy_only, mut best) = match self.horizon(position, depth, ply) {
            Horizon::Beyond(value) => return Ok(value),
            Horizon::Noisy(value) if value >= beta => return Ok(value),
            Horizon::Noisy(value) => (true, value),
            Horizon::Within => (false, -INFINITE),
        };
        // Captures at the horizon are searched faster than looked up.
        let is_remembered = depth > 0;
        if is_remembered && let Some(value) = self.futile(position, depth, alpha, beta) {
            return Ok(value);
        }
        let key = self.game.key(position);
        let mut from_table = None;
        if is_remembered && let Some(known) = self.probe(key) {
            from_table = known.best;
            if let Some(value) = self.cutoff(known, depth, ply, alpha, beta) {
                return Ok(value);
            }
        }
        if let Some(value) = self.probcut(position, depth, ply, alpha, beta)? {
            return Ok(value);
        }
        let first = self.moves.len();
        self.push_moves(position, ply, from_table, noisy_only);
        let count = self.moves.len() - first;
        if count == 0 && !noisy_only {
            return Ok(lost_at(ply));
        }
        let below = match self.settings.extensions && count == 1 && !noisy_only {
            true => depth,
            false => (depth - 1).max(0),
        };
        let (before, mut best_move) = (alpha, None);
        alpha = alpha.max(best);
        for index in 0..count {
            if self.settings.ordering {
                best_first(&mut self.moves[first..], index);
            }
            let mv = self.moves[first + index].mv;
            let after = self.game.make(position, mv);
            self.line.push(self.game.key(&after), self.game.is_reversible(position, mv));
            let value = self.search_move(&after, mv, index, below, ply, alpha, beta)?;
            self.line.pop();
            if value > best {
                best = value;
                if value > alpha {
                    (alpha, best_move) = (value, Some(mv));
                    if value >= beta {
                        if self.settings.ordering && self.game.noise(mv) == 0 {
                            self.ordering.reward(&self.game, position, ply, depth, mv);
                        }
                        break;
                    }
                }
            }
        }
        if is_remembered {
            // Where no move was good enough, the one tried first is the most promising.
            let best_move = best_move.or(self.moves.get(first).map(|scored| scored.mv));
            self.store(key, best, best_move, depth, ply, before, beta);
        }
        self.moves.truncate(first);
        Ok(best)
    }

    /// The value of a move for who makes it: with less depth or a null window first, where that
    /// is likely to be enough.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the state of the loop over moves, named")]
    pub(super) fn search_move(
        &mut self,
        after: &G::Position,
        mv: G::Move,
        index: usize,
        below: i32,
        ply: u32,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        let is_better = |searcher: &mut Self, depth| {
            searcher.negamax(after, depth, ply + 1, -alpha - 1, -alpha).map(|value| -value)
        };
        if self.settings.reductions
            && index >= NEVER_REDUCED
            && below >= REDUCED_FROM - 1
            && self.game.noise(mv) == 0
            && self.game.tension(after) == Tension::Quiet
        {
            let value = is_better(self, (below - reduction(below, index)).max(1))?;
            if value <= alpha {
                return Ok(value);
            }
        }
        if index > 0 && self.settings.algorithm == Algorithm::Pvs && beta - alpha > 1 {
            let value = is_better(self, below)?;
            if value <= alpha || value >= beta {
                return Ok(value);
            }
        }
        Ok(-self.negamax(after, below, ply + 1, -beta, -alpha)?)
    }

    /// Puts a node's moves on the stack.
    #[inline(always)]
    pub(super) fn push_moves(
        &mut self,
        position: &G::Position,
        ply: u32,
        from_table: Option<u32>,
        noisy_only: bool,
    ) {
        let Searcher { game, ordering, moves, settings, .. } = self;
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
    fn probe(&mut self, key: u64) -> Option<Known> {
        let table = self.table.as_ref()?;
        self.probes += 1;
        let known = table.get(key)?;
        self.hits += 1;
        Some(known)
    }

    /// The value by which what is known settles a node.
    #[inline(always)]
    fn cutoff(&self, known: Known, depth: i32, ply: u32, alpha: i32, beta: i32) -> Option<i32> {
        let is_deep_enough = match self.settings.deeper_entries {
            true => known.depth >= depth,
            false => known.depth == depth,
        };
        let value = value::from_root(known.value, ply);
        let settles = match known.bound {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        };
        (is_deep_enough && settles).then_some(value)
    }

    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "all that is known of a node, named")]
    fn store(
        &mut self,
        key: u64,
        best: i32,
        best_move: Option<G::Move>,
        depth: i32,
        ply: u32,
        alpha: i32,
        beta: i32,
    ) {
        let Some(table) = &mut self.table else { return };
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best <= alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        let value = value::from_here(best, ply);
        let best = best_move.map(|mv| self.game.move_id(mv));
        table.put(key, Known { value, depth, bound, best });
    }
}

/// By how many plies less the move at this place in the order (0 for the first) is searched: 7/8
/// of the product of the logarithms of depth and place, each plus 1, rounded.
#[inline(always)]
fn reduction(depth: i32, place: usize) -> i32 {
    /// 16 times the natural logarithm of 1 to 16; what is beyond counts as 16.
    const LOGARITHMS: [i32; 16] = [0, 11, 18, 22, 26, 29, 31, 33, 35, 37, 38, 40, 41, 42, 43, 44];
    let logarithm = |n: usize| LOGARITHMS[n.min(15)];
    (128 + logarithm(depth as usize) * logarithm(place) * 7 / 8) / 256
}
