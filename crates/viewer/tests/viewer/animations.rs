//! Animated documents: at every moment they show what the picture of that decision shows.

use crate::recording::{Recording, drawn, filmed, game, perspectives, replays};
use botyard_replay::{ReplayReader, registered_table};
use botyard_viewer::{Film, Perspective, Speed, Theme, ViewError, clip};
use roxmltree::{Document, Node};
use std::collections::BTreeMap;
use std::fmt::Write;

fn speed(text: &str) -> Speed {
    text.parse().expect("a speed")
}

/// The value of an animation at a time, as a part of the whole.
fn value_at<'a>(animation: Node<'a, '_>, time: f64) -> &'a str {
    let list = |name| animation.attribute(name).expect("values and times").split(';');
    let begun = list("keyTimes").take_while(|its| its.parse::<f64>().expect("a number") <= time);
    let index = begun.count().checked_sub(1).expect("the first value is there from the beginning");
    list("values").nth(index).expect("as many values as times")
}

/// What is visible at a time: elements with their attributes and texts, without IDs.
fn visible(node: Node, time: f64, out: &mut String) {
    for element in node.children().filter(Node::is_element) {
        let name = element.tag_name().name();
        if name.starts_with("animate") {
            continue;
        }
        let mut attributes: BTreeMap<String, String> =
            element.attributes().map(|its| (its.name().into(), its.value().into())).collect();
        for animation in element.children().filter(Node::is_element) {
            let value = match animation.tag_name().name() {
                "animate" => value_at(animation, time).to_string(),
                "animateTransform" => format!("translate({})", value_at(animation, time)),
                _ => continue,
            };
            assert_eq!(animation.attribute("calcMode"), Some("discrete"));
            let attribute = animation.attribute("attributeName").expect("an attribute");
            attributes.insert(attribute.to_string(), value);
        }
        let is = |name: &str, value: &str| attributes.get(name).is_some_and(|its| its == value);
        let text: String =
            element.children().filter(Node::is_text).filter_map(|its| its.text()).collect();
        let is_empty = name == "text" && text.is_empty();
        if is("display", "none") || is("visibility", "hidden") || is_empty {
            continue;
        }
        attributes.retain(|name, value| {
            name != "id" && name != "display" && value != "translate(0 0)" && !value.is_empty()
        });
        // Writing to a string cannot fail.
        let _ = writeln!(out, "<{name} {attributes:?}>{text}");
        visible(element, time, out);
        let _ = writeln!(out, "</{name}>");
    }
}

fn seen(svg: &str, time: f64) -> String {
    let mut out = String::new();
    visible(Document::parse(svg).expect("well-formed").root(), time, &mut out);
    out
}

/// Compares some moments of an animation with the pictures of its frames.
fn compare(name: &str, film: &Film) {
    let speed = speed("8");
    let delays = speed.delays(film.frames.len());
    let whole: f64 = delays.iter().map(|&delay| f64::from(delay)).sum();
    let animation = film.animation(Theme::Dark, speed);
    let step = film.frames.len() / 6 + 1;
    let mut begin = 0.0;
    for (number, (picture, delay)) in film.pictures(Theme::Dark).zip(&delays).enumerate() {
        let delay = f64::from(*delay);
        if number % step == 0 || number + 1 == delays.len() {
            // In the middle of the time of this picture.
            let animated = seen(&animation, (begin + delay / 2.0) / whole);
            let caption = &film.frames[number].caption;
            assert!(animated == seen(&picture, 0.0), "{name}, {caption}");
        }
        begin += delay;
    }
}

#[test]
fn an_animation_shows_at_every_moment_the_picture_of_a_decision() {
    for (name, replay) in replays() {
        for perspective in [Perspective::Spectator, Perspective::Truth] {
            compare(&format!("{name}, {perspective:?}"), &filmed(&replay, perspective));
        }
    }
}

fn clipped(replay: &[u8], from: u32, to: Option<u32>) -> Result<Film, ViewError> {
    let reader = ReplayReader::new(replay).expect("a replay has a header");
    clip(reader, &registered_table, Perspective::Spectator, from, to)
}

#[test]
fn a_part_of_a_game_begins_and_ends_where_it_was_asked_to() {
    for name in ["scotland-yard", "draughts", "dice-wars", "connect-four", "liars-dice"] {
        let replay = Recording { stop: 12, ..game(name) }.at_random();
        let whole = filmed(&replay, Perspective::Spectator);
        let last = whole.frames.last().expect("frames").turn;
        for (from, to) in [(0, None), (0, Some(0)), (1, Some(2)), (last, None), (2, Some(last))] {
            let film = clipped(&replay, from, to).expect("a part");
            let turns: Vec<u32> = film.frames.iter().map(|frame| frame.turn).collect();
            let expected: Vec<u32> = (from..=to.unwrap_or(last)).collect();
            assert_eq!(turns, expected, "{name}");
            for (svg, turn) in film.pictures(Theme::Light).zip(turns) {
                // Before the end it is not known whether there is one.
                if turn < last {
                    let direct = drawn(&replay, Perspective::Spectator, Some(turn));
                    assert!(svg == direct.expect("a decision").svg, "{name}, {turn}");
                }
            }
            compare(name, &film);
        }
        for (from, to, turn) in [(last + 1, None, last + 1), (0, Some(999), 999)] {
            let error = clipped(&replay, from, to).expect_err("no such decision").to_string();
            let expected = format!("the game has no decision {turn}; the last one is {last}");
            assert_eq!(error, expected, "{name}");
        }
    }
}

#[test]
fn an_animation_has_no_script_and_loads_nothing() {
    let name = "<script>alert(1)</script>\"'&";
    for game_name in ["scotland-yard", "draughts", "dice-wars", "connect-four", "liars-dice"] {
        let replay = Recording { player: name, stop: 6, ..game(game_name) }.at_random();
        for perspective in perspectives(&replay) {
            let svg = filmed(&replay, perspective).animation(Theme::Light, speed("2"));
            let document = Document::parse(&svg).expect("well-formed");
            for node in document.descendants().filter(Node::is_element) {
                let element = node.tag_name().name();
                assert!(element != "script" && element != "set" && element != "a", "{element}");
                for attribute in node.attributes() {
                    let (key, value) = (attribute.name(), attribute.value());
                    assert!(!key.starts_with("on") && !key.contains("href"), "{key}={value:?}");
                    assert!(!value.contains("url("), "{key}={value:?}");
                }
            }
        }
    }
}
