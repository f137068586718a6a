//! `botyard train dice-wars`: generates training games, fits weights to them, and evaluates the bot
//! that uses them.

use super::fit::fit;
use super::generation::{GenerationArgs, generate, not_made, progress};
use botyard_bots::dice_wars::{Baseline, Planning};
use botyard_cli::failure::Failure;
use botyard_cli::text::{done, out};
use botyard_engine::dice_wars::Rules;
use botyard_league::score::Interval;
use botyard_training::dice_wars::{DiceWarsTraining, Fit, FitStep, Play, measure_planner};
use botyard_training::evaluator;
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// The steps of training.
#[derive(Debug, Subcommand)]
pub(super) enum Step {
    /// Play and save games of the bot against itself and the course's bots
    Generate(GenerateArgs),
    /// Fit weights to the winners of games
    Fit(FitArgs),
    /// Play the bot from every seat against the course's bots, and count its wins
    Evaluate(EvaluateArgs),
}

/// The options for the bot's planning.
#[derive(Debug, Args)]
struct PlanArgs {
    /// Evaluation: learned, hand, or a file of weights
    #[arg(long, value_name = "NAME|FILE", default_value = "learned")]
    eval: String,
    /// Number of positions evaluated per decision
    #[arg(long, value_name = "N", default_value_t = 3000)]
    nodes: u64,
    /// Number of actions that a plan looks ahead
    #[arg(long, value_name = "N", default_value_t = 12)]
    depth: u32,
    /// Number of attacks tried in a position
    #[arg(long, value_name = "N", default_value_t = Planning::default().attacks)]
    width: usize,
    /// Number of transfers tried in a position
    #[arg(long, value_name = "N", default_value_t = Planning::default().transfers)]
    transfers: usize,
}

impl PlanArgs {
    fn play(&self) -> Play {
        let PlanArgs { nodes, depth, width, transfers, .. } = *self;
        Play { nodes, depth, width, transfers, ..Play::default() }
    }
}

/// `botyard train dice-wars generate`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  botyard train dice-wars generate --games 12000 --planners 0 --out 1.games
  botyard train dice-wars generate --eval 1.weights --seed 12000 --out 2.games
  botyard train dice-wars generate --preset sui-2020 --players 4 \\
    --against dw-ste --against dw-sdc --out scattered.games

Games are appended to an existing file. Ctrl-C stops after the games in progress
and keeps the finished ones. To add games later, use a --seed that is at least
the number of games played so far.")]
pub(super) struct GenerateArgs {
    #[command(flatten)]
    generation: GenerationArgs,
    #[command(flatten)]
    plan: PlanArgs,
    /// Percentage of seats that the bot plays, besides one seat in every game; the course's bots
    /// play the others; 0 for games of the course's bots alone
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(0..=100))]
    planners: u32,
    /// Play one of the bot's actions in N at random; 0 for none
    #[arg(long, value_name = "N", default_value_t = 100)]
    random_in: u32,
    /// Preset of rules to draw from; may be repeated [default: sui-2021 twice and fair-4]
    #[arg(long = "preset", value_name = "PRESET")]
    presets: Vec<String>,
    /// Number of players to draw from; may be repeated [default: 2 to 8, 4 most often]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=8))]
    players: Vec<u8>,
    /// Bot to draw the other seats from; may be repeated [default: the five of the course's bots
    /// that were measured]
    #[arg(long = "against", value_name = "BOT")]
    opponents: Vec<String>,
}

/// `botyard train dice-wars fit`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  botyard train dice-wars fit 1.games 2.games --out 2.weights

The weights of the built-in bot are compiled in from
crates/bots/src/dice_wars/weights.bin.")]
pub(super) struct FitArgs {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// File for the weights
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Initial weights [default: random]
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// With --from: weight of the winner against the value that the initial weights give a later
    /// position; 1 ignores those values
    #[arg(long, value_name = "X", default_value_t = 0.9)]
    lambda: f32,
    /// Number of passes over all positions
    #[arg(long, value_name = "N", default_value_t = Fit::default().epochs)]
    epochs: u32,
    /// Initial step size
    #[arg(long, value_name = "X", default_value_t = Fit::default().rate)]
    rate: f32,
    /// Learn from one position in N
    #[arg(long, value_name = "N", default_value_t = 1)]
    one_in: u32,
    /// Seed of the initial weights and the order of positions
    #[arg(long, value_name = "S", default_value_t = Fit::default().seed)]
    seed: u64,
}

