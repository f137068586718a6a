//! The bot `mcts`: Monte Carlo tree search, with knowledge of Scotland Yard for either side, and
//! with short, evaluated playouts in draughts and Dice Wars. The variations in the literature are
//! options for research; the defaults are the best settings found. Parts that only the baseline of
//! Belej (2015) has are constants of [`crate::mcts_belej`].

use crate::any_game;
use crate::dice_wars::lookahead::Candidates;
use crate::dice_wars::{Hand, mcts as tree};
use crate::draughts::{Learned, PlayoutAgent};
use crate::mcts_limits::MctsLimits;
use crate::model_agent::ModelAgent;
use crate::scotland_yard::{
    Cutoffs, Determinization, Evasion, MctsAgent, Network, Observation, Opening, Percent, Play,
    PlayoutPolicy, PlayoutSettings, Reward, WithBoardTables,
};
use crate::weights_option;
use botyard_agent::{Agent, AnyGame, Bot, JsonAgent, Options};
use botyard_engine::Game;
use botyard_engine::dice_wars::DiceWars;
use botyard_engine::draughts::Draughts;
use botyard_engine::scotland_yard::{ScotlandYard, Side};
use botyard_protocol::OptionSpec;
use botyard_search::Limits;
use botyard_search::mcts::{Final, Happened, Settings, TreeSearcher};

/// The value of an option that has another default for each side or game.
const BEST: &str = "best";

/// Returns the bot.
pub fn bot() -> Bot {
    let bot = Bot::new("mcts", "Monte Carlo tree search; with knowledge of Scotland Yard");
    declare(MctsLimits::declare(bot, 0))
        .plays_if::<ScotlandYard>(scotland_yard)
        .plays::<Draughts>(draughts)
        .plays::<DiceWars>(dice_wars)
        .plays_every_game::<RulesAlone>()
        .plays_other_games(other_game)
        .with_models()
}

/// Makes an agent for one game whose rules are a program.
///
/// # Errors
///
/// None: it is a maker of [`Bot::plays_other_games`].
pub(crate) fn other_game(options: &Options) -> Result<Box<dyn JsonAgent>, String> {
    let settings = settings(options, ModelAgent::positions_in);
    Ok(Box::new(ModelAgent::new(settings, MctsLimits::read(options))))
}

/// Returns the values of an option that is one of several names.
fn names<T>(all: &[(&str, T)]) -> Vec<String> {
    all.iter().map(|(name, _)| (*name).to_owned()).collect()
}

/// Returns [`BEST`] and these names.
fn best_or<T>(all: &[(&str, T)]) -> Vec<String> {
    std::iter::once(BEST.to_owned()).chain(names(all)).collect()
}

fn choice(values: Vec<String>, default: &str, about: &str) -> OptionSpec {
    OptionSpec::Enum { values, default: default.into(), about: about.into() }
}

fn flag(default: bool, about: &str) -> OptionSpec {
    OptionSpec::Bool { default, about: about.into() }
}

fn float(min: f64, max: f64, default: f64, about: &str) -> OptionSpec {
    OptionSpec::Float { min, max, default, about: about.into() }
}

fn int(min: i64, max: i64, default: i64, about: &str) -> OptionSpec {
    OptionSpec::Int { min, max, default, about: about.into() }
}

