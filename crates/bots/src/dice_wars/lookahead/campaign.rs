//! Dice Wars as a [`MultiplayerGame`]: positions are the engine's, values are chances to win as an
//! [`Evaluator`] tells them.

use super::candidates::Candidates;
use crate::agent::AgentRng;
use crate::dice_wars::Evaluator;
use crate::dice_wars::judged::Judged;
use crate::search::multiplayer::{Actor, MultiplayerGame, Values};
use botyard_engine::Seat;
use botyard_engine::dice_wars::{Action, Area, Map, Position, Stage, win_probability};
use std::ops::RangeInclusive;

/// What is searched of a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tactics {
    /// Which attacks.
    pub candidates: Candidates,
    /// How many attacks the player that searches may make in a turn; then its turn ends.
    pub attacks: u8,
    /// How many attacks each of the others may make in a turn.
    pub replies: u8,
    /// Whether new dice are drawn; otherwise they go to the reserve, and nothing is left to chance
    /// between two turns.
    pub draws: bool,
}

/// A value that stands for certain victory; 0 is for who is off the map.
pub(super) const WIN: i32 = 30_000;
/// The sum of the weights of a battle's ends.
const CERTAIN: f64 = (1 << 24) as f64;

/// A game of Dice Wars on one map, from the point of view of one player.
pub struct Campaign<'a, E> {
    map: &'a Map,
    evaluator: &'a E,
    tactics: Tactics,
    seat: Seat,
    players: usize,
}

/// A position, and how many attacks were made in the turn since the root.
#[derive(Clone, Copy, Debug)]
pub struct Front {
    /// The position.
    pub position: Position,
    attacks: u8,
}

impl Front {
    /// Where a search begins.
    pub const fn root(position: Position) -> Front {
        Front { position, attacks: 0 }
    }
}

impl<'a, E: Evaluator> Campaign<'a, E> {
    /// The game for a search of the player to move in `root`.
    pub fn new(
        map: &'a Map,
        evaluator: &'a E,
        tactics: Tactics,
        root: &Position,
    ) -> Campaign<'a, E> {
        let (seat, players) = (root.to_move(), root.players());
        Campaign { map, evaluator, tactics, seat, players }
    }

    /// How many attacks the player to move may make in a turn.
    fn most_attacks(&self, front: &Front) -> u8 {
        match front.position.to_move() == self.seat {
            true => self.tactics.attacks,
            false => self.tactics.replies,
        }
    }

    fn end_turn(&self, front: &mut Front) {
        front.position.end_turn();
        if !self.tactics.draws {
            front.position.reinforce(self.map, &[]);
        }
        front.attacks = 0;
    }

    fn after_battle(&self, front: &Front, from: Area, to: Area, won: bool) -> Front {
        let mut after = *front;
        after.position.attack(from, to, won);
        after.attacks = after.attacks.saturating_add(1);
        if after.attacks >= self.most_attacks(front) && after.position.stage() == Stage::Action {
            self.end_turn(&mut after);
        }
        after
    }
}

/// What makes moves promising; those of equal promise are tried in the order of
/// [`Candidates::attacks`].
const ON_SEARCHER: i32 = 4;
const LIKELY: i32 = 2;
const END_OF_TURN: i32 = 1;

