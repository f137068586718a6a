//! `botyard experiment list` and `show`: lists the experiments, or describes one.

use super::arguments::{ListArgs, ShowArgs};
use crate::text::{done, done_json};
use botyard_experiments::{Experiment, list_of_experiments, shipped};
use std::process::ExitCode;

/// Prints the list.
pub fn list(args: &ListArgs) -> anyhow::Result<ExitCode> {
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
pub fn show(args: &ShowArgs) -> anyhow::Result<ExitCode> {
    let experiment = shipped::find(&args.name)?;
    match args.json {
        true => done_json(&experiment.to_json()),
        false => done(&experiment.to_text()),
    }
}
