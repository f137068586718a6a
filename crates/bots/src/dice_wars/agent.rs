//! A [`Policy`] as a bot's [`Agent`].

use super::policy::Policy;
use botyard_agent::{Agent, AgentRng, Choice, Decision, TurnError};
use botyard_engine::Seat;
use botyard_engine::dice_wars::{Action, DiceWars};

/// Plays by its policy, without regard to the clock.
#[derive(Clone, Debug)]
pub struct PolicyAgent<P>(pub P);

impl<P: Policy + Send> Agent<DiceWars> for PolicyAgent<P> {
    fn new_game(&mut self, _game: &DiceWars, _you: &[Seat]) {
        self.0.new_game();
    }

    fn choose(
        &mut self,
        _game: &DiceWars,
        turn: &Decision<'_, DiceWars>,
        rng: &mut AgentRng,
    ) -> Result<Choice<Action>, TurnError> {
        let state = turn.possible_state(rng)?;
        self.0.check(state.map(), state.position()).map_err(|reason| turn.no_choice(reason))?;
        Ok(self.0.choose(state.map(), state.position(), rng).into())
    }
}