/// `botyard train dice-wars evaluate`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  botyard train dice-wars evaluate --games 2400
  botyard train dice-wars evaluate --players 2 --against dw-stei-adt --eval hand

In each block the bot plays one start from every seat, against the same
opponents. A game without a winner counts as not won.")]
pub(super) struct EvaluateArgs {
    #[command(flatten)]
    plan: PlanArgs,
    /// Number of games, rounded up to whole blocks
    #[arg(long, value_name = "N", default_value_t = 400)]
    games: u32,
    /// Number of players
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=8))]
    players: u8,
    /// Preset of rules
    #[arg(long, value_name = "PRESET", default_value = "sui-2021")]
    preset: String,
    /// Bots to draw the opponents from [default: the five of the course's bots that were measured]
    #[arg(long, value_name = "BOT", value_parser = baseline)]
    against: Vec<Baseline>,
    /// Seed of the first block
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
}

pub(super) fn run(step: &Step) -> anyhow::Result<ExitCode> {
    match step {
        Step::Generate(args) => generate_games(args),
        Step::Fit(args) => fit_weights(args),
        Step::Evaluate(args) => evaluate(args),
    }
}

fn generate_games(args: &GenerateArgs) -> anyhow::Result<ExitCode> {
    let mut how = Play { planners: args.planners, random_in: args.random_in, ..args.plan.play() };
    for (given, of_play) in
        [(&args.presets, &mut how.presets), (&args.opponents, &mut how.opponents)]
    {
        if !given.is_empty() {
            of_play.clone_from(given);
        }
    }
    if !args.players.is_empty() {
        how.players.clone_from(&args.players);
    }
    generate::<DiceWarsTraining>(&args.generation, &how, &args.plan.eval)
}

fn fit_weights(args: &FitArgs) -> anyhow::Result<ExitCode> {
    let FitArgs { lambda, one_in, epochs, rate, seed, .. } = *args;
    if !(0.0..=1.0).contains(&lambda) {
        return Err(Failure::usage(format!("expected a --lambda of 0 to 1, got {lambda}")));
    }
    let lambda = args.from.is_some().then_some(lambda);
    let how = FitStep { lambda, one_in, epochs, rate, seed };
    fit::<DiceWarsTraining>(&args.games, &how, args.from.as_deref(), &args.out)
}

fn evaluate(args: &EvaluateArgs) -> anyhow::Result<ExitCode> {
    let rules = Rules::preset(&args.preset)
        .ok_or_else(|| Failure::usage(format!("there is no preset {:?}", args.preset)))?;
    let rules = Rules { players: args.players, ..rules };
    let evaluator = evaluator::<DiceWarsTraining>(&args.plan.eval).map_err(not_made)?;
    let blocks = args.games.div_ceil(args.players.into());
    let seeds = args.seed..args.seed.saturating_add(blocks.into());
    let bar = progress((blocks * u32::from(args.players)).into());
    let began = Instant::now();
    let won = measure_planner(rules, &args.plan.play(), evaluator, &args.against, seeds, || {
        bar.inc(args.players.into());
    });
    bar.finish_and_clear();
    let won = won.map_err(Failure::usage)?;
    let seats = usize::from(args.players);
    for (seat, &wins) in won.wins[..seats].iter().enumerate() {
        out(&format!("player-{}: {}\n", seat + 1, share(wins, won.games)))?;
    }
    let all = won.wins.iter().sum();
    out(&format!("all seats: {}\n", share(all, won.games * u32::from(args.players))))?;
    let seconds = began.elapsed().as_secs_f64();
    done(&format!("{} games without a winner; {seconds:.0} s\n", won.undecided))
}

/// Formats a share of games with its 95% interval.
fn share(wins: u32, games: u32) -> String {
    let share = f64::from(wins) / f64::from(games.max(1));
    let Interval { low, high } = Interval::wilson(share, games.into());
    let [share, low, high] = [share, low, high].map(|part| 100.0 * part);
    format!("{share:.1}% ({low:.1} to {high:.1}) of {games} games")
}

fn baseline(name: &str) -> Result<Baseline, String> {
    Baseline::named(name)
        .ok_or_else(|| "expected one of the course's bots, such as dw-stei-adt".into())
}
