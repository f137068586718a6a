//! `botyard egdb build`: solves all endgames and shows the progress.

use super::{POSITIONS, table_of_counts};
use botyard_bots::draughts::endgames::{data_file, read};
use botyard_cli::bars::{TICK, bar};
use botyard_cli::failure::{Failure, failed};
use botyard_cli::text::{done, done_json, eprint_line};
use botyard_engine::draughts::endgame::Material;
use botyard_referee::Interrupt;
use botyard_training::endgames::{self, BuildStep, Built, Counts};
use clap::Args;
use indicatif::ProgressBar;
use serde_json::json;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// `botyard egdb build`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard egdb build
  botyard egdb build --pieces 5 --out five.egdb

Four pieces take a few seconds, five a minute or two, six a quarter of an hour
and 2 GB of memory. To resume an interrupted build, run the same command again.")]
pub struct BuildArgs {
    /// Maximum number of pieces on the board, both sides together
    ///
    /// Up to four pieces, the tables have the number of plies to the end; with five and six pieces
    /// only the result.
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u8).range(2..=i64::from(Material::MOST_PIECES)))]
    pub pieces: u8,

    /// File to write [default: where the bots look, ~/.local/share/botyard/draughts.egdb]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Builds the tables and prints the counts. Returns [`FAILED`](botyard_cli::failure::FAILED) if
/// interrupted.
pub(super) fn run(args: &BuildArgs) -> anyhow::Result<ExitCode> {
    let path = args.out.clone().or_else(data_file).ok_or_else(|| {
        Failure::usage("HOME is not set, so there is no default path; give one with --out FILE")
    })?;
    if path.is_dir() {
        return Err(Failure::usage(format!(
            "{} is a directory; --out needs the path of a file",
            path.display()
        )));
    }
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let threads = std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let bar = bar(None, POSITIONS);
    // The largest classes take a while.
    bar.enable_steady_tick(TICK);
    let built = endgames::build(&path, args.pieces, threads, &|| interrupt.is_raised(), |step| {
        show(&bar, step);
    });
    bar.finish_and_clear();
    match built.map_err(Failure::host)? {
        Built::Whole { bytes } => report(args, &path, bytes),
        Built::Stopped { part } => {
            failed(&format!("interrupted; to resume from {}, run the same command", part.display()))
        }
    }
}

/// Prints the contents of the file, read again to detect a disk that loses data.
fn report(args: &BuildArgs, path: &Path, size: u64) -> anyhow::Result<ExitCode> {
    let written = read(path).map_err(Failure::host)?;
    if args.json {
        let mut json = json!(Counts::of(&written));
        json["file"] = json!(path);
        json["bytes"] = size.into();
        return done_json(&json);
    }
    let size = match size {
        0..100_000 => format!("{:.1} kB", size as f64 / 1e3),
        _ => format!("{:.1} MB", size as f64 / 1e6),
    };
    done(&format!("{}\n{size} in {}\n", table_of_counts(&written), path.display()))
}

fn show(bar: &ProgressBar, step: BuildStep<'_>) {
    match step {
        BuildStep::Begun { part, classes_done, classes, positions_done, positions } => {
            if classes_done > 0 {
                let part = part.display();
                eprint_line(&format!(
                    "resuming from {part}: {classes_done} of {classes} classes are solved"
                ));
            }
            bar.set_length(positions);
            bar.set_position(positions_done);
            bar.tick();
        }
        BuildStep::Solved { positions } => bar.inc(positions),
    }
}
