//! FEN, PDN and the import of archives: reading, writing, and the errors for invalid text. Random
//! noise never panics.

use botyard_engine::Notation;
use botyard_engine::draughts::{
    Draughts, Move, MoveText, Movement, PdnGame, PdnResult, Position, RecordedMove, Square,
    read_pdn,
};
use botyard_engine::random::{Stream, choose};
use botyard_engine::record::RecordedEvent;
use botyard_engine::registry;
use botyard_engine::table::GameEvent;
use proptest::prelude::*;

#[test]
fn fens_and_what_they_mean() {
    for (fen, canonical) in [
        ("B:W18,K10:BK5,1-4", "B:WK10,18:B1,2,3,4,K5"),
        ("W:B1-4,K5:WK10,18.", "W:WK10,18:B1,2,3,4,K5"),
        ("  b : w 18 , k10 : bk5 , 1 - 4 . ", "B:WK10,18:B1,2,3,4,K5"),
        ("B:W21-32:B1-12", "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"),
        ("W:W:BK1", "W:W:BK1"),
        ("W:WK13-15:B01", "W:WK13,K14,K15:B1"),
    ] {
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(position.to_string(), canonical);
        assert_eq!(canonical.parse(), Ok(position));
    }
    assert_eq!("B:W21-32:B1-12".parse(), Ok(Position::START));
}

#[test]
fn fens_that_are_none() {
    for (fen, expected) in [
        ("", "begins with the side to move, B or W, as in B:W18,K10:B1-4; got \"\""),
        ("X:W1:B2", "got \"X\""),
        ("Black:W18:B1", "got \"Black\""),
        ("B", "no section for Black's pieces; end it with :B"),
        ("B:W18", "no section for Black's pieces"),
        ("B:B1", "no section for White's pieces"),
        ("B:W18:B1:W19", "White has two sections"),
        ("B:W18:1", "begins with B or W and lists squares, as in W18,K10; got \"1\""),
        ("B:W18:B0", "among Black's pieces: expected a square from 1 to 32"),
        ("B:W33:B1", "among White's pieces: expected a square from 1 to 32"),
        ("B:W18:B1,,2", "got \"\""),
        ("B:W18,:B1", "got \"\""),
        ("B:W18:BKK1", "got \"KK1\""),
        ("B:W18:B1-", "got \"1-\""),
        ("B:W18:B99999999999999999999", "got \"99999999999999999999\""),
        ("B:W18:B4-1", "the range 4-1 runs backwards; write 1-4"),
        ("B:W18:B1,1", "square 1 is listed twice"),
        ("B:W18:B1,18", "square 18 is listed twice"),
        ("B:W18:B1-3,K2", "square 2 is listed twice"),
        ("B:W3:B1", "White has a man on 3, where it is crowned; write a king there: K3"),
        ("B:W18:B30", "Black has a man on 30"),
        ("B:W18:B1-13", "Black has 13 pieces; a side has at most 12"),
        ("B:W:B", "no piece on the board"),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "begins with the side to move",
        ),
    ] {
        let error = fen.parse::<Position>().unwrap_err().to_string();
        assert!(error.contains(expected), "{fen:?}: {error}");
    }
}

#[test]
fn moves_that_are_none() {
    for (text, expected) in [
        ("", "expected a move such as 11-15 or 22x15x8"),
        ("11", "expected a move such as"),
        ("11-15-18", "expected a move such as"),
        ("11 - 15", "expected a move such as"),
        ("?", "expected a move such as"),
        ("0-5", "expected squares from 1 to 32, got \"0\""),
        ("09-13", "expected squares from 1 to 32, got \"09\""),
        ("11-33", "expected squares from 1 to 32, got \"33\""),
        ("11-14", "11 and 14 do not touch"),
        ("22-15", "do not touch; a capture is written 22x15"),
        ("11x15", "no jump goes from 11 to 15"),
        ("22x8", "write every landing square"),
        ("1x10x1x10x1x10x1x10x1x10x1", "a capture has at most 9 jumps, got 10"),
    ] {
        let error = text.parse::<Move>().unwrap_err().to_string();
        assert!(error.contains(expected), "{text:?}: {error}");
    }
}

