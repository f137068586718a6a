//! Measurements of a contained program, and stopping and resuming it.
#![cfg(target_os = "linux")]

mod host;

use botyard_sandbox::{Contained, Exit, MIB, Tier};
use host::{CHECKER, TIERS, TREES, can, launch, launcher, place, run};
use std::time::{Duration, Instant};

const SPIN: &str = "while :; do :; done";

/// Waits until the CPU time of a program has grown by `more`; false after 60 s.
fn works(program: &Contained, more: Duration) -> bool {
    let before = program.cpu_time().expect("it runs");
    let deadline = Instant::now() + Duration::from_secs(60);
    while program.cpu_time().expect("it runs") < before + more {
        if Instant::now() > deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    true
}

#[test]
fn cpu_time_grows_while_a_program_runs_and_not_while_it_is_stopped() {
    for tier in TIERS.into_iter().filter(|&tier| can(tier, "CPU time")) {
        let place = place();
        let spinning = launch(tier, place.path(), "/bin/sh", &["-c", SPIN]);
        let (program, _pipes) = Contained::spawn(&launcher(), &spinning, &[]).unwrap();
        assert!(works(&program, Duration::from_millis(20)), "tier {tier}");
        assert!(!program.is_stopped(), "tier {tier}");
        program.stop();
        until_stopped(&program, tier);
        assert!(!keeps_running(&program), "tier {tier}: it keeps running");
        program.resume();
        assert!(works(&program, Duration::from_millis(20)), "tier {tier}");
    }
}

/// Twelve children read large pieces of a file, in calls that cannot be interrupted.
#[test]
fn a_stopped_program_does_not_run_even_in_long_system_calls() {
    for tier in TREES.into_iter().filter(|&tier| can(tier, "system calls of a stopped program")) {
        let place = place();
        let read = format!("while :; do dd if={CHECKER} of=/dev/null bs=8M; done 2> /dev/null");
        let script = format!("for n in $(seq 12); do ({read}) & done; wait");
        let mut reading = launch(tier, place.path(), "/bin/sh", &["-c", &script]);
        reading.limits.memory = 512 * MIB;
        let (program, _pipes) = Contained::spawn(&launcher(), &reading, &[]).unwrap();
        for _ in 0..10 {
            assert!(works(&program, Duration::from_millis(20)), "tier {tier}");
            program.stop();
            until_stopped(&program, tier);
            assert!(!keeps_running(&program), "tier {tier}: it keeps running");
            program.resume();
        }
    }
}

fn until_stopped(program: &Contained, tier: Tier) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !program.is_stopped() {
        assert!(Instant::now() < deadline, "tier {tier}: it has not stopped");
        std::thread::yield_now();
    }
}

/// Returns whether the program uses CPU time within 200 ms. The kernel counts what a thread used
/// since the last tick of its core, at most 10 ms, when the thread leaves the core, some
/// microseconds after it is reported as stopped.
fn keeps_running(program: &Contained) -> bool {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
    let before = program.cpu_time().expect("it is alive");
    std::thread::sleep(Duration::from_millis(200));
    let used = program.cpu_time().expect("it is alive") - before;
    if used > Duration::from_millis(10) * cores {
        return true;
    }
    // By now everything is counted.
    let before = program.cpu_time().expect("it is alive");
    std::thread::sleep(Duration::from_millis(20));
    program.cpu_time().expect("it is alive") > before
}

#[test]
fn cpu_time_of_children_counts_while_they_run_and_after() {
    const OF_CHILDREN: Duration = Duration::from_millis(200);
    for tier in TREES.into_iter().filter(|&tier| can(tier, "CPU time of children")) {
        let place = place();
        // A child that works and is reaped, then one that works endlessly.
        let script = format!(
            "(i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done); echo; ({SPIN}) & read line; {SPIN}"
        );
        let tree = launch(tier, place.path(), "/bin/sh", &["-c", &script]);
        let (program, _pipes) = Contained::spawn(&launcher(), &tree, &[]).unwrap();
        // The shell itself is idle.
        let deadline = Instant::now() + Duration::from_secs(60);
        while program.cpu_time() < program.own_cpu_time().map(|own| own + OF_CHILDREN) {
            assert!(Instant::now() < deadline, "tier {tier}: {:?}", program.cpu_time());
        }
    }
}

