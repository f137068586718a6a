//! The bot `level`: ten levels at every game, from a beginner's to full strength. A level is another
//! bot with limits of nodes and a margin of mistakes, never of time, so that it is as strong on every
//! machine. A clock that leaves no time for the nodes of a level makes it weaker.
//!
//! The example `levels` measures the steps from level to level; `docs/strength.md` has the result.

use crate::mcts::RulesAlone;
use crate::{alpha_beta, dice, mcts};
use botyard_agent::{Agent, AnyGame, Bot, JsonAgent, OptionSpec, Options};
use botyard_engine::Game;
use botyard_engine::connect_four::ConnectFour;
use botyard_engine::dice_wars::DiceWars;
use botyard_engine::draughts::Draughts;
use botyard_engine::liars_dice::LiarsDice;
use botyard_engine::scotland_yard::ScotlandYard;
use botyard_protocol::check_options;
use std::ops::RangeInclusive;

/// The name of the bot, and of its option.
pub const NAME: &str = "level";

/// The levels: the first is a beginner's, the last is the strongest.
pub const LEVELS: RangeInclusive<u8> = 1..=10;

/// The levels of a game.
#[derive(Clone, Copy, Debug)]
struct Levels {
    /// The bot that plays.
    bot: fn() -> Bot,
    /// Its options at every level.
    always: &'static str,
    /// Its options at each level.
    options: [&'static str; 10],
}

const DRAUGHTS: Levels = Levels {
    bot: alpha_beta::bot,
    // Tables of some machines would make it stronger there.
    always: "egdb=none,hash-mb=16",
    options: [
        "depth=1,margin=100",
        "depth=1,margin=30",
        "depth=1,margin=4",
        "depth=2,margin=10",
        "nodes=140",
        "nodes=270",
        "nodes=560",
        "nodes=1400",
        "nodes=4500",
        "nodes=20000",
    ],
};

const SCOTLAND_YARD: Levels = Levels {
    bot: mcts::bot,
    always: "memory-mb=64",
    options: [
        "iterations=10,margin=0.3",
        "iterations=10,margin=0.05",
        "iterations=10",
        "iterations=24",
        "iterations=60",
        "iterations=150",
        "iterations=400",
        "iterations=1000",
        "iterations=2500",
        "iterations=6000",
    ],
};

const DICE_WARS: Levels = Levels {
    bot: dice::bot,
    always: "",
    options: [
        "depth=1,margin=0.08",
        "depth=1,margin=0.05",
        "depth=1,margin=0.03",
        "depth=1,margin=0.015",
        "depth=1",
        "depth=2,margin=0.02",
        "depth=2,margin=0.01",
        "depth=2",
        "nodes=2000",
        "nodes=20000",
    ],
};

const CONNECT_FOUR: Levels = Levels {
    bot: mcts::bot,
    always: "memory-mb=64",
    options: [
        "iterations=14,margin=0.8",
        "iterations=10,margin=0.2",
        "iterations=20",
        "iterations=38",
        "iterations=72",
        "iterations=130",
        "iterations=300",
        "iterations=700",
        "iterations=1600",
        "iterations=4000",
    ],
};

const LIARS_DICE: Levels = Levels {
    bot: mcts::bot,
    always: "memory-mb=64",
    options: [
        "iterations=2000,margin=0.3",
        "iterations=2000,margin=0.13",
        "iterations=2000,margin=0.1",
        "iterations=2000,margin=0.08",
        "iterations=2000,margin=0.065",
        "iterations=2000,margin=0.05",
        "iterations=2000,margin=0.04",
        "iterations=2000,margin=0.03",
        "iterations=2000,margin=0.015",
        "iterations=2000",
    ],
};

/// The levels of games whose rules are programs, and of games without a row of their own: they are not
/// measured.
const OTHERS: Levels = CONNECT_FOUR;

/// A game without a row.
const OTHER: &str = "";

/// The levels of each game.
const GAMES: [(&str, Levels); 5] = [
    (ScotlandYard::NAME, SCOTLAND_YARD),
    (Draughts::NAME, DRAUGHTS),
    (DiceWars::NAME, DICE_WARS),
    (ConnectFour::NAME, CONNECT_FOUR),
    (LiarsDice::NAME, LIARS_DICE),
];

/// Returns the bot.
pub fn bot() -> Bot {
    let level = OptionSpec::Int {
        min: (*LEVELS.start()).into(),
        max: (*LEVELS.end()).into(),
        default: 5,
        about: "1, a beginner's, to 10, the strongest; `level:4` is short for `level:level=4`"
            .into(),
    };
    Bot::new(NAME, "another bot at a level from 1 to 10, as strong on every machine")
        .with_option(NAME, level)
        .plays_if::<ScotlandYard>(|options| mcts::scotland_yard(&at(ScotlandYard::NAME, options)))
        .plays_if::<Draughts>(|options| alpha_beta::agent(&at(Draughts::NAME, options)))
        .plays_if::<DiceWars>(|options| dice::agent(&at(DiceWars::NAME, options)))
        .plays_every_game::<AnyLevel>()
        .plays_other_games(other_game)
        .with_models()
}

/// Returns the bot that plays a level of a game, as it is written for a match; `None` for a level that
/// there is not.
pub fn written_out(game: &str, level: u8) -> Option<String> {
    let levels = of_game(game);
    let index = LEVELS.clone().position(|known| known == level)?;
    Some(format!("{}:{}", (levels.bot)().name(), levels.text(index)))
}

fn of_game(game: &str) -> Levels {
    GAMES.iter().find(|(known, _)| *known == game).map_or(OTHERS, |&(_, levels)| levels)
}

fn other_game(options: &Options) -> Result<Box<dyn JsonAgent>, String> {
    mcts::other_game(&at(OTHER, options))
}

/// Plays the games that are played without knowledge of them.
struct AnyLevel;

impl AnyGame for AnyLevel {
    const EXCEPT: &'static [&'static str] = RulesAlone::EXCEPT;