#[test]
fn moves_as_people_write_them() {
    let find = |text: &str, fen: &str| {
        let position: Position = fen.parse().unwrap();
        let text: MoveText = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        text.find(&position, Movement::ENGLISH)
            .map(|mv| mv.to_string())
            .map_err(|why| why.to_string())
    };
    for (text, fen, expected) in [
        ("09-13", "B:W32:B9", "9-13"),
        ("9x13", "B:W32:B9", "9-13"),
        ("22-15", "W:W22:B18", "22x15"),
        ("22:15", "W:W22:B18", "22x15"),
        ("22 x 15 x 8", "W:W22:B11,18", "22x15x8"),
        ("22X8", "W:W22:B11,18", "22x15x8"),
        ("26x19x10x26", "W:WK26:B14,15,22,23", "26x19x10x17x26"),
    ] {
        assert_eq!(find(text, fen).unwrap(), expected, "{text}");
    }
    let why = find("22-17", "W:W22:B18").unwrap_err();
    assert!(why.contains("the captures are 22x15"), "{why}");
}

const GAMES: &str = r#"%escaped line
[Event "the \"short\" one"]
[Result "1-0"]
; a comment to the end of the line 1. 1-1
1. 11-15 {a comment
over two lines: 99-99} 23-19 2. 8-11 (2. 9-14? (2. 9-13 {)} 1-0) 22-17) 22-17!? $7
3... 11 - 16 24x20* 4.

[Event "the second"]
[GameType "21,B,8,8,A0,0"]
[FEN "W:W18:B15"]
1. 18x11 0-1 1. 9-14 2. 22-18 1/2-1/2
[Event "no moves"]

[Event "unfinished"]
12-16 24-20 *
"#;

#[test]
fn pdn_is_read_tolerantly() {
    let games: Vec<PdnGame> = read_pdn(GAMES)
        .into_iter()
        .map(|game| game.unwrap_or_else(|error| panic!("{error}")))
        .collect();
    let moves = |game: &PdnGame| {
        let texts = game.moves.iter().map(|mv| mv.text.to_string());
        texts.collect::<Vec<_>>().join(" ")
    };
    let all: Vec<_> = games.iter().map(|game| (moves(game), game.result)).collect();
    let expected = [
        ("11-15 23-19 8-11 22-17 11-16 24-20", PdnResult::FirstWon),
        ("18x11", PdnResult::SecondWon),
        ("9-14 22-18", PdnResult::Drawn),
        ("", PdnResult::Unknown),
        ("12-16 24-20", PdnResult::Unknown),
    ];
    assert_eq!(all, expected.map(|(moves, result)| (moves.to_string(), result)));
    assert_eq!(games[0].tag("Event"), Some("the \"short\" one"));
    assert_eq!(
        games[0].moves.last().and_then(|mv| mv.place).map(|place| place.to_string()),
        Some("line 7, column 14".to_string())
    );
    assert_eq!(games[1].tag("FEN"), Some("W:W18:B15"));
    assert_eq!(games[1].tag("Round"), None);
}

#[test]
fn a_capture_is_no_result() {
    for (text, moves, result) in [
        ("1. 1x1 1-0", 1, PdnResult::FirstWon),
        ("1. 1:1 1\u{2013}0", 1, PdnResult::FirstWon),
        ("1. 11-15 1-1", 1, PdnResult::Drawn),
    ] {
        let games = read_pdn(text);
        let game = games[0].as_ref().unwrap();
        assert_eq!((game.moves.len(), game.result), (moves, result), "{text}");
    }
}

#[test]
fn a_bad_game_is_reported_and_the_rest_goes_on() {
    let good = "[Event \"good\"]\n1. 11-15 *\n\n";
    for (bad, expected) in [
        ("[Event \"bad\"]\n1. 11-15 hello\n", "game 2, ply 2, line 5, column 10: expected a move"),
        (
            "[Event \"bad\"]\n1. 11-33 22-18 *\n",
            "game 2, ply 1, line 5, column 4: in the move \"11-33\"",
        ),
        ("[Event \"bad\"]\n1. 11-15 22\n", "game 2, ply 2, line 5, column 10: expected a move"),
        (
            "[Event \"bad\"]\n1. 11-15 22- *\n",
            "game 2, ply 2, line 5, column 10: expected a move such as",
        ),
        (
            "[Event bad]\n1. 11-15 *\n",
            "game 2, line 4, column 1: expected a tag such as [Event \"name\"]",
        ),
        ("[Event \"bad]\n[White \"x\"]\n1. 11-15 *\n", "game 2, line 4, column 1: expected a tag"),
        (
            "[Event \"bad\"]\n1. 11-15 (22-18\n",
            "game 2, ply 2, line 5, column 10: the variation that begins",
        ),
        ("[Event \"bad\"]\n1. 11-15 }\n", "game 2, ply 2, line 5, column 10: expected a move"),
        ("[Result \"0-1\"]\n1. 11-15 1-0\n", "the tag Result says 0-1, the end of the moves"),
        (
            "[Event \"bad\"]\n1-2-3-4-5-6-7-8-9-10-11\n",
            "game 2, ply 1, line 5, column 1: in the move \"1-2-3-4-5-6-7-8-9-10-11\": expected at most 10",
        ),
    ] {
        let text = format!("{good}{bad}\n{good}");
        let games = read_pdn(&text);
        assert_eq!(games.len(), 3, "{bad:?}: {games:?}");
        assert!(games[0].is_ok() && games[2].is_ok(), "{bad:?}: {games:?}");
        // A word that is no move does not lose the game.
        let error = match &games[1] {
            Ok(game) => game.notes[0].to_string(),
            Err(error) => error.to_string(),
        };
        assert!(error.contains(expected), "{bad:?}: {error}");
    }
    // A comment that is never closed does not swallow the next game.
    let games = read_pdn(&format!("{good}[Event \"bad\"]\n1. 11-15 {{oh\n\n{good}"));
    assert_eq!(games.len(), 3);
    let error = games[1].as_ref().unwrap_err().to_string();
    assert!(error.contains("the comment that begins with \"{oh\" has no }"), "{error}");
}

