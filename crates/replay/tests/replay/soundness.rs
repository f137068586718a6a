//! A sound replay is accepted; a changed one is refused, with the line of the change.

use crate::random_courses::Plan;
use crate::recorded_game::{Recording, check, lines, pig, rechained, scotland_yard};
use botyard_protocol::{FaultKind, OnFault, OutcomeKind};
use botyard_replay::{ReadError, VerifyError};
use std::ops::Range;

fn many() -> Vec<(&'static str, Recording)> {
    let fault = |seat, when| Some((seat, when, FaultKind::Timeout));
    vec![
        ("dice", pig(1)),
        ("dice, a seat drops out", Recording { fault: fault(1, 10), ..pig(2) }),
        (
            "dice, a bot with two seats drops out",
            Recording { fault: fault(1, 10), two_players: true, ..pig(3) },
        ),
        (
            "dice, a substitute",
            Recording { fault: fault(2, 4), on_fault: OnFault::Substitute, ..pig(4) },
        ),
        (
            "dice, asked again",
            Recording {
                fault: Some((0, 7, FaultKind::Protocol)),
                on_fault: OnFault::Retry,
                ..pig(5)
            },
        ),
        (
            "dice, given opening",
            Recording { opening: Some("{\"banked\":[2,0,1]}".into()), ..pig(6) },
        ),
        ("dice, drawn from a key", Recording { keyed: true, ..pig(11) }),
        ("London", scotland_yard("ravensburger", 7)),
        (
            "London, drawn from a key",
            Recording { keyed: true, ..scotland_yard("ravensburger", 12) },
        ),
        (
            "London, Mr. X's bot fails",
            Recording { fault: fault(0, 9), ..scotland_yard("bristol", 8) },
        ),
        (
            "London, a bot each",
            Recording { changes: &[("seats", "pawns")], ..scotland_yard("nijssen", 9) },
        ),
        ("grid", scotland_yard("grid-7x7-3", 10)),
    ]
}

