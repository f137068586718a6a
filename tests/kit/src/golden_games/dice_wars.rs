//! Golden games of Dice Wars.

use super::{Changes, Tables, compare};
use botyard_engine::game::Turn;
use botyard_engine::random::{Stream, below};
use botyard_engine::seat::Seat;
use botyard_engine::table::{GameEvent, Table};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::fmt::Write;

const NAME: &str = "dice-wars";

/// The file's name, the preset, the changes to it, and the number of games.
const GAMES: &[(&str, &str, Changes, u64)] = &[
    ("fair-4", "fair-4", &[], 1),
    ("sui-2021", "sui-2021", &[("max_turns", "40")], 1),
    ("sui-2020", "sui-2020", &[("players", "3")], 1),
    ("sui-2019", "sui-2019", &[("players", "2"), ("max_battles", "60")], 2),
    ("classic", "classic", &[("max_turns", "40")], 1),
    ("small", "fair-4", &[("players", "3"), ("areas", "6-9"), ("max_turns", "25")], 3),
];

/// Returns a digest of the views and legal actions of all seats.
fn digest(table: &mut dyn Table, seat: Seat) -> String {
    let mut seen = Vec::new();
    table.write_view(seat, &mut seen);
    table.write_legal(&mut seen);
    Sha256::digest(&seen)[..4].iter().map(|byte| format!("{byte:02x}")).collect()
}

fn playthrough(tables: Tables<'_>, preset: &str, changes: Changes, games: u64) -> String {
    let mut table = tables(NAME, preset, changes);
    let mut text = format!("rules {}\n", table.rules());
    let mut stream = Stream::new(1, "golden");
    let mut game_event = GameEvent::default();
    for seed in 1..=games {
        let opening = table.open(&mut Stream::new(seed, "opening"));
        writeln!(text, "\nseed {seed}\nopening {}\n{}", opening.full, table.text()).unwrap();
        while table.turn() != Turn::Over {
            if let Turn::Seat(seat) = table.turn() {
                let digest = digest(&mut *table, seat);
                let legal = table.legal();
                let action = legal[below(stream.rng(), legal.len() as u32) as usize].to_string();
                writeln!(text, "{digest} {:>2} {}", legal.len(), table.action_text(&action))
                    .unwrap();
                table.play(&action, &mut game_event).unwrap();
            } else {
                table.draw(&mut stream, &mut game_event);
                writeln!(text, "{}", game_event.full).unwrap();
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
pub fn dice_wars(tables: Tables<'_>) {
    for (name, preset, changes, games) in GAMES {
        let now = playthrough(tables, preset, changes, *games);
        compare(NAME, name, &now);
    }
}
