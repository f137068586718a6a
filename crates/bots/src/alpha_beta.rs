//! The bot `alpha-beta`: searches as deep as its time allows and plays the best line. The
//! algorithm, the evaluation and two refinements are options, so that they can be compared; most
//! options are for draughts. [`crate::mtdf_2007`] searches without any refinement. Scotland Yard
//! has a separate search ([`botyard_search::turns`]), to which depth, nodes and memory apply;
//! `hidden` is its treatment of Mr. X's hidden station. Dice Wars is searched as all against one,
//! with Star2 for dice ([`botyard_search::multiplayer`]).

use crate::any_game::{DepthAgent, WITH_KNOWLEDGE};
use crate::dice_wars::lookahead::options::{self as lookahead, Defaults};
use crate::dice_wars::lookahead::{Candidates, Horizon, MoveSelection};
use crate::draughts::endgames::{self, Source};
use crate::draughts::{Janacek2007, Learned, Positional, SearchAgent};
use crate::mcts_limits::{own_time, time_option};
use crate::scotland_yard::WithBoardTables;
use crate::scotland_yard::alpha_beta::{AlphaBetaAgent, AlphaBetaSettings, Hidden};
use crate::weights_option;
use botyard_agent::{Agent, AnyGame, Bot, Options};
use botyard_engine::Game;
use botyard_engine::dice_wars::DiceWars;
use botyard_engine::draughts::endgame::Endgames;
use botyard_engine::draughts::{Draughts, Position};
use botyard_engine::scotland_yard::ScotlandYard;
use botyard_protocol::OptionSpec;
use botyard_search::Limits;
use botyard_search::multiplayer::{self, Pruning};
use botyard_search::two_sided::{Algorithm, Evaluator, FirstGuess, Settings};
use botyard_search::value::MOST_PLIES;
use std::num::NonZero;
use std::sync::Arc;
use std::time::Duration;

/// Returns the bot.
pub fn bot() -> Bot {
    let names = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
    let number =
        |min, max, default, about: &str| OptionSpec::Int { min, max, default, about: about.into() };
    let bot = Bot::new("alpha-beta", "searches the game tree as deep as its time allows")
        .with_option(
            "depth",
            number(
                0,
                100,
                0,
                "plies to search (Scotland Yard: turns of a side); 0 for as many as the time \
                 allows",
            ),
        )
        .with_option(
            "nodes",
            number(
                0,
                1 << 40,
                0,
                "positions to visit for a move; 0 for as many as the time allows",
            ),
        )
        .with_option("time", time_option())
        .with_option("hash-mb", number(0, 4096, 64, "memory of the table in MiB; 0 for none"))
        .with_option_at::<ScotlandYard>(
            "hidden",
            OptionSpec::Enum {
                values: names(&Hidden::ALL.map(|(name, _)| name)),
                default: "determinize".into(),
                about:
                    "Mr. X's station is drawn and values averaged, or all possible stations are \
                        searched for, counting with the worst or the mean"
                        .into(),
            },
        )
        .with_option_at::<ScotlandYard>(
            "determinizations",
            number(1, 256, 8, "number of stations drawn per decision"),
        )
        .with_option_at::<DiceWars>(
            "others",
            OptionSpec::Enum {
                values: names(&OTHERS.map(|(name, _)| name)),
                default: "paranoid".into(),
                about: "assumption about the others: all play against this one, or one replies \
                        each turn"
                    .into(),
            },
        )
        .with_option_at::<DiceWars>(
            "chance-pruning",
            OptionSpec::Enum {
                values: names(&Pruning::ALL.map(|(name, _)| name)),
                default: "star2".into(),
                about: "none (expectiminimax), alpha-beta between chance nodes, or also Star1 or \
                        Star2 at them"
                    .into(),
            },
        )
        .for_research(&["chance-pruning"]);
    lookahead::declare(declare_draughts(bot), &DICE_WARS)
        .plays_if::<Draughts>(agent)
        .plays::<ScotlandYard>(yard_agent)
        .plays_if::<DiceWars>(dice_wars_agent)
        .plays_every_game::<RulesAlone>()
}

