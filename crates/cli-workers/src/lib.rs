//! The verbs of `botyard` for tournaments that many workers play: `worker`, `coordinator` and `store`.

#![warn(unreachable_pub)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

mod coordinator_command;
mod store_command;
mod worker_command;

pub use coordinator_command::{client_failure, warn_if_open};

use botyard_cli::Verbs;
use clap::Subcommand;
use coordinator_command::CoordinatorArgs;
use std::process::ExitCode;
use store_command::StoreArgs;
use worker_command::WorkerArgs;

/// The verbs of `botyard-workers`.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// `botyard worker`.
    Worker(Box<WorkerArgs>),
    /// `botyard coordinator`.
    Coordinator(Box<CoordinatorArgs>),
    /// `botyard store`.
    Store(StoreArgs),
}

impl Verbs for Verb {
    fn is_for_all(&self) -> bool {
        false
    }

    fn run(&self) -> anyhow::Result<ExitCode> {
        match self {
            Verb::Worker(args) => worker_command::run(args),
            Verb::Coordinator(args) => coordinator_command::run(args),
            Verb::Store(args) => store_command::run(args),
        }
    }
}
