//! The generation of training games. Several games are played at once, one per seed, and appended
//! to a file in the order of their seeds.

use botyard_cli::bars::bar;
use botyard_cli::failure::{FAILED, Failure};
use botyard_cli::text::out;
use botyard_referee::Interrupt;
use botyard_training::{Appended, StepError, Training, all_cores, append_games};
use clap::Args;
use indicatif::ProgressBar;
use std::num::NonZero;
use std::path::PathBuf;
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
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let bar = progress(args.games);
    let seeds = args.seed..args.seed.saturating_add(args.games);
    let (threads, is_stopped) = (threads(args.concurrency), || interrupt.is_raised());
    let appended =
        append_games::<T>(&args.out, how, eval, seeds, threads, is_stopped, || bar.inc(1));
    bar.finish_and_clear();
    let Appended { games, units } = appended.map_err(not_made)?;
    out(&format!("{games} games, {units} {} added to {}\n", T::UNIT, args.out.display()))?;
    let is_whole = games == args.games;
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

/// An error of a step of training.
pub(super) fn not_made(error: StepError) -> anyhow::Error {
    match error {
        StepError::Write { .. } => Failure::host(error),
        error => Failure::usage(error),
    }
}

/// Returns the number of threads: the option's value, or the number of cores.
pub(super) fn threads(concurrency: Option<NonZero<usize>>) -> NonZero<usize> {
    concurrency.unwrap_or_else(all_cores)
}

/// Returns a progress bar over this many games.
pub(super) fn progress(games: u64) -> ProgressBar {
    bar(Some(games), "{bar:30} {pos} of {len} games, {eta} left")
}
