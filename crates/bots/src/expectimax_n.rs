//! The bot `expectimax-n`: Max-N with chance nodes for battles and new dice.

use crate::dice_wars::lookahead::options::{self as lookahead, Defaults};
use crate::dice_wars::lookahead::{Candidates, Horizon, MoveSelection};
use crate::max_n::{declare_limits, limits};
use botyard_agent::{Agent, Bot, Options};
use botyard_engine::dice_wars::DiceWars;
use botyard_search::multiplayer::{Algorithm, Settings};

const USUAL: Defaults = Defaults {
    selection: MoveSelection {
        candidates: Candidates { least_chance: 0.2, width: 5 },
        attacks: 64,
        replies: 1,
        transfers: 4,
        draws: false,
        horizon: Horizon::Depth,
    },
    settings: Settings::new(Algorithm::MaxN),
    evaluator: "learned",
};

/// Returns the bot.
pub fn bot() -> Bot {
    let bot = Bot::new("expectimax-n", "Max-N with chance nodes: outcomes weighted by probability");
    lookahead::declare(declare_limits(bot), &USUAL).plays_if::<DiceWars>(dice_wars)
}

fn dice_wars(options: &Options) -> Result<Box<dyn Agent<DiceWars>>, String> {
    lookahead::agent(options, &USUAL, USUAL.settings, (limits(options), None))
}
