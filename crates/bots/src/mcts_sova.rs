//! The bot `mcts-sova`: the tree search of Sova 2021 (5.2, 5.3), as a baseline. The detectives are
//! one player with joint moves, guess Mr. X's station once per decision (5.2.1) by random moves from
//! where he was last seen, and search as if they knew it; Mr. X knows everything.
//!
//! Options are the readings of the text. Where it is silent: before the first reveal the guess is
//! any possible station of Mr. X; random players choose uniformly among legal moves, on a grid
//! including those onto a detective, which is Mr. X's loss (5.2.3).

use crate::mcts_limits::MctsLimits;
use crate::scotland_yard::WithBoardTables;
use crate::scotland_yard::joint_moves::{
    JointMctsAgent, JointMove, JointPlay, RoundSearch, RoundSettings,
};
use botyard_agent::{Agent, Bot, Options};
use botyard_engine::scotland_yard::ScotlandYard;
use botyard_protocol::OptionSpec;
use botyard_search::mcts::{Settings, TreeSearcher};

/// The exploration constant of the thesis (5.2), with a win worth 1.
const EXPLORATION: f32 = 2.0;
/// The memory of the tree in MiB.
const MEBIBYTES: usize = 256;

/// Returns the bot.
pub fn bot() -> Bot {
    let bot = Bot::new("mcts-sova", "tree search of Sova 2021: joint moves, a guess");
    let choice = |values: &[&str], about: &str| OptionSpec::Enum {
        values: values.iter().map(|&value| value.into()).collect(),
        default: values[0].into(),
        about: about.into(),
    };
    MctsLimits::declare(bot, 0)
        .with_option(
            "node",
            choice(&["round", "ply"], "a move of both sides with one value, or of one side"),
        )
        .with_option(
            "captures",
            choice(&["playout", "tree"], "with rounds: noticed in playouts, or also in the tree"),
        )
        .with_option(
            "guess",
            choice(
                &["walk", "possible"],
                "Mr. X's station: by a random walk, or by one that ends where he can be",
            ),
        )
        .with_option(
            "unseen",
            choice(
                &["search", "random"],
                "before the first reveal: a search from any possible station, or random moves",
            ),
        )
        .with_option(
            "steps",
            OptionSpec::Int {
                min: 0,
                max: 1_000_000_000,
                default: 0,
                about: "with rounds: simulated rounds a move, in place of iterations and time; 0: no such limit".into(),
            },
        )
        .with_option(
            "reward",
            choice(
                &["win", "shaped", "shaped-mean"],
                "value of a playout: 1 or 0, or by distances and time, as a sum or mean per node",
            ),
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
        possible: options.text("guess") == "possible",
        random_unseen: options.text("unseen") == "random",
        shaped: options.text("reward") != "win",
        rounds: (options.text("node") == "round").then(|| RoundSettings {
            exploration: EXPLORATION.into(),
            steps: u64::try_from(options.int("steps")).unwrap_or_default(),
            tree_captures: options.text("captures") == "tree",
            mean: options.text("reward") == "shaped-mean",
            max_nodes: (MEBIBYTES << 20) / RoundSearch::NODE_BYTES,
        }),
    };
    Box::new(WithBoardTables::new(JointMctsAgent::new(play, MctsLimits::read(options))))
}
