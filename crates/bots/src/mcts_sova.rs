//! The bot `mcts-sova`: the tree search of the first source, as a baseline. The detectives are one
//! player with joint moves, guess where Mr. X is by random moves from where he was last seen, and
//! search as if they knew; Mr. X does know all.
//!
//! What the source does not say is settled like this: before the first reveal the guess is any
//! station where Mr. X can be; there is one guess a decision; random players choose uniformly among
//! legal moves, on a grid those onto a detective included; and with shaped rewards a node is
//! worth the mean of the sums over its playouts.

use crate::mcts_limits::MctsLimits;
use crate::scotland_yard::WithBoardTables;
use crate::scotland_yard::joint_moves::{JointMctsAgent, JointMove, JointPlay};
use botyard_agent::{Agent, Bot, Options};
use botyard_engine::scotland_yard::ScotlandYard;
use botyard_protocol::OptionSpec;
use botyard_search::mcts::{Settings, TreeSearcher};

/// The source's constant of exploration, with a win worth 1.
const EXPLORATION: f32 = 2.0;
/// Memory of the tree in MiB.
const MEBIBYTES: usize = 256;

/// The bot.
pub fn bot() -> Bot {
    let bot = Bot::new("mcts-sova", "tree search of the first grid source: joint moves, a guess");
    MctsLimits::declare(bot, 0)
        .with_option(
            "reward",
            OptionSpec::Enum {
                values: ["win", "shaped"].map(String::from).to_vec(),
                default: "win".into(),
                about: "what a playout is worth: 1 or 0, or by distances and time".into(),
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
