//! The verbs of `botyard` by which its own bots are made and measured: `train`, `egdb`, `experiment` and
//! `perft`.

#![warn(unreachable_pub)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

mod egdb;
mod experiment;
mod perft;
mod train;

use botyard_cli::Verbs;
use clap::Subcommand;
use egdb::EgdbArgs;
use experiment::ExperimentArgs;
use perft::PerftArgs;
use std::process::ExitCode;
use train::TrainArgs;

/// The verbs of `botyard-training`.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// `botyard train`.
    Train(TrainArgs),
    /// `botyard egdb`.
    Egdb(EgdbArgs),
    /// `botyard experiment`.
    Experiment(ExperimentArgs),
    /// `botyard perft`.
    Perft(PerftArgs),
}

impl Verbs for Verb {
    fn is_for_all(&self) -> bool {
        !matches!(self, Verb::Perft(_))
    }

    fn run(&self) -> anyhow::Result<ExitCode> {
        match self {
            Verb::Train(args) => train::run(args),
            Verb::Egdb(args) => egdb::run(args),
            Verb::Experiment(args) => experiment::run(args),
            Verb::Perft(args) => perft::run(args),
        }
    }
}
