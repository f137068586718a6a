//! `botyard train dice-wars`: games to learn from, weights from games, and how strong the bot is
//! with them.

use super::files::{read, replace};
use super::generation::{GenerationArgs, generate, progress};
use crate::failure::Failure;
use crate::text::{mention, out};
use botyard_bots::dice_wars::training::{
    AnyEvaluator, Examples, Fit, Play, Won, fit, play_measured, play_seed, read_games,
};
use botyard_bots::dice_wars::{
    Arena, Baseline, Network, PlanLimits, PlanPolicy, Planner, Planning,
};
use botyard_engine::dice_wars::Rules;
use botyard_league::score::Interval;
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// The steps of training.
#[derive(Debug, Subcommand)]
pub(super) enum Step {
    /// Play games of the bot against itself and the course's bots, and keep them
    Generate(GenerateArgs),
    /// Fit weights to who won the games
    Fit(FitArgs),
    /// Play the bot from every seat against the course's bots, and count what it wins
    Evaluate(EvaluateArgs),
}

/// How the bot plans.
#[derive(Debug, Args)]
struct PlanArgs {
    /// How positions are evaluated: learned, hand, or a file of weights
    #[arg(long, value_name = "NAME|FILE", default_value = "learned")]
    eval: String,
    /// How many positions are evaluated for a decision
    #[arg(long, value_name = "N", default_value_t = 3000)]
    nodes: u64,
    /// How many actions a plan looks ahead
    #[arg(long, value_name = "N", default_value_t = 12)]
    depth: u32,
    /// How many attacks are followed up in a position
    #[arg(long, value_name = "N", default_value_t = Planning::default().attacks)]
    width: usize,
    /// How many transfers are followed up in a position
    #[arg(long, value_name = "N", default_value_t = Planning::default().transfers)]
    transfers: usize,
}

impl PlanArgs {
    fn planning(&self) -> Planning {
        Planning { attacks: self.width, transfers: self.transfers, ..Planning::default() }
    }

    fn limits(&self) -> PlanLimits {
        PlanLimits { depth: self.depth, nodes: self.nodes, deadline: None }
    }
}

/// `botyard train dice-wars generate`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  botyard train dice-wars generate --games 12000 --planners 0 --out first.games
  botyard train dice-wars generate --games 2000 --eval first.weights --seed 100000 --out second.games

A file that is there is added to. Ctrl-C ends it after the games at hand; what was played is kept.
To go on later, give a --seed that is at least as large as the number of games played.")]
pub(super) struct GenerateArgs {
    #[command(flatten)]
    generation: GenerationArgs,
    #[command(flatten)]
    plan: PlanArgs,
    /// How many seats in a hundred the bot plays beside one in every game, where others are the
    /// course's; 0 for games of the course's bots alone
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(0..=100))]
    planners: u32,
    /// One action of the bot in N is random; 0 for none
    #[arg(long, value_name = "N", default_value_t = 100)]
    random_in: u32,
}

/// `botyard train dice-wars fit`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  botyard train dice-wars fit first.games second.games --out second.weights

The bot plays with weights that were built into it from crates/bots/src/dice_wars/weights.bin.")]
pub(super) struct FitArgs {
    /// Files with games
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// The file for the weights
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Weights to begin with [default: drawn]
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// With --from: how much less what those weights say of a later position counts than who won; 1
    /// for not at all, less for more
    #[arg(long, value_name = "X", default_value_t = 0.9)]
    lambda: f32,
    /// How often all positions are gone through
    #[arg(long, value_name = "N", default_value_t = Fit::default().epochs)]
    epochs: u32,
    /// The size of the first steps
    #[arg(long, value_name = "X", default_value_t = Fit::default().rate)]
    rate: f32,
    /// One position in N is learned from
    #[arg(long, value_name = "N", default_value_t = 1)]
    one_in: u32,
    /// What the first weights and the order of the positions are drawn from
    #[arg(long, value_name = "S", default_value_t = Fit::default().seed)]
    seed: u64,
}

/// `botyard train dice-wars evaluate`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  botyard train dice-wars evaluate --games 2400
  botyard train dice-wars evaluate --players 2 --against dw-stei-adt --eval hand

Blocks of one start, from which the bot plays every seat against the same others; a game that nobody
wins is not won.")]
pub(super) struct EvaluateArgs {
    #[command(flatten)]
    plan: PlanArgs,
    /// How many games, rounded up to whole blocks
    #[arg(long, value_name = "N", default_value_t = 400)]
    games: u32,
    /// How many players a game has
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=8))]
    players: u8,
    /// The rules
    #[arg(long, value_name = "PRESET", default_value = "sui-2021")]
    preset: String,
    /// The others are drawn from these [default: the course's five that were measured]
    #[arg(long, value_name = "BOT", value_parser = baseline)]
    against: Vec<Baseline>,
    /// The seed of the first block
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

