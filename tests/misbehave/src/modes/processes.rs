//! Processes and threads: more than there should be, and such as should not outlive the bot.

use super::Mode;
use crate::bot::{Question, escaped, hang, keep, log};
use crate::raw;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio, exit};
use std::time::Duration;

/// How many processes or threads a bot of the tests may have.
const ALLOWED: usize = 100;

/// How long the readers of `reads_on` read.
const READING: Duration = Duration::from_secs(60);

pub(super) const MODES: &[Mode] = &[
    ("fork_bomb", |question| {
        let started = (0..200).take_while(|_| child(question, false)).count();
        told("processes", started);
        question.answer();
    }),
    ("daemon", |question| {
        // It leaves the session, and whoever started it does not wait for it.
        if child(question, true) {
            log("a daemon runs");
        }
        question.answer();
    }),
    ("daemon_with_stdout", |question| {
        // It keeps the pipes open when the bot has ended.
        let mut command = again("child", question);
        let _ = command.spawn();
        exit(3);
    }),
    ("orphans", |question| {
        // A process that starts another and ends, again and again.
        for _ in 0..20 {
            if raw::fork_orphan(Duration::from_secs(30)).is_err() {
                break;
            }
        }
        question.answer();
    }),
    ("storm", |question| {
        // Processes that all want a core, and a flood besides.
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
        // Threads, and children where it may have some, each of them nearly always inside a long system
        // call, which nothing interrupts.
        let _ = (0..30).take_while(|_| raw::read_in_a_child(READING).is_ok()).count();
        for _ in 0..30 {
            let reader = std::thread::Builder::new().stack_size(128 * 1024);
            if reader.spawn(|| raw::read_this_program(READING)).is_err() {
                break;
            }
        }
        // Not before they are at it.
        raw::use_processor_time(Duration::from_millis(20));
        question.answer();
    }),
    ("starves_itself", |question| {
        raw::give_way_to_everybody();
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
        told("threads", (0..500).take_while(|_| thread()).count());
        question.answer();
    }),
    ("burns_in_children", |question| {
        // A process that ignores SIGCHLD need not wait for its children, and their CPU time is lost.
        raw::ignore_ends_of_children();
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

/// Starts sixty children that want a core each.
fn spin_children(question: &Question<'_>) {
    for _ in 0..60 {
        let mut command = again("spin", question);
        if command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().is_err() {
            break;
        }
    }
}

fn told(what: &str, started: usize) {
    log(&format!("{started} {what}"));
    if started > ALLOWED && raw::is_counted() {
        escaped(&format!("{started} {what}"));
    }
}

/// This program again, asleep (`child`) or busy (`spin`).
fn again(what: &str, question: &Question<'_>) -> Command {
    let mut command = Command::new("/proc/self/exe");
    command.args([what, "30", question.world.token]).stdin(Stdio::null());
    command
}

fn child(question: &Question<'_>, leaves_the_session: bool) -> bool {
    let mut command = again("child", question);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    if leaves_the_session {
        // In a group of its own, which a referee that ends groups does not know.
        command.process_group(0);
    }
    command.spawn().is_ok()
}
