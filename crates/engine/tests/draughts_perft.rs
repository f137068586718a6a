//! Perft against published and independently computed numbers.

use botyard_engine::draughts::{Colour, Counting, Jump, Movement, Position, divide, perft};
use botyard_engine::perft::{PART_DEPTH, count_in_parts};
use botyard_engine::registry::{self, PerftError};
use botyard_testkit::cases;
use std::ops::ControlFlow;
use std::ops::RangeInclusive;

/// From the start position, by depth: OEIS A133046, the counts of two other generators when
/// captures with one effect count once, and the preset `janacek-2007`. The benchmark reads the file
/// too.
const START: &str = include_str!("data/draughts/perft_start.csv");

/// Returns the known counts of a column, from depth 1.
fn known(column: &str) -> Vec<u64> {
    let mut lines = START.lines();
    let heading = lines.next().unwrap();
    let at = heading.split(';').position(|name| name == column).unwrap();
    lines.map_while(|line| line.split(';').nth(at).unwrap().parse().ok()).collect()
}

/// Compares the counts of a column with ours, at these depths.
fn compare(column: &str, depths: RangeInclusive<u32>) {
    let (movement, counting) = match column {
        "english" => (Movement::ENGLISH, Counting::Paths),
        "english_effects" => (Movement::ENGLISH, Counting::Effects),
        "janacek_2007" => (ONE_PIECE, Counting::Paths),
        other => panic!("no column {other}"),
    };
    let known = known(column);
    for depth in depths {
        let nodes = perft(&Position::START, movement, depth, counting);
        assert_eq!(nodes, known[depth as usize - 1], "{column}, depth {depth}");
    }
}

const ONE_PIECE: Movement = Movement { jump: Jump::OnePiece, ..Movement::ENGLISH };

#[test]
fn start_position_by_paths() {
    compare("english", 1..=11);
}

#[test]
fn start_position_by_effects() {
    // No two captures have the same effect before depth 12.
    compare("english_effects", 1..=cases(10, 11));
}

#[test]
#[ignore = "a minute or more: cargo test --release -- --ignored"]
fn start_position_deep() {
    compare("english", 12..=14);
    compare("english_effects", 12..=13);
}

#[test]
fn one_piece_a_turn() {
    compare("janacek_2007", 1..=9);
    // The rotated board is the same game.
    let turned = Position::start(Colour::White);
    let nodes = perft(&turned, ONE_PIECE, 9, Counting::Paths);
    assert_eq!(nodes, known("janacek_2007")[8]);
}

#[test]
#[ignore = "some seconds: cargo test --release -- --ignored"]
fn one_piece_a_turn_deep() {
    compare("janacek_2007", 10..=11);
}

/// 1,500 random positions on which four independent generators agree, by paths and by effects.
#[test]
fn random_positions() {
    let table = include_str!("data/draughts/perft_random.csv");
    let mut positions = 0;
    for line in table.lines().skip(1) {
        let (fen, counts) = line.split_once(';').unwrap();
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        let counts: Vec<u64> = counts.split(';').map(|count| count.parse().unwrap()).collect();
        for depth in 1..=cases(4, 5) {
            let place = format!("{fen} depth {depth}");
            let at = depth as usize - 1;
            let paths = perft(&position, Movement::ENGLISH, depth, Counting::Paths);
            assert_eq!(paths, counts[at], "{place} by paths");
            let effects = perft(&position, Movement::ENGLISH, depth, Counting::Effects);
            assert_eq!(effects, counts[5 + at], "{place} by effects");
        }
        positions += 1;
    }
    assert_eq!(positions, 1500);
}

/// Positions with kings, loops and multi-jumps.
#[test]
fn named_positions() {
    let table = include_str!("data/draughts/perft_named.csv");
    let mut positions = 0;
    for line in table.lines().filter(|line| line.contains(':')) {
        let (fen, counts) = line.split_once(';').unwrap();
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        for (depth, expected) in (1..).zip(counts.split(';')) {
            let nodes = perft(&position, Movement::ENGLISH, depth, Counting::Paths);
            assert_eq!(nodes, expected.parse::<u64>().unwrap(), "{fen} depth {depth}");
        }
        positions += 1;
    }
    assert_eq!(positions, 9);
}

#[test]
fn divide_sums_to_perft() {
    let loops: Position = "W:WK18:B6,7,8,14,15,16,22,23,24".parse().unwrap();
    for position in [Position::START, loops] {
        for counting in [Counting::Paths, Counting::Effects] {
            for depth in 1..=5 {
                let parts = divide(&position, Movement::ENGLISH, depth, counting);
                let sum: u64 = parts.iter().map(|(_, nodes)| nodes).sum();
                assert_eq!(sum, perft(&position, Movement::ENGLISH, depth, counting));
                let roots = perft(&position, Movement::ENGLISH, 1, counting);
                assert_eq!(parts.len() as u64, roots);
            }
        }
    }
    assert!(divide(&Position::START, Movement::ENGLISH, 0, Counting::Paths).is_empty());
    assert_eq!(perft(&Position::START, Movement::ENGLISH, 0, Counting::Paths), 1);
}

#[test]
fn a_game_is_counted_by_its_name_whole_and_in_parts() {
    let set_up = |game, fen| registry::perft(game, (None, &[]), fen, Counting::Paths);
    let start = set_up("draughts", None).unwrap();
    assert_eq!(start.position(), Position::START.to_string());
    let depth = PART_DEPTH + 1;
    let (mut parts, mut done) = (0, 0.0);
    let mut count_parts = |share| {
        parts += 1;
        done += share;
        ControlFlow::Continue(())
    };
    assert_eq!(count_in_parts(&*start, depth, &mut count_parts), Some(3_963_680));
    assert_eq!(parts, start.moves().len());
    assert!((done - 1.0_f64).abs() < 1e-9, "{done}");
    assert_eq!(count_in_parts(&*start, depth, &mut |_| ControlFlow::Break(())), None);
    let error = |game, fen| set_up(game, fen).err();
    assert!(matches!(error("draughts", Some("nonsense")), Some(PerftError::Position(_))));
    assert!(matches!(error("liars-dice", None), Some(PerftError::NoPerft { .. })));
    assert!(matches!(error("chess", None), Some(PerftError::Setup(_))));
    assert_eq!(registry::names_with_perft(), ["draughts"]);
}
