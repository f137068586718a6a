//! Answers that come too late, or in part, or never; and time that is spent where it should not be.

use super::Mode;
use crate::bot::{escaped, hang, keep, log, write};
use crate::raw;
use std::hint::black_box;
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
        // Twenty milliseconds of processor time, however long that takes.
        raw::use_processor_time(Duration::from_millis(20));
        question.answer();
    }),
    ("thinks_on", |question| {
        think_on();
        question.answer();
    }),
    ("wakes_itself", |question| {
        // It is stopped while it is not its turn; between its two questions a timer wakes it.
        static ANSWERED: OnceLock<Duration> = OnceLock::new();
        if let Some(answered) = ANSWERED.get() {
            let used = raw::processor_time().saturating_sub(*answered);
            log(&format!("{} ms in the others' time", used.as_millis()));
            if raw::times_woken() > 0 {
                escaped("a timer has woken it");
            }
            return question.answer();
        }
        if raw::wake_by_timer().is_ok() {
            think_on();
        }
        question.answer();
        raw::times_woken();
        let _ = ANSWERED.set(raw::processor_time());
    }),
];

/// Works for two seconds, whoever's turn it is.
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
