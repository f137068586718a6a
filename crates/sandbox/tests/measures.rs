//! What is measured of a contained program, and that it can be stopped and let go on.
#![cfg(target_os = "linux")]

mod host;

use botyard_sandbox::{Contained, Exit, MIB, Tier};
use host::{CHECKER, TIERS, TREES, can, launch, launcher, place, run};
use std::time::{Duration, Instant};

const SPIN: &str = "while :; do :; done";

/// Waits until the processor time of a program has grown by so much.
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
fn processor_time_grows_while_it_works_and_not_while_it_is_stopped() {
    for tier in TIERS.into_iter().filter(|&tier| can(tier, "processor time")) {
        let place = place();
        let spinning = launch(tier, place.path(), "/bin/sh", &["-c", SPIN]);
        let (program, _pipes) = Contained::spawn(&launcher(), &spinning, &[]).unwrap();
        assert!(works(&program, Duration::from_millis(20)), "tier {tier}");
        assert!(!program.stands_still(), "tier {tier}");
        program.stop();
        until_it_stands_still(&program, tier);
        assert!(!goes_on(&program), "tier {tier}: it goes on");
        program.go_on();
        assert!(works(&program, Duration::from_millis(20)), "tier {tier}");
    }
}

/// Twelve children read large pieces of a file, of which none can be interrupted.
#[test]
fn what_stands_still_does_not_work_even_in_long_system_calls() {
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
            until_it_stands_still(&program, tier);
            assert!(!goes_on(&program), "tier {tier}: it goes on");
            program.go_on();
        }
    }
}

fn until_it_stands_still(program: &Contained, tier: Tier) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !program.stands_still() {
        assert!(Instant::now() < deadline, "tier {tier}: it does not stand still");
        std::thread::yield_now();
    }
}

/// Whether it uses a core for 200 ms. What a thread used since the last tick of its core, 10 ms at most, is
/// counted when it leaves the core, some microseconds after it is said to have stopped.
fn goes_on(program: &Contained) -> bool {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
    let before = program.cpu_time().expect("it is there");
    std::thread::sleep(Duration::from_millis(200));
    let used = program.cpu_time().expect("it is there") - before;
    if used > Duration::from_millis(10) * cores {
        return true;
    }
    // From here on nothing is left to be counted.
    let before = program.cpu_time().expect("it is there");
    std::thread::sleep(Duration::from_millis(20));
    program.cpu_time().expect("it is there") > before
}

#[test]
fn processor_time_of_children_counts_while_they_run_and_after() {
    const OF_CHILDREN: Duration = Duration::from_millis(200);
    for tier in TREES.into_iter().filter(|&tier| can(tier, "processor time of children")) {
        let place = place();
        // A child that works and is waited for, then one that works for ever.
        let script = format!(
            "(i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done); echo; ({SPIN}) & read line; {SPIN}"
        );
        let tree = launch(tier, place.path(), "/bin/sh", &["-c", &script]);
        let (program, _pipes) = Contained::spawn(&launcher(), &tree, &[]).unwrap();
        // The shell itself waits.
        let deadline = Instant::now() + Duration::from_secs(60);
        while program.cpu_time() < program.own_cpu_time().map(|own| own + OF_CHILDREN) {
            assert!(Instant::now() < deadline, "tier {tier}: {:?}", program.cpu_time());
        }
    }
}

#[test]
fn the_most_memory_it_had_is_known_when_it_has_ended() {
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
        let (little, much) = (peak("exit 0").unwrap_or(0), peak(double).expect("it had more"));
        assert!(much > little + 4 * MIB && much < 64 * MIB, "tier {tier}: {little} {much}");
    }
    // What the referee has is not the program's.
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
fn a_program_that_takes_too_much_is_refused_it() {
    for tier in TIERS.into_iter().filter(|&tier| can(tier, "too much memory")) {
        let place = place();
        let script = "x=0123456789abcdef; while :; do x=$x$x; done";
        let ran = run(&launch(tier, place.path(), "/bin/sh", &["-c", script]));
        assert!(ran.exit.is_some(), "tier {tier}: {ran:?}");
    }
}

#[test]
fn a_tree_that_takes_too_much_together_is_ended_and_that_is_known() {
    for tier in TREES.into_iter().filter(|&tier| can(tier, "memory of a tree")) {
        takes_too_much_together(tier);
    }
}

fn takes_too_much_together(tier: Tier) {
    let place = place();
    // Each has 4 MiB, which is allowed; thirty of them at once are not.
    let child = "x=0123456789abcdef; \
        for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18; do x=$x$x; done; sleep 60";
    for (children, exit, ran_out) in [(2, Exit::Code(0), false), (30, Exit::Signal(9), true)] {
        let wait = if children < 30 { "sleep 1; exit 0" } else { "wait" };
        let script = format!("for n in $(seq {children}); do ({child}) & done; {wait}");
        let tree = launch(tier, place.path(), "/bin/sh", &["-c", &script]);
        let (program, _pipes) = Contained::spawn(&launcher(), &tree, &[]).unwrap();
        let ended = program.wait_until(Instant::now() + Duration::from_secs(60));
        assert_eq!(ended, Some(exit), "tier {tier}, {children} children");
        assert_eq!(program.ran_out_of_memory(), ran_out, "tier {tier}, {children} children");
        let peak = program.peak_memory().unwrap();
        // Where it is watched and not counted, somewhat more than it may before it is ended.
        let most = if tier == Tier::C { 64 * MIB } else { 256 * MIB };
        assert!(peak <= most, "tier {tier}, {children} children: {peak}");
    }
}

#[test]
fn no_more_processes_than_allowed_run_at_once() {
    for tier in TREES.into_iter().filter(|&tier| can(tier, "a limit of processes")) {
        let place = place();
        // Those that were started say so; the shell itself is the 32nd.
        let script = "for n in $(seq 100); do (echo $n; sleep 60) & done 2> /dev/null; sleep 1";
        let ran = run(&launch(tier, place.path(), "/bin/sh", &["-c", script]));
        let started = ran.stdout.lines().count();
        assert!((1..32).contains(&started), "tier {tier}: {started}");
    }
}
