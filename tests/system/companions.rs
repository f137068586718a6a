//! Companion programs: `botyard` becomes them, and says what is missing.

use crate::command::{BOTYARD, Desk, finish};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn the_help_of_a_companion_is_that_of_botyard() {
    let desk = Desk::new();
    for words in [&["serve"][..], &["train", "dice-wars", "fit"], &["bridge", "hub"]] {
        let help = desk.done(&[&["help"], words].concat());
        assert!(help.contains(&format!("Usage: botyard {}", words.join(" "))), "{help}");
        assert_eq!(help, desk.done(&[words, &["--help"]].concat()));
    }
}

#[test]
fn a_companion_is_the_process_that_was_started() {
    let desk = Desk::new();
    let mut child = desk.command(&["watch", "."]).spawn().unwrap();
    let mut address = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut address).unwrap();
    assert!(address.starts_with("http://127.0.0.1:"), "{address}");
    let program = std::fs::read_link(format!("/proc/{}/exe", child.id())).unwrap();
    assert_eq!(program.file_name().unwrap(), "botyard-live");
    let pid = Pid::from_raw(child.id().cast_signed()).unwrap();
    kill_process(pid, Signal::TERM).unwrap();
    assert_eq!(finish(child).code, Some(0));
}

#[test]
fn a_missing_companion_is_a_failure_of_the_host_that_says_how_to_build_it() {
    let desk = Desk::new();
    // By another process: a file that this one writes may be open in a child of another test, and then it is busy.
    let copied = Command::new("cp").args([BOTYARD.into(), desk.path("botyard")]).status().unwrap();
    assert!(copied.success());
    for (args, program) in [
        (&["serve", "class"][..], "botyard-site"),
        (&["help", "worker"], "botyard-workers"),
        (&["match", "draughts", "random", "random", "--watch"], "botyard-live"),
    ] {
        let mut command = Command::new(desk.path("botyard"));
        command.args(args).current_dir(desk.path("")).stdin(Stdio::null());
        let ran = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let ran = finish(ran);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{ran:#?}");
        for expected in [desk.path(program).to_str().unwrap(), "cargo build --release --workspace"]
        {
            assert!(ran.stderr.contains(expected), "{ran:#?}");
        }
    }
}

#[test]
fn a_companion_of_another_version_is_refused() {
    let mut command = Command::new(Path::new(BOTYARD).with_file_name("botyard-site"));
    command.args(["serve", "class"]).env("BOTYARD_VERSION", "0.0.1").stdin(Stdio::null());
    let ran = finish(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    assert!(ran.stderr.contains("botyard 0.0.1 started it"), "{ran:#?}");
}
