//! Bundles: a tournament plays copies of its bots. Changes to the class's folder, or moving the
//! tournament's own directory, do not change its games.

use crate::command::{Desk, Ran, events, events_of, finish};
use crate::tournaments::{csv, games};
use botyard_league::store::{SqliteStore, Store};
use botyard_runner::bots::digest::text_digest;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A bot that plays the legal action with the index in `brain.py` beside it, and logs what it sees.
const BOT: &str = "
import json, os, sys
import brain
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'hello':
        answer = {'type': 'hello', 'protocol': 1, 'name': 'it', 'version': brain.VERSION}
    elif message['type'] == 'start':
        answer = {'type': 'ready'}
    elif message['type'] == 'turn':
        legal = message['legal']
        answer = {'type': 'move', 'turn': message['turn'], 'action': legal[brain.CHOICE % len(legal)]}
    elif message['type'] == 'quit':
        break
    else:
        continue
    print(json.dumps(answer), flush=True)
";

fn brain(choice: u32) -> String {
    format!("VERSION = 'v{choice}'\nCHOICE = {choice}\n")
}

const HEAD: &str = "game = \"scotland-yard\"\nrules = \"grid-5x5-2\"\nformat = \"round-robin\"\nblocks = 3\nseed = 7\n\
    [time]\nmove_ms = 30000\n";

fn entry(name: &str) -> String {
    format!(
        "[[bot]]\nname = \"{name}\"\ndirectory = \"submissions/{name}\"\ncommand = \"python3 -u bot.py\"\n"
    )
}

const RANDOM: &str = "[[bot]]\nname = \"carl\"\ncommand = \"random:seed=3\"\n";

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn submit(desk: &Desk, name: &str, choice: u32) {
    let directory = desk.path("class/submissions").join(name);
    write(&directory.join("bot.py"), BOT);
    write(&directory.join("brain.py"), &brain(choice));
}

/// Returns a class with anna and ben, and the built-in bot carl.
fn class() -> Desk {
    let desk = Desk::new();
    submit(&desk, "anna", 0);
    submit(&desk, "ben", 1);
    write(&desk.path("class/cup.toml"), &[HEAD, &entry("anna"), &entry("ben"), RANDOM].concat());
    desk
}

const RUN: [&str; 6] = ["tournament", "run", "class/cup.toml", "--json", "-j", "1"];

/// Plays some games of the class's tournament, and interrupts it.
fn begun(desk: &Desk, out: &str, after: usize) -> String {
    let args = [&RUN[..], &["--out", out]].concat();
    let mut child = desk.command(&args).spawn().expect("botyard starts");
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let (mut printed, mut ended) = (String::new(), 0);
    while let Some(Ok(line)) = lines.next() {
        ended += usize::from(line.contains("\"type\":\"game_ended\""));
        printed.push_str(&line);
        printed.push('\n');
        if ended == after {
            ended += 1;
            let process = crate::processes::pid_of(&child);
            rustix::process::kill_process(process, rustix::process::Signal::INT).unwrap();
        }
    }
    let ran = finish(child);
    assert_eq!(ran.code, Some(1), "interrupted: {ran:#?}");
    printed
}

