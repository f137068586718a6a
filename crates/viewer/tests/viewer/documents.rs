//! The documents: well-formed XML without scripts, and the same by steps as directly.

use crate::recording::{Recording, drawn, filmed, game, perspectives, replays};
use botyard_viewer::{Perspective, Theme, frames_as_json};
use roxmltree::Document;
use std::collections::BTreeSet;

/// Checks a document: elements and attributes that a drawing uses, and each ID once.
fn check(name: &str, svg: &str) -> Vec<String> {
    let document = Document::parse(svg).unwrap_or_else(|error| panic!("{name}: {error}\n{svg}"));
    let mut ids = BTreeSet::new();
    let mut texts = Vec::new();
    for node in document.descendants() {
        if node.is_text() {
            texts.push(node.text().unwrap_or_default().to_string());
        }
        if !node.is_element() {
            continue;
        }
        let element = node.tag_name().name();
        let known =
            ["svg", "title", "style", "g", "path", "rect", "circle", "polyline", "polygon", "text"];
        assert!(known.contains(&element), "{name}: an element {element}");
        for attribute in node.attributes() {
            let (key, value) = (attribute.name(), attribute.value());
            assert!(!key.starts_with("on") && !key.contains("href"), "{name}: {key}={value:?}");
            assert!(!value.contains("url("), "{name}: {key}={value:?}");
            if key == "id" {
                assert!(ids.insert(value.to_string()), "{name}: two elements {value}");
            }
            let numbers = ["x", "y", "cx", "cy", "r", "width", "height"];
            if numbers.contains(&key) {
                let number: f64 = value.parse().unwrap_or(f64::NAN);
                assert!(number.is_finite(), "{name}: {key}={value:?}");
            }
            assert!(!value.contains("NaN") && !value.contains("inf"), "{name}: {key}={value:?}");
        }
    }
    texts
}

#[test]
fn every_moment_of_every_game_is_well_formed() {
    for (name, replay) in replays() {
        for perspective in perspectives(&replay) {
            let film = filmed(&replay, perspective);
            let name = format!("{name}, {perspective:?}");
            let mut board = film.board;
            check(&name, &board.markup());
            let ids: BTreeSet<String> = board.ids().map(String::from).collect();
            for (number, frame) in film.frames.iter().enumerate() {
                for change in &frame.changes {
                    assert!(ids.contains(&change.id), "{name}: a change of {}", change.id);
                }
                board.apply(frame);
                // Each document takes milliseconds, and neighbours differ little.
                if number % 25 == 0 || number + 1 == film.frames.len() {
                    check(&format!("{name}, {}", frame.caption), &board.picture(Theme::Dark));
                }
            }
            let json: serde_json::Value =
                serde_json::from_str(&frames_as_json(&film.frames)).expect("frames are JSON");
            assert_eq!(json.as_array().map(Vec::len), Some(film.frames.len()));
        }
    }
}

#[test]
fn frames_one_after_another_lead_where_a_picture_begins() {
    for (name, replay) in replays() {
        for perspective in [Perspective::Spectator, Perspective::Seat("2"), Perspective::Truth] {
            let film = filmed(&replay, perspective);
            let mut board = film.board;
            let step = film.frames.len() / 2 + 1;
            for (number, frame) in film.frames.iter().enumerate() {
                board.apply(frame);
                if number % step != 0 && number + 1 != film.frames.len() {
                    continue;
                }
                let direct = drawn(&replay, perspective, Some(frame.turn)).expect("a decision");
                let is_last = number + 1 == film.frames.len();
                // A picture before the end does not know whether the replay has one.
                if !(film.unfinished && is_last) {
                    assert_eq!(direct.caption, frame.caption, "{name}");
                }
                assert!(direct.svg == board.picture(Theme::Light), "{name}, {}", frame.caption);
            }
            board.reset();
            let first = filmed(&replay, perspective).board;
            assert!(board.markup() == first.markup(), "{name}");
        }
    }
}

#[test]
fn names_stay_text_and_characters_that_act_unseen_are_visible() {
    const NAMES: [&str; 4] = [
        "<script>alert(1)</script>",
        "\"/><svg onload='x()'>&amp;",
        "\u{202e}evil\u{1b}[31m\u{0}\u{200b}",
        "]]>--><!-- \u{ffff}",
    ];
    for player in NAMES {
        for name in ["scotland-yard", "draughts", "dice-wars", "connect-four", "liars-dice"] {
            let replay = Recording { player, stop: 4, ..game(name) }.at_random();
            let picture = drawn(&replay, Perspective::Spectator, None).expect("can be drawn");
            let texts = check(name, &picture.svg).concat();
            let begin: String = player.chars().take(5).filter(|c| c.is_ascii_graphic()).collect();
            assert!(texts.contains(&begin), "{name}: no {begin:?} in {texts}");
            for unseen in ['\u{202e}', '\u{1b}', '\u{0}', '\u{200b}', '\u{ffff}'] {
                assert!(!picture.svg.contains(unseen), "{name}: {unseen:?}");
            }
            assert!(!picture.svg.contains("<script") && !picture.svg.contains("onload='"));
            let film = filmed(&replay, Perspective::Spectator);
            assert!(!frames_as_json(&film.frames).contains('<'), "{name}");
        }
    }
}

#[test]
fn pictures_have_no_custom_properties_and_pages_have() {
    let replay = game("connect-four").at_random();
    let film = filmed(&replay, Perspective::Spectator);
    for theme in [Theme::Light, Theme::Dark] {
        let svg = film.board.picture(theme);
        assert!(!svg.contains("var("));
        assert!(svg.contains(&format!("class=\"botyard {}\"", theme.name())));
    }
    assert_ne!(film.board.picture(Theme::Light), film.board.picture(Theme::Dark));
    assert!(film.board.markup().contains("fill:var(--paper)"));
}

