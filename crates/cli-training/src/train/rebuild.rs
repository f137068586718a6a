//! `botyard train rebuild`: rebuilds the weights of a manifest.

use super::generation::{progress, threads};
use botyard_cli::failure::{FAILED, Failure};
use botyard_cli::files::read_text;
use botyard_cli::text::{eprint_progress, out};
use botyard_league::atomic_file;
use botyard_referee::Interrupt;
use botyard_training::{AnyManifest, DirectoryStore, Progress, RebuildError};
use clap::Args;
use std::fmt::Display;
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;

/// `botyard train rebuild`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  botyard train rebuild crates/bots/src/dice_wars/MANIFEST.toml --out rebuilt

Writes 1.games, 1.weights, 2.games and so on. Resumes an interrupted rebuild:
existing files with the right digest are kept. For a new manifest, leave out the
digests and copy them from the output.

Exit code: 0 if all files match the manifest, 1 otherwise.")]
pub(super) struct RebuildArgs {
    /// Manifest to rebuild
    #[arg(value_name = "MANIFEST")]
    manifest: PathBuf,
    /// Directory for games and weights
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Number of games to play at once; does not affect the files [default: number of cores]
    #[arg(long, short = 'j', value_name = "N")]
    concurrency: Option<NonZero<usize>>,
}

pub(super) fn run(args: &RebuildArgs) -> anyhow::Result<ExitCode> {
    let wrong =
        |error: &dyn Display| Failure::usage(format!("{}: {error}", args.manifest.display()));
    let text = read_text(&args.manifest).map_err(|error| wrong(&error))?;
    let manifest = AnyManifest::read(&text).map_err(|error| wrong(&error))?;
    let directory = args.out.display();
    std::fs::create_dir_all(&args.out)
        .map_err(|error| Failure::host(format!("cannot make {directory}: {error}")))?;
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let is_stopped = || interrupt.is_raised();
    let bar = progress(0);
    let mut lines = String::new();
    let mut show = |progress: Progress<'_>| match progress {
        Progress::Games { played, of } => {
            bar.set_length(of);
            bar.set_position(played);
        }
        Progress::Epoch { epoch, error } => {
            bar.suspend(|| eprint_progress(&format!("epoch {epoch}: error {error:.5}")));
        }
        Progress::File { name, .. } => {
            bar.suspend(|| eprint_progress(&format!("{name} is finished")));
            lines.extend(progress.file_in_words().map(|line| line + "\n"));
        }
    };
    let mut store = DirectoryStore::new(&args.out, atomic_file::replace);
    let made = manifest.rebuild(threads(args.concurrency), &mut store, &is_stopped, &mut show);
    bar.finish_and_clear();
    out(&lines)?;
    match made {
        Ok(_) => Ok(ExitCode::SUCCESS),
        Err(error @ (RebuildError::Differs { .. } | RebuildError::Stopped { .. })) => {
            eprint_progress(&error.to_string());
            Ok(ExitCode::from(FAILED))
        }
        Err(error @ RebuildError::File { .. }) => {
            Err(Failure::host(format!("{directory}: {error}")))
        }
        Err(error) => Err(wrong(&error)),
    }
}
