//! Stalls of the host while a tournament runs: its process stops, its store is locked, or its disk is slow.
//! None of them loses or changes a result.

use crate::command::{BOTYARD, Desk, events, events_of, finish, repository};
use crate::processes::pid_of;
use crate::tournaments::{SMALL, csv, games};
use rusqlite::Connection;
use rustix::process::{Signal, kill_process};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The times per move, of which the first is tried that is enough for a bot to stop its botyard. Beside
/// sixteen busy programs that can take half a second.
const MOVE_MS: [u64; 2] = [190, 800];

/// Returns a stall that makes a game void: longer than the referee waits for any answer, a hundred times the
/// time of a move and 250 ms.
fn stall(move_ms: u64) -> Duration {
    Duration::from_millis(100 * move_ms + 500)
}

/// The time for which another program locks the store.
const LOCKED: Duration = Duration::from_secs(3);

/// The time to wait for something that is certain to happen.
const PATIENCE: Duration = Duration::from_secs(120);

/// A bot that plays the first legal action. In each game that `stops` names it stops its botyard
/// once, creates a file when every thread is stopped, and never answers.
const STOPS_ITS_REFEREE: &str = r#"
import glob, json, os, signal, sys, time

def state(task):
    with open(task) as file:
        return file.read().rpartition(")")[2].split()[0]

def stop_botyard(mark):
    botyard = os.getppid()
    os.kill(botyard, signal.SIGSTOP)
    while any(state(task) != "T" for task in glob.glob(f"/proc/{botyard}/task/*/stat")):
        time.sleep(0.001)
    open(mark, "w").close()
    time.sleep(600)

stops = json.load(open("MARKS/stops")) if os.path.exists("MARKS/stops") else {}
mark = None
for line in sys.stdin:
    message = json.loads(line)
    match message["type"]:
        case "hello": answer = {"type": "hello", "protocol": 1, "name": "anna", "games": []}
        case "start":
            mark = stops.get(message["game_id"])
            answer = {"type": "ready"}
        case "turn":
            if mark and not os.path.exists(mark):
                stop_botyard(mark)
            answer = {"type": "move", "turn": message["turn"], "action": message["legal"][0]}
        case "quit": break
        case _: continue
    print(json.dumps(answer), flush=True)
"#;

/// A bot that plays the first legal action as soon as a file `locked` exists.
const WAITS_FOR_THE_LOCK: &str = r#"
import json, os, sys, time
for line in sys.stdin:
    message = json.loads(line)
    match message["type"]:
        case "hello": answer = {"type": "hello", "protocol": 1, "name": "anna", "games": []}
        case "start": answer = {"type": "ready"}
        case "turn":
            while not os.path.exists("MARKS/locked"):
                time.sleep(0.005)
            answer = {"type": "move", "turn": message["turn"], "action": message["legal"][0]}
        case "quit": break
        case _: continue
    print(json.dumps(answer), flush=True)
"#;

