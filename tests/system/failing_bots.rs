//! Bots that fail: the other side wins, and the output says what happened.

use crate::command::{Desk, GENEROUS, events, events_of, misbehaving, script, unless_void};

#[test]
fn a_bot_that_fails_loses_and_the_fault_is_named() {
    for (mode, reason, shown) in [
        ("exit_seven 3", "forfeit_crash", "exited with code 7"),
        ("kill_itself 3", "forfeit_crash", "SIGKILL"),
        ("illegal 2", "forfeit_illegal_action", "{\"castle\": \"queenside\"}"),
        ("garbage 2", "forfeit_protocol", "it wrote: I would rather not say"),
        ("never 2", "forfeit_timeout", "forfeits at move"),
        ("close_stdout 2", "forfeit_closed", "forfeits at move"),
        ("exit_at_once", "forfeit_start_failed", "forfeits before the first move"),
        ("hello_of_protocol_2", "forfeit_start_failed", "speaks protocol 1"),
        ("hello_for_chess", "forfeit_start_failed", "chess, go"),
    ] {
        let desk = Desk::new();
        let bot = format!("culprit={}", misbehaving(mode));
        let game = ["match", "scotland-yard", "random", &bot, "--seed", "1"];
        let time = if mode.starts_with("never") { ["--move-time", "1000"] } else { GENEROUS };
        let args = [&game[..], &time].concat();
        let ran = unless_void(|| desk.run(&args));
        let starts = reason != "forfeit_start_failed";
        assert_eq!(ran.code, Some(if starts { 0 } else { 1 }), "{mode}: {ran:#?}");
        for expected in [reason, shown, "culprit loses", "random wins"] {
            assert!(ran.stdout.contains(expected), "{mode}: {expected:?} is missing: {ran:#?}");
        }
        desk.done(&["replay", "verify", "replays/scotland-yard-5a317b15-00001.ndjson"]);
    }
}

#[test]
fn a_match_goes_on_after_a_fault_with_the_bot_started_anew() {
    let desk = Desk::new();
    let bot = format!("culprit={}", misbehaving("exit_seven 4"));
    let args = ["match", "scotland-yard", &bot, "random", "-n", "6", "--seed", "1", "--json"];
    let out = desk.done(&[&args[..], &GENEROUS].concat());
    let events = events(&out);
    let [ended] = events_of(&events, "match_ended")[..] else { panic!("one end") };
    let culprit = &ended["bots"][0];
    let faults = culprit["faults"]["crash"].as_u64().unwrap();
    assert!(faults >= 4, "it lives for three moves: {ended}");
    assert!(culprit["losses"].as_u64().unwrap() >= faults);
    assert_eq!(ended["reasons"]["forfeit_crash"], faults);
}

#[test]
fn in_a_long_match_the_first_fault_of_a_kind_is_shown_with_the_evidence() {
    let desk = Desk::new();
    let bot = format!("culprit={}", misbehaving("garbage 2"));
    let args = ["match", "scotland-yard", &bot, "random", "-n", "4", "--seed", "1"];
    let shown = desk.done(&[&args[..], &GENEROUS].concat());
    assert!(shown.contains("protocol 4"), "{shown}");
    assert!(shown.contains("culprit: protocol 4 times, first in scotland-yard-"), "{shown}");
    assert_eq!(shown.matches("it wrote: I would rather not say").count(), 1, "{shown}");
}

#[test]
fn practice_forgives() {
    let desk = Desk::new();
    let bot = misbehaving("garbage 2");
    for rule in ["retry", "substitute"] {
        // The seed is that of a game in which Mr. X lives long enough to fail.
        let game = ["match", "scotland-yard", &bot, "random", "--seed", "1", "--json"];
        let args = [&game[..], &["--on-fault", rule]].concat();
        let events = events(&desk.done(&[&args[..], &GENEROUS].concat()));
        let [game] = events_of(&events, "game_ended")[..] else { panic!("one game") };
        assert_eq!(game["outcome"]["kind"], "completed", "{rule}: {game}");
        assert_eq!(game["faults"][0]["kind"], "protocol", "{rule}: {game}");
    }
}

#[test]
fn options_of_a_bot_are_set_by_its_name_and_checked_before_the_first_game() {
    let desk = Desk::new();
    let bot = format!("deep={}", misbehaving("hello_with_options"));
    let args = ["match", "scotland-yard", &bot, "random", "--seed", "1", "--option"];
    desk.done(&[&args[..], &["deep:depth=4"]].concat());
    let header = std::fs::read_to_string(&desk.replays("replays")[0]).unwrap();
    assert!(header.lines().next().unwrap().contains("\"options\":{\"depth\":4}"), "{header}");
    for (option, expected) in [
        ("deep:dept=4", "did you mean depth?"),
        ("deep:depth=40", "an integer from 1 to 9"),
        ("sheep:depth=4", "no bot of this match is called \"sheep\" (did you mean deep?)"),
    ] {
        let ran = desk.run(&[&args[..], &[option]].concat());
        assert_eq!(ran.code, Some(2), "{option}: {ran:#?}");
        assert!(ran.stderr.contains(expected), "{option}: {ran:#?}");
    }
}

#[test]
fn what_a_bot_writes_to_standard_error_is_kept_beside_the_replay() {
    let desk = Desk::new();
    let bot = format!("noisy={}", misbehaving("talkative 1"));
    desk.done(&["match", "scotland-yard", &bot, "random", "--seed", "1", "--out", "r"]);
    let kept = desk.path("r/scotland-yard-5a317b15-00001.bot1-noisy.stderr.txt");
    let text = std::fs::read_to_string(kept).unwrap();
    assert!(text.starts_with("noise\nnoise\n") && text.contains("[truncated: "));
    assert!(text.len() < 100_000, "the first and the last 32 KiB are kept");
}

#[test]
fn names_and_texts_of_bots_cannot_reach_the_terminal() {
    let desk = Desk::new();
    let bots = [
        misbehaving("hello_with_escapes"),
        script("python3", "tests/bots/misbehave.py", "talkative"),
    ];
    let shown = desk.done(&["match", "scotland-yard", &bots[0], &bots[1], "--seed", "1"]);
    assert!(!shown.contains('\u{1b}'), "{shown}");
    assert!(shown.contains("says: thinking of turn"), "{shown}");
}