    fn agent<G: Game>(options: &Options) -> Box<dyn Agent<G>> {
        RulesAlone::agent(&at(G::NAME, options))
    }
}

impl Levels {
    /// Returns the options at the level with this index, as they are written.
    fn text(&self, index: usize) -> String {
        let parts = [self.always, self.options[index]];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(",")
    }
}

/// Returns the options of the bot that plays a game at the level in these.
fn at(game: &str, options: &Options) -> Options {
    let levels = of_game(game);
    let index = usize::try_from(options.int(NAME) - i64::from(*LEVELS.start())).unwrap_or_default();
    let text = levels.text(index);
    let written = text.split(',').filter_map(|option| option.split_once('='));
    let written = written.map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let declared = (levels.bot)().options_at(game);
    let set = check_options(&declared, &written).expect("a test reads every level");
    Options::resolve(&declared, &set).expect("a test reads every level")
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::registry;
    use serde_json::Value;
    use std::collections::BTreeMap;

    #[test]
    fn every_game_has_ten_levels_of_a_bot_that_plays_it() {
        for game in registry::names() {
            let rows: Vec<_> = GAMES.iter().filter(|(known, _)| *known == game).collect();
            let [(_, levels)] = rows[..] else { panic!("{game}: {} rows", rows.len()) };
            assert!((levels.bot)().games().any(|played| played == game), "{game}");
            assert!(bot().games().any(|played| played == game), "{game}");
        }
        assert_eq!(GAMES.len(), registry::names().len());
        assert_eq!((written_out("draughts", 0), written_out("draughts", 11)), (None, None));
    }

    #[test]
    fn every_level_is_a_limit_of_nodes_and_never_of_time() {
        for (game, levels) in GAMES {
            let declared = bot().options_at(game);
            for level in LEVELS {
                let set = BTreeMap::from([(NAME.to_string(), Value::from(level))]);
                let own = Options::resolve(&declared, &set).expect("a level");
                let options = at(game, &own);
                let written = written_out(game, level).expect("a level");
                let is_limited =
                    ["nodes=", "iterations=", "depth="].iter().any(|limit| written.contains(limit));
                assert!(is_limited && !written.contains("time="), "{game} {level}: {written}");
                if (levels.bot)().options_at(game).contains_key("time") {
                    assert_eq!(options.int("time"), 0, "{game} {level}");
                }
            }
        }
    }
}
