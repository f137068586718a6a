//! Late, partial and missing answers; and CPU time used outside the bot's turn.

use super::Mode;
use crate::bot::{escaped, hang, keep, log, write};
use crate::raw;
use std::hint::black_box;
use std::io::Read;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

pub(super) const MODES: &[Mode] = &[
    ("never_answers", |_| hang()),
    ("answers_late", |question| {
        std::thread::sleep(Duration::from_millis(1000));
        question.answer();
    }),
    ("drips", |_| {
        keep(|| {
            write(b" ");
            std::thread::sleep(Duration::from_millis(20));
        })
    }),
    ("half_a_line", |_| {
        write(b"{\"type\":\"move\",");
        hang();
    }),
    ("half_a_line_then_exits", |_| {
        write(b"{\"type\":\"move\",");
        std::process::exit(0);
    }),
    ("spins", |_| spin()),
    ("ignores_signals", |_| {
        raw::ignore_signals();
        spin();
    }),
    ("stops_itself", |_| {
        raw::signal_itself(libc::SIGSTOP);
        hang();
    }),
    ("thinks", |question| {
        // Twenty milliseconds of CPU time, however long that takes.
        raw::use_cpu_time(Duration::from_millis(20));
        question.answer();
    }),
    ("thinks_longer", |question| {
        raw::use_cpu_time(Duration::from_millis(200));
        question.answer();
    }),
    ("thinks_too_long", |question| {
        raw::use_cpu_time(Duration::from_millis(500));
        question.answer();
    }),
    ("answers_a_little_late", |question| {
        std::thread::sleep(Duration::from_millis(400));
        question.answer();
    }),
    ("reads_what_never_comes", |_| {
        let (mut reader, _writer) = std::io::pipe().expect("a pipe");
        let _ = reader.read(&mut [0]);
    }),
    ("thinks_on", |question| {
        think_on();
        question.answer();
    }),
    ("wakes_itself", |question| {
        // The bot is stopped outside its turn; between its two questions a timer resumes it.
        static ANSWERED: OnceLock<Duration> = OnceLock::new();
        if let Some(answered) = ANSWERED.get() {
            let used = raw::cpu_time().saturating_sub(*answered);
            log(&format!("{} ms in the others' time", used.as_millis()));
            if raw::times_woken() > 0 {
                escaped("a timer has resumed it");
            }
            return question.answer();
        }
        if raw::wake_by_timer().is_ok() {
            think_on();
        }
        question.answer();
        raw::times_woken();
        let _ = ANSWERED.set(raw::cpu_time());
    }),
];

/// Uses a core for two seconds, even outside the bot's turn.
fn think_on() {
    std::thread::spawn(|| {
        let end = Instant::now() + Duration::from_secs(2);
        while Instant::now() < end {
            black_box((0..1000).sum::<u64>());
        }
    });
}

fn spin() -> ! {
    keep(|| {
        black_box((0..1000).sum::<u64>());
    })
}
