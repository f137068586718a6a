//! Whole games, line by line, which every later version must still parse. `> ` marks a line of the
//! referee, `< ` one of the bot, `! ` one of the bot that must be rejected.

use botyard_protocol::{
    BotLine, BotMessage, Limits, RefereeLine, RefereeMessage, parse_bot_line, parse_referee_line,
    write_line, write_start_line,
};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;

const TRANSCRIPTS: [(&str, &str); 2] = [
    ("whole-game", include_str!("transcripts/v1/whole-game.ndjson")),
    ("faulty-game", include_str!("transcripts/v1/faulty-game.ndjson")),
];

/// Returns the lines of all transcripts: their place, their mark and their JSON.
fn lines() -> impl Iterator<Item = (String, char, &'static str)> {
    TRANSCRIPTS.into_iter().flat_map(|(name, text)| {
        text.lines().enumerate().map(move |(number, line)| {
            let (mark, json) = line.split_at(2);
            (format!("{name}:{}", number + 1), mark.chars().next().unwrap(), json)
        })
    })
}

fn value(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

/// Returns the value of a message as it is written.
fn written(message: &impl Serialize) -> Value {
    let mut line = Vec::new();
    write_line(&mut line, message);
    assert_eq!(line.pop(), Some(b'\n'));
    assert!(!line.contains(&b'\n'));
    serde_json::from_slice(&line).unwrap()
}

#[test]
fn every_line_round_trips_through_its_type() {
    let mut types = BTreeSet::new();
    for (place, mark, json) in lines() {
        let kind = value(json)["type"].as_str().unwrap().to_owned();
        match mark {
            '>' => {
                let message: RefereeMessage = serde_json::from_str(json).expect(&place);
                assert_eq!(written(&message), value(json), "{place}");
            }
            '<' => {
                let message: BotMessage = serde_json::from_str(json).expect(&place);
                assert_eq!(written(&message), value(json), "{place}");
            }
            '!' => {}
            other => panic!("{place}: {other:?} marks no direction"),
        }
        types.insert((mark, kind));
    }
    let has =
        |mark, kinds: &[&str]| kinds.iter().all(|kind| types.contains(&(mark, (*kind).into())));
    assert!(has('>', &["hello", "start", "turn", "end", "error", "quit"]), "{types:?}");
    assert!(has('<', &["hello", "ready", "move", "log"]), "{types:?}");
}

#[test]
fn a_bot_reads_every_line_of_the_referee() {
    for (place, mark, json) in lines().filter(|(_, mark, _)| *mark == '>') {
        let expected: RefereeMessage = serde_json::from_str(json).unwrap();
        match (parse_referee_line(json.as_bytes()), expected) {
            (Ok(RefereeLine::Turn(read)), RefereeMessage::Turn(turn)) => {
                assert_eq!(
                    (read.turn, &read.seat, read.clock),
                    (turn.turn, &turn.seat, turn.clock)
                );
                assert_eq!(value(read.view.get()), turn.view, "{place}");
                assert_eq!(read.legal.map(|legal| value(legal.get())), turn.legal, "{place}");
            }
            (Ok(RefereeLine::Hello(read)), RefereeMessage::Hello(hello)) => assert_eq!(read, hello),
            (Ok(RefereeLine::Start(read)), RefereeMessage::Start(start)) => {
                assert_eq!(value(read.setup.get()), start.setup, "{place}");
                let mut composed = Vec::new();
                write_start_line(&mut composed, &read);
                let composed = serde_json::from_slice::<RefereeMessage>(&composed).unwrap();
                assert_eq!(composed, RefereeMessage::Start(start), "{place}");
            }
            (Ok(RefereeLine::End(read)), RefereeMessage::End(end)) => assert_eq!(read, end),
            (Ok(RefereeLine::Error(read)), RefereeMessage::Error(error)) => assert_eq!(read, error),
            (Ok(RefereeLine::Quit), RefereeMessage::Quit) => {}
            (read, expected) => panic!("{place} ({mark}): {read:?} is not {expected:?}"),
        }
    }
}

#[test]
fn the_referee_reads_or_refuses_every_line_of_the_bot() {
    for (place, mark, json) in lines().filter(|(_, mark, _)| *mark != '>') {
        let read = parse_bot_line(json.as_bytes(), &Limits::default());
        if mark == '!' {
            assert!(read.is_err(), "{place}: {read:?}");
            continue;
        }
        match (read, serde_json::from_str(json).unwrap()) {
            (Ok(BotLine::Move(read)), BotMessage::Move(expected)) => {
                assert_eq!(read.turn, expected.turn, "{place}");
                assert_eq!(value(read.action.get()), expected.action, "{place}");
                assert_eq!(read.info.map(|info| value(info.get())), expected.info, "{place}");
            }
            (Ok(BotLine::Hello(read)), BotMessage::Hello(hello)) => assert_eq!(read, hello),
            (Ok(BotLine::Ready), BotMessage::Ready) => {}
            (Ok(BotLine::Log { text: read }), BotMessage::Log { text }) => assert_eq!(read, text),
            (read, expected) => panic!("{place}: {read:?} is not {expected:?}"),
        }
    }
}

#[test]
fn every_request_has_its_answer_before_the_next_line_of_the_referee() {
    for (name, text) in TRANSCRIPTS {
        let mut asked: Option<&str> = None;
        for line in text.lines() {
            let (mark, json) = line.split_at(2);
            let message = value(json);
            let kind = message["type"].as_str().unwrap();
            if mark == "> " {
                assert_eq!(asked, None, "{name}: {line} comes before an answer");
                asked = match kind {
                    "hello" => Some("hello"),
                    "start" => Some("ready"),
                    "turn" => Some("move"),
                    _ => None,
                };
            } else if kind != "log" {
                assert_eq!(asked.take(), Some(kind), "{name}: {line} is unexpected");
            }
        }
        assert_eq!(asked, None, "{name}");
    }
}
