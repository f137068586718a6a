//! Output into a closed pipe: every verb ends silently, as if the output had been read, or earlier,
//! so that `botyard ... | head` is as quiet as with other programs.

use crate::command::{BOTYARD, Desk, misbehaving, repository};
use std::io::pipe;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Exit codes for complete and incomplete runs. 101 would be a panic.
const QUIET: [Option<i32>; 2] = [Some(0), Some(1)];

/// Every verb with arguments that make it print something. A verb may need what one before it made.
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
    &["tournament", "check", "cup.tournament"],
    &["tournament", "recover", "cup.tournament"],
    &["tournament", "update", "cup.tournament", "anna"],
    &["tournament", "extend", "cup.tournament", "--file", "more.toml"],
    &["tournament", "extend", "cup.tournament", "--file", "most.toml", "--json"],
    &["tournament", "page", "cup.tournament", "--out", "pages"],
    &["tournament", "submit", "cup.toml", "--store", "lab.db", "--id", "again"],
    &["tournament", "list", "--store", "lab.db"],
    &["tournament", "status", "--store", "lab.db"],
    &["tournament", "status", "cup", "--store", "lab.db", "--json"],
    &["tournament", "standings", "cup", "--store", "lab.db"],
    &["tournament", "export", "cup", "--store", "lab.db", "--out", "exported"],
    &["store", "copy", "lab.db", "other.db"],
    &["store", "simulate", "--times", "claim=2,upload=1,result=3,heartbeat=1", "--game", "1"],
    &["worker", "--store", "lab.db", "--drain", "--cache", "cache", "--calibrate", "0"],
    &["tournament", "hold", "cup", "--store", "lab.db"],
    &["coordinator", "token", "add", "lab", "--token-file", "tokens"],
    &["coordinator", "token", "list", "--token-file", "tokens"],
    &["coordinator", "token", "list", "--token-file", "tokens", "--json"],
    &["coordinator", "token", "revoke", "none", "--token-file", "tokens"],
    &["coordinator", "--store", "lab.db", "--token-file", "tokens", "--listen", "127.0.0.1:0"],
    &["test", "random", "greedy", "--game", "draughts", "--max-games", "4", "--seed", "1"],
    &["test", "random", "greedy", "--game", "draughts", "--max-games", "4", "--json"],
    &["play", "draughts", "--as", "black", "--against", "random", "--seed", "1"],
    &["games"],
    &["games", "scotland-yard"],
    &["games", "scotland-yard", "--json"],
    &["bots"],
    &["bots", "--json"],
    &["new", "fox", "--language", "python", "--game", "scotland-yard"],
    &["new-game", "nim", "--language", "python"],
    &["check-game", "./nim", "--games", "1"],
    &["check-game", "./nim", "--games", "1", "--json"],
    &["build", "ada", "--sandbox", "none"],
    &["check", "random", "--game", "scotland-yard", "--sandbox", "none"],
    &["check", "random", "--game", "scotland-yard", "--sandbox", "none", "--json"],
    &["analyze", "REPLAY", "--with", "mcts", "--seat", "mr-x", "--move-time", "5"],
    &["analyze", "REPLAY", "--with", "mcts", "--seat", "mr-x", "--move-time", "5", "--json"],
    &["bridge", "hub", "true"],
    &["bridge", "uci-like", "true"],
    &["bridge", "dxp", "127.0.0.1:1"],
    &["watch", "r"],
    &["serve", "class", "--port", "0"],
    &["site", "event", "class"],
    &["site", "backup", "class", "class.zip"],
    &["site", "restore", "class.zip", "restored"],
    &["site", "archive", "class", "-o", "archive.zip"],
    &["site", "forget", "class"],
    &["submit", "fox", "--site", "http://127.0.0.1:1"],
    &["sandbox"],
    &["sandbox", "--json"],
    &["sandbox-launcher"],
    &["schema"],
    &["schema", "scotland-yard-view"],
    &["replay", "show", "REPLAY"],
    &["replay", "verify", "REPLAY"],
    &["replay", "verify", "REPLAY", "cup.toml"],
    &["replay", "stdin", "REPLAY", "--seat", "mr-x"],
    &["replay", "wire", "REPLAY", "--seat", "detectives"],
    &["replay", "export", "REPLAY", "--seat", "detectives"],
    &["replay", "picture", "REPLAY", "--truth"],
    &["replay", "view", "REPLAY", "--out", "page.html"],
    &["replay", "compress", "copy.ndjson"],
    &["import", "scotland-yard", "GAMES", "--check"],
    &["perft", "draughts", "--depth", "4"],
    &["perft", "draughts", "--depth", "4", "--divide"],
    &["train", "draughts", "generate", "--games", "1", "--nodes", "100", "--out", "more.samples"],
    &["train", "draughts", "fit", "some.samples", "--epochs", "2", "--out", "w1"],
    &["train", "dice-wars", "generate", "--games", "1", "--planners", "0", "--out", "more.games"],
    &["train", "dice-wars", "fit", "some.games", "--epochs", "2", "--one-in", "50", "--out", "w2"],
    &["train", "dice-wars", "evaluate", "--games", "1", "--nodes", "100", "--players", "2"],
    &["train", "scotland-yard", "generate", "--games", "1", "--iterations", "2", "--out", "yard"],
    &["train", "scotland-yard", "fit", "some.yard", "--epochs", "2", "--out", "w3"],
    &["train", "scotland-yard", "fit-habits", "some.yard", "--epochs", "2", "--out", "w4"],
    &["train", "rebuild", "small.toml", "--out", "made"],
    &["egdb", "build", "--pieces", "2", "--out", "again"],
    &["egdb", "check", "two"],
    &["egdb", "probe", "two", "--fen", "W:W13:B5"],
    &["experiment", "list"],
    &["experiment", "show", "sova-5.1"],
    &["experiment", "run", "experiment.toml"],
    &["experiment", "run", "experiment.toml", "--json"],
    &["generate", "completions", "bash"],
    &["generate", "man", "man1"],
    &["generate", "pages", "reference"],
    &["bot", "random"],
    &["bot", "no-such-bot"],
];

