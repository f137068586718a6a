//! Access to the files of others, and objects that would outlive the bot.

use super::Mode;
use crate::bot::{Question, World, escaped};
use crate::{leftovers, trial};
use std::fs;
use std::os::unix::fs::symlink;

pub(super) const MODES: &[Mode] = &[
    ("leaves_ipc", |question| {
        // The test looks for their names afterwards, in case any were created.
        for (what, made) in leftovers::make(question.world.token) {
            if made.is_ok() {
                escaped(what);
            }
        }
        question.answer();
    }),
    ("leaves_files", |question| {
        let token = question.world.token;
        for directory in ["/tmp", "/var/tmp", "/dev/shm", "/run", "/"] {
            let _ = fs::write(format!("{directory}/{token}"), "left behind");
        }
        question.answer();
    }),
    ("links_its_log", |question| {
        // A referee running as root that opens such a file would show /etc/shadow.
        for log in ["own/log", "own/stderr.txt"] {
            if symlink("/etc/shadow", question.world.place.join(log)).is_ok() {
                escaped("a link in its directory");
            }
        }
        question.answer();
    }),
    ("reads_around", |question| {
        for path in ["/etc/shadow", "/etc/group", "/root/.profile", "/proc/1/environ", "/proc/kmsg"]
        {
            if fs::read(path).is_ok_and(|text| !text.is_empty()) && !is_its_own(path) {
                escaped(&format!("read {path}"));
            }
        }
        question.answer();
    }),
];

/// Returns whether the file describes the bot itself: in its own PID namespace, PID 1 is its own
/// init process.
fn is_its_own(path: &str) -> bool {
    path.starts_with("/proc/1/")
        && fs::read_to_string("/proc/sys/kernel/hostname").is_ok_and(|name| name.trim() == "bot")
}

/// Tries an operation that a contained program must not be able to do, and plays on.
pub(super) fn try_forbidden(operation: &str, question: &Question<'_>) {
    let World { place, referee, .. } = question.world;
    let target = trial::Target { place: place.into(), referee };
    let mut found =
        trial::operations().chain(trial::deadly()).filter(|(name, _)| *name == operation);
    match found.next() {
        Some((_, run)) if run(&target).is_ok() => escaped(operation),
        Some(_) => {}
        None => escaped("there is no such operation"),
    }
    question.answer();
}
