//! The bot `mtdf-2007`: MTD(f) as in a student's program of 2007, without transposition table, move
//! ordering or quiescence search. The baseline that shows what these are worth.

use crate::draughts::{Janacek2007, SearchAgent};
use botyard_agent::{Agent, Bot, Options};
use botyard_engine::draughts::Draughts;
use botyard_protocol::OptionSpec;
use botyard_search::Limits;
use botyard_search::two_sided::{Algorithm, DrawRules, Settings};
use botyard_search::value::MOST_PLIES;

/// The search settings of the program of 2007.
const SETTINGS: Settings = Settings {
    algorithm: Algorithm::Mtdf,
    table_mebibytes: 0,
    deeper_entries: false,
    step: 1,
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
    let depth = OptionSpec::Int {
        min: 0,
        max: 100,
        default: 0,
        about: "plies to search; 0 for as many as the time allows".into(),
    };
    Bot::new("mtdf-2007", "MTD(f) without table, ordering and quiescence: a baseline of 2007")
        .with_option("depth", depth)
        .plays::<Draughts>(agent)
}

fn agent(options: &Options) -> Box<dyn Agent<Draughts>> {
    let depth = u32::try_from(options.int("depth")).ok().filter(|&depth| depth > 0);
    let limits = Limits::depth(depth.unwrap_or(MOST_PLIES));
    Box::new(SearchAgent::new(SETTINGS, Janacek2007, limits))
}
