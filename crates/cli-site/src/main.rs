//! The program `botyard-site`, which `botyard` starts for some of its verbs.

use std::process::ExitCode;

fn main() -> ExitCode {
    botyard_cli::run::<botyard_cli_site::Verb>()
}
