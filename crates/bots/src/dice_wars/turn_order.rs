//! The order of a turn for bots that search only attacks: dice first move to the border, then come
//! attacks, and finally dice leave areas that may fall.

use super::aggressive_transfer::aggressive_transfer;
use super::defensive_transfer::defensive_transfer;
use botyard_engine::dice_wars::{Action, Map, Position};

/// The number of transfers reserved for the end of the turn.
const KEPT_TRANSFERS: u8 = 2;

/// The progress of a player's turn. One value may serve several seats: it identifies the turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnOrder {
    /// The turn in which it only retreats, as the number of turns that have ended before it.
    retreating_in: Option<u16>,
}

impl TurnOrder {
    /// Chooses the action of the player to move. Calls `attack` when it is time for attacks and
    /// there are some; if it returns anything but an attack, the turn ends after retreats.
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
