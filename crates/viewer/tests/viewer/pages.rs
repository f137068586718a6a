//! The page of a game: one file that loads nothing, in which texts stay texts, and which has nothing
//! that its seat did not see.

use crate::recording::{Recording, game, replays};
use botyard_engine::registry::{SetupError, UnknownGame};
use botyard_replay::{ReplayReader, export, registered_table};
use botyard_viewer::{Page, PageOptions, ViewError, page};
use serde_json::{Value, json};

/// The most that a page adds to its replay, in bytes.
const MOST: usize = 400_000;

#[test]
fn a_page_of_a_site_has_a_way_back_that_is_text() {
    let page = Page { html: "<a></a>\n<header class=\"top\">".into(), turns: 0, unfinished: false };
    let page = page.with_way_back("/teams/1?a=\"&b", "<Team>");
    assert_eq!(
        page.html,
        "<a></a>\n<nav class=\"back\" aria-label=\"Back\"><a href=\"/teams/1?a=&quot;&amp;b\">&lt;Team&gt;</a></nav>\n\
         <header class=\"top\">"
    );
}

fn options(seat: Option<&str>) -> PageOptions<'_> {
    PageOptions { seat, ..PageOptions::default() }
}

fn paged(replay: &[u8], seat: Option<&str>) -> Result<Page, ViewError> {
    let reader = ReplayReader::new(replay).map_err(|error| ViewError::Verify(error.into()))?;
    page(reader, &registered_table, &options(seat))
}

fn copy(replay: &[u8], seat: &str) -> Vec<u8> {
    let mut copy = Vec::new();
    let reader = ReplayReader::new(replay).expect("a replay");
    // A replay without an end is copied as far as it goes.
    let _ = export(reader, seat, &mut copy);
    copy
}

fn seats(replay: &[u8]) -> Vec<String> {
    let reader = ReplayReader::new(replay).expect("a replay");
    reader.header().seats.iter().map(|holder| holder.seat.clone()).collect()
}

/// The data of a page.
fn data(page: &Page) -> Value {
    let begin = "<script type=\"application/json\" id=\"replay\">";
    let from = page.html.find(begin).expect("the page has data") + begin.len();
    let text = page.html[from..].split("</script>").next().expect("the data ends");
    serde_json::from_str(text).expect("the data is JSON")
}

/// Applies a patch as `assets/record.js` does.
fn patched(old: &Value, patch: &Value) -> Value {
    if patch.is_null() {
        return old.clone();
    }
    if let Some(value) = patch.get("v") {
        return value.clone();
    }
    let mut new = old.clone();
    if let Some(changes) = patch["o"].as_object() {
        for key in patch["d"].as_array().into_iter().flatten() {
            let key = key.as_str().expect("a key is text");
            new.as_object_mut().expect("an object").remove(key);
        }
        for (key, change) in changes {
            new[key] = patched(old.get(key).unwrap_or(&Value::Null), change);
        }
        return new;
    }
    if let Some(edits) = patch["e"].as_array() {
        return edited(old.as_array().expect("an array"), edits);
    }
    let items = new.as_array_mut().expect("an array");
    items.resize(patch["l"].as_u64().expect("a length") as usize, Value::Null);
    for (index, change) in patch["i"].as_object().expect("items") {
        let index: usize = index.parse().expect("an index");
        items[index] = patched(&items[index], change);
    }
    new
}

/// Applies the edits of an array.
fn edited(mut old: &[Value], edits: &[Value]) -> Value {
    let mut new = Vec::new();
    for edit in edits {
        let count = match edit {
            Value::Array(inserted) => {
                new.extend(inserted.iter().cloned());
                continue;
            }
            Value::Number(count) => count.as_i64().expect("a whole number"),
            change => {
                new.push(patched(&old[0], change));
                -1
            }
        };
        let (done, rest) = old.split_at(count.unsigned_abs() as usize);
        if count > 0 {
            new.extend(done.iter().cloned());
        }
        old = rest;
    }
    Value::Array(new)
}

