//! The program `botyard-reference`, and the commands of all programs.

mod page_commands;
mod profiles;
mod reference;
mod settings;
mod test_programs;

use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs it to its end, checks that it succeeded, and returns its standard output.
fn done(args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_botyard-reference"));
    // The help has the width of a terminal that these set.
    command.args(args).env_remove("COLUMNS").env_remove("LINES");
    let ran = command.output().expect("the program starts");
    assert!(ran.status.success(), "{args:?}: {ran:?}");
    String::from_utf8(ran.stdout).expect("UTF-8")
}

/// Returns a file of the repository.
fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}
