//! The rules of draughts: moves, captures, ends of games, and the effect of each parameter.

use botyard_engine::draughts::{
    Colour, Counting, Draughts, Jump, Move, Movement, Opening, Position, Standing, State, ballots,
    perft,
};
use botyard_engine::random::{Stream, choose};
use botyard_engine::rules;
use botyard_engine::{Game, Seat, Turn, registry};

const ENGLISH: Movement = Movement::ENGLISH;
const ONE_PIECE: Movement = Movement { jump: Jump::OnePiece, ..ENGLISH };
const CROWNED_CONTINUES: Movement = Movement { promotion_ends_move: false, ..ENGLISH };
const FREE: Movement = Movement { compulsory_capture: false, ..ENGLISH };

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn moves(fen: &str, movement: Movement) -> Vec<String> {
    let mut moves: Vec<String> =
        position(fen).moves(movement).iter().map(|mv| mv.to_string()).collect();
    moves.sort();
    moves
}

fn game(preset: &str, changes: &[(&str, &str)]) -> Draughts {
    let changes: Vec<_> = changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    Draughts::new(rules::resolve::<Draughts>(Some(preset), &changes).unwrap()).unwrap()
}

fn opening(fen: &str) -> Opening {
    Opening { fen: Some(fen.to_string()), ..Opening::default() }
}

/// Plays moves from a position and returns the state.
fn played(game: &Draughts, fen: &str, moves: &[&str]) -> State {
    let mut state = game.start(&opening(fen)).unwrap();
    for text in moves {
        let mv: Move = text.parse().unwrap();
        game.check(&state, mv).unwrap_or_else(|why| panic!("{why}"));
        game.apply(&mut state, mv);
    }
    state
}

#[test]
fn legal_moves() {
    for (what, fen, movement, expected) in [
        ("men move forward", "B:W32:B14", ENGLISH, &["14-17", "14-18"][..]),
        ("men of the other side the other way", "W:W18:B1", ENGLISH, &["18-14", "18-15"]),
        ("at the edge there is one way", "B:W32:B12", ENGLISH, &["12-16"]),
        ("kings go one step", "B:W32:BK18", ENGLISH, &["18-14", "18-15", "18-22", "18-23"]),
        ("who can capture must", "W:W22,31:B18", ENGLISH, &["22x15"]),
        ("men do not capture backwards", "W:W14:B18", ENGLISH, &["14-10", "14-9"]),
        ("kings do", "W:WK14:B18", ENGLISH, &["14x23"]),
        ("a capture continues", "W:W22:B11,18", ENGLISH, &["22x15x8"]),
        ("one need not take the most", "W:W21,23:B11,17,18", ENGLISH, &["21x14", "23x14"]),
        ("a man is crowned and stops", "W:W11:B6,7", ENGLISH, &["11x2"]),
        ("no piece is jumped twice", "W:WK26:B23", ENGLISH, &["26x19"]),
        (
            "a king comes back to where it began",
            "W:WK26:B14,15,22,23",
            ENGLISH,
            &["26x17x10x19x26", "26x19x10x17x26"],
        ),
        ("one piece a turn", "W:W22:B11,18", ONE_PIECE, &["22x15"]),
        ("and it is compulsory", "W:W22,31:B11,18", ONE_PIECE, &["22x15"]),
        ("a crowned man continues", "W:W11:B6,7", CROWNED_CONTINUES, &["11x2x9"]),
        ("captures of choice", "W:W22,31:B18", FREE, &["22-17", "22x15", "31-26", "31-27"]),
        ("but whole ones", "W:W22:B11,18", FREE, &["22-17", "22x15x8"]),
        ("no move at all", "B:W16,19:B12", ENGLISH, &[]),
    ] {
        assert_eq!(moves(fen, movement), expected, "{what}: {fen}");
    }
}

#[test]
fn positions_after_moves() {
    for (fen, mv, expected) in [
        ("W:W11:B6,7", "11x2", "B:WK2:B6"),
        ("B:W32:B27", "27-31", "W:W32:BK31"),
        ("W:WK26:B14,15,22,23", "26x17x10x19x26", "B:WK26:B"),
        ("W:W22:B11,K18", "22x15x8", "B:W8:B"),
        ("B:W32:BK18", "18-14", "W:W32:BK14"),
    ] {
        let mv: Move = mv.parse().unwrap();
        let after = position(fen).make(mv);
        assert_eq!(after.to_string(), expected, "{mv} in {fen}");
    }
    // A man that is crowned in the middle of its capture stays a king.
    let after = position("W:W11:B6,7").make("11x2x9".parse().unwrap());
    assert_eq!(after.to_string(), "B:WK9:B");
}

