//! Dice Wars as a [`MultiplayerGame`]: positions are the engine's, values are win probabilities by
//! an [`Evaluator`].

use super::move_ordering::{Candidates, Promising, keep_best};
use crate::dice_wars::Evaluator;
use crate::dice_wars::evaluation_cache::position_key;
use crate::dice_wars::transfers::for_each_sensible_transfer;
use arrayvec::ArrayVec;
use botyard_agent::AgentRng;
use botyard_engine::Seat;
use botyard_engine::dice_wars::{Action, Area, Map, Position, Stage, win_probability};
use botyard_search::multiplayer::{Actor, MultiplayerGame};
use botyard_search::{Player, Values};
use std::ops::RangeInclusive;

/// The part of a turn that is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveSelection {
    /// The attacks.
    pub candidates: Candidates,
    /// The number of attacks that the searching player may make in a turn before it ends.
    pub attacks: u8,
    /// The number of attacks that each other player may make in a turn.
    pub replies: u8,
    /// The number of transfers of a position that are searched, the most promising ones, for the
    /// searching player; the others make none. With 0 it makes transfers by rule, before and after
    /// the search for attacks.
    pub transfers: u8,
    /// Whether new dice are drawn. If not, they go to the reserve, and there is no chance between
    /// turns.
    pub draws: bool,
    /// Where lines end at the latest.
    pub horizon: Horizon,
}

/// Where lines of the search end at the latest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Horizon {
    /// At the depth of the iteration.
    Depth,
    /// Also at the end of the searching player's turn: what the others reply is left to the
    /// evaluation.
    Turn,
}

impl Horizon {
    /// Both, by their names in options.
    pub const ALL: [(&'static str, Horizon); 2] =
        [("depth", Horizon::Depth), ("turn", Horizon::Turn)];
}

/// The value of certain victory; 0 is the value of an eliminated player.
pub(super) const WIN: i32 = 30_000;
/// The sum of the weights of a battle's outcomes.
const CERTAIN: f64 = (1 << 24) as f64;

/// A game of Dice Wars on one map, from the point of view of one player.
pub struct LookaheadGame<'a, E> {
    map: &'a Map,
    evaluator: &'a E,
    selection: MoveSelection,
    seat: Seat,
    players: usize,
}

/// A position, and the number of attacks made in the turn since the root.
#[derive(Clone, Copy, Debug)]
pub struct SearchPosition {
    /// The position.
    pub position: Position,
    attacks: u8,
    /// The end of the previous turn, if a turn has just begun.
    ended: Option<TurnEnd>,
}

/// A position in which a player has ended its turn.
#[derive(Clone, Copy, Debug)]
struct TurnEnd {
    key: u64,
    values: Values,
}

impl SearchPosition {
    /// Returns the root of a search.
    pub const fn root(position: Position) -> SearchPosition {
        SearchPosition { position, attacks: 0, ended: None }
    }
}

impl<'a, E: Evaluator> LookaheadGame<'a, E> {
    /// Makes the game for a search of the player to move in `root`.
    pub fn new(
        map: &'a Map,
        evaluator: &'a E,
        selection: MoveSelection,
        root: &Position,
    ) -> LookaheadGame<'a, E> {
        let (seat, players) = (root.to_move(), root.players());
        LookaheadGame { map, evaluator, selection, seat, players }
    }

    /// Returns the number of attacks that the player to move may make in a turn.
    fn most_attacks(&self, node: &SearchPosition) -> u8 {
        match node.position.to_move() == self.seat {
            true => self.selection.attacks,
            false => self.selection.replies,
        }
    }

    fn is_beyond_horizon(&self, position: &Position) -> bool {
        self.selection.horizon == Horizon::Turn && position.to_move() != self.seat
    }

    /// Returns the most promising transfers of the searching player, best first: by its share if
    /// its turn ended after the transfer.
    fn transfers(&self, position: &Position) -> ArrayVec<Promising, { Candidates::MOST }> {
        let width = usize::from(self.selection.transfers).min(Candidates::MOST);
        let mut kept = ArrayVec::new();
        for_each_sensible_transfer(self.map, position, |from, to| {
            let mut after = *position;
            after.transfer(from, to);
            let share = self.evaluator.shares(self.map, &after)[self.seat.index()];
            keep_best(&mut kept, width, (from, to, f64::from(share)));
        });
        kept
    }

    fn end_turn(&self, node: &mut SearchPosition) {
        node.ended = Some(self.turn_end(&node.position));
        node.position.end_turn();
        if !self.selection.draws {
            node.position.reinforce(self.map, &[]);
        }
        node.attacks = 0;
    }

    fn turn_end(&self, position: &Position) -> TurnEnd {
        TurnEnd { key: position_key(position), values: self.judge(position) }
    }

