//! PDN archives as people and programs write them: doubtful words, other variants, and games that
//! were changed at random.

use botyard_engine::Notation;
use botyard_engine::draughts::{
    Draughts, MoveText, Movement, PdnGame, PdnResult, Position, read_english_pdn, read_pdn,
};
use botyard_engine::random::{Stream, below};
use botyard_engine::registry;

/// Returns a game as one line: its tags, its moves and its result.
fn in_short(game: &PdnGame) -> String {
    let tags = game.tags.iter().map(|(name, value)| format!("[{name} {value}]"));
    let moves = game.moves.iter().map(|mv| mv.text.to_string());
    let words = tags.chain(moves).chain([game.result.to_string()]);
    words.collect::<Vec<_>>().join(" ")
}

/// Returns the games of a text in short, and the notes on them.
fn games_and_notes(text: &str) -> (Vec<String>, Vec<String>) {
    let games: Vec<PdnGame> = read_pdn(text)
        .into_iter()
        .map(|game| game.unwrap_or_else(|error| panic!("{text:?}: {error}")))
        .collect();
    let notes = games.iter().flat_map(|game| &game.notes).map(ToString::to_string).collect();
    (games.iter().map(in_short).collect(), notes)
}

#[test]
fn a_tag_section_ends_at_moves_or_a_result() {
    for (text, expected) in [
        (
            "[White \"A\"]\n[Black \"B\"]\n[Event \"E\"]\n\n1. 11-15 *\n",
            &["[White A] [Black B] [Event E] 11-15 *"][..],
        ),
        ("[FEN \"B:W18:B1\"]\n\n[Event \"E\"]\n1. 1-6 *", &["[FEN B:W18:B1] [Event E] 1-6 *"]),
        (
            "[Event \"Cup\"]\n[Black \"A\"]\n[Event \"8x8\"]\n\n1. 11-15 1-0",
            &["[Event Cup] [Black A] [Event 8x8] 11-15 1-0"],
        ),
        ("[Event \"a\"] 11-15 [Event \"b\"] 9-14 *", &["[Event a] 11-15 *", "[Event b] 9-14 *"]),
        ("[Round \"1\"]\n1-0\n[Round \"2\"]\n0-1\n", &["[Round 1] 1-0", "[Round 2] 0-1"]),
        // Tags again after an empty line are the next game, if the first one is whole.
        ("[FEN \"W:W18:B1\"]\n\n[FEN \"W:W22:B1\"]\n\n", &["[FEN W:W18:B1] *", "[FEN W:W22:B1] *"]),
        ("[Result \"0-1\"]\n\n[Result \"1-0\"]\n", &["[Result 0-1] 0-1", "[Result 1-0] 1-0"]),
    ] {
        let expected = expected.iter().map(ToString::to_string).collect();
        assert_eq!(games_and_notes(text), (expected, vec![]));
    }
    let error = read_pdn("[White \"x\"]\n[RESULT \"1-0\"]\n*")[0].clone().unwrap_err();
    let expected = "game 1, line 2, column 1: the tag Result says 1-0, the end of the moves says *";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn tags_as_people_write_them() {
    for (tag, name, value) in [
        ("[Event \"x\"]", "Event", "x"),
        ("[ Event  \"x\" ] {comment}", "Event", "x"),
        ("[Event\"x\"]", "Event", "x"),
        ("[Event \"\"]", "Event", ""),
        ("[Event \"5th \"City\" Cup\"]", "Event", "5th \"City\" Cup"),
        ("[Event \"a \\\"b\\\" c\"]", "Event", "a \"b\" c"),
        ("[Event \"a]b [c\"]", "Event", "a]b [c"),
        ("[File \"C:\\games\\\\new\"]", "File", "C:\\games\\new"),
        ("[File \"C:\\games\\\"]", "File", "C:\\games\\"),
        ("[Event \u{201c}x \"y\"\u{201d}]", "Event", "x \"y\""),
        ("[White-Elo? \"2000\"]", "White-Elo?", "2000"),
        ("[\u{c9}v\u{e9}nement \"x\"]", "\u{c9}v\u{e9}nement", "x"),
    ] {
        let text = format!("{tag}\n[Site \"y\"] 11-15 *");
        let expected = format!("[{name} {value}] [Site y] 11-15 *");
        assert_eq!(games_and_notes(&text), (vec![expected], vec![]), "{text}");
    }
    let long = "x".repeat(10_000);
    for line in [
        "[",
        "[]",
        "[Event",
        "[Event]",
        "[Event x]",
        "[Event \"x]",
        "[\"x\"]",
        "[Event \"x\"",
        "[Event \"x] [Round \"1\"]",
        &format!("[Event \"{long}\"]"),
    ] {
        let (games, notes) = games_and_notes(&format!("[Site \"y\"]\n{line}\n11-15 *"));
        assert_eq!(games, ["[Site y] 11-15 *"], "{line}");
        assert!(notes[0].contains("line 2, column 1: expected a "), "{line}: {notes:?}");
    }
}

#[test]
fn lines_end_in_three_ways() {
    for end in ["\n", "\r\n", "\r"] {
        let text =
            "[Event \"a\"]\n\n; 1-0\n1. 11-15\n  23-20 *\n\n[Event \"b\"]\n*\n".replace('\n', end);
        let records = Draughts::import(&text).expect("a format").expect("English draughts");
        let [Err(error), Ok(_)] = &records[..] else { panic!("{text:?}: {records:?}") };
        assert!(error.to_string().starts_with("game 1, ply 2: line 5, column 3: 23-20"), "{error}");
    }
}

#[test]
fn words_that_need_no_note() {
    for text in [
        "1. 11-15 {first} 1. ... 23-19 {second} 2. 8-11 *",
        "1. 11-15 1\u{2026} 23-19 2. 8-11 *",
        "1. 11-15 1... \u{2026} 23-19 2 8-11 *\u{1a}",
        "1. 11-15\u{1a}\n23-19 8-11 *\r\n\u{1a}",
        "\u{feff}11-15 23-19\u{feff} 8-11",
        "11\u{2010}15 23\u{2212}19 8\u{2014}11 *",
        "11 \u{2013} 15 23\u{ad}19 8\u{d7}11 *",
        "1. 11-15! 23-19?! $7 2. 8-11* *",
        "1.11-15\r23-19\r\r2.8-11\r*\r",
    ] {
        assert_eq!(
            games_and_notes(text),
            (vec!["11-15 23-19 8-11 *".to_string()], vec![]),
            "{text:?}"
        );
    }
    for (text, result) in [
        ("11-15 1\u{2013}0", PdnResult::FirstWon),
        ("11-15 0 - 1", PdnResult::SecondWon),
        ("11-15 1/2\u{2212}1/2", PdnResult::Drawn),
        ("11-15 \u{bd}-\u{bd}", PdnResult::Drawn),
        ("11-15 \u{bd}", PdnResult::Drawn),
        ("[Result \"\u{bd}-\u{bd}\"] 11-15 1/2", PdnResult::Drawn),
        ("[Result \" 2 - 0 \"] 11-15", PdnResult::FirstWon),
        ("[Result \"?\"] 11-15", PdnResult::Unknown),
    ] {
        let games = read_pdn(text);
        let [Ok(game)] = &games[..] else { panic!("{text:?}: {games:?}") };
        assert_eq!(
            (game.moves.len(), game.result, &game.notes[..]),
            (1, result, &[][..]),
            "{text:?}"
        );
    }
}

#[test]
fn what_cannot_be_read_is_left_out_with_its_place() {
    for (text, game, note) in [
        (
            "1. 11-15 hello there 23-19 *",
            "11-15 23-19 *",
            "game 1, ply 2, line 1, column 10: expected a move, a move number, a comment or a \
             result, got \"hello there\"",
        ),
        ("1. 11-15 {x} } 23-19 *", "11-15 23-19 *", "line 1, column 14: expected a move"),
        ("11-15\r\n23-19\r\n77 *", "11-15 23-19 *", "ply 3, line 3, column 1: expected a move"),
        (
            "[Event x]\n[Site \"y\"]\n11-15 *",
            "[Site y] 11-15 *",
            "game 1, line 1, column 1: expected a tag",
        ),
        (
            "[Site \"y\"]\n[Event \"x]\n11-15 *",
            "[Site y] 11-15 *",
            "game 1, line 2, column 1: expected a tag",
        ),
        (
            "[Result \"won\"]\n11-15",
            "[Result won] 11-15 *",
            "line 1, column 1: in the tag Result: expected 1-0",
        ),
        ("11-15 *\nBlack resigned in 1950.\n", "11-15 *", "line 2, column 1: expected a move"),
        ("11-15 1-0 1-0", "11-15 1-0", "got another result, 1-0"),
        ("Club games\n11-15 *", "11-15 *", "game 1, ply 1, line 1, column 1: expected a move"),
        ("11-15 {a\n{b} 23-19 *", "11-15 23-19 *", "begins with \"{a\" has another { in it"),
        (
            "[Event \"x\"]\n",
            "[Event x] *",
            "line 1, column 1: expected moves or a result, got none",
        ),
    ] {
        let (games, notes) = games_and_notes(text);
        assert_eq!((&games[..], notes.len()), (&[game.to_string()][..], 1), "{text:?}: {notes:?}");
        assert!(notes[0].contains(note), "{text:?}: {notes:?}");
    }
}

#[test]
fn a_comment_that_is_not_closed_ends_before_the_next_tags() {
    for open in ["{oh", "(22-18", "(22-18 {oh", "{oh ("] {
        let text = format!("1. 11-15 {open} 9-13\n\n[Event \"next\"]\n1. 11-15 {{x}} (22-17) *\n");
        let games = read_pdn(&text);
        let [Err(error), Ok(next)] = &games[..] else { panic!("{text:?}: {games:?}") };
        assert!(error.to_string().starts_with("game 1, ply 2, line 1, column "), "{error}");
        assert_eq!(in_short(next), "[Event next] 11-15 *");
    }
}

#[test]
fn a_file_of_another_variant_is_one_error() {
    const OTHER: &str = "; Botyard plays English draughts";
    for (text, expected) in [
        ("[GameType \"20\"]\n1. 33-29 19-23 2-0", Some("international draughts, 1 game")),
        (
            "[GameType \"20,W,10,10,N2,0\"]\n*\n[GameType \"20\"]\n*",
            Some("international draughts, 2 games"),
        ),
        ("[GameType \"25\"]\n1. c3-d4 d6-c5 1-0", Some("Russian draughts, 1 game")),
        ("[GameType \"99\"]\n*", Some("games of GameType \"99\", 1 game")),
        (
            "[Event \"x\"]\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 *\n\n[Event \"y\"]\n1. 34-30 20-25 *\n",
            Some("international draughts, 2 games"),
        ),
        ("1. 32-28 19-23 2. 37-32 *", Some("international draughts, 1 game")),
        ("[FEN \"W:W41:B5\"]\n1. 41-37 *", Some("international draughts, 1 game")),
        (
            "1. c3-d4 d6-c5 *",
            Some("draughts with squares named by letters, as in Russian draughts, 1 game"),
        ),
        (
            "1. c3:d4 b6xc5 *",
            Some("draughts with squares named by letters, as in Russian draughts, 1 game"),
        ),
        ("[FEN \"W:W28:B5\"]\n1. 28-22 5-38 *", Some("international draughts, 1 game")),
        // Nothing but a wrong move.
        ("[FEN \"W:W22:B11\"]\n1. 22-18 11-38 *", None),
        ("1. 11-15 22-38 *", None),
        ("1. 32-88 *", None),
        ("[GameType \"20\"]\n*\n[GameType \"21\"]\n1. 11-15 *", None),
        ("[GameType \"20\"]\n*\n1. 11-15 *", None),
        ("", None),
    ] {
        let found = read_english_pdn(text).err().map(|variant| variant.to_string());
        let expected = expected.map(|expected| format!("{expected}{OTHER}"));
        assert_eq!(found, expected, "{text:?}");
        let imported = Draughts::import(text).expect("a format").err();
        assert_eq!(imported, found, "{text:?}");
    }
}

#[test]
fn a_long_line_is_read_in_linear_time() {
    const GAME: &str = "\n\n[Event \"next\"]\n1. 11-15 *\n";
    for repeated in ["[a \"x ", "[a\\\"x ", "[a \u{201c}x ", "[a x ", "{{} ", "a1-- b "] {
        for before in ["", "club ", "[Site \"y\"] 11-15 "] {
            let text = format!("{before}{}{GAME}", repeated.repeat(200_000 / repeated.len()));
            let last = read_pdn(&text).pop().unwrap();
            assert!(in_short(&last.unwrap()).ends_with("[Event next] 11-15 *"), "{repeated:?}");
        }
    }
    let tags: String = (0..20_000).map(|number| format!("[a{number} \"x\"]\n\n")).collect();
    let (games, notes) = games_and_notes(&format!("{tags}11-15 *"));
    assert_eq!((games.len(), notes.len()), (1, 0));
}

#[test]
fn openings_need_what_was_left_out_only_if_it_may_change_them() {
    let table = registry::tables("draughts", None, &[]).unwrap()();
    for (text, expected) in [
        ("[Result \"unfinished\"]\n1. 11-15 *", Ok(r#"{"moves":["11-15"]}"#)),
        ("; x\n1. 11-15 {a {b} 23-19 *", Ok(r#"{"moves":["11-15","23-19"]}"#)),
        ("; x\n1. 11-15 {a 22-17 {b} 23-19 *", Err("game 1, ply 2, line 2, column 10")),
        ("; x\n1. 11-15 {a 23 - 19 {b} *", Err("game 1, ply 2, line 2, column 10")),
        ("; x\n1. 11-15 hello 23-19 *", Err("game 1, ply 2, line 2, column 10")),
        ("[Event x]\n1. 11-15 *", Err("game 1, line 1, column 1")),
        ("; x\n1. 11-15 * 1-0", Err("game 1, ply 2, line 2, column 12")),
        // The opening is the first three plies.
        (
            "; x\n1. 11-15 23-19 2. 8-11 {a 22-17 {b} hello 22-17 1-0 1-0",
            Ok(r#"{"moves":["11-15","23-19","8-11"]}"#),
        ),
        ("; x\n1. 11-15 23-19 2. hello 8-11 22-17 1-0", Err("game 1, ply 3, line 2, column 19")),
    ] {
        let openings = table.read_openings(text).expect("a notation");
        let openings = openings.map_err(|error| error.place);
        let expected = expected.map(|opening| vec![opening.to_string()]);
        assert_eq!(openings, expected.map_err(ToString::to_string), "{text:?}");
    }
}

#[test]
fn two_orders_of_one_capture_are_one_move() {
    let find = |text: &str, fen: &str| {
        let position: Position = fen.parse().unwrap();
        let text: MoveText = text.parse().unwrap();
        text.find(&position, Movement::ENGLISH).map_err(|why| why.to_string())
    };
    let circle = "W:WK26:B14,15,22,23";
    for text in ["26x26", "26x19x26", "26x17x26"] {
        let taken = find(text, circle).unwrap();
        assert_eq!(taken.jumps(), 4, "{text}: {taken}");
    }
    // One route takes 9 and 17, the other 10 and 18.
    let why = find("22x6", "W:W22:B9,10,17,18").unwrap_err();
    assert!(why.contains("may be 22x13x6 or 22x15x6"), "{why}");
}

/// Four games, each with tags, moves and a decisive result.
const ARCHIVE: &str = "\
[Event \"first game\"]
[White \"Player A\"]
[Black \"Player B\"]
[Result \"1-0\"]

1. 11-15 23-19 2. 8-11 22-17
3. 11-16 24-20 4. 16x23 27x11 1-0

[Black \"Player C\"]
[Event \"second game\"]
[Result \"1/2-1/2\"]

1. 10-15 23-19 2. 7-10 22-18 3. 15x22 25x18 1/2-1/2

[FEN \"W:W18,21:B15,K3\"]
[Event \"third game\"]
[Result \"0-1\"]

1. 18x11 3-8 2. 11x4 0-1

[Event \"fourth game\"]
[Round \"4\"]
[Result \"1-0\"]

1. 9-14 22-18 2. 5-9 25-22 3. 11-16 1-0
";

/// Changes one place of a text, and returns what was changed.
fn mutated(text: &str, stream: &mut Stream) -> (String, std::ops::Range<usize>) {
    let mut pick = |most: usize| below(stream.rng(), most as u32) as usize;
    let words: Vec<std::ops::Range<usize>> = text
        .split_whitespace()
        .map(|word| {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            start..start + word.len()
        })
        .collect();
    // Characters that begin a comment are left out: what follows one is no part of the game.
    let characters = [
        "\"", "[", "]", "{", "}", "(", ")", "*", "-", "x", "1", "3", "8", ".", "$", "\\", "!", " ",
        "\n", "\r", "\u{1a}", "\u{e9}", "\u{2013}", "\0",
    ];
    let (kind, at) = (pick(7), pick(text.len()));
    let character = characters[pick(characters.len())];
    let word = words[pick(words.len())].clone();
    let (range, with) = match kind {
        0 => (at..at, character.to_string()),
        1 => (at..at + 1, character.to_string()),
        2 => (at..at + 1, String::new()),
        3 => (word.clone(), format!("{0} {0}", &text[word])),
        4 => (word, String::new()),
        5 => {
            let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
            let end = ends[pick(ends.len())];
            (end..end + 1, ["", " ", "\r", "\r\n", "\n\n", "\n\r\n"][pick(6)].to_string())
        }
        _ => {
            let quotes: Vec<usize> = text.match_indices('"').map(|(at, _)| at).collect();
            let quote = quotes[pick(quotes.len())];
            (quote..quote + 1, ["", "\"\"", "'", "\u{201d}", "\\\""][pick(5)].to_string())
        }
    };
    (format!("{}{with}{}", &text[..range.start], &text[range.end..]), range)
}

/// Reads strict PDN without comments; `None` for anything else.
fn strictly(text: &str) -> Option<Vec<String>> {
    let mut games = Vec::new();
    let (mut tags, mut moves) = (Vec::new(), Vec::new());
    for line in text.lines() {
        if let Some(tag) = line.strip_prefix('[') {
            let (name, value) = tag.strip_suffix("\"]")?.split_once(" \"")?;
            let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric())
                && value.chars().all(|c| !c.is_control() && !"\"\\[]".contains(c));
            if !is_plain || name.is_empty() || !moves.is_empty() {
                return None;
            }
            tags.push(format!("[{name} {value}]"));
            continue;
        }
        for word in line.split_whitespace() {
            let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
            match PdnResult::from_word(word) {
                Some(result) => {
                    let result = result.to_string();
                    let said = format!("[Result {result}]");
                    if !tags.contains(&said) {
                        return None;
                    }
                    games.push(
                        tags.drain(..)
                            .chain(moves.drain(..))
                            .chain([result])
                            .collect::<Vec<_>>()
                            .join(" "),
                    );
                }
                None if word.strip_suffix('.').is_some_and(is_number) => {}
                None => moves.push(word.parse::<MoveText>().ok()?.to_string()),
            }
        }
    }
    (tags.is_empty() && moves.is_empty()).then_some(games)
}

#[test]
fn a_changed_archive_is_read_right_or_reported() {
    let original = strictly(ARCHIVE).expect("strict PDN");
    assert_eq!(original.len(), 4);
    assert_eq!(games_and_notes(ARCHIVE), (original.clone(), vec![]));
    let untagged = |game: &str| game.rsplit_once("] ").map_or(game, |(_, moves)| moves).to_string();
    let starts: Vec<usize> =
        [0].into_iter().chain(ARCHIVE.match_indices("\n\n[").map(|(at, _)| at + 2)).collect();
    let (mut strict, mut reported) = (0, 0);
    for seed in 0..200 {
        let (text, range) = mutated(ARCHIVE, &mut Stream::new(seed, "changed archive"));
        let context = || format!("seed {seed}: {range:?} in\n{text}");
        let changed = starts.iter().rposition(|&start| start <= range.start).unwrap();
        let read = read_pdn(&text);
        let games: Vec<String> = read.iter().flatten().map(in_short).collect();
        for (index, game) in original.iter().enumerate() {
            assert!(
                index == changed || games.contains(game),
                "game {index}: {games:#?}, {}",
                context()
            );
        }
        let imported = Draughts::import(&text).expect("a format").expect("English draughts");
        assert_eq!(imported.len(), read.len(), "{}", context());
        let reports: Vec<String> = imported
            .iter()
            .flat_map(|game| match game {
                Ok(record) => record.notes.clone(),
                Err(error) => vec![error.to_string()],
            })
            .collect();
        for report in &reports {
            let line = report.split("line ").nth(1).and_then(|rest| rest.split(',').next());
            let line: usize =
                line.and_then(|line| line.parse().ok()).unwrap_or_else(|| panic!("{report}"));
            assert!(
                (1..=text.split(['\n', '\r']).count()).contains(&line),
                "{report}, {}",
                context()
            );
        }
        reported += usize::from(!reports.is_empty());
        if let Some(expected) = strictly(&text) {
            strict += 1;
            assert_eq!(games, expected, "{}", context());
        } else if reports.is_empty() {
            // Another spelling of the same games; a tag may have the change in its value.
            let moves =
                |games: &[String]| games.iter().map(|game| untagged(game)).collect::<Vec<_>>();
            assert_eq!(moves(&games), moves(&original), "{}", context());
            let tags = |games: &[String]| {
                games.iter().map(|game| game.matches('[').count()).sum::<usize>()
            };
            assert!(tags(&games) >= tags(&original), "{}", context());
        }
    }
    assert!(strict > 10 && reported > 50, "{strict} strict, {reported} reported");
}
