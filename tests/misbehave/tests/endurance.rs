//! Long runs, which take minutes: thousands of games of misbehaving bots, and honest bots beside
//! bots that take all resources they can get.
//!
//!     cargo test -p botyard-misbehave endurance:: -- --ignored --nocapture --test-threads=1

use crate::arena::Arena;
use crate::ran_alone;
use crate::traces;
use botyard_protocol::OutcomeKind;
use botyard_sandbox::Tier;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// Modes that end quickly.
const QUICK: [&str; 16] = [
    "good",
    "exits_seven",
    "not_json",
    "illegal_action",
    "half_a_line_then_exits",
    "endless_line",
    "segfault",
    "fork_bomb",
    "good",
    "daemon",
    "orphans",
    "hoards_descriptors",
    "hoards_tmp",
    "leaves_ipc",
    "exits_at_once",
    "floods_stderr_and_answers",
];

/// Returns the numbers of descriptors, children, and files of games.
fn held(arenas: &[Arena]) -> [usize; 3] {
    let files = arenas.iter().map(Arena::files).sum();
    [traces::descriptors(), traces::children(), files]
}

#[test]
#[ignore = "takes minutes"]
fn ten_thousand_games_leave_nothing() {
    if ran_alone("endurance::ten_thousand_games_leave_nothing") {
        return;
    }
    const GAMES: usize = 10_000;
    const WARM: usize = 1000;
    let arenas: Vec<Arena> =
        [Tier::A, Tier::B, Tier::C].into_iter().filter_map(Arena::new).collect();
    if arenas.is_empty() {
        return;
    }
    let before = held(&arenas);
    let mut memory = 0;
    for game in 0..GAMES {
        if game == WARM {
            memory = traces::memory_kib().1;
        }
        let mode = QUICK[game / arenas.len() % QUICK.len()];
        let played = arenas[game % arenas.len()].play(mode, 1, None);
        assert_eq!(played.left, [""; 0], "game {game}, {mode}");
    }
    let after = held(&arenas);
    let grown = traces::memory_kib().1.saturating_sub(memory);
    println!("{GAMES} games: descriptors, children, files {before:?} {after:?}");
    println!("memory after {WARM} games {memory} KiB, {grown} KiB more at the end");
    assert_eq!(before, after, "descriptors, children, files");
    assert!(grown < 1024, "{grown} KiB more");
}

#[test]
#[ignore = "takes minutes"]
fn honest_bots_lose_nothing_to_greedy_bots_beside_them() {
    if ran_alone("endurance::honest_bots_lose_nothing_to_greedy_bots_beside_them") {
        return;
    }
    const GAMES: usize = 100;
    let Some(arena) = Arena::new(Tier::B) else { return };
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for number in 1..cores.max(2) {
            let done = &done;
            scope.spawn(move || {
                let Some(arena) = Arena::new(Tier::B) else { return };
                let mut games = 0;
                while !done.load(Ordering::Relaxed) {
                    let mode = ["storm", "spins", "fork_bomb", "floods_stdout"][games % 4];
                    arena.play_on_cpu_clock([mode, "good"], 1000);
                    games += 1;
                }
                println!("beside them, {number}: {games} games of storms, spins, forks and floods");
            });
        }
        let mut outcomes = BTreeMap::new();
        let mut faults = Vec::new();
        let mut longest = (0, 0);
        for _ in 0..GAMES {
            // Each bot uses 20 ms of CPU time per move and may use 50 ms.
            let report = arena.play_on_cpu_clock(["thinks", "thinks"], 50);
            *outcomes.entry(report.outcome.reason.clone()).or_insert(0) += 1;
            faults.extend(report.faults);
            for seat in &report.seats {
                let used = seat.cpu_us.unwrap_or(0) / u64::from(seat.decisions.max(1));
                longest = (longest.0.max(seat.longest_us), longest.1.max(used));
            }
            let is_void = report.outcome.kind == OutcomeKind::Void;
            assert!(!is_void || report.host.is_some());
        }
        done.store(true, Ordering::Relaxed);
        println!(
            "{GAMES} honest games: {outcomes:?}; longest move {} us of wall-clock time; greatest \
             mean {} us of CPU time",
            longest.0, longest.1
        );
        assert_eq!(faults, [], "honest bots");
    });
}