/// Makes the small tournament with this bot, and the directory of the bot's marks. A tournament
/// plays a copy of the bot and of the files beside it, so the marks are elsewhere and named by
/// their full path.
fn desk(bot: &str, move_ms: u64) -> (Desk, Desk) {
    let (desk, marks) = (Desk::new(), Desk::new());
    let text = SMALL
        .replace("random:seed=1", "python3 bot.py")
        .replace("blocks = 4", "blocks = 2")
        .replace("move_ms = 30000", &format!("move_ms = {move_ms}"));
    let more = "[run]\nconcurrency = 1\n[sandbox]\nmode = \"none\"\n";
    fs::write(desk.path("small.toml"), format!("{text}{more}")).unwrap();
    let bot = bot.replace("MARKS/", marks.path("").to_str().expect("UTF-8"));
    fs::write(desk.path("bot.py"), bot).unwrap();
    (desk, marks)
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Returns the standings without the times of the moves, which differ in every run.
fn shown(desk: &Desk, directory: &str) -> [String; 2] {
    let table = desk.done(&["tournament", "standings", directory]);
    let tables = table.split("\n\n").filter(|table| !table.contains("mean move"));
    [csv(desk, directory), tables.collect()]
}

/// Plays a test with the first time per move that is enough: it returns whether this one was.
fn with_time_enough(test: impl Fn(u64) -> bool) {
    assert!(MOVE_MS.into_iter().any(test), "a bot stops its botyard within {MOVE_MS:?} ms");
}

/// Returns whether a bot lost by time in one of these events.
fn lost_by_time(output: &[Value]) -> bool {
    let ended = events_of(output, "game_ended");
    ended.iter().any(|game| game["outcome"]["reason"] == "forfeit_timeout")
}

#[test]
fn a_botyard_that_stands_still_and_is_interrupted_loses_and_changes_nothing() {
    with_time_enough(botyard_stands_still_and_is_interrupted);
}

fn botyard_stands_still_and_is_interrupted(move_ms: u64) -> bool {
    let (desk, marks) = desk(STOPS_ITS_REFEREE, move_ms);
    // A bot whose file only its owner can read runs as the user that runs botyard, and can stop it.
    let own = fs::Permissions::from_mode(0o600);
    fs::set_permissions(desk.path("bot.py"), own).unwrap();
    let whole = desk.done(&["tournament", "run", "small.toml", "--json", "--out", "whole"]);
    let played = events(&whole);
    let annas: Vec<&str> = events_of(&played, "game_ended")
        .into_iter()
        .filter(|game| game["seats"].as_object().unwrap().values().any(|bot| bot == "anna"))
        .map(|game| game["game_id"].as_str().unwrap())
        .collect();
    let (long, short) = (annas[1], annas[annas.len() - 2]);
    assert_ne!(long, short);
    let stops = json!({
        long: marks.path("stopped-for-long"),
        short: marks.path("stopped-for-short"),
    });
    fs::write(marks.path("stops"), stops.to_string()).unwrap();

    let args = ["tournament", "run", "small.toml", "--json", "--out", "stalled"];
    let child = desk.command(&args).spawn().expect("botyard starts");
    wait_until("a bot has stopped botyard", || marks.path("stopped-for-long").exists());
    std::thread::sleep(stall(move_ms));
    kill_process(pid_of(&child), Signal::CONT).expect("botyard runs");
    wait_until("a bot has stopped it again", || marks.path("stopped-for-short").exists());
    kill_process(pid_of(&child), Signal::INT).expect("botyard runs");
    kill_process(pid_of(&child), Signal::CONT).expect("botyard runs");
    let ran = finish(child);
    let output = events(&ran.stdout);
    if lost_by_time(&output) {
        return false;
    }
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    let [ended] = events_of(&output, "tournament_ended")[..] else { panic!("one end: {ran:#?}") };
    assert_eq!(ended["interrupted"], true, "{ran:#?}");
    let void = events_of(&output, "game_void");
    let repeated = |game: &&Value| game["game_id"] == long && game["played_again"] == true;
    assert!(void.iter().any(repeated), "{ran:#?}");
    let is_told = |game: &&Value| game["game_id"] == short;
    assert!(!events_of(&output, "game_ended").iter().any(is_told), "{ran:#?}");

    let resumed = desk.done(&["tournament", "resume", "stalled", "--json"]);
    assert_eq!(games(&[ran.stdout, resumed]), games(&[whole]));
    assert_eq!(shown(&desk, "stalled"), shown(&desk, "whole"));
    desk.done(&["tournament", "check", "stalled"]);
    true
}

#[test]
fn a_game_that_a_stalled_worker_makes_void_is_repeated_by_it() {
    with_time_enough(worker_stands_still);
}

fn worker_stands_still(move_ms: u64) -> bool {
    let (desk, marks) = desk(STOPS_ITS_REFEREE, move_ms);
    let own = fs::Permissions::from_mode(0o600);
    fs::set_permissions(desk.path("bot.py"), own).unwrap();
    let whole = desk.done(&["tournament", "run", "small.toml", "--json", "--out", "whole"]);
    let played = events(&whole);
    let annas = events_of(&played, "game_ended")
        .into_iter()
        .find(|game| game["seats"].as_object().unwrap().values().any(|bot| bot == "anna"));
    let game = annas.unwrap()["game_id"].as_str().unwrap();
    desk.done(&["tournament", "submit", "small.toml", "--store", "lab.db"]);
    fs::write(marks.path("stops"), json!({ game: marks.path("stopped") }).to_string()).unwrap();
    let args = ["worker", "--store", "lab.db", "--drain", "-j", "1", "--json", "--cache", "cache"];
    let child = desk.command(&[&args[..], &["--calibrate", "0"]].concat()).spawn().unwrap();
    wait_until("a bot has stopped the worker", || marks.path("stopped").exists());
    std::thread::sleep(stall(move_ms));
    kill_process(pid_of(&child), Signal::CONT).expect("the worker runs");
    let ran = finish(child);
    let output = events(&ran.stdout);
    // Beside busy programs the referee may have measured enough to call the bot in time.
    if lost_by_time(&output) || events_of(&output, "game_void").is_empty() {
        return false;
    }
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let is_repeated = |void: &&Value| void["game_id"] == game && void["again"] == true;
    assert!(events_of(&output, "game_void").iter().any(is_repeated), "{ran:#?}");
    desk.done(&["tournament", "export", "small", "--store", "lab.db", "--out", "exported"]);
    assert_eq!(shown(&desk, "exported"), shown(&desk, "whole"));
    desk.done(&["tournament", "check", "exported"]);
    // Every attempt has its replay.
    let of_game = replays(&desk.path("exported")).into_iter().filter(|path| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(game))
    });
    let mut names: Vec<String> =
        of_game.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    names.sort();
    assert!(names.contains(&format!("{game}.ndjson.gz")), "{names:?}");
    assert!(names.contains(&format!("{game}.2.ndjson.gz")), "{names:?}");
    true
}

/// Returns the replays of a tournament.
fn replays(directory: &Path) -> Vec<PathBuf> {
    let blocks = fs::read_dir(directory.join("replays")).into_iter().flatten().flatten();
    let files = blocks.filter_map(|block| fs::read_dir(block.path()).ok()).flatten().flatten();
    files.map(|file| file.path()).collect()
}

