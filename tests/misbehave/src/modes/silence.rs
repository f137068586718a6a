//! Answers that come too late, or in part, or never; and time that is spent where it should not be.

use super::Mode;
use crate::bot::{hang, keep, write};
use crate::raw;
use std::hint::black_box;
use std::time::{Duration, Instant};

pub(super) const MODES: &[Mode] = &[
    ("never_answers", |_| hang()),
    ("answers_late", |question| {
        std::thread::sleep(Duration::from_millis(2500));
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
        // In the others' time.
        std::thread::spawn(|| {
            let end = Instant::now() + Duration::from_secs(2);
            while Instant::now() < end {
                black_box((0..1000).sum::<u64>());
            }
        });
        question.answer();
    }),
];

fn spin() -> ! {
    keep(|| {
        black_box((0..1000).sum::<u64>());
    })
}
