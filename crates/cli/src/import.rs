//! `botyard import`: checks game records of other programs against the rules. Prints each difference with
//! its game and ply; games that agree can be saved as replays. Each game parses its own record formats.

use crate::failure::{FAILED, Failure};
use botyard_engine::record::{Record, RecordError};
use botyard_engine::registry;
use botyard_league::atomic_file;
use botyard_replay::{imported_id, imported_replay, replay_file_name};
use clap::Args;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// `botyard import`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard import draughts archive.pdn --check
  botyard import scotland-yard games.jsonl --out replays/imported
  botyard import dice-wars sui2021_games.jsonl --check

Exit code: 0 if all games agree with the rules, 1 otherwise.")]
pub struct ImportArgs {
    /// Game of the records; `botyard games` lists the games
    pub game: String,
    /// File of game records
    pub file: PathBuf,
    /// Only check the records against the rules (default)
    #[arg(long, conflicts_with = "out")]
    pub check: bool,
    /// Also save each game as a replay in this directory
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Imports the records; prints each difference and a summary.
///
/// # Errors
///
/// An unknown game, a file that is missing or has no records, and failures of the host.
pub fn run(args: &ImportArgs) -> anyhow::Result<ExitCode> {
    let file = args.file.display();
    // An unknown game is reported before anything about the file.
    registry::info(&args.game).map_err(Failure::usage)?;
    let text = std::fs::read_to_string(&args.file).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Failure::usage(format!("there is no file {file}")),
        io::ErrorKind::InvalidData => Failure::usage(format!("{file} is not UTF-8 text")),
        io::ErrorKind::IsADirectory => Failure::usage(format!("{file} is a directory")),
        _ => Failure::host(format!("cannot read {file}: {error}")),
    })?;
    let Some(games) = registry::import(&args.game, &text).map_err(Failure::usage)? else {
        let game = &args.game;
        return Err(Failure::usage(format!(
            "{game} has no importer: it cannot read records of other programs"
        )));
    };
    let unreadable = |game: &Result<Record, RecordError>| {
        game.as_ref().err().filter(|error| error.ply.is_none()).cloned()
    };
    let first = games.iter().map(unreadable).next().flatten();
    if games.is_empty() || games.iter().all(|game| unreadable(game).is_some()) {
        let first = first.map(|error| format!("; first error: {error}"));
        return Err(Failure::usage(format!(
            "{file} has no readable record of {}{}",
            args.game,
            first.unwrap_or_default()
        )));
    }
    let source = args.file.file_stem().unwrap_or_default().to_string_lossy();
    if let Some(directory) = &args.out {
        // Checked before the first file is written.
        let paths = games.iter().flatten().map(|record| path_of(record, &source, directory));
        if let Some(path) = paths.into_iter().find(|path| path.exists()) {
            return Err(already_there(&path));
        }
        std::fs::create_dir_all(directory).map_err(|error| {
            Failure::host(format!("cannot make the directory {}: {error}", directory.display()))
        })?;
    }
    let mut out = io::stdout().lock();
    let (count, mut agree, mut facts) = (games.len(), 0, 0);
    for game in games {
        let kept = match (game, &args.out) {
            (Ok(record), Some(directory)) => {
                keep(&args.game, &record, &source, directory)?.map(|()| record)
            }
            (Ok(record), None) => Ok(record),
            (Err(difference), _) => Err(difference.to_string()),
        };
        match kept {
            Ok(record) => {
                agree += 1;
                facts += record.checks;
            }
            Err(difference) => writeln!(out, "{difference}")?,
        }
    }
    let games = if count == 1 { "game" } else { "games" };
    let verb = if count == 1 { "agrees" } else { "agree" };
    writeln!(out, "{agree} of {count} {games} {verb} with the rules, {facts} facts compared")?;
    if let Some(directory) = &args.out {
        writeln!(out, "{agree} written to {}", directory.display())?;
    }
    Ok(if agree == count { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

/// The path of a game's replay.
fn path_of(record: &Record, source: &str, directory: &Path) -> PathBuf {
    directory.join(replay_file_name(&imported_id(record, source)))
}

/// Makes a replay of a game, verifies it, and writes it atomically. The inner error says why the game
/// cannot be saved.
fn keep(
    game: &str,
    record: &Record,
    source: &str,
    directory: &Path,
) -> anyhow::Result<Result<(), String>> {
    let replay = match imported_replay(game, record, source) {
        Ok(replay) => replay,
        Err(difference) => return Ok(Err(difference)),
    };
    let path = path_of(record, source, directory);
    atomic_file::create(&path, &replay).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => already_there(&path),
        _ => Failure::host(format!("cannot write {}: {error}", path.display())),
    })?;
    Ok(Ok(()))
}

fn already_there(path: &Path) -> anyhow::Error {
    Failure::usage(format!(
        "{} already exists, and replays are never overwritten: choose another directory, or move the \
         file",
        path.display()
    ))
}
