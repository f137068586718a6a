//! The course of a turn for bots that search for attacks alone: first dice go to the border, then come
//! attacks, and in the end dice leave areas that may fall.

use super::aggressive_transfer::aggressive_transfer;
use super::defensive_transfer::defensive_transfer;
use botyard_engine::dice_wars::{Action, Map, Position};

/// So many transfers are kept for the end of the turn.
const KEPT_TRANSFERS: u8 = 2;

/// Where a player is in its turn. One may serve several seats: it knows the turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnOrder {
    /// The turn, as the number of those that have ended, in which there are only retreats.
    retreating_in: Option<u16>,
}

impl TurnOrder {
    /// The action of the player to move. `attack` is asked where it is time for attacks and there are
    /// some; what it says but an attack ends the turn, after retreats.
    pub fn choose(
        &mut self,
        map: &Map,
        position: &Position,
        attack: impl FnOnce() -> Option<Action>,
    ) -> Action {
        if position.transfers_left() > KEPT_TRANSFERS
            && let Some((from, to)) = aggressive_transfer(map, position)
        {
            return Action::Transfer(from, to);
        }
        let turn = Some(position.turns());
        if self.retreating_in != turn
            && position.count_attacks(map) > 0
            && let Some(attack @ Action::Attack(..)) = attack()
        {
            return attack;
        }
        match defensive_transfer(map, position) {
            Some((from, to)) => {
                self.retreating_in = turn;
                Action::Transfer(from, to)
            }
            None => Action::EndTurn,
        }
    }
}
