//! Reads replays, plain or compressed, and checks them against the rules.
//!
//! `cargo run -p botyard-replay --example verify -- replays/*.ndjson`

use botyard_replay::{ReplayReader, registered_table, verify};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut exit = ExitCode::SUCCESS;
    for name in std::env::args().skip(1) {
        match check(Path::new(&name)) {
            Ok(text) => println!("{name}: {text}"),
            Err(error) => {
                eprintln!("{name}: {error}");
                exit = ExitCode::FAILURE;
            }
        }
    }
    exit
}

/// Returns what a sound replay says: the players, how long the game was and how it ended.
fn check(path: &Path) -> Result<String, Box<dyn std::error::Error>> {
    let report = verify(ReplayReader::open(path)?, &registered_table)?;
    let seats = report.header.seats.iter().zip(&report.outcome.scores);
    let players: Vec<String> =
        seats.map(|(seat, score)| format!("{} {score}", seat.seat)).collect();
    Ok(format!("{} decisions, {}: {}", report.turns, report.outcome.reason, players.join(", ")))
}
