//! `botyard egdb probe`: prints the value of a position and of each of its moves, best first.

use super::check::usual_file;
use super::unusable;
use botyard_bots::draughts::endgames::{DEFAULT_MEBIBYTES, Source, load, probe};
use botyard_cli::failure::Failure;
use botyard_cli::text::{done, done_json};
use botyard_engine::draughts::Position;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// `botyard egdb probe`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard egdb probe --fen W:WK19,K23:B12,K28
  botyard egdb probe three.egdb --fen B:W13,K14:B5 --json")]
pub struct ProbeArgs {
    /// Endgame file [default: where `botyard egdb build` writes it]
    pub file: Option<PathBuf>,

    /// Position to look up
    #[arg(long, value_name = "FEN")]
    pub fen: String,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Looks up a position and its moves, and prints their values.
pub(super) fn run(args: &ProbeArgs) -> anyhow::Result<ExitCode> {
    let position: Position =
        args.fen.parse().map_err(|error| Failure::usage(format!("--fen {}: {error}", args.fen)))?;
    let path = usual_file(args.file.as_ref())?;
    let endgames = load(&Source::File(path.clone()), DEFAULT_MEBIBYTES).map_err(unusable)?;
    let endgames = endgames.expect("a source that is a file has tables");
    let probed = probe(&endgames, &position).ok_or_else(|| {
        let board = position.board();
        Failure::usage(format!(
            "{position} is not in {}: the file has positions of up to {} pieces with pieces on both \
             sides, and this one has {}",
            path.display(),
            endgames.most_pieces(),
            32 - board.empty().len(),
        ))
    })?;
    if args.json {
        let mut json = probed.to_json();
        json["fen"] = position.to_string().into();
        return done_json(&json);
    }
    done(&probed.to_text(&position))
}
