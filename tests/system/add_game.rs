//! `docs/do/add-a-game.md`, followed to its end in a copy of the engine: the files of the page are written, its changes
//! made, and its commands for the engine run.

use crate::command::repository;
use std::fs;
use std::path::Path;
use std::process::Command;

const PAGE: &str = "docs/do/add-a-game.md";

/// The directory of the copy in its workspace. Cargo names what it compiles by the path from the workspace to the crate:
/// with the paths of the repository, a build of the repository would take the copy's library for its own, and the copy's
/// build that of the repository.
const COPY: &str = "copy";

/// What the commands need of the repository.
const COPIED: [&str; 6] =
    ["crates/engine", "crates/protocol", "tests/kit", "docs/games", "docs/schemas", "sdk/vectors"];

/// A block of the page: its language, the last file that the sentence before it names, and its lines.
struct Block {
    language: String,
    file: Option<String>,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let (mut is_open, mut before) = (false, "");
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some(language) if !is_open => {
                let code = before.strip_suffix("`:").and_then(|rest| rest.rsplit('`').next());
                let file = code.map(ToString::to_string);
                blocks.push(Block { language: language.to_string(), file, text: String::new() });
                is_open = true;
            }
            Some(_) => is_open = false,
            None if is_open => {
                let block = blocks.last_mut().expect("an open block");
                block.text.push_str(line);
                block.text.push('\n');
            }
            None if line.is_empty() => {}
            None => before = line,
        }
    }
    blocks
}

/// Adds the lines of a change after the line before them, which must be there once.
fn changed(text: &str, change: &str) -> String {
    let lines = |of: &dyn Fn(&&str) -> bool| -> String {
        change.lines().filter(of).map(|line| format!("{}\n", &line[1..])).collect()
    };
    let old = lines(&|line| !line.starts_with('+'));
    assert_eq!(text.matches(&old).count(), 1, "expected once:\n{old}");
    text.replace(&old, &lines(&|_| true))
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        for entry in fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            copy(&entry.path(), &to.join(entry.file_name()));
        }
    } else {
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(from, to).unwrap();
    }
}

/// The manifest of the workspace with those of its crates that are in the copy.
fn manifest() -> String {
    let manifest = fs::read_to_string(repository("Cargo.toml")).unwrap();
    let is_of_members =
        |line: &&str| line.starts_with("members =") || line.starts_with("default-members =");
    let rest = manifest.lines().filter(|line| !is_of_members(line)).collect::<Vec<_>>().join("\n");
    let members =
        ["crates/engine", "crates/protocol", "tests/kit"].map(|of| format!("{COPY}/{of}"));
    rest.replacen("[workspace]\n", &format!("[workspace]\nmembers = {members:?}\n"), 1)
        .replace("path = \"", &format!("path = \"{COPY}/"))
}

/// Runs a command of the page. What the engine depends on has been compiled for this test itself.
fn run(command: &str, place: &Path, target: &Path) {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(place).env("CARGO_NET_OFFLINE", "true");
    let ran = shell.env("CARGO_TARGET_DIR", target).output().unwrap();
    let [out, errors] = [&ran.stdout, &ran.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(ran.status.success(), "{command}\n{out}{errors}");
}

#[test]
#[ignore = "compiles the engine again; `.ci/run` runs it"]
fn the_page_adds_a_game() {
    let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let workspace = temporary.join("add-a-game");
    if workspace.exists() {
        fs::remove_dir_all(&workspace).unwrap();
    }
    let place = workspace.join(COPY);
    for part in COPIED {
        copy(&repository(part), &place.join(part));
    }
    fs::write(workspace.join("Cargo.toml"), manifest()).unwrap();
    fs::copy(repository("Cargo.lock"), workspace.join("Cargo.lock")).unwrap();
    let page = fs::read_to_string(repository(PAGE)).unwrap();
    let mut commands = 0;
    for Block { language, file, text } in blocks(&page) {
        match (language.as_str(), file) {
            ("rust", Some(file)) => {
                let file = place.join(file);
                assert!(!file.exists(), "{} is not new", file.display());
                fs::write(file, text).unwrap();
            }
            ("diff", Some(file)) => {
                let file = place.join(file);
                fs::write(&file, changed(&fs::read_to_string(&file).unwrap(), &text)).unwrap();
            }
            ("sh", _) => {
                for command in text.lines().filter(|line| line.contains("-p botyard-engine")) {
                    run(command, &place, temporary.parent().unwrap());
                    commands += 1;
                }
            }
            (language, _) => panic!("a block of {language} for no file:\n{text}"),
        }
    }
    assert_eq!(commands, 2);
    fs::remove_dir_all(&workspace).unwrap();
}
