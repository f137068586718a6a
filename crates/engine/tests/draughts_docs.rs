//! What `docs/games/draughts.md` says is what the engine does: its tables and its examples.

use botyard_engine::draughts::{Counting, Draughts, Move, Opening, Position, Setup, View, perft};
use botyard_engine::game::Game;
use botyard_engine::random::Stream;
use botyard_engine::seat::Seat;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

const PAGE: &str = include_str!("../../../docs/games/draughts.md");

fn english() -> Draughts {
    Draughts::new(Draughts::preset("english").unwrap()).unwrap()
}

/// The cells of a table's row.
fn cells(row: &str) -> Vec<&str> {
    row.trim_matches('|').split('|').map(str::trim).collect()
}

/// The rows of the tables whose first column has this heading.
fn rows(heading: &str) -> Vec<Vec<&'static str>> {
    let mut lines = PAGE.lines().skip_while(|line| !line.starts_with(&format!("| {heading} |")));
    let head = cells(lines.next().unwrap_or_else(|| panic!("no table of {heading}")));
    let body = lines.skip(1).take_while(|line| line.starts_with('|')).map(cells);
    std::iter::once(head).chain(body).collect()
}

#[test]
fn the_table_of_presets_is_the_engine_s() {
    let table = rows("preset");
    assert_eq!(table.len() - 1, Draughts::PRESETS.len());
    for (row, preset) in table[1..].iter().zip(Draughts::PRESETS) {
        assert_eq!(row[0], format!("`{}`", preset.name));
        let rules = serde_json::to_value(Draughts::preset(preset.name).unwrap()).unwrap();
        assert_eq!(rules.as_object().unwrap().len(), row.len() - 1, "every rule has a column");
        for (rule, value) in table[0].iter().zip(row).skip(1) {
            let ours = match &rules[rule] {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            assert_eq!(*value, ours, "{rule} of {}", preset.name);
        }
    }
    let parameters: Vec<&str> = rows("parameter")[1..].iter().map(|row| row[0]).collect();
    let quoted: Vec<String> = table[0][1..].iter().map(|rule| format!("`{rule}`")).collect();
    assert_eq!(parameters, quoted);
}

#[test]
fn the_table_of_perft_is_the_engine_s() {
    let movements =
        ["english", "janacek-2007"].map(|name| Draughts::preset(name).unwrap().movement());
    let table = rows("depth");
    assert_eq!(table.len(), 15);
    // The deeper ones are checked, and take their time, in draughts_perft.rs.
    for row in &table[1..=9] {
        let depth = row[0].parse().unwrap();
        for (movement, nodes) in movements.into_iter().zip(&row[1..]) {
            let ours = perft(&Position::START, movement, depth, Counting::Paths);
            assert_eq!(nodes.parse(), Ok(ours), "depth {depth}");
        }
    }
}

/// The fenced blocks of a kind.
fn blocks(kind: &str) -> Vec<&'static str> {
    let fence = format!("```json {kind}\n");
    let blocks = PAGE.split(&fence).skip(1);
    blocks.map(|rest| rest.split("```").next().unwrap()).collect()
}

/// Reads every example of a kind; written again, it must say the same.
fn examples<T: Serialize + DeserializeOwned>(kind: &str) -> Vec<T> {
    let read = |block: &&str| {
        let value: T =
            serde_json::from_str(block).unwrap_or_else(|error| panic!("{error} in {block}"));
        let ours = serde_json::to_value(&value).unwrap();
        assert_eq!(ours, serde_json::from_str::<Value>(block).unwrap(), "{block}");
        value
    };
    blocks(kind).iter().map(read).collect()
}

#[test]
fn the_examples_are_real() {
    assert_eq!(examples::<Move>("action").len(), 2);
    let game = english();
    let openings = examples::<Opening>("opening");
    assert_eq!(openings.len(), 4);
    for opening in openings {
        game.start(&opening).unwrap_or_else(|error| panic!("{opening:?}: {error}"));
    }
    let setups = examples::<Setup>("setup");
    let after = Opening { moves: vec!["11-15".parse().unwrap()], ..Opening::default() };
    assert_eq!(setups, [game.setup(&game.start(&after).unwrap(), Seat::new(0))]);
    let views = examples::<View>("view");
    assert_eq!(views.len(), 1);
    for seat in Seat::all(2) {
        let state = game.determinize(&views[0], seat, Stream::new(1, "test").rng()).unwrap();
        assert_eq!(game.view(&state, seat), views[0]);
    }
}

#[test]
fn the_board_is_numbered_as_drawn() {
    let drawing = PAGE.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    let numbers: Vec<Vec<u8>> = drawing
        .lines()
        .map(|line| line.split_whitespace().map_while(|word| word.parse().ok()).collect())
        .collect();
    let squares: Vec<Vec<u8>> = (0..8).map(|row| (4 * row + 1..=4 * row + 4).collect()).collect();
    assert_eq!(numbers, squares);
    for (row, line) in drawing.lines().enumerate() {
        // An even row begins with a light square.
        let first = line.find(|c: char| c.is_ascii_digit()).unwrap();
        assert_eq!(first > 3, row % 2 == 0, "{line}");
    }
}
