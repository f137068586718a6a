//! The reference pages of the book are those that the program generates; completions and man pages too.

use crate::{done, recorded, repository};
use botyard_experiments::{Played, results_page, shipped};
use std::fs;

#[test]
fn the_reference_pages_are_what_the_program_generates() {
    for (page, file) in [("commands", "reference/commands.md"), ("bots", "reference/bots.md")] {
        is_generated(file, &done(&["generate", "page", page]), "the program");
    }
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
fn is_generated(file: &str, generated: &str, from: &str) {
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
