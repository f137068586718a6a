//! Ctrl-C and termination: the match stops at once, says what was finished, and no bot is left.

use crate::command::{Desk, events, events_of, finish, misbehaving};
use rustix::process::{Pid, Signal, kill_process};
use std::time::{Duration, Instant};

/// Bots that think for ever, told from all other processes by an argument.
fn thinker(marker: &str) -> String {
    misbehaving(&format!("never {marker}"))
}

/// The command lines of living processes that have the marker in them, `botyard` itself left out.
fn marked(marker: &str) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").expect("/proc is there").flatten();
    processes
        .filter_map(|process| std::fs::read(process.path().join("cmdline")).ok())
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .filter(|line| line.contains(marker) && !line.contains("scotland-yard"))
        .collect()
}

fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < Duration::from_secs(60), "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn interrupt(name: &str, signal: Signal, more: &[&str]) -> crate::command::Ran {
    let desk = Desk::new();
    let marker = format!("marker-{name}-{}", std::process::id());
    let bot = thinker(&marker);
    let args = ["match", "scotland-yard", &bot, &bot, "--move-time", "100000"];
    let child = desk.command(&[&args[..], more].concat()).spawn().expect("botyard starts");
    wait_until("the bots run", || marked(&marker).len() >= 2);
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("a process id");
    kill_process(pid, signal).expect("botyard runs");
    let ran = finish(child);
    assert_eq!(ran.code, Some(1), "{name}: {ran:#?}");
    assert_eq!(marked(&marker), Vec::<String>::new(), "{name}: a bot was left");
    ran
}

#[test]
fn an_interrupt_leaves_no_process_behind() {
    let ran = interrupt("int", Signal::INT, &[]);
    assert!(ran.stdout.contains("interrupted"), "{ran:#?}");
}

#[test]
fn termination_leaves_no_process_behind() {
    interrupt("term", Signal::TERM, &[]);
}

#[test]
fn a_long_match_says_what_was_finished() {
    let ran = interrupt("many", Signal::INT, &["--games", "50", "--concurrency", "2"]);
    assert!(ran.stdout.contains("interrupted: 0 of 50 games were finished"), "{ran:#?}");
}

#[test]
fn a_program_that_reads_is_told_as_well() {
    let ran = interrupt("json", Signal::TERM, &["--games", "50", "--json"]);
    let events = events(&ran.stdout);
    let [ended] = events_of(&events, "match_ended")[..] else { panic!("one end: {ran:#?}") };
    assert_eq!((&ended["interrupted"], &ended["games"]), (&true.into(), &0.into()));
}

#[test]
fn a_reader_that_goes_away_ends_the_match_quietly() {
    let desk = Desk::new();
    let args = ["match", "scotland-yard", "random", "random", "--games", "100000", "--json"];
    let mut child = desk.command(&args).spawn().expect("botyard starts");
    drop(child.stdout.take());
    let ran = finish(child);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""), "{ran:#?}");
}
