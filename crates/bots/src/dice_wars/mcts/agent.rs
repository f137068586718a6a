//! Tree search as a bot's [`Agent`] for Dice Wars, and as a [`Policy`]: dice go to the border, attacks
//! are searched for, and when the end of the turn is best dice leave areas that may fall.

use super::campaign::{Campaign, Conduct, Event};
use crate::dice_wars::lookahead::DECISIONS_TO_COME;
use crate::dice_wars::{Evaluator, Policy, Tempo};
use crate::mcts_info::info;
use crate::mcts_limits::MctsLimits;
use botyard_agent::{Agent, AgentRng, Choice, Decision, TurnError};
use botyard_engine::Seat;
use botyard_engine::dice_wars::{Action, DiceWars, Map, Position};
use botyard_search::mcts::{Settings, TreeSearcher};
use botyard_search::{Limits, Report};
use serde_json::Value;

/// Plays by tree search, so many iterations a decision.
pub struct CampaignPolicy<E> {
    evaluator: E,
    conduct: Conduct,
    limits: Limits,
    search: TreeSearcher<Event>,
    tempo: Tempo,
}

impl<E: Evaluator + Sync> CampaignPolicy<E> {
    /// A player that searches like this, within these limits where nobody names others.
    pub fn new(
        settings: Settings,
        conduct: Conduct,
        evaluator: E,
        limits: Limits,
    ) -> CampaignPolicy<E> {
        let search = TreeSearcher::new(settings);
        CampaignPolicy { evaluator, conduct, limits, search, tempo: Tempo::default() }
    }

    /// What the player to move should do, and the search that led to it where there was one.
    pub fn decide(
        &mut self,
        map: &Map,
        position: &Position,
        limits: &Limits,
        rng: &mut AgentRng,
    ) -> (Action, Option<Report<Action, f64>>) {
        let CampaignPolicy { evaluator, conduct, search, tempo, .. } = self;
        let mut report = None;
        let action = tempo.choose(map, position, || {
            let campaign = Campaign::new(map, &*evaluator, *conduct, *position);
            let found = search.search(&campaign, limits, rng);
            let best = found.best;
            report = Some(found);
            best
        });
        (action, report)
    }
}

impl<E: Evaluator + Sync> Policy for CampaignPolicy<E> {
    fn new_game(&mut self) {
        self.tempo = Tempo::default();
    }

    fn choose(&mut self, map: &Map, position: &Position, rng: &mut AgentRng) -> Action {
        let limits = self.limits;
        self.decide(map, position, &limits, rng).0
    }
}

/// A [`CampaignPolicy`] with an eye on the clock.
pub struct CampaignAgent<E> {
    policy: CampaignPolicy<E>,
    limits: MctsLimits,
}

impl<E: Evaluator + Sync> CampaignAgent<E> {
    /// An agent that plays like this within its time.
    pub const fn new(policy: CampaignPolicy<E>, limits: MctsLimits) -> CampaignAgent<E> {
        CampaignAgent { policy, limits }
    }
}

impl<E: Evaluator + Send + Sync> Agent<DiceWars> for CampaignAgent<E> {
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
