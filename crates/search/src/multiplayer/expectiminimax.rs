//! Expectiminimax: every move of every player and every outcome of chance, without pruning or a
//! table. It defines the value; paranoid search must find the same with any pruning.

use super::game::{Actor, MultiplayerGame};
use super::mean::Mean;
use super::searcher::{MultiplayerSearcher, Place};
use crate::limits::Stopped;

impl<P: Copy, M: Copy + Eq> MultiplayerSearcher<P, M> {
    /// Returns the value of a position to the searching player if all others minimise it.
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
