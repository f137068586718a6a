//! The program of the game: it speaks the rules protocol on its standard streams.

mod nim;

use std::process::ExitCode;

fn main() -> ExitCode {
    botyard_rules::serve::<nim::Nim>(env!("CARGO_PKG_VERSION"))
}
