//! The memory of hostile bots while they play, where no memory controller limits it (tiers A and B):
//! at no time more than the limit, an eighth of it and 64 MiB.
//!
//! `BOTYARD_REPEATS=20` plays every game 20 times; `--nocapture` prints the peaks, and how much less
//! memory the host had available meanwhile.

use crate::arena::{Arena, memory_limit};
use crate::ran_alone;
use botyard_protocol::OutcomeKind;
use botyard_sandbox::Tier;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Returns the most memory that a bot with this limit may have for a moment, in MiB.
fn most(limit: u64) -> u64 {
    limit + limit / 8 + 64
}

const MODES: [&str; 12] = [
    "hoards_heap",
    "hoards_page_tables",
    "hoards_read_only",
    "hoards_children",
    "hoards_children_without_first_threads",
    "hoards_copies",
    "hoards_copies_in_pieces",
    "hoards_large_copies",
    "hoards_large_copies_in_pieces",
    "hoards_read_only_copies",
    "hoards_vforked_children",
    "tree_of_64",
];

#[test]
fn no_bot_has_much_more_than_its_limit() {
    if ran_alone("memory::no_bot_has_much_more_than_its_limit") {
        return;
    }
    let repeats = std::env::var("BOTYARD_REPEATS").ok().and_then(|text| text.parse().ok());
    for tier in [Tier::A, Tier::B] {
        let Some(arena) = Arena::new(tier) else { continue };
        for mode in MODES {
            for _ in 0..repeats.unwrap_or(1) {
                let short = (mode == "tree_of_64").then_some(1000);
                let (played, peak, taken) = while_measured(|| arena.play(mode, 1, short));
                println!("tier {tier}\t{mode:<40}\t{peak} MiB\t{taken} MiB of the host");
                let most = most(memory_limit(mode));
                assert!(peak <= most, "tier {tier}, {mode}: {peak} MiB");
                assert_ne!(played.report.outcome.kind, OutcomeKind::Void, "tier {tier}, {mode}");
                let escaped = played.log.iter().find(|text| text.starts_with("escaped:"));
                assert_eq!(escaped, None, "tier {tier}, {mode}");
            }
        }
    }
}

/// Returns the most memory that the bots of a game had meanwhile, together, the good one too; and how
/// much less the host had available, which other programs may have taken. In MiB.
fn while_measured<T>(play: impl FnOnce() -> T) -> (T, u64, u64) {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let measuring = scope.spawn(|| {
            let before = available();
            let (mut peak, mut least) = (0, before);
            while !is_over.load(Ordering::Relaxed) {
                least = least.min(available());
                peak = peak.max(memory_of_bots());
                thread::sleep(Duration::from_millis(2));
            }
            (peak / 1024, (before - least) / 1024)
        });
        let played = play();
        is_over.store(true, Ordering::Relaxed);
        let (peak, taken) = measuring.join().unwrap();
        (played, peak, taken)
    })
}

/// Returns the memory that the host has available, in KiB.
fn available() -> u64 {
    kibibytes(&fs::read_to_string("/proc/meminfo").unwrap_or_default(), "MemAvailable:")
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
        let shared = ["Pss_Anon:", "Pss_Shmem:"].map(|name| kibibytes(&shares, name));
        Some(shared.iter().sum::<u64>() + kibibytes(&status, "VmPTE:"))
    };
    processes.filter_map(|entry| of_process(entry.path())).sum()
}

/// Returns a field of a file of `/proc`; 0 if it is not there.
fn kibibytes(text: &str, name: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok());
    number.unwrap_or(0)
}
