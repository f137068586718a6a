//! Chance nodes in max-n, which make it expectimax-n: each player's value is the mean over the
//! outcomes. An outcome is searched only while it can still make the chance node better than the
//! value already found by the player above it (Star1 for that player).

use super::game::MultiplayerGame;
use super::max_n::{Aim, bound};
use super::mean::Mean;
use super::searcher::{MultiplayerSearcher, Place};
use super::settings::Pruning;
use crate::limits::Stopped;
use crate::player::{MAX_PLAYERS, Values};
use crate::sorting::sort_falling;

impl<P: Copy, M: Copy + Eq> MultiplayerSearcher<P, M> {
    /// Returns the value of a chance node to every player; see [`MultiplayerSearcher::max_n`].
    pub(super) fn expectimax_n<G: MultiplayerGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        position: &P,
        place: Place,
        aim: Aim,
    ) -> Result<Values, Stopped> {
        let first = self.outcomes.len();
        self.push_outcomes(game, position);
        sort_falling(&mut self.outcomes[first..], |outcome| outcome.weight.into());
        let aim = aim.filter(|_| self.settings.pruning > Pruning::AlphaBeta);
        // The mean for the aiming player, with the bounds known from the game.
        let mut mean = Mean::new();
        if let Some((player, enough)) = aim {
            for index in first..self.outcomes.len() {
                let outcome = self.outcomes[index];
                let bounds = self.bounds(game, &outcome.after, player, place.after_outcome());
                mean.add(outcome.weight, bounds.0, bounds.1);
                self.outcomes[index].bounds = bounds;
            }
            if mean.high() <= enough {
                self.outcomes.truncate(first);
                return Ok(bound(player, mean.high()));
            }
        }
        let (mut sums, mut total) = ([0i64; MAX_PLAYERS], 0);
        for index in first..self.outcomes.len() {
            let outcome = self.outcomes[index];
            let aim_below = aim.map(|(player, enough)| {
                (player, mean.fails_low(enough, outcome.weight, outcome.bounds))
            });
            let values = self.max_n(game, &outcome.after, place.after_outcome(), aim_below)?;
            if index == first {
                self.follow(place);
            }
            if let (Some((player, enough)), Some((_, low))) = (aim, aim_below) {
                let value = values[player.index()];
                let now = if value <= low { (outcome.bounds.0, value) } else { (value, value) };
                mean.tighten(outcome.weight, now, outcome.bounds);
                if mean.high() <= enough {
                    self.outcomes.truncate(first);
                    return Ok(bound(player, mean.high()));
                }
            }
            total += i64::from(outcome.weight);
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum += i64::from(outcome.weight) * i64::from(value);
            }
        }
        self.outcomes.truncate(first);
        Ok(sums.map(|sum| sum.div_euclid(total.max(1)) as i32))
    }
}
