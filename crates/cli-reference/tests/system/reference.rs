//! The reference pages of the book are those that the program generates; completions and man pages too.

use crate::{done, recorded, repository};
use botyard_experiments::{Played, results_page, shipped};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn the_reference_pages_are_what_the_program_generates() {
    let place = tempfile::tempdir().unwrap();
    done(&["generate", "pages", place.path().to_str().unwrap()]);
    let commands = files_of(&place.path().join("commands"));
    for name in ["commands.md".into(), "bots.md".into()].iter().chain(&commands) {
        let page = fs::read_to_string(place.path().join(name)).unwrap();
        is_generated(&format!("reference/{name}"), &page, "the program");
    }
    assert_eq!(files_of(&repository("docs/reference/commands")), commands, "pages of no command");
}

/// Returns the files of the directory `commands`, each with its name.
fn files_of(directory: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(directory).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.map(|name| format!("commands/{name}")).collect()
}

/// Every figure that differs is explained.
#[test]
fn the_page_of_results_is_made_from_the_files_of_results() {
    let experiments = shipped::all().unwrap();
    let played =
        experiments.iter().map(|experiment| Played { experiment, recorded: recorded(experiment) });
    let page = results_page(&played.collect::<Vec<_>>()).unwrap_or_else(|error| panic!("{error}"));
    is_generated("results.md", &page, "experiments/results and experiments/*.toml");
}

/// Compares a page with what is generated, or replaces it if `UPDATE_PAGES` is set.
pub(crate) fn is_generated(file: &str, generated: &str, from: &str) {
    let path = repository("docs").join(file);
    if std::env::var_os("UPDATE_PAGES").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, generated).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == generated,
        "docs/{file} differs from {from}; regenerate it with \
         UPDATE_PAGES=1 cargo test -p botyard-cli-reference --test system reference::"
    );
}

#[test]
fn completions_and_man_pages_know_every_command() {
    let verbs = ["match", "tournament", "test", "play", "replay", "serve", "worker", "train"];
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = done(&["generate", "completions", shell]);
        for verb in verbs {
            assert!(script.contains(verb), "{shell}: no {verb}");
        }
    }
    let place = tempfile::tempdir().unwrap();
    done(&["generate", "man", place.path().to_str().unwrap()]);
    for verb in verbs {
        let page = fs::read_to_string(place.path().join(format!("botyard-{verb}.1"))).unwrap();
        assert!(page.contains(".SH SYNOPSIS") && page.contains(".SH OPTIONS"), "{verb}: {page}");
    }
    // Commands that programs use and people do not.
    assert!(!place.path().join("botyard-relay.1").exists());
}