#[test]
fn peak_memory_is_known_once_the_program_has_ended() {
    for tier in TIERS.into_iter().filter(|&tier| can(tier, "memory")) {
        let place = place();
        // A shell that doubles a string up to 4 MiB, and one that does not.
        let double = "x=0123456789abcdef; \
            for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18; do x=$x$x; done";
        let peak = |script: &str| {
            let small = launch(tier, place.path(), "/bin/sh", &["-c", script]);
            let (program, _pipes) = Contained::spawn(&launcher(), &small, &[]).unwrap();
            program.wait_until(Instant::now() + Duration::from_secs(60)).expect("it ends");
            program.peak_memory()
        };
        let (little, much) =
            (peak("exit 0").unwrap_or(0), peak(double).expect("its peak is greater"));
        assert!(much > little + 4 * MIB && much < 64 * MIB, "tier {tier}: {little} {much}");
    }
    // The referee's own memory does not count.
    let own = vec![1_u8; 100 * MIB as usize];
    for tier in TIERS.into_iter().filter(|&tier| can(tier, "memory")) {
        let place = place();
        let small = launch(tier, place.path(), "/bin/sh", &["-c", "exit 0"]);
        let (program, _pipes) = Contained::spawn(&launcher(), &small, &[]).unwrap();
        program.wait_until(Instant::now() + Duration::from_secs(60)).expect("it ends");
        let peak = program.peak_memory();
        assert!(peak.is_none_or(|peak| peak < own.len() as u64), "tier {tier}: {peak:?}");
    }
}

#[test]
fn allocations_over_the_limit_are_refused() {
    for tier in TIERS.into_iter().filter(|&tier| can(tier, "too much memory")) {
        let place = place();
        let script = "x=0123456789abcdef; while :; do x=$x$x; done";
        let ran = run(&launch(tier, place.path(), "/bin/sh", &["-c", script]));
        assert!(ran.exit.is_some(), "tier {tier}: {ran:?}");
    }
}

#[test]
fn a_tree_does_not_exceed_its_memory_limit() {
    for tier in TREES.into_iter().filter(|&tier| can(tier, "memory of a tree")) {
        exceeds_the_limit_together(tier);
    }
}

fn exceeds_the_limit_together(tier: Tier) {
    let place = place();
    // Each child uses 8 MiB, which is allowed; fourteen at once exceed the limit. A controller kills
    // them; in tier B the last ones are refused the memory, and the shell ends with 2 if it is refused
    // a child. The last `:` keeps the shell, and its memory, from being replaced by `sleep`.
    let child = "x=0123456789abcdef; \
        for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19; do x=$x$x; done; sleep 60; :";
    for children in [2, 14] {
        let is_killed = children == 14 && tier == Tier::C;
        let (wait, exits): (_, &[Exit]) = match (is_killed, children) {
            (true, _) => ("wait", &[Exit::Signal(9)]),
            (false, 2) => ("sleep 1; exit 0", &[Exit::Code(0)]),
            (false, _) => ("sleep 1; exit 0", &[Exit::Code(0), Exit::Code(2)]),
        };
        let script = format!("for n in $(seq {children}); do ({child}) & done; {wait}");
        let tree = launch(tier, place.path(), "/bin/sh", &["-c", &script]);
        let (program, _pipes) = Contained::spawn(&launcher(), &tree, &[]).unwrap();
        let ended = program.wait_until(Instant::now() + Duration::from_secs(60));
        let is_expected = ended.is_some_and(|ended| exits.contains(&ended));
        assert!(is_expected, "tier {tier}, {children} children: {ended:?}");
        assert_eq!(program.ran_out_of_memory(), is_killed, "tier {tier}, {children} children");
        let peak = program.peak_memory().unwrap();
        assert!(peak <= 64 * MIB, "tier {tier}, {children} children: {peak}");
    }
}

#[test]
fn no_more_processes_than_the_limit_run_at_once() {
    for tier in TREES.into_iter().filter(|&tier| can(tier, "a process limit")) {
        let place = place();
        // Each child that starts prints a line; the shell itself is the 32nd process.
        let script = "for n in $(seq 100); do (echo $n; sleep 60) & done 2> /dev/null; sleep 1";
        let ran = run(&launch(tier, place.path(), "/bin/sh", &["-c", script]));
        let started = ran.stdout.lines().count();
        assert!((1..32).contains(&started), "tier {tier}: {started}");
    }
}
