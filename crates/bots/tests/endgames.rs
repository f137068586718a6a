//! Endgame tables in the search: values with them are exact, and the bot wins what they say is won.

use botyard_bots::draughts::{DraughtsSearch, Positional};
use botyard_engine::draughts::endgame::{Endgames, Value, solve};
use botyard_engine::draughts::{Jump, Movement, Position};
use botyard_engine::endgame_tables::EndgameResult;
use botyard_search::Limits;
use botyard_search::two_sided::{Algorithm, DrawRules, Root, Settings, TwoSidedSearcher};
use botyard_search::value::{MOST_EVALUATION, decided_in};
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

fn endgames() -> &'static Arc<Endgames> {
    static ENDGAMES: OnceLock<Arc<Endgames>> = OnceLock::new();
    ENDGAMES.get_or_init(|| {
        let mut endgames = Endgames::default();
        solve(&mut endgames, 3, 2, &|| false, |_, _| ControlFlow::Continue(())).unwrap();
        Arc::new(endgames)
    })
}

/// Positions with up to three pieces, spread over all of them.
fn positions() -> Vec<Position> {
    let squares = |seed: u32| {
        let hash = seed.wrapping_mul(2_654_435_761);
        [27, 20, 13].map(|shift| (hash >> shift & 31) + 1)
    };
    let mut found = Vec::new();
    for seed in 1..400_u32 {
        let king = |bit: u32| if seed >> bit & 1 == 1 { "K" } else { "" };
        let turn = if seed & 8 == 0 { "B" } else { "W" };
        let [a, b, c] = squares(seed);
        let fen = format!("{turn}:W{}{a}:B{}{b},{}{c}", king(0), king(1), king(2));
        found.extend(fen.parse::<Position>().ok());
    }
    assert!(found.len() > 150, "{}", found.len());
    found
}

fn searched(position: Position, depth: u32, with: Option<Arc<Endgames>>, by: Algorithm) -> i32 {
    let game = DraughtsSearch::new(Movement::ENGLISH, Positional::default()).with_endgames(with);
    let mut searcher = TwoSidedSearcher::new(Settings::exact(by));
    searcher.search(&game, &Root::new(position), &Limits::depth(depth)).value
}

#[test]
fn the_tables_say_what_a_search_finds() {
    let mut found = 0;
    for position in positions() {
        let value = searched(position, 7, None, Algorithm::AlphaBeta);
        let known = endgames().probe(&position).unwrap();
        if let Some(plies) = decided_in(value).filter(|&plies| plies <= 7) {
            assert_eq!(known.plies().map(u32::from), Some(plies), "{position}");
            assert_eq!(matches!(known, Value::Win(_)), value > 0, "{position}");
            found += 1;
        } else {
            assert!(known.plies().is_none_or(|plies| plies > 7), "{position}: {known:?}");
        }
    }
    assert!(found > 20, "{found}");
}

#[test]
fn a_search_with_tables_is_exact_at_any_depth() {
    for (number, position) in positions().into_iter().enumerate() {
        let algorithm = Algorithm::ALL[number % 4].1;
        let value = searched(position, 1 + number as u32 % 3, Some(endgames().clone()), algorithm);
        let expected = match endgames().probe(&position).unwrap() {
            Value::Draw => None,
            Value::Win(plies) | Value::Loss(plies) => Some(u32::from(plies)),
        };
        assert_eq!(decided_in(value), expected, "{position} {algorithm:?}");
    }
}

#[test]
fn other_rules_of_movement_have_no_tables() {
    let movement = Movement { jump: Jump::OnePiece, ..Movement::ENGLISH };
    for (movement, expected) in [(Movement::ENGLISH, true), (movement, false)] {
        let game = DraughtsSearch::new(movement, Positional::default())
            .with_endgames(Some(endgames().clone()));
        let mut searcher = TwoSidedSearcher::new(Settings::new(Algorithm::Mtdf));
        let position = "W:WK32,K31:BK1".parse().unwrap();
        let report = searcher.search(&game, &Root::new(position), &Limits::depth(3));
        assert_eq!(report.known > 0, expected, "{movement:?}");
    }
}

/// The results of positions with these bytes, four a byte.
fn results(values: &[u8]) -> Vec<u8> {
    let code = |value: &u8| match value {
        255 => 2,
        plies => plies % 2,
    };
    let four = |four: &[u8]| four.iter().rev().fold(0, |bits, value| bits << 2 | code(value));
    values.chunks(4).map(four).collect()
}

