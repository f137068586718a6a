//! The program of a game in Rust: its standard streams.

use botyard_engine::Game;
use std::process::ExitCode;

/// Speaks the rules protocol for a game on the standard streams, until `quit` or the end of the
/// input.
pub fn serve<G: Game>(_version: &'static str) -> ExitCode {
    ExitCode::SUCCESS
}
