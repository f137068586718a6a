//! The endgame tables against counts of independent solvers, against the rules, and against
//! textbook positions.

use botyard_engine::draughts::endgame::{
    BadTable, Endgames, Interrupted, Material, Tally, Unverified, Value, solve,
};
use botyard_engine::draughts::{Movement, Position};
use botyard_engine::endgame_tables::EndgameResult;
use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

const COUNTS: &str = include_str!("data/draughts/endgame_counts_2to3.txt");

fn solved(pieces: u8) -> Endgames {
    let mut endgames = Endgames::default();
    solve(&mut endgames, pieces, 2, &|| false, |_, _| ControlFlow::Continue(())).unwrap();
    endgames
}

fn up_to_three() -> &'static Endgames {
    static ENDGAMES: OnceLock<Endgames> = OnceLock::new();
    ENDGAMES.get_or_init(|| solved(3))
}

fn total(endgames: &Endgames, pieces: u8) -> Tally {
    let mut total = Tally::default();
    for class in endgames.classes().into_iter().filter(|class| class.pieces() == pieces) {
        total += endgames.tally(class).unwrap();
    }
    total
}

/// Returns the numbers in a line, in order.
fn numbers(text: &str) -> Vec<u64> {
    let digits = |c: char| !c.is_ascii_digit();
    text.split(digits).filter_map(|number| number.parse().ok()).collect()
}

#[test]
fn counts_by_class() {
    let mut classes = 0;
    for line in COUNTS.lines().filter(|line| line.starts_with("bm")) {
        let [bm, bk, wm, wk, black @ .., longest] = &numbers(line)[..] else { panic!("{line}") };
        let [men, kings] = [[*bm, *wm], [*bk, *wk]].map(|pair| pair.map(|count| count as u8));
        let class = Material::new(men, kings).unwrap();
        let tallies = [class, class.swapped()].map(|class| up_to_three().tally(class).unwrap());
        let counted = tallies.map(|tally| [tally.wins, tally.losses, tally.draws]).concat();
        assert_eq!(counted, black, "{line}");
        let counted = tallies[0].longest.max(tallies[1].longest);
        assert_eq!(counted.map(u64::from), Some(*longest), "{line}");
        classes += 1;
    }
    assert_eq!(classes, up_to_three().classes().len());
}

#[test]
fn two_and_three_pieces_in_all() {
    for (pieces, expected) in [(2, [1_432, 804, 4_740, 13]), (3, [200_500, 174_610, 16_954, 62])] {
        let total = total(up_to_three(), pieces);
        // The counts are for both colours to move; a table has each position once.
        let counted = [total.wins, total.losses, total.draws].map(|count| 2 * count);
        assert_eq!([&counted[..], &[total.longest.unwrap().into()]].concat(), expected);
    }
}

#[test]
fn every_value_follows_from_the_moves() {
    for class in up_to_three().classes() {
        let positions = up_to_three().verify(class).unwrap();
        assert_eq!(positions, u64::from(Endgames::positions(class)), "{class}");
    }
}

#[test]
fn a_wrong_value_is_found() {
    let class = Material::new([0, 1], [1, 0]).unwrap();
    let values = up_to_three().values(class).unwrap();
    for number in [0, values.len() / 2, values.len() - 1] {
        for other in [0, 1, 255] {
            let mut endgames = up_to_three().clone();
            let mut changed = values.to_vec();
            if std::mem::replace(&mut changed[number], other) == other {
                continue;
            }
            endgames.insert(class, changed).unwrap();
            let mismatch = endgames.verify(class).unwrap_err();
            assert_eq!(mismatch.found, Value::from_byte(other), "{mismatch}");
        }
    }
}

#[test]
fn all_classes_are_verified_and_the_first_wrong_value_is_named() {
    let verify = |endgames: &Endgames, threads| {
        let checked = AtomicU64::new(0);
        let add = |more| {
            checked.fetch_add(more, Ordering::Relaxed);
        };
        (endgames.verify_all(threads, &|| false, &add), checked.into_inner())
    };
    let mut wrong = up_to_three().clone();
    let (first, later) = (Material::new([0, 1], [2, 0]).unwrap(), Material::new([2, 1], [0, 0]));
    for class in [first, later.unwrap()] {
        let mut values = up_to_three().values(class).unwrap().to_vec();
        // A draw is never worth a win in one ply.
        let number = values.iter().rposition(|&byte| byte == 1).unwrap();
        values[number] = 255;
        wrong.insert(class, values).unwrap();
    }
    for threads in [1, 2, 5] {
        assert_eq!(verify(up_to_three(), threads), (Ok(199_520), 199_520), "{threads} threads");
        let Err(Unverified::Wrong { material, mismatch }) = verify(&wrong, threads).0 else {
            panic!("{threads} threads");
        };
        assert_eq!(Err(mismatch), wrong.verify(first), "{threads} threads");
        assert_eq!(material, first);
    }
    let stopped = up_to_three().verify_all(2, &|| true, &|_| ());
    assert_eq!(stopped, Err(Unverified::Interrupted));
}

