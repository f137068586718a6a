//! Golden games of Scotland Yard.

use super::{Changes, Tables, compare};
use botyard_engine::game::Turn;
use botyard_engine::random::{Stream, below};
use botyard_engine::scotland_yard::Setup;
use botyard_engine::table::{GameEvent, Table};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::fmt::Write;

const NAME: &str = "scotland-yard";

/// The file's name, the preset, and the changes to it.
const GAMES: &[(&str, &str, Changes)] = &[
    ("ravensburger", "ravensburger", &[]),
    ("ravensburger-pawns", "ravensburger", &[("seats", "pawns")]),
    ("ravensburger-1984", "ravensburger-1984", &[]),
    ("bristol", "bristol", &[]),
    (
        "bristol-poor",
        "bristol",
        &[("stuck", "removed"), ("detective_tickets", "3/1/1"), ("all_stuck", "play_on")],
    ),
    ("london-law", "london-law", &[]),
    ("grid-5x5-2", "grid-5x5-2", &[]),
    ("grid-7x7-3", "grid-7x7-3", &[("x_onto_detective", "illegal")]),
    ("grid-15x15-3-stay", "grid-15x15-3-stay", &[("show_candidates", "true"), ("double", "1")]),
];

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes)[..4].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns a digest of the views and legal actions of all seats.
fn view_and_legal(table: &mut dyn Table) -> String {
    let mut views = Vec::new();
    for seat in botyard_engine::Seat::all(table.seats().len()) {
        table.write_view(seat, &mut views);
    }
    let legal = table.legal();
    let list = serde_json::to_vec(&legal).unwrap();
    format!("views {} legal {} {}", digest(&views), legal.len(), digest(&list))
}

fn playthrough(tables: Tables<'_>, preset: &str, changes: Changes) -> String {
    let mut table = tables(NAME, preset, changes);
    let mut text = format!("rules {}\n", table.rules());
    let mut stream = Stream::new(1, "golden");
    for seed in 1..=2 {
        let opening = table.open(&mut Stream::new(seed, "opening"));
        writeln!(text, "\nseed {seed}\nopening {}", opening.full).unwrap();
        for (seat, seen) in &opening.seen {
            writeln!(text, "  seen by {} {seen}", table.seats()[seat.index()]).unwrap();
        }
        // Without the coordinates, which early versions did not have.
        let setup = table.setup(botyard_engine::Seat::new(1));
        let setup: Setup = serde_json::from_str(&setup).unwrap();
        let setup = serde_json::to_string(&Setup { coordinates: Vec::new(), ..setup }).unwrap();
        writeln!(text, "setup {}", digest(setup.as_bytes())).unwrap();
        let mut game_event = GameEvent::default();
        while let Turn::Seat(seat) = table.turn() {
            let place = format!("state {} {}", table.state_hash(), view_and_legal(&mut *table));
            let legal = table.legal();
            let action = legal[below(stream.rng(), legal.len() as u32) as usize].to_string();
            let seat = table.seats()[seat.index()].clone();
            writeln!(text, "{place}\n{seat}: {}", table.action_text(&action)).unwrap();
            table.play(&action, &mut game_event).unwrap();
            write!(text, "  {}", game_event.full).unwrap();
            match game_event.seen.first() {
                Some((_, seen)) => writeln!(text, " seen as {seen}").unwrap(),
                None => text.push('\n'),
            }
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
pub fn scotland_yard(tables: Tables<'_>) {
    for (name, preset, changes) in GAMES {
        compare(NAME, name, &playthrough(tables, preset, changes));
    }
}
