//! The canary: a thread that wakes up every 50 ms while games are played, and measures how late it was
//! woken. Its counters only grow; the difference between two readings is what happened between them.
//!
//! A thread that sleeps most of the time is woken soon even on a busy host. If it is late and did not
//! wait for a core, the host or this program stood still: a stopped process, a frozen machine.

use super::gauge::CanaryReading;
use botyard_sandbox::own_core_wait;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The sampling period.
const PERIOD: Duration = Duration::from_millis(50);

/// A wake-up delay below this is the kernel's usual timer slack and is not counted.
const SLACK: Duration = Duration::from_millis(1);

#[derive(Debug)]
struct State {
    /// The number of games being played.
    games: usize,
    /// Whether the canary's thread runs.
    runs: bool,
    /// When the next sample is due.
    due: Option<Instant>,
    counted: CanaryReading,
}

static STATE: Mutex<State> = Mutex::new(State {
    games: 0,
    runs: false,
    due: None,
    counted: CanaryReading {
        late: Duration::ZERO,
        stood_still: Some(Duration::ZERO),
        lasting: Duration::ZERO,
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
    pub(crate) fn begin() -> InGame {
        let mut state = state();
        state.games += 1;
        if !state.runs {
            let thread = std::thread::Builder::new().name("canary".into()).stack_size(64 * 1024);
            // Without the canary, a referee still measures its own delays.
            state.runs = thread.spawn(watch_the_host).is_ok();
        }
        if state.games == 1 {
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

/// Returns the counters up to now.
pub(super) fn reading() -> CanaryReading {
    let state = state();
    let lasting = state.due.map_or(Duration::ZERO, |due| lateness(due, Instant::now()));
    CanaryReading { lasting, ..state.counted }
}

fn lateness(due: Instant, now: Instant) -> Duration {
    Some(now.saturating_duration_since(due)).filter(|late| *late >= SLACK).unwrap_or_default()
}

impl CanaryReading {
    /// Adds a delay, of which the canary `waited` for a core. A counter that was unknown once stays
    /// unknown.
    fn add(&mut self, late: Duration, waited: Option<Duration>) {
        self.late += late;
        let stood_still = waited.map(|waited| late.saturating_sub(waited));
        let stood_still = stood_still.map(|still| Some(still).filter(|still| *still >= SLACK));
        self.stood_still = self
            .stood_still
            .zip(stood_still)
            .map(|(before, still)| before + still.unwrap_or_default());
    }
}

fn watch_the_host() {
    let mut state = state();
    let mut waited = own_core_wait();
    loop {
        while state.games == 0 {
            state.due = None;
            state = CHANGED.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        // The delay first: what this thread waits from now on belongs to the next one.
        let late = state.due.map_or(Duration::ZERO, |due| lateness(due, Instant::now()));
        let waited_before = std::mem::replace(&mut waited, own_core_wait());
        let waits = waited.zip(waited_before).map(|(now, then)| now.saturating_sub(then));
        state.counted.add(late, waits);
        state.due = Some(Instant::now() + PERIOD);
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
    fn a_canary_that_waited_for_a_core_did_not_stand_still() {
        let ms = Duration::from_millis;
        for (late, waited, stood_still) in [
            (0, Some(0), Some(0)),
            (600, Some(1), Some(599)),
            (30, Some(30), Some(0)),
            (30, Some(45), Some(0)),
            (30, None, None),
        ] {
            let mut reading = CanaryReading { stood_still: Some(ms(0)), ..Default::default() };
            reading.add(ms(late), waited.map(ms));
            assert_eq!((reading.late, reading.stood_still), (ms(late), stood_still.map(ms)));
        }
    }

    #[test]
    fn a_reading_never_decreases() {
        let _game = InGame::begin();
        let mut before = reading();
        for _ in 0..10 {
            std::thread::sleep(Duration::from_millis(5));
            let now = reading();
            assert!(now.late >= before.late, "{before:?} {now:?}");
            before = now;
        }
    }
}
