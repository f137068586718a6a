//! A person who plays in the browser against bots of a class, over HTTP as the page does, with real bots.

use crate::command::Desk;
use crate::play_in_browser::Events;
use crate::processes::{Processes, pid_of};
use crate::serve::{EVENT, Served, class_of, good, submit, wait_for};
use botyard_testkit::http::Visitor;
use rustix::process::{Signal, kill_process};
use serde_json::{Value, json};

const PLAY: &str = "/practice/play";

/// A game in which each player sees the own dice alone. Bots get no list of legal actions.
const HIDDEN: &str = "game = \"liars-dice\"\n[run]\nlegal = false\n[time]\nmove_ms = 30000\n[gate]\nagainst = [\"random\"]\n\
                      [[bot]]\nname = \"reference one\"\ncommand = \"random:seed=1\"\n\
                      [[bot]]\nname = \"reference two\"\ncommand = \"random:seed=2\"\n";

/// Returns the number of the bot on the page *Practice* whose option has this text.
fn number_of(visitor: &mut Visitor, text: &str) -> Option<String> {
    let page = visitor.get("/practice").text;
    let form = page.split("id=\"bot\"").nth(1).expect("a form").split("</select>").next();
    let options = form.expect("options").split("<option value=\"").skip(1);
    let mut found = options.filter(|option| option.contains(text));
    found.next().and_then(|option| option.split('"').next()).map(String::from)
}

/// Begins a game. Returns the status, and what the page says.
fn begin(visitor: &mut Visitor, bot: &str, seat: &str) -> (u16, String) {
    let reply = visitor.post(PLAY, &[("bot", bot), ("seat", seat)]);
    match reply.status {
        303 => (303, reply.header("location").to_string()),
        status => (status, reply.text),
    }
}

fn begun(visitor: &mut Visitor, bot: &str, seat: &str) -> Events {
    assert_eq!(begin(visitor, bot, seat), (303, PLAY.to_string()));
    Events::new(visitor.follow(&format!("{PLAY}/events")))
}

/// Sends a command as the page does.
fn send(visitor: &mut Visitor, command: &Value) -> (u16, String) {
    let reply = visitor.post(&format!("{PLAY}/do"), &[("command", &command.to_string())]);
    (reply.status, reply.text)
}

fn done(visitor: &mut Visitor, command: &Value) {
    assert_eq!(send(visitor, command), (204, String::new()), "{command}");
}

fn refused(visitor: &mut Visitor, command: &Value, reason: &str) {
    let (status, said) = send(visitor, command);
    assert!(status == 409 && said.contains(reason), "{command}: {status} {said}");
}

/// Submits a bot, and waits until it plays.
fn plays(visitor: &mut Visitor, answer: &str) {
    let page = submit(visitor, &good(answer));
    let verdict = wait_for(visitor, &page, &[">plays<", ">rejected<"]);
    assert!(verdict.contains(">plays<"), "{verdict}");
}

/// Collects the cups of all views: the dice of each seat, null where they are hidden.
fn cups_in(value: &Value, cups: &mut Vec<Value>) {
    if let Some(its) = value.get("cups") {
        cups.push(its.clone());
    }
    match value {
        Value::Array(all) => all.iter().for_each(|its| cups_in(its, cups)),
        Value::Object(all) => all.values().for_each(|its| cups_in(its, cups)),
        _ => {}
    }
}

/// Returns the data of a page with a game.
fn data_of(page: &str) -> Value {
    let data = page.split("id=\"replay\">").nth(1).and_then(|rest| rest.split("</script>").next());
    serde_json::from_str(data.unwrap_or_else(|| panic!("no data: {page}"))).expect("JSON")
}

/// Ends the site by a signal, and waits until everything that it started has ended.
fn end(mut served: Served) {
    let started = Processes::started_by(&served.child);
    kill_process(pid_of(&served.child), Signal::TERM).expect("it runs");
    served.child.wait().expect("it ends");
    started.wait_until_gone();
}

