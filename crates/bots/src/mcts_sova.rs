//! The bot `mcts-sova`: the tree search of the first source, as a baseline. The detectives are one
//! player with joint moves, guess Mr. X's station by random moves from where he was last seen, and
//! search as if they knew it; Mr. X knows everything.
//!
//! Where the source is silent: before the first reveal the guess is any possible station of Mr. X;
//! there is one guess per decision; random players choose uniformly among legal moves, on a grid
//! including those onto a detective; and with shaped rewards the value of a node is the mean of the
//! sums over its playouts.

use crate::mcts_limits::MctsLimits;
use crate::scotland_yard::WithBoardTables;
use crate::scotland_yard::joint_moves::{JointMctsAgent, JointMove, JointPlay};
use botyard_agent::{Agent, Bot, Options};
use botyard_engine::scotland_yard::ScotlandYard;
use botyard_protocol::OptionSpec;
use botyard_search::mcts::{Settings, TreeSearcher};

/// The source's exploration constant, with a win worth 1.
const EXPLORATION: f32 = 2.0;
/// The memory of the tree in MiB.
const MEBIBYTES: usize = 256;

/// Returns the bot.
pub fn bot() -> Bot {
    let bot = Bot::new("mcts-sova", "tree search of the first grid source: joint moves, a guess");
    MctsLimits::declare(bot, 0)
        .with_option(
            "reward",
            OptionSpec::Enum {
                values: ["win", "shaped"].map(String::from).to_vec(),
                default: "win".into(),
                about: "value of a playout: 1 or 0, or by distances and time".into(),
            },
        )
        .plays::<ScotlandYard>(agent)
}

fn agent(options: &Options) -> Box<dyn Agent<ScotlandYard>> {
    let play = JointPlay {
        settings: Settings {
            exploration: EXPLORATION,
            max_nodes: TreeSearcher::<JointMove>::nodes_in(MEBIBYTES),
            ..Settings::default()
        },
        shaped: options.text("reward") == "shaped",
    };
    Box::new(WithBoardTables::new(JointMctsAgent::new(play, MctsLimits::read(options))))
}
