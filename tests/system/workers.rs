//! `botyard worker`: several processes play one tournament from a store, are killed, suspended and stopped,
//! and the standings are those of one process alone.

use crate::command::{Desk, Ran, events, events_of, finish};
use crate::postgresql::Server;
use crate::processes::{Processes, kill_with_all, pid_of};
use crate::tournaments::{SMALL, csv, of_games};
use rustix::process::{Signal, kill_process};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The time to wait for something that is certain to happen.
const PATIENCE: Duration = Duration::from_secs(120);

/// A bot that takes a while for each move, and plays the legal action that its second argument says.
pub const SLOW: &str = "
import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'hello':
        answer = {'type': 'hello', 'protocol': 1, 'name': 'slow', 'games': []}
    elif message['type'] == 'start':
        answer = {'type': 'ready'}
    elif message['type'] == 'turn':
        time.sleep(float(sys.argv[1]))
        legal = message['legal']
        answer = {'type': 'move', 'turn': message['turn'], 'action': legal[int(sys.argv[2]) % len(legal)]}
    elif message['type'] == 'quit':
        break
    else:
        continue
    print(json.dumps(answer), flush=True)
";

/// A tournament of two slow bots with files, and a built-in one.
pub fn slow(seconds: &str, more: &str) -> String {
    let bot = |name: &str, choice: u32| {
        format!(
            "[[bot]]\nname = \"{name}\"\ndirectory = \"class\"\n\
             command = \"python3 -S slow.py {seconds} {choice}\"\n"
        )
    };
    format!(
        "game = \"scotland-yard\"\nrules = \"grid-5x5-2\"\nseed = 7\nblocks = 2\n{more}\n\
         [time]\nmove_ms = 30000\n{}{}[[bot]]\nname = \"carl\"\ncommand = \"random:seed=3\"\n",
        bot("anna", 0),
        bot("ben", 1)
    )
}

/// A desk with a tournament file, and a store for it.
pub struct Lab {
    pub desk: Desk,
    pub store: String,
}

impl Lab {
    /// Makes a desk with this tournament file, for a store at this address.
    pub fn new(store: String, file: &str) -> Lab {
        let desk = Desk::new();
        fs::write(desk.path("cup.toml"), file).unwrap();
        fs::create_dir(desk.path("class")).unwrap();
        fs::write(desk.path("class/slow.py"), SLOW).unwrap();
        Lab { desk, store }
    }

    /// The same, with a store that one process at a time opens.
    pub fn with_file(file: &str) -> Lab {
        Lab::new("lab.db".into(), file)
    }

