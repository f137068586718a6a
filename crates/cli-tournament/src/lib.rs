//! The verb `botyard tournament`.

#![warn(unreachable_pub)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

pub mod store_arguments;
mod tournament_command;

use botyard_cli::Verbs;
use clap::Subcommand;
use std::process::ExitCode;
use tournament_command::{TournamentArgs, TournamentVerb};

/// The verbs of `botyard-tournament`.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// `botyard tournament`.
    Tournament(TournamentArgs),
}

impl Verbs for Verb {
    fn is_for_all(&self) -> bool {
        let Verb::Tournament(args) = self;
        matches!(args.verb, TournamentVerb::Page(_))
    }

    fn run(&self) -> anyhow::Result<ExitCode> {
        let Verb::Tournament(args) = self;
        tournament_command::run(args)
    }
}
