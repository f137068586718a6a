//! Perft against published and independently computed numbers.

use botyard_engine::draughts::{Counting, Jump, Movement, Position, divide, perft};

/// OEIS A133046, and what two other generators found beyond depth 12 when captures with one effect
/// count once.
const START: [u64; 14] = [
    7,
    49,
    302,
    1_469,
    7_361,
    36_768,
    179_740,
    845_931,
    3_963_680,
    18_391_564,
    85_242_128,
    388_623_673,
    1_766_623_630,
    7_978_439_499,
];
const START_EFFECTS_12: u64 = 388_617_999;
const START_EFFECTS_13: u64 = 1_766_564_893;
const JANACEK: [u64; 11] =
    [7, 49, 302, 1_469, 7_361, 36_768, 180_018, 844_361, 3_923_504, 17_921_731, 81_367_266];

const ONE_PIECE: Movement = Movement { jump: Jump::OnePiece, ..Movement::ENGLISH };

#[test]
fn start_position_by_paths() {
    for (depth, expected) in (1..=11).zip(START) {
        let nodes = perft(&Position::START, Movement::ENGLISH, depth, Counting::Paths);
        assert_eq!(nodes, expected, "depth {depth}");
    }
}

#[test]
fn start_position_by_effects() {
    // No two captures with one effect come up before depth 12.
    for (depth, expected) in (1..=11).zip(START) {
        let nodes = perft(&Position::START, Movement::ENGLISH, depth, Counting::Effects);
        assert_eq!(nodes, expected, "depth {depth}");
    }
}

#[test]
#[ignore = "a minute or more: cargo test --release -- --ignored"]
fn start_position_deep() {
    for (depth, expected) in (12..=14).zip(&START[11..]) {
        let nodes = perft(&Position::START, Movement::ENGLISH, depth, Counting::Paths);
        assert_eq!(nodes, *expected, "depth {depth}");
    }
    for (depth, expected) in [(12, START_EFFECTS_12), (13, START_EFFECTS_13)] {
        let nodes = perft(&Position::START, Movement::ENGLISH, depth, Counting::Effects);
        assert_eq!(nodes, expected, "depth {depth}");
    }
}

#[test]
fn one_piece_a_turn() {
    for start in [Position::START, Position::start(botyard_engine::draughts::Colour::White)] {
        for (depth, expected) in (1..=9).zip(JANACEK) {
            let nodes = perft(&start, ONE_PIECE, depth, Counting::Paths);
            assert_eq!(nodes, expected, "depth {depth}");
        }
    }
}

#[test]
#[ignore = "some seconds: cargo test --release -- --ignored"]
fn one_piece_a_turn_deep() {
    for (depth, expected) in (10..=11).zip(&JANACEK[9..]) {
        let nodes = perft(&Position::START, ONE_PIECE, depth, Counting::Paths);
        assert_eq!(nodes, *expected, "depth {depth}");
    }
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
        for depth in 1..=5 {
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
