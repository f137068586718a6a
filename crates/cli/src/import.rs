//! `botyard import`: checks game records of other programs against the rules. Prints each
//! difference with its game and ply, and what could not be read; games that agree can be saved as
//! replays.

use crate::failure::{FAILED, Failure};
use botyard_runner::{Import, game_programs};
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

Exit code: 0 if all games agree with the rules, 1 if one does not, 2 if the file
has no games of this game. A note says what was left out of a game that agrees,
and does not change the exit code.")]
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
pub(crate) fn run(args: &ImportArgs) -> anyhow::Result<ExitCode> {
    if game_programs::directory_of(&args.game, Path::new(""))?.is_some() {
        return Err(Failure::usage(format!(
            "{}: a game whose rules are a program has no importer: it cannot read records of other programs",
            args.game
        )));
    }
    let mut import = Import::read(&args.game, &args.file)?;
    if let Some(directory) = &args.out {
        import = import.saved_in(directory)?;
    }
    let mut out = io::stdout().lock();
    let imported = import.check_all(&mut |line| writeln!(out, "{line}"))?;
    write!(out, "{}", imported.to_text())?;
    if let Some(directory) = &args.out {
        writeln!(out, "{} written to {}", imported.agree, directory.display())?;
    }
    Ok(if imported.is_whole() { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}
