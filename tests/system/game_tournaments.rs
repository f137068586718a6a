//! Games whose rules are programs: their replays, and tournaments that keep a copy of the program.

use crate::command::{Desk, events, events_of, finish, repository, script};
use crate::coordinator::{Coordinator, add_token, remote};
use crate::processes::Processes;
use crate::tournaments::{csv, games, of_games};
use crate::workers::completed;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// A directory with tic-tac-toe and a bot.
fn desk() -> Desk {
    let desk = Desk::new();
    copy(&repository("examples/games/tic-tac-toe"), &desk.path("tic-tac-toe"));
    desk
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_file() {
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

/// The kit's first bot, which plays every game by its list of legal actions.
fn first(seed: u32) -> String {
    format!("bot{seed}={}", script("python3", "sdk/python/examples/first.py", ""))
}

/// Changes the program of the game in a directory without changing its rules.
fn edit(directory: &Path) {
    let file = directory.join("game.py");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("# Edited.\n{text}")).unwrap();
}

fn played(desk: &Desk) -> PathBuf {
    let (one, other) = (first(1), first(2));
    desk.done(&["match", "./tic-tac-toe", &one, &other, "-n", "1", "--out", "games"]);
    let replays = desk.replays("games");
    assert_eq!(replays.len(), 1);
    replays[0].clone()
}

#[test]
fn a_replay_names_the_bundle_and_is_verified_with_it_alone() {
    let desk = desk();
    let replay = played(&desk);
    let header = fs::read_to_string(&replay).unwrap();
    let header: Value = serde_json::from_str(header.lines().next().unwrap()).unwrap();
    let (name, digest) = header["game"].as_str().unwrap().split_once('@').unwrap();
    assert_eq!((name, digest.len()), ("tic-tac-toe", 32));
    let replay = replay.to_str().unwrap();
    // The game is in a directory of its name above the replay.
    let verified = desk.done(&["replay", "verify", replay]);
    assert!(verified.contains("decisions"), "{verified}");
    let shown = desk.done(&["replay", "show", replay]);
    assert!(shown.starts_with("tic-tac-toe, game tic-tac-toe-"), "{shown}");
    assert!(shown.contains("over: "), "{shown}");

    let analyzed = desk.done(&["analyze", replay, "--with", "random", "--seat", "x"]);
    assert!(analyzed.contains("played"), "{analyzed}");

    edit(&desk.path("tic-tac-toe"));
    let refused = desk.run(&["replay", "verify", replay]);
    assert_eq!(refused.code, Some(2), "{refused:#?}");
    assert!(refused.stderr.contains(digest) && refused.stderr.contains("--game"), "{refused:#?}");
    let refused = desk.run(&["replay", "verify", replay, "--game", "tic-tac-toe"]);
    assert_eq!(refused.code, Some(2), "{refused:#?}");
    let expected = format!("expected tic-tac-toe with the digest {digest}");
    assert!(refused.stderr.contains(&expected), "{refused:#?}");
    // Without the program, what was recorded is listed.
    let listed = desk.done(&["replay", "show", replay]);
    assert!(listed.contains("not checked, and listed as recorded"), "{listed}");
    assert!(listed.contains("over: "), "{listed}");

    copy(&repository("examples/games/tic-tac-toe"), &desk.path("elsewhere/ttt"));
    desk.done(&["replay", "verify", replay, "--game", "elsewhere/ttt"]);
}

/// A game that its author ran has compiled modules beside its sources.
#[test]
fn what_interpreters_write_beside_a_program_is_no_part_of_its_bundle() {
    let desk = desk();
    let replay = played(&desk);
    fs::create_dir(desk.path("tic-tac-toe/__pycache__")).unwrap();
    fs::write(desk.path("tic-tac-toe/__pycache__/game.cpython-313.pyc"), "compiled").unwrap();
    desk.done(&["replay", "verify", replay.to_str().unwrap()]);
    cup(&desk, 1);
    desk.done(&["tournament", "run", "cup.toml"]);
    let copies = fs::read_dir(desk.path("cup.tournament/bundles")).unwrap();
    let copies: Vec<PathBuf> = copies.map(|copy| copy.unwrap().path().join("run")).collect();
    assert!(copies.iter().any(|copy| copy.join("game.py").is_file()), "{copies:?}");
    assert!(!copies.iter().any(|copy| copy.join("__pycache__").exists()), "{copies:?}");
}

#[test]
fn a_changed_action_is_found_by_the_rules() {
    let desk = desk();
    let replay = played(&desk);
    let text = fs::read_to_string(&replay).unwrap();
    // Every line of a replay is chained to the one before, so the change is found by the chain first.
    let changed = text.replacen("\"action\":", "\"action\": ", 1);
    assert_ne!(changed, text);
    fs::write(&replay, changed).unwrap();
    let refused = desk.run(&["replay", "verify", replay.to_str().unwrap()]);
    assert_eq!(refused.code, Some(1), "{refused:#?}");
}

fn cup(desk: &Desk, blocks: u32) {
    let bots: String = (1..=3)
        .map(|bot| {
            let command = script("python3", "sdk/python/examples/first.py", "");
            format!("[[bot]]\nname = \"bot{bot}\"\ncommand = {command:?}\n")
        })
        .collect();
    let text = format!(
        "game = \"./tic-tac-toe\"\nformat = \"round-robin\"\nblocks = {blocks}\n\
         [time]\nmove_ms = 30000\n{bots}"
    );
    fs::write(desk.path("cup.toml"), text).unwrap();
}

#[test]
fn a_tournament_is_played_with_its_copy_of_the_game() {
    let desk = desk();
    cup(&desk, 2);
    let printed = desk.done(&["tournament", "run", "cup.toml", "-j", "2", "--json"]);
    let printed = events(&printed);
    let ended = events_of(&printed, "game_ended");
    assert_eq!(ended.len(), 12);
    assert!(ended.iter().all(|game| game["rules_us"].as_u64() > Some(0)), "{ended:#?}");
    // A changed program is another game: the tournament has its own copy of the first one.
    edit(&desk.path("tic-tac-toe"));
    let resumed = desk.run(&["tournament", "resume", "cup.tournament"]);
    assert_eq!(resumed.code, Some(0), "{resumed:#?}");
    let note = "the program of the game tic-tac-toe has changed: the tournament continues with its own copy";
    assert!(resumed.stderr.contains(note), "{resumed:#?}");
    let file = fs::read_to_string(desk.path("cup.toml")).unwrap();
    fs::write(desk.path("cup.toml"), file.replace("blocks = 2", "blocks = 3")).unwrap();
    let extended = events(&desk.done(&["tournament", "extend", "cup.tournament", "--json"]));
    assert_eq!(events_of(&extended, "game_ended").len(), 6);
    fs::remove_dir_all(desk.path("tic-tac-toe")).unwrap();
    let before = csv(&desk, "cup.tournament");
    let replays = desk.path("cup.tournament/replays");
    for place in fs::read_dir(replays).unwrap() {
        for replay in fs::read_dir(place.unwrap().path()).unwrap() {
            let replay = replay.unwrap().path();
            desk.done(&["replay", "verify", replay.to_str().unwrap()]);
        }
    }
    let checked = desk.done(&["tournament", "check", "cup.tournament"]);
    assert!(checked.contains("no difference"), "{checked}");
    // A store that is lost is rebuilt by playing the replays through the copy of the program.
    fs::write(desk.path("cup.tournament/tournament.db"), "").unwrap();
    let recovered = desk.done(&["tournament", "recover", "cup.tournament"]);
    assert!(recovered.contains("18"), "{recovered}");
    assert_eq!(of_games(&csv(&desk, "cup.tournament")), of_games(&before));
    let rejudged = desk.done(&["tournament", "rejudge", "cup.tournament", "--bot", "bot1"]);
    assert!(rejudged.contains("rejudging 12 games"), "{rejudged}");
    desk.done(&["tournament", "rejudge", "cup.tournament", "--drop"]);
    let shown = desk.done(&["tournament", "standings", "cup.tournament"]);
    assert!(shown.contains("bot3"), "{shown}");
    assert!(!of_games(&csv(&desk, "cup.tournament")).is_empty());
}

/// The programs are killed after every few games, by a number that is drawn for each run. One that waits for its next
/// game is replaced, and one that is asked something stops the run.
#[test]
fn kills_of_the_rules_program_lose_no_game() {
    const GAMES: usize = 120;
    let bots: String =
        (1..=3).map(|bot| format!("[[bot]]\ncommand = \"random:seed={bot}\"\n")).collect();
    let text =
        format!("game = \"./tic-tac-toe\"\nseed = 9\nblocks = 20\n[time]\nmove_ms = 30000\n{bots}");
    let [undisturbed, disturbed] = [(); 2].map(|()| {
        let desk = desk();
        // Slow enough to be killed in a game.
        let program = desk.path("tic-tac-toe/game.py");
        let slow = fs::read_to_string(&program).unwrap();
        let slow = slow.replace(
            "case \"play\":",
            "case \"play\":\n            __import__(\"time\").sleep(0.003)",
        );
        fs::write(program, slow).unwrap();
        fs::write(desk.path("cup.toml"), &text).unwrap();
        desk
    });
    let run = ["tournament", "run", "cup.toml", "-j", "2", "--json"];
    let expected = games(&[undisturbed.done(&run)]);
    assert_eq!(expected.len(), GAMES);

    let resume = ["tournament", "resume", "cup.tournament", "-j", "2", "--json"];
    let mut random = Xoshiro256PlusPlus::seed_from_u64(44);
    let (mut printed, mut stops) = (Vec::new(), 0);
    loop {
        let args = if printed.is_empty() { &run } else { &resume };
        let mut child = disturbed.command(args).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let mut text = String::new();
        let (mut ended, every) = (0, random.random_range(5..20));
        for line in &mut lines {
            text += &format!("{line}\n");
            if line.contains("\"game_ended\"") {
                ended += 1;
                if ended % every == 0 {
                    Processes::started_by(&child).kill_with("game.py");
                }
            }
        }
        printed.push(text);
        let ran = finish(child);
        match ran.code {
            Some(0) => break,
            code => assert_eq!(code, Some(3), "{ran:#?}"),
        }
        // A program that has not said hello yet has no name.
        assert!(ran.stderr.contains("the rules program"), "{ran:#?}");
        assert!(ran.stderr.contains("botyard tournament resume"), "{ran:#?}");
        stops += 1;
        assert!(stops < 500, "nothing is played between two kills");
    }
    assert!(stops > 0, "no program was killed in a game");
    // Every game once, with the same result.
    assert_eq!(games(&printed), expected);
    let [of_undisturbed, of_disturbed] =
        [&undisturbed, &disturbed].map(|desk| csv(desk, "cup.tournament"));
    assert_eq!(of_disturbed, of_undisturbed);
}

/// The points of the default rules are not those of the tournament's.
#[test]
fn points_that_depend_on_the_rules_count() {
    let desk = desk();
    let file = desk.path("tic-tac-toe/game.py");
    let mut text = fs::read_to_string(&file).unwrap();
    for (old, new) in [
        (
            r#"answer = {"type": "rules", "rules": {}}"#,
            r#"worth = request["rules"].get("worth", 1)
            scores = {"least": 0, "most": worth, "sum": worth}
            answer = {"type": "rules", "rules": {"worth": worth}, "scores": scores}"#,
        ),
        ("scores = [1 if", "scores = [worth if"),
        ("[0.5, 0.5]", "[worth / 2, worth / 2]"),
    ] {
        assert!(text.contains(old), "{old}");
        text = text.replace(old, new);
    }
    fs::write(&file, text).unwrap();
    cup(&desk, 1);
    let cup = desk.path("cup.toml");
    let rules = fs::read_to_string(&cup).unwrap().replace("[time]", "[rule]\nworth = 8\n[time]");
    fs::write(&cup, rules).unwrap();
    desk.done(&["tournament", "run", "cup.toml"]);
    let shown = desk.done(&["tournament", "standings", "cup.tournament"]);
    assert!(shown.contains("from 0 to 8") && !shown.contains("cannot be read"), "{shown}");
}

#[test]
fn workers_fetch_the_game_and_a_coordinator_verifies_their_replays_with_it() {
    let desk = desk();
    cup(&desk, 1);
    let store = "lab.db";
    let on_store = |args: &[&str]| {
        let ran = finish(desk.command(args).env("BOTYARD_STORE", store).spawn().unwrap());
        assert_eq!(ran.code, Some(0), "botyard {}: {ran:#?}", args.join(" "));
        ran.stdout
    };
    on_store(&["tournament", "submit", "cup.toml"]);
    // The store has the only copy.
    fs::remove_dir_all(desk.path("tic-tac-toe")).unwrap();
    add_token(&desk, "lab.token");
    let coordinator = Coordinator::start(&desk, store);
    let mut worker = remote(&desk, &coordinator.url(), "lab.token", "lab", &["--drain", "-j", "1"]);
    let ran = finish(worker.spawn().unwrap());
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let completed = completed(&events(&ran.stdout)).len();
    assert_eq!(completed, 3, "{}", ran.stdout);
    drop(coordinator);
    let status: Value =
        serde_json::from_str(&on_store(&["tournament", "status", "cup", "--json"])).unwrap();
    assert_eq!((&status["blocks"]["ready"], &status["games"]), (&0.into(), &6.into()), "{status}");
    assert!(on_store(&["tournament", "standings", "cup"]).contains("bot3"));
}
