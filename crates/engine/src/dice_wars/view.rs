//! Views: the JSON that bots receive. Nothing is hidden in Dice Wars, so all seats have the same
//! view: everything but the cells of the map, which `setup` has.

use super::area::{Area, AreaSet, MAX_AREAS};
use super::battle::MAX_DICE;
use super::deal::Deal;
use super::map::Map;
use super::player::Player;
use super::position::{End, Memory, Position, Stage};
use super::rules::{MOST_NEW_DICE, Mechanics};
use super::state::State;
use crate::game::Illegal;
use crate::seat::{MAX_SEATS, Seat};
use arrayvec::ArrayVec;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A state as all seats see it. Lists of areas and of players are in the order of their numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct View {
    /// The player to move; when the game is over, the last one that moved.
    pub to_move: Player,
    /// The owner of each area.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Player>", length(max = 64)))]
    pub owners: ArrayVec<Player, MAX_AREAS>,
    /// The dice on each area, 1 to 8.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<u8>", length(max = 64)))]
    pub dice: ArrayVec<u8, MAX_AREAS>,
    /// The areas that touch each area.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<AreaSet>", length(max = 64)))]
    pub adjacent: ArrayVec<AreaSet, MAX_AREAS>,
    /// The dice in each player's reserve, 0 to 64.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<u8>", length(max = 8)))]
    pub reserves: ArrayVec<u8, MAX_SEATS>,
    /// The size of each player's largest connected region: the new dice that it would get.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<u8>", length(max = 8)))]
    pub regions: ArrayVec<u8, MAX_SEATS>,
    /// The place of each player that is off the map or has forfeited; null while its place is open.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Option<u8>>", length(max = 8)))]
    pub places: ArrayVec<Option<u8>, MAX_SEATS>,
    /// The number of transfers that may still be made in this turn.
    pub transfers_left: u8,
    /// The number of turns that have ended, of all players together.
    pub turns: u16,
    /// The number of attacks so far.
    pub battles: u32,
    /// The number of turns since the last attack (or transfer, if the rules count these too).
    pub quiet_turns: u16,
    /// The attack whose dice are being rolled, from and to; never while a seat is to move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub battle: Option<(Area, Area)>,
    /// Whether new dice are being placed; never while a seat is to move.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reinforcement: bool,
    /// The end of the game; only when it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<End>,
}

impl View {
    pub(super) fn new(state: &State) -> View {
        let (map, position) = (&**state.map(), state.position());
        let players = || Seat::all(position.players());
        let (mut battle, mut reinforcement, mut over) = (None, false, None);
        match position.stage() {
            Stage::Action => {}
            Stage::Battle { from, to } => battle = Some((from, to)),
            Stage::Reinforcement => reinforcement = true,
            Stage::Over(end) => over = Some(end),
        }
        View {
            to_move: Player(position.to_move()),
            owners: map.all().iter().map(|area| Player(position.owner(area))).collect(),
            dice: map.all().iter().map(|area| position.dice(area)).collect(),
            adjacent: map.all().iter().map(|area| map.neighbours(area)).collect(),
            reserves: players().map(|seat| position.reserve(seat)).collect(),
            regions: players().map(|seat| position.largest_region(map, seat) as u8).collect(),
            places: players().map(|seat| position.place(seat)).collect(),
            transfers_left: position.transfers_left(),
            turns: position.turns(),
            battles: position.battles(),
            quiet_turns: position.quiet_turns(),
            battle,
            reinforcement,
            over,
        }
    }

    /// Returns the state with this view under rules with these numbers. Nothing is hidden, so there
    /// is exactly one. Its map has no cells.
    ///
    /// # Errors
    ///
    /// If parts of the view contradict each other or the rules.
    pub(super) fn state(&self, mechanics: Mechanics) -> Result<State, Illegal> {
        let map = Map::new(&self.adjacent, Vec::new())
            .map_err(|error| Illegal(format!("adjacent: {error}")))?;
        self.state_on(&Arc::new(map), mechanics)
    }

