//! Arguments of `botyard test`. Only the form of each argument is checked here.

use crate::bot_option_arguments::BotOptionArgs;
use crate::conditions::ConditionsArgs;
use crate::containment_arguments::ContainmentArgs;
use crate::named_values::{Named, one_of};
use crate::start::StartArgs;
use botyard_league::sprt::{EloModel, Sprt};
use botyard_protocol::OnFault;
use botyard_runner::{Config, Games, MOST_GAMES, Replays};
use clap::Args;
use std::path::PathBuf;

/// `botyard test`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
A sequential probability ratio test (SPRT) on pairs of games. In a pair, both
bots play the same start from both seats. The test stops as soon as it accepts
one of two hypotheses:
  H0: NEW is at most ELO0 points stronger than OLD
  H1: NEW is at least ELO1 points stronger than OLD

Exit code: 0 if H1 is accepted, 1 if H0 is accepted or the test is undecided.

Examples:
  botyard test ./my-bot ./my-bot-1.0 --game draughts --opening ballots
  botyard test ./my-bot ./my-bot-1.0 --game draughts --elo0 -30 --elo1 0
  botyard test new=./my-bot old=./my-bot --game draughts --option new:depth=9
The second asks whether the new version is less than 30 Elo weaker, the third
whether a program is better with one of its options.")]
pub struct TestArgs {
    /// Bot that may be better
    #[arg(value_name = "NEW")]
    pub new: String,

    /// Bot to compare it with
    #[arg(value_name = "OLD")]
    pub old: String,

    /// Game to play; `botyard games` lists the games
    #[arg(long)]
    pub game: String,

    /// Elo difference under H0
    #[arg(long, value_name = "ELO", default_value_t = Sprt::ELO0, allow_negative_numbers = true, help_heading = "Test")]
    pub elo0: f64,

    /// Elo difference under H1
    #[arg(long, value_name = "ELO", default_value_t = Sprt::ELO1, allow_negative_numbers = true, help_heading = "Test")]
    pub elo1: f64,

    /// Type I error rate: probability of accepting H1 when H0 is true
    #[arg(long, value_name = "P", default_value_t = 0.05, help_heading = "Test")]
    pub alpha: f64,

    /// Type II error rate: probability of accepting H0 when H1 is true
    #[arg(long, value_name = "P", default_value_t = 0.05, help_heading = "Test")]
    pub beta: f64,

    /// What Elo points measure
    #[arg(long, value_parser = one_of(MODELS), default_value = "logistic", help_heading = "Test")]
    pub model: EloModel,

    /// Stop undecided after N games
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(2..=i64::from(MOST_GAMES)), help_heading = "Test")]
    pub max_games: u32,

    /// The start of the games.
    #[command(flatten)]
    pub start: StartArgs,

    /// Options of the bots.
    #[command(flatten)]
    pub bot_options: BotOptionArgs,

    /// Time and concurrency.
    #[command(flatten)]
    pub conditions: ConditionsArgs,

    /// The sandbox.
    #[command(flatten)]
    pub containment: ContainmentArgs,

    /// Save the replay of every game in this directory, which must be new or empty
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub out: Option<PathBuf>,

    /// Print events as JSON, one object per line, and nothing else
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// The values of `--model`.
const MODELS: &Named<EloModel> = &[
    (
        EloModel::Logistic,
        "logistic",
        "The share of the points: 400 Elo points are odds of ten to one",
    ),
    (
        EloModel::Normalized,
        "normalized",
        "The share of the points relative to the standard deviation of the pairs",
    ),
];

/// The match of `--max-games` games, which the test may end early.
impl From<&TestArgs> for Config {
    fn from(args: &TestArgs) -> Config {
        Config {
            options: args.bot_options.options.clone(),
            start: (&args.start).into(),
            // Whole pairs.
            games: Games::Number(args.max_games / 2 * 2),
            time: args.conditions.time(OnFault::Forfeit),
            own_times: args.conditions.own_times(),
            running: args.conditions.running(),
            adjudication: (&args.conditions.adjudication).into(),
            limits: args.conditions.limits.into(),
            containment: (&args.containment).into(),
            replays: args.out.clone().map_or(Replays::None, Replays::Own),
            ..Config::new(&args.game, vec![args.new.clone(), args.old.clone()])
        }
    }
}
