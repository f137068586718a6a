//! The site of a class whose game is a program: its copy, its checks before a game is played, and its failures.

use crate::command::{Desk, repository};
use crate::processes::Processes;
use crate::serve::{Served, class_of, good, submit, wait_for};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The limit of any wait, longer than the busiest machine takes.
const PATIENCE: Duration = Duration::from_secs(900);

const EVENT: &str = "game = \"../tic-tac-toe\"\n[time]\nmove_ms = 30000\n[gate]\nagainst = [\"random\"]\n\
                     blocks = 1\n[[bot]]\nname = \"one\"\ncommand = \"random:seed=1\"\n\
                     [[bot]]\nname = \"two\"\ncommand = \"random:seed=2\"\n";

const PROGRAM: &str = "examples/games/tic-tac-toe/game.py";

/// Makes a directory with tic-tac-toe, in which these texts are replaced.
fn game(desk: &Desk, replaced: &[(&str, &str)]) {
    let directory = desk.path("tic-tac-toe");
    fs::create_dir_all(&directory).unwrap();
    let mut program = fs::read_to_string(repository(PROGRAM)).unwrap();
    for (text, other) in replaced {
        assert!(program.contains(text), "{text}");
        program = program.replace(text, other);
    }
    fs::write(directory.join("game.py"), program).unwrap();
    fs::copy(repository("examples/games/tic-tac-toe/game.toml"), directory.join("game.toml"))
        .unwrap();
    fs::write(directory.join("README.md"), "# How to win\n\nThree in a <b>row</b>.\n").unwrap();
}

/// Starts the class again, which may be running.
fn again(desk: &Desk, served: Served) -> Served {
    fs::write(desk.path("class/joined"), "").unwrap();
    served.kill();
    Served::start(desk)
}

/// Returns the text between two others.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let rest = text.split_once(before).unwrap_or_else(|| panic!("{before}: {text}")).1;
    rest.split_once(after).unwrap_or_else(|| panic!("{after}: {text}")).0
}

fn digest_of(page: &str) -> String {
    let rest = page.split_once("digest of the game").expect("a digest").1;
    between(rest, "<code>", "</code>").to_string()
}

/// Returns the address of the newest game of a team.
fn newest_game(page: &str) -> String {
    format!("/games/{}", between(page, "/games/", "\""))
}

