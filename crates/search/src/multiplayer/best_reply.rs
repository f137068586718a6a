//! Best-reply search (Schadd and Winands 2011): after each turn of the searching player, only one
//! opponent moves, the one whose move hurts it most; the others pass. This makes the search
//! two-sided, so that it reaches a greater depth than paranoid search and is less pessimistic. In
//! return, it visits positions that cannot occur in the game.
//!
//! Where a turn is a sequence of moves, the reply is one of them. In games without passing
//! ([`MultiplayerGame::hand_over`]) it equals paranoid search.

use super::game::{Actor, MultiplayerGame};
use super::searcher::{MultiplayerSearcher, Place};
use super::settings::{Algorithm, Pruning};
use crate::limits::Stopped;
use crate::player::Player;
use crate::window::Window;

impl<P: Copy, M: Copy + Eq> MultiplayerSearcher<P, M> {
    /// Returns the value of a position in which the opponents are to reply.
    pub(super) fn best_reply<G: MultiplayerGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        position: &P,
        player: Player,
        place: Place,
        mut window: Window,
        most: usize,
    ) -> Result<i32, Stopped> {
        let place = Place { answered: true, ..place };
        // The opponent whose turn it is comes first.
        let mut least = self.decision(game, position, player, place, window, most)?;
        let searching = self.player;
        for other in
            Player::all(game.players()).filter(|&other| other != player && other != searching)
        {
            if self.settings.pruning > Pruning::None {
                if least <= window.low {
                    break;
                }
                window.high = window.high.min(least);
            }
            let Some(handed) = game.hand_over(position, other) else { continue };
            least = least.min(self.decision(game, &handed, other, place, window, most)?);
        }
        Ok(least)
    }

    /// Returns the position in which the search continues: after a reply, the searching player is
    /// to move.
    pub(super) fn settled<G: MultiplayerGame<Position = P, Move = M>>(
        &self,
        game: &G,
        position: &P,
        place: Place,
    ) -> (P, Actor, Place) {
        let actor = game.actor(position);
        let Actor::Player(player) = actor else { return (*position, actor, place) };
        if self.settings.algorithm != Algorithm::BestReply || !place.answered {
            return (*position, actor, place);
        }
        let fresh = Place { answered: false, ..place };
        if player == self.player {
            return (*position, actor, fresh);
        }
        match game.hand_over(position, self.player) {
            Some(handed) => (handed, game.actor(&handed), fresh),
            None => (*position, actor, fresh),
        }
    }
}
