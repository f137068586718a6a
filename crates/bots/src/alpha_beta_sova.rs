//! The bot `alpha-beta-sova`: the alpha-beta search of Sova 2021 (4.2, 5.4.2), as a baseline. The
//! detectives are one player, search once after each reveal and follow their plan; Mr. X searches
//! for each move.
//!
//! The option `columns` is for table 5.5: the program of 2020 had the size of the grid fixed, which
//! Sova changed (5.4.2). Distances by 5 columns, left in place on 7x7, would explain why the detectives
//! catch so much less there.
//!
//! Where the thesis is silent: before the first reveal, and at the end of a plan, the detectives
//! search from one possible station of Mr. X; on boards that are too large for the depth within the
//! time, the last completed depth counts.

use crate::scotland_yard::WithBoardTables;
use crate::scotland_yard::alpha_beta::{SovaAgent, SovaEvaluation, SovaLimits, SovaReadings};
use botyard_agent::{Agent, Bot, Options};
use botyard_engine::scotland_yard::ScotlandYard;
use botyard_protocol::OptionSpec;

/// The depth of the thesis in rounds.
const ROUNDS: i64 = 3;
/// The size of the table in MiB.
const MEBIBYTES: i64 = 8;

/// Returns the bot.
pub fn bot() -> Bot {
    let number =
        |min, max, default, about: &str| OptionSpec::Int { min, max, default, about: about.into() };
    Bot::new("alpha-beta-sova", "alpha-beta of Sova 2021: detectives plan by reveal")
        .with_option(
            "depth",
            number(1, SovaEvaluation::MOST_ROUNDS.into(), ROUNDS, "rounds to search"),
        )
        .with_option(
            "hash-mb",
            number(0, 4096, MEBIBYTES, "memory of the table in MiB; 0 for none"),
        )
        .with_option(
            "columns",
            number(
                0,
                100,
                0,
                "on grids, detectives compute distances as if it had this many columns; 0: its own",
            ),
        )
        .with_option(
            "mr-x",
            OptionSpec::Enum {
                values: ["weighted", "mirrored"].map(String::from).to_vec(),
                default: "weighted".into(),
                about: "his evaluation: distances count more the sooner, or as the detectives'"
                    .into(),
            },
        )
        .with_option(
            "unseen",
            OptionSpec::Enum {
                values: ["search", "random"].map(String::from).to_vec(),
                default: "search".into(),
                about:
                    "before the first reveal: a search from any possible station, or random moves"
                        .into(),
            },
        )
        .plays::<ScotlandYard>(agent)
}

fn agent(options: &Options) -> Box<dyn Agent<ScotlandYard>> {
    let (Ok(rounds), Ok(table_mebibytes), Ok(columns)) = (
        u16::try_from(options.int("depth")),
        usize::try_from(options.int("hash-mb")),
        u16::try_from(options.int("columns")),
    ) else {
        unreachable!("the options' ranges fit");
    };
    let readings = SovaReadings { columns, weighted: options.text("mr-x") == "weighted" };
    let random_unseen = options.text("unseen") == "random";
    let limits = SovaLimits { rounds, table_mebibytes, readings, random_unseen };
    Box::new(WithBoardTables::new(SovaAgent::new(limits)))
}
