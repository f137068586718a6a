//! The drawings that programs of games make, in pages and pictures: shown clean, from the perspective that
//! is asked for, and each change once.

use crate::check_game::write_game;
use crate::command::{Desk, repository};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

const NOUGHTS: &str = "tests/games/noughts";

/// A directory with the game of crosses and noughts, changed in this way.
fn noughts(from: &str, to: &str) -> Desk {
    let desk = Desk::new();
    fs::create_dir(desk.path("noughts")).unwrap();
    for file in ["game.toml", "game.py"] {
        let text = fs::read_to_string(repository(NOUGHTS).join(file)).unwrap();
        assert!(file == "game.toml" || text.contains(from), "{from}");
        fs::write(desk.path("noughts").join(file), text.replace(from, to)).unwrap();
    }
    desk
}

/// Plays a game of random bots and returns its replay.
fn played(desk: &Desk, game: &str) -> PathBuf {
    desk.done(&["match", game, "random", "random", "--seed", "3", "--out", "out"]);
    desk.replays("out").remove(0)
}

/// Returns the data of a page of a replay, and the page.
fn page(desk: &Desk, game: &str, replay: &str, options: &[&str]) -> (Value, String) {
    let args = ["replay", "view", "--game", game, replay, "-o", "page.html"];
    desk.done(&[&args[..], options].concat());
    let html = fs::read_to_string(desk.path("page.html")).unwrap();
    let begin = "<script type=\"application/json\" id=\"replay\">";
    let data = html.split(begin).nth(1).unwrap().split("</script>").next().unwrap();
    (serde_json::from_str(data).unwrap(), html)
}

/// All texts and patches of a drawing's elements in the frames of a track, as JSON.
fn drawings(data: &Value, key: &str) -> Vec<String> {
    let all = data["perspectives"].as_array().unwrap();
    let its = all.iter().find(|its| its["key"] == key).expect("the perspective");
    let track = &data["tracks"][its["track"].as_u64().unwrap() as usize];
    let frames = track["frames"].as_array().unwrap();
    frames.iter().filter_map(|frame| frame.get(2)).map(Value::to_string).collect()
}

#[test]
fn a_page_has_a_drawing_and_then_what_changes_of_it() {
    let desk = noughts("fill=\"none\"", "fill=\"none\"");
    let replay = played(&desk, "./noughts");
    let replay = replay.to_str().unwrap();
    let (data, _) = page(&desk, "./noughts", replay, &[]);
    let frames = drawings(&data, "**");
    assert_eq!(frames.len(), data["turns"].as_array().unwrap().len(), "each decision changes it");
    assert!(
        frames[0].starts_with("{\"v\":[\"svg\",{\"viewBox\":\"0 0 300 300\"}"),
        "{}",
        frames[0]
    );
    assert_eq!(frames[0].matches("data-action").count(), 9);
    for frame in &frames[1..] {
        assert!(frame.len() < 400 && frame.len() < frames[0].len() / 3, "{frame}");
    }
    let picture = ["replay", "picture", "--game", "./noughts", replay];
    let svg = desk.done(&[&picture[..], &["--at", "2"]].concat());
    assert!(svg.contains(">Turn 2. o: ") && svg.matches("<circle").count() == 1, "{svg}");
    assert_eq!(svg.matches(" viewBox=\"0 0 300 300\"").count(), 1, "of this position alone: {svg}");
    let animation = desk.done(&[&picture[..], &["--animate"]].concat());
    assert_eq!(animation.matches(" viewBox=\"0 0 300 300\"").count(), frames.len());
    assert!(animation.contains("attributeName=\"display\""), "{animation}");
}

#[test]
fn a_hidden_card_is_drawn_for_its_seat_alone() {
    let desk = Desk::new();
    write_game(&desk, "poker", "none");
    let replay = played(&desk, "./poker");
    let replay = replay.to_str().unwrap();
    let opening = fs::read_to_string(replay).unwrap();
    let opening: Value = serde_json::from_str(opening.lines().nth(1).unwrap()).unwrap();
    let card = |seat: &str| format!("[\"text\",{{}},\"{}\"]", opening["outcome"]["hands"][seat]);
    assert_ne!(card("left"), card("right"));
    let (data, _) = page(&desk, "./poker", replay, &[]);
    assert_eq!(drawings(&data, "*"), [""; 0], "what all seats saw has no drawing");
    for (seat, other) in [("left", "right"), ("right", "left")] {
        let (alone, html) = page(&desk, "./poker", replay, &["--seat", seat]);
        for data in [&data, &alone] {
            let drawn = drawings(data, seat).concat();
            assert!(drawn.contains(&card(seat)) && !drawn.contains(&card(other)), "{drawn}");
        }
        assert_eq!(alone["tracks"].as_array().unwrap().len(), 1);
        assert!(alone["view_of"] == seat && alone["seed"].is_null(), "{html}");
        let picture = ["replay", "picture", "--game", "./poker", replay, "--seat", seat];
        assert!(desk.done(&picture).contains("<text>"));
    }
    let refused = desk.run(&["replay", "picture", "--game", "./poker", replay]);
    assert!(
        refused.code != Some(0) && refused.stderr.contains("--seat or --truth"),
        "{refused:#?}"
    );
}

#[test]
fn what_a_program_draws_is_cleaned_or_refused_with_the_reason() {
    let end = "\"\".join(parts) + \"</svg>\"";
    let hostile = "\"\".join(parts) + \"<script>alert(1)</script><g onclick='alert(2)'/></svg>\"";
    let desk = noughts(end, hostile);
    let replay = played(&desk, "./noughts");
    let replay = replay.to_str().unwrap();
    let (data, html) = page(&desk, "./noughts", replay, &[]);
    assert!(!html.contains("alert(") && drawings(&data, "**")[0].contains("[\"g\",{}]"), "{html}");
    let svg = desk.done(&["replay", "picture", "--game", "./noughts", replay]);
    assert!(!svg.contains("alert(") && !svg.contains("script"), "{svg}");

    let desk = noughts("viewBox=\"0 0 300 300\"", "width=\"300\"");
    let replay = played(&desk, "./noughts");
    let replay = replay.to_str().unwrap();
    let (data, html) = page(&desk, "./noughts", replay, &[]);
    let drawn = drawings(&data, "**");
    assert!(drawn[0].contains("\"error\":\"expected a viewBox") && !html.contains("<rect x="));
    let refused = desk.run(&["replay", "picture", "--game", "./noughts", replay]);
    let expected = "noughts cannot be drawn after decision 0: expected a viewBox";
    assert!(refused.stderr.contains(expected), "{refused:#?}");

    let desk = Desk::new();
    write_game(&desk, "poker", "draw_dropped");
    let checked = desk.done(&["check-game", "./poker", "--games", "5"]);
    let note = "not shown of its pictures: the attribute style of <text>, the element <script>";
    assert!(checked.contains(note) && checked.contains("0 failed"), "{checked}");
}