fn declare(bot: Bot) -> Bot {
    bot.with_option(
        "c",
        float(0.0, 10.0, 0.4, "exploration constant of UCB1, for rewards from 0 to 1"),
    )
    .with_option(
        "tree",
        choice(
            names(&TREES),
            TREES[0].0,
            "uct: the tree grows by a node with each playout; flat: playouts after each action, without a tree",
        ),
    )
    .with_option("prior", float(0.0, 100.0, 1.0, "weight of the priors of actions"))
    .with_option("final", choice(names(&Final::ALL), "visits", "selection of the played action"))
    .with_option(
        "margin",
        float(
            0.0,
            1.0,
            0.0,
            "margin of mistakes: the action is drawn among those whose mean reward is at most this \
             much lower",
        ),
    )
    .with_option("threads", int(1, 64, 1, "threads, each with its own trees"))
    .with_option("memory-mb", int(1, 65_536, 256, "memory of all trees in MiB"))
    .with_option_at::<ScotlandYard>(
        "playout",
        choice(best_or(&PlayoutPolicy::ALL), BEST, "playout policy of the detectives"),
    )
    .with_option_at::<ScotlandYard>(
        "determinization",
        choice(
            names(&Determinization::ALL),
            "learned",
            "distribution of Mr. X's drawn station",
        ),
    )
    .with_option_at::<ScotlandYard>(
        "model",
        flag(
            false,
            "detectives model Mr. X by the playout policy; otherwise their tree searches for him too",
        ),
    )
    .with_option_at::<ScotlandYard>(
        "coalition",
        float(0.0, 1.0, 0.0, "discount of a capture for detectives who did not make it"),
    )
    .with_option_at::<ScotlandYard>(
        "filter",
        flag(false, "leave out actions of Mr. X that waste black and double tickets"),
    )
    .with_option_at::<ScotlandYard>(
        "reward",
        choice(
            best_or(&Reward::ALL),
            BEST,
            "value of a playout: 1 or 0, or shaped by the time of the capture; best: win for Mr. X, \
             and for the detectives on London, where a network judges playouts, otherwise shaped",
        ),
    )
    .with_option_at::<ScotlandYard>(
        "cutoff",
        choice(
            names(&CUTOFFS),
            "0",
            "rounds after which a learned network judges a playout, none to play to the end",
        ),
    )
    .with_option_at::<ScotlandYard>(
        "eval",
        OptionSpec::Text {
            default: LEARNED.into(),
            about: "network of cutoff: learned, with built-in weights, or a file of weights of \
                    `botyard train scotland-yard fit`"
                .into(),
        },
    )
    .for_research(&RESEARCH)
}

/// The visit at which a node gets children, by the kind of tree; the first is the default.
const TREES: [(&str, u32); 2] = [("uct", 2), ("flat", u32::MAX)];

/// The number of rounds after which playouts are cut off.
const CUTOFFS: [(&str, Option<u16>); 7] = [
    ("none", None),
    ("0", Some(0)),
    ("1", Some(1)),
    ("2", Some(2)),
    ("3", Some(3)),
    ("4", Some(4)),
    ("6", Some(6)),
];

/// The value of `eval` for the built-in weights.
const LEARNED: &str = "learned";

/// The options that exist to compare the variations in the literature.
const RESEARCH: [&str; 10] = [
    "prior",
    "final",
    "playout",
    "determinization",
    "model",
    "coalition",
    "filter",
    "reward",
    "cutoff",
    "eval",
];

/// Percent of random steps of detectives in playouts (Belej 2015).
const RANDOM_STEPS: u8 = 20;

/// Returns the value of an option that is one of several names.
fn named<T: Copy>(all: &[(&str, T)], options: &Options, name: &str) -> Option<T> {
    let value = options.text(name);
    all.iter().find(|(known, _)| *known == value).map(|(_, named)| *named)
}

/// Returns a number that the option limits to the range of its type.
fn natural<T: TryFrom<i64>>(options: &Options, name: &str) -> T {
    let Ok(number) = T::try_from(options.int(name)) else {
        unreachable!("option {name} has a range that fits")
    };
    number
}

fn settings(options: &Options, nodes_in: fn(usize) -> usize) -> Settings {
    let usual = Settings::default();
    Settings {
        exploration: options.float("c") as f32,
        expand_at: named(&TREES, options, "tree").unwrap_or(usual.expand_at),
        prior_weight: options.float("prior") as f32,
        margin: options.float("margin") as f32,
        final_choice: named(&Final::ALL, options, "final").unwrap_or(usual.final_choice),
        max_nodes: nodes_in(natural(options, "memory-mb")),
        threads: natural(options, "threads"),
        ..usual
    }
}

/// Plays without knowledge of the game.
pub(crate) struct RulesAlone;

impl AnyGame for RulesAlone {
    const EXCEPT: &'static [&'static str] = &any_game::WITH_KNOWLEDGE;

    fn agent<G: Game>(options: &Options) -> Box<dyn Agent<G>> {
        let settings = settings(options, TreeSearcher::<Happened<G>>::nodes_in);
        Box::new(any_game::PlayoutAgent::<G>::new(settings, MctsLimits::read(options)))
    }
}