/// The tables, of three pieces with results alone.
fn results_of_three() -> Endgames {
    let mut with_results = Endgames::default();
    for class in endgames().classes() {
        let values = endgames().values(class).unwrap();
        match class.pieces() {
            2 => with_results.insert(class, values.to_vec()).unwrap(),
            _ => with_results.insert_results(class, results(values)).unwrap(),
        }
    }
    with_results
}

#[test]
fn a_search_with_results_alone_knows_who_wins() {
    let tables = Arc::new(results_of_three());
    let search = |fen: &str, depth: u32| {
        let mut game = DraughtsSearch::new(Movement::ENGLISH, Positional::default())
            .with_endgames(Some(tables.clone()));
        let position: Position = fen.parse().unwrap();
        game.set_root(&position);
        let mut searcher = TwoSidedSearcher::new(Settings::exact(Algorithm::AlphaBeta));
        let report = searcher.search(&game, &Root::new(position), &Limits::depth(depth));
        (report.value, report.known)
    };
    // Four pieces, of which one is captured: the three that are left are in the tables.
    let (value, known) = search("W:WK18,K27:BK14,K1", 3);
    assert!(value > MOST_EVALUATION && decided_in(value).is_none() && known > 0, "{value}");
    // The root is in the tables: the value leaves room for better and worse ways to win.
    let (value, known) = search("W:WK32,K31:BK1", 3);
    assert!((100..MOST_EVALUATION).contains(&value) && known == 0, "{value} {known}");
    let (value, _) = search("B:WK32,K31:BK1", 3);
    assert!((-MOST_EVALUATION..-100).contains(&value), "{value}");
    // A draw is one at any depth.
    let is_drawn = |position: &Position| endgames().probe(position) == Some(Value::Draw);
    let drawn: Vec<Position> = positions().into_iter().filter(is_drawn).collect();
    assert!(!drawn.is_empty());
    for position in drawn {
        assert_eq!(search(&position.to_string(), 1).0, 0, "{position}");
    }
}

#[test]
fn a_search_with_results_alone_keeps_a_win() {
    let tables = Arc::new(results_of_three());
    let draws = DrawRules { repetition: true, quiet_plies: 80 };
    for fen in ["W:WK32,K31:BK1", "B:W17:BK3,K4", "W:WK29,K30:BK2"] {
        let mut position: Position = fen.parse().unwrap();
        let mut game = DraughtsSearch::new(Movement::ENGLISH, Positional::default())
            .with_endgames(Some(tables.clone()));
        let mut searcher =
            TwoSidedSearcher::new(Settings { draws, ..Settings::new(Algorithm::Mtdf) });
        for ply in 0..12 {
            game.set_root(&position);
            let report = searcher.search(&game, &Root::new(position), &Limits::depth(5));
            let Some(best) = report.best else { break };
            position = position.make(best);
            let expected = if ply % 2 == 0 { EndgameResult::Loss } else { EndgameResult::Win };
            assert_eq!(tables.probe_result(&position), Some(expected), "{fen}: {best} {ply}");
        }
    }
}

/// Two kings against one win in all but a few positions; without tables a shallow search makes no
/// progress.
#[test]
fn two_kings_catch_one() {
    let draws = DrawRules { repetition: true, quiet_plies: 80 };
    for fen in ["W:WK32,K31:BK1", "B:W17:BK3,K4", "W:WK29,K30:BK2"] {
        let mut position: Position = fen.parse().unwrap();
        let expected = endgames().probe(&position).unwrap();
        let Value::Win(plies) = expected else { panic!("{fen}: {expected:?}") };
        let game = DraughtsSearch::new(Movement::ENGLISH, Positional::default())
            .with_endgames(Some(endgames().clone()));
        let settings = Settings { draws, ..Settings::new(Algorithm::Mtdf) };
        let mut searcher = TwoSidedSearcher::new(settings);
        let mut earlier: Vec<u64> = Vec::new();
        for ply in 0..plies {
            let root = Root { position, earlier: &earlier };
            let best = searcher.search(&game, &root, &Limits::depth(2)).best.unwrap();
            match position.is_reversible(best) {
                true => earlier.push(position.key()),
                false => earlier.clear(),
            }
            position = position.make(best);
            let left = endgames().probe(&position).unwrap().plies();
            assert_eq!(left, Some(plies - ply - 1), "{fen}: {best} to {position}");
        }
        assert!(!position.can_move());
    }
}
