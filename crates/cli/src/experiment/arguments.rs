//! What `botyard experiment` takes. Only the form of each argument is checked here.

use botyard_runner::MOST_GAMES;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// `botyard experiment`.
#[derive(Debug, Args)]
pub struct ExperimentArgs {
    /// What to do.
    #[command(subcommand)]
    pub verb: ExperimentVerb,
}

/// What can be done with experiments.
#[derive(Debug, Subcommand)]
pub enum ExperimentVerb {
    /// List the experiments: what each repeats, and how long a full run takes
    List(ListArgs),
    /// Tell all about one: what the source measured, what is not clear, its bots and rows
    Show(ShowArgs),
    /// Play one, and print our figures beside the published ones
    Run(RunArgs),
}

/// `botyard experiment list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Print JSON for a program to read
    #[arg(long)]
    pub json: bool,
}

/// `botyard experiment show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The experiment, or the path of a file with one of your own
    pub name: String,

    /// Print JSON for a program to read
    #[arg(long)]
    pub json: bool,
}

/// `botyard experiment run`.
#[derive(Debug, Args)]
#[command(after_help = "\
A full run takes hours; fewer games and less time a move give a first look:
  botyard experiment run sova-5.1 --games 40 --move-time 50

With --out an experiment can be broken off and goes on with the same command:
  botyard experiment run belej-5.1 --out results/belej-5.1

The published figure is `within ours` where it lies in the 95% interval of ours; `beyond, may be
chance` where it does not, but two samples could differ so much; else ours is higher or lower.")]
pub struct RunArgs {
    /// The experiment, or the path of a file with one of your own
    pub name: String,

    /// How many games a row has [default: as many as the source]
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_GAMES)))]
    pub games: Option<u32>,

    /// The time of a move in milliseconds, for bots that think for a set time [default: as the
    /// source]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    pub move_time: Option<u64>,

    /// Play only this row; may be repeated
    #[arg(long, value_name = "LABEL")]
    pub row: Vec<String>,

    /// The same seed gives the same starts [default: 1]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,

    /// How many games are played at once [default: one less than there are cores; one where times
    /// are measured]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: Option<u16>,

    /// Keep every game in this directory, go on with those that are there, and save the figures as
    /// CSV and Markdown
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Print events for a program to read, one JSON object a line, and nothing else
    #[arg(long)]
    pub json: bool,
}