/// One row of one short game.
pub const EXPERIMENT: &str = "
name = 'tiny'
title = 'A tiny one'
source = 'unpublished'
about = 'Two random players.'
unclear = 'Everything.'
game = 'scotland-yard'
preset = 'grid-5x5-2'
games = 1
label = 'Mr. X / agents'
[[row]]
label = 'random/random'
bots = { mr-x = 'random:seed=1', detectives = 'random:seed=2' }
seconds_a_game = 0.01
figures = [{ statistic = 'win-percent', seat = 'detectives', value = 82, games = 1000 }]
";

/// Makes a directory with input for every verb; returns it with the names of its replay and of a
/// file with another program's games.
fn furnished() -> (Desk, String, String) {
    let desk = Desk::new();
    desk.done(&["match", "scotland-yard", "random", "random", "--seed", "1", "--out", "r"]);
    let replay = desk.replays("r")[0].to_string_lossy().into_owned();
    std::fs::copy(&replay, desk.path("copy.ndjson")).unwrap();
    let cup = "game = \"scotland-yard\"\nrules = \"grid-5x5-2\"\nformat = \"round-robin\"\n\
               blocks = 1\nseed = 7\n[time]\nmove_ms = 30000\n\
               [[bot]]\nname = \"anna\"\ncommand = \"random:seed=1\"\n\
               [[bot]]\nname = \"ben\"\ncommand = \"random:seed=2\"\n";
    std::fs::write(desk.path("cup.toml"), cup).unwrap();
    desk.done(&["tournament", "run", "cup.toml"]);
    desk.done(&["tournament", "submit", "cup.toml", "--store", "lab.db"]);
    for (file, blocks) in [("more.toml", "blocks = 2"), ("most.toml", "blocks = 3")] {
        std::fs::write(desk.path(file), cup.replace("blocks = 1", blocks)).unwrap();
    }
    std::fs::write(desk.path("experiment.toml"), EXPERIMENT).unwrap();
    std::fs::create_dir(desk.path("ada")).unwrap();
    std::fs::write(desk.path("ada/bot.toml"), "run = 'true'\nbuild = ['true']\n").unwrap();
    for (args, out) in [
        (&["draughts", "generate", "--games", "1", "--nodes", "100"][..], "some.samples"),
        (&["dice-wars", "generate", "--games", "1", "--planners", "0"], "some.games"),
        (&["scotland-yard", "generate", "--games", "1", "--iterations", "2"], "some.yard"),
    ] {
        desk.done(&[&["train"], args, &["--out", out]].concat());
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

/// The reference page of the commands has all of them: a test compares it with the program.
#[test]
fn the_list_has_every_verb() {
    let pages = std::fs::read_dir(repository("docs/reference/commands")).unwrap();
    let pages = pages.map(|page| std::fs::read_to_string(page.unwrap().path()).unwrap());
    let pages = pages.collect::<String>();
    let verbs: Vec<&str> = pages
        .lines()
        .filter_map(|line| match line.strip_prefix("# botyard ") {
            None => line.split_once("# `botyard")?.1.strip_suffix('`'),
            found => found,
        })
        .map(str::trim)
        .collect();
    assert!(verbs.len() > 30, "{verbs:?}");
    for verb in &verbs {
        let is_group = verbs.iter().any(|other| other.starts_with(&format!("{verb} ")));
        let words: Vec<&str> = verb.split_whitespace().collect();
        let is_listed = VERBS.iter().any(|listed| listed.starts_with(&words));
        assert!(is_group || is_listed, "botyard {verb} is not among the verbs of this test");
    }
}

/// Returns the verbs before the first line of the list with this verb, and the others.
fn before(
    verbs: &'static [&'static [&'static str]],
    verb: &str,
) -> [&'static [&'static [&'static str]]; 2] {
    let at = verbs.iter().position(|line| line.first() == Some(&verb)).expect("a verb of the list");
    let (before, after) = verbs.split_at(at);
    [before, after]
}

#[test]
fn matches_and_tournaments_are_quiet_where_no_one_reads() {
    let [these, _] = before(VERBS, "test");
    are_quiet(these);
}

#[test]
fn bots_and_servers_are_quiet_where_no_one_reads() {
    let [_, others] = before(VERBS, "test");
    let [these, _] = before(others, "schema");
    are_quiet(these);
}

#[test]
fn replays_and_training_are_quiet_where_no_one_reads() {
    let [_, these] = before(VERBS, "schema");
    are_quiet(these);
}

fn are_quiet(verbs: &[&[&str]]) {
    let (desk, replay, games) = furnished();
    let crash = misbehaving("exit_seven 1");
    for verb in verbs {
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
        for made in ["first", "second", "fox", "pages", "exported"] {
            let _ = std::fs::remove_dir_all(desk.path(made));
        }
        let child = desk.command(&args).stdout(unread()).stderr(unread()).spawn().unwrap();
        let (code, _) = ended(child, &line);
        assert!(QUIET.contains(&code) || [Some(2), Some(125)].contains(&code), "{line}: {code:?}");
    }
}