fn evaluator(name: &str) -> anyhow::Result<AnyEvaluator> {
    match AnyEvaluator::named(name) {
        Some(evaluator) => Ok(evaluator),
        None => AnyEvaluator::with_weights(&read(Path::new(name))?)
            .map_err(|error| Failure::usage(format!("{name}: {error}"))),
    }
}

fn network(path: &Path) -> anyhow::Result<Network> {
    Network::from_bytes(&read(path)?)
        .map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
}

fn generate_games(args: &GenerateArgs) -> anyhow::Result<ExitCode> {
    let evaluator = evaluator(&args.plan.eval)?;
    let PlanArgs { nodes, depth, width, transfers, .. } = args.plan;
    let GenerateArgs { planners, random_in, .. } = *args;
    let among = Play { planners, random_in, nodes, depth, width, transfers }.settings();
    generate(&args.generation, "turns", |seed| {
        let game = play_seed(seed, &among, &evaluator);
        (game.to_bytes(), game.turns())
    })
}

fn fit_weights(args: &FitArgs) -> anyhow::Result<ExitCode> {
    let before = args.from.as_deref().map(network).transpose()?;
    if !(0.0..=1.0).contains(&args.lambda) {
        let lambda = args.lambda;
        return Err(Failure::usage(format!("expected a --lambda of 0 to 1, got {lambda}")));
    }
    let guide = before.as_ref().map(|network| (network, args.lambda));
    let mut examples = Examples::default();
    for path in &args.games {
        let wrong = |error: String| Failure::usage(format!("{}: {error}", path.display()));
        for (index, game) in
            read_games(&read(path)?).map_err(|error| wrong(error.to_string()))?.iter().enumerate()
        {
            examples
                .add(game, args.one_in, guide)
                .map_err(|error| wrong(format!("game {}: {error}", index + 1)))?;
        }
    }
    mention(&format!("{} positions", examples.len()));
    let how = Fit { epochs: args.epochs, rate: args.rate, seed: args.seed, ..Fit::default() };
    let network = fit(&examples, &how, before.as_ref(), |epoch, error| {
        mention(&format!(
            "epoch {epoch} of {}: error on games not learned from {error:.5}",
            how.epochs
        ));
    });
    let bytes = network.to_bytes();
    replace(&args.out, &bytes)?;
    out(&format!("{} bytes of weights written to {}\n", bytes.len(), args.out.display()))?;
    Ok(ExitCode::SUCCESS)
}

fn evaluate(args: &EvaluateArgs) -> anyhow::Result<ExitCode> {
    let rules = Rules::preset(&args.preset)
        .ok_or_else(|| Failure::usage(format!("there is no preset {:?}", args.preset)))?;
    let arena = Arena::new(Rules { players: args.players, ..rules })
        .map_err(|error| Failure::usage(error.to_string()))?;
    let evaluator = evaluator(&args.plan.eval)?;
    let planner = Planner::new(args.plan.planning(), evaluator);
    let mut policy = PlanPolicy { planner, limits: args.plan.limits() };
    let blocks = args.games.div_ceil(args.players.into());
    let bar = progress((blocks * u32::from(args.players)).into());
    let began = Instant::now();
    let mut won = Won::default();
    for block in 0..u64::from(blocks) {
        play_measured(&arena, args.seed + block, &mut policy, &args.against, &mut won);
        bar.inc(args.players.into());
    }
    bar.finish_and_clear();
    let seats = usize::from(args.players);
    for (seat, &wins) in won.wins[..seats].iter().enumerate() {
        out(&format!("player-{}: {}\n", seat + 1, share(wins, won.games)))?;
    }
    let all = won.wins.iter().sum();
    out(&format!("all seats: {}\n", share(all, won.games * u32::from(args.players))))?;
    out(&format!(
        "{} games that nobody won; {:.0} s\n",
        won.undecided,
        began.elapsed().as_secs_f64()
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// A share of games with its 95% interval.
fn share(wins: u32, games: u32) -> String {
    let share = f64::from(wins) / f64::from(games.max(1));
    let Interval { low, high } = Interval::wilson(share, games.into());
    let [share, low, high] = [share, low, high].map(|part| 100.0 * part);
    format!("{share:.1}% ({low:.1} to {high:.1}) of {games} games")
}

fn baseline(name: &str) -> Result<Baseline, String> {
    Ok(match name {
        "dw-rand" => Baseline::RAND,
        "dw-sdc" => Baseline::SDC,
        "dw-ste" => Baseline::STE,
        "dw-stei" => Baseline::STEI,
        "dw-sdc-at" => Baseline::SDC_AT,
        "dw-stei-at" => Baseline::STEI_AT,
        "dw-stei-dt" => Baseline::STEI_DT,
        "dw-stei-adt" => Baseline::STEI_ADT,
        _ => return Err("expected one of the course's bots, such as dw-stei-adt".into()),
    })
}