/// Returns the copies of a tournament's bots.
fn copies(desk: &Desk, out: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(desk.path(out).join("bundles")).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// Returns the copy of the bot with this brain.
fn copy_of(desk: &Desk, out: &str, choice: u32) -> PathBuf {
    let has = |copy: &PathBuf| {
        fs::read_to_string(copy.join("run/brain.py")).is_ok_and(|text| text == brain(choice))
    };
    copies(desk, out).into_iter().find(has).expect("it was copied")
}

fn resume(desk: &Desk, out: &str) -> Ran {
    desk.run(&["tournament", "resume", out, "--json"])
}

/// Checks that resuming reports no difference from the beginning.
fn tells_of_no_change(ran: &Ran) {
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    for word in ["cup.toml", "cop", "adopt"] {
        assert!(!ran.stderr.contains(word), "{word}: {ran:#?}");
    }
}

#[test]
fn nothing_that_becomes_of_the_class_changes_a_tournament_and_its_directory_can_be_moved() {
    let desk = class();
    let whole = desk.done(&[&RUN[..], &["--out", "whole"]].concat());
    let first = begun(&desk, "cup", 4);
    // A brain that plays differently, a bot without its script, and then an empty folder.
    submit(&desk, "anna", 5);
    fs::remove_file(desk.path("class/submissions/ben/bot.py")).unwrap();
    let ran = resume(&desk, "cup");
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(games(&[first, ran.stdout]), games(std::slice::from_ref(&whole)));

    let first = {
        fs::remove_dir_all(desk.path("class/submissions")).unwrap();
        submit(&desk, "anna", 0);
        submit(&desk, "ben", 1);
        begun(&desk, "second", 3)
    };
    fs::remove_dir_all(desk.path("class")).unwrap();
    // Copied as by `scp -r`, and without the original.
    let elsewhere = Desk::new();
    let mut copy = Command::new("cp");
    let copied = copy.arg("-a").arg(desk.path("second")).arg(elsewhere.path("moved")).status();
    assert!(copied.unwrap().success());
    drop(desk);
    let ran = resume(&elsewhere, "moved");
    tells_of_no_change(&ran);
    assert_eq!(games(&[first, ran.stdout]), games(&[whole]));
    elsewhere.done(&["tournament", "check", "moved"]);
}

#[test]
fn equal_bots_are_copied_once_read_only_and_each_bot_reads_its_own_copy_alone() {
    let desk = class();
    submit(&desk, "dora", 0);
    // It looks for the other copies, and logs what it can read.
    let turn = "    elif message['type'] == 'turn':\n";
    let look = "        seen = []
        for around, _, names in os.walk('..' + '/..' * 2):
            seen += [os.path.join(around, name) for name in names]
        print('SEEN', sorted(seen), file=sys.stderr)\n";
    let spy = BOT.replace(turn, &format!("{turn}{look}"));
    write(&desk.path("class/submissions/eve/bot.py"), &spy);
    write(&desk.path("class/submissions/eve/brain.py"), &brain(2));
    let text = [HEAD, &entry("anna"), &entry("dora"), &entry("eve")].concat();
    write(&desk.path("class/cup.toml"), &text);
    desk.done(&[&RUN[..], &["--out", "cup"]].concat());
    assert_eq!(copies(&desk, "cup").len(), 2, "anna's is dora's");
    let anna = copy_of(&desk, "cup", 0);
    for (name, expected) in [("run", 0o555), ("run/bot.py", 0o444), ("run/brain.py", 0o444)] {
        let mode = fs::metadata(anna.join(name)).unwrap().permissions().mode() & 0o7777;
        assert_eq!(mode, expected, "{name}");
    }
    let mut looked = 0;
    for entry in fs::read_dir(desk.path("cup/replays")).unwrap() {
        for file in fs::read_dir(entry.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            if !path.to_string_lossy().ends_with(".stderr.txt") {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let seen = text.lines().find(|line| line.starts_with("SEEN")).expect("it looked");
            looked += 1;
            if desk.run(&["sandbox"]).stdout.contains("--sandbox auto takes tier") {
                let copy = anna.file_name().unwrap().to_str().unwrap();
                for other in ["tournament.db", "replays", copy] {
                    assert!(!seen.contains(other), "{other}: {seen}");
                }
                assert!(seen.contains("brain.py"), "{seen}");
            }
        }
    }
    assert!(looked > 0, "eve has logged what it saw");
}

#[test]
fn what_has_changed_is_told_with_what_adopts_it() {
    let desk = class();
    begun(&desk, "cup", 2);
    submit(&desk, "anna", 5);
    let text = fs::read_to_string(desk.path("class/cup.toml")).unwrap();
    let edited =
        text.replace("blocks = 3", "blocks = 5").replace("move_ms = 30000", "move_ms = 20000");
    let edited = edited.replace("seed=3", "seed=4");
    write(&desk.path("class/cup.toml"), &format!("{edited}{}", entry("dora")));
    write(&desk.path("cup/tournament.toml"), &text.replace("blocks = 3", "blocks = 9"));
    submit(&desk, "dora", 2);
    let ran = resume(&desk, "cup");
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    for expected in [
        "cup.toml, line 4: blocks was 3 and is 5: it is not adopted yet; `botyard tournament extend cup` adopts",
        "cup.toml, line 7: time.move_ms was 30000 and is 20000: it is ignored",
        "cup.toml, line 18: bot carl.command was \"random:seed=3\" and is \"random:seed=4\": it is not adopted \
         yet; `botyard tournament update cup carl` enters the new version",
        "bot dora.command = \"python3 -u bot.py\" is new: it is not adopted yet; `botyard tournament extend",
        "tournament.toml, line 4: blocks was 3 and is 9: it is ignored, because this file is a copy of",
        "the bot anna in ",
        "has changed since it was copied for cup: the tournament continues with its own copy, and `botyard \
         tournament update cup anna` enters the new version",
    ] {
        assert!(ran.stderr.contains(expected), "{expected}: {}", ran.stderr);
    }
    assert!(!ran.stderr.contains("the bot ben"), "{}", ran.stderr);
    // No part of it was adopted.
    assert_eq!(csv(&desk, "cup").lines().count(), 4);
    write(&desk.path("class/cup.toml"), "game = \n");
    let ran = resume(&desk, "cup");
    assert!(ran.stderr.contains("is not a valid tournament file any more"), "{ran:#?}");
    write(&desk.path("class/cup.toml"), &format!("# a note\n{text}"));
    let ran = resume(&desk, "cup");
    assert!(ran.stderr.contains("has changed in comments or layout only"), "{ran:#?}");
}

#[test]
fn a_copy_that_is_damaged_or_gone_is_refused_by_name() {
    let desk = class();
    begun(&desk, "cup", 2);
    let copy = copy_of(&desk, "cup", 1);
    let script = copy.join("run/brain.py");
    let text = fs::read_to_string(&script).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o644)).unwrap();
    fs::write(&script, text.replace("CHOICE = 1", "CHOICE = 3")).unwrap();
    for expected in ["has changed (its files", "cannot be used"] {
        for verb in [&["resume", "cup"][..], &["rejudge", "cup", "--bot", "anna"]] {
            let ran = desk.run(&[&["tournament"], verb].concat());
            assert_eq!(ran.code, Some(3), "{ran:#?}");
            let named = format!(
                "the copy of the bot ben in cup/bundles/{}",
                copy.file_name().unwrap().to_str().unwrap()
            );
            assert!(ran.stderr.contains(&named) && ran.stderr.contains(expected), "{ran:#?}");
        }
        let checked = desk.run(&["tournament", "check", "cup"]);
        assert_eq!(checked.code, Some(1), "{checked:#?}");
        let printed = format!("{}{}", checked.stdout, checked.stderr);
        assert!(printed.contains("the copy of the bot ben in cup/bundles/"), "{checked:#?}");
        assert!(printed.contains(expected) && !printed.contains("bot anna"), "{checked:#?}");
        for directory in [&copy, &copy.join("run")].into_iter().filter(|path| path.exists()) {
            fs::set_permissions(directory, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let _ = fs::remove_dir_all(&copy);
    }
}

#[test]
fn links_out_of_a_bot_and_bots_too_large_are_refused_by_name_without_a_sandbox_too() {
    let desk = class();
    let text = fs::read_to_string(desk.path("class/cup.toml")).unwrap();
    write(&desk.path("class/cup.toml"), &format!("{text}[sandbox]\nmode = \"none\"\n"));
    let anna = desk.path("class/submissions/anna");
    write(&desk.path("class/key"), "");
    symlink("../../key", anna.join("weights")).unwrap();
    let ran = desk.run(&[&RUN[..], &["--out", "cup"]].concat());
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("submissions/anna/weights is a link that leads out"), "{ran:#?}");
    fs::remove_file(anna.join("weights")).unwrap();
    fs::File::create(anna.join("weights")).unwrap().set_len(2 << 30).unwrap();
    let ran = desk.run(&[&RUN[..], &["--out", "cup"]].concat());
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("with more than 1024 MiB or 100000 files"), "{ran:#?}");
    assert!(!desk.path("cup").exists(), "what was made is taken away");
    // An existing directory stays, with nothing added to it.
    fs::create_dir(desk.path("cup")).unwrap();
    assert_eq!(desk.run(&[&RUN[..], &["--out", "cup"]].concat()).code, Some(2));
    assert_eq!(fs::read_dir(desk.path("cup")).unwrap().count(), 0);
    fs::remove_file(anna.join("weights")).unwrap();
    desk.done(&[&RUN[..], &["--out", "cup"]].concat());
}

