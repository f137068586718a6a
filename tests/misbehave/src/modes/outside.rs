//! CPU time outside the bot's turn, from the question at which the mode begins until the end of the
//! game. Before that the bot only waits for its questions.

use super::Mode;
use super::processes::again;
use crate::bot::PATIENCE;
use crate::raw;
use std::process::Stdio;
use std::sync::Once;
use std::time::{Duration, Instant};

/// What `sips_outside` uses after each answer: little enough to pass for waiting.
const SIP: Duration = Duration::from_micros(60);

static BEGUN: Once = Once::new();

pub(super) const MODES: &[Mode] = &[
    ("thinks_outside", |question| {
        question.answer();
        think(|| !raw::has_input());
    }),
    ("threads_outside", |question| {
        BEGUN.call_once(|| {
            for _ in 0..4 {
                let thread = std::thread::Builder::new().stack_size(64 * 1024);
                let _ = thread.spawn(|| think(|| true));
            }
        });
        question.answer();
    }),
    ("child_outside", |question| {
        BEGUN.call_once(|| {
            let mut command = again("spin", question);
            let _ = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        });
        question.answer();
    }),
    ("timer_outside", |question| {
        BEGUN.call_once(|| {
            let _ = raw::think_by_timer();
        });
        question.answer();
    }),
    ("sips_outside", |question| {
        question.answer();
        raw::use_cpu_time(SIP);
    }),
];

/// Uses a core as long as this holds, at most for [`PATIENCE`].
fn think(lasts: impl Fn() -> bool) {
    let end = Instant::now() + PATIENCE;
    while lasts() && Instant::now() < end {
        std::hint::black_box((0..1000).sum::<u64>());
    }
}