    /// Returns a command on the store.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = self.desk.command(args);
        command.env("BOTYARD_STORE", &self.store);
        command
    }

    fn run(&self, args: &[&str]) -> Ran {
        finish(self.command(args).spawn().unwrap())
    }

    pub fn done(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        assert_eq!(ran.code, Some(0), "botyard {}: {ran:#?}", args.join(" "));
        ran.stdout
    }

    pub fn submit(&self) {
        let printed = self.done(&["tournament", "submit", "cup.toml"]);
        assert!(printed.contains("submitted cup: "), "{printed}");
    }

    /// Returns the command of a worker with a cache of its own.
    pub fn worker(&self, name: &str, more: &[&str]) -> Command {
        let mut worker = worker(&self.desk, name, more);
        worker.env("BOTYARD_STORE", &self.store);
        worker
    }

    pub fn spawn(&self, name: &str, more: &[&str]) -> Child {
        self.worker(name, more).spawn().unwrap()
    }

    /// Plays the rest with a new worker.
    fn drain(&self, name: &str) -> Vec<Value> {
        let ran = finish(self.spawn(name, &["--drain", "-j", "1"]));
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        events(&ran.stdout)
    }

    pub fn status(&self) -> Value {
        events(&self.done(&["tournament", "status", "cup", "--json"])).remove(0)
    }

    /// Waits until the state of the tournament is so.
    pub fn wait(&self, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let status = self.status();
            if is_so(&status) {
                return status;
            }
            assert!(begun.elapsed() < PATIENCE, "waited in vain until {what}: {status:#}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Returns the standings of the store.
    pub fn csv(&self) -> String {
        of_games(&self.done(&["tournament", "standings", "cup", "--format", "csv"]))
    }

    /// Returns the standings of the same tournament played by one process alone.
    pub fn csv_of_run(&self) -> String {
        self.desk.done(&["tournament", "run", "cup.toml", "-j", "4", "--out", "alone"]);
        csv(&self.desk, "alone")
    }

    /// Checks that the standings are those of one process alone, and that every game counts once.
    pub fn check(&self) {
        self.check_complete();
        assert_eq!(self.csv(), self.csv_of_run());
    }

    /// Checks that every game has a result.
    pub fn check_complete(&self) {
        let status = self.status();
        for state in ["ready", "leased", "void"] {
            assert_eq!(status["blocks"][state], 0, "{status:#}");
        }
        assert_eq!(status["games"], status["known_games"], "{status:#}");
    }
}

/// Returns the command of a worker with a cache of its own, and without a store.
pub fn worker(desk: &Desk, name: &str, more: &[&str]) -> Command {
    let cache = format!("cache-{name}");
    let args = ["worker", "--name", name, "--cache", &cache, "--calibrate", "0", "--json"];
    desk.command(&[&args[..], more].concat())
}

/// Returns what became of the results in a worker's events.
pub fn completed(events: &[Value]) -> Vec<&str> {
    let blocks = events_of(events, "block_completed");
    blocks.into_iter().map(|event| event["completed"].as_str().unwrap()).collect()
}

fn kill(child: &Child, signal: Signal) {
    kill_process(pid_of(child), signal).unwrap();
}

#[test]
fn two_workers_play_what_one_process_plays() {
    let Some(server) = Server::start() else { return };
    for file in [slow("0", "format = \"round-robin\""), slow("0", "format = \"swiss\"\nrounds = 2")]
    {
        let lab = Lab::new(server.database(), &file);
        lab.submit();
        let again = lab.run(&["tournament", "submit", "cup.toml"]);
        assert_eq!(again.code, Some(2), "{again:#?}");
        assert!(again.stderr.contains("there is a tournament \"cup\" already"), "{again:#?}");
        let workers = ["one", "two"].map(|name| lab.spawn(name, &["--drain", "-j", "1"]));
        let accepted: usize = workers
            .into_iter()
            .map(|worker| {
                let ran = finish(worker);
                assert_eq!(ran.code, Some(0), "{ran:#?}");
                completed(&events(&ran.stdout)).len()
            })
            .sum();
        let status = lab.status();
        assert_eq!(status["blocks"]["done"].as_u64(), Some(accepted as u64), "{status:#}");
        lab.check();
        // Nothing is left in the caches but copies.
        for cache in ["cache-one/workers/one", "cache-two/workers/two"] {
            for place in ["spool", "games"] {
                let path = lab.desk.path(cache).join(place);
                let files = files_below(&path);
                assert!(files.is_empty(), "{files:?}");
            }
        }
    }
}

pub fn files_below(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    entries
        .flat_map(|entry| match entry.file_type().unwrap().is_dir() {
            true => files_below(&entry.path()),
            false => vec![entry.path().display().to_string()],
        })
        .collect()
}

#[test]
fn a_tournament_of_a_store_is_exported_with_its_replays_and_resumed_there() {
    let lab = Lab::with_file(&slow("0", ""));
    lab.submit();
    assert!(
        lab.done(&["tournament", "list"]).contains("0 of 6"),
        "{}",
        lab.done(&["tournament", "list"])
    );
    let calibrated = finish(
        lab.command(&[
            "worker", "--name", "lab/1", "--cache", "cache", "--drain", "-j", "1", "--json",
        ])
        .spawn()
        .unwrap(),
    );
    assert_eq!(calibrated.code, Some(0), "{calibrated:#?}");
    let all = events(&calibrated.stdout);
    let [measured] = events_of(&all, "calibrated")[..] else { panic!("one measurement: {all:#?}") };
    assert!(measured["speed"].as_f64().unwrap() > 0.0, "{measured}");
    let printed = lab.done(&["tournament", "export", "cup", "--out", "out"]);
    assert!(printed.contains("12 games"), "{printed}");
    let checked = lab.desk.done(&["tournament", "check", "out"]);
    assert!(checked.contains("compared 12 games with 12 replays: no difference"), "{checked}");
    assert_eq!(csv(&lab.desk, "out"), lab.csv());
    let conditions = fs::read_to_string(lab.desk.path("out/conditions.csv")).unwrap();
    let speed = measured["speed"].to_string();
    let is_played_there = |line: &str| line.contains(&format!(",0,lab/1,{speed},"));
    assert_eq!(conditions.lines().filter(|line| is_played_there(line)).count(), 12, "{conditions}");
    // It is a tournament as any other: more games are added to it.
    let text = slow("0", "").replace("blocks = 2", "blocks = 3");
    fs::write(lab.desk.path("cup.toml"), text).unwrap();
    let file = lab.desk.path("cup.toml");
    let file = file.to_str().unwrap();
    lab.desk.done(&["tournament", "extend", "out", "--file", file, "-j", "1"]);
    assert_eq!(csv(&lab.desk, "out"), lab.csv_of_run());
}

#[test]
fn a_worker_that_is_killed_loses_no_game_and_no_bot_pays_for_it() {
    let Some(server) = Server::start() else { return };
    let lab = Lab::new(server.database(), &slow("0.05", ""));
    lab.submit();
    let doomed = lab.spawn("doomed", &["--lease", "1", "-j", "2"]);
    lab.wait("the worker has blocks", |status| status["blocks"]["leased"] != 0);
    Processes::once_running(&doomed, "slow.py", 1);
    kill_with_all(doomed);
    lab.drain("heir");
    lab.check();
    let status = lab.status();
    let lost: u64 = status["workers"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|worker| worker["name"] == "doomed")
        .map(|worker| worker["expired"].as_u64().unwrap())
        .sum();
    assert!(lost > 0, "{status:#}");
}

#[test]
fn a_worker_that_was_suspended_beyond_its_lease_changes_nothing() {
    let Some(server) = Server::start() else { return };
    let lab = Lab::new(server.database(), &slow("0.05", ""));
    lab.submit();
    let suspended = lab.spawn("sleeper", &["--lease", "1", "--drain", "-j", "1"]);
    lab.wait("the worker has a block", |status| status["blocks"]["leased"] != 0);
    kill(&suspended, Signal::STOP);
    lab.drain("other");
    let before = lab.csv();
    kill(&suspended, Signal::CONT);
    let ran = finish(suspended);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let events = events(&ran.stdout);
    let lost: Vec<&Value> = events_of(&events, "leases_lost");
    let late = completed(&events).into_iter().filter(|&completed| completed == "late").count();
    assert!(lost.len() + late > 0, "{events:#?}");
    assert_eq!(lab.csv(), before);
    lab.check();
}

/// The server is gone while a block ends, and the worker is killed then. A later worker finds the result
/// on disk.
fn sent_later(lease: &str, elsewhere: bool) -> Option<Vec<String>> {
    let mut server = Server::start()?;
    let lab = Lab::new(server.database(), &slow("0.02", ""));
    lab.submit();
    let first = lab.spawn("first", &["--lease", lease, "-j", "1"]);
    lab.wait("the worker has a block", |status| status["blocks"]["leased"] != 0);
    server.kill();
    let spool = lab.desk.path("cache-first/workers/first/spool");
    let begun = Instant::now();
    while !files_below(&spool).iter().any(|file| file.ends_with("result.json")) {
        assert!(begun.elapsed() < PATIENCE, "no result is kept");
        std::thread::sleep(Duration::from_millis(20));
    }
    kill_with_all(first);
    server.run();
    if elsewhere {
        lab.drain("second");
    }
    let events = lab.drain("first");
    lab.check();
    assert!(files_below(&spool).is_empty());
    Some(completed(&events).into_iter().map(String::from).collect())
}

#[test]
fn a_result_that_could_not_be_sent_is_sent_by_the_next_worker() {
    let Some(completed) = sent_later("600", false) else { return };
    assert_eq!(completed.iter().filter(|it| *it != "accepted").count(), 0, "{completed:?}");
    assert_eq!(completed.len(), 6, "all blocks are this worker's: {completed:?}");
}

#[test]
fn a_result_that_is_sent_after_another_worker_played_the_block_does_not_count() {
    let Some(completed) = sent_later("1", true) else { return };
    assert_eq!(completed, ["late"]);
}

#[test]
fn a_worker_that_is_stopped_gives_back_what_it_has_not_played() {
    let lab_of = |server: &Server| Lab::new(server.database(), &slow("0.2", ""));
    let Some(server) = Server::start() else { return };
    for signal in [Signal::TERM, Signal::INT] {
        let lab = lab_of(&server);
        lab.submit();
        let worker = lab.spawn("one", &["-j", "2"]);
        lab.wait("the worker has blocks", |status| status["blocks"]["leased"] == 2);
        let bots = Processes::once_running(&worker, "slow.py", 1);
        kill(&worker, signal);
        let ran = finish(worker);
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        assert_eq!(bots.left(), [""; 0], "a bot was left");
        let status = lab.status();
        assert_eq!(status["blocks"]["leased"], 0, "{status:#}");
        let known = status["blocks"]["ready"].as_u64().unwrap()
            + status["blocks"]["done"].as_u64().unwrap();
        assert_eq!(known, 6, "{status:#}");
    }
}

/// Bots without a clock in their decisions play the same games wherever they are played again.
#[test]
fn blocks_are_played_again_by_another_worker() {
    let lab = Lab::with_file(&slow("0", "format = \"round-robin\""));
    let refused = lab.run(&["tournament", "submit", "cup.toml", "--recheck", "2"]);
    assert!(refused.code == Some(2) && refused.stderr.contains("from 0 to 1"), "{refused:#?}");
    lab.done(&["tournament", "submit", "cup.toml", "--recheck", "1"]);
    let first = completed(&lab.drain("one")).len();
    lab.check_complete();
    let status = lab.status();
    assert_eq!(status["rechecks"]["waiting"].as_u64(), Some(first as u64), "{status:#}");
    assert!(lab.drain("one/more").iter().all(|event| event["type"] != "block_completed"));
    let again = completed(&lab.drain("two")).len();
    let status = lab.status();
    let rechecks = &status["rechecks"];
    assert_eq!((again, rechecks["done"].as_u64()), (first, Some(first as u64)), "{status:#}");
    assert_eq!(rechecks["same"], status["games"], "{status:#}");
    assert_eq!(rechecks["differing"], serde_json::json!([]), "{status:#}");
    assert!(status["residuals"].is_array(), "{status:#}");
    let text = lab.done(&["tournament", "status", "cup"]);
    let line = format!("rechecks: {first} done, 0 leased, 0 waiting for another worker");
    assert!(text.contains(&line) && text.contains("residual"), "{text}");
    lab.check();
    // The directory has both replays of each game, and one result.
    lab.done(&["tournament", "export", "cup", "--out", "out"]);
    let checked = lab.desk.done(&["tournament", "check", "out"]);
    assert!(checked.contains("no difference"), "{checked}");
    let replays = files_below(&lab.desk.path("out/replays")).len();
    assert_eq!(files_below(&lab.desk.path("out/rechecks/replays")).len(), replays);
}

#[test]
fn a_held_tournament_is_not_played() {
    let lab = Lab::with_file(SMALL);
    lab.submit();
    lab.done(&["tournament", "hold", "cup"]);
    assert!(completed(&lab.drain("one")).is_empty());
    lab.done(&["tournament", "hold", "cup", "--resume"]);
    assert_eq!(completed(&lab.drain("one")).len(), 12);
    lab.check();
}

/// A user namespace in which no other can be made, so that this host has tier A at best.
fn in_weak_host(command: &Command) -> Command {
    let mut weak = Command::new("unshare");
    weak.args(["--user", "--map-root-user", "sh", "-c"]);
    weak.arg("echo 0 > /proc/sys/user/max_user_namespaces && exec \"$@\"").arg("sh");
    weak.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => weak.env(name, value),
            None => weak.env_remove(name),
        };
    }
    weak.current_dir(command.get_current_dir().unwrap());
    weak.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    weak
}

