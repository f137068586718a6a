//! The bot `alpha-beta-sova`: the alpha-beta of the first source, as a baseline. The detectives are
//! one player, search once after each reveal and keep to their plan; Mr. X searches for each move.
//!
//! What the source does not say is settled like this: before the first reveal, and where the plan
//! has come to its end, the detectives search from a station where Mr. X can be; values are the same
//! for both sides but for the sign; and on boards that are too large for the depth within the time,
//! the last depth that was finished counts.

use crate::scotland_yard::WithBoardTables;
use crate::scotland_yard::alpha_beta::{SovaAgent, SovaEvaluation, SovaLimits};
use botyard_agent::{Agent, Bot, Options};
use botyard_engine::scotland_yard::ScotlandYard;
use botyard_protocol::OptionSpec;

/// The source's depth in rounds.
const ROUNDS: i64 = 3;
/// Memory of the table in MiB.
const MEBIBYTES: i64 = 8;

/// The bot.
pub fn bot() -> Bot {
    let number =
        |min, max, default, about: &str| OptionSpec::Int { min, max, default, about: about.into() };
    Bot::new("alpha-beta-sova", "alpha-beta of the first grid source: detectives plan by reveal")
        .with_option(
            "depth",
            number(1, SovaEvaluation::MOST_ROUNDS.into(), ROUNDS, "rounds to search"),
        )
        .with_option("hash-mb", number(0, 4096, MEBIBYTES, "memory of the table in MiB; 0: none"))
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
