//! A program leaves nothing behind: no descriptor, no process, no file. The test has its own
//! executable, because it counts all of these.
#![cfg(target_os = "linux")]

mod host;

use botyard_sandbox::Contained;
use host::{TIERS, can, launch, launcher, place, run};
use std::fs;
use std::path::Path;
use std::time::Duration;

fn descriptors() -> usize {
    fs::read_dir("/proc/self/fd").unwrap().count()
}

/// Returns the number of children of all threads of this process, zombies included.
fn children() -> usize {
    let threads = fs::read_dir("/proc/self/task").unwrap().flatten();
    let lists = threads.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists.map(|list| list.split_whitespace().count()).sum()
}

fn files(directory: &Path) -> usize {
    let entries = fs::read_dir(directory).unwrap().flatten();
    entries.map(|entry| if entry.path().is_dir() { 1 + files(&entry.path()) } else { 1 }).sum()
}

#[test]
fn nothing_is_left_behind() {
    for tier in TIERS.into_iter().filter(|&tier| can(tier, "leaks")) {
        let place = place();
        let before = (descriptors(), children(), files(place.path()));
        let script = "echo something > /tmp/file; echo something > file; exit 0";
        for round in 0..20 {
            run(&launch(tier, place.path(), "/bin/sh", &["-c", script]));
            // One that cannot be executed, and one that is dropped while it runs.
            let missing = launch(tier, place.path(), place.path().join("missing"), &[]);
            Contained::spawn(&launcher(), &missing, &[]).expect_err("the file does not exist");
            let sleeper = launch(tier, place.path(), "/usr/bin/sleep", &["60"]);
            drop(Contained::spawn(&launcher(), &sleeper, &[]).unwrap());
            // One that is dropped before it may run, wherever its launcher is by then.
            let prepared = Contained::prepare(&launcher(), &sleeper, &[]).unwrap();
            std::thread::sleep(Duration::from_micros(300 * round));
            drop(prepared);
        }
        let after = (descriptors(), children(), files(place.path()));
        assert_eq!(before, after, "tier {tier}: descriptors, processes, files");
    }
}
