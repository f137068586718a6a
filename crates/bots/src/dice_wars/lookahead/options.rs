//! The options of the bots that play Dice Wars by search, and the agents they make.

use super::agent::LookaheadAgent;
use super::game::{Horizon, MoveSelection};
use super::move_ordering::Candidates;
use super::policy::LookaheadPolicy;
use crate::dice_wars::{BoardNetwork, Evaluator, Hand, Holdings, LargestRegion, Learned};
use crate::weights_option;
use botyard_agent::{Agent, Bot, Options};
use botyard_engine::dice_wars::DiceWars;
use botyard_protocol::OptionSpec;
use botyard_search::Limits;
use botyard_search::multiplayer::{Luck, Settings, Unit};
use std::time::Duration;

/// A bot's default options.
#[derive(Clone, Copy, Debug)]
pub struct Defaults {
    /// The part of a turn that is searched.
    pub selection: MoveSelection,
    /// The search settings.
    pub settings: Settings,
    /// The evaluation: a name of the option `eval`.
    pub evaluator: &'static str,
}

/// The options that exist to compare parts of the search.
const RESEARCH: [&str; 8] =
    ["least-chance", "width", "replies", "transfers", "samples", "luck", "unit", "horizon"];

fn number(min: i64, max: i64, default: i64, about: &str) -> OptionSpec {
    OptionSpec::Int { min, max, default, about: about.into() }
}

fn one_of<T: PartialEq + Copy>(all: &[(&'static str, T)], usual: T, about: &str) -> OptionSpec {
    let default = all.iter().find(|&&(_, value)| value == usual).map_or("", |&(name, _)| name);
    OptionSpec::Enum {
        values: all.iter().map(|&(name, _)| name.into()).collect(),
        default: default.into(),
        about: about.into(),
    }
}

fn named<T: Copy>(all: &[(&str, T)], options: &Options, option: &str, usual: T) -> T {
    let value = options.text(option);
    all.iter().find(|&&(name, _)| name == value).map_or(usual, |&(_, named)| named)
}

/// Adds the options of this search to a bot, except those for depth and nodes, which the bot
/// declares.
#[must_use]
pub fn declare(bot: Bot, usual: &Defaults) -> Bot {
    let Defaults { selection, settings, evaluator } = *usual;
    let chance = (100.0 * selection.candidates.least_chance).round() as i64;
    bot.with_option_at::<DiceWars>(
        "eval",
        OptionSpec::Text {
            default: evaluator.into(),
            about: "how positions are evaluated: region, by the largest region of each player; \
                    holdings, by what players hold; hand, by more than that with weights set by hand; \
                    learned, by weights learned from games; network, by the network of Dole\u{17e}el et \
                    al. (2021), for four players on 34 areas; or a file of weights of such a network"
                .into(),
        },
    )
    .with_option_at::<DiceWars>(
        "least-chance",
        number(0, 100, chance, "least success of searched attacks, in percent"),
    )
    .with_option_at::<DiceWars>(
        "width",
        number(
            1,
            Candidates::MOST as i64,
            selection.candidates.width as i64,
            "attacks searched in a position, the most promising ones",
        ),
    )
    .with_option_at::<DiceWars>(
        "replies",
        number(0, 64, selection.replies.into(), "attacks of each other player in a turn"),
    )
    .with_option_at::<DiceWars>(
        "transfers",
        number(
            0,
            64,
            selection.transfers.into(),
            "own transfers searched in a position; 0: made by rule",
        ),
    )
    .with_option_at::<DiceWars>(
        "samples",
        number(
            0,
            64,
            if selection.draws { settings.samples.into() } else { 0 },
            "sampled placements of new dice; 0: they go to the reserve",
        ),
    )
    .with_option_at::<DiceWars>("luck", one_of(&Luck::ALL, settings.luck, "treatment of battles"))
    .with_option_at::<DiceWars>("unit", one_of(&Unit::ALL, settings.unit, "what depth counts"))
    .with_option_at::<DiceWars>(
        "horizon",
        one_of(
            &Horizon::ALL,
            selection.horizon,
            "where lines end: at their depth, or also at the end of the bot's turn, so that the \
             others never reply",
        ),
    )
    .for_research(&RESEARCH)
}

/// Makes an agent with these options, within limits and a time for each decision, if there is one.
///
/// # Errors
///
/// The option `eval` names a file that is not one of weights.
pub fn agent(
    options: &Options,
    usual: &Defaults,
    settings: Settings,
    limits: (Limits, Option<Duration>),
) -> Result<Box<dyn Agent<DiceWars>>, String> {
    let outside = |name| -> ! { unreachable!("option {name} has a range that fits") };
    let natural = |name| u32::try_from(options.int(name)).unwrap_or_else(|_| outside(name));
    let small = |name| u8::try_from(options.int(name)).unwrap_or_else(|_| outside(name));
    let samples = natural("samples");
    let selection = MoveSelection {
        candidates: Candidates {
            least_chance: f64::from(natural("least-chance")) / 100.0,
            width: natural("width") as usize,
        },
        attacks: usual.selection.attacks,
        replies: small("replies"),
        transfers: small("transfers"),
        draws: samples > 0,
        horizon: named(&Horizon::ALL, options, "horizon", usual.selection.horizon),
    };
    let settings = Settings {
        samples: samples.max(1),
        luck: named(&Luck::ALL, options, "luck", usual.settings.luck),
        unit: named(&Unit::ALL, options, "unit", usual.settings.unit),
        ..settings
    };
    Ok(match options.text("eval") {
        "region" => player(settings, selection, LargestRegion, limits),
        "holdings" => player(settings, selection, Holdings, limits),
        "hand" => player(settings, selection, Hand, limits),
        "learned" => player(settings, selection, Learned::new(), limits),
        "network" => player(settings, selection, BoardNetwork::built_in(), limits),
        path => {
            let names = "region, holdings, hand, learned, network";
            let network = weights_option::read(path, names, BoardNetwork::from_bytes)?;
            player(settings, selection, network, limits)
        }
    })
}

fn player<E: Evaluator + Send + 'static>(
    settings: Settings,
    selection: MoveSelection,
    evaluator: E,
    (limits, time): (Limits, Option<Duration>),
) -> Box<dyn Agent<DiceWars>> {
    let policy = LookaheadPolicy::new(settings, selection, evaluator, limits);
    Box::new(LookaheadAgent::new(policy, time))
}
