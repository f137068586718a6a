//! Minimax: every move of every node, without pruning. It defines the value at a fixed depth; the
//! other algorithms must find the same. A table, if it has one, saves the nodes below positions that
//! occur again.

use super::game::{Tension, TwoSidedGame};
use super::searcher::TwoSidedSearcher;
use crate::limits::Stopped;
use crate::value::{INFINITE, MOST_EVALUATION, MOST_PLIES, draw_at, lost_at};
use crate::window::Window;

impl<P: Copy, M: Copy + Eq> TwoSidedSearcher<P, M> {
    /// Returns the value of a position `ply` plies from the root, searched to a depth of `depth`
    /// plies.
    pub(super) fn minimax<G: TwoSidedGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        position: &P,
        depth: i32,
        ply: u32,
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
            Horizon::Noisy(value) => (true, value),
            Horizon::Within => (false, -INFINITE),
        };
        let key = game.key(position);
        let is_remembered = depth > 0;
        if is_remembered
            && let Some(known) = self.probe(key)
            && let Some(value) = self.cutoff(known, depth, ply, Window::FULL)
        {
            return Ok(value);
        }
        let first = self.moves.len();
        self.push_moves(game, position, ply, None, noisy_only);
        if self.moves.len() == first && !noisy_only {
            return Ok(lost_at(ply));
        }
        for index in first..self.moves.len() {
            let mv = self.moves[index].mv;
            let after = game.make(position, mv);
            self.line.push(game.key(&after), game.is_reversible(position, mv));
            let value = -self.minimax(game, &after, (depth - 1).max(0), ply + 1)?;
            self.line.pop();
            best = best.max(value);
        }
        if is_remembered {
            self.store(key, best, None, depth, ply, Window::FULL);
        }
        self.moves.truncate(first);
        Ok(best)
    }

    /// Returns the treatment of a node at this depth.
    #[inline(always)]
    pub(super) fn horizon<G: TwoSidedGame<Position = P, Move = M>>(
        &self,
        game: &G,
        position: &P,
        depth: i32,
        ply: u32,
    ) -> Horizon {
        if depth > 0 && ply < MOST_PLIES {
            return Horizon::Within;
        }
        let tension = match game.tension(position) {
            tension if self.settings.quiescence && ply < MOST_PLIES => tension,
            _ => Tension::Quiet,
        };
        match tension {
            Tension::Forced => Horizon::Within,
            Tension::Noisy => Horizon::Noisy(evaluation(game, position)),
            Tension::Quiet if game.can_move(position) => {
                Horizon::Beyond(evaluation(game, position))
            }
            Tension::Quiet => Horizon::Beyond(lost_at(ply)),
        }
    }
}

/// Returns the static evaluation of a position, clamped to its range.
#[inline(always)]
pub(super) fn evaluation<G: TwoSidedGame>(game: &G, position: &G::Position) -> i32 {
    game.evaluate(position).clamp(-MOST_EVALUATION, MOST_EVALUATION)
}

/// The treatment of a node.
pub(super) enum Horizon {
    /// Its moves are searched.
    Within,
    /// Stand pat: the node is worth at least this, and only its noisy moves are searched.
    Noisy(i32),
    /// The node has this value.
    Beyond(i32),
}
