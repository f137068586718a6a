//! `botyard tournament check` and `recover`: checks the store of a tournament, or rebuilds it.

use super::arguments::{CheckArgs, RecoverArgs};
use crate::failure::FAILED;
use crate::text::out;
use botyard_runner::tournament::{self, Directory};
use botyard_runner::words::counted;
use std::process::ExitCode;

/// Compares the store with the replays. The exit code is 1 if anything differs.
pub fn check(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let checked = tournament::check(&args.directory)?;
    let compared = format!(
        "compared {} with {}",
        counted(checked.games, "game"),
        counted(checked.replays, "replay")
    );
    if checked.findings.is_empty() {
        out(&format!("{compared}: no difference\n"))?;
        return Ok(ExitCode::SUCCESS);
    }
    let lines: String = checked.findings.iter().map(|finding| format!("{finding}\n")).collect();
    out(&format!(
        "{lines}{compared}: {}\n`botyard tournament recover {}` rebuilds the store from the sound \
         replays\n",
        counted(checked.findings.len() as u64, "difference"),
        args.directory.display()
    ))?;
    Ok(ExitCode::from(FAILED))
}

/// Rebuilds the store. The exit code is 1 if something could not be recovered.
pub fn recover(args: &RecoverArgs) -> anyhow::Result<ExitCode> {
    let directory = Directory::open_damaged(&args.directory)?;
    let recovery = tournament::recover(&directory)?;
    let lines: String = recovery.lost.iter().map(|line| format!("{line}\n")).collect();
    let damaged = recovery.aside.as_ref();
    out(&format!(
        "{lines}{} recovered, {} of them from replays{}\n",
        counted(recovery.games, "game"),
        recovery.from_replays,
        damaged.map_or(String::new(), |path| format!("; the damaged store is {}", path.display()))
    ))?;
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
