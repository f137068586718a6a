//! The program `botyard`. Its parts are the modules of the library beside it, so that tests can use
//! the parser.

use std::process::ExitCode;

fn main() -> ExitCode {
    botyard_cli::run()
}