/// The views of a perspective, and what happened, by decision.
fn track(data: &Value, key: &str) -> Vec<(Value, Value)> {
    let all = data["perspectives"].as_array().expect("perspectives");
    let found = all.iter().find(|its| its["key"] == key).unwrap_or(&all[all.len() - 1]);
    let index = found["track"].as_u64().expect("a track") as usize;
    let mut view = Value::Null;
    let frames = data["tracks"][index]["frames"].as_array().expect("frames");
    let next = |frame: &Value| {
        view = patched(&view, &frame[0]);
        (view.clone(), frame.get(1).cloned().unwrap_or(json!([])))
    };
    frames.iter().map(next).collect()
}

/// Whether a view has nothing that the other one does not have.
fn is_part_of(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::Null, _) => true,
        (Value::Object(part), Value::Object(whole)) => part
            .iter()
            .all(|(key, value)| whole.get(key).is_some_and(|other| is_part_of(value, other))),
        (Value::Array(part), Value::Array(whole)) => {
            part.len() == whole.len() && part.iter().zip(whole).all(|(a, b)| is_part_of(a, b))
        }
        (part, whole) => part == whole,
    }
}

#[test]
fn every_replay_has_a_page_that_loads_nothing() {
    for (name, replay) in replays() {
        let made = paged(&replay, None).unwrap_or_else(|error| panic!("{name}: {error}"));
        let html = &made.html;
        let policy = html.split("http-equiv=\"Content-Security-Policy\" content=\"").nth(1);
        let policy = policy.and_then(|rest| rest.split('"').next()).expect("there is a policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
        assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
        assert_eq!(html.matches("<script").count(), 2, "{name}");
        for link in ["<link", "<img", "<iframe", " src=", "@import", "url(", "style=\""] {
            assert!(!html.contains(link), "{name}: {link}");
        }
        let most = replay.len() + MOST;
        assert!(html.len() <= most, "{name}: {} of {most} bytes", html.len());
        let data = data(&made);
        let turns = data["turns"].as_array().expect("turns");
        assert_eq!(turns.last().map(|turn| turn[0].as_u64()), Some(Some(made.turns.into())));
        for track in data["tracks"].as_array().expect("tracks") {
            assert_eq!(track["frames"].as_array().map(Vec::len), Some(turns.len()), "{name}");
        }
        // What is shown first hides the most.
        let first = &data["perspectives"][0]["key"];
        let hides = data["perspectives"].as_array().map_or(0, Vec::len) > 1;
        assert_eq!(first, if hides { "*" } else { "**" }, "{name}");
    }
}

#[test]
fn the_page_of_a_copy_shows_what_the_seat_saw_and_nothing_else() {
    let (mut same, mut all) = (0, 0);
    for (name, replay) in replays() {
        let whole = data(&paged(&replay, None).expect("a page"));
        for seat in seats(&replay) {
            let copy = copy(&replay, &seat);
            let of_copy = paged(&copy, None).unwrap_or_else(|e| panic!("{name}, {seat}: {e}"));
            let of_seat = paged(&replay, Some(&seat)).expect("a page");
            assert!(of_copy.html == of_seat.html, "{name}, {seat}");
            assert!(of_copy.html.len() <= copy.len() + MOST, "{name}: {}", of_copy.html.len());
            let (mine, its) = (track(&data(&of_copy), &seat), track(&whole, &seat));
            assert_eq!(mine.len(), its.len(), "{name}, {seat}");
            for (turn, (mine, its)) in mine.iter().zip(&its).enumerate() {
                assert_eq!(mine.1, its.1, "{name}, {seat}, {turn}");
                let (seen, sees) = (&mine.0, &its.0);
                assert!(is_part_of(seen, sees), "{name}, {seat}, {turn}: {seen} of {sees}");
                all += 1;
                same += usize::from(seen == sees);
            }
        }
    }
    // Only at the end of a game can a seat have seen more than its copy has.
    assert!(all > 2_000 && all - same < all / 50, "{same} of {all} views are the same");
}

/// Every value that `of` finds in a value or below it.
fn find<'a>(value: &'a Value, of: &dyn Fn(&'a Value) -> Option<&'a Value>) -> Vec<&'a Value> {
    let mut found: Vec<&Value> = of(value).into_iter().collect();
    match value {
        Value::Object(fields) => found.extend(fields.values().flat_map(|its| find(its, of))),
        Value::Array(items) => found.extend(items.iter().flat_map(|its| find(its, of))),
        _ => {}
    }
    found
}

