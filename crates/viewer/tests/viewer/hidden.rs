//! What is hidden from a seat is in no board and no frame for it: two games that look alike to a
//! seat are drawn alike for it, byte for byte.

use crate::alike::{alike, bids, cups, lines};
use crate::recording::{drawn, filmed, game, replays};
use botyard_viewer::{Frame, Perspective, Theme, frames_as_json};

/// Mr. X's station after every decision, with whether the detectives know it.
fn mr_x(replay: &[u8]) -> Vec<(u64, bool)> {
    let lines = lines(replay);
    let opening = lines[1]["outcome"]["mr_x"].as_u64().expect("Mr. X has a station");
    let mut stations = vec![(opening, false)];
    for line in lines.iter().filter(|line| line["type"] == "move") {
        let (mut at, mut known) = *stations.last().expect("there is the opening");
        if line["seat"] == "mr-x" {
            at = line["action"]["to"].as_u64().expect("a step goes somewhere");
            known = line.get("seen").is_none();
        } else if line["action"]["to"].as_u64() == Some(at) {
            known = true;
        }
        stations.push((at, known));
    }
    stations
}

#[test]
fn mr_xs_station_is_drawn_for_the_detectives_only_while_they_know_it() {
    let mut hidden = 0;
    for (name, replay) in replays() {
        if lines(&replay)[0]["game"] != "scotland-yard" {
            continue;
        }
        let stations = mr_x(&replay);
        for perspective in [Perspective::Seat("2"), Perspective::Spectator] {
            let truth = filmed(&replay, Perspective::Truth);
            let seen = filmed(&replay, perspective);
            let (mut all, mut board) = (truth.board, seen.board);
            for (frame, whole) in seen.frames.iter().zip(&truth.frames) {
                board.apply(frame);
                all.apply(whole);
                let Some(&(station, known)) = stations.get(frame.turn as usize) else { continue };
                let svg = board.picture(Theme::Light);
                let pawn = |svg: &str| {
                    let from = svg.find("id=\"mr-x\"").expect("there is a pawn");
                    svg[from..].split('>').next().expect("an element ends").to_string()
                };
                let (mine, true_one) = (pawn(&svg), pawn(&all.picture(Theme::Light)));
                assert!(true_one.contains("translate("), "{name}: {true_one}");
                if known {
                    continue;
                }
                hidden += 1;
                assert_eq!(mine, "id=\"mr-x\" class=\"pawn mr-x\" visibility=\"hidden\"", "{name}");
                // Nothing that was changed has his place, his number, or the mark of his step,
                // unless somebody else is there or was seen there.
                let place = true_one.split('"').find(|part| part.starts_with("translate("));
                let place = place.expect("the pawn is somewhere");
                for change in &frame.changes {
                    let text = change.text.as_deref().unwrap_or_default();
                    let is_caption = change.id.starts_with("caption");
                    let is_of_mr_x = frame.caption.contains("Mr. X:");
                    if is_caption && is_of_mr_x {
                        assert!(!text.contains(&format!("to {station}")), "{name}: {text}");
                    }
                    if change.id == "last-move" && is_of_mr_x {
                        assert_ne!(change.visible, Some(true), "{name}: {change:?}");
                    }
                    if let (Some([x, y]), Some(true)) = (change.at, change.visible) {
                        let was_shown = change.id == "last-seen";
                        let there = format!("translate({x} {y})") == place;
                        assert!(was_shown || !there, "{name}: {change:?}");
                    }
                }
            }
        }
    }
    assert!(hidden > 100, "only {hidden} positions had something to hide");
}

#[test]
fn games_that_look_alike_to_the_detectives_are_drawn_alike_for_them() {
    let (one, other) = alike();
    for perspective in [Perspective::Seat("detectives"), Perspective::Spectator] {
        let (a, b) = (filmed(&one, perspective), filmed(&other, perspective));
        assert_eq!(a.board.markup(), b.board.markup());
        assert_eq!(a.frames, b.frames);
        assert_eq!(a.frames.len(), 25);
        let speed = "2".parse().expect("a speed");
        assert!(a.animation(Theme::Light, speed) == b.animation(Theme::Light, speed));
    }
    for perspective in [Perspective::Seat("mr-x"), Perspective::Truth] {
        assert_ne!(filmed(&one, perspective).frames, filmed(&other, perspective).frames);
    }
}

#[test]
fn cups_are_drawn_for_those_who_see_them() {
    let games: Vec<Vec<u8>> = (1..60).map(bids).collect();
    let (mut for_seats, mut for_all) = (0, 0);
    for (index, one) in games.iter().enumerate() {
        for other in &games[..index] {
            let (mine, theirs) = (cups(one), cups(other));
            if mine == theirs {
                continue;
            }
            let frames = |replay, perspective| filmed(replay, perspective).frames;
            if for_all < 20 {
                let spectator = Perspective::Spectator;
                assert_eq!(frames(one, spectator), frames(other, spectator));
                assert_ne!(frames(one, Perspective::Truth), frames(other, Perspective::Truth));
                for_all += 1;
            }
            for (seat, number) in ["1", "2", "3"].into_iter().enumerate() {
                if mine[seat] != theirs[seat] || for_seats > 60 {
                    continue;
                }
                let seat = Perspective::Seat(number);
                assert_eq!(frames(one, seat), frames(other, seat));
                for_seats += 1;
            }
        }
    }
    assert!(for_seats > 20 && for_all == 20, "{for_seats} and {for_all} pairs");
}

#[test]
fn cups_are_lifted_at_the_end() {
    let replay = game("liars-dice").at_random();
    let has_closed = |frames: &[Frame]| frames_as_json(frames).contains("face closed");
    let film = filmed(&replay, Perspective::Spectator);
    assert!(has_closed(&film.frames[..1]));
    let last = film.frames.last().expect("there are frames");
    assert!(!has_closed(std::slice::from_ref(last)), "{last:?}");
    let svg = drawn(&replay, Perspective::Spectator, None).expect("can be drawn").svg;
    assert!(!svg.contains("face closed"), "{}", last.caption);
    let early = drawn(&replay, Perspective::Spectator, Some(0)).expect("can be drawn").svg;
    assert_eq!(early.matches("face closed").count(), 10);
}