#[test]
fn a_tournament_that_needs_a_stronger_sandbox_is_left_to_others() {
    let lab = Lab::with_file(&format!("{SMALL}\n[sandbox]\nmode = \"strict\"\n"));
    if lab.run(&["sandbox"]).code != Some(0) {
        eprintln!("NOT TESTED on this host: no tier B");
        return;
    }
    lab.submit();
    let worker = lab.worker("weak", &["--drain", "-j", "1"]);
    let ran = finish(in_weak_host(&worker).spawn().unwrap());
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    assert!(ran.stderr.contains("this host cannot run bots in tier B"), "{ran:#?}");
    let events = events(&ran.stdout);
    assert_eq!(
        events_of(&events, "tournament_refused").len(),
        1,
        "it is refused once: {events:#?}"
    );
    // Its lease was given back, and the state says who cannot play it.
    let status = lab.status();
    assert_eq!((&status["blocks"]["ready"], &status["blocks"]["leased"]), (&12.into(), &0.into()));
    let shown = lab.done(&["tournament", "status", "cup"]);
    assert!(shown.contains("weak cannot play it: "), "{shown}");
    lab.drain("strong");
    lab.check();
}

#[test]
fn a_tournament_whose_programs_are_missing_is_left_to_others() {
    let lab = Lab::with_file(&slow("0", ""));
    lab.submit();
    let mut worker = lab.worker("bare", &["--drain", "-j", "1"]);
    let ran = finish(worker.env("PATH", "/nonexistent").spawn().unwrap());
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    assert!(ran.stderr.contains("there is no program \"python3\" in PATH"), "{ran:#?}");
    lab.drain("equipped");
    lab.check();
}

