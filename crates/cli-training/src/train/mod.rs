//! `botyard train`: trains the weights of a learned evaluation. Steps generate games of the bot
//! against itself or others, and fit weights that predict the results of these games. `rebuild`
//! runs the steps for all generations of a manifest.

mod dice_wars;
mod draughts;
mod fit;
mod generation;
mod rebuild;
mod scotland_yard;

use clap::{Args, Subcommand};
use std::process::ExitCode;

/// `botyard train`.
#[derive(Debug, Args)]
pub struct TrainArgs {
    #[command(subcommand)]
    subject: Subject,
}

/// The games with a learned evaluation, and `rebuild` for all of them.
#[derive(Debug, Subcommand)]
enum Subject {
    /// The evaluation `learned` of the bot `alpha-beta`
    #[command(subcommand)]
    Draughts(draughts::Step),
    /// The evaluation `learned` of the bot `dice`
    #[command(subcommand)]
    DiceWars(dice_wars::Step),
    /// The network of the option `cutoff` of the bot `mcts`
    #[command(subcommand)]
    ScotlandYard(scotland_yard::Step),
    /// Rebuild the weights of a manifest, and compare every file with its digest
    Rebuild(rebuild::RebuildArgs),
}

/// Runs a verb of `botyard train`.
pub(crate) fn run(args: &TrainArgs) -> anyhow::Result<ExitCode> {
    match &args.subject {
        Subject::Draughts(step) => draughts::run(step),
        Subject::DiceWars(step) => dice_wars::run(step),
        Subject::ScotlandYard(step) => scotland_yard::run(step),
        Subject::Rebuild(args) => rebuild::run(args),
    }
}
