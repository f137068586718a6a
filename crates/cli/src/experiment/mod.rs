//! `botyard experiment`: the result tables of the sources, played again here. An experiment is a
//! file that says who plays whom under which rules and what was published; its games are those of
//! `botyard match`.

mod arguments;
#[cfg(test)]
mod built_in_rows;
mod listing;
mod report;
mod run;

pub use arguments::ExperimentArgs;

use arguments::ExperimentVerb;
use std::process::ExitCode;

/// Does what the arguments ask for.
///
/// # Errors
///
/// What is no experiment, bots that there are not, and what the host cannot do.
pub fn run(args: &ExperimentArgs) -> anyhow::Result<ExitCode> {
    match &args.verb {
        ExperimentVerb::List(args) => listing::list(args),
        ExperimentVerb::Show(args) => listing::show(args),
        ExperimentVerb::Run(args) => run::run(args),
    }
}
