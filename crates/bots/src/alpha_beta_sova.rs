//! The bot `alpha-beta-sova`: the alpha-beta search of the first source, as a baseline. The
//! detectives are one player, search once after each reveal and follow their plan; Mr. X searches
//! for each move.
//!
//! Where the source is silent: before the first reveal, and at the end of a plan, the detectives
//! search from one possible station of Mr. X; values differ between the sides only in sign; on
//! boards that are too large for the depth within the time, the last completed depth counts.

use crate::scotland_yard::WithBoardTables;
use crate::scotland_yard::alpha_beta::{SovaAgent, SovaEvaluation, SovaLimits};
use botyard_agent::{Agent, Bot, Options};
use botyard_engine::scotland_yard::ScotlandYard;
use botyard_protocol::OptionSpec;

/// The source's depth in rounds.
const ROUNDS: i64 = 3;
/// The size of the table in MiB.
const MEBIBYTES: i64 = 8;

/// Returns the bot.
pub fn bot() -> Bot {
    let number =
        |min, max, default, about: &str| OptionSpec::Int { min, max, default, about: about.into() };
    Bot::new("alpha-beta-sova", "alpha-beta of the first grid source: detectives plan by reveal")
        .with_option(
            "depth",
            number(1, SovaEvaluation::MOST_ROUNDS.into(), ROUNDS, "rounds to search"),
        )
        .with_option(
            "hash-mb",
            number(0, 4096, MEBIBYTES, "memory of the table in MiB; 0 for none"),
        )
        .plays::<ScotlandYard>(agent)
}

fn agent(options: &Options) -> Box<dyn Agent<ScotlandYard>> {
    let (Ok(rounds), Ok(table_mebibytes)) =
        (u16::try_from(options.int("depth")), usize::try_from(options.int("hash-mb")))
    else {
        unreachable!("the options' ranges fit");
    };
    Box::new(WithBoardTables::new(SovaAgent::new(SovaLimits { rounds, table_mebibytes })))
}
