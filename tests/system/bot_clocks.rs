//! Clocks of built-in bots: with CPU time they use their whole share of it, even on a busy machine.

use crate::command::Desk;
use serde_json::Value;
use std::process::{Child, Command, Stdio};

/// Processes that keep every core busy until they are dropped.
struct Spinners(Vec<Child>);

impl Spinners {
    fn new() -> Spinners {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let spin = || {
            let mut command = Command::new("sh");
            command.args(["-c", "while :; do :; done"]).stdin(Stdio::null()).spawn()
        };
        Spinners((0..2 * cores).map(|_| spin().expect("sh starts")).collect())
    }
}

impl Drop for Spinners {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A bank of 1,500 ms is divided among 25 decisions, so the first one has 60 ms of CPU time. The
/// limit by wall-clock time follows from the whole bank.
#[test]
fn a_bot_uses_its_cpu_time_beside_processes_that_spin() {
    let _busy = Spinners::new();
    // Where other programs take the cores for the whole game, the limit by wall-clock time is reached after all.
    let is_used = |_| {
        let used = cpu_us_by_seat();
        eprintln!("microseconds of CPU time by seat: {used:?}");
        used.iter().all(|used| used.iter().any(|&us| us > 30_000))
    };
    assert!((0..5).any(is_used), "no game in five has a decision of more than 30 ms of each seat");
}

/// Plays a game, and returns the CPU time of the first eight decisions of each seat, in microseconds.
fn cpu_us_by_seat() -> [Vec<u64>; 2] {
    let desk = Desk::new();
    let bots = ["alpha-beta", "mcts:iterations=0"];
    // As many decisions as are looked at.
    let clock =
        ["--clock", "cpu", "--bank", "1500", "-n", "1", "--out", "out", "--rule", "max_plies=16"];
    let ran = desk.run(&[&["match", "draughts"][..], &bots, &clock].concat());
    if ran.code != Some(0) {
        return [vec![], vec![]];
    }
    let [replay] = &desk.replays("out")[..] else { panic!("one replay") };
    let replay = std::fs::read_to_string(replay).unwrap();
    let lines = replay.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let moves: Vec<Value> = lines.filter(|line| line["type"] == "move").collect();
    ["white", "black"].map(|seat| {
        let of_seat = moves.iter().filter(|line| line["seat"] == seat);
        of_seat.filter_map(|line| line["time"]["cpu_us"].as_u64()).take(8).collect()
    })
}
