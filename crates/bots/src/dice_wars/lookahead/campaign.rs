//! Dice Wars as a [`MultiplayerGame`]: positions are the engine's, values are chances to win as an
//! [`Evaluator`] tells them.

use super::candidates::{Candidates, Promising, keep_best};
use crate::dice_wars::Evaluator;
use crate::dice_wars::judged::position_key;
use crate::dice_wars::transfers::for_each_sensible_transfer;
use arrayvec::ArrayVec;
use botyard_agent::AgentRng;
use botyard_engine::Seat;
use botyard_engine::dice_wars::{Action, Area, Map, Position, Stage, win_probability};
use botyard_search::multiplayer::{Actor, MultiplayerGame};
use botyard_search::{Player, Values};
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
    /// How many transfers of a position are searched, the most promising ones, for the player that
    /// searches; the others make none. With 0 it makes its own by rule, before the search for
    /// attacks and after it.
    pub transfers: u8,
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
    /// Where a turn has just begun: the end of the one before.
    ended: Option<TurnEnd>,
}

/// A position in which a player has ended its turn.
#[derive(Clone, Copy, Debug)]
struct TurnEnd {
    key: u64,
    values: Values,
}

impl Front {
    /// Where a search begins.
    pub const fn root(position: Position) -> Front {
        Front { position, attacks: 0, ended: None }
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

    /// The most promising transfers of the player that searches, the best first: after which it would
    /// have most if it stopped there.
    fn transfers(&self, position: &Position) -> ArrayVec<Promising, { Candidates::MOST }> {
        let width = usize::from(self.tactics.transfers).min(Candidates::MOST);
        let mut kept = ArrayVec::new();
        for_each_sensible_transfer(self.map, position, |from, to| {
            let mut after = *position;
            after.transfer(from, to);
            let share = self.evaluator.shares(self.map, &after)[self.seat.index()];
            keep_best(&mut kept, width, (from, to, f64::from(share)));
        });
        kept
    }

    fn end_turn(&self, front: &mut Front) {
        front.ended = Some(self.turn_end(&front.position));
        front.position.end_turn();
        if !self.tactics.draws {
            front.position.reinforce(self.map, &[]);
        }
        front.attacks = 0;
    }

    fn turn_end(&self, position: &Position) -> TurnEnd {
        TurnEnd { key: position_key(position), values: self.judge(position) }
    }

    fn judge(&self, position: &Position) -> Values {
        let shares = self.evaluator.shares(self.map, position);
        // Only what is certain has the ends of the range.
        shares.map(
            |share| if share > 0.0 { ((share * WIN as f32) as i32).clamp(1, WIN - 1) } else { 0 },
        )
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
const TRANSFER: i32 = 1;
const END_OF_TURN: i32 = 1;

impl<E: Evaluator> MultiplayerGame for Campaign<'_, E> {
    type Position = Front;
    type Move = Action;

    fn players(&self) -> usize {
        self.players
    }

    #[inline]
    fn actor(&self, front: &Front) -> Actor {
        match front.position.stage() {
            Stage::Action => Actor::Player(front.position.to_move().into()),
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
        if !has_forfeited && self.tactics.transfers > 0 && front.position.to_move() == self.seat {
            let transfers = self.transfers(&front.position);
            transfers.into_iter().for_each(|(from, to, _)| f(Action::Transfer(from, to)));
        }
        f(Action::EndTurn);
    }

    #[inline]
    fn make(&self, front: &Front, action: Action) -> Front {
        let mut after = *front;
        match action {
            Action::EndTurn => self.end_turn(&mut after),
            _ => {
                after.ended = None;
                after.position.apply(action);
            }
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
        // Where the search says so the turn ends only now.
        after.ended = front.ended.or_else(|| Some(self.turn_end(&front.position)));
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
    fn value(&self, front: &Front, player: Player) -> i32 {
        self.values(front)[player.index()]
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
        // A turn that has just begun would be judged as if it were over and nothing had been done in
        // it, which is too good to be true for all others.
        front.ended.map_or_else(|| self.judge(&front.position), |end| end.values)
    }

    /// The evaluation knows that new dice are to come.
    #[inline]
    fn may_judge(&self, front: &Front) -> bool {
        !matches!(front.position.stage(), Stage::Battle { .. })
    }

    #[inline]
    fn key(&self, front: &Front) -> u64 {
        let ended = front.ended.map_or(0, |end| end.key.rotate_left(32));
        position_key(&front.position).rotate_left(front.attacks.into()) ^ ended
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
        let Action::Attack(from, to) = action else {
            return if action == Action::EndTurn { END_OF_TURN } else { TRANSFER };
        };
        let is_likely = win_probability(position.dice(from), position.dice(to)) >= 0.5;
        let is_on_searcher = position.to_move() != self.seat && position.owner(to) == self.seat;
        i32::from(is_likely) * LIKELY + i32::from(is_on_searcher) * ON_SEARCHER
    }

    /// Those between pass, and their new dice go to their reserves.
    fn hand_over(&self, front: &Front, player: Player) -> Option<Front> {
        let seat = Seat::from(player);
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
        Some(Front::root(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice_wars::judged::Remembering;
    use crate::dice_wars::{Hand, Learned};
    use botyard_engine::dice_wars::{Deal, Rules, generate_map};
    use botyard_engine::random::{Stream, below};
    use botyard_search::Limits;
    use botyard_search::multiplayer::{Algorithm, MultiplayerSearcher, Pruning, Settings};

    const TACTICS: Tactics = Tactics {
        candidates: Candidates { least_chance: 0.2, width: 4 },
        attacks: 64,
        replies: 1,
        transfers: 3,
        draws: false,
    };

    /// Positions of a game that is played by moves drawn from those that are searched, with the map.
    fn positions() -> (Map, Vec<Position>) {
        let rules = Rules::preset("sui-2021").unwrap();
        let mut stream = Stream::new(4, "test");
        let map = generate_map(34, stream.rng());
        let deal = Deal::draw(&map, &rules, stream.rng());
        let mut position = Position::start(&rules, &deal, Seat::new(0));
        let mut positions = Vec::new();
        while positions.len() < 120 && !position.is_over() {
            positions.push(position);
            let campaign = Campaign::new(&map, &Hand, TACTICS, &position);
            let mut moves = Vec::new();
            campaign.for_each_move(&Front::root(position), |action| moves.push(action));
            match moves[below(stream.rng(), moves.len() as u32) as usize] {
                Action::Attack(from, to) => {
                    position.attack_at_random(from, to, stream.rng());
                }
                Action::Transfer(from, to) => position.transfer(from, to),
                Action::EndTurn => position.end_turn_at_random(&map, stream.rng()),
            }
        }
        (map, positions)
    }

    #[test]
    fn what_is_searched_is_legal_and_has_transfers_for_the_searcher_alone() {
        let (map, positions) = positions();
        let mut transfers = 0;
        for position in &positions {
            let campaign = Campaign::new(&map, &Hand, TACTICS, position);
            let root = Front::root(*position);
            campaign.for_each_move(&root, |action| {
                assert_eq!(position.check(&map, action), Ok(()));
                transfers += usize::from(matches!(action, Action::Transfer(..)));
            });
            let others = campaign.make(&root, Action::EndTurn);
            if campaign.actor(&others) == Actor::Player(others.position.to_move().into())
                && others.position.to_move() != position.to_move()
            {
                campaign.for_each_move(&others, |action| {
                    assert!(!matches!(action, Action::Transfer(..)), "{action:?}");
                });
            }
        }
        assert!(transfers > 50, "{transfers} transfers in {} positions", positions.len());
    }

    #[test]
    fn a_turn_that_has_just_begun_is_judged_by_the_end_of_the_one_before() {
        let (map, positions) = positions();
        for position in &positions {
            let campaign = Campaign::new(&map, &Hand, TACTICS, position);
            let root = Front::root(*position);
            let after = campaign.make(&root, Action::EndTurn);
            if !after.position.is_over() {
                assert_eq!(campaign.values(&after), campaign.values(&root));
            }
        }
    }

    #[test]
    fn memory_changes_no_judgement() {
        let (map, positions) = positions();
        let mut remembering = Remembering::new(Learned::new());
        remembering.begin(&map);
        for position in positions.iter().chain(&positions) {
            let fresh = Learned::new().shares(&map, position);
            assert_eq!(remembering.shares(&map, position), fresh);
        }
    }

    #[test]
    fn pruning_changes_no_value() {
        let (map, positions) = positions();
        for draws in [false, true] {
            for position in positions.iter().step_by(10) {
                let tactics = Tactics { draws, ..TACTICS };
                let campaign = Campaign::new(&map, &Hand, tactics, position);
                let value = |pruning| {
                    let settings =
                        Settings { pruning, samples: 2, ..Settings::new(Algorithm::Paranoid) };
                    let mut searcher = MultiplayerSearcher::new(settings);
                    let found =
                        searcher.search(&campaign, &Front::root(*position), &Limits::depth(3));
                    (found.depth, found.value)
                };
                let plain = value(Pruning::None);
                for pruning in [Pruning::AlphaBeta, Pruning::Star1, Pruning::Star2] {
                    assert_eq!(value(pruning), plain, "{pruning:?}, draws {draws}");
                }
            }
        }
    }
}
