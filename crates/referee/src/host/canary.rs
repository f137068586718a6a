//! The canary: a thread that wakes up every 50 ms while games are played. At each wake-up it
//! measures how late it was woken and counts the runnable threads of the host. Its counters only
//! grow; the difference between two readings is what happened between them.
//!
//! A thread that sleeps most of the time is woken soon even on a busy host, so its wake-up delay
//! alone does not show how long a computing program waits for a core. The number of runnable
//! threads does: `n` threads on `c` cores get `c / n` of a core each.

use super::gauge::CanaryReading;
use botyard_sandbox::{cores_of_host, runnable_threads};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The sampling period. A sample took 77 us of CPU time on a crowded machine, so sampling takes at
/// most 0.15% of a core.
const PERIOD: Duration = Duration::from_millis(50);

/// The shortest time between two samples, however often games request one: many concurrent games
/// would otherwise keep the canary busy.
const AT_LEAST: Duration = Duration::from_millis(5);

/// A wake-up delay below this is the kernel's usual timer slack and is not counted.
const SLACK: Duration = Duration::from_millis(1);

/// The part of its time that a runnable thread waits for a core.
#[derive(Clone, Copy, Debug)]
struct Shares {
    /// For a thread that may use every core of the host.
    of_host: f64,
    /// If all runnable threads want the same core.
    of_one: f64,
}

impl CanaryReading {
    /// Adds a period with these shares. A counter that was unknown once stays unknown.
    fn pass(&mut self, time: Duration, shares: Option<Shares>) {
        let add = |denied: Option<Duration>, share: Option<f64>| {
            denied.zip(share).map(|(denied, share)| denied + time.mul_f64(share))
        };
        self.denied = add(self.denied, shares.map(|shares| shares.of_host));
        self.denied_on_one = add(self.denied_on_one, shares.map(|shares| shares.of_one));
    }
}

#[derive(Debug)]
struct State {
    /// The number of games being played.
    games: usize,
    /// Whether the canary's thread runs.
    runs: bool,
    /// The time of the last sample.
    looked: Option<Instant>,
    /// When the next sample is due.
    due: Option<Instant>,
    /// The shares at the last sample; `None` if the host does not report its runnable threads.
    shares: Option<Shares>,
    counted: CanaryReading,
}

static STATE: Mutex<State> = Mutex::new(State {
    games: 0,
    runs: false,
    looked: None,
    due: None,
    shares: None,
    counted: CanaryReading {
        late: Duration::ZERO,
        denied: Some(Duration::ZERO),
        denied_on_one: Some(Duration::ZERO),
    },
});
static CHANGED: Condvar = Condvar::new();

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A game in progress: the canary samples the host until this is dropped.
#[derive(Debug)]
pub(crate) struct InGame(());

impl InGame {
    /// Registers a game that begins.
    pub fn begin() -> InGame {
        let mut state = state();
        state.games += 1;
        if !state.runs {
            let thread = std::thread::Builder::new().name("canary".into()).stack_size(64 * 1024);
            // Without the canary, a referee still measures its own delays.
            state.runs = thread.spawn(watch_the_host).is_ok();
        }
        if state.games == 1 {
            state.looked = None;
            state.due = None;
            CHANGED.notify_all();
        }
        InGame(())
    }
}

impl Drop for InGame {
    fn drop(&mut self) {
        state().games -= 1;
    }
}

/// Makes the canary sample the host now. A sample from the start of the game, or up to [`PERIOD`]
/// old, says little about a decision that may take only milliseconds.
pub(super) fn sample_now() {
    let mut state = state();
    let now = Instant::now();
    let soonest = state.looked.map_or(now, |looked| looked + AT_LEAST);
    if soonest <= now && state.due.is_some_and(|due| now < due) {
        state.due = Some(now);
        CHANGED.notify_all();
    }
}

/// Returns the counters up to now, with an estimate for the time since the last sample.
pub(super) fn reading() -> CanaryReading {
    let state = state();
    let now = Instant::now();
    let mut reading = state.counted;
    if let (Some(looked), Some(due)) = (state.looked, state.due) {
        reading.late += lateness(due, now);
        reading.pass(now.saturating_duration_since(looked), state.shares);
    }
    reading
}

fn lateness(due: Instant, now: Instant) -> Duration {
    Some(now.saturating_duration_since(due)).filter(|late| *late >= SLACK).unwrap_or_default()
}

/// Returns the part of its time that a runnable thread waits. `runnable` counts all runnable
/// threads but the canary.
fn waiting_share(runnable: u32, cores: u32) -> f64 {
    if runnable <= cores { 0.0 } else { 1.0 - f64::from(cores) / f64::from(runnable) }
}

fn watch_the_host() {
    let cores = cores_of_host();
    let mut state = state();
    loop {
        while state.games == 0 {
            state.looked = None;
            state.due = None;
            state = CHANGED.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        drop(state);
        let runnable = runnable_threads().map(|runnable| runnable.saturating_sub(1));
        state = self::state();
        let now = Instant::now();
        let shares = runnable.map(|runnable| Shares {
            of_host: waiting_share(runnable, cores),
            of_one: waiting_share(runnable, 1),
        });
        if let (Some(looked), Some(due)) = (state.looked, state.due) {
            state.counted.late += lateness(due, now);
            state.counted.pass(now.saturating_duration_since(looked), shares);
        }
        let due = now + PERIOD;
        (state.looked, state.due, state.shares) = (Some(now), Some(due), shares);
        while let Some(left) = state.due.and_then(|due| due.checked_duration_since(Instant::now()))
            && !left.is_zero()
        {
            let waited = CHANGED.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_waits_where_more_are_runnable_than_there_are_cores() {
        for (runnable, cores, share) in
            [(0, 2, 0.0), (2, 2, 0.0), (4, 2, 0.5), (5, 2, 0.6), (8, 2, 0.75), (3, 64, 0.0)]
        {
            assert!((waiting_share(runnable, cores) - share).abs() < 1e-12, "{runnable}/{cores}");
        }
    }

    #[test]
    fn a_reading_never_decreases() {
        let _game = InGame::begin();
        let mut before = reading();
        for _ in 0..10 {
            std::thread::sleep(Duration::from_millis(5));
            let now = reading();
            assert!(now.late + SLACK >= before.late, "{before:?} {now:?}");
            before = now;
        }
    }
}
