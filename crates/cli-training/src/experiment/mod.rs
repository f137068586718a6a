//! `botyard experiment`: repeats published experiments. An experiment is a file with line-ups,
//! rules and published results; its games are played as by `botyard match`.

mod arguments;
mod run;

pub(crate) use arguments::ExperimentArgs;

use arguments::{ExperimentVerb, ListArgs, ShowArgs};
use botyard_cli::text::{done, done_json};
use botyard_experiments::{Experiment, list_of_experiments, shipped};
use std::process::ExitCode;

/// Runs a verb of `botyard experiment`.
pub(crate) fn run(args: &ExperimentArgs) -> anyhow::Result<ExitCode> {
    match &args.verb {
        ExperimentVerb::List(args) => list(args),
        ExperimentVerb::Show(args) => show(args),
        ExperimentVerb::Run(args) => run::run(args),
    }
}

/// Prints the list.
fn list(args: &ListArgs) -> anyhow::Result<ExitCode> {
    let experiments = shipped::all()?;
    if args.json {
        return done_json(&experiments.iter().map(Experiment::to_json).collect());
    }
    done(&format!(
        "{}\n`botyard experiment show NAME` describes one; `botyard experiment run NAME --games 20` runs \
         a part of it.\n",
        list_of_experiments(&experiments)
    ))
}

/// Prints the description of one experiment.
fn show(args: &ShowArgs) -> anyhow::Result<ExitCode> {
    let experiment = shipped::find(&args.name)?;
    match args.json {
        true => done_json(&experiment.to_json()),
        false => done(&experiment.to_text()),
    }
}
