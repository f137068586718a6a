//! Replays as PDN: names that need escapes, and results that are no win.

use crate::adjudication::play;
use crate::recorded_game::{lines, rechained};
use botyard_engine::draughts::{PdnResult, read_pdn};
use botyard_protocol::Adjudication;
use botyard_replay::{ReplayReader, pdn};

fn written(text: &str) -> String {
    let replay = rechained(&lines(text));
    pdn(ReplayReader::new(&replay[..]).unwrap()).unwrap()
}

#[test]
fn names_are_escaped() {
    let replay = play("draughts", None, &Adjudication::default(), None, |_| None).replay;
    let text = String::from_utf8(replay).unwrap();
    for name in ["a\"b", "back\\slash", "[Event \"x\"]", "{comment}", "\u{fc}n\u{ef}c\u{f6}de"] {
        let json = serde_json::to_string(name).unwrap();
        let written = written(&text.replace("\"first\"", &json));
        let games = read_pdn(&written);
        let [Ok(game)] = &games[..] else { panic!("{games:?} in {written}") };
        assert_eq!(game.tag("Black"), Some(name));
        assert_eq!(game.tag("White"), Some("rest"));
    }
    // A line break would end the tag.
    let written = written(&text.replace("\"first\"", "\"two\\nlines\""));
    assert!(written.contains("[Black \"two lines\"]"), "{written}");
}

#[test]
fn a_game_without_an_end_has_no_result() {
    let replay = play("draughts", None, &Adjudication::default(), None, |_| None).replay;
    let text = String::from_utf8(replay).unwrap();
    let first: String = text.lines().take(5).map(|line| format!("{line}\n")).collect();
    let games = read_pdn(&written(&first));
    let [Ok(game)] = &games[..] else { panic!("{games:?}") };
    assert_eq!(
        (game.result, game.moves.len(), game.tag("Termination")),
        (PdnResult::Unknown, 3, None)
    );
}
