//! A tournament file: read, or refused with every problem named.
#![no_main]

use botyard_league::tournament_file::TournamentFile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(problems) = TournamentFile::read("fuzz.toml", "fuzz", text) {
        assert!(!problems.to_string().is_empty());
    }
});
