//! Checks the tables and the examples in `docs/games/draughts.md` against the engine.

use botyard_engine::draughts::{Counting, Draughts, Move, Opening, Position, Setup, View, perft};
use botyard_engine::game::Game;
use botyard_engine::random::Stream;
use botyard_engine::seat::Seat;
use botyard_testkit::page::Page;

const PAGE: Page = Page(include_str!("../../../docs/games/draughts.md"));

fn english() -> Draughts {
    Draughts::new(Draughts::preset("english").unwrap()).unwrap()
}

#[test]
fn the_table_of_perft_is_the_engine_s() {
    let movements =
        ["english", "janacek-2007"].map(|name| Draughts::preset(name).unwrap().movement());
    let table = PAGE.rows("depth");
    assert_eq!(table.len(), 15);
    // Greater depths are checked in draughts_perft.rs, which takes longer.
    for row in &table[1..=9] {
        let depth = row[0].parse().unwrap();
        for (movement, nodes) in movements.into_iter().zip(&row[1..]) {
            let ours = perft(&Position::START, movement, depth, Counting::Paths);
            assert_eq!(nodes.parse(), Ok(ours), "depth {depth}");
        }
    }
}

#[test]
fn the_examples_are_real() {
    assert_eq!(PAGE.examples::<Move>("action").len(), 2);
    let game = english();
    let openings = PAGE.examples::<Opening>("opening");
    assert_eq!(openings.len(), 4);
    for opening in openings {
        game.start(&opening).unwrap_or_else(|error| panic!("{opening:?}: {error}"));
    }
    let setups = PAGE.examples::<Setup>("setup");
    let after = Opening { moves: vec!["11-15".parse().unwrap()], ..Opening::default() };
    assert_eq!(setups, [game.setup(&game.start(&after).unwrap(), Seat::new(0))]);
    let views = PAGE.examples::<View>("view");
    assert_eq!(views.len(), 1);
    for seat in Seat::all(2) {
        let state = game.determinize(&views[0], seat, Stream::new(1, "test").rng()).unwrap();
        assert_eq!(game.view(&state, seat), views[0]);
    }
}

#[test]
fn the_board_is_numbered_as_drawn() {
    let drawing = PAGE.0.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
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