#[test]
fn what_was_played_by_the_rules_is_sound() {
    for (name, recording) in many() {
        let text = recording.text();
        let report = check(text.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(report.lines, text.lines().count() as u64, "{name}");
        let count = |kind: &str| text.lines().filter(|l| l.contains(kind)).count() as u32;
        assert_eq!(report.turns, count("{\"type\":\"move\""), "{name}");
        assert_eq!(report.drawn + 1, count("{\"type\":\"chance\""), "{name}");
        assert_eq!(report.hashes, count("{\"type\":\"state\""), "{name}");
        assert!(report.hashes > report.turns / 16, "{name}");
        assert_eq!(report.faults, u32::from(recording.fault.is_some()), "{name}");
        assert_eq!(report.copy_for(), None, "{name}");
    }
}

#[test]
fn the_same_game_gives_the_same_bytes() {
    for (name, recording) in many() {
        assert_eq!(recording.text(), recording.text(), "{name}");
    }
}

/// Returns the position of the JSON of an action or a chance outcome in a line.
fn played(line: &str) -> Option<Range<usize>> {
    let field = match () {
        _ if line.starts_with("{\"type\":\"move\"") => "\"action\":",
        _ if line.starts_with("{\"type\":\"chance\"") => "\"outcome\":",
        _ => return None,
    };
    let start = line.find(field)? + field.len();
    let json = &line[start..];
    let mut values = serde_json::Deserializer::from_str(json).into_iter::<serde_json::Value>();
    values.next()?.ok()?;
    Some(start..start + values.byte_offset())
}

/// Returns the position of every byte of every action and chance outcome, with its line.
fn every_change(text: &str) -> impl Iterator<Item = (usize, Range<usize>, usize)> + use<> {
    let mut changes = Vec::new();
    let mut offset = 0;
    for (index, line) in text.lines().enumerate() {
        if let Some(range) = played(line) {
            let whole = offset..offset + line.len();
            changes.extend(range.map(|byte| (index + 1, whole.clone(), offset + byte)));
        }
        offset += line.len() + 1;
    }
    changes.into_iter()
}

#[test]
fn a_changed_byte_is_refused_where_it_stands() {
    for (name, recording) in [
        ("dice", Recording { preset: "short", ..pig(11) }),
        ("grid", scotland_yard("grid-5x5-2", 12)),
        ("London", scotland_yard("bristol", 13)),
    ] {
        let bytes = recording.bytes();
        let mut tried = 0;
        for (number, _, at) in every_change(&recording.text()) {
            for bit in [0x01, 0x10, 0x80] {
                let mut changed = bytes.clone();
                changed[at] ^= bit;
                let error = check(&changed).expect_err("a changed replay");
                let place = format!("line {number} ");
                assert!(error.to_string().starts_with(&place), "{name}: byte {at}: {error}");
                tried += 1;
            }
        }
        assert!(tried > 250, "{name}: only {tried} changes tried");
    }
}

/// Even with a recomputed chain, the rules, the seed or the hashes of states reveal the change.
#[test]
fn a_changed_byte_is_refused_behind_a_new_chain() {
    for (name, recording) in [
        ("dice", Recording { preset: "short", ..pig(11) }),
        ("grid", scotland_yard("grid-5x5-2", 12)),
        ("London", scotland_yard("bristol", 13)),
    ] {
        let text = recording.text();
        let original = lines(&text);
        for (number, whole, at) in every_change(&text) {
            let mut line = text.as_bytes()[whole.clone()].to_vec();
            line[at - whole.start] ^= 0x01;
            let Ok(line) = String::from_utf8(line) else { continue };
            if line.contains('\n') {
                continue;
            }
            let mut changed = original.clone();
            changed[number - 1] = line;
            let error = check(&rechained(&changed)).expect_err("a changed replay").to_string();
            let found_at: usize = error
                .strip_prefix("line ")
                .and_then(|rest| rest.split([',', ' ', ':']).next())
                .and_then(|number| number.parse().ok())
                .unwrap_or_else(|| panic!("{name}: no line in {error}"));
            // Another legal action only makes another game, until the hash of a state does not
            // match.
            assert!((number..=number + 40).contains(&found_at), "{name}: line {number}: {error}");
            let drawn = original[number - 1].starts_with("{\"type\":\"chance\"");
            assert!(!drawn || found_at == number, "{name}: line {number}: {error}");
        }
    }
}

/// Returns the error after one edit, with a recomputed chain.
fn edited(recording: &Recording, edit: impl Fn(&mut Vec<String>)) -> VerifyError {
    let mut lines = lines(&recording.text());
    let before = lines.clone();
    edit(&mut lines);
    assert_ne!(lines, before, "nothing was edited");
    check(&rechained(&lines)).expect_err("an edited replay")
}

fn replace(kind: &'static str, from: &'static str, to: &'static str) -> impl Fn(&mut Vec<String>) {
    move |lines| {
        let kind = format!("{{\"type\":\"{kind}\"");
        let line = lines.iter_mut().find(|line| line.starts_with(&kind) && line.contains(from));
        let line = line.unwrap_or_else(|| panic!("no {kind} with {from}"));
        *line = line.replacen(from, to, 1);
    }
}

fn remove(kind: &'static str, nth: usize) -> impl Fn(&mut Vec<String>) {
    move |lines| {
        let kind = format!("{{\"type\":\"{kind}\"");
        let at = lines.iter().enumerate().filter(|(_, line)| line.starts_with(&kind)).nth(nth);
        let at = at.expect("a line of this kind").0;
        lines.remove(at);
    }
}

fn duplicate(kind: &'static str) -> impl Fn(&mut Vec<String>) {
    move |lines| {
        let kind = format!("{{\"type\":\"{kind}\"");
        let at = lines.iter().position(|line| line.starts_with(&kind)).expect("such a line");
        let line = lines[at].clone();
        lines.insert(at, line);
    }
}

#[test]
fn every_kind_of_lie_is_named() {
    let timeout = Some((1, 10, FaultKind::Timeout));
    let dropped = Recording { fault: timeout, ..pig(2) };
    let protocol = Some((1, 10, FaultKind::Protocol));
    let retried = Recording { fault: protocol, on_fault: OnFault::Retry, ..pig(2) };
    let substituted = Recording { fault: timeout, on_fault: OnFault::Substitute, ..pig(2) };
    let london = scotland_yard("bristol", 13);
    let cases: Vec<(VerifyError, &str)> = vec![
        (
            edited(&pig(1), replace("header", "\"target\":50", "\"target\":12")),
            "after the game was over",
        ),
        (edited(&pig(1), replace("header", "\"target\":50", "\"target\":0")), "cannot be set up"),
        (edited(&pig(1), replace("header", "\"seed\":\"1\"", "\"seed\":\"2\"")), "from the seed"),
        (edited(&pig(1), replace("header", "\"seed\":\"1\"", "\"seed\":\"01\"")), "decimal number"),
        (edited(&pig(1), replace("header", "\"seed\":\"1\",", "")), "a \"seed\" was expected"),
        (
            edited(&pig(1), replace("header", "\"seat\":\"east\"", "\"seat\":\"west\"")),
            "list of seats",
        ),
        (
            edited(&pig(1), replace("header", "\"seats\":[\"east\"]", "\"seats\":[]")),
            "a player's list",
        ),
        (
            edited(&pig(1), replace("header", "\"player\":\"bot east\"", "\"player\":\"\"")),
            "list of seats",
        ),
        (edited(&pig(1), remove("chance", 0)), "with the opening"),
        (edited(&pig(1), remove("chance", 1)), "expected a draw, not a move"),
        (edited(&pig(1), duplicate("header")), "a second header"),
        (edited(&pig(1), remove("move", 0)), "line 3, turn"),
        (edited(&pig(1), duplicate("move")), "decision should be 2, but is 1"),
        (
            edited(&pig(1), replace("move", "\"turn\":3", "\"turn\":4")),
            "the number of the decision",
        ),
        (
            edited(&pig(1), replace("move", "\"seat\":\"east\"", "\"seat\":\"north\"")),
            "the seat to move",
        ),
        (
            edited(&london, replace("move", "{\"ticket\":", "{\"ticket\": ")),
            "the action in the game's own",
        ),
        (edited(&pig(1), replace("move", "\"roll\"", "\"fold\"")), "refused by the rules"),
        (
            edited(&pig(1), replace("move", ",\"info\"", ",\"by\":\"referee\",\"info\"")),
            "the referee played it",
        ),
        (
            edited(&pig(1), replace("move", ",\"info\"", ",\"seen\":{},\"info\"")),
            "\"seen\" should be absent",
        ),
        (edited(&pig(1), remove("state", 0)), "\"state\" line that is due"),
        (
            edited(&pig(1), |lines: &mut Vec<String>| {
                let at = lines.len() - 2;
                lines.remove(at);
            }),
            "with the final hash",
        ),
        (edited(&pig(1), replace("state", "\"hash\":\"", "\"hash\":\"0")), "the hash of the state"),
        (
            edited(&pig(1), replace("log", "\"player\":\"bot", "\"player\":\"not")),
            "no player is called",
        ),
        (edited(&pig(1), replace("end", "\"ranks\":[", "\"ranks\":[3,")), "the outcome"),
        (
            edited(&pig(1), replace("end", "\"kind\":\"completed\"", "\"kind\":\"bot_fault\"")),
            "the outcome",
        ),
        (
            edited(&pig(1), replace("end", "\"kind\":\"completed\"", "\"kind\":\"void\"")),
            "the outcome should be",
        ),
        (edited(&pig(1), replace("end", "\"turns\":", "\"turns\":1")), "the number of decisions"),
        (edited(&dropped, remove("fault", 0)), "the referee played it"),
        (edited(&dropped, duplicate("fault")), "had forfeited before"),
        (
            edited(&dropped, replace("fault", "\"seat\":\"east\"", "\"seat\":\"north\"")),
            "was not north's turn",
        ),
        (edited(&dropped, replace("fault", "\"seat\":\"east\"", "\"seat\":\"x\"")), "no seat"),
        (
            edited(&dropped, replace("fault", "\"fatal\":true", "\"fatal\":false")),
            "this fault forfeits",
        ),
        (
            edited(&dropped, replace("move", ",\"by\":\"referee\"", "")),
            "the pass of a forfeited seat",
        ),
        (edited(&retried, replace("fault", "protocol", "crash")), "this fault forfeits"),
        (edited(&retried, replace("fault", "protocol", "timeout")), "this fault forfeits"),
        (edited(&substituted, replace("move", ",\"by\":\"referee\"", "")), "the substitute"),
        (edited(&substituted, remove("fault", 0)), "the referee played it"),
        (edited(&london, replace("chance", "\"mr_x\":null", "\"mr_x\":1")), "\"seen\""),
    ];
    let missed: Vec<String> = cases
        .iter()
        .map(|(error, expected)| (error.to_string(), expected))
        .filter(|(error, expected)| !error.contains(**expected) || !error.starts_with("line "))
        .map(|(error, expected)| format!("expected {expected:?} in: {error}"))
        .collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn what_a_seat_saw_cannot_be_changed() {
    let london = scotland_yard("bristol", 13);
    let mut hidden = 0;
    let original = lines(&london.text());
    for (index, line) in original.iter().enumerate() {
        if line.starts_with("{\"type\":\"move\"") && line.contains(",\"seen\":") {
            let start = line.find(",\"seen\":").expect("just found");
            let end = line.find(",\"info\":").expect("every move here has info");
            let mut lines = original.clone();
            lines[index] = format!("{}{}", &line[..start], &line[end..]);
            let error = check(&rechained(&lines)).expect_err("a hidden move shown").to_string();
            assert!(error.starts_with(&format!("line {},", index + 1)), "{error}");
            assert!(error.contains("\"seen\" should be {"), "{error}");
            hidden += 1;
        }
    }
    assert!(hidden > 5, "only {hidden} hidden moves");
}

#[test]
fn a_game_that_the_host_could_not_judge_is_void_and_sound() {
    let mut bytes = Vec::new();
    Plan { stalled: Some(10), ..Plan::pig(1) }.record(&mut bytes);
    let report = check(&bytes).expect("a void game can be sound");
    assert_eq!((report.outcome.kind, report.turns > 8), (OutcomeKind::Void, true));
    // A game that is over by its rules cannot be void.
    let mut lines = lines(&pig(1).text());
    let last = lines.pop().expect("there is an end");
    let (_, turns) = last.split_once("},\"turns\":").expect("there is a number of turns");
    lines.push(format!(
        "{{\"type\":\"end\",\"outcome\":{{\"kind\":\"void\",\"scores\":[],\"ranks\":[],\
         \"reason\":\"host_overloaded\"}},\"turns\":{turns}"
    ));
    let error = check(&rechained(&lines)).expect_err("a forged end").to_string();
    assert!(error.contains("the outcome should be {\"kind\":\"completed\""), "{error}");
}

#[test]
fn a_line_out_of_the_middle_is_missed() {
    let original = lines(&pig(1).text());
    for index in 1..original.len() - 1 {
        let mut lines = original.clone();
        lines.remove(index);
        let text = lines.join("\n") + "\n";
        match check(text.as_bytes()).expect_err("a line is missing") {
            VerifyError::Read(ReadError::Chain { line, .. }) => assert_eq!(line, index as u64 + 1),
            other => panic!("line {}: {other}", index + 1),
        }
    }
}