#[test]
fn hidden_stations_and_the_texts_of_others_are_nowhere_in_the_page_of_a_seat() {
    let mut hidden = 0;
    for seed in 1..=6 {
        for rules in [Some("ravensburger"), Some("grid-7x7-3")] {
            let info = Some("token-of-seat-");
            let recording = Recording { seed, rules: (rules, &[]), info, ..game("scotland-yard") };
            let replay = recording.at_random();
            let made = paged(&replay, Some("detectives")).expect("a page");
            assert!(!made.html.contains("token-of-seat-1"), "Mr. X's info");
            assert!(made.html.contains("token-of-seat-2"), "the detectives' own info");
            assert!(paged(&replay, None).expect("a page").html.contains("token-of-seat-1"));
            let data = data(&made);
            assert_eq!(data["seed"], Value::Null);
            assert_eq!(data["perspectives"].as_array().map(Vec::len), Some(1));
            assert!(find(&data, &|its| its.get("seen")).is_empty());
            for opening in find(&data, &|its| its.get("mr_x").filter(|mr_x| !mr_x.is_object())) {
                assert!(opening.is_null(), "the opening shows {opening}");
            }
            let frames = track(&data, "detectives");
            for (view, happened) in &frames {
                let last = view["log"].as_array().and_then(|log| log.last());
                let is_shown = last.is_some_and(|entry| entry["reveal"] == true);
                if is_shown || view["over"] == "caught" {
                    continue;
                }
                hidden += 1;
                assert!(view["mr_x"]["station"].is_null(), "{view}");
                for action in happened.as_array().expect("events") {
                    let is_mr_x = action.get("ticket").is_some() && action["detective"].is_null();
                    assert!(!is_mr_x || action["to"].is_null(), "{action}");
                }
            }
            for entry in find(&data, &|its| its.get("reveal").map(|_| its)) {
                let is_shown = entry["reveal"] == true;
                assert!(is_shown || entry["station"].is_null(), "{entry}");
            }
        }
    }
    assert!(hidden > 300, "only {hidden} positions had something to hide");
}

#[test]
fn games_that_look_alike_to_a_seat_have_the_same_page_for_it() {
    let (one, other) = crate::alike::alike();
    let pages = |seat| [&one, &other].map(|replay| paged(replay, Some(seat)).expect("a page").html);
    let [a, b] = pages("detectives");
    assert!(a == b, "the pages of the detectives differ");
    let [a, b] = pages("mr-x");
    assert!(a != b, "the pages of Mr. X do not differ");
}

#[test]
fn texts_from_outside_stay_texts() {
    let long = "x".repeat(10_000);
    for player in [
        "</script><script>alert(1)</script>",
        "<!--<script>&amp;\"'",
        "\u{2028}\u{2029}\u{202e}evil\u{0}\u{1b}[31m",
        &long,
    ] {
        for name in ["scotland-yard", "draughts", "dice-wars", "connect-four", "liars-dice"] {
            let recording = Recording { player, info: Some(player), stop: 4, ..game(name) };
            let made = paged(&recording.at_random(), None).expect("a page");
            assert_eq!(made.html.matches("<script").count(), 2, "{name}");
            assert_eq!(made.html.matches("</script>").count(), 2, "{name}");
            assert!(!made.html.contains("<!--") && !made.html.contains('\u{2028}'), "{name}");
            assert_eq!(data(&made)["players"][0]["name"], format!("{player}1"), "{name}");
        }
    }
}