    fn judge(&self, position: &Position) -> Values {
        let shares = self.evaluator.shares(self.map, position);
        // Only certain results have the extreme values.
        shares.map(
            |share| if share > 0.0 { ((share * WIN as f32) as i32).clamp(1, WIN - 1) } else { 0 },
        )
    }

    fn after_battle(
        &self,
        node: &SearchPosition,
        from: Area,
        to: Area,
        won: bool,
    ) -> SearchPosition {
        let mut after = *node;
        after.position.attack(from, to, won);
        after.attacks = after.attacks.saturating_add(1);
        if after.attacks >= self.most_attacks(node) && after.position.stage() == Stage::Action {
            self.end_turn(&mut after);
        }
        after
    }
}

/// Weights of promising moves; equally promising moves are tried in the order of
/// [`Candidates::attacks`].
const ON_SEARCHER: i32 = 4;
const LIKELY: i32 = 2;
const TRANSFER: i32 = 1;
const END_OF_TURN: i32 = 1;

impl<E: Evaluator> MultiplayerGame for LookaheadGame<'_, E> {
    type Position = SearchPosition;
    type Move = Action;

    fn players(&self) -> usize {
        self.players
    }

    #[inline]
    fn actor(&self, node: &SearchPosition) -> Actor {
        match node.position.stage() {
            Stage::Action if self.is_beyond_horizon(&node.position) => Actor::Over,
            Stage::Action => Actor::Player(node.position.to_move().into()),
            Stage::Battle { .. } => Actor::Chance,
            Stage::Reinforcement => Actor::DenseChance,
            Stage::Over(_) => Actor::Over,
        }
    }

    #[inline]
    fn turn(&self, node: &SearchPosition) -> u32 {
        node.position.turns().into()
    }

    fn for_each_move(&self, node: &SearchPosition, mut f: impl FnMut(Action)) {
        // The referee ends the turns of a player that has forfeited.
        let has_forfeited = node.position.place(node.position.to_move()).is_some();
        if !has_forfeited && node.attacks < self.most_attacks(node) {
            let attacks = self.selection.candidates.attacks(self.map, &node.position);
            attacks.into_iter().for_each(|(from, to, _)| f(Action::Attack(from, to)));
        }
        if !has_forfeited && self.selection.transfers > 0 && node.position.to_move() == self.seat {
            let transfers = self.transfers(&node.position);
            transfers.into_iter().for_each(|(from, to, _)| f(Action::Transfer(from, to)));
        }
        f(Action::EndTurn);
    }

    #[inline]
    fn make(&self, node: &SearchPosition, action: Action) -> SearchPosition {
        let mut after = *node;
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
    fn for_each_outcome(&self, node: &SearchPosition, mut f: impl FnMut(u32, SearchPosition)) {
        let Stage::Battle { from, to } = node.position.stage() else { return };
        let chance = win_probability(node.position.dice(from), node.position.dice(to));
        if chance >= 1.0 {
            return f(1, self.after_battle(node, from, to, true));
        }
        let won = (chance * CERTAIN).clamp(1.0, CERTAIN - 1.0) as u32;
        f(won, self.after_battle(node, from, to, true));
        f(CERTAIN as u32 - won, self.after_battle(node, from, to, false));
    }

    #[inline]
    fn sample(&self, node: &SearchPosition, rng: &mut AgentRng) -> SearchPosition {
        let mut after = *node;
        // If the search so decides, the turn ends only now.
        after.ended = node.ended.or_else(|| Some(self.turn_end(&node.position)));
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
    fn value(&self, node: &SearchPosition, player: Player) -> i32 {
        self.values(node)[player.index()]
    }

    #[inline]
    fn values(&self, node: &SearchPosition) -> Values {
        if let Some(outcome) = node.position.outcome() {
            let mut values = Values::default();
            for (value, score) in values.iter_mut().zip(&outcome.scores) {
                *value = (score * f64::from(WIN)) as i32;
            }
            return values;
        }
        // A turn that has just begun would be evaluated as if it were over and without any action,
        // which is too optimistic for all others.
        node.ended.map_or_else(|| self.judge(&node.position), |end| end.values)
    }

    /// The evaluation accounts for the new dice.
    #[inline]
    fn may_judge(&self, node: &SearchPosition) -> bool {
        !matches!(node.position.stage(), Stage::Battle { .. })
    }

    #[inline]
    fn key(&self, node: &SearchPosition) -> u64 {
        let ended = node.ended.map_or(0, |end| end.key.rotate_left(32));
        position_key(&node.position).rotate_left(node.attacks.into()) ^ ended
    }

    #[inline]
    fn move_id(&self, action: Action) -> u32 {
        match action {
            Action::Attack(from, to) => (from.index() << 8 | to.index()) as u32,
            Action::Transfer(from, to) => (1 << 16 | from.index() << 8 | to.index()) as u32,
            Action::EndTurn => 2 << 16,
        }
    }

    /// Orders likely attacks first, then the end of the turn, then other attacks; before all of
    /// them the attacks of others on the searching player.
    #[inline]
    fn promise(&self, node: &SearchPosition, action: Action) -> i32 {
        let position = &node.position;
        let Action::Attack(from, to) = action else {
            return if action == Action::EndTurn { END_OF_TURN } else { TRANSFER };
        };
        let is_likely = win_probability(position.dice(from), position.dice(to)) >= 0.5;
        let is_on_searcher = position.to_move() != self.seat && position.owner(to) == self.seat;
        i32::from(is_likely) * LIKELY + i32::from(is_on_searcher) * ON_SEARCHER
    }

    /// The players in between pass, and their new dice go to their reserves.
    fn hand_over(&self, node: &SearchPosition, player: Player) -> Option<SearchPosition> {
        let seat = Seat::from(player);
        let mut position = node.position;
        if !position.is_on_map(seat) || position.place(seat).is_some() {
            return None;
        }
        while position.to_move() != seat || position.stage() != Stage::Action {
            position.reinforce(self.map, &[]);
            if position.is_over() {
                return None;
            }
        }
        Some(SearchPosition::root(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice_wars::evaluation_cache::Cached;
    use crate::dice_wars::{Hand, Learned};
    use botyard_engine::dice_wars::{Deal, Rules, generate_map};
    use botyard_engine::random::{Stream, below};
    use botyard_search::Limits;
    use botyard_search::multiplayer::{Algorithm, MultiplayerSearcher, Pruning, Settings};

    const SELECTION: MoveSelection = MoveSelection {
        candidates: Candidates { least_chance: 0.2, width: 4 },
        attacks: 64,
        replies: 1,
        transfers: 3,
        draws: false,
        horizon: Horizon::Depth,
    };

    /// Positions of a game played by random moves among the searched ones, with the map.
    fn positions() -> (Map, Vec<Position>) {
        let rules = Rules::preset("sui-2021").unwrap();
        let mut stream = Stream::new(4, "test");
        let map = generate_map(34, stream.rng());
        let deal = Deal::draw(&map, &rules, stream.rng());
        let mut position = Position::start(&rules, &deal, Seat::new(0));
        let mut positions = Vec::new();
        while positions.len() < 120 && !position.is_over() {
            positions.push(position);
            let game = LookaheadGame::new(&map, &Hand, SELECTION, &position);
            let mut moves = Vec::new();
            game.for_each_move(&SearchPosition::root(position), |action| moves.push(action));
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
            let game = LookaheadGame::new(&map, &Hand, SELECTION, position);
            let root = SearchPosition::root(*position);
            game.for_each_move(&root, |action| {
                assert_eq!(position.check(&map, action), Ok(()));
                transfers += usize::from(matches!(action, Action::Transfer(..)));
            });
            let others = game.make(&root, Action::EndTurn);
            if game.actor(&others) == Actor::Player(others.position.to_move().into())
                && others.position.to_move() != position.to_move()
            {
                game.for_each_move(&others, |action| {
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
            let game = LookaheadGame::new(&map, &Hand, SELECTION, position);
            let root = SearchPosition::root(*position);
            let after = game.make(&root, Action::EndTurn);
            if !after.position.is_over() {
                assert_eq!(game.values(&after), game.values(&root));
            }
        }
    }

    #[test]
    fn no_line_goes_beyond_the_horizon_of_the_turn() {
        let (map, positions) = positions();
        for draws in [false, true] {
            let selection = MoveSelection { horizon: Horizon::Turn, draws, ..SELECTION };
            for position in positions.iter().step_by(5) {
                let game = LookaheadGame::new(&map, &Hand, selection, position);
                let root = SearchPosition::root(*position);
                let mut searcher = MultiplayerSearcher::new(Settings::new(Algorithm::MaxN));
                let line = searcher.search(&game, &root, &Limits::depth(3)).line;
                let ends = line.iter().position(|&action| action == Action::EndTurn);
                assert!(ends.is_none_or(|place| place + 1 == line.len()), "{line:?}");
            }
        }
    }

    #[test]
    fn memory_changes_no_judgement() {
        let (map, positions) = positions();
        let mut remembering = Cached::new(Learned::new());
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
                let selection = MoveSelection { draws, ..SELECTION };
                let game = LookaheadGame::new(&map, &Hand, selection, position);
                let value = |pruning| {
                    let settings =
                        Settings { pruning, samples: 2, ..Settings::new(Algorithm::Paranoid) };
                    let mut searcher = MultiplayerSearcher::new(settings);
                    let found =
                        searcher.search(&game, &SearchPosition::root(*position), &Limits::depth(3));
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
