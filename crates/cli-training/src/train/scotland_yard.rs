//! `botyard train scotland-yard`: generates games of the bot `mcts` against itself, and fits weights to
//! their ends.

use super::fit::fit;
use super::generation::{GenerationArgs, generate};
use botyard_training::Training;
use botyard_training::scotland_yard::{
    Fit, HabitsTraining, MctsOptions, Play, ScotlandYardTraining,
};
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// The steps of training.
#[derive(Debug, Subcommand)]
pub(super) enum Step {
    /// Play and save games of the bot against itself
    Generate(GenerateArgs),
    /// Fit weights to the ends of games
    Fit(FitArgs),
    /// Fit the habits of Mr. X, which the detectives expect of him, to his steps in games
    FitHabits(FitHabitsArgs),
}

/// `botyard train scotland-yard generate`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard train scotland-yard generate --games 4000 --out 1.games
  botyard train scotland-yard generate --eval 1.weights --seed 4000 \\
    --out 2.games

Games are appended to an existing file, a line of JSON each. Ctrl-C stops after
the games in progress and keeps the finished ones. To add games later, use a
--seed that is at least the number of games played so far.")]
pub(super) struct GenerateArgs {
    #[command(flatten)]
    generation: GenerationArgs,
    /// Evaluation: playouts to the end of the game, or short ones judged by learned weights or a
    /// file of weights
    #[arg(long, value_name = "playouts|learned|FILE", default_value = "playouts")]
    eval: String,
    /// Number of rounds after which weights judge a playout
    #[arg(long, value_name = "N", default_value_t = 0)]
    cutoff: u16,
    /// Number of iterations per decision
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    iterations: u64,
    /// Play one action in N at random; 0 for none
    #[arg(long, value_name = "N", default_value_t = 20)]
    random_in: u32,
    /// Set an option of mcts as Mr. X; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    mr_x: Vec<String>,
    /// Set an option of mcts as the detectives; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    detectives: Vec<String>,
    /// Preset of rules to draw from; may be repeated [default: ravensburger]
    #[arg(long = "preset", value_name = "PRESET")]
    presets: Vec<String>,
}

/// `botyard train scotland-yard fit`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  botyard train scotland-yard fit 1.games 2.games --out 2.weights

The weights of the built-in bot are compiled in from
crates/bots/src/scotland_yard/weights.bin.")]
pub(super) struct FitArgs {
    #[command(flatten)]
    pass: PassArgs,
}

/// `botyard train scotland-yard fit-habits`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  botyard train scotland-yard generate --eval learned --out 1.games
  botyard train scotland-yard fit-habits 1.games --out 1.habits

The habits of the built-in bot are compiled in from
crates/bots/src/scotland_yard/habits.bin.")]
pub(super) struct FitHabitsArgs {
    #[command(flatten)]
    pass: PassArgs,
}

/// What is fitted to, and how.
#[derive(Debug, Args)]
struct PassArgs {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// File for the weights
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of passes over all positions
    #[arg(long, value_name = "N", default_value_t = Fit::default().epochs)]
    epochs: u32,
    /// Initial step size
    #[arg(long, value_name = "X", default_value_t = Fit::default().rate)]
    rate: f32,
    /// Seed of the initial weights and the order of positions
    #[arg(long, value_name = "S", default_value_t = Fit::default().seed)]
    seed: u64,
}

impl PassArgs {
    fn fit<T: Training<Fit = Fit>>(&self) -> anyhow::Result<ExitCode> {
        let PassArgs { epochs, rate, seed, .. } = *self;
        fit::<T>(&self.games, &Fit { epochs, rate, seed }, None, &self.out)
    }
}

pub(super) fn run(step: &Step) -> anyhow::Result<ExitCode> {
    match step {
        Step::Generate(args) => generate_games(args),
        Step::Fit(args) => args.pass.fit::<ScotlandYardTraining>(),
        Step::FitHabits(args) => args.pass.fit::<HabitsTraining>(),
    }
}

fn generate_games(args: &GenerateArgs) -> anyhow::Result<ExitCode> {
    let GenerateArgs { iterations, random_in, cutoff, .. } = *args;
    let options = |texts: &[String], side| {
        MctsOptions::parse(texts.iter().map(String::as_str))
            .map_err(|error| anyhow::anyhow!("--{side}: {error}"))
    };
    let mr_x = options(&args.mr_x, "mr-x")?;
    let detectives = options(&args.detectives, "detectives")?;
    let mut how = Play { iterations, random_in, cutoff, mr_x, detectives, ..Play::default() };
    if !args.presets.is_empty() {
        how.presets.clone_from(&args.presets);
    }
    generate::<ScotlandYardTraining>(&args.generation, &how, &args.eval)
}
