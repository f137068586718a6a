//! `botyard experiment`: repeats published experiments. An experiment is a file with line-ups,
//! rules and published results; its games are played as by `botyard match`.

mod arguments;
mod listing;
mod run;

pub use arguments::ExperimentArgs;

use arguments::ExperimentVerb;
use std::process::ExitCode;

/// Runs a verb of `botyard experiment`.
pub fn run(args: &ExperimentArgs) -> anyhow::Result<ExitCode> {
    match &args.verb {
        ExperimentVerb::List(args) => listing::list(args),
        ExperimentVerb::Show(args) => listing::show(args),
        ExperimentVerb::Run(args) => run::run(args),
    }
}
