//! The bot `random`: a uniformly random legal action, in every game. The baseline that every other
//! bot must beat, and the fastest one, for measuring everything else.

use botyard_agent::{
    Agent, AgentRng, AnyGame, Bot, Choice, Decision, JsonAgent, JsonDecision, Options, TurnError,
};
use botyard_engine::{Game, random};
use serde_json::value::RawValue;

/// Plays a uniformly random legal action. It ignores the view if it gets a list.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl<G: Game> Agent<G> for Random {
    fn choose(
        &mut self,
        _game: &G,
        turn: &Decision<'_, G>,
        rng: &mut AgentRng,
    ) -> Result<Choice<G::Action>, TurnError> {
        let action = random::choose(rng, turn.legal()?);
        Ok((*action.expect("a legal list that was read is not empty")).into())
    }
}

impl JsonAgent for Random {
    fn choose(
        &mut self,
        turn: &JsonDecision<'_>,
        rng: &mut AgentRng,
    ) -> Result<Choice<Box<RawValue>>, TurnError> {
        let legal = turn.legal()?;
        let action = random::choose(rng, &legal).expect("a legal list that was read is not empty");
        Ok((*action).to_owned().into())
    }
}

impl AnyGame for Random {
    fn agent<G: Game>(_options: &Options) -> Box<dyn Agent<G>> {
        Box::new(Random)
    }
}

/// Returns the bot.
pub fn bot() -> Bot {
    Bot::new("random", "a uniformly random legal action")
        .plays_every_game::<Random>()
        .plays_other_games(|_| Ok(Box::new(Random)))
}
