//! The bot `greedy`: plays by a simple rule of thumb per game, without looking ahead.

mod dice_wars;
mod draughts;
mod scotland_yard;

use crate::any_game::{DepthAgent, WITH_KNOWLEDGE};
use botyard_agent::{Agent, AnyGame, Bot, Options};
use botyard_engine::Game;
use botyard_engine::dice_wars::DiceWars;
use botyard_engine::scotland_yard::ScotlandYard;
use botyard_search::Limits;
use botyard_search::multiplayer::Algorithm;

/// The bot's agents: the rule of thumb for a game is its [`botyard_agent::Agent`] for that game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

/// For a game without a rule of thumb: plays an action that wins immediately, if there is one.
struct WinNow;

impl AnyGame for WinNow {
    const EXCEPT: &'static [&'static str] = &WITH_KNOWLEDGE;

    fn agent<G: Game>(_options: &Options) -> Box<dyn Agent<G>> {
        Box::new(DepthAgent::new(Algorithm::MaxN, Limits::depth(1)))
    }
}

/// Returns the bot.
pub fn bot() -> Bot {
    Bot::new("greedy", "a simple rule of thumb for each game, without looking ahead")
        .plays::<ScotlandYard>(|_options| Box::new(Greedy))
        .plays(draughts::agent)
        .plays::<DiceWars>(|_options| Box::new(Greedy))
        .plays_every_game::<WinNow>()
}