/// Returns whether the game of a replay is over.
fn is_over(replay: &Path) -> bool {
    let text = fs::read_to_string(replay).unwrap_or_default();
    let last = text.lines().last().and_then(|line| serde_json::from_str::<Value>(line).ok());
    last.is_some_and(|event| event["type"] == "end")
}

#[test]
fn a_store_that_another_program_has_locked_holds_a_run_up_and_no_more() {
    let (desk, marks) = desk(WAITS_FOR_THE_LOCK, 120_000);
    fs::write(marks.path("locked"), "").unwrap();
    let whole = desk.done(&["tournament", "run", "small.toml", "--json", "--out", "whole"]);
    fs::remove_file(marks.path("locked")).unwrap();

    let place = desk.path("held-up");
    let args = ["tournament", "run", "small.toml", "--json", "--out", "held-up"];
    let mut child = desk.command(&args).spawn().expect("botyard starts");
    wait_until("a game has begun", || !replays(&place).is_empty());
    let mut store = Connection::open(place.join("tournament.db")).unwrap();
    store.busy_timeout(PATIENCE).unwrap();
    let lock = store.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).unwrap();
    let over: Vec<PathBuf> = replays(&place).into_iter().filter(|replay| is_over(replay)).collect();
    fs::write(marks.path("locked"), "").unwrap();
    // Its result must be stored.
    wait_until("a game that was not over then is over", || {
        replays(&place).iter().any(|replay| !over.contains(replay) && is_over(replay))
    });
    std::thread::sleep(LOCKED);
    assert!(child.try_wait().unwrap().is_none(), "it continues without its store: {:#?}", {
        finish(child)
    });
    lock.rollback().unwrap();
    drop(store);
    let ran = finish(child);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(!ran.stderr.contains("error"), "{ran:#?}");
    assert_eq!(games(&[ran.stdout]), games(&[whole]));
    assert_eq!(shown(&desk, "held-up"), shown(&desk, "whole"));
    desk.done(&["tournament", "check", "held-up"]);
}

/// How long every sync of a file takes on the slow disk, one after the other. Heavy writing by other
/// programs makes a disk that slow.
const SYNC_MS: &str = "60";

/// The exit code of `slow_disk.py` on a kernel that cannot delay system calls.
const UNSUPPORTED: Option<i32> = Some(77);

/// Makes the command with these arguments, run on a slow disk that counts its syncs in a file.
fn on_a_slow_disk(desk: &Desk, count: &Path, args: &[&str]) -> Command {
    let plain = desk.command(args);
    let mut command = Command::new("python3");
    command.arg(repository("tests/system/slow_disk.py")).arg(SYNC_MS).arg(count).arg(BOTYARD);
    command.args(plain.get_args()).current_dir(desk.path(""));
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn a_slow_disk_delays_a_tournament_and_neither_ends_nor_changes_it() {
    let desk = Desk::new();
    fs::write(desk.path("small.toml"), SMALL.replace("blocks = 4", "blocks = 2")).unwrap();
    let counts = Desk::new();
    let count = |name: &str| fs::metadata(counts.path(name)).map_or(0, |found| found.len());
    let run = |out| ["tournament", "run", "small.toml", "--json", "--out", out];
    let whole = desk.done(&run("whole"));

    let slow = on_a_slow_disk(&desk, &counts.path("syncs"), &run("slow")).spawn().unwrap();
    let ran = finish(slow);
    if ran.code == UNSUPPORTED {
        eprintln!("NOT TESTED on this host: a slow disk: {}", ran.stderr.trim_end());
        return;
    }
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(!ran.stderr.contains("error"), "{ran:#?}");
    assert!(count("syncs") >= 10, "{} syncs were delayed", count("syncs"));
    assert_eq!(games(&[ran.stdout]), games(std::slice::from_ref(&whole)));
    assert_eq!(shown(&desk, "slow"), shown(&desk, "whole"));
    desk.done(&["tournament", "check", "slow"]);

    // Interrupted while results wait for the disk.
    let mut slow = on_a_slow_disk(&desk, &counts.path("first"), &run("stopped"));
    let child = slow.spawn().unwrap();
    let place = desk.path("stopped");
    wait_until("a game is over", || replays(&place).iter().any(|replay| is_over(replay)));
    kill_process(pid_of(&child), Signal::INT).expect("botyard runs");
    let ran = finish(child);
    assert!(matches!(ran.code, Some(0 | 1)), "{ran:#?}");
    let resume = ["tournament", "resume", "stopped", "--json"];
    let resumed = on_a_slow_disk(&desk, &counts.path("second"), &resume).spawn().unwrap();
    let resumed = finish(resumed);
    assert_eq!(resumed.code, Some(0), "{resumed:#?}");
    assert!(count("first") > 0 && count("second") > 0, "both were on the slow disk");
    assert_eq!(games(&[ran.stdout, resumed.stdout]), games(&[whole]));
    assert_eq!(shown(&desk, "stopped"), shown(&desk, "whole"));
    desk.done(&["tournament", "check", "stopped"]);
}