/// Returns the options of draughts.
fn declare_draughts(bot: Bot) -> Bot {
    let names = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
    let algorithms: Vec<&str> = Algorithm::ALL.iter().map(|(name, _)| *name).collect();
    let refinement = |about: &str| OptionSpec::Bool { default: true, about: about.into() };
    let number =
        |min, max, default, about: &str| OptionSpec::Int { min, max, default, about: about.into() };
    bot.with_option_at::<Draughts>(
        "eval",
        OptionSpec::Text {
            default: "learned".into(),
            about: "how positions are evaluated: learned, by weights learned from games; \
                    positional, by hand-set ones; janacek-2007, as in 2007; or a file of weights \
                    of `botyard train draughts fit`"
                .into(),
        },
    )
    .with_option_at::<Draughts>(
        "contempt",
        number(
            -100,
            100,
            30,
            "contempt: value of an even position minus that of a draw; a man is 100",
        ),
    )
    .with_option_at::<Draughts>(
        "margin",
        number(
            0,
            1000,
            0,
            "margin of mistakes: the move is drawn among those that are at most this much worse \
             than the best; a man is 100",
        ),
    )
    .with_option_at::<Draughts>(
        "egdb",
        OptionSpec::Text {
            default: "auto".into(),
            about: "endgame tables: a file of `botyard egdb build`, none, or auto: draughts.egdb \
                    beside the executable or in the user's data directory, if there is one"
                .into(),
        },
    )
    .with_option_at::<Draughts>(
        "egdb-mb",
        number(
            1,
            4096,
            endgames::DEFAULT_MEBIBYTES as i64,
            "memory of the endgame tables in MiB; if they need more, blocks of them are read from \
             the file when they are needed",
        ),
    )
    .with_option_at::<Draughts>(
        "algorithm",
        OptionSpec::Enum {
            values: names(&algorithms),
            default: "mtdf".into(),
            about: "search algorithm".into(),
        },
    )
    .with_option_at::<Draughts>(
        "grain",
        number(1, 50, 4, "learned and positional values are multiples of this; a man is 100"),
    )
    .with_option_at::<Draughts>(
        "threads",
        number(
            1,
            64,
            1,
            "threads that search with one table; under a clock of CPU time only one does. With \
             more than one, games cannot be repeated exactly",
        ),
    )
    .with_option_at::<Draughts>(
        "step",
        number(0, 100, 0, "plies from one iteration to the next; 0: 2 with mtdf, otherwise 1"),
    )
    .with_option_at::<Draughts>(
        "first-guess",
        OptionSpec::Enum {
            values: names(&FirstGuess::ALL.map(|(name, _)| name)),
            default: "same-parity".into(),
            about: "first guess of mtdf: the value of the last depth of the same parity, that of \
                    the iteration before, the evaluation of the position, or 0"
                .into(),
        },
    )
    .with_option_at::<Draughts>(
        "guess-offset",
        number(-10_000, 10_000, 0, "added to the first guess of mtdf; a man is 100"),
    )
    .with_option_at::<Draughts>(
        "exact",
        OptionSpec::Bool {
            default: false,
            about: "leave out what changes the value of minimax at a depth: extensions, table \
                    entries of greater depths, reductions, pruning"
                .into(),
        },
    )
    .with_option_at::<Draughts>(
        "ordering",
        refinement("killer and history heuristics, and the move of the table first"),
    )
    .with_option_at::<Draughts>(
        "quiescence",
        refinement("search captures beyond the depth until the position is quiet"),
    )
    .with_option_at::<Draughts>("reductions", refinement("fewer plies for quiet moves tried late"))
    .with_option_at::<Draughts>(
        "pruning",
        refinement("leave out moves that are most likely outside the window"),
    )
    .for_research(&[
        "algorithm",
        "grain",
        "step",
        "first-guess",
        "guess-offset",
        "exact",
        "ordering",
        "quiescence",
        "reductions",
        "pruning",
    ])
}

/// The assumptions about the other players in games of several players, by option name.
const OTHERS: [(&str, multiplayer::Algorithm); 2] = [
    ("paranoid", multiplayer::Algorithm::Paranoid),
    ("best-reply", multiplayer::Algorithm::BestReply),
];

/// The default search of Dice Wars.
const DICE_WARS: Defaults = Defaults {
    selection: MoveSelection {
        candidates: Candidates { least_chance: 0.3, width: 4 },
        attacks: 64,
        replies: 1,
        transfers: 0,
        draws: false,
        horizon: Horizon::Depth,
    },
    settings: multiplayer::Settings::new(multiplayer::Algorithm::Paranoid),
    evaluator: "hand",
};

/// Plays without knowledge of the game: all others are assumed to play against this player.
struct RulesAlone;

impl AnyGame for RulesAlone {
    const EXCEPT: &'static [&'static str] = &WITH_KNOWLEDGE;

    fn agent<G: Game>(options: &Options) -> Box<dyn Agent<G>> {
        let agent = DepthAgent::new(multiplayer::Algorithm::Paranoid, limits(options));
        Box::new(agent.within(own_time(options)))
    }
}

fn dice_wars_agent(options: &Options) -> Result<Box<dyn Agent<DiceWars>>, String> {
    let name = options.text("others");
    let algorithm = OTHERS.into_iter().find(|&(other, _)| other == name);
    let name = options.text("chance-pruning");
    let pruning = Pruning::ALL.into_iter().find(|&(pruning, _)| pruning == name);
    let table = usize::try_from(options.int("hash-mb")).expect("its least value is 0");
    let settings = multiplayer::Settings {
        pruning: pruning.map_or(DICE_WARS.settings.pruning, |(_, pruning)| pruning),
        algorithm: algorithm.map_or(DICE_WARS.settings.algorithm, |(_, algorithm)| algorithm),
        table_mebibytes: table,
        ..DICE_WARS.settings
    };
    lookahead::agent(options, &DICE_WARS, settings, (limits(options), own_time(options)))
}

