//! The program `botyard-tournament`, which `botyard` starts for `botyard tournament`.

use std::process::ExitCode;

fn main() -> ExitCode {
    botyard_cli::run::<botyard_cli_tournament::Verb>()
}
