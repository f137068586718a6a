//! Many workers on one tournament, while workers, the coordinator and the database server are killed at
//! random, connections are cut and workers are suspended beyond their leases. Every game counts once, and
//! the standings are those of one process alone.
//!
//! The full sizes are ignored, because they take minutes, and print figures. `.ci/run chaos` runs them one
//! after another; `BOTYARD_CHAOS` changes them:
//!
//! ```text
//! BOTYARD_REQUIRE_POSTGRESQL=1 cargo test -p botyard-cli --test system -- --ignored --nocapture hundred_workers
//! BOTYARD_CHAOS="games=400 workers=20 kills=20 pause=1 think=0.05 seed=3" cargo test ... hundred_workers
//! ```

use crate::command::{Ran, finish, finish_within};
use crate::coordinator::{Coordinator, add_token, remote};
use crate::postgresql::Server;
use crate::processes::{Processes, kill_with_all, pid_of};
use crate::tournaments::csv;
use crate::workers::Lab;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rustix::process::{Signal, kill_process};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::process::Child;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::time::{Duration, Instant};

/// The time in which every run of any size ends.
const PATIENCE: Duration = Duration::from_secs(3600);

/// A run.
#[derive(Clone, Copy, Debug)]
struct Chaos {
    /// The least number of games.
    games: u32,
    workers: usize,
    /// The number of times that something is killed, cut or suspended.
    kills: u32,
    /// The longest pause between two of these times, in seconds.
    pause: f64,
    /// The lease of the workers, in seconds: short, so that blocks of killed ones come back soon.
    lease: u64,
    /// The time that two of the bots sleep before each move, in seconds.
    think: f64,
    seed: u64,
    /// Whether workers reach the store through a coordinator.
    is_remote: bool,
}

/// A run in which the bots do not sleep.
const BRISK: Chaos = Chaos {
    games: 2000,
    workers: 8,
    kills: 100,
    pause: 0.6,
    lease: 2,
    think: 0.0,
    seed: 1,
    is_remote: false,
};

/// The number of pairs of the tournament's four bots, with two games each.
const GAMES_A_ROUND: u32 = 12;

impl Chaos {
    /// Reads `games=2000 workers=8 ...`; what is missing is as here.
    fn with(mut self, text: &str) -> Chaos {
        for word in text.split_whitespace() {
            let (name, value) = word.split_once('=').expect("NAME=VALUE");
            match name {
                "games" => self.games = value.parse().unwrap(),
                "workers" => self.workers = value.parse().unwrap(),
                "kills" => self.kills = value.parse().unwrap(),
                "pause" => self.pause = value.parse().unwrap(),
                "lease" => self.lease = value.parse().unwrap(),
                "think" => self.think = value.parse().unwrap(),
                "seed" => self.seed = value.parse().unwrap(),
                "coordinator" => self.is_remote = value.parse().unwrap(),
                other => panic!(
                    "games, workers, kills, pause, lease, think, seed or coordinator, not {other}"
                ),
            }
        }
        self
    }

    /// Returns the tournament file, with these settings. Two of its bots sleep for this time before each
    /// move, and have a mark in their command lines.
    fn file(&self, think: f64, mark: &str, settings: &str) -> String {
        let bot = |name: &str, command: &str| format!("[[bot]]\nname = \"{name}\"\n{command}\n");
        let slow = |choice: u32| {
            format!(
                "directory = \"class\"\ncommand = \"python3 -S slow.py {think} {choice} {mark}\""
            )
        };
        format!(
            "game = \"scotland-yard\"\nrules = \"grid-5x5-2\"\nseed = {}\nblocks = {}\n\
             [time]\nmove_ms = 30000\n{settings}{}{}{}{}",
            self.seed,
            self.games.div_ceil(GAMES_A_ROUND),
            bot("anna", &slow(0)),
            bot("ben", &slow(1)),
            bot("carl", "command = \"random:seed=3\""),
            bot("dora", "command = \"greedy:seed=4\""),
        )
    }
}

/// What happens to a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mishap {
    WorkerKilled,
    ServerKilled,
    ConnectionsCut,
    WorkerSuspended,
    CoordinatorKilled,
}

/// A worker that is started again whenever it is killed.
struct Slot {
    name: String,
    process: Option<Child>,
    /// When it is resumed, if it is suspended.
    resumed: Option<Instant>,
}

struct Run {
    chaos: Chaos,
    lab: Lab,
    server: Server,
    coordinator: Option<Coordinator>,
    slots: Vec<Slot>,
    rng: Xoshiro256PlusPlus,
    mishaps: BTreeMap<Mishap, u32>,
    /// What the workers reported.
    events: BTreeMap<String, u32>,
}

