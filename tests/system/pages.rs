//! `botyard tournament page`: the pages of small tournaments, read by a parser of another program.

use crate::command::{Desk, finish, misbehaving, repository};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A tournament with a bot that fails in the gate, and one whose name is markup.
fn gated() -> String {
    format!(
        r#"
name = "class <b>"
game = "connect-four"
blocks = 12
[time]
move_ms = 30000
[gate]
against = ["random:seed=9"]
[[bot]]
name = "anna"
team = "7b"
student_id = "s0815"
command = "greedy"
[[bot]]
name = "<script>alert(1)</script>"
command = "random:seed=1"
[[bot]]
name = "carla"
student_id = "s0816"
command = "{}"
"#,
        misbehaving("illegal")
    )
}

/// A tournament in which a bot fails in every game.
fn faulty() -> String {
    format!(
        "name = \"faulty\"\ngame = \"connect-four\"\nseed = 3\nblocks = 6\n[time]\nmove_ms = 30000\n\
         [[bot]]\nname = \"anna\"\ncommand = \"random\"\n\
         [[bot]]\nname = \"dora\"\ncommand = \"{}\"\n",
        misbehaving("garbage")
    )
}

/// Reads the pages in a directory with another program, and checks them.
fn read_elsewhere(directory: &Path) -> Value {
    let mut command = Command::new("python3");
    command.arg(repository("tests/system/read_html.py")).arg(directory);
    let ran = finish(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let found: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(found["problems"], serde_json::json!([]));
    found
}

fn words<'a>(found: &'a Value, part: &str) -> &'a str {
    let pages = found["words"].as_object().unwrap();
    let page = pages.iter().find(|(name, _)| name.contains(part));
    page.unwrap_or_else(|| panic!("{part}: {:?}", pages.keys())).1.as_str().unwrap()
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

#[test]
fn a_class_has_pages_without_a_dead_link() {
    let desk = Desk::new();
    fs::write(desk.path("class.toml"), gated()).unwrap();
    desk.done(&["tournament", "run", "class.toml"]);
    let made = desk.done(&["tournament", "page", "class.tournament"]);
    assert_eq!(made, "class.pages/index.html\npages of 3 bots and 0 games\n");
    let found = read_elsewhere(&desk.path("class.pages"));
    let index = words(&found, "index");
    for fact in ["class <b>", "anna", "<script>alert(1)</script>", "carla", "7b", "24 games"] {
        assert!(index.contains(fact), "{fact}: {index}");
    }
    assert!(index.contains("it failed as") && index.contains("illegal_action"), "{index}");
    assert!(index.contains("30000 ms per move"), "{index}");
    // Every game has a result, so the secret is published.
    assert!(index.contains("the secret ") && index.contains("whose SHA-256 is"), "{index}");
    assert!(words(&found, "bots/1-anna").contains("By opponent"));
    assert!(words(&found, "bots/3-carla").contains("Rejected by the gate"));
    assert!(found["links"].as_u64().unwrap() > 10);
    let csv = desk.done(&["tournament", "standings", "class.tournament", "--format", "csv"]);
    assert!(csv.contains(",s0815,") && csv.contains(",s0816,"), "{csv}");
    for text in found["words"].as_object().unwrap().values() {
        assert!(!text.as_str().unwrap().contains("s081"), "{text}");
    }

    // Games on request; what is no longer made is removed, and what was added stays.
    fs::write(desk.path("class.pages/notes.txt"), "mine").unwrap();
    let made = desk.done(&["tournament", "page", "class.tournament", "--games", "all"]);
    assert!(made.contains("pages of 3 bots and 24 games"), "{made}");
    let found = read_elsewhere(&desk.path("class.pages"));
    assert_eq!(files(&desk.path("class.pages/games")).len(), 24);
    assert!(words(&found, "bots/1-anna").contains("Games with a page"));
    desk.done(&["tournament", "page", "class.tournament", "--games", "none"]);
    assert!(!desk.path("class.pages/games").exists());
    assert!(desk.path("class.pages/notes.txt").exists());
}

