//! The memory of hostile bots while they play, where no memory controller limits it (tiers A and B):
//! at no time more than the limit, an eighth of it and 64 MiB.
//!
//! `BOTYARD_REPEATS=20` plays every game 20 times; `--nocapture` prints the peaks.
#![cfg(target_os = "linux")]

mod arena;
mod traces;

use arena::Arena;
use botyard_protocol::OutcomeKind;
use botyard_sandbox::Tier;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// The memory limit of a bot of the tests, in MiB.
const LIMIT: u64 = 64;

/// What a bot may have above its limit for a moment, in MiB.
const MORE: u64 = LIMIT / 8 + 64;

const MODES: [&str; 9] = [
    "hoards_heap",
    "hoards_page_tables",
    "hoards_read_only",
    "hoards_children",
    "hoards_children_without_first_threads",
    "hoards_copies",
    "hoards_copies_in_pieces",
    "hoards_vforked_children",
    "tree_of_64",
];

#[test]
fn no_bot_has_much_more_than_its_limit() {
    let repeats = std::env::var("BOTYARD_REPEATS").ok().and_then(|text| text.parse().ok());
    for tier in [Tier::A, Tier::B] {
        let Some(arena) = Arena::new(tier) else { continue };
        for mode in MODES {
            for _ in 0..repeats.unwrap_or(1) {
                let short = (mode == "tree_of_64").then_some(1000);
                let (played, peak) = while_measured(|| arena.play(mode, 1, short));
                println!("tier {tier}\t{mode:<40}\t{peak} MiB");
                assert!(peak <= LIMIT + MORE, "tier {tier}, {mode}: {peak} MiB");
                assert_ne!(played.report.outcome.kind, OutcomeKind::Void, "tier {tier}, {mode}");
                let escaped = played.log.iter().find(|text| text.starts_with("escaped:"));
                assert_eq!(escaped, None, "tier {tier}, {mode}");
            }
        }
    }
}

/// Returns the most memory that the bots of a game had meanwhile, in MiB: together, the good one
/// too.
fn while_measured<T>(play: impl FnOnce() -> T) -> (T, u64) {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let measuring = scope.spawn(|| {
            let mut peak = 0;
            while !is_over.load(Ordering::Relaxed) {
                peak = peak.max(memory_of_bots());
                thread::sleep(Duration::from_millis(2));
            }
            peak / 1024
        });
        let played = play();
        is_over.store(true, Ordering::Relaxed);
        (played, measuring.join().unwrap())
    })
}

/// Returns the memory of the processes that have a token of this program in their command line, in
/// KiB. Pages that they share count once.
fn memory_of_bots() -> u64 {
    let token = format!("botyard-trace-{}-", std::process::id());
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let of_process = |path: std::path::PathBuf| {
        let command = fs::read(path.join("cmdline")).ok()?;
        String::from_utf8_lossy(&command).contains(&token).then_some(())?;
        let read = |file: &str| fs::read_to_string(path.join(file)).unwrap_or_default();
        let (shares, status) = (read("smaps_rollup"), read("status"));
        let fields = [(&shares, "Pss_Anon:"), (&shares, "Pss_Shmem:"), (&status, "VmPTE:")];
        let value = |(text, name): (&String, &str)| {
            let line = text.lines().find_map(|line| line.strip_prefix(name))?;
            line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()
        };
        Some(fields.into_iter().filter_map(value).sum::<u64>())
    };
    processes.filter_map(|entry| of_process(entry.path())).sum()
}
