//! `botyard train rebuild`: the weights of a manifest, made again.

use super::files::read;
use super::generation::{progress, threads};
use crate::failure::{FAILED, Failure};
use crate::text::{mention, out};
use botyard_bots::dice_wars::training::DiceWarsTraining;
use botyard_bots::draughts::training::DraughtsTraining;
use botyard_bots::training::{Manifest, Progress, RebuildError, Shelf, Training, game_of, rebuild};
use botyard_referee::Interrupt;
use clap::Args;
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// `botyard train rebuild`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  botyard train rebuild crates/bots/src/dice_wars/MANIFEST.toml --out rebuilt

Writes 1.games, 1.weights, 2.games and so on. Exit code 1 if a file is not the one of the manifest. A
rebuild that was stopped is resumed: files that are already there with the right digest are kept. For a
manifest of one's own, leave the digests out and copy them from the output.")]
pub(super) struct RebuildArgs {
    /// The manifest
    #[arg(value_name = "MANIFEST")]
    manifest: PathBuf,
    /// The directory for games and weights
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// How many games are played at once; the files do not depend on it [default: as many as there
    /// are cores]
    #[arg(long, short = 'j', value_name = "N")]
    concurrency: Option<NonZero<usize>>,
}

/// Files in a directory.
struct Directory<'a>(&'a Path);

impl Shelf for Directory<'_> {
    fn get(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        match std::fs::read(self.0.join(name)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn put(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        botyard_league::atomic_file::replace(&self.0.join(name), bytes)
    }
}

pub(super) fn run(args: &RebuildArgs) -> anyhow::Result<ExitCode> {
    let wrong = |error: &dyn std::fmt::Display| {
        Failure::usage(format!("{}: {error}", args.manifest.display()))
    };
    let text = String::from_utf8(read(&args.manifest)?).map_err(|error| wrong(&error))?;
    match game_of(&text).map_err(|error| wrong(&error))?.as_str() {
        DraughtsTraining::GAME => run_for::<DraughtsTraining>(args, &text),
        DiceWarsTraining::GAME => run_for::<DiceWarsTraining>(args, &text),
        other => Err(wrong(&format!(
            "expected the game {} or {}, got {other:?}",
            DraughtsTraining::GAME,
            DiceWarsTraining::GAME
        ))),
    }
}

fn run_for<T: Training>(args: &RebuildArgs, text: &str) -> anyhow::Result<ExitCode> {
    let manifest = Manifest::<T::Play, T::Fit>::read(text)
        .map_err(|error| Failure::usage(format!("{}: {error}", args.manifest.display())))?;
    let directory = args.out.display();
    std::fs::create_dir_all(&args.out)
        .map_err(|error| Failure::host(format!("cannot make {directory}: {error}")))?;
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let is_stopped = || interrupt.is_raised();
    let bar = progress(0);
    let mut lines = String::new();
    let made = rebuild::<T>(
        &manifest,
        threads(args.concurrency),
        &mut Directory(&args.out),
        &is_stopped,
        &mut |progress| match progress {
            Progress::Games { played, of } => {
                bar.set_length(of);
                bar.set_position(played);
            }
            Progress::Epoch { epoch, error } => {
                bar.suspend(|| mention(&format!("epoch {epoch}: error {error:.5}")));
            }
            Progress::File { name, digest, is_verified, is_reused } => {
                let verdict = match (is_verified, is_reused) {
                    (true, true) => "as in the manifest, not made again",
                    (true, false) => "as in the manifest",
                    (false, _) => "not in the manifest",
                };
                bar.suspend(|| mention(&format!("{name} is there")));
                lines.push_str(&format!("{name}  {digest}  {verdict}\n"));
            }
        },
    );
    bar.finish_and_clear();
    out(&lines)?;
    match made {
        Ok(_) => Ok(ExitCode::SUCCESS),
        Err(error @ (RebuildError::Differs { .. } | RebuildError::Stopped { .. })) => {
            mention(&error.to_string());
            Ok(ExitCode::from(FAILED))
        }
        Err(error @ RebuildError::File { .. }) => {
            Err(Failure::host(format!("{directory}: {error}")))
        }
        Err(error) => Err(Failure::usage(format!("{}: {error}", args.manifest.display()))),
    }
}
