//! What `botyard test` takes. Only the form of each argument is checked here.

use crate::conditions::ConditionsArgs;
use crate::containment_arguments::ContainmentArgs;
use crate::start::StartArgs;
use botyard_league::sprt::{EloModel, Sprt};
use botyard_protocol::OnFault;
use botyard_runner::{Config, Games, MOST_GAMES, Replays};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `botyard test`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
A sequential test: games are played in pairs, from one start with both seatings, until they tell apart
whether NEW is better by ELO0 or by ELO1. It then has played as few as were needed.
The exit code is 0 where NEW is taken to be better, and 1 where it is not, or was not decided.

Example:
  botyard test ./my-bot ./my-bot-1.0 --game draughts --move-time 100 --opening ballots")]
pub struct TestArgs {
    /// The bot that may be better
    #[arg(value_name = "NEW")]
    pub new: String,

    /// The bot that it is compared with
    #[arg(value_name = "OLD")]
    pub old: String,

    /// The game; `botyard games` lists them
    #[arg(long)]
    pub game: String,

    /// The difference, in Elo points, that would be none
    #[arg(long, value_name = "ELO", default_value_t = Sprt::ELO0, allow_negative_numbers = true, help_heading = "Test")]
    pub elo0: f64,

    /// The difference that is looked for
    #[arg(long, value_name = "ELO", default_value_t = Sprt::ELO1, allow_negative_numbers = true, help_heading = "Test")]
    pub elo1: f64,

    /// How often a NEW that is better by ELO0 only may be taken for better by ELO1
    #[arg(long, value_name = "P", default_value_t = 0.05, help_heading = "Test")]
    pub alpha: f64,

    /// How often a NEW that is better by ELO1 may be taken for better by ELO0 only
    #[arg(long, value_name = "P", default_value_t = 0.05, help_heading = "Test")]
    pub beta: f64,

    /// What the Elo points are points of
    #[arg(long, value_enum, default_value_t = Model::Logistic, help_heading = "Test")]
    pub model: Model,

    /// Undecided after so many games, it ends
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(2..=i64::from(MOST_GAMES)), help_heading = "Test")]
    pub max_games: u32,

    /// How they begin.
    #[command(flatten)]
    pub start: StartArgs,

    /// Under which conditions they play.
    #[command(flatten)]
    pub conditions: ConditionsArgs,

    /// How bots are contained.
    #[command(flatten)]
    pub containment: ContainmentArgs,

    /// Save the replay of every game in this new or empty directory
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub out: Option<PathBuf>,

    /// Print events for a program to read, one JSON object a line, and nothing else
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// What Elo points measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Model {
    /// The share of the points: 400 are odds of ten to one
    Logistic,
    /// The share of the points in units of how much pairs vary
    Normalized,
}

impl From<Model> for EloModel {
    fn from(model: Model) -> EloModel {
        match model {
            Model::Logistic => EloModel::Logistic,
            Model::Normalized => EloModel::Normalized,
        }
    }
}

/// The longest match that the test may become.
impl From<&TestArgs> for Config {
    fn from(args: &TestArgs) -> Config {
        Config {
            start: (&args.start).into(),
            // Whole pairs.
            games: Games::Number(args.max_games / 2 * 2),
            time: args.conditions.time(0, OnFault::Forfeit),
            running: args.conditions.running(),
            containment: (&args.containment).into(),
            replays: args.out.clone().map_or(Replays::None, Replays::Own),
            ..Config::new(&args.game, vec![args.new.clone(), args.old.clone()])
        }
    }
}
