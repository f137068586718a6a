//! Plays a random legal action: it knows no rules, and takes the list that the referee sends.

use botyard_agent::{
    AgentRng, Bot, Choice, JsonAgent, JsonDecision, RawValue, TurnError, program,
};
use botyard_engine::random::choose;
use std::process::ExitCode;

struct Player;

impl JsonAgent for Player {
    fn choose(
        &mut self,
        turn: &JsonDecision<'_>,
        rng: &mut AgentRng,
    ) -> Result<Choice<Box<RawValue>>, TurnError> {
        // `turn.view()` is all that the seat may know.
        let legal = turn.legal()?;
        let action = choose(rng, &legal).ok_or_else(|| turn.no_choice("nothing is legal"))?;
        Ok((*action).to_owned().into())
    }
}

fn main() -> ExitCode {
    let bot = Bot::new("{{name}}", "plays a random legal action");
    program::main(&bot.plays_other_games(|_| Ok(Box::new(Player))))
}
