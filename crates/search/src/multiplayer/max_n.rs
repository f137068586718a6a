//! Max-n (Luckhardt and Irani 1986): every player chooses what is best for itself. Ties go to the
//! first move in the order in which moves are tried.
//!
//! Bounds prune little here. The value that a player has found for itself limits the player above
//! it only if the sum of all values is bounded (shallow pruning, Korf 1991; deep pruning is wrong
//! with more than two players). In addition, a line is abandoned as soon as it cannot be better for
//! the player that chose it, also across its own next moves and across chance.

use super::game::{Actor, MultiplayerGame};
use super::searcher::{MultiplayerSearcher, Place};
use super::settings::Pruning;
use crate::limits::Stopped;
use crate::player::Player;
use crate::player::Values;
use crate::scored::best_first;

/// A player and its lower bound: it will not choose a node that is not worth more to it.
pub(super) type Aim = Option<(Player, i32)>;

impl<P: Copy, M: Copy + Eq> MultiplayerSearcher<P, M> {
    /// Returns the value of a position to every player. If it does not exceed the aim for the
    /// aiming player, only this fact is certain, and the value returned for that player is an upper
    /// bound.
    pub(super) fn max_n<G: MultiplayerGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        position: &P,
        place: Place,
        aim: Aim,
    ) -> Result<Values, Stopped> {
        self.meter.visit()?;
        self.begin_line(place);
        let actor = game.actor(position);
        if self.is_leaf(game, position, actor, place) {
            return Ok(self.judge_all(game, position));
        }
        if let Some((player, enough)) = aim {
            let (_, most) = self.bounds(game, position, player, place);
            if most <= enough {
                return Ok(bound(player, most));
            }
        }
        match actor {
            Actor::Player(player) => self.max_n_decision(game, position, player, place, aim),
            _ => self.expectimax_n(game, position, place, aim),
        }
    }

    fn max_n_decision<G: MultiplayerGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        position: &P,
        player: Player,
        place: Place,
        aim: Aim,
    ) -> Result<Values, Stopped> {
        let own = player.index();
        let prunes = self.settings.pruning > Pruning::None;
        let most_own = match prunes {
            true => self.bounds(game, position, player, place).1,
            false => i32::MAX,
        };
        let mut aim_below = aim.filter(|&(aiming, _)| aiming == player);
        let first = self.moves.len();
        self.push_moves(game, position, place, None);
        let mut best: Option<Values> = None;
        for index in first..self.moves.len() {
            best_first(&mut self.moves[first..], index - first);
            let mv = self.moves[index].mv;
            let after = game.make(position, mv);
            let values = self.max_n(game, &after, place.after_move(), aim_below)?;
            if best.is_some_and(|best| values[own] <= best[own]) {
                continue;
            }
            best = Some(values);
            self.lead(place, mv);
            if !prunes {
                continue;
            }
            if aim_below.is_none_or(|(_, low)| values[own] > low) {
                aim_below = Some((player, values[own]));
            }
            if values[own] >= most_own {
                break;
            }
            if let Some((aiming, enough)) = aim.filter(|&(aiming, _)| aiming != player)
                && let Some(left) = left_for_another(game, values[own])
                && left <= enough
            {
                self.moves.truncate(first);
                return Ok(bound(aiming, left));
            }
        }
        self.moves.truncate(first);
        // The player to move has a move.
        Ok(best.unwrap_or_default())
    }

    fn judge_all<G: MultiplayerGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        position: &P,
    ) -> Values {
        self.evaluated += 1;
        let (worst, best) = game.range().into_inner();
        let mut values = game.values(position);
        for value in &mut values[..game.players()] {
            debug_assert!((worst..=best).contains(value), "{value} is not in {worst}..={best}");
            *value = (*value).clamp(worst, best);
        }
        values
    }
}

/// Returns the most that another player can get if one player gets this much.
fn left_for_another<G: MultiplayerGame>(game: &G, taken: i32) -> Option<i32> {
    let others = game.players() as i32 - 2;
    Some(game.most_sum()? - taken - others * *game.range().start())
}

/// Returns the most that a player can get when nothing is known about the others.
pub(super) fn bound(player: Player, most: i32) -> Values {
    let mut values = Values::default();
    values[player.index()] = most;
    values
}