#[test]
fn a_member_plays_against_the_bot_of_the_team_and_nothing_is_stored() {
    let desk = Desk::new();
    let served = class_of(&desk, EVENT);
    let (mut anna, mut cy) = (served.signed_in("1"), served.signed_in("3"));
    assert_eq!(anna.get(PLAY).header("location"), "/practice", "there is no game");
    assert!(number_of(&mut anna, "your own").is_none(), "there is no version yet");
    plays(&mut anna, "m['legal'][0]");
    let own = number_of(&mut anna, "your own, version 1").expect("the own bot");
    for (bot, seat, reason) in [
        ("", "red", "Choose a bot."),
        ("999", "red", "This bot does not play"),
        ("level:11", "red", "This bot does not play"),
        (own.as_str(), "green", "Choose a seat."),
    ] {
        let (status, said) = begin(&mut anna, bot, seat);
        assert!(status == 400 && said.contains(reason), "{bot} {seat}: {status} {said}");
    }

    let level = number_of(&mut anna, "Level 4").expect("a level");
    let mut events = begun(&mut anna, &level, "yellow");
    assert_eq!(events.asked(0).state["seats"][1]["player"], "level:4");
    assert_eq!(anna.post(&format!("{PLAY}/end"), &[]).header("location"), "/practice");

    let mut events = begun(&mut anna, &own, "red");
    let page = anna.get(PLAY);
    assert!(page.header("content-security-policy").contains("script-src 'self';"), "{}", page.head);
    assert!(
        page.text.contains("<script type=\"module\" src=\"/assets/play.js\">"),
        "{}",
        page.text
    );
    assert!(anna.get("/assets/play.js").text.contains("EventSource"));
    let (status, said) = begin(&mut anna, &own, "red");
    assert!(status == 400 && said.contains("You play a game already"), "{status} {said}");
    assert!(anna.get("/practice").text.contains("Continue the game"));

    // The bot began, in the first column.
    let first = events.asked(0);
    assert_eq!((first.about["own"].clone(), first.positions.len()), (json!(["red"]), 2));
    assert!(first.about["seed"].is_null(), "{}", first.about);
    // The conditions are those of the ladder.
    let results = wait_for(&mut anna, "/teams/1", &["/games/"]);
    let game = results.split("/games/").nth(1).and_then(|rest| rest.split('"').next());
    let ladder = data_of(&anna.get(&format!("/games/{}", game.expect("a link"))).text);
    for key in ["game", "rules", "time_control", "sandbox"] {
        assert_eq!(first.about[key], ladder[key], "{key}");
    }
    assert_eq!(first.state["offers"], json!({"undo": true, "hints": false}));
    assert_eq!(first.state["seats"][0]["player"], "Team 1 v1");
    refused(&mut anna, &first.order("hint"), "hints are not available");
    refused(&mut anna, &first.play(&json!("nonsense")), "is illegal");
    refused(&mut anna, &json!({"do": "new", "seats": ["red", "yellow"]}), "Choose one seat.");
    assert_eq!(send(&mut anna, &json!({"do": "win"})).0, 400);
    let reply = anna.post_with(&format!("{PLAY}/do"), "0123", &[("command", "{}")]);
    assert_eq!(reply.status, 403, "the token of the form is missing");

    // It is the game of this person alone.
    refused(&mut cy, &first.order("resign"), "This game has ended");
    assert_eq!(cy.get(PLAY).header("location"), "/practice");
    let mut others = Events::new(cy.follow(&format!("{PLAY}/events")));
    assert_eq!(others.next(), Some(("bye".into(), "bye".into())));

    done(&mut anna, &first.play(&first.legal()[0]));
    let second = events.asked(2);
    assert_eq!(second.positions.len(), 4, "the person's move and the bot's answer");
    done(&mut anna, &second.order("undo"));
    let again = events.asked(4);
    assert_eq!((again.positions.len(), again.legal()), (2, first.legal()));
    assert_eq!(anna.get(&format!("{PLAY}/replay")).status, 400, "the game is not over");
    done(&mut anna, &again.order("resign"));
    let over = events.until(|state| state["has_replay"] == true);
    assert_eq!(over.state["has_resigned"], true);
    let replay = anna.get(&format!("{PLAY}/replay"));
    assert!(replay.status == 200 && replay.text.starts_with("<!doctype html>"), "{}", replay.head);

    // Another game with the other seat, which ends with all that it started.
    done(&mut anna, &json!({"do": "new", "seats": ["yellow"]}));
    let swapped = events.until(|state| state["question"]["seat"] == "yellow");
    assert_eq!(swapped.positions.len(), 1);
    let started = Processes::once_running(&served.child, "relay", 1);
    assert_eq!(anna.post(&format!("{PLAY}/end"), &[]).status, 303);
    while let Some((kind, _)) = events.next() {
        assert!(["game", "positions", "state", "bye"].contains(&kind.as_str()), "{kind}");
    }
    started.without_launchers().wait_until_gone();
    refused(&mut anna, &swapped.order("resign"), "This game has ended");

    // One that runs when the site ends.
    begun(&mut anna, &own, "yellow").asked(0);
    end(served);
    let database = rusqlite::Connection::open(desk.path("class/site.db")).expect("a database");
    let count =
        |sql: &str| database.query_row(sql, [], |row| row.get::<_, i64>(0)).expect("a number");
    assert_eq!(count("SELECT COUNT(*) FROM events"), 1, "there is the ladder alone");
    assert_eq!(count("SELECT COUNT(*) FROM challenges"), 0);
    let left = "SELECT COUNT(*) FROM seats WHERE entrant NOT IN (SELECT id FROM entrants)";
    assert_eq!(count(left), 0);
}

