//! Dice Wars with real processes: a match of two to eight bots, blocks in which every bot has every
//! seat, a failing bot whose seat passes in the rest of the game, replays, a person at the
//! terminal.

use crate::command::{Desk, GENEROUS, events, events_of, finish, misbehaving, repository, script};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// Small maps and few turns, so that a test is short.
const SHORT: [&str; 4] = ["--rule", "areas=16", "--rule", "max_turns=60"];

/// Returns the arguments of a match of this number of bots `random`, with more arguments.
fn randoms<'a>(bots: usize, more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec!["match", "dice-wars"];
    args.extend(std::iter::repeat_n("random", bots));
    args.extend(GENEROUS);
    args.extend(more);
    args
}

/// Returns the lines of a replay.
fn lines(replay: &Path) -> Vec<Value> {
    let text = fs::read_to_string(replay).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the opening of the game in a replay.
fn opening(replay: &Path) -> Value {
    lines(replay)[1]["outcome"].clone()
}

#[test]
fn two_to_eight_bots_make_a_match_and_each_has_every_seat() {
    for bots in [2, 3, 4, 8] {
        let desk = Desk::new();
        let games = bots.to_string();
        let more = [&SHORT[..], &["--games", &games, "--seed", "1", "--json", "--out", "r"]];
        let events = events(&desk.done(&randoms(bots, &more.concat())));
        let [started] = events_of(&events, "match_started")[..] else { panic!("one beginning") };
        assert_eq!(started["rules"]["players"], bots, "the rules have as many players");
        let seats: Vec<String> = (1..=bots).map(|number| format!("player-{number}")).collect();
        assert_eq!(started["seats"], json!(seats));
        let ended = events_of(&events, "game_ended");
        for seat in &seats {
            let holders: BTreeSet<_> =
                ended.iter().map(|game| game["seats"][seat].as_str().unwrap()).collect();
            assert_eq!(holders.len(), bots, "{seat} was had by {holders:?}");
        }
        for game in &ended {
            assert_eq!(game["outcome"]["kind"], "completed", "{game}");
            let ranks = game["outcome"]["ranks"].as_array().unwrap();
            assert!(ranks.len() == bots && ranks.contains(&json!(1)), "{game}");
        }
        let openings: BTreeSet<String> =
            desk.replays("r").iter().map(|replay| opening(replay).to_string()).collect();
        assert_eq!(openings.len(), 1, "the games of a block have the same map and deal");
    }
}

#[test]
fn a_match_is_summed_up_by_bot_by_seat_and_by_place() {
    let desk = Desk::new();
    let more = ["--games", "8", "--seed", "3", "--out", "r"];
    let shown = desk.done(&randoms(4, &[&SHORT[..], &more].concat()));
    for expected in [
        "8 games of dice-wars, rules fair-4, areas=16, max_turns=60, seed 3: random against \
         random#2 against random#3 against random#4\n",
        "seats rotated;",
        "as player-4",
        "place 4  mean place",
    ] {
        assert!(shown.contains(expected), "{expected:?} is missing in\n{shown}");
    }
    let rows = |header: &str| -> Vec<Vec<String>> {
        let from = shown.lines().skip_while(|line| !line.contains(header)).skip(1);
        let row = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        from.take(4).map(row).collect()
    };
    for (number, row) in (1..).zip(rows("95% interval")) {
        let name = if number == 1 { "random".into() } else { format!("random#{number}") };
        assert_eq!((&row[0], row[1].as_str()), (&name, "8"), "{shown}");
    }
    for row in rows("as player-1") {
        assert_eq!(row.iter().filter(|word| *word == "of").count(), 4, "each seat: {shown}");
        assert_eq!(row.iter().filter(|word| *word == "2").count(), 4, "twice: {shown}");
    }
    let places = rows("mean place");
    let sum =
        |place: usize| -> u32 { places.iter().map(|row| row[place].parse::<u32>().unwrap()).sum() };
    assert_eq!((1..=4).map(sum).sum::<u32>(), 32, "{shown}");
    // Two blocks, and every game of a block begins alike.
    let openings: Vec<Value> = desk.replays("r").iter().map(|replay| opening(replay)).collect();
    assert!(openings[..4].iter().all(|opening| *opening == openings[0]));
    assert!(openings[4..].iter().all(|opening| *opening == openings[4]));
    assert_ne!(openings[0], openings[4]);
}

#[test]
fn the_same_seed_gives_the_same_games_however_they_are_played() {
    let desk = Desk::new();
    let games = |out: &str, more: &[&str]| -> Vec<Vec<Value>> {
        let args = [&SHORT[..], &["--games", "6", "--seed", "5", "--out", out], more].concat();
        desk.done(&randoms(3, &args));
        let replays = desk.replays(out);
        assert_eq!(replays.len(), 6);
        replays
            .iter()
            .map(|replay| {
                let mut lines = lines(replay);
                lines.iter_mut().for_each(|line| *line = line["chain"].take());
                lines
            })
            .collect()
    };
    let one = games("one", &["--concurrency", "1"]);
    assert!(one == games("three", &["--concurrency", "3", "--restart"]));
}

#[test]
fn every_preset_is_played_by_the_bots_that_there_are() {
    let desk = Desk::new();
    let listed: Value =
        serde_json::from_str(&desk.done(&["games", "dice-wars", "--json"])).unwrap();
    let presets = listed["presets"].as_array().unwrap();
    assert_eq!(presets.len(), 5);
    for preset in presets {
        let name = preset["name"].as_str().unwrap();
        for bots in [2, 4, 7] {
            let more = ["--rules", name, "--seed", "1", "--rule", "max_turns=40", "--json"];
            let events = events(&desk.done(&randoms(bots, &more)));
            let [game] = events_of(&events, "game_ended")[..] else { panic!("one game") };
            assert_eq!(game["outcome"]["kind"], "completed", "{name}: {game}");
            assert_eq!(game["seats"].as_object().unwrap().len(), bots);
        }
    }
}

/// A bot that fails in a game of four takes the last open place, and its seat passes in the rest of
/// the game: the others play to the end.
#[test]
fn who_fails_takes_the_last_place_and_its_seat_goes_on_passing() {
    for (mode, kind) in [
        ("exit_seven 3", "crash"),
        ("illegal 2", "illegal_action"),
        ("garbage 2", "protocol"),
        ("exit_at_once", "start_failed"),
    ] {
        let desk = Desk::new();
        let culprit = format!("culprit={}", misbehaving(mode));
        let args = ["match", "dice-wars", "random", &culprit, "random", "random", "--seed", "1"];
        let ran = desk.run(&[&args[..], &SHORT, &GENEROUS, &["--json", "--out", "r"]].concat());
        let starts = kind != "start_failed";
        assert_eq!(ran.code, Some(if starts { 0 } else { 1 }), "{mode}: {ran:#?}");
        let events = events(&ran.stdout);
        let [game] = events_of(&events, "game_ended")[..] else { panic!("one game") };
        assert_eq!(game["faults"].as_array().unwrap().len(), 1, "{mode}: {game}");
        assert_eq!(game["faults"][0]["kind"], kind, "{mode}: {game}");
        assert_eq!(game["outcome"]["ranks"][1], 4, "{mode}: {game}");
        let [ended] = events_of(&events, "match_ended")[..] else { panic!("one end") };
        let bot = &ended["bots"][1];
        assert_eq!((&bot["losses"], &bot["places"]), (&json!(1), &json!([0, 0, 0, 1])), "{ended}");

        let replay = desk.replays("r").remove(0);
        let lines = lines(&replay);
        let replay = replay.to_str().unwrap();
        desk.done(&["replay", "verify", replay]);
        let fault = lines.iter().position(|line| line["type"] == "fault").expect("a fault");
        let played_for = lines[fault..].iter().filter(|line| line["by"] == "referee");
        let actions: Vec<_> = played_for.map(|line| (&line["seat"], &line["action"])).collect();
        assert!(actions.len() > 1, "{mode}: its turns come round");
        let pass = (&json!("player-2"), &json!("end_turn"));
        assert!(actions.iter().all(|action| *action == pass), "{mode}: {actions:?}");
        let others = lines[fault..].iter().filter(|line| line["type"] == "move");
        assert!(others.filter(|line| line["seat"] != "player-2").count() > 10, "{mode}");
        let shown = desk.done(&["replay", "show", replay]);
        assert!(shown.contains("place 4"), "{mode}: {shown}");
    }
}

#[test]
fn a_game_is_shown_with_its_map_its_rolls_and_everybodys_place() {
    let desk = Desk::new();
    let shown = desk.done(&randoms(3, &[&SHORT[..], &["--seed", "2"]].concat()));
    for expected in [
        "dice-wars, rules fair-4, areas=16, max_turns=60, players=3, seed 2\n",
        "  player-3  random#3\n",
        "after 0 turns and 0 attacks; player 1 to move\n",
        "|___",
        "player 2: attack ",
        " against ",
        " new dice on ",
        "takes place 3",
    ] {
        assert!(shown.contains(expected), "{expected:?} is missing in\n{shown}");
    }
    assert!(shown.lines().all(|line| line.len() <= 120), "too wide for a terminal:\n{shown}");
}

#[test]
fn replays_are_shown_verified_and_exported() {
    let desk = Desk::new();
    desk.done(&randoms(4, &[&SHORT[..], &["--seed", "6", "--out", "r"]].concat()));
    let replay = desk.replays("r").remove(0);
    let replay = replay.to_str().unwrap();
    desk.done(&["replay", "verify", replay]);
    let shown = desk.done(&["replay", "show", replay]);
    assert!(shown.contains("player 4: end of the turn") && shown.contains("|___"), "{shown}");
    let copy = desk.done(&["replay", "export", replay, "--seat", "player-3"]);
    fs::write(desk.path("copy.ndjson"), &copy).unwrap();
    desk.done(&["replay", "verify", "copy.ndjson"]);
    // Nothing is hidden except the seed of future draws.
    let full = fs::read_to_string(replay).unwrap();
    assert!(full.contains("\"seed\":") && !copy.contains("\"seed\":"));
    let moves = |text: &str| text.matches("\"type\":\"move\"").count();
    assert_eq!(moves(&copy), moves(&full));

    let changed = full.replacen("\"attack\":[", "\"transfer\":[", 1);
    fs::write(desk.path("changed.ndjson"), changed).unwrap();
    assert_ne!(desk.run(&["replay", "verify", "changed.ndjson"]).code, Some(0));
}

/// The recording bot records every line it receives, up to a `quit`.
/// The environment's tests read the arrays with NumPy.
#[test]
fn boards_are_exported_as_arrays_and_other_games_are_refused() {
    let desk = Desk::new();
    let bots = ["dw-stei", "dw-sdc", "dw-ste", "dw-stei-at"];
    let more = ["--rules", "sui-2021", "--seed", "1", "-n", "2", "--out", "four"];
    desk.done(&[&["match", "dice-wars"], &bots[..], &more, &GENEROUS].concat());
    let replays = desk.replays("four");
    let names: Vec<&str> = replays.iter().map(|path| path.to_str().unwrap()).collect();
    let export = |files: &[&str], to: &str| {
        desk.run(&[&["replay", "export"], files, &["--arrays", to]].concat())
    };
    let exported = export(&names, "boards");
    assert_eq!(exported.code, Some(0), "{exported:#?}");
    let array = |name: &str| {
        let bytes = fs::read(desk.path("boards").join(name)).unwrap();
        let (header, numbers) = bytes.split_at(128);
        (String::from_utf8_lossy(&header[10..]).trim_end().to_string(), numbers.to_vec())
    };
    let ((shape, states), (_, games)) = (array("states.npy"), array("games.npy"));
    let moves = |replay| lines(replay).iter().filter(|line| line["type"] == "move").count();
    let rows: Vec<usize> = replays.iter().map(|replay| moves(replay) + 1).collect();
    let all: usize = rows.iter().sum();
    assert_eq!(exported.stdout, format!("boards: {all} states of 2 games\n"));
    let expected = "{'descr': '|u1', 'fortran_order': False, 'shape': ";
    assert_eq!(shape, format!("{expected}({all}, 664), }}"));
    assert_eq!((states.len(), games.len()), (664 * all, 4 * all));
    let mut rest = &states[..];
    for (replay, rows) in replays.iter().zip(rows) {
        let (own, others) = rest.split_at(664 * rows);
        rest = others;
        let opening = opening(replay);
        assert_eq!(json!(own[595..629]), opening["owners"]);
        assert_eq!(json!(own[629..663]), opening["dice"]);
        let pairs = opening["map"]["areas"].as_array().unwrap().iter();
        let pairs: usize = pairs.map(|area| area["adjacent"].as_array().unwrap().len()).sum();
        assert_eq!(own[..595].iter().map(|&one| usize::from(one)).sum::<usize>(), pairs / 2);
        let scores = lines(replay).last().unwrap()["outcome"]["scores"].clone();
        let won = scores.as_array().unwrap().iter().position(|score| score == 1.0).unwrap() + 1;
        let winners = own.chunks(664).map(|row| usize::from(row[663]));
        assert!(winners.eq(std::iter::repeat_n(won, rows)));
    }

    desk.done(&randoms(4, &[&SHORT[..], &["--seed", "1", "--out", "small"]].concat()));
    desk.done(&["match", "connect-four", "random", "random", "--seed", "1", "--out", "other"]);
    let (small, other) = (desk.replays("small"), desk.replays("other"));
    let (small, other) = (small[0].to_str().unwrap(), other[0].to_str().unwrap());
    let cut = fs::read_to_string(names[0]).unwrap();
    fs::write(desk.path("cut.ndjson"), &cut[..cut.trim_end().rfind('\n').unwrap() + 1]).unwrap();
    for (file, to, code, expected) in [
        (names[0], "boards", 2, "boards already exists"),
        (small, "small.arrays", 2, "got 4 players on 16 areas"),
        (other, "other.arrays", 2, "this is a game of connect-four"),
        ("cut.ndjson", "cut.arrays", 1, "no game has a winner"),
    ] {
        let ran = export(&[file], to);
        assert_eq!(ran.code, Some(code), "{ran:#?}");
        assert!(ran.stderr.contains(expected), "{ran:#?}");
        assert_eq!(desk.path(to).exists(), to == "boards", "{to}");
    }

    let bots = ["max-n:eval=network", "max-n:eval=cut.ndjson"];
    for (bot, expected) in [(bots[0], "got 2 players on 34 areas"), (bots[1], "begins with")] {
        let ran = desk.run(&[&["match", "dice-wars", bot, "random"], &GENEROUS[..]].concat());
        assert!((ran.stdout + &ran.stderr).contains(expected), "{bot}");
    }
}

#[test]
fn the_lines_of_a_bot_are_those_that_it_was_sent() {
    let desk = Desk::new();
    let record = desk.path("received");
    let recorder =
        script("python3", "tests/bots/recorder.py", &format!("'{}'", record.to_str().unwrap()));
    let failing = misbehaving("garbage 2");
    let args = ["match", "dice-wars", "random", &recorder, &failing, "--seed", "8", "--out", "r"];
    // The recorder writes a file, which a contained bot cannot.
    desk.done(&[&args[..], &["--sandbox", "none"], &SHORT, &GENEROUS].concat());
    let received = fs::read_to_string(record).unwrap();
    let replay = desk.replays("r").remove(0);
    let output = desk.done(&["replay", "stdin", replay.to_str().unwrap(), "--seat", "player-2"]);
    assert!(output.lines().count() > 5);
    assert!(received == format!("{output}{{\"type\":\"quit\"}}\n"), "{received}\nbut\n{output}");
}

#[test]
fn a_number_of_bots_that_makes_no_game_is_answered_with_what_to_write() {
    let desk = Desk::new();
    for (bots, more, expected) in [
        (1, &[][..], "rule players: "),
        (9, &[], "players=9 follows from the number of bots"),
        (
            3,
            &["--rule", "players=4"],
            "has 4 seats (player-1, player-2, player-3, player-4): expected \
          a bot for each, got 3\nFor example: botyard match dice-wars random random random random\n\
          or remove --rule players=4: it follows from the number of bots",
        ),
        (4, &["--rule", "areas=3"], "players=4 follows from the number of bots"),
        (2, &["--rule", "player=2"], "did you mean players?"),
        (2, &["--rules", "sui2021"], "did you mean sui-2021?"),
    ] {
        let args = randoms(bots, more);
        let ran = desk.run(&args);
        assert_eq!(ran.code, Some(2), "{args:?}: {ran:#?}");
        assert!(ran.stderr.contains(expected), "{args:?}: expected {expected:?}: {}", ran.stderr);
    }
}

#[test]
fn the_rules_are_listed() {
    let desk = Desk::new();
    let shown = desk.done(&["games", "dice-wars"]);
    for expected in [
        "\n  fair-4    ",
        "\n  sui-2021  ",
        "\n  players=4\n",
        "A match sets this rule to the number of its bots.",
        "7 in classic",
        "docs/games/dice-wars.md",
    ] {
        assert!(shown.contains(expected), "{expected:?} is missing in\n{shown}");
    }
}

fn played(desk: &Desk, args: &[&str], typed: &str) -> String {
    let args = [&["play", "dice-wars", "--seed", "1"], &GENEROUS[..], &SHORT, args].concat();
    let mut child = desk.command(&args).stdin(Stdio::piped()).spawn().expect("botyard starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A program that has ended does not read the rest.
    let _ = stdin.write_all(typed.as_bytes());
    drop(stdin);
    let ran = finish(child);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{}", ran.stdout);
    ran.stdout
}

#[test]
fn a_person_plays_on_the_map_with_two_numbers() {
    let desk = Desk::new();
    let shown = played(
        &desk,
        &["--as", "player-1", "--against", "a=random", "--against", "b=random"],
        "?\n1 1\nnonsense\nhelp\nend\nquit\n",
    );
    for expected in [
        "  player-3  b\n",
        "your areas are marked A",
        "  attacks    ",
        "%)",
        "  end        end your turn",
        "1 1 is illegal",
        "expected the numbers of two areas, such as 3 5, or end; got \"nonsense\"",
        "attack area 5 from area 3",
        "player-1: end of the turn",
        "new dice",
        "the game is left unfinished",
    ] {
        assert!(shown.contains(expected), "{expected:?} is missing in\n{shown}");
    }
}

#[test]
fn a_person_who_resigns_takes_the_last_place() {
    let desk = Desk::new();
    let shown = played(&desk, &["--as", "player-2", "--against", "random"], "resign\n");
    assert!(shown.contains("  player-2: you take place 4\n"), "{shown}");
}

/// Areas in a row, 1 to 4.
const ROW: &str = r#"{"areas": [{"id": 1, "adj": [2]}, {"id": 2, "adj": [1, 3]},
    {"id": 3, "adj": [2, 4]}, {"id": 4, "adj": [3]}], "made": "by hand"}"#;