#[test]
fn paths_with_one_effect_are_two_moves() {
    let circle = position("W:WK26:B14,15,22,23");
    assert_eq!(perft(&circle, ENGLISH, 1, Counting::Paths), 2);
    assert_eq!(perft(&circle, ENGLISH, 1, Counting::Effects), 1);
}

#[test]
fn why_a_move_is_not_legal() {
    for (fen, movement, mv, expected) in [
        ("B:W32:B14", ENGLISH, "15-18", "there is no piece on 15"),
        ("B:W32:B14", ENGLISH, "32-28", "the piece on 32 is White's, and Black is to move"),
        ("B:W32:B14", ENGLISH, "14-10", "a man moves forward only, and 10 is behind 14"),
        ("B:W18:B14", ENGLISH, "14-18", "18 is not empty"),
        ("B:W18,23:B14", ENGLISH, "14x23", "23 is not empty"),
        ("B:W32:B14", ENGLISH, "14x23", "on 18 there is no piece of White to capture"),
        ("B:W32:B14,18", ENGLISH, "14x23", "on 18 there is no piece of White to capture"),
        ("W:W22,31:B18", ENGLISH, "31-27", "White must capture, as with 22x15"),
        ("W:W22:B11,18", ENGLISH, "22x15", "must continue to jump, as with 22x15x8"),
        ("W:W22:B11,18", ONE_PIECE, "22x15x8", "a turn ends with its first jump"),
        ("W:W11:B6,7", ENGLISH, "11x2x9", "a man moves forward only, and 9 is behind 2"),
        ("W:WK26:B23", ENGLISH, "26x19x26", "the piece on 23 is jumped twice"),
    ] {
        let mv: Move = mv.parse().unwrap();
        let why = position(fen).check(movement, mv).unwrap_err().to_string();
        assert!(why.contains(expected), "{mv} in {fen}: {why}");
        assert!(why.starts_with(&mv.to_string()), "{why}");
    }
}

#[test]
fn how_games_end() {
    // Two kings move to and fro; the position recurs after 4 and 8 plies.
    let to_and_fro = ["1-6", "32-27", "6-1", "27-32"].repeat(2);
    for (changes, fen, moves, reason, scores) in [
        (&[][..], "W:W18:B15", &["18x11"][..], "no_pieces", [0.0, 1.0]),
        (&[], "W:W19,20:B12", &["20-16"], "no_moves", [0.0, 1.0]),
        (&[], "B:WK32:BK1", &to_and_fro, "repetition", [0.5, 0.5]),
        (&[("draw_repetitions", "2")], "B:WK32:BK1", &to_and_fro[..4], "repetition", [0.5, 0.5]),
        (
            &[("draw_repetitions", "0"), ("draw_quiet_plies", "5")],
            "B:WK32:BK1",
            &to_and_fro[..5],
            "quiet_plies",
            [0.5, 0.5],
        ),
        (&[("max_plies", "3")], "B:WK32:BK1", &to_and_fro[..3], "max_plies", [0.5, 0.5]),
        // A loss takes precedence over a draw.
        (&[("max_plies", "1")], "W:W18:B15", &["18x11"], "no_pieces", [0.0, 1.0]),
    ] {
        let game = game("english", changes);
        let before = played(&game, fen, &moves[..moves.len() - 1]);
        assert_eq!(game.outcome(&before), None, "{reason}: over too early");
        let state = played(&game, fen, moves);
        let outcome = game.outcome(&state).unwrap_or_else(|| panic!("{reason}: in progress"));
        assert_eq!((&*outcome.reason, &outcome.scores[..]), (reason, &scores[..]));
        assert_eq!(game.turn(&state), Turn::Over);
        assert_eq!(game.view(&state, Seat::new(0)).over.unwrap().reason(), reason);
    }
}

#[test]
fn automatic_draws_can_be_switched_off() {
    let changes = [("draw_repetitions", "0"), ("draw_quiet_plies", "0"), ("max_plies", "10000")];
    let game = game("english", &changes);
    let moves = ["1-6", "32-27", "6-1", "27-32"].repeat(30);
    let state = played(&game, "B:WK32:BK1", &moves);
    assert_eq!(game.outcome(&state), None);
    assert_eq!((state.repetitions(), state.quiet_plies(), state.ply()), (31, 120, 120));
}

#[test]
fn a_mans_move_and_a_capture_begin_to_count_anew() {
    let game = game("english", &[]);
    let fen = "B:W21,24,K32:B12,K1";
    for (last, quiet) in [("6-1", 3), ("12-16", 0)] {
        let state = played(&game, fen, &["1-6", "32-27", last]);
        assert_eq!(state.quiet_plies(), quiet, "{last}");
        assert_eq!(state.quiet_moves().len(), usize::from(quiet));
    }
    let state = played(&game, "B:W21,K32:BK1,K23", &["1-6", "32-27", "23x32"]);
    assert_eq!(state.quiet_plies(), 0, "a capture");
}

