//! Replays that are unfinished, damaged or copies, and decisions that do not exist.

use crate::recording::{Recording, drawn, filmed, game};
use botyard_replay::{ReplayReader, export};
use botyard_viewer::Perspective;

fn error(replay: &[u8], perspective: Perspective, at: Option<u32>) -> String {
    drawn(replay, perspective, at).expect_err("this cannot be drawn").to_string()
}

#[test]
fn an_unfinished_replay_is_drawn_and_says_so() {
    for name in ["scotland-yard", "draughts", "dice-wars", "connect-four", "liars-dice"] {
        for stop in 0..4 {
            let replay = Recording { stop, ..game(name) }.at_random();
            let film = filmed(&replay, Perspective::Spectator);
            if !film.unfinished {
                continue;
            }
            let last = film.frames.last().expect("there is a frame for the opening");
            assert_eq!(last.turn, stop, "{name}");
            assert!(last.caption.ends_with("The replay has no end."), "{}", last.caption);
            let picture = drawn(&replay, Perspective::Spectator, None).expect("can be drawn");
            assert!(picture.unfinished && picture.svg.contains("The replay has no end."));
        }
    }
    let sound = game("draughts").at_random();
    let picture = drawn(&sound, Perspective::Spectator, None).expect("can be drawn");
    assert!(!picture.unfinished && !picture.svg.contains("no end"), "{}", picture.caption);
    // Cut in the middle of a line.
    let picture = drawn(&sound[..sound.len() / 2], Perspective::Spectator, None);
    assert!(picture.expect("can be drawn").unfinished);
}

#[test]
fn a_damaged_replay_is_refused_with_the_line() {
    let sound = String::from_utf8(game("draughts").at_random()).expect("a replay is UTF-8");
    let lines: Vec<&str> = sound.lines().collect();
    let changed = sound.replacen("\"seat\":\"black\"", "\"seat\":\"white\"", 2);
    assert!(error(changed.as_bytes(), Perspective::Spectator, None).contains("line 1 was changed"));
    let mut missing = lines.clone();
    missing.remove(5);
    let why = error(missing.join("\n").as_bytes(), Perspective::Truth, None);
    assert!(why.contains("line 6"), "{why}");
    // Up to the damage it can be drawn.
    assert!(drawn(missing.join("\n").as_bytes(), Perspective::Truth, Some(2)).is_ok());
    let why = error(format!("{}\n", lines[0]).as_bytes(), Perspective::Truth, None);
    assert!(why.contains("cut off after line 1"), "{why}");
    assert!(error(b"hello\n", Perspective::Truth, None).contains("not a replay"));
}

#[test]
fn decisions_and_seats_that_do_not_exist_are_refused() {
    let replay = Recording { stop: 5, ..game("draughts") }.at_random();
    assert_eq!(
        error(&replay, Perspective::Spectator, Some(6)),
        "the game has no decision 6; the last one is 5"
    );
    assert_eq!(drawn(&replay, Perspective::Spectator, Some(0)).expect("the start").turn, 0);
    let why = error(&replay, Perspective::Seat("3"), None);
    assert!(why.contains("the seats of this game are black, white"), "{why}");
    let mut copy = Vec::new();
    let reader = ReplayReader::new(&replay[..]).expect("a replay");
    let _ = export(reader, "white", &mut copy);
    let why = error(&copy, Perspective::Seat("white"), None);
    assert!(why.contains("use the full replay"), "{why}");
}

#[test]
fn a_map_without_cells_is_a_ring() {
    let map = r#"{"areas":[{"id":1,"adjacent":[2,3]},{"id":2,"adjacent":[1,3]},{"id":3,"adjacent":[1,2]}]}"#;
    let opening = format!(r#"{{"map":{map},"owners":[1,1,2],"dice":[2,1,2],"first":1}}"#);
    let rules = (Some("fair-4"), &[("players", "2"), ("max_turns", "10")][..]);
    let recording = Recording { rules, opening: Some(&opening), ..game("dice-wars") };
    let picture = drawn(&recording.at_random(), Perspective::Spectator, None);
    assert!(picture.expect("can be drawn").svg.contains("class=\"road\""));
}
