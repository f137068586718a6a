//! `botyard egdb probe`: what a position is worth, and each of its moves, best first.

use super::check::usual_file;
use super::read_file;
use crate::failure::Failure;
use crate::text::out;
use botyard_bots::draughts::endgames::{Probed, probe};
use botyard_engine::draughts::Position;
use botyard_engine::draughts::endgame::Value;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;

/// `botyard egdb probe`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard egdb probe --fen W:WK19,K23:B12,K28
  botyard egdb probe three.egdb --fen B:W13,K14:B5 --json")]
pub struct ProbeArgs {
    /// The file [default: where `botyard egdb build` puts it]
    pub file: Option<PathBuf>,

    /// The position
    #[arg(long, value_name = "FEN")]
    pub fen: String,

    /// Print JSON for a program to read
    #[arg(long)]
    pub json: bool,
}

/// Probes, and prints what the table knows.
///
/// # Errors
///
/// A FEN that is none, a position that is not in the file, and a file that cannot be read.
pub fn run(args: &ProbeArgs) -> anyhow::Result<ExitCode> {
    let position: Position =
        args.fen.parse().map_err(|error| Failure::usage(format!("--fen {}: {error}", args.fen)))?;
    let path = usual_file(args.file.as_ref())?;
    let endgames = read_file(&path)?;
    let Probed { value, moves } = probe(&endgames, &position).ok_or_else(|| {
        let board = position.board();
        Failure::usage(format!(
            "{position} is not in {}: it has the positions of up to {} pieces with some on both \
             sides, and this one has {}",
            path.display(),
            endgames.most_pieces(),
            32 - board.empty().len(),
        ))
    })?;
    if args.json {
        let moves: Vec<_> = moves
            .iter()
            .map(
                |(mv, value)| json!({ "move": mv, "result": word(*value), "plies": value.plies() }),
            )
            .collect();
        let json = json!({
            "fen": position.to_string(),
            "result": word(value),
            "plies": value.plies(),
            "moves": moves,
        });
        out(&format!("{json:#}\n"))?;
    } else {
        let mut text = format!("{position}: {} {}\n", position.turn().name(), sentence(value));
        for (mv, after) in moves {
            let best = if after == value { "  best" } else { "" };
            text.push_str(&format!("  {:8}  {}{best}\n", mv.to_string(), sentence(after)));
        }
        out(&text)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn word(value: Value) -> &'static str {
    match value {
        Value::Draw => "draw",
        Value::Win(_) => "win",
        Value::Loss(_) => "loss",
    }
}

fn sentence(value: Value) -> String {
    match value {
        Value::Draw => "draws".to_string(),
        Value::Win(1) => "wins in 1 ply".to_string(),
        Value::Win(plies) => format!("wins in {plies} plies"),
        Value::Loss(0) => "has lost".to_string(),
        Value::Loss(plies) => format!("loses in {plies} plies"),
    }
}