/// Returns how the bot plays one side of Scotland Yard; as Mr. X with these pursuers, if the options
/// name none.
///
/// # Panics
///
/// If these are not the options of [`bot`] in Scotland Yard.
pub fn yard_play(side: Side, options: &Options, pursuers: PlayoutPolicy) -> Play {
    let best = match side {
        Side::MrX => pursuers,
        Side::Detectives => PlayoutPolicy::Independent,
    };
    let playouts = PlayoutSettings {
        policy: named(&PlayoutPolicy::ALL, options, "playout").unwrap_or(best),
        detectives_random: Percent::new(RANDOM_STEPS),
        evasion: Evasion::FARTHEST,
        stands_in_tree: false,
        model_mr_x: options.bool("model"),
        branch_by_log: true,
        redraw: false,
        coalition: options.float("coalition") as f32,
        decisive: false,
        filter: options.bool("filter"),
        reward: named(&Reward::ALL, options, "reward").unwrap_or(Reward::Shaped),
    };
    Play {
        settings: settings(options, TreeSearcher::<Observation>::nodes_in),
        playouts,
        determinization: named(&Determinization::ALL, options, "determinization")
            .expect("the option has one of these values"),
        opening: Opening::Search,
        plan: false,
        decisive: false,
    }
}

/// Makes an agent for one game of Scotland Yard with these options.
///
/// # Errors
///
/// The file of weights cannot be read.
pub(crate) fn scotland_yard(options: &Options) -> Result<Box<dyn Agent<ScotlandYard>>, String> {
    let rounds = named(&CUTOFFS, options, "cutoff").unwrap_or(Some(0));
    let file = match options.text("eval") {
        LEARNED => None,
        path => Some(weights_option::read(path, LEARNED, Network::from_bytes)?),
    };
    // Measured (docs/understand/laboratory.md): where a network judges, a value without a shape is stronger for
    // Mr. X, and for the detectives with that of London. For playouts to the end, and for the
    // detectives on grids, it is weaker.
    let is_best = options.text("reward") == BEST;
    let [for_mr_x, for_detectives] = [Side::MrX, Side::Detectives].map(|side| {
        let cutoffs = match &file {
            Some(network) => Cutoffs::with_network(rounds?, network.clone()),
            None => Cutoffs::built_in(rounds?, side),
        };
        Some(match side {
            _ if !is_best => cutoffs,
            Side::MrX => cutoffs.with_rewards(Some(Reward::Win), Some(Reward::Win)),
            Side::Detectives => cutoffs.with_rewards(Some(Reward::Win), None),
        })
    });
    let [mr_x, detectives] = [Side::MrX, Side::Detectives]
        .map(|side| Some(yard_play(side, options, PlayoutPolicy::Mixed)));
    let agent = MctsAgent::new(mr_x, detectives, MctsLimits::read(options))
        .with_cutoffs(for_mr_x, for_detectives);
    Ok(Box::new(WithBoardTables::new(agent)))
}

/// The simulation of Dice Wars.
const DICE_WARS: tree::PlayoutSettings = tree::PlayoutSettings {
    candidates: Candidates { least_chance: 0.3, width: 8 },
    turns: 1,
    random: 10,
};

/// The factor of the option `c` where win probabilities of several players are compared, which
/// differ little from one action to the next.
const DICE_WARS_EXPLORATION: f32 = 0.25;

fn dice_wars(options: &Options) -> Box<dyn Agent<DiceWars>> {
    let settings = settings(options, TreeSearcher::<tree::Event>::nodes_in);
    let settings =
        Settings { exploration: DICE_WARS_EXPLORATION * settings.exploration, ..settings };
    // The clock sets the limits of each decision.
    let unlimited = Limits::iterations(u64::MAX);
    let policy = tree::MctsPolicy::new(settings, DICE_WARS, Hand, unlimited);
    Box::new(tree::MctsAgent::new(policy, MctsLimits::read(options)))
}

fn draughts(options: &Options) -> Box<dyn Agent<Draughts>> {
    let settings = settings(options, TreeSearcher::<Happened<Draughts>>::nodes_in);
    Box::new(PlayoutAgent::new(settings, Learned::new(1), MctsLimits::read(options)))
}
