//! The program `botyard`. Its parts are the modules of the library beside it, which its companions share.

use std::process::ExitCode;

fn main() -> ExitCode {
    botyard_cli::run::<botyard_cli::Verb>()
}