#[test]
fn pdn_is_written_strictly() {
    let moves: Vec<RecordedMove> = ["11-15", "22-18", "15x22", "25x18"]
        .repeat(8)
        .iter()
        .map(|text| RecordedMove { text: text.parse().unwrap(), place: None })
        .collect();
    let tags = vec![("Event".to_string(), "a \\ \"b\"\nc".to_string())];
    let game = PdnGame {
        tags,
        tag_places: Vec::new(),
        moves,
        result: PdnResult::SecondWon,
        notes: Vec::new(),
    };
    let text = game.to_string();
    assert!(
        text.starts_with("[Event \"a \\\\ \\\"b\\\" c\"]\n[Result \"0-1\"]\n\n1. 11-15 22-18 2. ")
    );
    assert!(text.ends_with(" 0-1\n\n"), "{text}");
    assert!(text.lines().all(|line| line.len() < 80));
}

fn complaints(text: &str) -> Vec<String> {
    let records =
        Draughts::import(text).expect("draughts has an import format").expect("English draughts");
    records.into_iter().filter_map(|record| Some(record.err()?.to_string())).collect()
}

#[test]
fn imported_games_are_played_through_the_rules() {
    for (text, expected) in [
        ("1. 11-15 22-18 2. 15x22 25x18 *", None),
        (
            "1. 11-15 22-18 2. 8-11 *",
            Some("game 1, ply 3: line 1, column 19: 8-11 is not legal in B:"),
        ),
        ("1. 11-15\n23-20 *", Some("game 1, ply 2: line 2, column 1: 23-20 is not legal in W:")),
        ("[FEN \"W:W18:B15\"]\n1. 18x11 0-1", None),
        (
            "[FEN \"W:W18:B15\"]\n1. 18x11 1-0",
            Some(
                "game 1, ply 1: line 2, column 4: Black cannot move after the last move: expected the \
                 result 0-1, got 1-0",
            ),
        ),
        ("[FEN \"W:W18:B15\"]\n1. 18x11 *", None),
        (
            "[FEN \"W:W18\"]\n1. 18x11 *",
            Some("game 1: line 1, column 1: FEN: the FEN has no section for Black's"),
        ),
        (
            "[GameType \"20\"]\n1. 31-26 *\n1. 11-15 *",
            Some(
                "game 1: line 1, column 1: GameType: expected 21, English draughts; got \"20\", international draughts",
            ),
        ),
        ("1. 11-15 22-88 *", Some("game 1, ply 2: line 1, column 10: in the move \"22-88\"")),
        (
            "[FEN \"W:W22:B11\"]\n1. 22-18 11-38 *",
            Some("game 1, ply 2: line 2, column 10: in the move \"11-38\""),
        ),
    ] {
        let complaints = complaints(text);
        match expected {
            None => assert!(complaints.is_empty(), "{text}: {complaints:?}"),
            Some(expected) => {
                assert_eq!(complaints.len(), 1, "{text}: {complaints:?}");
                assert!(complaints[0].contains(expected), "{text}: {complaints:?}");
            }
        }
    }
}

/// Returns a random game of at most this number of plies.
fn random_game(seed: u64, most: usize) -> Vec<Move> {
    let mut stream = Stream::new(seed, "random game");
    let mut position = Position::START;
    let mut played = Vec::new();
    while played.len() < most {
        let moves = position.moves(Movement::ENGLISH);
        let Some(&mv) = choose(stream.rng(), &moves) else { break };
        played.push(mv);
        position = position.make(mv);
    }
    played
}

