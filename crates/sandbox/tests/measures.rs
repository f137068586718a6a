//! What is measured of a contained program, and that it can be stopped and let go on.
#![cfg(target_os = "linux")]

mod host;

use botyard_sandbox::{Contained, MIB, Tier};
use host::{TIERS, can, launch, launcher, place, run};
use std::fs;
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
        program.stop();
        while state(program.id()) != 'T' {
            std::thread::sleep(Duration::from_millis(1));
        }
        let stopped = program.cpu_time().unwrap();
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(program.cpu_time(), Some(stopped), "tier {tier}");
        program.go_on();
        assert!(works(&program, Duration::from_millis(20)), "tier {tier}");
    }
}

/// The state of a process: `R` running, `S` sleeping, `T` stopped, ...
fn state(id: i32) -> char {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
    stat.rsplit(") ").next().and_then(|fields| fields.chars().next()).unwrap()
}

#[test]
fn processor_time_of_children_counts_while_they_run_and_after() {
    if !can(Tier::B, "processor time of children") {
        return;
    }
    let place = place();
    // A child that works and is waited for, then one that works for ever.
    let script = format!(
        "(i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done); echo; ({SPIN}) & read line; {SPIN}"
    );
    let tree = launch(Tier::B, place.path(), "/bin/sh", &["-c", &script]);
    let (program, _pipes) = Contained::spawn(&launcher(), &tree, &[]).unwrap();
    // The shell itself waits.
    assert!(works(&program, Duration::from_millis(200)));
    let own = program.own_cpu_time().unwrap();
    assert!(program.cpu_time().unwrap() > own + Duration::from_millis(150), "{own:?}");
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
            program.peak_memory().expect("it has ended")
        };
        let (little, much) = (peak("exit 0"), peak(double));
        assert!(much > little + 4 * MIB && much < 64 * MIB, "tier {tier}: {little} {much}");
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
