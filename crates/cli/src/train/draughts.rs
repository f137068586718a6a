//! `botyard train draughts`: samples from games of the bot against itself, and weights from
//! samples.

use crate::failure::{FAILED, Failure};
use botyard_bots::draughts::training::{
    Fit, Sample, SelfPlay, fit, play_game, read_samples, write_samples,
};
use botyard_bots::draughts::{Learned, Positional};
use botyard_referee::Interrupt;
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::OpenOptions;
use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;

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
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    games: u64,
    /// The seed of the first game; each following one has the next number
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// How many positions are visited for each move
    #[arg(long, value_name = "N", default_value_t = 3000, value_parser = clap::value_parser!(u64).range(100..))]
    nodes: u64,
    /// Who judges positions: learned, positional, or a file of weights
    #[arg(long, value_name = "NAME|FILE", default_value = "learned")]
    eval: String,
    /// How many games are played at once [default: as many as there are cores]
    #[arg(long, short = 'j', value_name = "N")]
    concurrency: Option<NonZero<usize>>,
    /// The file to add the samples to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
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
        Step::Generate(args) => generate(args),
        Step::Fit(args) => fit_weights(args),
    }
}

/// Who judges positions.
enum Judge {
    Positional(Positional),
    Learned(Learned),
}

impl Judge {
    fn new(name: &str) -> anyhow::Result<Judge> {
        let grain = Positional::default().grain;
        Ok(match name {
            "positional" => Judge::Positional(Positional { grain }),
            "learned" => Judge::Learned(Learned::new(grain)),
            path => {
                let bytes = read(Path::new(path))?;
                let weights = Learned::from_bytes(&bytes, grain)
                    .map_err(|error| Failure::usage(format!("{path}: {error}")))?;
                Judge::Learned(weights)
            }
        })
    }

    fn play(&self, seed: u64, how: &SelfPlay) -> Vec<Sample> {
        match self {
            Judge::Positional(judge) => play_game(seed, how, judge),
            Judge::Learned(judge) => play_game(seed, how, judge),
        }
    }
}

fn generate(args: &GenerateArgs) -> anyhow::Result<ExitCode> {
    let judge = Judge::new(&args.eval)?;
    let mut out =
        OpenOptions::new().append(true).create(true).open(&args.out).map_err(|error| {
            Failure::host(format!("cannot write to {}: {error}", args.out.display()))
        })?;
    let cores = std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let threads = args.concurrency.unwrap_or(cores).get();
    let how = SelfPlay { nodes: args.nodes, ..SelfPlay::default() };
    let end = args.seed.saturating_add(args.games);
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let bar = progress(args.games);
    let next = AtomicU64::new(args.seed);
    let (mut games, mut samples) = (0_u64, 0);
    std::thread::scope(|scope| -> anyhow::Result<()> {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads {
            let (sender, next, judge, how, interrupt) =
                (sender.clone(), &next, &judge, &how, &interrupt);
            scope.spawn(move || {
                while !interrupt.is_raised() {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    // A receiver that is gone has met an error and wants no more.
                    if seed >= end || sender.send(judge.play(seed, how)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for game in receiver {
            out.write_all(&write_samples(&game)).map_err(|error| {
                interrupt.raise();
                Failure::host(format!("cannot write to {}: {error}", args.out.display()))
            })?;
            games += 1;
            samples += game.len();
            bar.inc(1);
        }
        Ok(())
    })?;
    bar.finish_and_clear();
    println!("{games} games, {samples} positions added to {}", args.out.display());
    let is_whole = games == args.games;
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

fn progress(games: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len} games, {eta} left")
        .expect("the template is well formed");
    ProgressBar::new(games).with_style(style)
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
    println!("{} positions", samples.len());
    let how = Fit {
        epochs: args.epochs,
        rate: args.rate,
        result_share: args.result_share,
        ..Fit::default()
    };
    let weights = fit(&samples, &how, |epoch, error| {
        println!("epoch {epoch} of {}: error on positions not learned from {error:.5}", how.epochs);
    });
    let write = || -> anyhow::Result<()> {
        let directory = args.out.parent().filter(|path| !path.as_os_str().is_empty());
        let mut file = tempfile::NamedTempFile::new_in(directory.unwrap_or(Path::new(".")))?;
        file.write_all(&weights)?;
        file.persist(&args.out)?;
        Ok(())
    };
    write().map_err(|error| {
        Failure::host(format!("cannot write {}: {error:#}", args.out.display()))
    })?;
    println!("{} bytes of weights written to {}", weights.len(), args.out.display());
    Ok(ExitCode::SUCCESS)
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(path)
        .map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display())))
}
