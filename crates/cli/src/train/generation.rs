//! The generation of training games. Several games are played at once, one per seed, and appended
//! to a file in the order of their seeds.

use crate::bars::bar;
use crate::failure::{FAILED, Failure};
use crate::files::read;
use crate::text::out;
use botyard_bots::training::{Training, play_in_order};
use botyard_referee::Interrupt;
use clap::Args;
use indicatif::ProgressBar;
use std::fs::OpenOptions;
use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The games to generate, and their file.
#[derive(Debug, Args)]
pub(super) struct GenerationArgs {
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(super) games: u64,
    /// Seed of the first game; each further game has the next number
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(super) seed: u64,
    /// Number of games to play at once; does not affect the file [default: number of cores]
    #[arg(long, short = 'j', value_name = "N")]
    pub(super) concurrency: Option<NonZero<usize>>,
    /// File to append to
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
}

/// Plays the games by the evaluation of this name or file, and appends them to the file.
///
/// # Errors
///
/// There is no such evaluation, or the file is not writable.
pub(super) fn generate<T: Training>(
    args: &GenerationArgs,
    how: &T::Play,
    eval: &str,
) -> anyhow::Result<ExitCode> {
    let play = T::player(how, evaluator::<T>(eval)?).map_err(Failure::usage)?;
    let cannot_write =
        |error| Failure::host(format!("cannot write to {}: {error}", args.out.display()));
    let mut file =
        OpenOptions::new().append(true).create(true).open(&args.out).map_err(cannot_write)?;
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let bar = progress(args.games);
    let mut found = 0;
    let seeds = args.seed..args.seed.saturating_add(args.games);
    let is_stopped = || interrupt.is_raised();
    let play = |seed| {
        let game = play(seed);
        let units = T::units(&game);
        (game, units)
    };
    let games = play_in_order(seeds, threads(args.concurrency), is_stopped, play, |game| {
        let (bytes, units) = game;
        file.write_all(&bytes).map_err(cannot_write)?;
        found += units;
        bar.inc(1);
        anyhow::Ok(())
    })?;
    bar.finish_and_clear();
    out(&format!("{games} games, {found} {} added to {}\n", T::UNIT, args.out.display()))?;
    let is_whole = games == args.games;
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

/// Reads the evaluation of this name, or else the one with the weights in this file.
pub(super) fn evaluator<T: Training>(name: &str) -> anyhow::Result<T::Evaluator> {
    match T::named(name) {
        Some(evaluator) => Ok(evaluator),
        None => T::with_weights(&read(Path::new(name))?)
            .map_err(|error| Failure::usage(format!("{name}: {error}"))),
    }
}

/// Returns the number of threads: the option's value, or the number of cores.
pub(super) fn threads(concurrency: Option<NonZero<usize>>) -> NonZero<usize> {
    concurrency
        .unwrap_or_else(|| std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN))
}

/// Returns a progress bar over this many games.
pub(super) fn progress(games: u64) -> ProgressBar {
    bar(Some(games), "{bar:30} {pos} of {len} games, {eta} left")
}