/// A failed run leaves no worker behind.
impl Drop for Run {
    fn drop(&mut self) {
        for process in self.slots.iter_mut().filter_map(|slot| slot.process.take()) {
            kill_with_all(process);
        }
    }
}

impl Run {
    fn start(&mut self, index: usize) {
        let name = self.slots[index].name.clone();
        let lease = self.chaos.lease.to_string();
        let more = ["-j", "1", "--lease", &lease, "--min-free-disk", "1"];
        let worker = match &self.coordinator {
            Some(coordinator) => {
                let mut worker =
                    remote(&self.lab.desk, &coordinator.url(), "lab.token", &name, &more);
                worker.spawn().unwrap()
            }
            None => self.lab.spawn(&name, &more),
        };
        self.slots[index].process = Some(worker);
        self.slots[index].resumed = None;
    }

    /// Counts the events of a worker that has ended.
    fn count(&mut self, ran: &Ran) {
        // The last line of a killed one may be incomplete.
        for event in ran.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok())
        {
            let kind = event["type"].as_str().unwrap_or_default();
            let what = match event["completed"].as_str() {
                Some(completed) => format!("results {completed}"),
                None if ["leases_lost", "game_void", "result_refused"].contains(&kind) => {
                    kind.replace('_', " ")
                }
                None => continue,
            };
            *self.events.entry(what).or_default() += 1;
        }
    }

    fn mishap(&mut self) {
        let kinds = if self.coordinator.is_some() { 12 } else { 10 };
        let what = match self.rng.random_range(0..kinds) {
            0..5 => Mishap::WorkerKilled,
            5..7 => Mishap::ServerKilled,
            7..9 => Mishap::ConnectionsCut,
            9 => Mishap::WorkerSuspended,
            _ => Mishap::CoordinatorKilled,
        };
        *self.mishaps.entry(what).or_default() += 1;
        let index = self.rng.random_range(0..self.slots.len());
        match what {
            Mishap::WorkerKilled => {
                if let Some(process) = self.slots[index].process.take() {
                    let ran = kill_with_all(process);
                    self.count(&ran);
                }
                self.start(index);
            }
            Mishap::ServerKilled => {
                self.server.kill();
                std::thread::sleep(Duration::from_millis(self.rng.random_range(0..500)));
                self.server.run();
            }
            Mishap::CoordinatorKilled => {
                if let Some(coordinator) = &mut self.coordinator {
                    coordinator.kill();
                    std::thread::sleep(Duration::from_millis(self.rng.random_range(0..500)));
                    coordinator.start_again(&self.lab.desk, &self.lab.store);
                }
            }
            Mishap::ConnectionsCut => self.server.cut_connections(),
            Mishap::WorkerSuspended => {
                let slot = &mut self.slots[index];
                if let (Some(process), None) = (&slot.process, slot.resumed) {
                    kill_process(pid_of(process), Signal::STOP).unwrap();
                    slot.resumed = Some(Instant::now() + Duration::from_secs(2 * self.chaos.lease));
                }
            }
        }
    }

    /// Resumes the workers whose time has come, or all.
    fn resume(&mut self, all: bool) {
        for slot in &mut self.slots {
            if slot.resumed.is_some_and(|at| all || at <= Instant::now()) {
                slot.resumed = None;
                kill_process(pid_of(slot.process.as_ref().unwrap()), Signal::CONT).unwrap();
            }
        }
    }
}

/// Returns the standings of the same games played by one process alone: with bots that do not sleep, and
/// without sandbox and replays, which would make it the longer part of the test.
fn alone(lab: &Lab, chaos: Chaos, mark: &str) -> String {
    let settings = "[run]\nreplays = false\n[sandbox]\nmode = \"none\"\n";
    fs::write(lab.desk.path("cup.toml"), chaos.file(0.0, mark, settings)).unwrap();
    let args = ["tournament", "run", "cup.toml", "-j", "4", "--out", "alone"];
    let ran = finish_within(lab.desk.command(&args).spawn().unwrap(), PATIENCE);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    csv(&lab.desk, "alone")
}

/// Returns standings without the digests of the bots, which their commands are part of.
fn without_digests(csv: &str) -> Vec<Vec<&str>> {
    let rows = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let mut rows: Vec<_> = rows.collect();
    let digest = rows[0].iter().position(|name| *name == "sha256").unwrap();
    for row in &mut rows {
        row.remove(digest);
    }
    rows
}

