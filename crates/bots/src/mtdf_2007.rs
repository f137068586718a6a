//! The bot `mtdf-2007`: MTD(f) as in the program of Janáček (2007), without transposition table
//! (5.1.2), move ordering or quiescence search, of which the thesis has none. The baseline that shows
//! what these are worth. Where the thesis is silent: the first guess, and that depths grow by
//! iterations.

use crate::draughts::{Janacek2007, SearchAgent};
use crate::max_n::limits;
use botyard_agent::{Agent, Bot, Options};
use botyard_engine::draughts::Draughts;
use botyard_protocol::OptionSpec;
use botyard_search::two_sided::{Algorithm, DrawRules, FirstGuess, Settings};

/// The search settings of the program of 2007.
const SETTINGS: Settings = Settings {
    algorithm: Algorithm::Mtdf,
    table_mebibytes: 0,
    deeper_entries: false,
    step: 1,
    first_guess: FirstGuess::SameParity,
    guess_offset: 0,
    ordering: false,
    quiescence: false,
    extensions: false,
    reductions: false,
    pruning: false,
    unfinished: false,
    fall: i32::MAX,
    draws: DrawRules { repetition: false, quiet_plies: 0 },
    contempt: 0,
};

/// Returns the bot.
pub fn bot() -> Bot {
    let number =
        |max, about: &str| OptionSpec::Int { min: 0, max, default: 0, about: about.into() };
    let depth = number(100, "plies to search; 0 for as many as the time allows");
    let nodes = number(1 << 40, "positions to visit for a move; 0 for as many as the time allows");
    Bot::new("mtdf-2007", "MTD(f) of Janáček (2007): no table, ordering or quiescence")
        .with_option("depth", depth)
        .with_option("nodes", nodes)
        .plays::<Draughts>(agent)
}

fn agent(options: &Options) -> Box<dyn Agent<Draughts>> {
    Box::new(SearchAgent::new(SETTINGS, Janacek2007, limits(options)))
}
