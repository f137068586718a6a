//! Hostile bots: none of their ways of failing harms the referee, their opponent or the host.
#![cfg(target_os = "linux")]

mod arena;
mod busy_core;
mod clocks;
mod endurance;
mod fixtures;
mod memory;
mod outside_turns;
mod starts;
mod traces;

use std::io::Write;
use std::process::Command;
use std::sync::{PoisonError, RwLock};

/// Set in a process that runs a single test.
const ALONE: &str = "BOTYARD_TEST_RUNS_ALONE";

/// Held for writing while a test runs that needs a host without the other tests of this program.
static HOST: RwLock<()> = RwLock::new(());

/// Runs the calling test, which has this name, in a process of its own, because it counts descriptors, memory and
/// processes. Returns false in that process, where the test is to be done.
fn ran_alone(name: &str) -> bool {
    let _shared = HOST.read().unwrap_or_else(PoisonError::into_inner);
    ran_in_its_own_process(name)
}

/// Does the same while no other test of this program runs.
fn ran_alone_on_the_host(name: &str) -> bool {
    let _whole = HOST.write().unwrap_or_else(PoisonError::into_inner);
    ran_in_its_own_process(name)
}

fn ran_in_its_own_process(name: &str) -> bool {
    if std::env::var_os(ALONE).is_some() {
        return false;
    }
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", name, "--include-ignored", "--nocapture"]).env(ALONE, "1");
    let ran = again.output().unwrap();
    // Past the capture of test output: the notes on what was not tested.
    let _ = std::io::stderr().write_all(&ran.stderr);
    let printed = String::from_utf8_lossy(&ran.stdout);
    println!("{printed}");
    assert!(ran.status.success() && printed.contains("1 passed"), "{name}, in its own process");
    true
}