#[test]
fn a_bot_of_another_team_plays_if_its_team_allows_it_and_says_nothing() {
    let desk = Desk::new();
    let served = class_of(&desk, EVENT);
    let (mut anna, mut ben) = (served.signed_in("1"), served.signed_in("2"));
    // It says what its own team alone may read.
    plays(&mut ben, "m['legal'][0], 'info': {'depth': 7, 'secret': 1}");
    let hidden = number_of(&mut ben, "your own").expect("the own bot");
    assert!(number_of(&mut anna, "Team 2").is_none(), "it is not listed");
    let (status, said) = begin(&mut anna, &hidden, "red");
    assert!(status == 400 && said.contains("does not allow practice"), "{status} {said}");

    assert_eq!(ben.post("/practice/allow", &[("allow", "yes")]).status, 303);
    assert_eq!(number_of(&mut anna, "Team 2").as_ref(), Some(&hidden));
    let mut events = begun(&mut anna, &hidden, "red");
    let first = events.asked(0);
    let said = format!("{first:?}");
    assert!(!said.contains("depth") && !said.contains("secret"), "{said}");
    done(&mut anna, &first.order("resign"));
    events.until(|state| state["has_replay"] == true);
    let replay = anna.get(&format!("{PLAY}/replay")).text;
    assert!(replay.contains("connect-four") && !replay.contains("\"secret\""), "{replay}");

    // The own bot does say it to its team.
    let said = format!("{:?}", begun(&mut ben, &hidden, "red").asked(0));
    assert!(said.contains("depth 7"), "{said}");

    // A game that has begun lasts; another one is not begun.
    assert_eq!(ben.post("/practice/allow", &[("allow", "no")]).status, 303);
    refused(&mut anna, &json!({"do": "new", "seats": ["red"]}), "does not allow practice");
    end(served);
}

#[test]
fn a_person_sees_the_own_seat_alone_and_a_killed_site_leaves_no_bot() {
    let desk = Desk::new();
    let mut served = class_of(&desk, HIDDEN);
    let mut anna = served.signed_in("1");
    let reference = number_of(&mut anna, "reference one").expect("a reference");
    let seat = "player-1";
    let mut events = begun(&mut anna, &reference, seat);
    let asked = events.asked(0);
    assert!(asked.about["seed"].is_null(), "{}", asked.about);
    assert!(!asked.legal().is_empty(), "the person is offered the legal actions: {}", asked.state);
    let keys = asked.about["perspectives"].as_array().expect("perspectives").iter();
    assert_eq!(keys.map(|its| its["key"].clone()).collect::<Vec<_>>(), [json!(seat)]);
    let mut cups = Vec::new();
    asked.positions.values().for_each(|position| cups_in(position, &mut cups));
    assert!(
        !cups.is_empty() && cups.iter().all(|cups| cups[0].is_array() && cups[1].is_null()),
        "{cups:?}"
    );
    done(&mut anna, &asked.order("resign"));
    events.until(|state| state["has_replay"] == true);
    let data = data_of(&anna.get(&format!("{PLAY}/replay")).text);
    assert_eq!(data["perspectives"].as_array().map(Vec::len), Some(1), "{}", data["perspectives"]);
    assert!(data["seed"].is_null(), "{}", data["seed"]);

    done(&mut anna, &json!({"do": "new", "seats": [seat]}));
    events.asked(0);
    let started = Processes::once_running(&served.child, "relay", 1);
    served.child.kill().expect("it runs");
    served.child.wait().expect("it ends");
    started.wait_until_gone();
    drop(served);
}