#[test]
fn earlier_positions_are_told_backwards() {
    let game = game("english", &[]);
    let state = played(&game, "B:WK32:BK1", &["1-6", "32-27", "6-1"]);
    let earlier: Vec<String> = state.earlier_positions().map(|p| p.to_string()).collect();
    assert_eq!(earlier, ["B:WK27:BK6", "W:WK32:BK6", "B:WK32:BK1"]);
    let keys = state.earlier_positions().map(|p| p.key());
    let replayed = earlier.iter().map(|fen| position(fen).key());
    assert!(keys.eq(replayed), "keys of positions that were undone");
}

#[test]
fn who_sits_where_and_begins() {
    for (preset, seats, first) in [
        ("english", ["black", "white"], Colour::Black),
        ("janacek-2007", ["white", "black"], Colour::White),
    ] {
        let game = game(preset, &[("ballots", "none")]);
        assert_eq!(game.seats(), seats);
        let state = game.start(&Opening::default()).unwrap();
        assert_eq!(state.position(), &Position::start(first));
        assert_eq!(game.turn(&state), Turn::Seat(Seat::new(0)));
        assert_eq!(game.colour(Seat::new(0)), first);
        assert_eq!(game.seat(first.other()), Seat::new(1));
    }
}

#[test]
fn a_forfeit_is_a_loss() {
    let game = game("english", &[]);
    for loser in Seat::all(2) {
        let mut state = played(&game, "B:WK32:BK1", &["1-6"]);
        game.forfeit(&mut state, loser);
        let outcome = game.outcome(&state).unwrap();
        assert_eq!(outcome.reason, "forfeit");
        assert_eq!(outcome.scores[loser.index()], 0.0);
        assert_eq!(outcome.scores[1 - loser.index()], 1.0);
    }
}

#[test]
fn ballots_are_drawn_so_that_games_differ() {
    let drawn = |setting: &str| {
        let game = game("english", &[("ballots", setting)]);
        let numbers = (0..2_000).map(|seed| {
            game.draw_opening(Stream::new(seed, "opening").rng()).ballot.unwrap_or_default()
        });
        numbers.collect::<std::collections::BTreeSet<u16>>()
    };
    let in_use: std::collections::BTreeSet<u16> = ballots()
        .iter()
        .filter(|ballot| ballot.standing == Standing::Standard)
        .map(|ballot| ballot.number)
        .collect();
    assert_eq!(in_use.len(), 157);
    assert_eq!(drawn("three_move"), in_use);
    assert_eq!(drawn("three_move_all").len(), 174);
    assert_eq!(drawn("none"), [0].into());
}

#[test]
fn every_ballot_can_be_played_under_all_rules_that_allow_them() {
    for changes in [
        &[][..],
        &[("jump", "one_piece")],
        &[("promotion_ends_move", "false")],
        &[("compulsory_capture", "false")],
    ] {
        let game = game("english", changes);
        for ballot in ballots() {
            let number = Opening { ballot: Some(ballot.number), ..Opening::default() };
            let state = game.start(&number).unwrap();
            assert_eq!(state.position(), &ballot.position);
            assert_eq!(game.turn(&state), Turn::Seat(Seat::new(1)), "White moves next");
            let moves = Opening { moves: ballot.moves.to_vec(), ..Opening::default() };
            assert_eq!(game.start(&moves).unwrap(), state);
        }
    }
}

