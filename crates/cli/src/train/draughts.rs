//! `botyard train draughts`: samples from games of the bot against itself, and weights from
//! samples.

use super::files::{read, replace};
use super::generation::{GenerationArgs, generate};
use crate::failure::Failure;
use crate::text::{mention, out};
use botyard_bots::draughts::training::{AnyEvaluator, Fit, Play, fit, read_samples, write_samples};
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The steps of training.
#[derive(Debug, Subcommand)]
pub(super) enum Step {
    /// Play games of the bot against itself and keep their quiet positions
    Generate(GenerateArgs),
    /// Fit weights to positions and how their games went
    Fit(FitArgs),
}

/// `botyard train draughts generate`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  botyard train draughts generate --games 20000 --out first.samples

A file that is there is added to: its size tells how many samples it holds, 16 bytes each. Ctrl-C
ends it after the games at hand; what was played is kept. To go on later, give a --seed that is at
least as large as the number of games played.")]
pub(super) struct GenerateArgs {
    #[command(flatten)]
    generation: GenerationArgs,
    /// How many positions are visited for each move
    #[arg(long, value_name = "N", default_value_t = 3000, value_parser = clap::value_parser!(u64).range(Play::LEAST_NODES..))]
    nodes: u64,
    /// How positions are evaluated: learned, positional, or a file of weights
    #[arg(long, value_name = "NAME|FILE", default_value = "learned")]
    eval: String,
}

/// `botyard train draughts fit`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  botyard train draughts fit first.samples second.samples --out weights.bin

The bot plays with weights that were built into it from crates/bots/src/draughts/weights.bin.")]
pub(super) struct FitArgs {
    /// Files with samples
    #[arg(required = true, value_name = "FILE")]
    samples: Vec<PathBuf>,
    /// The file for the weights
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How often all samples are gone through
    #[arg(long, value_name = "N", default_value_t = Fit::default().epochs)]
    epochs: u32,
    /// The size of the first steps
    #[arg(long, value_name = "X", default_value_t = Fit::default().rate)]
    rate: f32,
    /// How much the end of a game counts beside what the search said of the position, 0 to 1
    #[arg(long, value_name = "X", default_value_t = Fit::default().result_share)]
    result_share: f32,
}

pub(super) fn run(step: &Step) -> anyhow::Result<ExitCode> {
    match step {
        Step::Generate(args) => generate_samples(args),
        Step::Fit(args) => fit_weights(args),
    }
}

fn evaluator(name: &str) -> anyhow::Result<AnyEvaluator> {
    match AnyEvaluator::named(name) {
        Some(evaluator) => Ok(evaluator),
        None => AnyEvaluator::with_weights(&read(Path::new(name))?)
            .map_err(|error| Failure::usage(format!("{name}: {error}"))),
    }
}

fn generate_samples(args: &GenerateArgs) -> anyhow::Result<ExitCode> {
    let evaluator = evaluator(&args.eval)?;
    let how = Play { nodes: args.nodes }.settings();
    generate(&args.generation, "positions", |seed| {
        let samples = evaluator.play(seed, &how);
        (write_samples(&samples), samples.len())
    })
}

fn fit_weights(args: &FitArgs) -> anyhow::Result<ExitCode> {
    if !(0.0..=1.0).contains(&args.result_share) {
        let share = args.result_share;
        return Err(Failure::usage(format!("expected a --result-share of 0 to 1, got {share}")));
    }
    let mut samples = Vec::new();
    for path in &args.samples {
        let more = read_samples(&read(path)?)
            .map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
        samples.extend(more);
    }
    mention(&format!("{} positions", samples.len()));
    let how = Fit {
        epochs: args.epochs,
        rate: args.rate,
        result_share: args.result_share,
        ..Fit::default()
    };
    let weights = fit(&samples, &how, |epoch, error| {
        mention(&format!(
            "epoch {epoch} of {}: error on positions not learned from {error:.5}",
            how.epochs
        ));
    });
    replace(&args.out, &weights)?;
    out(&format!("{} bytes of weights written to {}\n", weights.len(), args.out.display()))?;
    Ok(ExitCode::SUCCESS)
}
