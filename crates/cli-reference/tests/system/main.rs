//! The program `botyard-reference`, and the commands of all programs.

mod book;
mod page_commands;
mod page_figures;
mod page_pictures;
mod profiles;
mod reference;
mod settings;
mod test_programs;

use botyard_experiments::{Experiment, Recorded};
use std::fs;
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

/// Returns the recorded results of an experiment: those of `experiments/results/NAME.csv`, and of `NAME.WORD.csv` for
/// rows that were played in another run.
fn recorded(experiment: &Experiment) -> Recorded {
    let entries =
        fs::read_dir(repository("experiments/results")).expect("the directory of results");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let mut recorded = Recorded::default();
    for path in files {
        let file = path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8");
        let of = file.strip_prefix(&experiment.name).and_then(|rest| rest.strip_suffix(".csv"));
        if of.is_some_and(|word| word.is_empty() || word.starts_with('.')) {
            let text = fs::read_to_string(&path).expect("a file of results");
            recorded.add(file, &text, experiment).unwrap_or_else(|error| panic!("{error}"));
        }
    }
    recorded
}
