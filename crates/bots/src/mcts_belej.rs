//! The bot `mcts-belej`: the detectives' tree search of Belej (2015), one tree per detective, as a
//! baseline. As Mr. X it plays like `greedy`, because the thesis has no Mr. X with a search.
//!
//! In random playouts all players move at random (3.3.3), and one search decides for all detectives of a round (5.2).
//! Options are readings of the text. It describes Mr. X's moves for the simulation alone (3.3.3), and its trees are of
//! the detectives' stations, so that by default he stands at the station that was drawn until the playout begins
//! (`mr-x=stands`). Its figures agree with this reading alone: with `mr-x=moves`, which evades in the trees too, the
//! evasive Mr. X escapes from 4 of 250 searches with random playouts, instead of 29%. A detective always steps onto a
//! possible station of Mr. X if it can (4.4): in the trees too, or with `decisive=choice` after the search alone. Its
//! first two moves stand in a table that the thesis does not print (4.4): ours are computed (`opening=hubs`), and with
//! `opening=random` an experiment shows how much they matter.

use crate::mcts_limits::MctsLimits;
use crate::scotland_yard::{
    Determinization, Evasion, MctsAgent, Observation, Opening, Percent, Play, PlayoutPolicy,
    PlayoutSettings, Reward, WithBoardTables,
};
use botyard_agent::{Agent, Bot, Options};
use botyard_engine::scotland_yard::ScotlandYard;
use botyard_protocol::OptionSpec;
use botyard_search::mcts::{Final, Settings, TreeSearcher, Trees};

/// Belej's number of iterations.
const ITERATIONS: i64 = 10_000;
/// Belej's exploration constant.
const EXPLORATION: f64 = 1.0;
/// Belej's coalition reduction.
const COALITION: f64 = 0.7;
/// Belej's share of random steps of detectives in playouts, in percent.
const RANDOM_STEPS: u8 = 20;
/// The memory of all trees in MiB.
const MEBIBYTES: usize = 256;

/// The playouts of Belej.
const PLAYOUTS: [&str; 3] = ["random", "independent", "cooperating"];

/// What Mr. X does while the trees are descended; the first is the default.
const MR_X_IN_TREES: [&str; 2] = ["stands", "moves"];

/// How the detectives open; the first is the default.
const OPENINGS: [&str; 2] = ["hubs", "random"];

/// Where a detective steps onto a possible station of Mr. X whenever it can; the first is the default.
const DECISIVE: [&str; 2] = ["trees", "choice"];

fn constant(min: f64, max: f64, default: f64, about: &str) -> OptionSpec {
    OptionSpec::Float { min, max, default, about: about.into() }
}

/// Returns the bot.
pub fn bot() -> Bot {
    let bot = Bot::new("mcts-belej", "detectives of Belej (2015): one tree per detective");
    MctsLimits::declare(bot, ITERATIONS)
        .with_option(
            "playout",
            OptionSpec::Enum {
                values: PLAYOUTS.map(String::from).to_vec(),
                default: "cooperating".into(),
                about: "playout policy of the detectives".into(),
            },
        )
        .with_option(
            "mr-x",
            OptionSpec::Enum {
                values: MR_X_IN_TREES.map(String::from).to_vec(),
                default: MR_X_IN_TREES[0].into(),
                about: "Mr. X while the trees are descended: stands where he was drawn, or moves as in playouts".into(),
            },
        )
        .with_option(
            "decisive",
            OptionSpec::Enum {
                values: DECISIVE.map(String::from).to_vec(),
                default: DECISIVE[0].into(),
                about: "steps onto possible stations of Mr. X come first: in the trees, or in the choice of a move alone, at random".into(),
            },
        )
        .with_option(
            "opening",
            OptionSpec::Enum {
                values: OPENINGS.map(String::from).to_vec(),
                default: OPENINGS[0].into(),
                about: "first two moves: towards stations where many lines meet, or random; Belej (2015) has a table".into(),
            },
        )
        .with_option(
            "t",
            OptionSpec::Int {
                min: 1,
                max: 1_000_000,
                default: 1,
                about: "visits of a node before it gets children; 1 and 50 in Belej (2015)".into(),
            },
        )
        .with_option("c", constant(0.0, 10.0, EXPLORATION, "exploration constant of UCB1; Belej (2015) tried 0.5 to 3"))
        .with_option(
            "r",
            constant(0.0, 1.0, COALITION, "coalition reduction: what a capture by another loses; Belej (2015) tried 0.4 to 1"),
        )
        .plays::<ScotlandYard>(agent)
}

fn agent(options: &Options) -> Box<dyn Agent<ScotlandYard>> {
    let policy = PlayoutPolicy::ALL
        .into_iter()
        .find(|(name, _)| *name == options.text("playout"))
        .map_or(PlayoutPolicy::Cooperating, |(_, policy)| policy);
    let play = Play {
        settings: Settings {
            exploration: options.float("c") as f32,
            // A node with T visits gets its first child at the next.
            expand_at: u32::try_from(options.int("t")).expect("its range is within u32") + 1,
            trees: Trees::PerPlayer,
            final_choice: Final::Visits,
            max_nodes: TreeSearcher::<Observation>::nodes_in(MEBIBYTES),
            ..Settings::default()
        },
        playouts: PlayoutSettings {
            policy,
            detectives_random: Percent::new(RANDOM_STEPS),
            evasion: Evasion::BELEJ,
            stands_in_tree: options.text("mr-x") == MR_X_IN_TREES[0],
            model_mr_x: true,
            branch_by_log: false,
            redraw: true,
            coalition: options.float("r") as f32,
            decisive: options.text("decisive") == DECISIVE[0],
            filter: false,
            reward: Reward::Win,
        },
        determinization: Determinization::Categories,
        opening: match options.text("opening") == OPENINGS[0] {
            true => Opening::Hubs,
            false => Opening::Random,
        },
        plan: true,
        decisive: options.text("decisive") == DECISIVE[1],
    };
    Box::new(WithBoardTables::new(MctsAgent::new(None, Some(play), MctsLimits::read(options))))
}