/// Virtual environments made by `python3 -m venv`: one in the directory is copied with it, one
/// above it is only named.
#[test]
fn a_virtual_environment_in_the_directory_is_copied_and_one_above_it_is_used_where_it_is() {
    let desk = class();
    let python =
        if Path::new("/usr/bin/python3").exists() { "/usr/bin/python3" } else { "python3" };
    let venv = |at: PathBuf| {
        let made = Command::new(python).args(["-m", "venv", "--without-pip"]).arg(&at).status();
        assert!(made.unwrap().success(), "a virtual environment");
        let library = fs::read_dir(at.join("lib")).unwrap().next().unwrap().unwrap().path();
        write(&library.join("site-packages/tiny.py"), "answer = 42\n");
    };
    venv(desk.path("class/submissions/anna/venv"));
    venv(desk.path("class/venv"));
    for (name, program) in [("anna", "venv/bin/python3"), ("ben", "../../venv/bin/python3")] {
        let bot = format!("import tiny\nassert tiny.answer == 42\n{BOT}");
        write(&desk.path("class/submissions").join(name).join("bot.py"), &bot);
        let text = fs::read_to_string(desk.path("class/cup.toml")).unwrap();
        let before = format!("submissions/{name}\"\ncommand = \"python3");
        let after = format!("submissions/{name}\"\ncommand = \"{program}");
        write(&desk.path("class/cup.toml"), &text.replace(&before, &after));
    }
    begun(&desk, "cup", 2);
    assert!(copy_of(&desk, "cup", 0).join("run/venv/pyvenv.cfg").exists());
    assert!(!copy_of(&desk, "cup", 1).join("run/venv").exists());
    fs::remove_dir_all(desk.path("class/submissions")).unwrap();
    let ran = resume(&desk, "cup");
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let printed = events(&ran.stdout);
    for game in events_of(&printed, "game_ended") {
        assert_eq!(game["outcome"]["kind"], "completed", "{game:#}");
    }
}