fn limits(options: &Options) -> Limits {
    let natural = |name| u32::try_from(options.int(name)).expect("its range is within u32");
    Limits {
        nodes: Some(options.int("nodes")).filter(|&n| n > 0).map_or(u64::MAX, |n| n as u64),
        ..Limits::depth(Some(natural("depth")).filter(|&depth| depth > 0).unwrap_or(MOST_PLIES))
    }
}

/// Makes an agent for one game of draughts with these options.
///
/// # Errors
///
/// A file that an option names cannot be read.
pub(crate) fn agent(options: &Options) -> Result<Box<dyn Agent<Draughts>>, String> {
    let natural = |name| u32::try_from(options.int(name)).expect("its range is within u32");
    let limits = limits(options);
    let grain = natural("grain") as i32;
    let source = Source::from_option(options.text("egdb"));
    let endgames = match endgames::load(&source, natural("egdb-mb") as usize) {
        Ok(endgames) => endgames,
        // The file was not asked for: the bot reports the error and plays without it.
        Err(error) if source == Source::Auto => {
            botyard_agent::program::say(&format!("endgame tables: {error}; playing without"));
            None
        }
        Err(error) => return Err(format!("option egdb: {error}")),
    };
    let threads = NonZero::new(natural("threads") as usize).expect("its least value is 1");
    let time = own_time(options);
    let margin = natural("margin") as i32;
    let how = How { settings: settings(options), limits, time, endgames, threads, margin };
    Ok(match options.text("eval") {
        "janacek-2007" => how.agent(Janacek2007),
        "positional" => how.agent(Positional { grain }),
        "learned" => how.agent(Learned::new(grain)),
        path => {
            how.agent(weights_option::read(path, "learned, positional, janacek-2007", |bytes| {
                Learned::from_bytes(bytes, grain)
            })?)
        }
    })
}

/// Returns the settings of the search of draughts.
fn settings(options: &Options) -> Settings {
    let natural = |name| u32::try_from(options.int(name)).expect("its range is within u32");
    let algorithm = Algorithm::ALL
        .into_iter()
        .find(|(name, _)| *name == options.text("algorithm"))
        .map_or(Algorithm::Mtdf, |(_, algorithm)| algorithm);
    let first_guess = FirstGuess::ALL
        .into_iter()
        .find(|(name, _)| *name == options.text("first-guess"))
        .map_or(FirstGuess::SameParity, |(_, guess)| guess);
    let is_exact = options.bool("exact");
    let settings = match is_exact {
        true => Settings::exact(algorithm),
        false => Settings::new(algorithm),
    };
    Settings {
        table_mebibytes: natural("hash-mb") as usize,
        step: Some(natural("step")).filter(|&step| step > 0).unwrap_or(settings.step),
        first_guess,
        guess_offset: options.int("guess-offset") as i32,
        ordering: options.bool("ordering"),
        quiescence: options.bool("quiescence"),
        reductions: options.bool("reductions") && !is_exact,
        pruning: options.bool("pruning") && !is_exact,
        contempt: options.int("contempt") as i32,
        ..settings
    }
}

/// How draughts is searched, whatever evaluates its positions.
struct How {
    settings: Settings,
    limits: Limits,
    time: Option<Duration>,
    endgames: Option<Arc<Endgames>>,
    threads: NonZero<usize>,
    margin: i32,
}

impl How {
    fn agent<E>(self, evaluator: E) -> Box<dyn Agent<Draughts>>
    where
        E: Evaluator<Position> + Clone + Send + Sync + 'static,
    {
        let agent = SearchAgent::new(self.settings, evaluator, self.limits).within(self.time);
        let agent = agent.with_endgames(self.endgames).with_threads(self.threads);
        Box::new(agent.with_margin(self.margin))
    }
}

fn yard_agent(options: &Options) -> Box<dyn Agent<ScotlandYard>> {
    let natural = |name| u32::try_from(options.int(name)).expect("its range is within u32");
    let hidden = Hidden::ALL
        .into_iter()
        .find(|(name, _)| *name == options.text("hidden"))
        .map_or(Hidden::Determinize, |(_, hidden)| hidden);
    Box::new(WithBoardTables::new(AlphaBetaAgent::new(AlphaBetaSettings {
        hidden,
        determinizations: natural("determinizations") as usize,
        limits: limits(options),
        time: own_time(options),
        table_mebibytes: natural("hash-mb") as usize,
    })))
}
