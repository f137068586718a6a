//! `botyard egdb check`: checks that a file is intact and, with `--deep`, that all its values are
//! right.

use super::{POSITIONS, table_of_counts, unusable};
use botyard_bots::draughts::endgames::{LoadError, data_file, read};
use botyard_cli::bars::{TICK, bar};
use botyard_cli::failure::{FAILED, Failure, failed};
use botyard_cli::text::{done, done_json, out};
use botyard_engine::draughts::endgame::{Endgames, Unverified};
use botyard_referee::Interrupt;
use botyard_training::endgames::Counts;
use clap::Args;
use serde_json::json;
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;

/// `botyard egdb check`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard egdb check
  botyard egdb check three.egdb --deep

The exit code is 1 if the file is damaged or, with --deep, if a value in it is
wrong.")]
pub struct CheckArgs {
    /// Endgame file [default: where `botyard egdb build` writes it]
    pub file: Option<PathBuf>,

    /// Also compare the value of every position with the values after its moves
    #[arg(long)]
    pub deep: bool,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Returns the given file, or the default file.
pub(super) fn usual_file(file: Option<&PathBuf>) -> anyhow::Result<PathBuf> {
    file.cloned().or_else(data_file).ok_or_else(|| {
        Failure::usage("HOME is not set, so there is no default file; give the path of one")
    })
}

/// Checks a file, and prints the counts.
pub(super) fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let path = usual_file(args.file.as_ref())?;
    let endgames = match read(&path) {
        Ok(endgames) => endgames,
        Err(error @ LoadError::Format { .. }) => return damaged(args, &error.to_string()),
        Err(error) => return Err(unusable(error)),
    };
    let verified = if args.deep { Some(verify(&endgames)?) } else { None };
    let verified = match verified.transpose() {
        Ok(verified) => verified,
        Err(wrong @ Unverified::Wrong { .. }) => {
            return damaged(args, &format!("{}: {wrong}", path.display()));
        }
        Err(Unverified::Interrupted) => {
            return failed("interrupted; not all positions are checked");
        }
    };
    if args.json {
        let mut json = json!(Counts::of(&endgames));
        json["file"] = json!(path);
        json["error"] = json!(null);
        json["verified"] = json!(verified.unwrap_or(0));
        return done_json(&json);
    }
    let verified = match verified {
        Some(count) => format!("the values of {count} positions follow from their moves\n"),
        None => String::new(),
    };
    let classes = endgames.classes().len();
    done(&format!(
        "{}\n{}: {classes} classes, all checksums correct\n{verified}",
        table_of_counts(&endgames),
        path.display()
    ))
}

/// Checks every value, and shows the progress.
fn verify(endgames: &Endgames) -> anyhow::Result<Result<u64, Unverified>> {
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    let positions =
        endgames.classes().into_iter().map(|class| u64::from(Endgames::positions(class)));
    let bar = bar(Some(positions.sum()), POSITIONS);
    bar.enable_steady_tick(TICK);
    let verified = endgames.verify_all(threads, &|| interrupt.is_raised(), &|more| bar.inc(more));
    bar.finish_and_clear();
    Ok(verified)
}

fn damaged(args: &CheckArgs, error: &str) -> anyhow::Result<ExitCode> {
    if args.json {
        out(&format!("{:#}\n", json!({ "error": error })))?;
        return Ok(ExitCode::from(FAILED));
    }
    failed(error)
}
