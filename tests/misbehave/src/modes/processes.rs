//! Processes and threads: more than allowed, and processes that must not outlive the bot.

use super::Mode;
use crate::bot::{Question, escaped, hang, keep, log, sleep};
use crate::raw;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio, exit};
use std::time::Duration;

/// The process and thread limit of a bot of the tests.
const ALLOWED: usize = 100;

/// How long the readers of `reads_on` read.
const READING: Duration = Duration::from_secs(60);

pub(super) const MODES: &[Mode] = &[
    ("fork_bomb", |question| {
        let started = (0..200).take_while(|_| child(question, false)).count();
        report_started("processes", started);
        question.answer();
    }),
    ("daemon", |question| {
        // The daemon leaves the process group, and its parent does not reap it.
        if child(question, true) {
            log("a daemon runs");
        }
        question.answer();
    }),
    ("daemon_with_stdout", |question| {
        // The child keeps the pipes open after the bot has ended.
        let mut command = again("child", question);
        let _ = command.spawn();
        exit(3);
    }),
    ("orphans", |question| {
        // Repeatedly starts a process that starts another and exits.
        for _ in 0..20 {
            if raw::fork_orphan(Duration::from_secs(30)).is_err() {
                break;
            }
        }
        question.answer();
    }),
    ("storm", |question| {
        // Many processes that each want a core, and a flood of output besides.
        for _ in 0..20 {
            let mut command = again("spin", question);
            let _ = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        }
        keep(|| eprint!("{}", "woe is me ".repeat(100)));
    }),
    ("spinning_children", |question| {
        spin_children(question);
        question.answer();
    }),
    ("reads_on", |question| {
        // Threads, and child processes where allowed, almost always inside a long system call that
        // cannot be interrupted.
        let _ = (0..30).take_while(|_| raw::read_in_a_child(READING).is_ok()).count();
        for _ in 0..30 {
            let reader = std::thread::Builder::new().stack_size(128 * 1024);
            if reader.spawn(|| raw::read_this_program(READING)).is_err() {
                break;
            }
        }
        // Answer only once they are reading.
        raw::use_cpu_time(Duration::from_millis(20));
        question.answer();
    }),
    ("starves_itself", |question| {
        raw::request_lowest_priority();
        spin_children(question);
        keep(|| {
            std::hint::black_box((0..1000).sum::<u64>());
        });
    }),
    ("threads", |question| {
        let thread = || {
            std::thread::Builder::new()
                .stack_size(16 * 1024)
                .spawn(|| std::thread::sleep(Duration::from_secs(30)))
                .is_ok()
        };
        report_started("threads", (0..500).take_while(|_| thread()).count());
        question.answer();
    }),
    ("threads_that_wake", |_| {
        // Each of them wants a core for a moment, again and again.
        for _ in 0..60 {
            let thread = std::thread::Builder::new().stack_size(16 * 1024);
            let _ = thread.spawn(|| keep(|| std::thread::sleep(Duration::from_micros(500))));
        }
        hang();
    }),
    ("child_that_spins", |question| {
        let _ = again("spin", question).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        // On a busy core its verdict takes long.
        sleep(120);
    }),
    ("burns_in_children", |question| {
        // The kernel discards the CPU time of children of a process that ignores SIGCHLD.
        raw::ignore_sigchld();
        let each = Duration::from_millis(30);
        let burnt = (0..6).take_while(|_| raw::burn_in_a_child(each).is_ok()).count();
        log(&format!("{burnt} children burnt {} ms each", each.as_millis()));
        question.answer();
    }),
    ("tree_of_64", |question| {
        for _ in 0..64 {
            child(question, false);
        }
        log("ready");
        hang();
    }),
];

/// Starts sixty children that each use a core.
fn spin_children(question: &Question<'_>) {
    for _ in 0..60 {
        let mut command = again("spin", question);
        if command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().is_err() {
            break;
        }
    }
}

fn report_started(what: &str, started: usize) {
    log(&format!("{started} {what}"));
    if started > ALLOWED && raw::is_counted() {
        escaped(&format!("{started} {what}"));
    }
}

/// Returns a command that runs this program again, sleeping (`child`) or busy (`spin`).
pub(super) fn again(what: &str, question: &Question<'_>) -> Command {
    let mut command = Command::new("/proc/self/exe");
    command.args([what, "30", question.world.token]).stdin(Stdio::null());
    command
}

fn child(question: &Question<'_>, leaves_the_group: bool) -> bool {
    let mut command = again("child", question);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    if leaves_the_group {
        // In its own process group, which a referee that kills the bot's group misses.
        command.process_group(0);
    }
    command.spawn().is_ok()
}
