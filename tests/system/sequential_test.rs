//! `botyard test`: ends as soon as it has a decision, and reports the decision by its exit code.

use crate::command::{Desk, GENEROUS, events, events_of, misbehaving};

const GAME: [&str; 6] = ["--game", "draughts", "--seed", "7", "--opening", "ballots"];

fn test(desk: &Desk, new: &str, old: &str, more: &[&str]) -> crate::command::Ran {
    desk.run(&[&["test", new, old][..], &GAME, &GENEROUS, more].concat())
}

#[test]
fn a_better_bot_is_found_to_be_better_and_the_other_way_round() {
    let desk = Desk::new();
    let greedy = "strong=greedy:seed=1";
    let random = "weak=random:seed=2";
    let better = test(&desk, greedy, random, &[]);
    assert_eq!(better.code, Some(0), "{better:#?}");
    assert!(better.stdout.contains("strong is better"), "{better:#?}");
    let as_good = test(&desk, greedy, random, &["--elo0", "-30", "--elo1", "0"]);
    for shown in ["is strong less than 30 Elo weaker than weak at", "strong is less than 30 Elo"] {
        assert!(as_good.stdout.contains(shown), "{as_good:#?}");
    }
    let worse = test(&desk, random, greedy, &["--json", "-j", "2"]);
    assert_eq!(worse.code, Some(1), "{worse:#?}");
    let events = events(&worse.stdout);
    let [end] = events_of(&events, "test_ended")[..] else { panic!("one end: {worse:#?}") };
    assert_eq!(end["decision"], "accept_h0");
    // Only the reported pairs count, whatever was played after them.
    let pairs = events_of(&events, "pair_ended").len() as u64;
    let counted: u64 = end["pairs"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(pairs, counted);
    assert!(pairs < 200, "{pairs} pairs");
}

#[test]
fn what_games_at_once_decide_is_what_games_in_turn_decide() {
    let desk = Desk::new();
    let decided = |jobs: &str| {
        let more = ["--json", "-j", jobs, "--elo1", "400"];
        let ran = test(&desk, "greedy:seed=1", "random:seed=2", &more);
        let events = events(&ran.stdout);
        let end = events_of(&events, "test_ended")[0].clone();
        (end["pairs"].clone(), end["llr"].clone(), ran.code)
    };
    assert_eq!(decided("1"), decided("3"));
}

#[test]
fn equal_bots_are_not_told_apart_in_a_few_games() {
    let desk = Desk::new();
    let ran = test(&desk, "a=random:seed=1", "b=random:seed=1", &["--max-games", "6"]);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    assert!(ran.stdout.contains("undecided after the last game"), "{ran:#?}");
}

#[test]
fn what_makes_no_test_is_refused() {
    let desk = Desk::new();
    for (more, expected) in [
        (&["--elo0", "30", "--elo1", "0"][..], "elo0 must be the smaller one"),
        (&["--alpha", "0"], "alpha is 0"),
    ] {
        let ran = test(&desk, "random", "random", more);
        assert_eq!(ran.code, Some(2), "{ran:#?}");
        assert!(ran.stderr.contains(expected), "{ran:#?}");
    }
}

#[test]
fn options_of_a_bot_are_set_by_its_name() {
    let desk = Desk::new();
    let bot = format!("deep={}", misbehaving("hello_with_options"));
    let play = |option: &str| {
        let args = ["test", &bot, "random", "--game", "scotland-yard", "--option", option];
        let more = ["--max-games", "2", "--seed", "1", "--out", "kept"];
        desk.run(&[&args[..], &more, &GENEROUS].concat())
    };
    let ran = play("sheep:depth=4");
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("(did you mean deep?)"), "{ran:#?}");
    let ran = play("deep:depth=4");
    assert_eq!(ran.code, Some(1), "two games decide nothing: {ran:#?}");
    let header = std::fs::read_to_string(&desk.replays("kept")[0]).unwrap();
    assert!(header.lines().next().unwrap().contains("\"options\":{\"depth\":4}"), "{header}");
}