/// Runs the tournament, checks the result, and returns the figures.
fn run(chaos: Chaos) -> Option<String> {
    static RUNS: AtomicU32 = AtomicU32::new(1);
    // Unique on this host, in the command lines of the workers and of the bots that sleep.
    let mark = format!("chaos-{}-{}", std::process::id(), RUNS.fetch_add(1, SeqCst));
    let server = Server::start()?;
    let lab = Lab::new(server.database(), &chaos.file(chaos.think, &mark, ""));
    lab.submit();
    let coordinator = chaos.is_remote.then(|| {
        add_token(&lab.desk, "lab.token");
        Coordinator::start(&lab.desk, &lab.store)
    });
    let slot = |number| Slot { name: format!("{mark}-{number}"), process: None, resumed: None };
    let mut run = Run {
        chaos,
        lab,
        server,
        coordinator,
        slots: (1..=chaos.workers).map(slot).collect(),
        rng: Xoshiro256PlusPlus::seed_from_u64(chaos.seed),
        mishaps: BTreeMap::new(),
        events: BTreeMap::new(),
    };
    let begun = Instant::now();
    (0..chaos.workers).for_each(|index| run.start(index));
    let mut left = chaos.kills;
    let mut mishaps_took = Duration::ZERO;
    let status = loop {
        assert!(begun.elapsed() < PATIENCE, "not played: {:#}", run.lab.status());
        run.resume(left == 0);
        if left > 0 {
            run.mishap();
            left -= 1;
            std::thread::sleep(Duration::from_secs_f64(run.rng.random_range(0.0..chaos.pause)));
            mishaps_took = begun.elapsed();
            continue;
        }
        let status = run.lab.status();
        let blocks = &status["blocks"];
        if (&blocks["ready"], &blocks["leased"]) == (&0.into(), &0.into()) {
            break status;
        }
        std::thread::sleep(Duration::from_millis(200));
    };
    let took = begun.elapsed();
    let slots = run.slots.iter_mut();
    let workers: Vec<Child> = slots.filter_map(|slot| slot.process.take()).collect();
    let started: Vec<Processes> = workers.iter().map(Processes::started_by).collect();
    workers.iter().for_each(|worker| kill_process(pid_of(worker), Signal::TERM).unwrap());
    for (worker, started) in workers.into_iter().zip(started) {
        let ran = finish(worker);
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        started.wait_until_gone();
        run.count(&ran);
    }
    if let Some(coordinator) = run.coordinator.take() {
        let (code, log) = coordinator.end(Signal::TERM);
        assert_eq!(code, Some(0), "{log}");
    }
    assert!(!run.events.contains_key("result refused"), "{:?}", run.events);
    run.lab.check_complete();
    assert_eq!(without_digests(&run.lab.csv()), without_digests(&alone(&run.lab, chaos, &mark)));
    let places = [run.lab.desk.path(""), run.server.directory()];
    run.server.kill();
    Processes::of(&mark, &places).wait_until_gone();
    let workers = status["workers"].as_array().unwrap();
    let expired: u64 = workers.iter().map(|worker| worker["expired"].as_u64().unwrap()).sum();
    Some(format!(
        "{chaos:?}\n{} games in {:.1} s by {} workers, mishaps in the first {:.1} s; {expired} leases expired\n\
         mishaps: {:?}\nworkers: {:?}\n",
        status["games"],
        took.as_secs_f64(),
        chaos.workers,
        mishaps_took.as_secs_f64(),
        run.mishaps,
        run.events,
    ))
}

#[test]
fn killed_workers_and_servers_lose_no_game_and_count_none_twice() {
    run(Chaos { games: 24, workers: 3, kills: 8, seed: 5, ..BRISK });
}

#[test]
fn a_killed_coordinator_loses_no_game_and_counts_none_twice() {
    run(Chaos { games: 24, workers: 3, kills: 10, seed: 6, is_remote: true, ..BRISK });
}

#[test]
#[ignore = "takes minutes and prints figures: 2,000 games, eight workers, a hundred kills"]
fn two_thousand_games_with_a_hundred_kills() {
    full(BRISK);
}

#[test]
#[ignore = "takes minutes and prints figures: the same through a coordinator, which is killed as well"]
fn two_thousand_games_with_a_hundred_kills_through_a_coordinator() {
    full(Chaos { is_remote: true, ..BRISK });
}

/// More workers than the host has cores: their bots sleep. The lease leaves time for them.
#[test]
#[ignore = "takes minutes and prints figures: the same with a hundred workers at once"]
fn two_thousand_games_with_a_hundred_kills_of_a_hundred_workers() {
    full(Chaos { workers: 100, pause: 4.0, lease: 20, think: 0.5, is_remote: true, ..BRISK });
}

fn full(chaos: Chaos) {
    let chaos = chaos.with(&std::env::var("BOTYARD_CHAOS").unwrap_or_default());
    println!("{}", run(chaos).unwrap_or_default());
}
