//! The verbs of `botyard` that print reference material: `schema` and `generate`. Depends on every other
//! part of the command line, for the commands of all of them.

#![warn(unreachable_pub)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

mod command_pages;
mod generate;
mod schema_command;

use botyard_cli::companions::is_of_companion;
use botyard_cli::{CommandLine, Verbs};
use clap::{Command, Subcommand};
use generate::GenerateArgs;
use schema_command::SchemaArgs;
use std::process::ExitCode;

/// The verbs of `botyard-reference`.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// `botyard schema`.
    Schema(SchemaArgs),
    /// `botyard generate`.
    Generate(GenerateArgs),
}

impl Verbs for Verb {
    fn is_for_all(&self) -> bool {
        true
    }

    fn run(&self) -> anyhow::Result<ExitCode> {
        match self {
            Verb::Schema(args) => schema_command::run(args),
            Verb::Generate(args) => generate::run(args),
        }
    }
}

/// Returns the commands of `botyard` and of all its companions, in the order of the help.
pub fn all_commands() -> Command {
    let of_companions = [
        CommandLine::<botyard_cli_bridge::Verb>::definition(),
        CommandLine::<botyard_cli_live::Verb>::definition(),
        CommandLine::<botyard_cli_site::Verb>::definition(),
        CommandLine::<botyard_cli_tournament::Verb>::definition(),
        CommandLine::<botyard_cli_training::Verb>::definition(),
        CommandLine::<botyard_cli_workers::Verb>::definition(),
        CommandLine::<Verb>::definition(),
    ];
    let mut order = 0;
    CommandLine::<botyard_cli::Verb>::definition().mut_subcommands(|listed| {
        order += 1;
        let mut found = of_companions.iter().filter_map(|it| it.find_subcommand(listed.get_name()));
        let found = found.next().filter(|_| is_of_companion(&listed)).cloned();
        found.unwrap_or(listed).display_order(order)
    })
}
