//! Openings: a map, the owners and dice of its areas, and the player that moves first.

use super::area::MAX_AREAS;
use super::battle::MAX_DICE;
use super::deal::Deal;
use super::map::Map;
use super::player::Player;
use crate::game::Illegal;
use crate::seat::Seat;
use arrayvec::ArrayVec;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is drawn or given before the first decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// The map; may be left out where the rules have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<Map>,
    /// The owner of each area, in the order of the areas. Every player has at least one.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Player>", length(min = 2, max = 64)))]
    pub owners: ArrayVec<Player, MAX_AREAS>,
    /// The dice on each area, 1 to 8, in the order of the areas.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<u8>", length(min = 2, max = 64)))]
    pub dice: ArrayVec<u8, MAX_AREAS>,
    /// The player that moves first; player 1 if left out.
    #[serde(default = "player_1")]
    pub first: Player,
}

fn player_1() -> Player {
    Player(Seat::new(0))
}

impl Opening {
    /// Returns the opening with this deal, in which player 1 begins.
    pub(super) fn new(map: Map, deal: &Deal) -> Opening {
        let owners = deal.owners.iter().map(|&owner| Player(owner)).collect();
        Opening { map: Some(map), owners, dice: deal.dice.clone(), first: player_1() }
    }

    /// Returns the deal, after checking that this number of players can start with it on this map.
    pub(super) fn deal(&self, map: &Map, players: usize) -> Result<Deal, Illegal> {
        for (list, length) in [("owners", self.owners.len()), ("dice", self.dice.len())] {
            if length != map.areas() {
                let areas = map.areas();
                let message =
                    format!("{list}: expected an entry for each of {areas} areas, got {length}");
                return Err(Illegal(message));
            }
        }
        for (place, player) in
            self.owners.iter().map(|owner| ("owners", owner)).chain([("first", &self.first)])
        {
            if player.number() > players {
                let message = format!("{place}: there is no player {player} among {players}");
                return Err(Illegal(message));
            }
        }
        let idle = |seat: &Seat| !self.owners.contains(&Player(*seat));
        if let Some(seat) = Seat::all(players).find(idle) {
            return Err(Illegal(format!("owners: player {} has no area", Player(seat))));
        }
        if let Some(dice) = self.dice.iter().find(|dice| !(1..=MAX_DICE).contains(dice)) {
            return Err(Illegal(format!("dice: expected 1 to {MAX_DICE} on an area, got {dice}")));
        }
        let owners = self.owners.iter().map(|player| player.0).collect();
        Ok(Deal { owners, dice: self.dice.clone() })
    }
}
