//! A policy for Dice Wars by search: dice move to the border, attacks are searched, and when ending
//! the turn is best, dice leave areas that may fall.

use super::game::{LookaheadGame, MoveSelection, SearchPosition};
use crate::dice_wars::evaluation_cache::Cached;
use crate::dice_wars::{Evaluator, Policy, TurnOrder};
use botyard_agent::AgentRng;
use botyard_engine::dice_wars::{Action, Map, Position};
use botyard_search::Limits;
use botyard_search::Report;
use botyard_search::multiplayer::{MultiplayerSearcher, Settings};

/// A decision, and the search that led to it.
#[derive(Clone, Debug)]
pub struct Decided {
    /// The chosen action.
    pub action: Action,
    /// `None` if there was no search.
    pub report: Option<Report<Action>>,
}

/// Plays by search.
pub struct LookaheadPolicy<E> {
    /// The evaluation.
    evaluator: Cached<E>,
    /// The part of a turn that is searched.
    selection: MoveSelection,
    /// The limits for play as a [`Policy`].
    limits: Limits,
    searcher: MultiplayerSearcher<SearchPosition, Action>,
    turn_order: TurnOrder,
}

impl<E: Evaluator> LookaheadPolicy<E> {
    /// Makes a player with this search; `limits` apply unless a caller gives others.
    pub fn new(
        settings: Settings,
        selection: MoveSelection,
        evaluator: E,
        limits: Limits,
    ) -> LookaheadPolicy<E> {
        let searcher = MultiplayerSearcher::new(settings);
        let evaluator = Cached::new(evaluator);
        LookaheadPolicy { evaluator, selection, limits, searcher, turn_order: TurnOrder::default() }
    }

    /// Decides for the player to move. Random draws follow from `seed`.
    pub fn decide(
        &mut self,
        map: &Map,
        position: &Position,
        limits: &Limits,
        seed: u64,
    ) -> Decided {
        let LookaheadPolicy { evaluator, selection, searcher, turn_order, .. } = self;
        // The table outlives a game, and the next one may be on another map.
        evaluator.begin(map);
        let mut report = None;
        let mut search = || {
            let game = LookaheadGame::new(map, &*evaluator, *selection, position);
            searcher.reseed(seed);
            let found = searcher.search(&game, &SearchPosition::root(*position), limits);
            let best = found.best;
            report = Some(found);
            best
        };
        let action = match selection.transfers {
            0 => turn_order.choose(map, position, search),
            _ => search().unwrap_or(Action::EndTurn),
        };
        Decided { action, report }
    }

    /// Returns the default limits.
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Clears what belongs to one game.
    pub fn forget(&mut self) {
        self.turn_order = TurnOrder::default();
    }
}

impl<E: Evaluator> Policy for LookaheadPolicy<E> {
    fn new_game(&mut self) {
        self.forget();
    }

    fn check(&self, map: &Map, position: &Position) -> Result<(), String> {
        self.evaluator.check(map, position)
    }

    fn choose(&mut self, map: &Map, position: &Position, _rng: &mut AgentRng) -> Action {
        let limits = self.limits;
        self.decide(map, position, &limits, position.turns().into()).action
    }
}