impl<E: Evaluator> MultiplayerGame for Campaign<'_, E> {
    type Position = Front;
    type Move = Action;

    fn seats(&self) -> usize {
        self.players
    }

    #[inline]
    fn actor(&self, front: &Front) -> Actor {
        match front.position.stage() {
            Stage::Action => Actor::Seat(front.position.to_move()),
            Stage::Battle { .. } => Actor::Chance,
            Stage::Reinforcement => Actor::DenseChance,
            Stage::Over(_) => Actor::Over,
        }
    }

    #[inline]
    fn turn(&self, front: &Front) -> u32 {
        front.position.turns().into()
    }

    fn for_each_move(&self, front: &Front, mut f: impl FnMut(Action)) {
        // For who has forfeited the referee ends its turns.
        let has_forfeited = front.position.place(front.position.to_move()).is_some();
        if !has_forfeited && front.attacks < self.most_attacks(front) {
            let attacks = self.tactics.candidates.attacks(self.map, &front.position);
            attacks.into_iter().for_each(|(from, to, _)| f(Action::Attack(from, to)));
        }
        f(Action::EndTurn);
    }

    #[inline]
    fn make(&self, front: &Front, action: Action) -> Front {
        let mut after = *front;
        match action {
            Action::EndTurn => self.end_turn(&mut after),
            _ => after.position.apply(action),
        }
        after
    }

    #[inline]
    fn for_each_outcome(&self, front: &Front, mut f: impl FnMut(u32, Front)) {
        let Stage::Battle { from, to } = front.position.stage() else { return };
        let chance = win_probability(front.position.dice(from), front.position.dice(to));
        if chance >= 1.0 {
            return f(1, self.after_battle(front, from, to, true));
        }
        let won = (chance * CERTAIN).clamp(1.0, CERTAIN - 1.0) as u32;
        f(won, self.after_battle(front, from, to, true));
        f(CERTAIN as u32 - won, self.after_battle(front, from, to, false));
    }

    #[inline]
    fn sample(&self, front: &Front, rng: &mut AgentRng) -> Front {
        let mut after = *front;
        after.position.end_turn_at_random(self.map, rng);
        after.attacks = 0;
        after
    }

    fn range(&self) -> RangeInclusive<i32> {
        0..=WIN
    }

    fn most_sum(&self) -> Option<i32> {
        // Shares sum to 1 up to rounding.
        Some(WIN + 1)
    }

    #[inline]
    fn value(&self, front: &Front, seat: Seat) -> i32 {
        self.values(front)[seat.index()]
    }

    #[inline]
    fn values(&self, front: &Front) -> Values {
        if let Some(outcome) = front.position.outcome() {
            let mut values = Values::default();
            for (value, score) in values.iter_mut().zip(&outcome.scores) {
                *value = (score * f64::from(WIN)) as i32;
            }
            return values;
        }
        let shares = self.evaluator.shares(self.map, &front.position);
        // Only what is certain has the ends of the range.
        shares.map(
            |share| if share > 0.0 { ((share * WIN as f32) as i32).clamp(1, WIN - 1) } else { 0 },
        )
    }

    /// The evaluation knows that new dice are to come.
    #[inline]
    fn may_judge(&self, front: &Front) -> bool {
        !matches!(front.position.stage(), Stage::Battle { .. })
    }

    #[inline]
    fn key(&self, front: &Front) -> u64 {
        Judged::key(&front.position).rotate_left(front.attacks.into())
    }

    #[inline]
    fn move_id(&self, action: Action) -> u32 {
        match action {
            Action::Attack(from, to) => (from.index() << 8 | to.index()) as u32,
            Action::Transfer(from, to) => (1 << 16 | from.index() << 8 | to.index()) as u32,
            Action::EndTurn => 2 << 16,
        }
    }

    /// Likely attacks, the end of the turn, other attacks; and before all of them what the others
    /// do to the player that searches.
    #[inline]
    fn promise(&self, front: &Front, action: Action) -> i32 {
        let position = &front.position;
        let Action::Attack(from, to) = action else { return END_OF_TURN };
        let is_likely = win_probability(position.dice(from), position.dice(to)) >= 0.5;
        let is_on_searcher = position.to_move() != self.seat && position.owner(to) == self.seat;
        i32::from(is_likely) * LIKELY + i32::from(is_on_searcher) * ON_SEARCHER
    }

    /// Those between pass, and their new dice go to their reserves.
    fn hand_over(&self, front: &Front, seat: Seat) -> Option<Front> {
        let mut position = front.position;
        if !position.is_on_map(seat) || position.place(seat).is_some() {
            return None;
        }
        while position.to_move() != seat || position.stage() != Stage::Action {
            position.reinforce(self.map, &[]);
            if position.is_over() {
                return None;
            }
        }
        Some(Front { position, attacks: 0 })
    }
}
