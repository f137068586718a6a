//! `botyard egdb`: endgame tables of draughts are built, checked and asked about a position. How
//! they are solved is the engine's business, what a file of them looks like that of the bots.

mod build;
mod check;
mod counts;
mod probe;

use crate::failure::Failure;
use botyard_bots::draughts::endgames::{LoadError, read};
use botyard_engine::draughts::endgame::Endgames;
use clap::{Args, Subcommand};
use std::path::Path;
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

The bot alpha-beta finds the tables where `build` puts them, and then plays positions with up to
four pieces without a mistake. docs/games/draughts.md says more."
)]
pub struct EgdbArgs {
    /// What to do
    #[command(subcommand)]
    pub verb: EgdbVerb,
}

/// What can be done with endgame tables.
#[derive(Debug, Subcommand)]
pub enum EgdbVerb {
    /// Solve all endgames with up to four pieces, and write them to a file
    Build(build::BuildArgs),
    /// Check a file against its checksums, or against the rules
    Check(check::CheckArgs),
    /// Say what a position is worth, and each of its moves
    Probe(probe::ProbeArgs),
}

/// Does it.
///
/// # Errors
///
/// Files that are not there or damaged, positions that are none, and what the host cannot do.
pub fn run(args: &EgdbArgs) -> anyhow::Result<ExitCode> {
    match &args.verb {
        EgdbVerb::Build(args) => build::run(args),
        EgdbVerb::Check(args) => check::run(args),
        EgdbVerb::Probe(args) => probe::run(args),
    }
}

/// The tables of a file that must be a good one.
fn read_file(path: &Path) -> anyhow::Result<Endgames> {
    read(path).map_err(|error| match error {
        LoadError::Read { .. } => Failure::host(error),
        LoadError::Missing(_) | LoadError::Format { .. } => Failure::usage(error),
    })
}
