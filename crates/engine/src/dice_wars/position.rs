//! The core of a state, for search and playouts: owners, dice and the stage of the turn. It is
//! `Copy`, a few words long, allocates nothing, and contains the numbers of the rules that play
//! needs; only the map is a parameter.
//!
//! Methods that change a position do not check legality: call [`Position::check`] first.

use super::action::Action;
use super::area::{Area, AreaSet, MAX_AREAS};
use super::battle::{MAX_DICE, attacker_wins};
use super::deal::Deal;
use super::map::Map;
use super::rules::{MOST_NEW_DICE, Mechanics, Rules};
use crate::random::{Rng, below};
use crate::seat::{MAX_SEATS, Seat};
use arrayvec::ArrayVec;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The stage of a turn: what happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The player to move decides.
    Action,
    /// The dice of a battle are rolled.
    Battle {
        /// The attacking area.
        from: Area,
        /// The attacked area.
        to: Area,
    },
    /// The turn is over; the new dice of the player to move are placed.
    Reinforcement,
    /// The game is over.
    Over(End),
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// One player owns the whole map.
    Conquest,
    /// All others are off the map or have forfeited.
    Forfeit,
    /// The limit of rounds without an attack was reached.
    Quiet,
    /// The limit of battles was reached.
    MaxBattles,
    /// The limit of turns was reached.
    MaxTurns,
}

impl End {
    /// Returns the `reason` in an outcome.
    pub const fn reason(self) -> &'static str {
        match self {
            End::Conquest => "conquest",
            End::Forfeit => "forfeit",
            End::Quiet => "quiet",
            End::MaxBattles => "max_battles",
            End::MaxTurns => "max_turns",
        }
    }
}

/// The areas of new dice in the order placed, one entry per die.
pub type Placed = ArrayVec<Area, { MOST_NEW_DICE as usize }>;

/// A position, without its map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    owned: [AreaSet; MAX_SEATS],
    /// The areas with two dice or more, of all players; follows from `stacks`.
    ready: AreaSet,
    /// The areas with eight dice, of all players; follows from `stacks`.
    full: AreaSet,
    /// For each area its owner's index in the upper three bits and its dice in the lower five.
    stacks: [u8; MAX_AREAS],
    reserves: [u8; MAX_SEATS],
    /// The place of each player that is off the map or has forfeited; 0 for the others.
    places: [u8; MAX_SEATS],
    mechanics: Mechanics,
    battles: u32,
    turns: u16,
    quiet_turns: u16,
    to_move: u8,
    transfers_left: u8,
    stage: Stage,
}

/// The parts of a position that depend on earlier turns.
pub(super) struct Memory<'a> {
    pub(super) reserves: &'a [u8],
    pub(super) places: &'a [Option<u8>],
    pub(super) battles: u32,
    pub(super) turns: u16,
    pub(super) quiet_turns: u16,
    pub(super) transfers_left: u8,
}

const DICE_BITS: u8 = 5;
const DICE_MASK: u8 = (1 << DICE_BITS) - 1;

impl Position {
    /// Returns the first position of a game under these rules. The owners of the deal must be
    /// players of the game; `first` moves first.
    pub fn start(rules: &Rules, deal: &Deal, first: Seat) -> Position {
        Position::begun(rules.mechanics(), deal, first)
    }

    fn begun(mechanics: Mechanics, deal: &Deal, first: Seat) -> Position {
        let mut position = Position {
            owned: [AreaSet::EMPTY; MAX_SEATS],
            ready: AreaSet::EMPTY,
            full: AreaSet::EMPTY,
            stacks: [0; MAX_AREAS],
            reserves: [0; MAX_SEATS],
            places: [0; MAX_SEATS],
            mechanics,
            battles: 0,
            turns: 0,
            quiet_turns: 0,
            to_move: first.index() as u8,
            transfers_left: mechanics.transfers,
            stage: Stage::Action,
        };
        for ((area, &owner), &dice) in
            Area::all(deal.owners.len()).zip(&deal.owners).zip(&deal.dice)
        {
            position.give(area, owner, dice);
        }
        position
    }