#[test]
#[ignore = "solves four pieces; the stage `long-checks` of `.ci/run` runs it"]
fn four_pieces_and_the_first_classes_of_five() {
    let mut endgames = solved(4);
    let total = total(&endgames, 4);
    assert_eq!(
        [total.wins, total.losses, total.draws].map(|count| 2 * count),
        [5_148_608, 3_834_180, 3_435_844]
    );
    assert_eq!(total.longest, Some(109));
    for class in endgames.classes() {
        endgames.verify(class).unwrap_or_else(|mismatch| panic!("{class}: {mismatch}"));
    }
    // First Position, known since the 18th century: the side to move decides the result.
    let probe = |fen: &str| endgames.probe(&fen.parse().unwrap()).unwrap();
    assert!(matches!(probe("W:WK19,K23:B12,K28"), Value::Win(_)));
    assert_eq!(probe("B:WK19,K23:B12,K28"), Value::Draw);

    let (reported, mut tables) = (AtomicUsize::new(0), Vec::new());
    let is_stopped = || reported.load(Ordering::Relaxed) == 2;
    let stopped = solve(&mut endgames, 5, 1, &is_stopped, |class, results| {
        reported.fetch_add(1, Ordering::Relaxed);
        tables.push((class, results.to_vec()));
        ControlFlow::Continue(())
    });
    assert_eq!(stopped, Err(Interrupted));
    for (class, results) in tables {
        assert_eq!(results.len(), 1_006_880 / 4, "{class}");
        endgames.insert(class, results).unwrap();
    }
    let classes = endgames.classes().split_off(4 + 12 + 25);
    let [one, four] = [[1, 4], [4, 1]].map(|kings| Material::new([0, 0], kings).unwrap());
    assert_eq!(classes, [one, four]);
    for class in classes {
        endgames.verify(class).unwrap_or_else(|mismatch| panic!("{class}: {mismatch}"));
        assert_eq!(endgames.tally(class).unwrap().longest, None);
    }
    // Four kings lose none of their games against one.
    assert_eq!(endgames.tally(four).unwrap().losses, 0);
    let position = "B:WK25,K29,K30,K31:BK1".parse().unwrap();
    assert_eq!(endgames.probe(&position), None, "the plies are not stored");
    assert_eq!(endgames.probe_result(&position), Some(EndgameResult::Loss));
}

#[test]
fn results_alone() {
    let class = Material::new([0, 0], [2, 1]).unwrap();
    let code = |value: &u8| match value {
        255 => 2,
        plies => plies % 2,
    };
    let four = |four: &[u8]| four.iter().rev().fold(0, |bits, value| bits << 2 | code(value));
    let results: Vec<u8> = up_to_three().values(class).unwrap().chunks(4).map(four).collect();
    let mut endgames = up_to_three().clone();
    endgames.insert_results(class, results.clone()).unwrap();
    let expected = Tally { longest: None, ..up_to_three().tally(class).unwrap() };
    assert_eq!(endgames.tally(class), Some(expected));
    assert_eq!(endgames.verify(class), Ok(14_880));
    for fen in ["B:WK32:BK1,K2", "W:WK32,K31:BK1", "W:WK1,K6:BK2", "B:WK32,K31:BK1"] {
        let position = fen.parse().unwrap();
        let result = up_to_three().probe_result(&position);
        let expected = up_to_three().probe(&position).map(|value| match value {
            Value::Win(_) => EndgameResult::Win,
            Value::Draw => EndgameResult::Draw,
            Value::Loss(_) => EndgameResult::Loss,
        });
        assert_eq!(result, expected, "{fen}");
        assert_eq!(endgames.probe_result(&position), result, "{fen}");
    }
    assert_eq!(endgames.probe(&"B:WK32:BK1,K2".parse().unwrap()), None);
    assert!(endgames.probe(&"B:WK32,K31:BK1".parse().unwrap()).is_some(), "another class");
    let mut wrong = results;
    wrong[100] = wrong[100] & !3 | (wrong[100] + 1) & 1;
    endgames.insert_results(class, wrong.clone()).unwrap();
    assert!(endgames.verify(class).is_err());
    wrong[100] |= 3;
    assert_eq!(
        endgames.insert_results(class, wrong.clone()),
        Err(BadTable::Value { material: class, number: 400 })
    );
    wrong.pop();
    assert_eq!(
        endgames.insert_results(class, wrong),
        Err(BadTable::Length { material: class, expected: 3_720, got: 3_719 })
    );
}

