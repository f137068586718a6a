//! Golden playthroughs: random games under several sets of rules, as recorded when the rules were
//! last verified. The same seed must always give the same game.
//!
//! `UPDATE_GOLDEN=1 cargo test -p botyard-engine --test engine draughts_golden` rewrites them; the change
//! then shows in the diff.

use botyard_engine::game::Turn;
use botyard_engine::random::{Stream, below};
use botyard_engine::registry;
use botyard_engine::seat::Seat;
use botyard_engine::table::GameEvent;
use botyard_testkit::golden;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::PathBuf;

/// Single rules that are changed.
type Changes = &'static [(&'static str, &'static str)];

/// The file's name, the preset, and the changes to it.
const GAMES: &[(&str, &str, Changes)] = &[
    ("english", "english", &[]),
    ("janacek-2007", "janacek-2007", &[]),
    ("free", "english", &[("compulsory_capture", "false"), ("promotion_ends_move", "false")]),
    ("short", "english", &[("ballots", "none"), ("max_plies", "90"), ("draw_quiet_plies", "15")]),
];

fn playthrough(preset: &str, changes: Changes) -> String {
    let changes: Vec<_> = changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let mut table = registry::tables("draughts", Some(preset), &changes).unwrap()();
    let mut text = format!("rules {}\n", table.rules());
    let mut stream = Stream::new(1, "golden");
    let mut game_event = GameEvent::default();
    for seed in 1..=5 {
        let opening = table.open(&mut Stream::new(seed, "opening"));
        writeln!(text, "\nseed {seed}\nopening {}", opening.full).unwrap();
        writeln!(text, "setup {}", table.setup(Seat::new(1))).unwrap();
        while let Turn::Seat(_) = table.turn() {
            // A digest of the views and legal actions of all seats.
            let mut seen = Vec::new();
            table.write_view(Seat::new(0), &mut seen);
            table.write_legal(&mut seen);
            let digest: String =
                Sha256::digest(&seen)[..4].iter().map(|byte| format!("{byte:02x}")).collect();
            let legal = table.legal();
            let action = legal[below(stream.rng(), legal.len() as u32) as usize].to_string();
            writeln!(text, "{digest} {:>2} {}", legal.len(), table.action_text(&action)).unwrap();
            table.play(&action, &mut game_event).unwrap();
        }
        let outcome = json!(table.outcome().unwrap());
        writeln!(text, "state {} {outcome}\n{}", table.state_hash(), table.text()).unwrap();
    }
    text
}

#[test]
fn games_are_what_they_were() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/draughts/golden");
    for (name, preset, changes) in GAMES {
        golden::compare(&folder.join(format!("{name}.txt")), &playthrough(preset, changes));
    }
}
