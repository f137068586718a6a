//! Matches between the built-in bots: output and counts, and that the same seed gives the same
//! games under every setting.

use crate::command::{Desk, GENEROUS, events, events_of};
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn one_game_is_shown_and_its_replay_saved() {
    let desk = Desk::new();
    let shown = desk.done(&["match", "scotland-yard", "greedy", "random", "--seed", "1"]);
    for expected in [
        "scotland-yard, rules ravensburger, seed 1\n",
        "  mr-x        greedy\n",
        "  detectives  random\n",
        "  round 1 of 22; Mr. X to move\n",
        "     1  mr-x        Mr. X: ",
        "  mr-x        greedy ",
        "botyard replay verify replays/scotland-yard-5a317b15-00001.ndjson\n",
        "add --seed 1\n",
    ] {
        assert!(shown.contains(expected), "{expected:?} is missing in\n{shown}");
    }
    assert!(!shown.contains('\u{1b}'), "escape codes in a pipe");
    assert_eq!(desk.replays("replays").len(), 1);
}

#[test]
fn a_seed_played_again_goes_into_another_file() {
    let desk = Desk::new();
    for _ in 0..2 {
        desk.done(&["match", "scotland-yard", "random", "random", "--seed", "5"]);
    }
    let [first, second] = &desk.replays("replays")[..] else { panic!("two replays") };
    assert_eq!(without_times(first), without_times(second));
}

#[test]
fn without_a_seed_one_is_drawn_and_told_so_that_the_game_can_be_repeated() {
    let desk = Desk::new();
    let shown = desk.done(&["match", "scotland-yard", "random", "random"]);
    let seed = shown.lines().next().unwrap().rsplit(' ').next().unwrap();
    desk.done(&["match", "scotland-yard", "random", "random", "--seed", seed, "--out", "again"]);
    let (first, again) = (&desk.replays("replays")[0], &desk.replays("again")[0]);
    assert_eq!(without_times(first), without_times(again));
}

