//! `botyard egdb`: builds, checks and probes endgame tables of draughts. The engine solves them;
//! `botyard-bots` has the file format.

mod build;
mod check;
mod probe;

use botyard_bots::draughts::endgames::LoadError;
use botyard_cli::failure::Failure;
use botyard_engine::draughts::endgame::Endgames;
use botyard_league::plain_table::{table_of_numbers, trimmed};
use botyard_training::endgames::Counts;
use clap::{Args, Subcommand};
use std::process::ExitCode;

/// `botyard egdb`.
#[derive(Debug, Args)]
#[command(
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "\
Example:
  botyard egdb build
  botyard egdb probe --fen W:WK19,K23:B12,K28

The bot alpha-beta looks for the tables where `build` writes them. With them it
plays positions of up to four pieces perfectly, and knows the result of those of
five or six. docs/games/draughts.md has the details."
)]
pub struct EgdbArgs {
    /// The verb.
    #[command(subcommand)]
    pub verb: EgdbVerb,
}

/// The verbs of `botyard egdb`.
#[derive(Debug, Subcommand)]
pub enum EgdbVerb {
    /// Solve all endgames with up to four, five or six pieces, and write them to a file
    Build(build::BuildArgs),
    /// Check a file against its checksums, or against the rules
    Check(check::CheckArgs),
    /// Print the value of a position and of each of its moves
    Probe(probe::ProbeArgs),
}

/// The progress bar of work on positions.
const POSITIONS: &str = "{bar:24} {percent}% of {len} positions, {elapsed}";

/// Runs a verb of `botyard egdb`.
pub(crate) fn run(args: &EgdbArgs) -> anyhow::Result<ExitCode> {
    match &args.verb {
        EgdbVerb::Build(args) => build::run(args),
        EgdbVerb::Check(args) => check::run(args),
        EgdbVerb::Probe(args) => probe::run(args),
    }
}

/// Returns the failure of a file that cannot be loaded.
fn unusable(error: LoadError) -> anyhow::Error {
    match error {
        LoadError::Read { .. } => Failure::host(error),
        LoadError::Missing(_) | LoadError::Format { .. } => Failure::usage(error),
    }
}

/// Returns the numbers of won, lost and drawn positions of each class as a table, with the sums for
/// each number of pieces.
fn table_of_counts(endgames: &Endgames) -> String {
    let mut table = table_of_numbers(&Counts::columns());
    table.add_rows(Counts::of(endgames).rows());
    format!(
        "{}\n\nK king, M man. Each position counts once, whichever colour is to move.\n",
        trimmed(&table)
    )
}
