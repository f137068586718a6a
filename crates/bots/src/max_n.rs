//! The bot `max-n`: every player maximizes its own result, in every game. In draughts that is
//! minimax; in Scotland Yard Mr. X and each detective are separate players; in Dice Wars battles
//! have their likelier outcome, unless the option `luck` is set.

use crate::any_game::{DepthAgent, WITH_KNOWLEDGE};
use crate::dice_wars::lookahead::options::{self as lookahead, Defaults};
use crate::dice_wars::lookahead::{Candidates, Horizon, MoveSelection};
use crate::draughts::{self, Learned};
use crate::scotland_yard::{WithBoardTables, max_n as yard};
use botyard_agent::{Agent, AnyGame, Bot, Options};
use botyard_engine::Game;
use botyard_engine::dice_wars::DiceWars;
use botyard_engine::draughts::Draughts;
use botyard_engine::scotland_yard::ScotlandYard;
use botyard_protocol::OptionSpec;
use botyard_search::Limits;
use botyard_search::multiplayer::{Algorithm, Luck, Settings};
use botyard_search::value::MOST_PLIES;

/// The evaluation of draughts is a multiple of this; a man is 100.
const GRAIN: i32 = 4;

const USUAL: Defaults = Defaults {
    selection: MoveSelection {
        candidates: Candidates { least_chance: 0.2, width: 6 },
        attacks: 64,
        replies: 1,
        transfers: 4,
        draws: false,
        horizon: Horizon::Depth,
    },
    settings: Settings { luck: Luck::Likeliest, ..Settings::new(Algorithm::MaxN) },
    evaluator: "learned",
};

/// Returns the bot.
pub fn bot() -> Bot {
    let number =
        |min, max, default, about: &str| OptionSpec::Int { min, max, default, about: about.into() };
    let bot = Bot::new("max-n", "Max-N: every player maximizes its own result");
    let bot = declare_limits(bot).with_option_at::<ScotlandYard>(
        "determinizations",
        number(1, 256, 8, "number of stations drawn per decision"),
    );
    lookahead::declare(bot, &USUAL)
        .plays::<ScotlandYard>(scotland_yard)
        .plays::<Draughts>(draughts)
        .plays_if::<DiceWars>(dice_wars)
        .plays_every_game::<RulesAlone>()
}

/// Adds the options for depth and nodes that bots with this search have.
pub(crate) fn declare_limits(bot: Bot) -> Bot {
    let number =
        |max, about: &str| OptionSpec::Int { min: 0, max, default: 0, about: about.into() };
    bot.with_option(
        "depth",
        number(100, "moves to search (in turns: unit=turns); 0 for as many as the time allows"),
    )
    .with_option(
        "nodes",
        number(1 << 40, "positions to visit for a move; 0 for as many as the time allows"),
    )
}

/// Reads these options.
pub(crate) fn limits(options: &Options) -> Limits {
    let positive = |name| u64::try_from(options.int(name)).ok().filter(|&number| number > 0);
    let depth = positive("depth").and_then(|depth| u32::try_from(depth).ok());
    Limits {
        nodes: positive("nodes").unwrap_or(u64::MAX),
        ..Limits::depth(depth.unwrap_or(MOST_PLIES))
    }
}

/// Plays without knowledge of the game.
struct RulesAlone;

impl AnyGame for RulesAlone {
    const EXCEPT: &'static [&'static str] = &WITH_KNOWLEDGE;

    fn agent<G: Game>(options: &Options) -> Box<dyn Agent<G>> {
        Box::new(DepthAgent::new(Algorithm::MaxN, limits(options)))
    }
}

fn draughts(options: &Options) -> Box<dyn Agent<Draughts>> {
    Box::new(draughts::MaxNAgent::new(Learned::new(GRAIN), limits(options)))
}

fn scotland_yard(options: &Options) -> Box<dyn Agent<ScotlandYard>> {
    let drawn = usize::try_from(options.int("determinizations")).unwrap_or(1);
    Box::new(WithBoardTables::new(yard::MaxNAgent::new(limits(options), drawn)))
}

fn dice_wars(options: &Options) -> Result<Box<dyn Agent<DiceWars>>, String> {
    lookahead::agent(options, &USUAL, USUAL.settings, (limits(options), None))
}
