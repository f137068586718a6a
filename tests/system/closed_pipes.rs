//! Output into a closed pipe: every verb ends silently, as if the output had been read, or earlier,
//! so that `botyard ... | head` is as quiet as with other programs.

use crate::command::{BOTYARD, Desk, misbehaving, repository};
use std::io::pipe;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Exit codes for complete and incomplete runs. 101 would be a panic.
const QUIET: [Option<i32>; 2] = [Some(0), Some(1)];

/// Every verb with arguments that make it print something.
const VERBS: &[&[&str]] = &[
    &[],
    &["--help"],
    &["match", "--help"],
    &["match", "scotland-yard", "random", "random", "--seed", "1"],
    &["match", "scotland-yard", "random", "random", "--seed", "1", "-n", "4"],
    &["match", "scotland-yard", "random", "random", "--seed", "1", "-n", "4", "--json"],
    &["match", "scotland-yard", "random", "random", "--sandbox", "none", "--seed", "1"],
    &["match", "scotland-yard", "random", "CRASH", "--seed", "1", "-n", "2"],
    &["match", "scotland-yard", "random", "no-such-bot"],
    &["tournament", "run", "cup.toml", "--out", "first"],
    &["tournament", "run", "cup.toml", "--out", "second", "--json"],
    &["tournament", "resume", "cup.tournament"],
    &["tournament", "resume", "cup.tournament", "--json"],
    &["tournament", "standings", "cup.tournament"],
    &["tournament", "standings", "cup.tournament", "--format", "html"],
    &["tournament", "rejudge", "cup.tournament", "--bot", "anna"],
    &["tournament", "rejudge", "cup.tournament", "--drop"],
    &["test", "random", "greedy", "--game", "draughts", "--max-games", "4", "--seed", "1"],
    &["test", "random", "greedy", "--game", "draughts", "--max-games", "4", "--json"],
    &["play", "draughts", "--as", "black", "--against", "random", "--seed", "1"],
    &["games"],
    &["games", "scotland-yard"],
    &["games", "scotland-yard", "--json"],
    &["bots"],
    &["bots", "--json"],
    &["build", "ada", "--sandbox", "none"],
    &["sandbox"],
    &["sandbox", "--json"],
    &["sandbox-launcher"],
    &["schema"],
    &["schema", "scotland-yard-view"],
    &["replay", "show", "REPLAY"],
    &["replay", "verify", "REPLAY"],
    &["replay", "verify", "REPLAY", "cup.toml"],
    &["replay", "stdin", "REPLAY", "--seat", "mr-x"],
    &["replay", "export", "REPLAY", "--seat", "detectives"],
    &["import", "scotland-yard", "GAMES", "--check"],
    &["perft", "draughts", "--depth", "4"],
    &["perft", "draughts", "--depth", "4", "--divide"],
    &["train", "draughts", "generate", "--games", "1", "--nodes", "100", "--out", "more.samples"],
    &["train", "draughts", "fit", "some.samples", "--epochs", "2", "--out", "w1"],
    &["train", "dice-wars", "generate", "--games", "1", "--planners", "0", "--out", "more.games"],
    &["train", "dice-wars", "fit", "some.games", "--epochs", "2", "--one-in", "50", "--out", "w2"],
    &["train", "dice-wars", "evaluate", "--games", "1", "--nodes", "100", "--players", "2"],
    &["train", "rebuild", "small.toml", "--out", "made"],
    &["egdb", "build", "--pieces", "2", "--out", "again"],
    &["egdb", "check", "two"],
    &["egdb", "probe", "two", "--fen", "W:W13:B5"],
    &["experiment", "list"],
    &["experiment", "show", "sova-5.1"],
    &["bot", "random"],
    &["bot", "no-such-bot"],
];

/// Makes a directory with input for every verb; returns it with the names of its replay and of a
/// file with another program's games.
fn furnished() -> (Desk, String, String) {
    let desk = Desk::new();
    desk.done(&["match", "scotland-yard", "random", "random", "--seed", "1", "--out", "r"]);
    let replay = desk.replays("r")[0].to_string_lossy().into_owned();
    let cup = "game = \"scotland-yard\"\nrules = \"grid-5x5-2\"\nformat = \"round-robin\"\n\
               blocks = 1\nseed = 7\n[time]\nmove_ms = 30000\n\
               [[bot]]\nname = \"anna\"\ncommand = \"random:seed=1\"\n\
               [[bot]]\nname = \"ben\"\ncommand = \"random:seed=2\"\n";
    std::fs::write(desk.path("cup.toml"), cup).unwrap();
    desk.done(&["tournament", "run", "cup.toml"]);
    std::fs::create_dir(desk.path("ada")).unwrap();
    std::fs::write(desk.path("ada/bot.toml"), "run = 'true'\nbuild = ['true']\n").unwrap();
    for args in [
        &["train", "draughts", "generate", "--games", "1", "--nodes", "100"][..],
        &["train", "dice-wars", "generate", "--games", "1", "--planners", "0"],
    ] {
        let out = if args[1] == "draughts" { "some.samples" } else { "some.games" };
        desk.done(&[args, &["--out", out]].concat());
    }
    let manifest = "game = \"dice-wars\"\n[[generation]]\ngames = 1\nseed = 0\n\
                    play = { planners = 0 }\nfit = { epochs = 1, one-in = 50 }\n";
    std::fs::write(desk.path("small.toml"), manifest).unwrap();
    desk.done(&["egdb", "build", "--pieces", "2", "--out", "two"]);
    let games = repository("crates/engine/tests/data/scotland-yard/reference_playouts.jsonl");
    (desk, replay, games.to_string_lossy().into_owned())
}

/// Waits for a run to end; returns its exit code and its standard error, if open.
fn ended(mut child: Child, line: &str) -> (Option<i32>, String) {
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begun.elapsed() > Duration::from_secs(300) {
            child.kill().unwrap();
            panic!("{line}: it keeps running without a reader");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let mut said = String::new();
    if let Some(mut stderr) = child.stderr.take() {
        std::io::Read::read_to_string(&mut stderr, &mut said).unwrap();
    }
    (status.code(), said)
}

/// Returns the writing end of a pipe whose reading end is closed.
fn unread() -> Stdio {
    pipe().expect("a pipe").1.into()
}

#[test]
fn every_verb_is_quiet_where_nobody_reads() {
    let (desk, replay, games) = furnished();
    let crash = misbehaving("exit_seven 1");
    for verb in VERBS {
        let args: Vec<&str> = verb
            .iter()
            .map(|&arg| match arg {
                "REPLAY" => replay.as_str(),
                "GAMES" => games.as_str(),
                "CRASH" => crash.as_str(),
                arg => arg,
            })
            .collect();
        let line = format!("{BOTYARD} {}", args.join(" "));
        let child = desk.command(&args).stdout(unread()).spawn().unwrap();
        let (code, said) = ended(child, &line);
        assert!(!said.contains("panicked") && !said.contains("roken pipe"), "{line}: {said}");
        // Wrong usage has the same exit code with and without a reader.
        let wrong = [Some(2), Some(125)].contains(&code);
        assert!(QUIET.contains(&code) || wrong && !said.is_empty(), "{line}: {code:?} {said}");
        // The results of the last run would stop the same verb.
        for made in ["first", "second"] {
            let _ = std::fs::remove_dir_all(desk.path(made));
        }
        let child = desk.command(&args).stdout(unread()).stderr(unread()).spawn().unwrap();
        let (code, _) = ended(child, &line);
        assert!(QUIET.contains(&code) || [Some(2), Some(125)].contains(&code), "{line}: {code:?}");
    }
}
