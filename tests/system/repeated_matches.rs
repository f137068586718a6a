//! `botyard match --repeat-on-change`: a match is played again after a change of a bot, and a bot with a
//! build is built first.

use crate::command::{Desk, Ran, finish, repository};
use crate::processes::pid_of;
use rustix::process::{Signal, kill_process};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// The longest wait for a line, longer than a match takes on the busiest machine.
const PATIENCE: Duration = Duration::from_secs(600);

/// A run that ends only when it is interrupted. It is killed when a test fails.
struct Repeating {
    child: Option<Child>,
    /// The lines of its standard error.
    lines: Receiver<String>,
}

impl Repeating {
    fn start(mut command: Command) -> Repeating {
        let mut child = command.spawn().expect("botyard starts");
        let stderr = BufReader::new(child.stderr.take().expect("it is a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Repeating { child: Some(child), lines }
    }

    /// Reads lines until one contains these words.
    fn read_until(&self, words: &str) -> String {
        let mut read = String::new();
        while !read.contains(words) {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => read.extend([line.as_str(), "\n"]),
                Err(error) => panic!("{words:?} is missing ({error}): {read}"),
            }
        }
        read
    }

    fn interrupt(mut self) -> Ran {
        let child = self.child.take().expect("it was not interrupted before");
        kill_process(pid_of(&child), Signal::INT).expect("botyard runs");
        finish(child)
    }
}

impl Drop for Repeating {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[test]
fn a_match_is_played_again_after_a_change() {
    let desk = Desk::new();
    let first = repository("sdk/python/examples/first.py");
    fs::create_dir(desk.path("ada")).unwrap();
    fs::copy(first, desk.path("ada/source.py")).unwrap();
    let manifest = "build = ['cp source.py bot.py']\nrun = 'python3 bot.py'\n";
    fs::write(desk.path("ada/bot.toml"), manifest).unwrap();
    let args = ["match", "connect-four", "./ada", "random"];
    let more = ["--json", "--seed", "1", "--repeat-on-change"];
    let repeating = Repeating::start(desk.command(&[&args[..], &more].concat()));
    repeating.read_until("waiting for a change");

    let source = fs::read_to_string(desk.path("ada/source.py")).unwrap();
    fs::write(desk.path("ada/source.py"), format!("{source}\n# a change\n")).unwrap();
    let read = repeating.read_until("waiting for a change");
    assert!(read.contains("changed: ") && read.contains("ada/source.py\n"), "{read}");
    let built = fs::read_to_string(desk.path("ada/bot.py")).unwrap();
    assert!(built.ends_with("# a change\n"), "it was built again");

    // A build that fails is no match, and no end.
    fs::remove_file(desk.path("ada/source.py")).unwrap();
    let read = repeating.read_until("waiting for a change");
    assert!(read.contains("ada: build failed: "), "{read}");
    let ran = repeating.interrupt();
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(ran.stdout.matches("\"type\":\"match_ended\"").count(), 2, "{ran:#?}");
}