#[test]
fn a_copy_that_vanishes_while_it_plays_loses_no_game_and_ends_the_run() {
    let desk = class();
    let text = fs::read_to_string(desk.path("class/cup.toml")).unwrap();
    let text = text
        .replace("blocks = 3", "blocks = 2000")
        .replace("[time]", "[run]\nrestart = true\n[time]");
    write(&desk.path("class/cup.toml"), &text);
    let mut child = desk.command(&[&RUN[..], &["--out", "cup"]].concat()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let (mut printed, mut is_gone) = (String::new(), false);
    while let Some(Ok(line)) = lines.next() {
        if line.contains("\"type\":\"game_ended\"") && !std::mem::replace(&mut is_gone, true) {
            fs::rename(desk.path("cup/bundles"), desk.path("cup/elsewhere")).unwrap();
        }
        printed.push_str(&line);
        printed.push('\n');
    }
    let ran = finish(child);
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    assert!(ran.stderr.contains("was void 4 times") && ran.stderr.contains("is gone"), "{ran:#?}");
    assert!(ran.stderr.contains("`botyard tournament resume`"), "{ran:#?}");
    let printed = events(&printed);
    assert!(
        events_of(&printed, "game_ended").iter().all(|game| game["outcome"]["kind"] == "completed")
    );
    let voids = events_of(&printed, "game_void");
    // Several games are played at once: another one may end last, after fewer attempts.
    let given_up =
        voids.iter().find(|it| it["attempt"] == 4).expect("a game that was void 4 times");
    let of_game: Vec<&Value> =
        voids.iter().copied().filter(|it| it["game_id"] == given_up["game_id"]).collect();
    let attempts: Vec<u64> = of_game.iter().map(|it| it["attempt"].as_u64().unwrap()).collect();
    assert_eq!(attempts, [1, 2, 3, 4]);
    let replays: BTreeSet<&str> = of_game.iter().map(|it| it["replay"].as_str().unwrap()).collect();
    assert_eq!(replays.len(), 4);
    for replay in replays {
        let replay = desk.path("cup").join(replay);
        desk.done(&["replay", "verify", replay.to_str().unwrap()]);
    }
    // With the copies back, the store is valid.
    fs::rename(desk.path("cup/elsewhere"), desk.path("cup/bundles")).unwrap();
    desk.done(&["tournament", "check", "cup"]);
}

const GATE: &str = "[gate]\nagainst = [\"random:seed=9\"]\nblocks = 1\nscore = 0.0\n";

fn standings(desk: &Desk) -> Value {
    let text = desk.done(&["tournament", "standings", "cup", "--format", "json"]);
    serde_json::from_str(&text).unwrap()
}

/// Returns the name, the version and the number of games of every bot that is ranked.
fn ranked(standings: &Value) -> BTreeSet<(String, String, u64)> {
    let bots = standings["bots"].as_array().unwrap().iter().filter(|bot| !bot["rank"].is_null());
    let text = |value: &Value| value.as_str().unwrap().to_string();
    bots.map(|bot| {
        let games = bot["score"]["games"].as_u64().unwrap();
        (text(&bot["name"]), text(&bot["version"]), games)
    })
    .collect()
}

fn expect(rows: &[(&str, &str, u64)]) -> BTreeSet<(String, String, u64)> {
    rows.iter().map(|&(name, version, games)| (name.into(), version.into(), games)).collect()
}

#[test]
fn a_new_version_plays_all_its_games_and_those_of_the_old_one_are_kept_apart() {
    let desk = class();
    let text = fs::read_to_string(desk.path("class/cup.toml")).unwrap();
    write(&desk.path("class/cup.toml"), &format!("{text}{GATE}"));
    // Interrupted in the middle: the old version never plays its remaining games.
    let first = begun(&desk, "cup", 7);
    let refused = |args: &[&str], code: i32, expected: &str| {
        let ran = desk.run(&[&["tournament"], args].concat());
        assert_eq!(ran.code, Some(code), "{ran:#?}");
        assert!(ran.stderr.contains(expected), "{expected}: {ran:#?}");
    };
    refused(&["update", "cup", "anna"], 2, "its files, command and options have not changed");
    refused(
        &["update", "cup", "ana"],
        2,
        "no bot that plays is called \"ana\" (did you mean anna?)",
    );
    write(&desk.path("class/submissions/anna/brain.py"), "VERSION = 1 / 0\n");
    refused(&["update", "cup", "anna"], 1, "no bot passed the gate; the tournament is unchanged");
    assert_eq!(copies(&desk, "cup").len(), 2, "the copy of the rejected version is gone");
    submit(&desk, "anna", 5);
    let updated = desk.done(&["tournament", "update", "cup", "anna", "--json"]);
    let of_new: Vec<Value> = events(&updated);
    let new_games = events_of(&of_new, "game_ended");
    assert!(new_games.iter().all(|game| !game["seats"].to_string().contains("\"anna\"")));
    let printed = standings(&desk);
    let expected = [("anna v2", "v5", 12), ("ben", "v1", 12), ("carl", "", 12)];
    let ranked: BTreeSet<_> = ranked(&printed)
        .into_iter()
        .map(|(name, version, games)| {
            let version = if name == "carl" { String::new() } else { version };
            (name, version, games)
        })
        .collect();
    assert_eq!(ranked, expect(&expected));
    let old = &printed["replaced"][0];
    assert_eq!((&old["bot"]["name"], &old["replaced_by"]), (&"anna".into(), &"anna v2".into()));
    let old_games = events(&first)
        .iter()
        .filter(|it| it["type"] == "game_ended" && it["seats"].to_string().contains("\"anna\""))
        .count() as u64;
    assert!(old["games"].as_u64().unwrap() >= old_games && old_games > 0, "{old}");
    let table = desk.done(&["tournament", "standings", "cup"]);
    assert!(table.contains("anna was replaced by anna v2: "), "{table}");
    // The store agrees with the replays, also after rebuilding it from them.
    desk.done(&["tournament", "check", "cup"]);
    fs::remove_file(desk.path("cup/tournament.db")).unwrap();
    desk.run(&["tournament", "recover", "cup"]);
    desk.done(&["tournament", "check", "cup"]);
    assert_eq!(standings(&desk)["bots"], printed["bots"]);
    // Nothing is left to play, and nothing differs.
    let ran = resume(&desk, "cup");
    tells_of_no_change(&ran);
    refused(&["rejudge", "cup", "--bot", "anna"], 2, "no game matches the selection");
}

#[test]
fn a_tournament_is_extended_by_blocks_a_late_bot_and_one_that_was_repaired() {
    let desk = class();
    let text = fs::read_to_string(desk.path("class/cup.toml")).unwrap();
    let text = format!("{text}{GATE}{}", entry("eve")).replace("blocks = 3", "blocks = 1");
    submit(&desk, "eve", 2);
    write(&desk.path("class/submissions/eve/brain.py"), "VERSION = 1 / 0\n");
    write(&desk.path("class/cup.toml"), &text);
    let first = desk.done(&[&RUN[..], &["--out", "cup"]].concat());
    let ran = desk.run(&["tournament", "extend", "cup"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(
        ran.stderr.contains("the bot eve has not changed since the gate rejected it"),
        "{ran:#?}"
    );
    assert!(ran.stderr.contains("cup.toml adds nothing"), "{ran:#?}");
    // Each change that cannot be adopted is reported, and nothing is adopted.
    submit(&desk, "eve", 2);
    submit(&desk, "dora", 3);
    let more = format!("{}{}", text.replacen("blocks = 1", "blocks = 2", 1), entry("dora"));
    write(&desk.path("class/cup.toml"), &more.replace("move_ms = 30000", "move_ms = 9"));
    let ran = desk.run(&["tournament", "extend", "cup"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("line 7: time.move_ms was 30000 and is 9"), "{ran:#?}");
    assert!(!ran.stderr.contains("blocks was"), "{ran:#?}");

    write(&desk.path("class/cup.toml"), &more);
    let second = desk.done(&["tournament", "extend", "cup", "--json"]);
    // Finished games do not change.
    let all = games(&[first.clone(), second]);
    assert!(games(&[first]).iter().all(|(id, result)| all.get(id) == Some(result)));
    // Five bots, each pair two blocks of two games.
    assert_eq!(all.len(), 10 * 2 * 2);
    let printed = standings(&desk);
    let counts: Vec<u64> = ranked(&printed).into_iter().map(|(.., games)| games).collect();
    assert_eq!(counts, [16; 5], "{printed:#}");
    assert_eq!(printed["rejected"], Value::Array(Vec::new()));
    desk.done(&["tournament", "check", "cup"]);
    let ran = resume(&desk, "cup");
    tells_of_no_change(&ran);
    // A late bot that fails the gate changes nothing, and the output says why.
    submit(&desk, "fred", 0);
    write(&desk.path("class/submissions/fred/brain.py"), "VERSION = 1 / 0\n");
    write(&desk.path("class/cup.toml"), &format!("{more}{}", entry("fred")));
    let ran = desk.run(&["tournament", "extend", "cup"]);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    assert!(
        ran.stderr.contains("fred was rejected by the gate: it could not be started"),
        "{ran:#?}"
    );
}

#[test]
fn pairings_that_follow_from_results_take_more_rounds_and_no_more_bots() {
    let desk = class();
    submit(&desk, "dora", 2);
    let text = fs::read_to_string(desk.path("class/cup.toml")).unwrap() + &entry("dora");
    let text = text.replace("blocks = 3", "blocks = 1");
    let swiss =
        |rounds: u32| text.replace("\"round-robin\"", &format!("\"swiss\"\nrounds = {rounds}"));
    write(&desk.path("class/cup.toml"), &swiss(2));
    desk.done(&[&RUN[..], &["--out", "cup"]].concat());
    submit(&desk, "anna", 7);
    let ran = desk.run(&["tournament", "update", "cup", "anna"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("no new version of a bot can be entered in a swiss"), "{ran:#?}");
    submit(&desk, "anna", 0);
    write(&desk.path("class/cup.toml"), &swiss(3));
    desk.done(&["tournament", "extend", "cup"]);
    assert_eq!(standings(&desk)["swiss"]["rounds"], 3);
    let later = desk.done(&[&RUN[..], &["--out", "longer"]].concat());
    assert_eq!(csv(&desk, "cup"), csv(&desk, "longer"), "as if it had begun with three: {later}");
}

/// The store has the addition first, and the copies beside it after that.
#[test]
fn an_addition_that_was_killed_halfway_is_completed_by_resume() {
    let desk = Desk::new();
    let text = "game = \"scotland-yard\"\nrules = \"grid-5x5-2\"\nblocks = 1\nseed = 7\n\
                [time]\nmove_ms = 30000\n[[bot]]\ncommand = \"random\"\n[[bot]]\ncommand = \"greedy\"\n";
    write(&desk.path("cup.toml"), text);
    desk.done(&["tournament", "run", "cup.toml", "--out", "cup"]);
    let copies = ["tournament.toml", "definition.db"].map(|name| desk.path("cup").join(name));
    let before = copies.clone().map(|copy| fs::read(copy).unwrap());
    write(&desk.path("cup.toml"), &text.replace("blocks = 1", "blocks = 2"));
    desk.done(&["tournament", "extend", "cup"]);
    let after = fs::read(&copies[0]).unwrap();
    assert_ne!(before[0], after);
    // Killed before the first copy was written, and between the two.
    for old in [&[0, 1][..], &[1]] {
        for &copy in old {
            fs::write(&copies[copy], &before[copy]).unwrap();
        }
        let ran = resume(&desk, "cup");
        tells_of_no_change(&ran);
        assert_eq!(fs::read(&copies[0]).unwrap(), after);
        desk.done(&["tournament", "check", "cup"]);
        // A rebuilt store has the addition too.
        fs::remove_file(desk.path("cup/tournament.db")).unwrap();
        desk.run(&["tournament", "recover", "cup"]);
        assert_eq!(standings(&desk)["bots"][0]["score"]["games"], 4);
    }
    // Killed at the start, between the store and the copy of the file.
    fs::remove_file(&copies[0]).unwrap();
    tells_of_no_change(&resume(&desk, "cup"));
    desk.done(&["tournament", "check", "cup"]);
    // An edited copy is reported, and stays.
    write(&copies[0], &text.replace("move_ms = 30000", "move_ms = 40000"));
    let ran = resume(&desk, "cup");
    assert!(ran.stderr.contains("it is ignored, because this file is a copy"), "{ran:#?}");
    assert_ne!(fs::read(&copies[0]).unwrap(), after);
}

/// A tournament as version 0.1.0 left it: without copies, and with the digest of the script only.
#[test]
fn a_tournament_without_copies_is_resumed_with_the_bots_where_they_are() {
    let desk = class();
    let whole = desk.done(&[&RUN[..], &["--out", "whole"]].concat());
    let first = begun(&desk, "cup", 4);
    let file = desk.path("cup/tournament.db");
    let store = SqliteStore::open(&file).unwrap();
    let mut definition = store.definition().clone();
    definition.kept = None;
    for entrant in &mut definition.entrants {
        entrant.digest = if entrant.name == "carl" { String::new() } else { text_digest(BOT) };
    }
    let recorded = store.current_games(None).unwrap();
    drop(store);
    for name in ["tournament.db", "definition.db"] {
        fs::remove_file(desk.path("cup").join(name)).unwrap();
    }
    SqliteStore::create(&file, definition).unwrap().record(&recorded).unwrap();
    let copies = desk.path("cup/bundles");
    assert!(Command::new("chmod").args(["-R", "u+w"]).arg(&copies).status().unwrap().success());
    fs::remove_dir_all(&copies).unwrap();

    let script = desk.path("class/submissions/ben/bot.py");
    fs::write(&script, format!("{BOT}\n")).unwrap();
    let ran = resume(&desk, "cup");
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(
        ran.stderr.contains("have changed since the tournament started")
            && ran.stderr.contains("ben"),
        "{ran:#?}"
    );
    fs::write(&script, BOT).unwrap();
    for verb in [&["update", "cup", "anna"][..], &["extend", "cup"]] {
        let ran = desk.run(&[&["tournament"], verb].concat());
        assert_eq!(ran.code, Some(2), "{ran:#?}");
        assert!(ran.stderr.contains("kept no copies of its bots"), "{ran:#?}");
    }
    let ran = resume(&desk, "cup");
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(games(&[first, ran.stdout]), games(&[whole]));
}
