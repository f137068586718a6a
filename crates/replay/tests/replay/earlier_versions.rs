//! Replays that earlier versions wrote, of real programs that failed in every way. They must always
//! verify, with the same result.

use botyard_protocol::OutcomeKind::{self, BotFault, Completed, Void};
use botyard_replay::{ReplayReader, registered_table, show, verify, write_stdin};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const RECORDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");

/// A replay: its file name without `.ndjson`, its decisions, its faults, and the kind and reason of
/// its outcome.
type Recorded = (&'static str, u32, u32, OutcomeKind, &'static str);

const REPLAYS: [Recorded; 17] = [
    // A crash, an endless line, an illegal action and a closed output, until one of five seats is
    // left.
    ("dice-wars-forfeit", 29, 4, BotFault, "forfeit_closed"),
    ("dice-wars-memory", 2, 1, BotFault, "forfeit_memory"),
    // With retries: ten retries used up, a line before the question, and a timeout, each a forfeit.
    ("dice-wars-retry", 79, 21, Completed, "max_turns"),
    // A bot that could not be started, and substitutes.
    ("dice-wars-start", 113, 4, Completed, "max_turns"),
    // Three strikes by wrong answers, three by timeouts, and a crash.
    ("dice-wars-substitute", 65, 9, Completed, "max_turns"),
    ("draughts-forfeit", 16, 1, BotFault, "forfeit_closed"),
    ("draughts-imported", 1, 0, Completed, "no_pieces"),
    ("draughts-imported-result", 10, 0, Completed, "recorded"),
    ("draughts-imported-unfinished", 2, 0, Void, "unfinished"),
    ("draughts-retry", 36, 6, BotFault, "forfeit_crash"),
    ("draughts-substitute", 22, 5, BotFault, "forfeit_illegal_action"),
    // The referee was stopped for three seconds.
    ("draughts-void", 4, 0, Void, "host_overloaded"),
    ("scotland-yard-forfeit", 14, 1, BotFault, "forfeit_crash"),
    ("scotland-yard-forfeit-mr-x", 14, 1, BotFault, "forfeit_crash"),
    ("scotland-yard-retry", 60, 5, Completed, "survived"),
    ("scotland-yard-substitute", 16, 5, BotFault, "forfeit_illegal_action"),
    ("scotland-yard-substitute-detectives", 16, 5, BotFault, "forfeit_illegal_action"),
];

fn path(name: &str) -> PathBuf {
    Path::new(RECORDED).join(format!("{name}.ndjson"))
}

#[test]
fn replays_of_earlier_versions_verify() {
    for (name, turns, faults, kind, reason) in REPLAYS {
        let reader = ReplayReader::open(&path(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        let report = verify(reader, &registered_table).unwrap_or_else(|e| panic!("{name}: {e}"));
        let outcome = &report.outcome;
        let found = (report.turns, report.faults, outcome.kind, outcome.reason.as_str());
        assert_eq!(found, (turns, faults, kind, reason), "{name}");
    }
}

#[test]
fn every_recorded_replay_is_in_the_list() {
    let files = std::fs::read_dir(RECORDED).expect("the replays are there");
    let found: BTreeSet<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    assert_eq!(found, REPLAYS.map(|(name, ..)| path(name)).into());
}

#[test]
fn replays_of_earlier_versions_can_be_shown_and_debugged() {
    for (name, _, faults, ..) in REPLAYS {
        let reader = || ReplayReader::open(&path(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut shown = Vec::new();
        show(reader(), &registered_table, None, None, &mut shown)
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        let shown = String::from_utf8(shown).expect("text");
        assert_eq!(shown.matches(" fails (").count(), faults as usize, "{name}: {shown}");
        if reader().header().view_of.is_some() {
            continue;
        }
        for (index, _) in reader().header().seats.iter().enumerate() {
            let (mut sent, seat) = (Vec::new(), (index + 1).to_string());
            write_stdin(reader(), &registered_table, &seat, None, &mut sent)
                .unwrap_or_else(|e| panic!("{name}, seat {seat}: {e}"));
            assert!(sent.starts_with(b"{\"type\":\"hello\""), "{name}, seat {seat}");
        }
    }
}

/// Returns the full replays of refereed games, with their names.
pub fn refereed_replays() -> Vec<(&'static str, String)> {
    let names = REPLAYS.map(|(name, ..)| name);
    let full = names.into_iter().filter(|&name| {
        let reader = ReplayReader::open(&path(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        reader.header().view_of.is_none() && reader.header().imported.is_none()
    });
    full.map(|name| (name, std::fs::read_to_string(path(name)).expect("a replay is UTF-8")))
        .collect()
}
