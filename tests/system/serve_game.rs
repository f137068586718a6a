//! The site of a class whose game is a program: its copy, its checks before a game is played, and its failures.

use crate::command::{BOTYARD, Desk, finish, repository};
use crate::processes::Processes;
use crate::serve::{Served, class_of, good, join, submit, wait_for};
use serde_json::Value;
use std::fs;
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
    let id = between(page, "/games/", "\"");
    // A link may lead to a decision of the game, or to its picture.
    format!("/games/{}", id.split(['#', '/']).next().unwrap())
}

/// Returns the commands of `class-with-your-own-game.md`, a block each.
fn page_blocks() -> Vec<String> {
    let page = fs::read_to_string(repository("docs/learn/class-with-your-own-game.md")).unwrap();
    page.split("```sh\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap().to_string())
        .collect()
}

/// Carries out commands of the page in a directory, with all the time that a busy machine may need.
fn carry_out(desk: &Desk, block: &str, directory: &Path) {
    let programs = Path::new(BOTYARD).parent().unwrap().display();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap());
    let slow = block.replace("move_ms = 1000", "move_ms = 30000");
    let slow = slow.replace("botyard match", "botyard match --move-time 30000");
    let mut shell = Command::new("sh");
    shell.args(["-ec", &slow]).current_dir(directory).env("PATH", path).env("HOME", desk.path(""));
    let ran = finish(shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    assert_eq!(ran.code, Some(0), "{block}: {ran:#?}");
}

/// Returns the archive of a directory.
fn zipped(directory: &Path) -> Vec<u8> {
    let mut command = Command::new("python3");
    command.args(["-m", "zipfile", "-c", "../it.zip", "."]).current_dir(directory);
    assert!(command.status().expect("python3").success());
    fs::read(directory.join("../it.zip")).unwrap()
}

#[test]
fn the_page_of_a_class_with_a_game_leads_to_a_ladder() {
    let [teacher, serve, student] = &page_blocks()[..] else { panic!("three blocks") };
    assert_eq!(serve, "botyard serve class\n");
    let desk = Desk::new();
    carry_out(&desk, teacher, &desk.path(""));
    let served = Served::start(&desk);
    join(&served);
    let (mut anna, mut tea) = (served.signed_in("1"), served.signed_in("9"));
    let checks = wait_for(&mut tea, "/desk", &["passed its checks"]);
    assert!(checks.contains(" 0 failed, "), "{checks}");
    let rules = anna.get("/rules").text;
    for part in ["Take pieces from one heap", "A game for Botyard: at first Nim.", "[3,4,5]"] {
        assert!(rules.contains(part), "{part}: {rules}");
    }
    let digest = digest_of(&rules);

    // What a student does at home.
    let home = desk.path("home");
    fs::create_dir(&home).unwrap();
    let file = anna.get("/event.toml").text;
    assert!(file.starts_with("game = \"./nim\"\nformat"), "{file}");
    fs::write(home.join("event.toml"), file).unwrap();
    fs::write(home.join("nim.tar.gz"), anna.get("/rules/bundle").body).unwrap();
    // With replays, which name the digest.
    carry_out(&desk, &student.replace("--games 10", "--games 2 --out games"), &home);
    let header = fs::read_to_string(&desk.replays("home/games")[0]).unwrap();
    let header: Value = serde_json::from_str(header.lines().next().unwrap()).unwrap();
    assert!(header["game"].as_str().unwrap().contains(&digest), "{header}");

    let page = submit(&mut anna, &zipped(&home.join("mybot")));
    let log = wait_for(&mut anna, &page, &[">plays<", ">rejected<"]);
    assert!(log.contains(">plays<") && log.contains("--game ./nim\n"), "{log}");
    let game = newest_game(&wait_for(&mut anna, "/teams/1", &["/games/"]));
    // A replay of the site is verified with the game at home.
    fs::write(home.join("game.ndjson.gz"), tea.get(&format!("{game}/replay")).body).unwrap();
    carry_out(&desk, "botyard replay verify game.ndjson.gz", &home);
}

#[test]
fn an_event_that_has_begun_keeps_its_copy_of_the_game() {
    let desk = Desk::new();
    game(&desk, &[]);
    let served = class_of(&desk, EVENT);
    let (mut anna, mut tea) = (served.signed_in("1"), served.signed_in("9"));
    let page = submit(&mut anna, &good("m['legal'][0]"));
    wait_for(&mut anna, &page, &[">plays<"]);
    let first = newest_game(&wait_for(&mut anna, "/teams/1", &["/games/"]));
    let event = tea.get("/event").text;
    let digest = digest_of(&event);
    assert!(!event.contains("board.svg"), "its program draws nothing");
    assert_eq!(tea.get("/event/board.svg").status, 404);
    let readme = tea.get("/rules").text;
    assert!(
        readme.contains("<h3>How to win</h3>") && readme.contains("a &lt;b&gt;row&lt;/b&gt;"),
        "{readme}"
    );

    // A change of the directory changes no event that has begun.
    game(&desk, &[("import json, sys", "import json, sys  # Changed.")]);
    let served = again(&desk, served);
    let (mut anna, mut tea) = (served.signed_in("1"), served.signed_in("9"));
    let text = tea.get("/desk").text;
    assert!(text.contains("has changed. This event continues with its own copy"), "{text}");
    assert_eq!(digest_of(&anna.get("/event").text), digest);
    assert!(anna.get("/teams/1").text.contains("/games/"));

    // A teacher begins a new event with the changed game. Games of the old one are shown by their copy.
    let page_of_event = tea.get("/event").text;
    assert!(page_of_event.contains("the files of the game have changed"), "{page_of_event}");
    let file = between(&page_of_event, "name=\"file\" value=\"", "\"").to_string();
    let begun = tea.post("/event/take-up", &[("file", &file), ("reason", "mended")]);
    assert_eq!(begun.status, 303, "{}", begun.text);
    wait_for(&mut tea, "/desk", &["passed its checks"]);
    assert_ne!(digest_of(&anna.get("/event").text), digest);
    wait_for(&mut anna, &page, &[">plays<"]);
    let shown = tea.get(&first);
    assert!(shown.status == 200 && shown.text.contains("tic-tac-toe"), "{}", shown.text);

    // A backup has all that is needed: the directory of the game is not part of it.
    desk.done(&["site", "backup", "class", "class.zip"]);
    desk.done(&["site", "archive", "class", "-o", "archive.zip"]);
    served.kill();
    desk.done(&["site", "restore", "class.zip", "elsewhere/class"]);
    let command = desk.command(&["serve", "elsewhere/class", "--port", "0"]);
    let (served, _) = Served::of(&desk, command, false);
    wait_for(&mut served.signed_in("9"), "/desk", &["passed its checks"]);
}

#[test]
fn the_page_of_an_event_has_what_the_program_of_its_game_draws() {
    let desk = Desk::new();
    fs::create_dir(desk.path("noughts")).unwrap();
    for file in ["game.toml", "game.py"] {
        fs::copy(repository("tests/games/noughts").join(file), desk.path("noughts").join(file))
            .unwrap();
    }
    let served = class_of(&desk, &EVENT.replace("../tic-tac-toe", "../noughts"));
    let (mut anna, mut tea) = (served.signed_in("1"), served.signed_in("9"));
    wait_for(&mut tea, "/desk", &["passed its checks"]);
    let page = anna.get("/event").text;
    let figure = "<img src=\"/event/board.svg\" alt=\"A game of noughts with random actions.\">";
    assert!(page.contains(figure), "{page}");
    let drawn = anna.get("/event/board.svg");
    assert_eq!((drawn.status, drawn.header("content-type")), (200, "image/svg+xml"));
    let svg = drawn.text;
    assert!(svg.starts_with("<svg") && svg.contains("viewBox=\"0 0 300 300\""), "{svg}");
    assert!(svg.contains("<circle") && svg.contains("<path"), "both sides have played: {svg}");
    assert_eq!(anna.get("/event/board.svg").text, svg, "every page has the same");
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
    assert!(anna.get(&page).text.contains("waits: place 1 of 1"));
    assert_eq!(anna.post("/rules/resume", &[("reason", "please")]).status, 403);

    // The game is checked again on request, with the same verdict.
    assert_eq!(tea.post("/rules/resume", &[("reason", "once more")]).status, 303);
    wait_for(&mut tea, "/desk", &["did not pass its checks"]);
    assert!(tea.get("/audit").text.contains("had the game checked again"));

    // No game was played: the mended game takes its place. It is built in the class, and not in its directory.
    game(&desk, &[]);
    let (program, source) = (desk.path("tic-tac-toe/game.py"), desk.path("tic-tac-toe/source.py"));
    fs::rename(&program, &source).unwrap();
    let manifest = fs::read_to_string(desk.path("tic-tac-toe/game.toml")).unwrap();
    let with_build = |build: &str| {
        fs::write(desk.path("tic-tac-toe/game.toml"), format!("build = [\"{build}\"]\n{manifest}"))
            .unwrap();
    };
    with_build("cp missing.py game.py");
    served.kill();
    let refused = desk.run(&["serve", "class", "--port", "0"]);
    assert_eq!(refused.code, Some(2), "{refused:#?}");
    assert!(refused.stderr.contains("event.toml, line 1: "), "{refused:#?}");
    assert!(
        refused.stderr.contains("its build failed") && refused.stderr.contains("missing.py"),
        "{refused:#?}"
    );
    with_build("cp source.py game.py");
    fs::write(desk.path("class/joined"), "").unwrap();
    let served = Served::start(&desk);
    assert!(!program.exists());
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
    assert!(tea.get("/audit").text.contains("resumed the event"));
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
