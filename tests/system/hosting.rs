//! The steps of `docs/do/host-a-competition.md`: the class of `examples/class`, five bots in Python
//! and Rust, one of them broken and one slow. Also the files in
//! `docs/reference/tournament-file.md`.

use crate::command::{Desk, repository};
use std::fs;
use std::path::Path;
use std::process::Command;

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap().path();
        let target = to.join(entry.file_name().unwrap());
        match entry.is_dir() {
            true => copy(&entry, &target),
            false => drop(fs::copy(&entry, &target).unwrap()),
        }
    }
}

#[test]
fn a_class_is_hosted() {
    let desk = Desk::new();
    let class = desk.path("class");
    copy(&repository("examples/class"), &class);
    // Three times the time of the example, for a busy machine; and Dario's bot is slower still.
    for (file, from, to) in [
        ("tournament.toml", "move_ms = 1000", "move_ms = 3000"),
        ("submissions/dario/bot.py", "time.sleep(5)", "time.sleep(600)"),
    ] {
        let text = fs::read_to_string(class.join(file)).unwrap();
        assert!(text.contains(from), "{file}");
        fs::write(class.join(file), text.replace(from, to)).unwrap();
    }
    let emil = class.join("submissions/emil");
    let built = Command::new("rustc").args(["-O", "bot.rs"]).current_dir(&emil).status();
    assert!(built.expect("the Rust toolchain has rustc").success());

    let output = desk.done(&["tournament", "run", "class/tournament.toml", "--out", "results"]);
    assert!(output.contains("30 games of scotland-yard between 3 bots"), "{output}");
    assert!(output.contains("carla was rejected by the gate: it failed as"), "{output}");
    assert!(output.contains("KeyError: 'best'"), "{output}");
    assert!(output.contains("dario was rejected by the gate: it failed as"), "{output}");
    assert!(output.contains("timeout: expected an answer to \"turn\" "), "{output}");
    assert!(output.contains(" within 3000 ms, none came"), "{output}");

    let csv = desk.done(&["tournament", "standings", "results", "--format", "csv"]);
    let mut lines = csv.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name: &str| header.iter().position(|found| *found == name).unwrap();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let of = |bot: &str| rows.iter().find(|row| row[column("bot")] == bot).unwrap();
    for (bot, games, team) in
        [("anna", "20", "7b"), ("ben", "20", "7b"), ("emil", "20", "7a"), ("carla", "0", "7a")]
    {
        assert_eq!((of(bot)[column("games")], of(bot)[column("team")]), (games, team), "{csv}");
        // No admitted bot lost a game by the clock, or by any other fault.
        assert_eq!(of(bot)[column("faults")], "0", "{csv}");
    }
    let page = fs::read_to_string(desk.path("results/standings.html")).unwrap();
    assert!(page.contains("ben") && page.contains("dario"));
}

/// Every tournament file on the page is valid.
#[test]
fn the_page_shows_files_that_are_good() {
    let page = fs::read_to_string(repository("docs/reference/tournament-file.md")).unwrap();
    let blocks: Vec<&str> =
        page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= 2, "the page shows tournaments");
    for block in blocks {
        let read = botyard_league::tournament_file::TournamentFile::read("page", "page", block);
        read.unwrap_or_else(|problems| panic!("{problems}\n{block}"));
    }
}
