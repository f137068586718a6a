//! `botyard train draughts`: generates samples from games of the bot against itself, and fits
//! weights to them.

use super::fit::fit;
use super::generation::{GenerationArgs, generate};
use botyard_cli::failure::Failure;
use botyard_training::draughts::{DraughtsTraining, Fit, Play};
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// The steps of training.
#[derive(Debug, Subcommand)]
pub(super) enum Step {
    /// Play games of the bot against itself and save their quiet positions
    Generate(GenerateArgs),
    /// Fit weights to positions and the results of their games
    Fit(FitArgs),
}

/// `botyard train draughts generate`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  botyard train draughts generate --games 20000 --out first.samples

Samples of 16 bytes each are appended to an existing file. Ctrl-C stops after
the games in progress and keeps the finished ones. To add games later, use a
--seed that is at least the number of games played so far.")]
pub(super) struct GenerateArgs {
    #[command(flatten)]
    generation: GenerationArgs,
    /// Number of positions searched per move
    #[arg(long, value_name = "N", default_value_t = 3000, value_parser = clap::value_parser!(u64).range(Play::LEAST_NODES..))]
    nodes: u64,
    /// Number of pieces of the endgame tables that searches use, 0 for none
    ///
    /// The tables are solved before the first game: up to four pieces take seconds. A game ends with
    /// the first position that they know.
    #[arg(long, value_name = "N", default_value_t = 0)]
    endgames: u8,
    /// Percentage of the games that begin from a random position of 5 to 14 pieces, a third of them
    /// kings, instead of a ballot
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=100))]
    scattered: u32,
    /// One move in N is random, so that the games differ; 0 for none
    ///
    /// Games from ballots differ without it, because up to six moves after the ballot are random.
    #[arg(long, value_name = "N", default_value_t = Play::default().random_in)]
    random_in: u32,
    /// Evaluation: learned, positional, or a file of weights
    #[arg(long, value_name = "NAME|FILE", default_value = "learned")]
    eval: String,
}

/// `botyard train draughts fit`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  botyard train draughts fit first.samples second.samples --out weights.bin

The weights of the built-in bot are compiled in from
crates/bots/src/draughts/weights.bin.")]
pub(super) struct FitArgs {
    /// Files of samples
    #[arg(required = true, value_name = "FILE")]
    samples: Vec<PathBuf>,
    /// File for the weights
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of passes over all samples
    #[arg(long, value_name = "N", default_value_t = Fit::default().epochs)]
    epochs: u32,
    /// Initial step size
    #[arg(long, value_name = "X", default_value_t = Fit::default().rate)]
    rate: f32,
    /// Weight of the game's result against the search value of the position, 0 to 1
    #[arg(long, value_name = "X", default_value_t = Fit::default().result_share)]
    result_share: f32,
}

pub(super) fn run(step: &Step) -> anyhow::Result<ExitCode> {
    match step {
        Step::Generate(args) => generate_samples(args),
        Step::Fit(args) => fit_weights(args),
    }
}

fn generate_samples(args: &GenerateArgs) -> anyhow::Result<ExitCode> {
    let GenerateArgs { nodes, endgames, scattered, random_in, .. } = *args;
    let play = Play { nodes, endgames, scattered, random_in };
    generate::<DraughtsTraining>(&args.generation, &play, &args.eval)
}

fn fit_weights(args: &FitArgs) -> anyhow::Result<ExitCode> {
    if !(0.0..=1.0).contains(&args.result_share) {
        let share = args.result_share;
        return Err(Failure::usage(format!("expected a --result-share of 0 to 1, got {share}")));
    }
    let how = Fit {
        epochs: args.epochs,
        rate: args.rate,
        result_share: args.result_share,
        ..Fit::default()
    };
    fit::<DraughtsTraining>(&args.samples, &how, None, &args.out)
}