#[test]
fn an_unfinished_replay_has_a_page_and_a_damaged_one_is_refused_with_its_line() {
    for name in ["scotland-yard", "draughts", "dice-wars", "connect-four", "liars-dice"] {
        let replay = Recording { stop: 1, ..game(name) }.at_random();
        let made = paged(&replay, None).expect("a page");
        assert!(made.unfinished && data(&made)["unfinished"] == true, "{name}");
        assert!(paged(&replay, Some("1")).expect("a page").unfinished, "{name}");
    }
    let replay = String::from_utf8(game("draughts").at_random()).expect("a replay is UTF-8");
    assert!(!paged(replay.as_bytes(), None).expect("a page").unfinished);
    let mut lines: Vec<&str> = replay.lines().collect();
    lines.remove(5);
    for seat in [None, Some("white")] {
        let error = paged(lines.join("\n").as_bytes(), seat).expect_err("it is damaged");
        assert!(error.to_string().contains("line 6"), "{error}");
    }
}

#[test]
fn seats_that_a_replay_does_not_show_are_refused() {
    let replay = game("scotland-yard").at_random();
    let error = paged(&replay, Some("taxi")).expect_err("there is no such seat").to_string();
    assert!(error.contains("the seats of this game are mr-x, detectives"), "{error}");
    let copy = copy(&replay, "detectives");
    assert!(paged(&copy, Some("2")).is_ok());
    let error = paged(&copy, Some("mr-x")).expect_err("it is a copy").to_string();
    assert!(error.contains("a copy for the seat detectives"), "{error}");
}

#[test]
fn a_game_without_rules_here_is_shown_as_its_lines() {
    let replay = game("connect-four").at_random();
    let unknown = |name: &str, _: &Value| {
        Err(SetupError::Game(UnknownGame { name: name.to_string(), known: Vec::new() }))
    };
    let reader = ReplayReader::new(&replay[..]).expect("a replay");
    let data = data(&page(reader, &unknown, &options(None)).expect("a page"));
    let frames = track(&data, "**");
    assert!(frames.iter().all(|(view, _)| view.is_null()));
    assert!(frames[1].1[0]["column"].is_number(), "{}", frames[1].1);
}

#[test]
fn standard_error_is_shown_where_the_texts_of_its_player_are() {
    let replay = game("scotland-yard").at_random();
    let stderr = vec![(0, "said by the first".to_string()), (1, "said by the second".to_string())];
    let with = |seat| {
        let options = PageOptions { seat, stderr: stderr.clone(), ..PageOptions::default() };
        page(ReplayReader::new(&replay[..]).expect("a replay"), &registered_table, &options)
    };
    let all = with(None).expect("a page").html;
    assert!(all.contains("said by the first") && all.contains("said by the second"));
    let one = with(Some("detectives")).expect("a page").html;
    assert!(!one.contains("said by the first") && one.contains("said by the second"));
}

#[test]
fn marks_are_read_once_and_shown_where_the_info_is() {
    let draw = r#"[{"arrow":[5,"6"],"color":"red"},{"point":"token-place"},{"point":3,"color":"url(token-url)"}]"#;
    let replay = Recording { draw: Some(draw), ..game("scotland-yard") }.at_random();
    let whole = paged(&replay, None).expect("a page");
    let data = data(&whole);
    let marks = find(&data, &|its| its.get("marks"));
    assert_eq!(marks[0]["shown"][0], serde_json::json!({ "arrow": [5, "6"], "color": "#b5322c" }));
    assert_eq!(marks[0]["shown"].as_array().map(Vec::len), Some(2));
    assert!(
        marks[0]["notes"][0].as_str().is_some_and(|note| note.starts_with("info.draw[2].color: "))
    );
    assert!(find(&data, &|its| its.get("draw")).is_empty(), "they are not in the info, too");
    let others = paged(&replay, Some("detectives")).expect("a page").html;
    assert!(!others.contains("token-place") && !others.contains("token-url"), "Mr. X's marks");
    assert!(paged(&replay, Some("mr-x")).expect("a page").html.contains("token-place"));
}