#[test]
fn positions_that_can_be_worked_out_by_hand() {
    for (fen, expected) in [
        // A capture of the last piece, for either colour.
        ("B:WK18:BK14", Value::Win(1)),
        ("W:WK18:BK14", Value::Win(1)),
        ("B:WK1:BK19", Value::Draw),
        ("B:WK32:BK1", Value::Draw),
        // The man cannot move; cannot move after 13-9; captures only to be captured.
        ("B:W9,14:B5", Value::Loss(0)),
        ("W:W13,K14:B5", Value::Win(1)),
        ("B:WK9,K10:B5", Value::Loss(2)),
    ] {
        assert_eq!(up_to_three().probe(&fen.parse().unwrap()), Some(expected), "{fen}");
    }
}

#[test]
fn both_colours_see_the_same() {
    for fen in ["B:W21:BK1,7", "B:WK17,22:B3", "B:W5:B28", "B:WK32:BK1,K2"] {
        let position: Position = fen.parse().unwrap();
        let turned: String = fen
            .split(':')
            .map(|part| {
                let turn = |colour: &str| if colour == "B" { "W" } else { "B" };
                let (colour, squares) = part.split_at(1);
                let squares: Vec<String> = squares
                    .split(',')
                    .filter(|square| !square.is_empty())
                    .map(|square| match square.strip_prefix('K') {
                        Some(number) => format!("K{}", 33 - number.parse::<u8>().unwrap()),
                        None => (33 - square.parse::<u8>().unwrap()).to_string(),
                    })
                    .collect();
                format!("{}{}", turn(colour), squares.join(","))
            })
            .collect::<Vec<_>>()
            .join(":");
        let value = up_to_three().probe(&position);
        assert!(value.is_some(), "{fen}");
        assert_eq!(value, up_to_three().probe(&turned.parse().unwrap()), "{fen} and {turned}");
    }
}

#[test]
fn best_play_ends_when_the_table_says() {
    for fen in ["W:WK32,K31:BK1", "B:WK14,K15:B3", "W:W30,K31:BK2"] {
        let mut position: Position = fen.parse().unwrap();
        let mut left = up_to_three().probe(&position).unwrap().plies().unwrap();
        loop {
            let mut next = None;
            position.for_each_move(Movement::ENGLISH, |mv| {
                let after = position.make(mv);
                let value = up_to_three().probe(&after).unwrap().before();
                if value.plies() == Some(left) {
                    next = Some(after);
                }
            });
            let Some(after) = next else { break };
            position = after;
            left -= 1;
        }
        assert!(left == 0 && !position.can_move(), "{fen}: {left} plies left at {position}");
    }
}

#[test]
fn what_is_not_there_is_not_known() {
    let two = solved(2);
    for fen in ["B:WK1,K2:BK19", "B:W21-32:B1-12", "B:W:BK1"] {
        assert_eq!(two.probe(&fen.parse().unwrap()), None, "{fen}");
    }
    assert_eq!(two.probe(&"B:WK1:B".parse().unwrap()), Some(Value::Loss(0)), "no piece left");
    assert_eq!(Endgames::default().probe(&"B:WK1:BK19".parse().unwrap()), None);
}

#[test]
fn solving_goes_on_where_it_was_stopped() {
    for stop_after in [0, 1, 4, 5, 11] {
        let mut part = Endgames::default();
        let reported = Cell::new(0);
        let mut classes = Vec::new();
        let stopped = solve(&mut Endgames::default(), 3, 2, &|| false, |class, values| {
            if reported.get() == stop_after {
                return ControlFlow::Break(());
            }
            reported.set(reported.get() + 1);
            classes.push((class, values.to_vec()));
            ControlFlow::Continue(())
        });
        assert_eq!(stopped, Err(Interrupted));
        let order: Vec<Material> = classes.iter().map(|(class, _)| *class).collect();
        assert_eq!(order, Material::up_to(3)[..stop_after]);
        for (class, values) in classes {
            part.insert(class, values).unwrap();
        }
        let mut rest = Vec::new();
        let goes_on = |class, _: &[u8]| {
            rest.push(class);
            ControlFlow::Continue(())
        };
        solve(&mut part, 3, 1, &|| false, goes_on).unwrap();
        assert_eq!(rest, Material::up_to(3)[stop_after..]);
        for class in Material::up_to(3) {
            assert_eq!(part.values(class), up_to_three().values(class), "{class}");
        }
    }
    assert_eq!(
        solve(&mut Endgames::default(), 3, 2, &|| true, |_, _| ControlFlow::Continue(())),
        Err(Interrupted)
    );
}

#[test]
fn bytes_that_are_no_table() {
    let class = Material::new([0, 0], [1, 1]).unwrap();
    let mut endgames = Endgames::default();
    assert_eq!(
        endgames.insert(class, vec![255; 991]),
        Err(BadTable::Length { material: class, expected: 992, got: 991 })
    );
    let mut values = vec![255; 992];
    values[7] = 254;
    assert_eq!(endgames.insert(class, values), Err(BadTable::Value { material: class, number: 7 }));
    assert!(endgames.classes().is_empty());
}