    /// Returns the state with this view on a known map.
    ///
    /// # Errors
    ///
    /// As `state`, and if the view is of another map.
    pub(super) fn state_on(&self, map: &Arc<Map>, mechanics: Mechanics) -> Result<State, Illegal> {
        let players = usize::from(mechanics.players);
        self.check_lengths(players)?;
        let neighbours = map.all().iter().map(|area| map.neighbours(area));
        if !neighbours.eq(self.adjacent.iter().copied()) {
            return Err(Illegal("adjacent: these are the neighbours of another map".into()));
        }
        let deal = self.deal(players)?;
        let stage = match (self.battle, self.reinforcement, self.over) {
            (None, false, None) => Stage::Action,
            (Some((from, to)), false, None) => Stage::Battle { from, to },
            (None, true, None) => Stage::Reinforcement,
            (None, false, Some(end)) => Stage::Over(end),
            _ => {
                let message = "battle, reinforcement and over: only one of them can be";
                return Err(Illegal(message.into()));
            }
        };
        let memory = Memory {
            reserves: &self.reserves,
            places: &self.places,
            battles: self.battles,
            turns: self.turns,
            quiet_turns: self.quiet_turns,
            transfers_left: self.transfers_left,
        };
        let position = Position::restored(mechanics, &deal, self.to_move.0, stage, memory);
        self.check_position(map, &position)?;
        Ok(State::new(Arc::clone(map), position))
    }

    fn check_lengths(&self, players: usize) -> Result<(), Illegal> {
        let areas = self.adjacent.len();
        for (list, length, expected) in [
            ("owners", self.owners.len(), areas),
            ("dice", self.dice.len(), areas),
            ("reserves", self.reserves.len(), players),
            ("regions", self.regions.len(), players),
            ("places", self.places.len(), players),
        ] {
            if length != expected {
                return Err(Illegal(format!("{list}: expected {expected} entries, got {length}")));
            }
        }
        Ok(())
    }

    fn deal(&self, players: usize) -> Result<Deal, Illegal> {
        let strangers = |player: &&Player| player.number() > players;
        if let Some(player) = self.owners.iter().chain([&self.to_move]).find(strangers) {
            return Err(Illegal(format!("owners, to_move: there is no player {player}")));
        }
        if let Some(dice) = self.dice.iter().find(|dice| !(1..=MAX_DICE).contains(dice)) {
            return Err(Illegal(format!("dice: expected 1 to {MAX_DICE}, got {dice}")));
        }
        let owners = self.owners.iter().map(|player| player.0).collect();
        Ok(Deal { owners, dice: self.dice.clone() })
    }

    fn check_position(&self, map: &Map, position: &Position) -> Result<(), Illegal> {
        let mechanics = position.mechanics();
        let players = || Seat::all(position.players());
        if self.reserves.iter().any(|&reserve| reserve > MOST_NEW_DICE) {
            return Err(Illegal(format!("reserves: expected at most {MOST_NEW_DICE} dice each")));
        }
        let regions = players().map(|seat| position.largest_region(map, seat) as u8);
        if !regions.eq(self.regions.iter().copied()) {
            return Err(Illegal("regions: do not follow from owners and adjacent".into()));
        }
        // Places are assigned from the last one on, and every player off the map has one.
        let mut taken: ArrayVec<u8, MAX_SEATS> = self.places.iter().flatten().copied().collect();
        taken.sort_unstable_by(|one, other| other.cmp(one));
        let in_order = taken.iter().copied().eq((1..=mechanics.players).rev().take(taken.len()));
        let off_map = |seat: &Seat| !position.is_on_map(*seat) && position.place(*seat).is_none();
        if !in_order || players().any(|seat| off_map(&seat)) {
            return Err(Illegal(
                "places: expected them to be assigned from the last one on".into(),
            ));
        }
        if self.transfers_left > mechanics.transfers {
            let most = mechanics.transfers;
            return Err(Illegal(format!("transfers_left: expected at most {most}")));
        }
        if !position.is_on_map(position.to_move()) {
            return Err(Illegal("to_move: this player has no area".into()));
        }
        if self.over.is_none() && position.contenders().count() < 2 {
            return Err(Illegal("places: one player is left, so the game is over".into()));
        }
        if let Stage::Battle { from, to } = position.stage() {
            position.check_attack(map, from, to)?;
        }
        Ok(())
    }
}
