//! Arguments of `botyard experiment`. Only the form of each argument is checked here.

use botyard_cli::time_arguments::milliseconds;
use botyard_runner::MOST_GAMES;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// `botyard experiment`.
#[derive(Debug, Args)]
pub struct ExperimentArgs {
    /// The verb.
    #[command(subcommand)]
    pub verb: ExperimentVerb,
}

/// The verbs of `botyard experiment`.
#[derive(Debug, Subcommand)]
pub enum ExperimentVerb {
    /// List the experiments, with their sources and the time of a full run
    List(ListArgs),
    /// Describe one experiment: its source, open questions, bots and rows
    Show(ShowArgs),
    /// Run one experiment and print the results beside the published ones
    Run(RunArgs),
}

/// `botyard experiment list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `botyard experiment show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// Name of an experiment, or path of your own experiment file
    pub name: String,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `botyard experiment run`.
#[derive(Debug, Args)]
#[command(after_help = "\
A full run takes hours. For a first look, play fewer games and shorter moves:
  botyard experiment run sova-5.1 --games 40 --move-time 50

With --out, an interrupted experiment can be resumed by the same command:
  botyard experiment run belej-5.1 --out results/belej-5.1

The column `compared` says:
  source within ours     the published figure lies in our 95% interval
  beyond, may be chance  it does not, but the difference may be chance
  ours is higher, lower  the difference is significant at the 5% level")]
pub struct RunArgs {
    /// Name of an experiment, or path of your own experiment file
    pub name: String,

    /// Number of games per row [default: as in the source]
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_GAMES)))]
    pub games: Option<u32>,

    /// Time per move in milliseconds, for bots with a time limit [default: as in the source]
    #[arg(long, value_name = "MS", value_parser = milliseconds(1..=3_600_000))]
    pub move_time: Option<u64>,

    /// Play only this row; may be repeated
    #[arg(long, value_name = "LABEL")]
    pub row: Vec<String>,

    /// Seed of the games: the same seed gives the same starts [default: 1]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,

    /// Number of games to play at once [default: number of cores minus one; 1 if times are
    /// measured]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: Option<u16>,

    /// Save every game in this directory, resume from the games there, and save the results as CSV
    /// and Markdown
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Print events as JSON, one object per line, and nothing else
    #[arg(long)]
    pub json: bool,
}
