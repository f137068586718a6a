//! A replay as text.

use crate::recorded_game::{Recording, any_table, pig, scotland_yard};
use botyard_protocol::FaultKind;
use botyard_replay::{ReplayReader, export, show};

fn shown(replay: &[u8], seat: Option<&str>, until: Option<u32>) -> String {
    let mut out = Vec::new();
    let reader = ReplayReader::new(replay).expect("a replay");
    show(reader, &any_table, seat, until, &mut out).expect("a sound replay");
    String::from_utf8(out).expect("text is UTF-8")
}

#[test]
fn a_game_is_told_decision_by_decision() {
    let fault = Some((1, 10, FaultKind::Timeout));
    let text = shown(&Recording { fault, ..pig(2) }.bytes(), None, None);
    for expected in [
        "pig, game pig-2, seed 2\n",
        "  north: bot north (random 1.0)\n",
        "  time: 1000 ms per move, bank of 60000 ms, increment of 5 ms\n",
        "    1  north ",
        "  (0.100 ms)  score 1\n",
        "    !  east fails (timeout) and forfeits: expected an answer, got none of use\n",
        "east holds with 0 at stake  (played by the referee)\n",
        r"says: thinking\u{1b}[31m",
        "over: ",
        "place 3",
    ] {
        assert!(text.contains(expected), "no {expected:?} in:\n{text}");
    }
    assert!(!text.contains('\u{1b}'), "a bot moves the cursor");
}

#[test]
fn it_can_stop_before_the_end() {
    let replay = pig(2).bytes();
    let text = shown(&replay, None, Some(3));
    assert!(text.contains("\n    3  "), "{text}");
    assert!(!text.contains("\n    4  ") && !text.contains("over: "), "{text}");
    assert!(text.trim_end().lines().last().is_some_and(|line| line.contains("banked")), "{text}");
}

#[test]
fn a_seat_is_shown_what_it_was_told() {
    let replay = scotland_yard("bristol", 22).bytes();
    let all = shown(&replay, None, None);
    let seen = shown(&replay, Some("detectives"), None);
    let hidden = seen.matches("\"to\":null").count();
    assert!(hidden > 3, "{seen}");
    assert!(!all.contains("\"to\":null"), "{all}");
    let count = |text: &str| text.lines().filter(|line| line.contains(" ms)")).count();
    assert_eq!(count(&all), count(&seen));
    // A copy contains no more than that.
    let mut copy = Vec::new();
    let reader = ReplayReader::new(&replay[..]).expect("a replay");
    export(reader, "detectives", &mut copy).expect("a sound replay");
    let copy = shown(&copy, None, None);
    assert!(copy.contains("a copy: only what detectives saw"), "{copy}");
    assert_eq!(copy.matches("\"to\":null").count(), hidden, "{copy}");
}
