//! Lines assembled from ready JSON equal those of the typed messages, byte for byte.

use botyard_protocol::{
    BotMessage, Clock, ClockKind, Move, RefereeLine, RefereeMessage, Turn, parse_referee_line,
    write_line, write_move_line, write_turn_line,
};
use serde_json::{Value, json};

#[test]
fn a_turn_line_is_the_typed_message() {
    let clocks = [
        Clock { kind: ClockKind::Wall, move_ms: Some(1_000), bank_ms: None, increment_ms: 0 },
        Clock { kind: ClockKind::Cpu, move_ms: None, bank_ms: Some(0), increment_ms: 50 },
        Clock {
            kind: ClockKind::Wall,
            move_ms: Some(u64::from(u32::MAX)),
            bank_ms: Some(1 << 53),
            increment_ms: 1,
        },
    ];
    let views =
        [json!({}), json!({"round": 1, "log": [], "text": "a\n\"\u{1b}é"}), json!([1, 2.5])];
    let lists = [None, Some(json!([])), Some(json!(["11-15", {"to": 45, "ticket": "taxi"}]))];
    for (turn, seat) in [(1, "mr-x"), (u32::MAX, "a \"seat\"\n")] {
        for clock in clocks {
            for view in &views {
                for legal in &lists {
                    let mut composed = b"before".to_vec();
                    let legal_json = legal.as_ref().map(Value::to_string);
                    let legal_json = legal_json.as_ref().map(String::as_bytes);
                    let view_json = view.to_string();
                    write_turn_line(
                        &mut composed,
                        turn,
                        seat,
                        view_json.as_bytes(),
                        legal_json,
                        &clock,
                    );
                    let message = Turn {
                        turn,
                        seat: seat.to_owned(),
                        view: view.clone(),
                        legal: legal.clone(),
                        clock,
                    };
                    let mut typed = b"before".to_vec();
                    write_line(&mut typed, &RefereeMessage::Turn(message));
                    assert_eq!(String::from_utf8(composed.clone()), String::from_utf8(typed));

                    let Ok(RefereeLine::Turn(read)) = parse_referee_line(&composed[6..]) else {
                        panic!("a bot cannot read {composed:?}")
                    };
                    assert_eq!((read.turn, &*read.seat, read.clock), (turn, seat, clock));
                    assert_eq!(read.view.get().as_bytes(), view_json.as_bytes());
                    assert_eq!(read.legal.map(|legal| legal.get().as_bytes()), legal_json);
                }
            }
        }
    }
}

#[test]
fn a_move_line_is_the_typed_message() {
    for action in [json!("end_turn"), json!({"ticket": "taxi", "to": 45}), json!(null)] {
        for info in [None, Some(json!({"score": 0.5, "pv": []}))] {
            let mut composed = Vec::new();
            let info_json = info.as_ref().map(Value::to_string);
            let info_json = info_json.as_ref().map(String::as_bytes);
            write_move_line(&mut composed, 7, action.to_string().as_bytes(), info_json);
            let message = BotMessage::Move(Move { turn: 7, action: action.clone(), info });
            let mut typed = Vec::new();
            write_line(&mut typed, &message);
            assert_eq!(String::from_utf8(composed), String::from_utf8(typed));
        }
    }
}

#[test]
fn a_bot_ignores_unknown_messages() {
    let line = br#"{"type":"weather","turn":"fine","view":{},"extra":[1]}"#;
    match parse_referee_line(line) {
        Ok(RefereeLine::Unknown { kind }) => assert_eq!(kind, "weather"),
        other => panic!("{other:?}"),
    }
    assert!(matches!(
        parse_referee_line(br#"{"type":"quit","why":"late"}"#),
        Ok(RefereeLine::Quit)
    ));
    // It was in drafts of version 1.
    assert!(matches!(
        parse_referee_line(br#"{"type":"ping","id":7}"#),
        Ok(RefereeLine::Unknown { .. })
    ));
}

#[test]
fn a_bot_gets_the_error_of_a_line() {
    let cases: [(&[u8], &str); 8] = [
        (b"", "empty"),
        (b"{}", "missing_type"),
        (b"{\"type\":\"quit\"", "not_json"),
        (b"{\"type\":\"hello\"}", "malformed"),
        (b"{\"type\":\"turn\",\"turn\":1}", "missing_field"),
        (b"{\"type\":\"turn\",\"turn\":-1,\"seat\":\"a\",\"view\":0,\"clock\":0}", "malformed"),
        (b"{\"type\":\"start\"}", "malformed"),
        (b"\xff", "not_utf8"),
    ];
    for (line, name) in cases {
        assert_eq!(parse_referee_line(line).unwrap_err().name(), name, "{line:?}");
    }
}
