//! `botyard experiment list` and `show`: lists the experiments, or describes one.

use super::arguments::{ListArgs, ShowArgs};
use crate::text::{done, done_json};
use botyard_experiments::{Experiment, shipped};
use botyard_runner::words::wrapped;
use serde_json::Value;
use std::process::ExitCode;

/// Prints the list.
pub fn list(args: &ListArgs) -> anyhow::Result<ExitCode> {
    let experiments = shipped::all()?;
    if args.json {
        let list: Value = experiments.iter().map(Experiment::to_json).collect();
        return done_json(&list);
    }
    let width = experiments.iter().map(|known| known.name.len()).max().unwrap_or(0) + 2;
    let mut text = String::new();
    for experiment in &experiments {
        let first = format!("{:width$}", experiment.name);
        let words = format!("{}. {}", experiment.title, experiment.size());
        text.push_str(&wrapped(&first, &words));
    }
    text.push_str(
        "\n`botyard experiment show NAME` describes one; `botyard experiment run NAME --games 20` runs \
         a part of it.\n",
    );
    done(&text)
}

/// Prints the description of one experiment.
pub fn show(args: &ShowArgs) -> anyhow::Result<ExitCode> {
    let experiment = shipped::find(&args.name)?;
    match args.json {
        true => done_json(&experiment.to_json()),
        false => done(&experiment.to_text()),
    }
}
