//! Ctrl-C and termination: the match stops immediately, reports the finished games, and leaves no
//! bot running.

use crate::command::{Desk, events, events_of, finish, misbehaving};
use crate::processes::{Processes, kill_with_all, pid_of};
use rustix::process::{Signal, kill_process};

fn interrupt(name: &str, signal: Signal, more: &[&str]) -> crate::command::Ran {
    let desk = Desk::new();
    let bot = misbehaving("never");
    let args = ["match", "scotland-yard", &bot, &bot, "--move-time", "1000000"];
    let child = desk.command(&[&args[..], more].concat()).spawn().expect("botyard starts");
    let bots = Processes::once_running(&child, "misbehave.py", 2);
    kill_process(pid_of(&child), signal).expect("botyard runs");
    let ran = finish(child);
    assert_eq!(ran.code, Some(1), "{name}: {ran:#?}");
    assert_eq!(bots.left(), [""; 0], "{name}: a bot was left");
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
    assert!(ran.stdout.contains("interrupted: 0 of 50 games finished"), "{ran:#?}");
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

/// A bot that ignores its pipes, in each tier and uncontained.
#[test]
fn a_bot_that_spins_does_not_outlive_a_botyard_that_is_killed() {
    for sandbox in ["none", "auto"] {
        let desk = Desk::new();
        std::fs::write(desk.path("spin.sh"), "echo spinning >&2\nwhile :; do :; done\n").unwrap();
        let args = ["match", "scotland-yard", "sh spin.sh", "random", "--sandbox", sandbox];
        let child = desk.command(&args).spawn().expect("botyard starts");
        Processes::once_running(&child, "spin.sh", 1);
        kill_with_all(child);
    }
}
