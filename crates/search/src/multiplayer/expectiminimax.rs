//! Expectiminimax: every move of every player and every outcome of chance, nothing left out and
//! nothing remembered. It says what a value is; paranoid search with whatever pruning must find the
//! same.

use super::game::{Actor, MultiplayerGame};
use super::mean::Mean;
use super::searcher::{MultiplayerSearcher, Place};
use crate::limits::Stopped;

impl<P: Copy, M: Copy + Eq> MultiplayerSearcher<P, M> {
    /// The value of a position to the player that searches, if all others want it to be low.
    pub(super) fn plain<G: MultiplayerGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        position: &P,
        place: Place,
    ) -> Result<i32, Stopped> {
        self.meter.visit()?;
        self.begin_line(place);
        let actor = game.actor(position);
        if self.is_leaf(game, position, actor, place) {
            return Ok(self.judge(game, position));
        }
        if let Actor::Player(player) = actor {
            return self.plain_decision(game, position, place, player == self.player);
        }
        let first = self.outcomes.len();
        self.push_outcomes(game, position);
        let (mut mean, mut likeliest) = (Mean::new(), 0);
        for index in first..self.outcomes.len() {
            let outcome = self.outcomes[index];
            let value = self.plain(game, &outcome.after, place.after_outcome())?;
            mean.add(outcome.weight, value, value);
            if outcome.weight > likeliest {
                likeliest = outcome.weight;
                self.follow(place);
            }
        }
        self.outcomes.truncate(first);
        Ok(mean.low())
    }

    fn plain_decision<G: MultiplayerGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        position: &P,
        place: Place,
        maximises: bool,
    ) -> Result<i32, Stopped> {
        let first = self.moves.len();
        self.push_moves(game, position, place, None);
        let mut best: Option<i32> = None;
        for index in first..self.moves.len() {
            let mv = self.moves[index].mv;
            let after = game.make(position, mv);
            let value = self.plain(game, &after, place.after_move())?;
            let is_better =
                best.is_none_or(|best| if maximises { value > best } else { value < best });
            if is_better {
                best = Some(value);
                self.lead(place, mv);
            }
        }
        self.moves.truncate(first);
        // The player to move has a move.
        Ok(best.unwrap_or_default())
    }
}
