//! The bot `greedy`: plays by one plain rule of thumb per game, without looking ahead.

mod dice_wars;
mod draughts;
mod scotland_yard;

use crate::any_game::DepthAgent;
use botyard_agent::{Agent, AnyGame, Bot, Options};
use botyard_engine::Game;
use botyard_engine::dice_wars::DiceWars;
use botyard_engine::scotland_yard::ScotlandYard;
use botyard_search::Limits;
use botyard_search::multiplayer::Algorithm;

/// What the bot plays with; the rule of thumb for a game is its [`botyard_agent::Agent`] for that game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

/// In a game without a rule of thumb: win at once where that can be done.
struct WinNow;

impl AnyGame for WinNow {
    fn agent<G: Game>(_options: &Options) -> Box<dyn Agent<G>> {
        Box::new(DepthAgent::new(Algorithm::MaxN, Limits::depth(1)))
    }
}

/// The bot.
pub fn bot() -> Bot {
    Bot::new("greedy", "a plain rule of thumb for each game, no looking ahead")
        .plays_every_game::<WinNow>()
        .plays::<ScotlandYard>(|_options| Box::new(Greedy))
        .plays(draughts::agent)
        .plays::<DiceWars>(|_options| Box::new(Greedy))
}
