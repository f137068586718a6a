//! `botyard train`: how a learned evaluation gets its weights. First games of the bot against
//! itself or others, then the weights that best foretell how those games went.

mod dice_wars;
mod draughts;
mod files;
mod generation;

use clap::{Args, Subcommand};
use std::process::ExitCode;

/// `botyard train`.
#[derive(Debug, Args)]
pub struct TrainArgs {
    #[command(subcommand)]
    game: Game,
}

/// The games with an evaluation that learns.
#[derive(Debug, Subcommand)]
enum Game {
    /// The evaluation `learned` of the bot `alpha-beta`
    #[command(subcommand)]
    Draughts(draughts::Step),
    /// The evaluation `learned` of the bot `dice`
    #[command(subcommand)]
    DiceWars(dice_wars::Step),
}

/// Trains.
///
/// # Errors
///
/// Files that cannot be read, are not what they should be, or cannot be written.
pub fn run(args: &TrainArgs) -> anyhow::Result<ExitCode> {
    match &args.game {
        Game::Draughts(step) => draughts::run(step),
        Game::DiceWars(step) => dice_wars::run(step),
    }
}