/// How many shapes and texts a bot has drawn on a picture.
fn drawn_by_bots(svg: &str) -> (usize, usize) {
    (svg.matches("class=\"bot-edge\"").count(), svg.matches("class=\"bot\"").count())
}

#[test]
fn marks_of_bots_are_over_the_position_after_their_move() {
    // Each has an arrow, which is a line and a head, a circle with a text, and one on no place of the board.
    for (name, draw) in [
        (
            "draughts",
            r#"[{"arrow":[11,"15",18],"color":"red"},{"point":32,"text":"<b>"},{"point":33}]"#,
        ),
        (
            "dice-wars",
            r#"[{"arrow":[1,2]},{"point":"34","text":0.4},{"point":35},{"point":[1,1]}]"#,
        ),
        (
            "connect-four",
            r#"[{"arrow":[1,[7,6]]},{"point":"4","text":"x"},{"point":8},{"point":[1,7]}]"#,
        ),
        (
            "liars-dice",
            r#"[{"arrow":["player-1","player-2"]},{"point":"player-1","text":"x"},{"point":1}]"#,
        ),
        (
            "scotland-yard",
            r#"[{"arrow":[1,199]},{"point":"5","text":"x"},{"point":0},{"point":200}]"#,
        ),
    ] {
        let replay = Recording { draw: Some(draw), stop: 40, ..game(name) }.at_random();
        let film = filmed(&replay, Perspective::Truth);
        let mut pictures = 0;
        for (frame, svg) in film.frames.iter().zip(film.pictures(Theme::Dark)) {
            check(name, &svg);
            let has_marks = frame
                .changes
                .iter()
                .any(|change| change.id.starts_with("marks-") && change.visible == Some(true));
            let expected = if has_marks { (3, 1) } else { (0, 0) };
            assert_eq!(drawn_by_bots(&svg), expected, "{name}, {}", frame.caption);
            let alone = drawn(&replay, Perspective::Truth, Some(frame.turn)).expect(name);
            assert_eq!(drawn_by_bots(&alone.svg), expected, "{name}, {}", frame.caption);
            pictures += usize::from(has_marks);
        }
        assert!(pictures > 0, "{name}");
        let own = drawn(&replay, Perspective::Spectator, Some(1)).expect(name);
        let is_hidden = ["scotland-yard", "liars-dice"].contains(&name);
        if is_hidden {
            assert_eq!(drawn_by_bots(&own.svg), (0, 0), "{name}");
        }
    }
    let draw = Some(r#"[{"point":5,"text":"I am here"}]"#);
    let replay = Recording { draw, ..game("scotland-yard") }.at_random();
    for (seat, is_shown) in [("mr-x", true), ("detectives", false)] {
        let picture = drawn(&replay, Perspective::Seat(seat), Some(1)).expect(seat);
        assert_eq!(picture.svg.contains("I am here"), is_shown, "{seat}");
        assert_eq!(picture.svg.contains("bot-edge"), is_shown, "{seat}");
    }
}

/// Returns the number of an attribute, or the two of a `translate`, of the element with this ID.
fn numbers(svg: &Document, id: &str, key: &str) -> Vec<f64> {
    let node = svg.descendants().find(|node| node.attribute("id") == Some(id)).expect(id);
    let value = node.attribute(key).unwrap_or_default();
    let value = value.trim_start_matches("translate(").trim_end_matches(')');
    value.split_whitespace().map(|number| number.parse().expect("a number")).collect()
}

#[test]
fn nothing_hides_what_a_picture_is_about() {
    let mut caught = 0;
    for seed in 1..=10 {
        let rules = (Some("grid-5x5-2"), &[][..]);
        let replay = Recording { rules, seed, ..game("scotland-yard") }.at_random();
        let film = filmed(&replay, Perspective::Truth);
        let last = film.pictures(Theme::Light).last().expect("a picture");
        // The last move is drawn over the cells of the grid.
        let order = |id: &str| last.rfind(&format!("id=\"{id}")).expect("an element");
        assert!(order("last-move\"") > order("station-"), "seed {seed}");
        if !film.frames.last().expect("a frame").caption.contains("caught") {
            continue;
        }
        caught += 1;
        // Mr. X and the detective who caught him stand beside each other.
        let svg = Document::parse(&last).expect("XML");
        let [x, one, two] =
            ["mr-x", "detective-1", "detective-2"].map(|pawn| numbers(&svg, pawn, "transform"));
        for (pawn, other) in [(&x, &one), (&x, &two), (&one, &two)] {
            let apart = (pawn[0] - other[0]).hypot(pawn[1] - other[1]);
            assert!(apart > 10.0, "seed {seed}: {pawn:?} and {other:?}");
        }
    }
    assert!(caught > 0);
    // The label of an area is below the number of its dice.
    let replay = Recording { stop: 1, ..game("dice-wars") }.at_random();
    let picture = drawn(&replay, Perspective::Truth, None).expect("a picture").svg;
    let size: f64 = picture
        .split_once("text.label{fill:")
        .and_then(|(_, style)| style.split_once("font-size:")?.1.split_once("px"))
        .and_then(|(size, _)| size.parse().ok())
        .expect("the size of labels");
    let svg = Document::parse(&picture).expect("XML");
    for area in 1..=34 {
        let [label, dice] =
            ["label", "dice"].map(|what| numbers(&svg, &format!("{what}-{area}"), "y")[0]);
        assert!(label - size >= dice, "area {area}: {label} and {dice}");
    }
}