fn unpack(archive: &[u8], into: &Path) {
    let mut command = Command::new("tar");
    let mut child = command.arg("xz").current_dir(into).stdin(Stdio::piped()).spawn().expect("tar");
    child.stdin.take().expect("a pipe").write_all(archive).expect("it reads");
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn an_event_is_played_with_its_copy_and_students_get_the_same_game() {
    let desk = Desk::new();
    game(&desk, &[]);
    let served = class_of(&desk, EVENT);
    let (mut anna, mut tea) = (served.signed_in("1"), served.signed_in("9"));
    let desk_page = wait_for(&mut tea, "/desk", &["passed its checks"]);
    assert!(desk_page.contains("22 passed, 0 failed, 5 skipped"), "{desk_page}");
    let page = submit(&mut anna, &good("m['legal'][0]"));
    let log = wait_for(&mut anna, &page, &[">plays<", ">rejected<"]);
    assert!(log.contains(">plays<") && log.contains("--game ./tic-tac-toe\n"), "{log}");

    let rules = anna.get("/rules").text;
    for part in [
        "Three in a row on three by three cells",
        "<h3>How to win</h3>",
        "Three in a &lt;b&gt;row&lt;/b&gt;",
        "botyard match ./tic-tac-toe ./mybot random",
    ] {
        assert!(rules.contains(part), "{part}: {rules}");
    }
    let digest = digest_of(&rules);

    // At home, the file names the game beside it, and the game is the same.
    let home = desk.path("home");
    fs::create_dir(&home).unwrap();
    let file = anna.get("/event.toml").text;
    assert!(file.starts_with("game = \"./tic-tac-toe\"\n[time]"), "{file}");
    fs::write(home.join("event.toml"), file).unwrap();
    unpack(&anna.get("/rules/bundle").body, &home);
    let run =
        desk.command(&["tournament", "run", "event.toml"]).current_dir(&home).spawn().unwrap();
    let run = crate::command::finish(run);
    assert_eq!(run.code, Some(0), "{run:#?}");
    let replays = home.join("event.tournament/replays");
    let below = fs::read_dir(replays).unwrap().next().unwrap().unwrap().path();
    let replay = fs::read_dir(below).unwrap().next().unwrap().unwrap().path();
    let header = fs::read_to_string(replay).unwrap();
    let header: Value = serde_json::from_str(header.lines().next().unwrap()).unwrap();
    assert!(header["game"].as_str().unwrap().contains(&digest), "{header}");

    // A change of the directory changes no event that has begun.
    let first = newest_game(&wait_for(&mut anna, "/teams/1", &["/games/"]));
    game(&desk, &[("import json, sys", "import json, sys  # Changed.")]);
    let served = again(&desk, served);
    let (mut anna, mut tea) = (served.signed_in("1"), served.signed_in("9"));
    let desk_page = tea.get("/desk").text;
    assert!(
        desk_page.contains("has changed. This event continues with its own copy"),
        "{desk_page}"
    );
    assert_eq!(digest_of(&anna.get("/event").text), digest);
    assert!(anna.get("/teams/1").text.contains("/games/"));

    // A changed file begins a new event with the changed game. Games of the old one are shown by their copy.
    fs::write(desk.path("class/event.toml"), format!("# Once more.\n{EVENT}")).unwrap();
    let served = again(&desk, served);
    let (mut anna, mut tea) = (served.signed_in("1"), served.signed_in("9"));
    wait_for(&mut tea, "/desk", &["passed its checks"]);
    assert_ne!(digest_of(&anna.get("/event").text), digest);
    wait_for(&mut anna, &page, &[">plays<"]);
    let shown = tea.get(&first);
    assert!(shown.status == 200 && shown.text.contains("tic-tac-toe"), "{}", shown.text);

    // A backup has what is needed: the directory of the game is not.
    desk.done(&["site", "backup", "class", "class.zip"]);
    served.kill();
    desk.done(&["site", "restore", "class.zip", "elsewhere/class"]);
    let command = desk.command(&["serve", "elsewhere/class", "--port", "0"]);
    let (served, _) = Served::of(&desk, command, false);
    wait_for(&mut served.signed_in("9"), "/desk", &["passed its checks"]);
}

#[test]
fn no_event_opens_with_a_game_that_fails_its_checks() {
    let desk = Desk::new();
    // Both seats get a point, which is more than the sum of the scores.
    game(&desk, &[("1 if seat == cells[a] else 0", "1")]);
    let served = class_of(&desk, EVENT);
    let (mut anna, mut tea) = (served.signed_in("1"), served.signed_in("9"));
    let page = submit(&mut anna, &good("m['legal'][0]"));
    let failed = wait_for(&mut tea, "/desk", &["did not pass its checks"]);
    assert!(
        failed.contains("FAILED  scores") && failed.contains("check failed: scores"),
        "{failed}"
    );
    assert!(failed.contains("-&gt; "), "it says what to do: {failed}");
    assert!(anna.get("/team").text.contains("The event is not open yet"));
    assert!(anna.get(&page).text.contains(">waits<"));
    assert_eq!(anna.post("/rules/resume", &[("reason", "please")]).status, 403);

    // The game is checked again on request, with the same verdict.
    assert_eq!(tea.post("/rules/resume", &[("reason", "once more")]).status, 303);
    wait_for(&mut tea, "/desk", &["did not pass its checks"]);
    assert!(tea.get("/audit").text.contains("had the game checked again"));

    // No game was played: the mended game takes its place.
    game(&desk, &[]);
    let served = again(&desk, served);
    let (mut anna, mut tea) = (served.signed_in("1"), served.signed_in("9"));
    wait_for(&mut tea, "/desk", &["passed its checks"]);
    wait_for(&mut anna, &page, &[">plays<"]);
    wait_for(&mut anna, "/teams/1", &["/games/"]);
}

#[test]
fn a_rules_program_that_fails_pauses_the_event_and_is_no_teams_fault() {
    let desk = Desk::new();
    game(&desk, &[]);
    let served = class_of(&desk, EVENT);
    let (mut anna, mut tea) = (served.signed_in("1"), served.signed_in("9"));
    let page = submit(&mut anna, &good("m['legal'][0]"));
    wait_for(&mut anna, &page, &[">plays<"]);
    wait_for(&mut anna, "/teams/1", &["/games/"]);
    let begun = Instant::now();
    let paused = loop {
        Processes::started_by(&served.child).kill_with("game.py");
        let text = tea.get("/desk").text;
        if text.contains("is paused") {
            break text;
        }
        assert!(begun.elapsed() < PATIENCE, "{text}");
    };
    assert!(paused.contains("the rules program") && paused.contains("SIGKILL"), "{paused}");
    assert!(anna.get("/team").text.contains("The event is paused"));
    // A version that comes meanwhile waits, and no attempt counts.
    let second = submit(&mut anna, &good("m['legal'][-1]"));
    let refused = anna.post("/practice/play", &[("bot", "1"), ("seat", "x")]);
    assert!(refused.status == 400 && refused.text.contains("not open"), "{}", refused.text);
    assert_eq!(tea.post("/rules/resume", &[("reason", "it was killed")]).status, 303);
    wait_for(&mut anna, &second, &[">plays<"]);
    wait_for(&mut anna, "/teams/1", &["Version 2 in the ladder"]);
    wait_for(&mut tea, "/desk", &["passed its checks"]);
    served.kill();
    let database = rusqlite::Connection::open(desk.path("class/site.db")).expect("a database");
    let count =
        |sql: &str| database.query_row(sql, [], |row| row.get::<_, i64>(0)).expect("a number");
    assert_eq!(
        count("SELECT COUNT(*) FROM blocks WHERE state = 'dropped' AND reason = 'challenge'"),
        0
    );
    assert_eq!(count("SELECT COUNT(*) FROM seats WHERE faults > 0"), 0);
}
