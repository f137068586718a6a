//! A class whose teams submit at once: all versions are judged, and one whose bot sleeps holds up no other.

use crate::command::Desk;
use crate::serve::{Served, archive, class_of, good, submit};
use botyard_testkit::http::Visitor;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// The limit of any wait, longer than the busiest machine takes.
const PATIENCE: Duration = Duration::from_secs(1800);

/// The conditions of a class in a course, with a gate of eight games.
const EVENT: &str = "game = \"connect-four\"\n[time]\nmove_ms = 1000\n[gate]\nagainst = [\"random\"]\n\
                     [[bot]]\nname = \"reference one\"\ncommand = \"random:seed=1\"\n\
                     [[bot]]\nname = \"reference two\"\ncommand = \"random:seed=2\"\n";

/// A bot in C that plays the first legal action.
const IN_C: &str = r#"
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *line = NULL;
  size_t size = 0;
  while (getline(&line, &size, stdin) > 0) {
    if (strstr(line, "\"type\":\"hello\"")) puts("{\"type\":\"hello\",\"protocol\":1,\"name\":\"c\",\"version\":\"1\"}");
    else if (strstr(line, "\"type\":\"start\"")) puts("{\"type\":\"ready\"}");
    else if (strstr(line, "\"type\":\"turn\"")) {
      char *turn = strstr(line, "\"turn\":"), *legal = strstr(line, "\"legal\":[");
      while (turn && turn[7] == '"') turn = strstr(turn + 7, "\"turn\":");
      printf("{\"type\":\"move\",\"turn\":%d,\"action\":", turn ? atoi(turn + 7) : 0);
      if (legal) for (legal += 9; *legal != ',' && *legal != ']'; legal++) putchar(*legal);
      else putchar('3');
      puts("}");
    } else if (strstr(line, "\"type\":\"quit\"")) break;
    fflush(stdout);
  }
  return 0;
}
"#;

/// Returns the archive of the bot with this number: interpreted, or compiled every third time.
fn numbered(number: usize) -> Vec<u8> {
    match number % 3 {
        0 => archive("run = './bot'\nbuild = ['cc -O1 -o bot bot.c']\n", "", &[("bot.c", IN_C)]),
        1 => good("m['legal'][-1]"),
        _ => good("m['legal'][len(m['legal']) // 2]"),
    }
}

/// Starts a class of this many teams more, each of a student with the password of another one.
fn class(desk: &Desk, teams: usize) -> (Served, Vec<Visitor>) {
    let served = class_of(desk, EVENT);
    std::fs::write(desk.path("class/joined"), "").expect("it is ours");
    served.kill();
    let database = rusqlite::Connection::open(desk.path("class/site.db")).expect("a database");
    for number in 1..=teams {
        let add = |sql: &str| {
            database.execute(sql, [format!("10{number}"), format!("team {number}")]).expect("a row")
        };
        add("INSERT INTO teams(name) SELECT ?2 WHERE ?1 <> ''");
        add("INSERT INTO people(student_id, name, role, team, password, created_at) \
             SELECT ?1, 'Student ' || ?1, role, (SELECT id FROM teams WHERE name = ?2), password, created_at \
             FROM people WHERE student_id = '1'");
    }
    drop(database);
    let served = Served::start(desk);
    let signed_in = (1..=teams).map(|number| served.signed_in(&format!("10{number}"))).collect();
    (served, signed_in)
}

/// The states of a submission without a verdict.
const WITHOUT_VERDICT: [&str; 2] = ["queued", "working"];

/// Waits until this holds for the team and the state of every submission, in the order of submission, and returns
/// them.
fn await_states(desk: &Desk, holds: impl Fn(&[(String, String)]) -> bool) -> Vec<(String, String)> {
    let begun = Instant::now();
    let path = desk.path("class/site.db");
    loop {
        let database = rusqlite::Connection::open(&path).expect("a database");
        let sql = "SELECT teams.name, state FROM submissions JOIN teams ON teams.id = team \
                   ORDER BY submissions.id";
        let mut found = database.prepare(sql).expect("a table");
        let rows = found.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("rows");
        let states: Vec<(String, String)> = rows.map(|row| row.expect("a row")).collect();
        if holds(&states) {
            return states;
        }
        assert!(begun.elapsed() < PATIENCE, "{states:?}");
        std::thread::sleep(Duration::from_millis(500));
    }
}

