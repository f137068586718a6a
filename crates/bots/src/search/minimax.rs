//! Minimax: every move of every node, nothing left out and nothing remembered. It says what a
//! value at a fixed depth is; the other algorithms must find the same.

use super::game::{SearchGame, Tension};
use super::limits::Stopped;
use super::searcher::Searcher;
use super::value::{INFINITE, MOST_PLIES, draw_at, lost_at};

impl<G: SearchGame> Searcher<G> {
    /// The value of a position `ply` plies from the root, searched so many plies deep.
    pub(super) fn minimax(
        &mut self,
        position: &G::Position,
        depth: i32,
        ply: u32,
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
            Horizon::Noisy(value) => (true, value),
            Horizon::Within => (false, -INFINITE),
        };
        let first = self.moves.len();
        self.push_moves(position, ply, None, noisy_only);
        if self.moves.len() == first && !noisy_only {
            return Ok(lost_at(ply));
        }
        for index in first..self.moves.len() {
            let mv = self.moves[index].mv;
            let after = self.game.make(position, mv);
            self.line.push(self.game.key(&after), self.game.is_reversible(position, mv));
            let value = -self.minimax(&after, (depth - 1).max(0), ply + 1)?;
            self.line.pop();
            best = best.max(value);
        }
        self.moves.truncate(first);
        Ok(best)
    }

    /// How a node is to be treated at this depth.
    #[inline(always)]
    pub(super) fn horizon(&self, position: &G::Position, depth: i32, ply: u32) -> Horizon {
        if depth > 0 && ply < MOST_PLIES {
            return Horizon::Within;
        }
        let tension = match self.game.tension(position) {
            tension if self.settings.quiescence && ply < MOST_PLIES => tension,
            _ => Tension::Quiet,
        };
        match tension {
            Tension::Forced => Horizon::Within,
            Tension::Noisy => Horizon::Noisy(self.judge(position)),
            Tension::Quiet if self.game.can_move(position) => Horizon::Beyond(self.judge(position)),
            Tension::Quiet => Horizon::Beyond(lost_at(ply)),
        }
    }

    #[inline(always)]
    pub(super) fn judge(&self, position: &G::Position) -> i32 {
        use super::value::MOST_EVALUATION;
        self.game.evaluate(position).clamp(-MOST_EVALUATION, MOST_EVALUATION)
    }
}

/// How a node is to be treated.
pub(super) enum Horizon {
    /// Its moves are searched.
    Within,
    /// It is worth at least this, and only its noisy moves are searched.
    Noisy(i32),
    /// It is worth this.
    Beyond(i32),
}
