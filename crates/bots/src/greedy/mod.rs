//! The bot `greedy`: plays by one plain rule of thumb per game, without looking ahead.

mod dice_wars;
mod draughts;
mod scotland_yard;

use botyard_agent::Bot;
use botyard_engine::dice_wars::DiceWars;
use botyard_engine::scotland_yard::ScotlandYard;

/// What the bot plays with; the rule of thumb for a game is its [`botyard_agent::Agent`] for that game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

/// The bot.
pub fn bot() -> Bot {
    Bot::new("greedy", "a plain rule of thumb for each game, no looking ahead")
        .plays::<ScotlandYard>(|_options| Box::new(Greedy))
        .plays(draughts::agent)
        .plays::<DiceWars>(|_options| Box::new(Greedy))
}
