//! A complete bot for every game: it looks one action ahead, takes an action that ends the game
//! with the most points, and plays at random if there is none.
//!
//! `cargo build -p botyard-agent --example one_ply`, then
//! `botyard match draughts target/debug/examples/one_ply random`

use botyard_agent::{Agent, AgentRng, AnyGame, Bot, Choice, Decision, Options, TurnError, program};
use botyard_engine::random::choose;
use botyard_engine::{Game, Turn};
use botyard_protocol::{Info, OptionSpec};
use std::process::ExitCode;

/// Creates an agent for any game.
struct OnePly;

impl AnyGame for OnePly {
    fn agent<G: Game>(options: &Options) -> Box<dyn Agent<G>> {
        Box::new(Player { looks: options.bool("look") })
    }
}

/// The agent of one game, without memory.
struct Player {
    /// Whether it looks one action ahead.
    looks: bool,
}

impl<G: Game> Agent<G> for Player {
    fn choose(
        &mut self,
        game: &G,
        turn: &Decision<'_, G>,
        rng: &mut AgentRng,
    ) -> Result<Choice<G::Action>, TurnError> {
        let legal = turn.legal()?;
        let mut best: Vec<G::Action> = Vec::new();
        let mut most = 0.0;
        if self.looks {
            // The hidden parts are drawn at random.
            let state = turn.possible_state(rng)?;
            for &action in legal {
                let mut after = state.clone();
                game.apply(&mut after, action);
                if game.turn(&after) != Turn::Over {
                    continue;
                }
                let points =
                    game.outcome(&after).map_or(0.0, |end| end.scores[turn.seat().index()]);
                if points > most {
                    (most, best) = (points, Vec::new());
                }
                if points == most && points > 0.0 {
                    best.push(action);
                }
            }
        }
        let candidates = if best.is_empty() { legal } else { &best };
        let action = *choose(rng, candidates).expect("the list of legal actions is never empty");
        let text = format!("{} of {} actions considered", candidates.len(), legal.len());
        Ok(Choice::with_info(action, Info { text: Some(text), ..Info::default() }))
    }
}

fn main() -> ExitCode {
    let look = OptionSpec::Bool { default: true, about: "look one action ahead".into() };
    let bot = Bot::new("one-ply", "wins if one action is enough, otherwise plays at random")
        .with_option("look", look)
        .plays_every_game::<OnePly>();
    program::main(&bot)
}