/// Waits until every version has a verdict, and returns the teams that one was accepted of.
fn await_verdicts(desk: &Desk) -> BTreeSet<String> {
    let are_judged = |states: &[(String, String)]| {
        states.iter().all(|(_, state)| !WITHOUT_VERDICT.contains(&&**state))
    };
    let judged = await_states(desk, are_judged).into_iter();
    judged.filter_map(|(team, state)| (state == "accepted").then_some(team)).collect()
}

#[test]
fn a_class_that_submits_at_once_is_judged_in_turn_beside_a_bot_that_sleeps() {
    const TEAMS: usize = 8;
    let desk = Desk::new();
    let (_served, mut teams) = class(&desk, TEAMS);
    let sleeps = archive("run = 'sleep 1000'\nbuild = ['sleep 250']\n", "", &[]);
    submit(&mut teams[0], &sleeps);
    await_states(&desk, |states| states.iter().any(|(_, state)| state == "working"));
    // A team that submits again and again has one turn.
    for number in [3, 1, 2] {
        submit(&mut teams[1], &numbered(number));
    }
    for (index, team) in teams.iter_mut().enumerate().skip(2) {
        submit(team, &numbered(index));
    }
    // One verdict is enough to show that the sleeper holds up no other; more of them may take longer than it sleeps.
    let accepted = |(_, state): &(String, String)| state == "accepted";
    let states = await_states(&desk, |states| states.iter().any(accepted));
    assert_eq!(states[0].1, "working", "the first still sleeps: {states:?}");
    // It is cancelled, and ends.
    let page = teams[0].get("/team").text;
    let at = page.split("href=\"/submissions/").nth(1).and_then(|rest| rest.split('"').next());
    let page = format!("/submissions/{}", at.expect("a version"));
    let reply = teams[0].post(&format!("{page}/cancel"), &[("reason", "it sleeps")]);
    assert_eq!(reply.status, 303, "{}", reply.text);
    let accepted = await_verdicts(&desk);
    assert!(teams[0].get(&page).text.contains("cancelled"));
    let others = (2..=TEAMS).map(|number| format!("team {number}"));
    assert_eq!(accepted, others.collect());
}

/// `cargo test --release --workspace --test system -- --ignored --nocapture a_hundred_submissions`
#[test]
#[ignore = "a measurement of minutes"]
fn a_hundred_submissions_before_a_deadline() {
    let number = std::env::var("BOTYARD_SUBMISSIONS").ok().and_then(|it| it.parse().ok());
    let (number, desk) = (number.unwrap_or(100), Desk::new());
    let begun = Instant::now();
    let (_served, mut teams) = class(&desk, number);
    println!("{number} teams joined in {:.0} s", begun.elapsed().as_secs_f64());
    let begun = Instant::now();
    for (index, team) in teams.iter_mut().enumerate() {
        submit(team, &numbered(index));
    }
    println!("submitted in {:.0} s", begun.elapsed().as_secs_f64());
    let accepted = await_verdicts(&desk).len();
    let database = rusqlite::Connection::open(desk.path("class/site.db")).expect("a database");
    let value =
        |sql: &str| database.query_row(sql, [], |row| row.get::<_, f64>(0)).expect("a number");
    println!(
        "{accepted} of {number} accepted, all judged within {:.0} s of the first submission; a trial took {:.1} s on \
         average, {:.1} s at most; {:.0} games of the ladder meanwhile",
        begun.elapsed().as_secs_f64(),
        value("SELECT AVG(took_ms) / 1000.0 FROM submissions"),
        value("SELECT MAX(took_ms) / 1000.0 FROM submissions"),
        value("SELECT CAST(COUNT(*) AS REAL) FROM games"),
    );
    assert_eq!(accepted, number);
}
