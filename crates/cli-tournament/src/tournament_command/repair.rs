//! `botyard tournament check` and `recover`: checks the store of a tournament, or rebuilds it.

use super::arguments::{CheckArgs, RecoverArgs};
use botyard_cli::failure::FAILED;
use botyard_cli::installed::programs;
use botyard_cli::text::{done, out};
use botyard_runner::words::counted;
use botyard_tournament::{self as tournament, Directory};
use std::process::ExitCode;

/// Compares the store with the replays, and the copies of bots with their digests. The exit code is 1
/// if anything differs.
pub(super) fn check(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let checked = tournament::check(&args.directory, &programs()?)?;
    if checked.is_sound() {
        return done(&checked.to_text());
    }
    let mut remedy = String::new();
    if !checked.findings.is_empty() {
        remedy = format!(
            "`botyard tournament recover {}` rebuilds the store from the sound replays\n",
            args.directory.display()
        );
    }
    if !checked.damaged_copies.is_empty() {
        remedy.push_str("Restore the copies of bots from a backup of the directory\n");
    }
    out(&format!("{}{remedy}", checked.to_text()))?;
    Ok(ExitCode::from(FAILED))
}

/// Rebuilds the store. The exit code is 1 if something could not be recovered.
pub(super) fn recover(args: &RecoverArgs) -> anyhow::Result<ExitCode> {
    let directory = Directory::open_damaged(&args.directory)?;
    let recovery = tournament::recover(&directory, &programs()?)?;
    out(&recovery.to_text())?;
    if recovery.lost.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    out(&format!(
        "not recovered: {}; `botyard tournament resume {}` plays the games without a result\n",
        counted(recovery.lost.len() as u64, "item"),
        args.directory.display()
    ))?;
    Ok(ExitCode::from(FAILED))
}