    /// Makes a position in the middle of a game. The caller checks that it is possible.
    pub(super) fn restored(
        mechanics: Mechanics,
        deal: &Deal,
        to_move: Seat,
        stage: Stage,
        memory: Memory<'_>,
    ) -> Position {
        let mut position = Position::begun(mechanics, deal, to_move);
        for (slot, &reserve) in position.reserves.iter_mut().zip(memory.reserves) {
            *slot = reserve;
        }
        for (slot, &place) in position.places.iter_mut().zip(memory.places) {
            *slot = place.unwrap_or(0);
        }
        Position {
            battles: memory.battles,
            turns: memory.turns,
            quiet_turns: memory.quiet_turns,
            transfers_left: memory.transfers_left,
            stage,
            ..position
        }
    }

    /// Returns the number of players at the start of the game.
    #[inline]
    pub const fn players(&self) -> usize {
        self.mechanics.players as usize
    }

    /// Returns the seat to move; when the game is over, the last one that moved.
    #[inline]
    pub const fn to_move(&self) -> Seat {
        Seat::new((self.to_move & 7) as usize)
    }

    /// Returns the stage of the turn.
    #[inline]
    pub const fn stage(&self) -> Stage {
        self.stage
    }

    /// Returns whether the game is over.
    #[inline]
    pub const fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over(_))
    }

    /// Returns the owner of an area of the map.
    #[inline]
    pub const fn owner(&self, area: Area) -> Seat {
        Seat::new((self.stacks[area.index()] >> DICE_BITS) as usize)
    }

    /// Returns the dice on an area, 1 to 8.
    #[inline]
    pub const fn dice(&self, area: Area) -> u8 {
        self.stacks[area.index()] & DICE_MASK
    }

    /// Returns the areas of a player; empty when it is off the map.
    #[inline]
    pub const fn areas_of(&self, seat: Seat) -> AreaSet {
        self.owned[seat.index()]
    }

    /// Returns whether a player has an area. One that has forfeited may have some.
    #[inline]
    pub const fn is_on_map(&self, seat: Seat) -> bool {
        !self.areas_of(seat).is_empty()
    }

    /// Returns the areas with two dice or more, of all players: those that can attack or transfer.
    #[inline]
    pub const fn ready(&self) -> AreaSet {
        self.ready
    }

    /// Returns the areas with eight dice, of all players.
    #[inline]
    pub const fn full(&self) -> AreaSet {
        self.full
    }

    /// Returns the areas of a player that touch another player's.
    #[inline]
    pub fn border_of(&self, map: &Map, seat: Seat) -> AreaSet {
        let own = self.areas_of(seat);
        own.iter().filter(|&area| !(map.neighbours(area) - own).is_empty()).collect()
    }

    /// Returns the dice on all areas of a player, 0 to 512.
    #[inline]
    pub fn dice_of(&self, seat: Seat) -> u32 {
        self.areas_of(seat).iter().map(|area| u32::from(self.dice(area))).sum()
    }

    /// Returns the dice that a player keeps in reserve, 0 to 64.
    #[inline]
    pub const fn reserve(&self, seat: Seat) -> u8 {
        self.reserves[seat.index()]
    }

    /// Returns the largest connected region of a player; if several are largest, the one with the
    /// lowest area number.
    #[inline]
    pub fn largest_region_of(&self, map: &Map, seat: Seat) -> AreaSet {
        let mut rest = self.areas_of(seat);
        let mut largest = AreaSet::EMPTY;
        while let Some(area) = rest.first() {
            let region = map.region(area, rest);
            if region.len() > largest.len() {
                largest = region;
            }
            rest = rest - region;
            if rest.len() <= largest.len() {
                break;
            }
        }
        largest
    }

    /// Returns the size of a player's largest connected region: its new dice after a turn.
    #[inline]
    pub fn largest_region(&self, map: &Map, seat: Seat) -> u32 {
        self.largest_region_of(map, seat).len() as u32
    }

    /// Returns the number of transfers that the player to move may still make in this turn.
    #[inline]
    pub const fn transfers_left(&self) -> u8 {
        self.transfers_left
    }

    /// Returns the number of transfers that the rules allow in a turn.
    #[inline]
    pub const fn transfers_per_turn(&self) -> u8 {
        self.mechanics.transfers
    }

    /// Returns the rules' `wear`: a lost attack costs the defender one die per this many dice of the
    /// attacker; 0 for none.
    #[inline]
    pub const fn wear(&self) -> u8 {
        self.mechanics.wear
    }

    /// Returns the largest number of dice that a player may keep in reserve, 0 to 64.
    #[inline]
    pub fn reserve_limit(&self, seat: Seat) -> u8 {
        let own = self.areas_of(seat).len() as u8;
        let less = if self.mechanics.reserve_less_areas { own } else { 0 };
        self.mechanics.reserve.saturating_sub(less)
    }

    /// Returns the number of attacks so far.
    #[inline]
    pub const fn battles(&self) -> u32 {
        self.battles
    }

    /// Returns the number of turns that have ended, of all players together.
    #[inline]
    pub const fn turns(&self) -> u16 {
        self.turns
    }

    /// Returns the number of turns since the last attack (or transfer, if the rules count these
    /// too).
    #[inline]
    pub const fn quiet_turns(&self) -> u16 {
        self.quiet_turns
    }

    /// Returns the place of a player that is off the map or has forfeited: from 2 (from 1, if all
    /// forfeited) to the number of players. `None` while its place is open.
    #[inline]
    pub const fn place(&self, seat: Seat) -> Option<u8> {
        match self.places[seat.index()] {
            0 => None,
            place => Some(place),
        }
    }

    /// Returns the players whose place is still open.
    #[inline]
    pub fn contenders(&self) -> impl Iterator<Item = Seat> + '_ {
        Seat::all(self.players()).filter(|&seat| self.place(seat).is_none())
    }

    pub(super) const fn mechanics(&self) -> &Mechanics {
        &self.mechanics
    }

    /// Calls `found` with every attack that a player could make on its turn: from and to,
    /// ascending.
    #[inline]
    pub fn for_each_attack_of(&self, map: &Map, seat: Seat, mut found: impl FnMut(Area, Area)) {
        let own = self.areas_of(seat);
        for from in own & self.ready {
            for to in map.neighbours(from) - own {
                found(from, to);
            }
        }
    }

    /// Calls `found` with every attack of the player to move: from and to, ascending.
    #[inline]
    pub fn for_each_attack(&self, map: &Map, found: impl FnMut(Area, Area)) {
        self.for_each_attack_of(map, self.to_move(), found);
    }

    /// Returns the number of attacks of the player to move.
    #[inline]
    pub fn count_attacks(&self, map: &Map) -> u32 {
        let own = self.areas_of(self.to_move());
        let targets = (own & self.ready).iter().map(|from| (map.neighbours(from) - own).len());
        targets.sum::<usize>() as u32
    }

    /// Draws an attack of the player to move, uniformly: from and to. `None` if it has none.
    #[inline]
    pub fn random_attack<R: Rng + ?Sized>(&self, map: &Map, rng: &mut R) -> Option<(Area, Area)> {
        let attacks = self.count_attacks(map);
        if attacks == 0 {
            return None;
        }
        let mut place = below(rng, attacks) as usize;
        let own = self.areas_of(self.to_move());
        for from in own & self.ready {
            let targets = map.neighbours(from) - own;
            if place < targets.len() {
                return Some((from, targets.nth(place)?));
            }
            place -= targets.len();
        }
        None
    }

    /// Calls `found` with every transfer of the player to move: from and to, ascending. There are
    /// none when all transfers of the turn have been made.
    #[inline]
    pub fn for_each_transfer(&self, map: &Map, mut found: impl FnMut(Area, Area)) {
        if self.transfers_left == 0 {
            return;
        }
        let own = self.areas_of(self.to_move());
        for from in own & self.ready {
            for to in (map.neighbours(from) & own) - self.full {
                found(from, to);
            }
        }
    }

    /// Calls `found` with every legal action of the player to move: attacks, transfers, and the end
    /// of the turn, in this order. There are none in other stages.
    #[inline]
    pub fn for_each_action(&self, map: &Map, mut found: impl FnMut(Action)) {
        if self.stage == Stage::Action {
            self.for_each_attack(map, |from, to| found(Action::Attack(from, to)));
            self.for_each_transfer(map, |from, to| found(Action::Transfer(from, to)));
            found(Action::EndTurn);
        }
    }

    /// Returns the number of dice that a transfer moves: as many as fit, but one stays.
    #[inline]
    pub const fn transferred(&self, from: Area, to: Area) -> u8 {
        let (room, spare) =
            (MAX_DICE.saturating_sub(self.dice(to)), self.dice(from).saturating_sub(1));
        if room < spare { room } else { spare }
    }

    /// Plays an action. After an attack or the end of a turn follows chance: see
    /// [`Position::stage`].
    #[inline]
    pub fn apply(&mut self, action: Action) {
        match action {
            Action::Attack(from, to) => self.stage = Stage::Battle { from, to },
            Action::Transfer(from, to) => self.transfer(from, to),
            Action::EndTurn => self.end_turn(),
        }
    }

    /// Moves dice between two areas of the player to move.
    #[inline]
    pub fn transfer(&mut self, from: Area, to: Area) {
        let moved = self.transferred(from, to);
        self.set_dice(from, self.dice(from) - moved);
        self.set_dice(to, self.dice(to) + moved);
        self.transfers_left = self.transfers_left.saturating_sub(1);
        if self.mechanics.transfers_break_quiet {
            self.quiet_turns = 0;
        }
    }

    /// Plays an attack of the player to move with a given winner.
    #[inline]
    pub fn attack(&mut self, from: Area, to: Area, won: bool) {
        if won { self.attack_won(from, to) } else { self.attack_lost(from, to) }
    }

    /// Plays an attack that is won: all dice but one move from `from` to `to`, which changes its
    /// owner.
    #[inline]
    pub fn attack_won(&mut self, from: Area, to: Area) {
        let (dice, loser) = (self.dice(from), self.owner(to));
        self.owned[loser.index()].remove(to);
        self.give(to, self.owner(from), dice - 1);
        self.set_dice(from, 1);
        if !self.is_on_map(loser) {
            self.eliminated(loser);
        }
        self.after_battle();
    }

    /// Plays an attack that is lost: one die is left on `from`, and the defender may lose some too.
    #[inline]
    pub fn attack_lost(&mut self, from: Area, to: Area) {
        // None if the rules have no wear.
        let wear = self.dice(from).checked_div(self.mechanics.wear).unwrap_or(0);
        self.set_dice(to, self.dice(to).saturating_sub(wear).max(1));
        self.set_dice(from, 1);
        self.after_battle();
    }

    /// Plays an attack with a random winner; returns whether it was won.
    #[inline]
    pub fn attack_at_random<R: Rng + ?Sized>(&mut self, from: Area, to: Area, rng: &mut R) -> bool {
        let won = attacker_wins(self.dice(from), self.dice(to), rng);
        self.attack(from, to, won);
        won
    }

    /// Ends the turn of the player to move. [`Position::reinforce`] follows, for its new dice.
    #[inline]
    pub fn end_turn(&mut self) {
        self.stage = Stage::Reinforcement;
    }

    /// Returns the dice that the player to move gets if its turn ends now, including its reserve:
    /// at most 64.
    #[inline]
    pub fn new_dice(&self, map: &Map) -> u8 {
        let seat = self.to_move();
        let region = self.largest_region(map, seat) as u8;
        (self.reserve(seat) + region).min(MOST_NEW_DICE)
    }

    /// Returns the number of [`Position::new_dice`] that fit on the areas of the player to move.
    #[inline]
    pub fn dice_to_place(&self, map: &Map) -> u8 {
        u32::from(self.new_dice(map)).min(self.room()) as u8
    }

    /// Returns the number of dice that fit on the areas of the player to move.
    #[inline]
    pub(super) fn room(&self) -> u32 {
        let own = self.areas_of(self.to_move());
        (own - self.full).iter().map(|area| u32::from(MAX_DICE - self.dice(area))).sum()
    }

    /// Draws the placement of the player's new dice: one after another on a uniformly drawn own
    /// area with fewer than eight.
    #[inline]
    pub fn draw_reinforcement<R: Rng + ?Sized>(&self, map: &Map, rng: &mut R) -> Placed {
        let mut open: ArrayVec<(Area, u8), MAX_AREAS> = ArrayVec::new();
        for area in self.areas_of(self.to_move()) - self.full {
            open.push((area, MAX_DICE - self.dice(area)));
        }
        let mut placed = Placed::new();
        for _ in 0..self.new_dice(map) {
            if open.is_empty() {
                break;
            }
            let index = below(rng, open.len() as u32) as usize;
            let (area, room) = &mut open[index];
            placed.push(*area);
            *room -= 1;
            if *room == 0 {
                open.swap_remove(index);
            }
        }
        placed
    }

    /// Places the new dice of the player to move, as many as [`Position::dice_to_place`]. The rest
    /// go to its reserve, and the next player is to move.
    #[inline]
    pub fn reinforce(&mut self, map: &Map, placed: &[Area]) {
        let left = self.new_dice(map).saturating_sub(placed.len() as u8);
        for &area in placed {
            self.set_dice(area, self.dice(area) + 1);
        }
        let most = self.reserve_limit(self.to_move());
        self.reserves[self.to_move().index()] = left.min(most);
        self.next_turn();
    }

    /// Ends the turn of the player to move, with a random placement of its new dice.
    #[inline]
    pub fn end_turn_at_random<R: Rng + ?Sized>(&mut self, map: &Map, rng: &mut R) {
        let placed = self.draw_reinforcement(map, rng);
        self.reinforce(map, &placed);
    }

    /// Forfeits a player: it takes the last place still open. Its areas stay.
    pub(super) fn forfeit(&mut self, seat: Seat) {
        if self.is_over() || self.place(seat).is_some() {
            return;
        }
        self.take_last_place(seat);
        if self.contenders().count() == 1 {
            self.stage = Stage::Over(End::Forfeit);
        }
    }

    #[inline]
    fn set_dice(&mut self, area: Area, dice: u8) {
        let stack = &mut self.stacks[area.index()];
        *stack = (*stack & !DICE_MASK) | dice;
        self.note_dice(area, dice);
    }

    #[inline]
    fn give(&mut self, area: Area, owner: Seat, dice: u8) {
        self.owned[owner.index()].insert(area);
        self.stacks[area.index()] = (owner.index() as u8) << DICE_BITS | dice;
        self.note_dice(area, dice);
    }

    /// Updates `ready` and `full`.
    #[inline]
    fn note_dice(&mut self, area: Area, dice: u8) {
        let bit = AreaSet::of(area);
        self.ready = if dice >= 2 { self.ready | bit } else { self.ready - bit };
        self.full = if dice >= MAX_DICE { self.full | bit } else { self.full - bit };
    }

    #[inline]
    fn after_battle(&mut self) {
        self.battles += 1;
        self.quiet_turns = 0;
        if self.is_over() {
            return;
        }
        let most = u32::from(self.mechanics.max_battles);
        self.stage = if most > 0 && self.battles >= most {
            Stage::Over(End::MaxBattles)
        } else {
            Stage::Action
        };
    }

    #[cold]
    fn eliminated(&mut self, seat: Seat) {
        if self.place(seat).is_none() {
            self.take_last_place(seat);
        }
        let mut contenders = self.contenders();
        let (last, others) = (contenders.next(), contenders.next());
        if let (Some(last), None) = (last, others) {
            let alone = Seat::all(self.players()).all(|seat| seat == last || !self.is_on_map(seat));
            drop(contenders);
            self.stage = Stage::Over(if alone { End::Conquest } else { End::Forfeit });
        }
    }

    fn take_last_place(&mut self, seat: Seat) {
        self.places[seat.index()] = self.contenders().count() as u8;
    }

    #[inline]
    fn next_turn(&mut self) {
        self.turns += 1;
        self.quiet_turns += 1;
        let on_map = Seat::all(self.players()).filter(|&seat| self.is_on_map(seat)).count() as u32;
        let quiet_rounds = u32::from(self.mechanics.quiet_rounds);
        if quiet_rounds > 0 && u32::from(self.quiet_turns) >= quiet_rounds * on_map {
            self.stage = Stage::Over(End::Quiet);
            return;
        }
        if self.turns >= self.mechanics.max_turns {
            self.stage = Stage::Over(End::MaxTurns);
            return;
        }
        self.stage = Stage::Action;
        self.transfers_left = self.mechanics.transfers;
        for _ in 0..self.players() {
            self.to_move = (self.to_move + 1) % self.mechanics.players;
            if self.is_on_map(self.to_move()) {
                break;
            }
        }
    }
}