#[test]
fn copies_of_bots_that_vanish_are_fetched_again_and_no_game_is_void_in_the_store() {
    let lab = Lab::with_file(&slow("0.01", "[run]\nrestart = true"));
    lab.submit();
    let worker = lab.spawn("one", &["--drain", "-j", "1"]);
    Processes::once_running(&worker, "slow.py", 1);
    fs::rename(lab.desk.path("cache-one/bundles"), lab.desk.path("elsewhere")).unwrap();
    let ran = finish(worker);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let events = events(&ran.stdout);
    let failures = events_of(&events, "games_failed");
    let is_named = |failure: &&Value| failure["reason"].as_str().unwrap().contains("is gone");
    assert!(failures.iter().any(is_named), "{events:#?}");
    assert!(events_of(&events, "tournament_opened").len() > 1, "{events:#?}");
    lab.check();
}

#[test]
fn a_worker_claims_nothing_below_the_floor_of_free_space() {
    let lab = Lab::with_file(SMALL);
    lab.submit();
    let floor = (u64::MAX >> 20).to_string();
    let ran = finish(lab.spawn("full", &["--min-free-disk", &floor, "--drain", "-j", "1"]));
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    assert!(ran.stderr.contains("of free space"), "{ran:#?}");
    let status = lab.status();
    assert_eq!(status["blocks"]["ready"], 12, "{status:#}");
    assert!(status["workers"].as_array().unwrap().is_empty(), "{status:#}");
}

