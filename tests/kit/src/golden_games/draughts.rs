//! Golden games of Draughts.

use super::{Changes, Tables, compare};
use botyard_engine::game::Turn;
use botyard_engine::random::{Stream, below};
use botyard_engine::seat::Seat;
use botyard_engine::table::GameEvent;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::fmt::Write;

const NAME: &str = "draughts";

/// The file's name, the preset, and the changes to it.
const GAMES: &[(&str, &str, Changes)] = &[
    ("english", "english", &[]),
    ("janacek-2007", "janacek-2007", &[]),
    ("free", "english", &[("compulsory_capture", "false"), ("promotion_ends_move", "false")]),
    ("short", "english", &[("ballots", "none"), ("max_plies", "90"), ("draw_quiet_plies", "15")]),
];

fn playthrough(tables: Tables<'_>, preset: &str, changes: Changes) -> String {
    let mut table = tables(NAME, preset, changes);
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

/// Plays the golden games at these tables, and compares them with the files.
///
/// # Panics
///
/// At the first difference.
pub fn draughts(tables: Tables<'_>) {
    for (name, preset, changes) in GAMES {
        compare(NAME, name, &playthrough(tables, preset, changes));
    }
}