fn pdn(tags: Vec<(String, String)>, moves: &[Move], result: PdnResult) -> PdnGame {
    let recorded = |&mv: &Move| RecordedMove { text: mv.into(), place: None };
    PdnGame {
        tags,
        tag_places: Vec::new(),
        moves: moves.iter().map(recorded).collect(),
        result,
        notes: Vec::new(),
    }
}

#[test]
fn imported_records_can_be_played_at_a_table() {
    let games: Vec<Vec<Move>> = (0..30).map(|seed| random_game(seed, 100)).collect();
    let text: String =
        games.iter().map(|moves| pdn(Vec::new(), moves, PdnResult::Unknown).to_string()).collect();
    let records = Draughts::import(&text).unwrap().unwrap();
    assert_eq!(records.len(), games.len());
    for (record, moves) in records.into_iter().zip(&games) {
        let record = record.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(record.checks, moves.len() as u64);
        let mut table = registry::tables_with_rules("draughts", &record.rules).unwrap()();
        table.open_with(&record.opening.to_string()).unwrap();
        let mut game_event = GameEvent::default();
        for (event, mv) in record.events.iter().zip(moves) {
            let RecordedEvent::Action(action) = event else { panic!("{event:?}") };
            assert_eq!(*action, serde_json::json!(mv.to_string()));
            table.play(&action.to_string(), &mut game_event).unwrap();
        }
    }
}

fn any_square() -> impl Strategy<Value = Square> {
    (0..Square::COUNT).prop_map(Square::from_index)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn fen_comes_back(
        pieces in prop::collection::btree_map(any_square(), (any::<bool>(), any::<bool>()), 1..24),
        turn in any::<bool>(),
    ) {
        let list = |white: bool| {
            let ours = pieces.iter().filter(|(_, (colour, _))| *colour == white);
            let texts = ours.map(|(square, (_, king))| {
                let last = if white { 0 } else { 7 };
                let crown = if *king || square.row() == last { "K" } else { "" };
                format!("{crown}{square}")
            });
            texts.take(12).collect::<Vec<_>>().join(",")
        };
        let fen = format!("{}:W{}:B{}", if turn { "W" } else { "B" }, list(true), list(false));
        let position: Position = fen.parse().unwrap();
        prop_assert_eq!(position.to_string(), fen);
    }

    #[test]
    fn nonsense_is_no_fen(text in "[BWKbwk0-9:,. -]{0,40}|\\PC{0,40}") {
        match text.parse::<Position>() {
            Ok(position) => prop_assert_eq!(position.to_string().parse(), Ok(position)),
            Err(error) => prop_assert!(error.to_string().len() > 20),
        }
    }

    #[test]
    fn nonsense_is_no_move(text in "[0-9x:-]{0,30}|\\PC{0,30}") {
        if let Ok(mv) = text.parse::<Move>() {
            prop_assert_eq!(mv.to_string(), text.clone());
        }
        if let Ok(mv) = text.parse::<MoveText>() {
            prop_assert_eq!(mv.to_string().parse(), Ok(mv));
        }
    }

    #[test]
    fn pdn_comes_back(
        tags in prop::collection::vec(("[A-Z][A-Za-z0-9_]{0,8}", "[^\\p{C}]{0,12}"), 0..5),
        seeds in prop::collection::vec((any::<u64>(), 0usize..90, 0usize..4), 1..4),
    ) {
        let results =
            [PdnResult::FirstWon, PdnResult::SecondWon, PdnResult::Drawn, PdnResult::Unknown];
        let games: Vec<PdnGame> = seeds
            .into_iter()
            .map(|(seed, plies, result)| {
                let mut tags = tags.clone();
                tags.retain(|(name, _)| name != "Result");
                tags.push(("Result".to_string(), results[result].to_string()));
                pdn(tags, &random_game(seed, plies), results[result])
            })
            .collect();
        let text: String = games.iter().map(PdnGame::to_string).collect();
        let read: Result<Vec<PdnGame>, _> = read_pdn(&text).into_iter().collect();
        prop_assert_eq!(read, Ok(games));
    }

    #[test]
    fn nonsense_is_no_archive(text in "([\\[\\]{}();%$!?*.x0-9 \"\n-]|\\PC){0,200}") {
        for error in read_pdn(&text).into_iter().filter_map(Result::err) {
            prop_assert!(error.to_string().starts_with("game "), "{}", error);
        }
        let _ = Draughts::import(&text);
    }

    #[test]
    fn a_damaged_archive_is_still_read(at in 0..GAMES.len(), with in "[\\[\\]{}()\"x0-9\n-]{0,3}") {
        let text = format!("{}{with}{}", &GAMES[..at], &GAMES[(at + 1).min(GAMES.len())..]);
        prop_assert!(read_pdn(&text).len() <= 12);
        let _ = Draughts::import(&text);
    }
}