#[test]
fn faults_are_on_the_page_of_their_bot_and_lead_to_the_game() {
    let desk = Desk::new();
    fs::write(desk.path("faulty.toml"), faulty()).unwrap();
    desk.done(&["tournament", "run", "faulty.toml"]);
    let made = desk.done(&["tournament", "page", "faulty.tournament", "--out", "site"]);
    assert!(made.contains("pages of 2 bots and 10 games"), "ten of a bot: {made}");
    assert!(made.contains("2 games with a fault without a page; --games all"), "{made}");
    let found = read_elsewhere(&desk.path("site"));
    let dora = words(&found, "bots/2-dora");
    assert!(dora.contains("protocol 12") && dora.contains("I would rather not say"), "{dora}");
    assert!(dora.contains("Not every game with a fault is listed"), "{dora}");
    assert!(!words(&found, "bots/1-anna").contains("I would rather not say"));
    let page = fs::read_to_string(desk.path("site/bots/2-dora.html")).unwrap();
    assert!(page.matches("href=\"../games/connect-four-").count() >= 10, "{page}");
    assert!(words(&found, "index").contains("seed 3"));

    // Without the replays the kinds of faults are left.
    fs::remove_dir_all(desk.path("faulty.tournament/replays")).unwrap();
    let ran = desk.run(&["tournament", "page", "faulty.tournament", "--out", "site"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stderr.contains("its replay is missing"), "{ran:#?}");
    let found = read_elsewhere(&desk.path("site"));
    assert!(words(&found, "bots/2-dora").contains("its replay is missing"));
    assert!(!desk.path("site/games").exists());
}

#[test]
fn other_files_are_not_overwritten() {
    let desk = Desk::new();
    let text = faulty().replace("blocks = 6", "blocks = 1");
    fs::write(desk.path("faulty.toml"), text).unwrap();
    desk.done(&["tournament", "run", "faulty.toml"]);
    fs::create_dir(desk.path("site")).unwrap();
    fs::write(desk.path("site/index.html"), "mine").unwrap();
    let ran = desk.run(&["tournament", "page", "faulty.tournament", "-o", "site"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(
        ran.stderr.contains("the directory site is not empty") && ran.stderr.contains("--force"),
        "{ran:#?}"
    );
    assert_eq!(fs::read_to_string(desk.path("site/index.html")).unwrap(), "mine");
    desk.done(&["tournament", "page", "faulty.tournament", "-o", "site", "--force"]);
    read_elsewhere(&desk.path("site"));

    let ran = desk.run(&["tournament", "page", "faulty.tournament", "-o", "faulty.toml"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("faulty.toml is not a directory"), "{ran:#?}");
    let ran = desk.run(&["tournament", "page", "nothing"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(!desk.path("nothing.pages").exists());
}

#[test]
fn swiss_tables_and_brackets_are_on_the_page() {
    for (format, fact) in [("swiss\"\nrounds = 2", "Sonneborn-Berger"), ("knockout", "Winner: ")] {
        let desk = Desk::new();
        let bots: String = ["anna", "ben", "carl"]
            .map(|name| format!("[[bot]]\nname = \"{name}\"\ncommand = \"random\"\n"))
            .concat();
        let text = format!(
            "game = \"connect-four\"\nseed = 1\nformat = \"{format}{}\n[time]\nmove_ms = 30000\n{bots}",
            if format == "knockout" { "\"" } else { "" }
        );
        fs::write(desk.path("cup.toml"), text).unwrap();
        desk.done(&["tournament", "run", "cup.toml"]);
        desk.done(&["tournament", "page", "cup.tournament"]);
        let found = read_elsewhere(&desk.path("cup.pages"));
        let index = words(&found, "index");
        assert!(index.contains(fact) && index.contains("carl"), "{format}: {index}");
    }
}