#[test]
fn scores_are_summed_up_by_bot_and_by_seat() {
    let desk = Desk::new();
    let ran = desk.run(&[
        "match",
        "scotland-yard",
        "strong=greedy",
        "random",
        "--games",
        "20",
        "--seed",
        "3",
    ]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    for expected in [
        "20 games of scotland-yard, rules ravensburger, seed 3: strong against random\n",
        "seats rotated",
        "30000 ms per move (wall-clock time)",
        "95% interval",
        "as mr-x",
        "as detectives",
        "ended by: ",
        "moves per second",
    ] {
        assert!(ran.stdout.contains(expected), "{expected:?} is missing in\n{}", ran.stdout);
    }
    let row = |name: &str| -> Vec<String> {
        let line = ran.stdout.lines().find(|line| line.starts_with(name)).expect("a row");
        line.split_whitespace().map(str::to_owned).collect()
    };
    let (strong, random) = (row("strong"), row("random"));
    assert_eq!((strong[1].as_str(), random[1].as_str()), ("20", "20"), "games");
    assert_eq!(strong[2], random[4], "one's wins are the other's losses");
    assert!(strong[2].parse::<u32>().unwrap() >= 15, "greedy beats random: {strong:?}");
    assert_eq!(ran.stderr, "", "no bar where there is no terminal");
}

#[test]
fn events_for_a_program_tell_the_whole_match() {
    let desk = Desk::new();
    let args =
        ["match", "scotland-yard", "greedy", "random:seed=7", "-n", "5", "--seed", "9", "--json"];
    let events = events(&desk.done(&[&args[..], &["--out", "r", "--rule", "limit=9"]].concat()));
    let [started] = events_of(&events, "match_started")[..] else { panic!("one beginning") };
    assert_eq!((&started["seed"], &started["rules"]["limit"]), (&"9".into(), &9.into()));
    assert_eq!(started["bots"][1]["options"]["seed"], "7");
    assert_eq!(events_of(&events, "game_started").len(), 5);
    let games = events_of(&events, "game_ended");
    let numbers: Vec<_> = games.iter().map(|game| game["number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
    for game in &games {
        let odd = game["number"].as_u64().unwrap() % 2 == 1;
        let (first, second) =
            if odd { ("greedy", "random:seed=7") } else { ("random:seed=7", "greedy") };
        assert_eq!(
            (&game["seats"]["mr-x"], &game["seats"]["detectives"]),
            (&first.into(), &second.into())
        );
        assert_eq!(game["outcome"]["kind"], "completed");
        assert!(desk.path(game["replay"].as_str().unwrap()).is_file());
    }
    let [ended] = events_of(&events, "match_ended")[..] else { panic!("one end") };
    assert_eq!((&ended["games"], &ended["interrupted"]), (&5.into(), &false.into()));
    let plies: u64 = games.iter().map(|game| game["plies"].as_u64().unwrap()).sum();
    assert_eq!(ended["plies"], plies);
    for (index, seat) in [(0, "mr-x"), (1, "detectives")] {
        let bot = &ended["bots"][index];
        let by_seat: f64 = ["mr-x", "detectives"]
            .iter()
            .map(|seat| bot["by_seat"][seat]["wins"].as_f64().unwrap_or(0.0))
            .sum();
        assert_eq!(bot["wins"].as_f64().unwrap(), by_seat);
        assert_eq!(bot["by_seat"][seat]["games"], 3, "the first seat comes round three times");
    }
}

#[test]
fn replays_that_are_kept_for_pages_alone_are_not_named() {
    let desk = Desk::new();
    let args = ["match", "connect-four", "random", "random", "--games", "2", "--watch"];
    let printed = events(&desk.done(&[&args[..], &["--json"]].concat()));
    let ended = events_of(&printed, "game_ended");
    assert_eq!(ended.len(), 2, "{printed:#?}");
    assert!(ended.iter().all(|game| game["replay"].is_null()), "{printed:#?}");
    let summary = desk.done(&args);
    assert!(!summary.contains("replays:"), "{summary}");
}

#[test]
fn the_same_seed_gives_the_same_games_however_they_are_played() {
    let desk = Desk::new();
    let args = ["match", "scotland-yard", "greedy", "random", "--games", "8", "--seed", "21"];
    for (out, more) in [
        ("one", &["--concurrency", "1"][..]),
        ("again", &["--concurrency", "1"]),
        ("two", &["--concurrency", "2"]),
        ("three", &["--concurrency", "3", "--restart"]),
    ] {
        desk.done(&[&args, more, &GENEROUS, &["--out", out]].concat());
    }
    let games = |out| -> Vec<Vec<String>> {
        desk.replays(out).iter().map(|replay| without_times(replay)).collect()
    };
    let one = games("one");
    assert_eq!(one.len(), 8);
    for out in ["again", "two", "three"] {
        assert!(games(out) == one, "the games in {out} differ from those in one");
    }
    assert_eq!(one.iter().collect::<BTreeSet<_>>().len(), 8, "the games differ from each other");
}

#[test]
fn the_games_of_a_block_share_their_start_and_others_do_not() {
    let desk = Desk::new();
    desk.done(&[
        "match",
        "scotland-yard",
        "random",
        "greedy",
        "-n",
        "6",
        "--seed",
        "4",
        "--out",
        "r",
    ]);
    let openings: Vec<String> = desk
        .replays("r")
        .iter()
        .map(|replay| {
            let line = &without_times(replay)[1];
            line.split(",\"chain\"").next().unwrap().to_string()
        })
        .collect();
    for block in openings.chunks(2) {
        assert_eq!(block[0], block[1]);
    }
    assert_eq!(openings.iter().collect::<BTreeSet<_>>().len(), 3);
}

#[test]
fn given_openings_are_played_in_turn() {
    let desk = Desk::new();
    let replay = |seed: &str| {
        desk.done(&["match", "scotland-yard", "random", "random", "--seed", seed, "--out", seed]);
        desk.replays(seed).remove(0)
    };
    let opening = |replay: &Path| {
        let text = std::fs::read_to_string(replay).unwrap();
        let line: serde_json::Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
        line["outcome"].clone()
    };
    let (one, two) = (opening(&replay("1")), opening(&replay("2")));
    std::fs::write(desk.path("starts.ndjson"), format!("{one}\n{two}\n")).unwrap();
    desk.done(&[
        "match",
        "scotland-yard",
        "random",
        "random",
        "-n",
        "6",
        "--opening",
        "starts.ndjson",
        "--out",
        "given",
    ]);
    let played: Vec<_> = desk.replays("given").iter().map(|replay| opening(replay)).collect();
    assert_eq!(played, [&one, &one, &two, &two, &one, &one].map(Clone::clone));
}

#[test]
fn a_bot_for_every_pawn() {
    let desk = Desk::new();
    let rules = ["--rule", "seats=pawns", "--rule", "detectives=2"];
    let args = ["match", "scotland-yard", "greedy", "random", "greedy", "-n", "6", "--json"];
    let events = events(&desk.done(&[&args[..], &rules].concat()));
    let [ended] = events_of(&events, "match_ended")[..] else { panic!("one end") };
    let seats: BTreeSet<_> =
        events_of(&events, "game_ended").iter().map(|game| game["seats"].to_string()).collect();
    assert_eq!(seats.len(), 3, "three rotations");
    assert!(ended["bots"].as_array().unwrap().iter().all(|bot| bot["games"] == 6));
    let names: Vec<_> = ended["bots"].as_array().unwrap().iter().map(|bot| &bot["name"]).collect();
    assert_eq!(names, ["greedy", "random", "greedy#2"]);
}

#[test]
fn every_preset_is_played_to_its_end_with_and_without_the_lists_of_legal_actions() {
    let desk = Desk::new();
    let listed: serde_json::Value =
        serde_json::from_str(&desk.done(&["games", "scotland-yard", "--json"])).unwrap();
    let presets = listed["presets"].as_array().unwrap();
    assert!(presets.len() >= 11);
    for preset in presets {
        let name = preset["name"].as_str().unwrap();
        for more in [&[][..], &["--no-legal"]] {
            let args = ["match", "scotland-yard", "greedy", "random", "-n", "2", "--json"];
            let events =
                events(&desk.done(
                    &[&args[..], &["--rules", name, "--seed", "1"], &GENEROUS, more].concat(),
                ));
            for game in events_of(&events, "game_ended") {
                assert_eq!(game["outcome"]["kind"], "completed", "{name}: {game}");
            }
        }
    }
}

/// Returns the lines of a replay up to the chain, which covers everything before it; the parts
/// after it are times.
fn without_times(replay: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(replay).unwrap();
    text.lines()
        .map(|line| {
            let chain = line.rfind(",\"chain\":\"").expect("every line has a chain");
            line[..chain + ",\"chain\":\"0123456789abcdef\"".len()].to_string()
        })
        .collect()
}
