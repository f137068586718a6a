//! The rule of thumb at Dice Wars: the action that looks best if the turn ended right after it, by
//! the simple evaluation [`Hand`].

use super::Greedy;
use crate::dice_wars::{Hand, PlanLimits, Planner, Planning};
use botyard_agent::{Agent, AgentRng, Choice, Decision, TurnError};
use botyard_engine::dice_wars::{Action, DiceWars};

const ONE_ACTION: PlanLimits = PlanLimits { depth: 1, nodes: u64::MAX, deadline: None };

impl Agent<DiceWars> for Greedy {
    fn choose(
        &mut self,
        _game: &DiceWars,
        turn: &Decision<'_, DiceWars>,
        rng: &mut AgentRng,
    ) -> Result<Choice<Action>, TurnError> {
        let state = turn.possible_state(rng)?;
        let mut planner = Planner::new(Planning::default(), Hand);
        Ok(planner.plan(state.map(), state.position(), &ONE_ACTION).action.into())
    }
}
