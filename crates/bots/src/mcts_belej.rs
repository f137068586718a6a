//! The bot `mcts-belej`: the detectives' tree search of Belej (2015), one tree per detective, as a
//! baseline. As Mr. X it plays like `greedy`, because the source has no Mr. X with a search.
//!
//! Where the source is silent: before each new draw of his station Mr. X makes an evading step from
//! the station drawn last, which shows a ticket; in random playouts all players move at random; one
//! search decides for all detectives of a round.
//!
//! It catches the Mr. X of the source (`evasive`) more often than the source's search did: 59 of 60
//! times with independent playouts at 10,000 iterations, against 81% in the source. A simple rule
//! of thumb (`greedy`) catches him in 95.5% of 400 games, so the cause may be Mr. X or the rules
//! rather than the search. It is not known.

use crate::mcts_limits::MctsLimits;
use crate::scotland_yard::{
    Determinization, MctsAgent, Observation, Percent, Play, PlayoutPolicy, PlayoutSettings, Reward,
    WithBoardTables,
};
use botyard_agent::{Agent, Bot, Options};
use botyard_engine::scotland_yard::ScotlandYard;
use botyard_protocol::OptionSpec;
use botyard_search::mcts::{Final, Settings, TreeSearcher, Trees};

/// The source's number of iterations.
const ITERATIONS: i64 = 10_000;
/// The source's exploration constant.
const EXPLORATION: f32 = 1.0;
/// The source's coalition reduction.
const COALITION: f32 = 0.7;
/// The source's share of random steps in playouts, in percent: of detectives and of Mr. X.
const RANDOM_STEPS: (u8, u8) = (20, 10);
/// The memory of all trees in MiB.
const MEBIBYTES: usize = 256;

/// The playouts of the source.
const PLAYOUTS: [&str; 3] = ["random", "independent", "cooperating"];

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
            "t",
            OptionSpec::Int {
                min: 0,
                max: 1_000_000,
                default: 1,
                about: "visits of a node before UCB1 applies in it; 1 and 50 in the source".into(),
            },
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
            exploration: EXPLORATION,
            min_visits: u32::try_from(options.int("t")).expect("its range is within u32"),
            trees: Trees::PerPlayer,
            final_choice: Final::Visits,
            max_nodes: TreeSearcher::<Observation>::nodes_in(MEBIBYTES),
            ..Settings::default()
        },
        playouts: PlayoutSettings {
            policy,
            detectives_random: Percent::new(RANDOM_STEPS.0),
            mr_x_random: Percent::new(RANDOM_STEPS.1),
            model_mr_x: true,
            branch_by_log: false,
            redraw: true,
            coalition: COALITION,
            decisive: true,
            filter: false,
            reward: Reward::Win,
        },
        determinization: Determinization::Categories,
        opening: true,
        plan: true,
    };
    Box::new(WithBoardTables::new(MctsAgent::new(None, Some(play), MctsLimits::read(options))))
}