#[test]
fn maps_and_openings_come_from_files() {
    let desk = Desk::new();
    fs::write(desk.path("row.json"), ROW).unwrap();
    let two = ["match", "dice-wars", "random", "random", "--rule", "players=2", "--json"];
    let map = ["--rule", "map=row.json", "--out", "on_map"];
    desk.done(&[&two[..], &GENEROUS, &map].concat());
    let opening = json!({
        "map": serde_json::from_str::<Value>(ROW).unwrap(), "owners": [1, 2, 2, 1],
        "dice": [1, 8, 1, 1], "first": 2,
    });
    fs::write(desk.path("start.json"), opening.to_string()).unwrap();
    desk.done(&[&two[..], &GENEROUS, &["--opening", "start.json", "--out", "given"]].concat());
    for (directory, first) in [("on_map", "player-1"), ("given", "player-2")] {
        let [replay] = &desk.replays(directory)[..] else { panic!("one replay") };
        desk.done(&["replay", "verify", replay.to_str().unwrap()]);
        let text = fs::read_to_string(replay).unwrap();
        let line =
            |number| serde_json::from_str::<Value>(text.lines().nth(number).unwrap()).unwrap();
        assert_eq!(line(1)["outcome"]["map"]["areas"][3]["adjacent"], json!([3]));
        assert_eq!(line(2)["seat"], first);
    }
    fs::write(desk.path("bad.json"), r#"{"areas": [{"id": 1, "adj": [2]}, {"id": 2, "adj": []}]}"#)
        .unwrap();
    for (rule, expected) in [
        ("map=nowhere.json", "there is no file nowhere.json"),
        ("map=bad.json", "rule map: area 1 has the neighbour 2, and area 2 has no neighbour 1"),
    ] {
        let ran = desk.run(&[&two[..], &["--rule", rule]].concat());
        assert_eq!(ran.code, Some(2), "{ran:#?}");
        assert!(ran.stderr.contains(expected), "{ran:#?}");
    }
}

#[test]
fn games_of_the_framework_agree_with_the_rules() {
    let desk = Desk::new();
    let file = repository("crates/engine/tests/data/dice-wars/sui2021_games.jsonl");
    let said = desk.done(&["import", "dice-wars", file.to_str().unwrap(), "--out", "imported"]);
    assert!(said.contains("18 of 18 games agree with the rules, 29202 facts compared"), "{said}");
    let replays = desk.replays("imported");
    assert_eq!(replays.len(), 18);
    let last = replays[17].to_str().unwrap();
    desk.done(&["replay", "verify", last]);
    let shown = desk.done(&["replay", "show", last]);
    assert!(shown.contains("conquest"), "{shown}");
}
