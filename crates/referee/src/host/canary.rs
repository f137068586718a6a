//! The canary: a thread that wakes up every 50 ms while games are played, notes how much later than it
//! wanted that was, and counts the threads of the host that want a core. What it counts only grows; a
//! difference between two readings is what happened between them.
//!
//! A thread that sleeps most of the time is woken soon even on a busy host, so its lateness alone does
//! not tell how long a program that computes has to wait. The number of runnable threads does: of so
//! many threads on so many cores each gets its share.

use super::gauge::CanaryReading;
use botyard_sandbox::{cores_of_host, runnable_threads};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often it looks. A look took 77 us of CPU time on a crowded machine, so this is 0.15% of a core at
/// most.
const PERIOD: Duration = Duration::from_millis(50);

/// It looks no sooner than this after its last look, however often a game asks: many games at once would keep
/// it busy.
const AT_LEAST: Duration = Duration::from_millis(5);

/// Lateness below this is the kernel's usual slack and no sign of anything.
const SLACK: Duration = Duration::from_millis(1);

/// The share of its time that a runnable thread has to wait.
#[derive(Clone, Copy, Debug)]
struct Shares {
    /// Where it may use every core of the host.
    of_host: f64,
    /// Where all runnable threads want one core.
    of_one: f64,
}

impl CanaryReading {
    /// Counts a time in which these were the shares; what is unknown once stays unknown.
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
    /// How many games are being played.
    games: usize,
    /// Whether its thread runs.
    runs: bool,
    /// When it looked last.
    looked: Option<Instant>,
    /// When it wants to look next.
    due: Option<Instant>,
    /// The shares of a core's time that a program had to wait, when it looked last.
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

/// A game is being played: the canary looks at the host until this is dropped.
#[derive(Debug)]
pub(crate) struct InGame(());

impl InGame {
    /// A game begins.
    pub fn begin() -> InGame {
        let mut state = state();
        state.games += 1;
        if !state.runs {
            let thread = std::thread::Builder::new().name("canary".into()).stack_size(64 * 1024);
            // Without it a referee still knows its own delays.
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

/// Has it look at the host now. What it saw when a game began, or up to [`PERIOD`] ago, says little of a
/// decision that may take some milliseconds.
pub(super) fn look() {
    let mut state = state();
    let now = Instant::now();
    let soonest = state.looked.map_or(now, |looked| looked + AT_LEAST);
    if soonest <= now && state.due.is_some_and(|due| now < due) {
        state.due = Some(now);
        CHANGED.notify_all();
    }
}

/// What it has counted by now, with what is known of the time since it looked last.
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

/// The share of its time that a runnable thread has to wait where so many others are runnable as well:
/// `runnable` counts all of them, and not the canary.
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
