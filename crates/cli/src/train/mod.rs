//! `botyard train`: how a learned evaluation gets its weights. First games of the bot against
//! itself or others, then the weights that best foretell how those games went. `rebuild` does it for
//! all generations of a manifest.

mod dice_wars;
mod draughts;
mod files;
mod generation;
mod rebuild;

use clap::{Args, Subcommand};
use std::process::ExitCode;

/// `botyard train`.
#[derive(Debug, Args)]
pub struct TrainArgs {
    #[command(subcommand)]
    subject: Subject,
}

/// The games with an evaluation that learns, and what goes for all of them.
#[derive(Debug, Subcommand)]
enum Subject {
    /// The evaluation `learned` of the bot `alpha-beta`
    #[command(subcommand)]
    Draughts(draughts::Step),
    /// The evaluation `learned` of the bot `dice`
    #[command(subcommand)]
    DiceWars(dice_wars::Step),
    /// Make the weights of a manifest again, and compare every file with its digest
    Rebuild(rebuild::RebuildArgs),
}

/// Trains.
///
/// # Errors
///
/// Files that cannot be read, are not what they should be, or cannot be written.
pub fn run(args: &TrainArgs) -> anyhow::Result<ExitCode> {
    match &args.subject {
        Subject::Draughts(step) => draughts::run(step),
        Subject::DiceWars(step) => dice_wars::run(step),
        Subject::Rebuild(args) => rebuild::run(args),
    }
}