#[test]
fn two_processes_are_not_one_worker_and_one_file_has_one_process() {
    let lab = Lab::with_file(&slow("0.2", ""));
    lab.submit();
    let first = lab.spawn("one", &["-j", "1"]);
    Processes::once_running(&first, "slow.py", 1);
    let second = finish(lab.spawn("one", &["-j", "1"]));
    assert_eq!(second.code, Some(2), "{second:#?}");
    assert!(second.stderr.contains("belongs to another process that is running"), "{second:#?}");
    let elsewhere = Lab { store: "other.db".into(), desk: lab.desk };
    let third = finish(elsewhere.spawn("one", &["-j", "1"]));
    assert_eq!(third.code, Some(2), "{third:#?}");
    assert!(third.stderr.contains("another process is the worker one"), "{third:#?}");
    kill(&first, Signal::TERM);
    assert_eq!(finish(first).code, Some(0));
}

#[test]
fn metrics_and_mistakes_are_printed() {
    let lab = Lab::with_file(SMALL);
    lab.submit();
    let shown = lab.done(&["tournament", "status", "cup"]);
    assert!(shown.contains("rate: 0.0 games/s, time left: unknown yet\n"), "{shown}");
    let metrics = lab.done(&["tournament", "status", "--prometheus"]);
    assert!(
        metrics.contains("botyard_blocks{tournament=\"cup\",state=\"ready\"} 12\n"),
        "{metrics}"
    );
    for (args, code, expected) in [
        (
            &["tournament", "status", "none"][..],
            2,
            "there is no tournament \"none\"; there are cup",
        ),
        (&["tournament", "hold", "none"], 2, "there is no tournament \"none\""),
        (&["tournament", "export", "none"], 2, "there is no tournament \"none\""),
        (&["worker", "--name", "a b"], 2, "expected a worker's name"),
    ] {
        let ran = lab.run(args);
        assert_eq!(ran.code, Some(code), "{args:?}: {ran:#?}");
        assert!(ran.stderr.contains(expected), "{args:?}: {ran:#?}");
        assert!(!lab.desk.path("none.tournament").exists());
    }
    let mut nowhere = lab.desk.command(&["worker"]);
    let ran = finish(nowhere.env_remove("BOTYARD_STORE").spawn().unwrap());
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("no store is named"), "{ran:#?}");
}
