//! Games that continue from the record of an earlier one, and seats without a clock: the features
//! of the referee for games with a person.

use crate::fixtures::{MISBEHAVE, command, dice, misbehaving, no_interrupt, recorded_lines, spec};
use botyard_engine::Table;
use botyard_referee::{Bot, GameReport, Progress, RefereeError, play_on, start_all};
use botyard_replay::{Chain, ReplayReader, ReplayWriter, verify, write_stdin};
use serde_json::Value;

/// The report of a game, its actions, and its replay.
type Played = (Result<GameReport, RefereeError>, Vec<String>, String);

fn played(bots: &mut [Bot], record: &[String]) -> Played {
    let (spec, interrupt) = (spec(&[0, 1, 2]), no_interrupt());
    let mut table = dice(30, 40);
    start_all(bots, &spec.limits, &interrupt).expect("the bots can be started");
    let mut replay = Vec::new();
    let mut writer = ReplayWriter::new(&mut replay, &spec.header(&*table, bots)).unwrap();
    let mut actions = Vec::new();
    let mut observer = |progress: &Progress<'_>| {
        if let Progress::Moved { played, .. } = progress {
            actions.push(played.full.clone());
        }
    };
    let report =
        play_on(&mut *table, bots, &spec, record, &interrupt, Some(&mut writer), &mut observer);
    drop(writer);
    (report, actions, String::from_utf8(replay).expect("a replay is JSON"))
}

fn good() -> [Bot; 3] {
    ["a", "b", "c"].map(|name| misbehaving(name, "good", 1))
}

fn make(_: &str, rules: &Value) -> Result<Box<dyn Table>, botyard_engine::registry::SetupError> {
    let number = |name| rules[name].as_u64().expect("a rule of the dice race") as u32;
    Ok(dice(number("target"), number("rounds")))
}

fn sound(replay: &str) -> Result<(), String> {
    let reader = ReplayReader::new(replay.as_bytes()).expect("a replay");
    verify(reader, &make).map(|_| ()).map_err(|error| error.to_string())
}

fn lines(replay: &str) -> Vec<Value> {
    replay.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

#[test]
fn a_game_goes_on_where_the_record_ends() {
    let (first, actions, _) = played(&mut good(), &[]);
    let record = &actions[..5];
    let (second, again, replay) = played(&mut good(), record);
    let (first, second) = (first.unwrap(), second.unwrap());
    assert_eq!(again, actions, "the same dice and the same bots give the same game");
    assert_eq!(second.outcome, first.outcome);
    let decisions = |report: &GameReport| report.seats.iter().map(|seat| seat.decisions).sum();
    let (all, asked): (u32, u32) = (decisions(&first), decisions(&second));
    assert_eq!(asked + 5, all, "no bot was asked for a recorded action");
    sound(&replay).unwrap();
    let recorded = lines(&replay).iter().filter(|line| line["by"] == "record").count();
    assert_eq!(recorded, 5);
}

/// Returns a replay with one line changed and its chain recomputed.
fn forged(replay: &str, line: &str, change: impl Fn(&str) -> String) -> String {
    let mut chain = Chain::default();
    let mut forged = String::new();
    for original in replay.lines() {
        let end = original.rfind(",\"chain\":\"").expect("every line has a chain");
        let body = match original == line {
            true => change(&original[..end]),
            false => original[..end].to_string(),
        };
        let link = chain.extend(body.as_bytes());
        forged.push_str(&format!("{body},\"chain\":\"{link}\"}}\n"));
    }
    forged
}

#[test]
fn a_record_stands_at_the_beginning() {
    let (_, actions, _) = played(&mut good(), &[]);
    let (_, _, replay) = played(&mut good(), &actions[..2]);
    let moves: Vec<&str> = replay.lines().filter(|line| line.contains("\"move\"")).collect();
    sound(&forged(&replay, moves[4], str::to_string)).unwrap();
    let error = sound(&forged(&replay, moves[4], |body| format!("{body},\"by\":\"record\"")));
    assert!(error.unwrap_err().contains("such moves are only allowed at the beginning"));
}

#[test]
fn a_record_that_cannot_be_played_is_refused() {
    let illegal = ["\"fly\"".to_string()];
    let (report, _, _) = played(&mut good(), &illegal);
    assert!(matches!(report, Err(RefereeError::Record { turn: 1, .. })), "{report:?}");
    let (_, actions, _) = played(&mut good(), &[]);
    let too_long = [&actions[..], &actions[..1]].concat();
    let (report, _, _) = played(&mut good(), &too_long);
    let Err(RefereeError::RecordTooLong { turn }) = report else { panic!("{report:?}") };
    assert_eq!(turn as usize, actions.len() + 1);
}

#[test]
fn a_seat_without_a_clock_is_told_so_and_the_others_keep_theirs() {
    let directory = tempfile::tempdir().unwrap();
    let record = |name: &str| directory.path().join(name);
    let bot = |name: &str| {
        let file = record(name);
        command(name, "python3", &["-S", MISBEHAVE, "good", "1", file.to_str().unwrap()])
    };
    let mut bots = [bot("a"), bot("b").untimed(), bot("c")];
    let (report, _, replay) = played(&mut bots, &[]);
    report.unwrap();
    sound(&replay).unwrap();
    for (name, untimed) in [("a", false), ("b", true), ("c", false)] {
        let lines = recorded_lines(&record(name), "end");
        let clocks: Vec<&Value> =
            lines.iter().filter(|line| line["type"] == "turn").map(|line| &line["clock"]).collect();
        assert!(!clocks.is_empty());
        for clock in clocks {
            assert_eq!(clock["move_ms"].is_null(), untimed, "{name}: {clock}");
        }
    }
    // The lines for this seat that are reconstructed from the replay have no clock either.
    let reader = ReplayReader::new(replay.as_bytes()).expect("a replay");
    let mut to_seat = Vec::new();
    write_stdin(reader, &make, "east", None, &mut to_seat).unwrap();
    let to_seat = String::from_utf8(to_seat).unwrap();
    let turns: Vec<Value> =
        lines(&to_seat).into_iter().filter(|line| line["type"] == "turn").collect();
    assert!(!turns.is_empty() && turns.iter().all(|turn| turn["clock"]["move_ms"].is_null()));
    assert_eq!(lines(&replay)[0]["players"][1]["untimed"], true);
}
