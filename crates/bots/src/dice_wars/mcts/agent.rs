//! Tree search as a bot's [`Agent`] for Dice Wars, and as a [`Policy`]: dice move to the border,
//! attacks are searched, and when ending the turn is best, dice leave areas that may fall.

use super::simulation::{DiceWarsSimulation, Event, PlayoutSettings};
use crate::dice_wars::lookahead::DECISIONS_TO_COME;
use crate::dice_wars::{Evaluator, Policy, TurnOrder};
use crate::mcts_info::info;
use crate::mcts_limits::MctsLimits;
use botyard_agent::{Agent, AgentRng, Choice, Decision, TurnError};
use botyard_engine::Seat;
use botyard_engine::dice_wars::{Action, DiceWars, Map, Position};
use botyard_search::mcts::{Settings, TreeSearcher};
use botyard_search::{Limits, Report};
use serde_json::Value;

/// Plays by tree search with a number of iterations per decision.
pub struct MctsPolicy<E> {
    evaluator: E,
    playouts: PlayoutSettings,
    limits: Limits,
    search: TreeSearcher<Event>,
    turn_order: TurnOrder,
}

impl<E: Evaluator + Sync> MctsPolicy<E> {
    /// Makes a player with this search; `limits` apply unless a caller gives others.
    pub fn new(
        settings: Settings,
        playouts: PlayoutSettings,
        evaluator: E,
        limits: Limits,
    ) -> MctsPolicy<E> {
        let search = TreeSearcher::new(settings);
        MctsPolicy { evaluator, playouts, limits, search, turn_order: TurnOrder::default() }
    }

    /// Decides for the player to move; also returns the search that led to the decision, if any.
    pub fn decide(
        &mut self,
        map: &Map,
        position: &Position,
        limits: &Limits,
        rng: &mut AgentRng,
    ) -> (Action, Option<Report<Action, f64>>) {
        let MctsPolicy { evaluator, playouts, search, turn_order, .. } = self;
        let mut report = None;
        let action = turn_order.choose(map, position, || {
            let game = DiceWarsSimulation::new(map, &*evaluator, *playouts, *position);
            let found = search.search(&game, limits, rng);
            let best = found.best;
            report = Some(found);
            best
        });
        (action, report)
    }
}

impl<E: Evaluator + Sync> Policy for MctsPolicy<E> {
    fn new_game(&mut self) {
        self.turn_order = TurnOrder::default();
    }

    fn choose(&mut self, map: &Map, position: &Position, rng: &mut AgentRng) -> Action {
        let limits = self.limits;
        self.decide(map, position, &limits, rng).0
    }
}

/// A [`MctsPolicy`] limited by the clock.
pub struct MctsAgent<E> {
    policy: MctsPolicy<E>,
    limits: MctsLimits,
}

impl<E: Evaluator + Sync> MctsAgent<E> {
    /// Makes an agent of a policy that is limited by its time.
    pub const fn new(policy: MctsPolicy<E>, limits: MctsLimits) -> MctsAgent<E> {
        MctsAgent { policy, limits }
    }
}

impl<E: Evaluator + Send + Sync> Agent<DiceWars> for MctsAgent<E> {
    fn new_game(&mut self, _game: &DiceWars, _you: &[Seat]) {
        self.policy.new_game();
    }

    fn choose(
        &mut self,
        _game: &DiceWars,
        turn: &Decision<'_, DiceWars>,
        rng: &mut AgentRng,
    ) -> Result<Choice<Action>, TurnError> {
        let state = turn.possible_state(rng)?;
        let limits = self.limits.of(turn.budget(), DECISIONS_TO_COME);
        let (action, report) = self.policy.decide(state.map(), state.position(), &limits, rng);
        let json = |action: &Action| serde_json::to_value(action).unwrap_or(Value::Null);
        Ok(match report {
            Some(report) => Choice::with_info(action, info(&report, json)),
            None => action.into(),
        })
    }
}
