//! The generation of training games. Several games are played at once, one per seed, and appended
//! to a file in the order of their seeds.

use crate::failure::{FAILED, Failure};
use crate::text::out;
use botyard_bots::training::play_in_order;
use botyard_referee::Interrupt;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::OpenOptions;
use std::io::Write;
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

/// Plays the games, and appends the bytes that `play` makes of each. `play` also returns how many
/// `unit` they are.
///
/// # Errors
///
/// The file is not writable.
pub(super) fn generate(
    args: &GenerationArgs,
    unit: &str,
    play: impl Fn(u64) -> (Vec<u8>, usize) + Sync,
) -> anyhow::Result<ExitCode> {
    let cannot_write =
        |error| Failure::host(format!("cannot write to {}: {error}", args.out.display()));
    let mut file =
        OpenOptions::new().append(true).create(true).open(&args.out).map_err(cannot_write)?;
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let bar = progress(args.games);
    let mut found = 0;
    let seeds = args.seed..args.seed.saturating_add(args.games);
    let is_stopped = || interrupt.is_raised();
    let games = play_in_order(seeds, threads(args.concurrency), is_stopped, play, |game| {
        let (bytes, count) = game;
        file.write_all(&bytes).map_err(cannot_write)?;
        found += count;
        bar.inc(1);
        anyhow::Ok(())
    })?;
    bar.finish_and_clear();
    out(&format!("{games} games, {found} {unit} added to {}\n", args.out.display()))?;
    let is_whole = games == args.games;
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

/// Returns the number of threads: the option's value, or the number of cores.
pub(super) fn threads(concurrency: Option<NonZero<usize>>) -> NonZero<usize> {
    concurrency
        .unwrap_or_else(|| std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN))
}

/// Returns a progress bar over this many games.
pub(super) fn progress(games: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len} games, {eta} left")
        .expect("the template is well formed");
    ProgressBar::new(games).with_style(style)
}