#[test]
fn openings_that_cannot_be_played() {
    let mut table = registry::tables("draughts", None, &[]).unwrap()();
    for (opening, expected) in [
        (r#"{"fen":"B:W18:B33"}"#, "fen: among Black's pieces"),
        (r#"{"fen":"B:W16,19:B12"}"#, "the game is over (no_moves)"),
        (r#"{"fen":"B:W16,19:B"}"#, "the game is over (no_pieces)"),
        (r#"{"ballot":0}"#, "ballot: expected 1 to 174, got 0"),
        (r#"{"ballot":175}"#, "ballot: expected 1 to 174, got 175"),
        (r#"{"ballot":1,"fen":"B:W18:B1"}"#, "leave one of them out"),
        (r#"{"ballot":1,"moves":["11-15"]}"#, "moves: ballot 1 is [9-13, 21-17, 5-9]"),
        (r#"{"moves":["11-15","11-15"]}"#, "moves, number 2: 11-15: there is no piece on 11"),
        (r#"{"moves":["22x8"]}"#, "write every landing square"),
        (r#"{"position":"B:W18:B1"}"#, "unknown key \"position\""),
    ] {
        let error = table.open_with(opening).unwrap_err().to_string();
        assert!(error.contains(expected), "{opening}: {error}");
    }
    let white_first = game("janacek-2007", &[]);
    let error = white_first.start(&Opening { ballot: Some(1), ..Opening::default() });
    assert!(error.unwrap_err().to_string().contains("White moves first"));
    for opening in [r#"{}"#, r#"{"ballot":7}"#, r#"{"moves":["11-15","22-18","15x22"]}"#] {
        table.open_with(opening).unwrap_or_else(|error| panic!("{opening}: {error}"));
    }
}

#[test]
fn rules_that_cannot_be_played() {
    for (preset, changes, expected) in [
        ("english", &[("draw_repetitions", "1")][..], "rule draw_repetitions: expected 2 to 100"),
        ("english", &[("draw_repetitions", "101")], "rule draw_repetitions: expected 2 to 100"),
        ("english", &[("draw_quiet_plies", "10001")], "rule draw_quiet_plies: expected 1 to"),
        ("english", &[("max_plies", "0")], "rule max_plies: expected 1 to 10000; got 0"),
        ("english", &[("max_plies", "10001")], "rule max_plies: expected 1 to 10000"),
        ("english", &[("jump", "far")], "got \"far\""),
        ("english", &[("first_move", "white")], "did you mean first_mover?"),
        (
            "janacek-2007",
            &[("promotion_ends_move", "false")],
            "rules jump and promotion_ends_move contradict each other",
        ),
        (
            "english",
            &[("first_mover", "white")],
            "rules ballots and first_mover contradict each other",
        ),
        ("international", &[], "no rules preset \"international\""),
    ] {
        let changes: Vec<_> = changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        let error = match registry::tables("draughts", Some(preset), &changes) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("{preset} {changes:?} can be played"),
        };
        assert!(error.contains(expected), "{changes:?}: {error}");
    }
}

#[test]
fn views_that_no_state_has() {
    let game = game("english", &[]);
    let state = played(&game, "B:WK32:BK1", &["1-6", "32-27", "6-1"]);
    let view = game.view(&state, Seat::new(0));
    let mut stream = Stream::new(1, "test");
    assert_eq!(game.determinize(&view, Seat::new(1), stream.rng()), Ok(state));
    let broken = |change: &dyn Fn(&mut botyard_engine::draughts::View)| {
        let mut view = view.clone();
        change(&mut view);
        let error = game.determinize(&view, Seat::new(0), Stream::new(1, "test").rng());
        error.unwrap_err().to_string()
    };
    for (expected, error) in [
        ("fen: ", broken(&|view| view.fen = "W:".into())),
        ("board: ", broken(&|view| view.board = "b".repeat(32))),
        ("to_move: expected white", broken(&|view| view.to_move = Some(Colour::Black))),
        ("to_move: null", broken(&|view| view.to_move = None)),
        ("quiet_plies: ", broken(&|view| view.quiet_plies = 2)),
        ("quiet_plies: ", broken(&|view| view.ply = 2)),
        ("quiet_moves: ", broken(&|view| view.quiet_moves.reverse())),
        ("repetitions: expected 1", broken(&|view| view.repetitions = 2)),
    ] {
        assert!(error.starts_with(expected), "expected {expected}, got {error}");
    }
}

#[test]
fn keys_are_kept_up_to_date() {
    let mut stream = Stream::new(5, "keys");
    let mut seen = std::collections::HashMap::new();
    for movement in [ENGLISH, ONE_PIECE, CROWNED_CONTINUES, FREE] {
        for _ in 0..50 {
            let mut now = Position::START;
            for _ in 0..120 {
                let fen = now.to_string();
                assert_eq!(now, position(&fen), "{fen}: the key of the same position by FEN");
                let known = seen.entry(now.key()).or_insert_with(|| fen.clone());
                assert_eq!(*known, fen, "two positions with one key");
                let Some(&mv) = choose(stream.rng(), &now.moves(movement)) else { break };
                now = now.make(mv);
            }
        }
    }
    assert!(seen.len() > 5_000);
}

#[test]
fn a_game_in_words() {
    let mut table = registry::tables("draughts", None, &[]).unwrap()();
    table.open_with(r#"{"fen":"W:W6,K18:B14,28"}"#).unwrap();
    let text = table.text();
    for line in ["White to move", ". w . .     5-8", "W:W6,K18:B14,28"] {
        let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(squeezed(&text).contains(&squeezed(line)), "{line:?} is not in\n{text}");
    }
    assert_eq!(table.action_text("\"18x9\""), "White: 18x9");
    assert_eq!(table.action_text("\"6-1\""), "White: 6-1, crowned");
}
