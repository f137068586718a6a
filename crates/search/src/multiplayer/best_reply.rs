//! Best-reply search (Schadd and Winands 2011): after each turn of the player that searches only one
//! of the others makes a move, whichever hurts it most; the rest pass. The search is two-sided
//! then, so it goes deeper than paranoid search, and it is less afraid; but positions come up in
//! it that cannot come up in the game.
//!
//! Where a turn is a sequence of moves, the answer is one of them. In games that know no passing
//! ([`MultiplayerGame::hand_over`]) it is paranoid search.

use super::game::{Actor, MultiplayerGame};
use super::searcher::{MultiplayerSearcher, Place};
use super::settings::{Algorithm, Pruning};
use crate::limits::Stopped;
use crate::player::Player;
use crate::window::Window;

impl<P: Copy, M: Copy + Eq> MultiplayerSearcher<P, M> {
    /// The value of a position in which it is the others' turn to answer.
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
        // The one whose turn it is comes first.
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

    /// A position as the search continues from it: once one of the others has answered, the player that
    /// searches is to move.
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
