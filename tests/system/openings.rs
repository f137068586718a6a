//! `match --opening`: named sets, FEN, PDN and JSON, each start with both assignments of the
//! seats.

use crate::command::{Desk, GENEROUS, events, events_of};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Returns the openings of a match's replays, in the order of the games.
fn played(desk: &Desk, directory: &str) -> Vec<Value> {
    let openings = desk.replays(directory).into_iter().map(|replay| {
        let text = std::fs::read_to_string(replay).expect("a replay");
        let opening: Value = serde_json::from_str(text.lines().nth(1).expect("a second line"))
            .expect("the line with the opening");
        opening["outcome"].clone()
    });
    openings.collect()
}

#[test]
fn one_command_plays_all_ballots_with_both_colours() {
    let desk = Desk::new();
    let args = ["match", "draughts", "random", "random", "--opening", "ballots", "--games", "all"];
    let more = ["--out", "games", "--json", "--rule", "max_plies=2"];
    let events = events(&desk.done(&[&args[..], &GENEROUS, &more].concat()));
    let [ended] = events_of(&events, "match_ended")[..] else { panic!("one end") };
    assert_eq!(ended["games"], 314);
    let mut starters: BTreeMap<u64, Vec<&Value>> = BTreeMap::new();
    let mut games = events_of(&events, "game_started");
    games.sort_by_key(|game| game["number"].as_u64());
    assert_eq!(games.len(), 314);
    for (game, opening) in games.into_iter().zip(played(&desk, "games")) {
        let ballot = opening["ballot"].as_u64().expect("a ballot");
        starters.entry(ballot).or_default().push(&game["seats"]);
    }
    assert_eq!(starters.len(), 157, "the ballots in use");
    assert!(
        starters.values().all(|seats| seats.len() == 2 && seats[0] != seats[1]),
        "both colours"
    );
}

#[test]
fn openings_come_in_every_notation() {
    let start = json!({});
    for (name, text, expected) in [
        (
            "list.txt",
            "# a comment\n7\n\nB:W18,K10:BK5,1-4\n11-15 23-19\n",
            vec![
                json!({ "ballot": 7 }),
                json!({ "fen": "B:WK10,18:B1,2,3,4,K5" }),
                json!({ "moves": ["11-15", "23-19"] }),
            ],
        ),
        ("one.fen", "W:W22:B11,18\n", vec![json!({ "fen": "W:W22:B11,18" })]),
        ("one.json", "{\"ballot\":7}\n{}", vec![json!({ "ballot": 7 }), start.clone()]),
        (
            "bom.jsonl",
            "\u{feff}{\"ballot\":12}\r\n{}\r\n",
            vec![json!({ "ballot": 12 }), start.clone()],
        ),
        ("json", "{\"moves\":[\"11-15\"]}", vec![json!({ "moves": ["11-15"] })]),
        (
            "games.pdn",
            "[Event \"finished\"]\n1. 11-15 23-19 2. 8-11 22-17 1-0\n\n\
             [Event \"an opening\"]\n1. 9-14 22-18 2. 5-9 25-22 *\n\n\
             [SetUp \"1\"]\n[FEN \"W:W18,21:B15\"]\n[Event \"a position\"]\n1. 18x11 0-1\n",
            vec![
                json!({ "moves": ["11-15", "23-19", "8-11"] }),
                json!({ "moves": ["9-14", "22-18", "5-9", "25-22"] }),
                json!({ "fen": "W:W18,21:B15" }),
            ],
        ),
    ] {
        let desk = Desk::new();
        std::fs::write(desk.path(name), text).unwrap();
        let args = ["match", "draughts", "random", "random", "--opening", name, "-n", "all"];
        let more = ["--out", "games", "--rule", "max_plies=1"];
        desk.done(&[&args[..], &GENEROUS, &more].concat());
        let twice: Vec<Value> =
            expected.iter().flat_map(|opening| [opening.clone(), opening.clone()]).collect();
        let found: Vec<Value> = played(&desk, "games")
            .into_iter()
            .zip(&twice)
            .map(|(mut found, expected)| {
                // A ballot comes with its moves, however it was named.
                if expected.get("ballot").is_some()
                    && let Some(found) = found.as_object_mut()
                {
                    found.remove("moves");
                }
                found
            })
            .collect();
        assert_eq!(found, twice, "{name}");
    }
}

#[test]
fn what_cannot_be_played_is_told_with_its_place() {
    for (name, text, expected) in [
        ("a.txt", "7\n\n900\n", "a.txt, line 3: ballot: expected 1 to 174, got 900"),
        ("a.txt", "B:W18:B33\n", "a.txt, line 1: fen: among Black's pieces"),
        ("a.txt", "B:W16,19:B12\n", "a.txt, line 1: there is nothing to play"),
        ("a.txt", "11-15 11-15\n", "a.txt, line 1: move 2: 11-15 is not legal"),
        ("a.txt", "# nothing\n", "a.txt has no opening"),
        ("a.pdn", "[FEN \"W:W18:B15\"]\n*\n\n[FEN \"W:18\"]\n*\n", "a.pdn, game 2: fen: "),
        ("a.pdn", "1. 11-15 hello *\n", "a.pdn, game 1, ply 2, line 1, column 10: expected a move"),
        (
            "a.pdn",
            "[GameType \"20\"]\n*\n[GameType \"20\"]\n*\n",
            "a.pdn, games 1 to 2: international draughts, 2 games; Botyard plays English draughts",
        ),
        ("a.json", "{}\n{\"ballot\":0}\n", "a.json, line 2, opening 2: ballot: expected 1 to 174"),
        ("b.txt", "", "b.txt cannot be read"),
    ] {
        let desk = Desk::new();
        if name != "b.txt" {
            std::fs::write(desk.path(name), text).unwrap();
        }
        let ran = desk.run(&["match", "draughts", "random", "random", "--opening", name]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{name}: {ran:#?}");
        assert!(ran.stderr.contains(expected), "{text:?}: expected {expected:?} in {ran:#?}");
    }
    let desk = Desk::new();
    let bots = ["match", "draughts", "random", "random"];
    for (args, expected) in [
        (&["--opening", "balots"][..], "draughts has the named sets ballots, ballots-all"),
        (&["--opening", "ballots", "--rules", "janacek-2007"], "White moves first"),
        (&["--games", "all"], "--games all needs --opening, because it plays every opening"),
        (&["--games", "0"], "expected a number from 1 to 10000000, or `all`"),
    ] {
        let ran = desk.run(&[&bots[..], args].concat());
        assert_eq!(ran.code, Some(2), "{args:?}: {ran:#?}");
        assert!(ran.stderr.contains(expected), "{args:?}: {ran:#?}");
    }
}
