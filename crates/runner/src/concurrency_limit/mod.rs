//! The number of games that this host can time at once. Where bots wait for cores, fewer games are
//! played at once, down to one, and more again later, so that no bot needs more excused time.

mod rule;

pub use rule::ConcurrencyChange;
pub(crate) use rule::most_waited;

use botyard_protocol::ClockKind;
use rule::{Load, Rule};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The limit on games at once, shared by the threads that play them and kept from run to run.
#[derive(Debug)]
pub struct ConcurrencyLimit {
    rule: Mutex<Rule>,
    begun: Instant,
    /// Receives the first change to fewer games, in words.
    notice: Option<fn(&str)>,
    was_said: AtomicBool,
}

impl ConcurrencyLimit {
    /// Makes a limit that begins with this number of games, which it never exceeds.
    pub fn new(most: usize) -> ConcurrencyLimit {
        ConcurrencyLimit {
            rule: Mutex::new(Rule::new(most)),
            begun: Instant::now(),
            notice: None,
            was_said: AtomicBool::new(false),
        }
    }

    /// Makes the same limit, which passes the first change to fewer games to `notice`, in words.
    pub fn with_notice(most: usize, notice: fn(&str)) -> ConcurrencyLimit {
        ConcurrencyLimit { notice: Some(notice), ..ConcurrencyLimit::new(most) }
    }

    /// Returns how many games may be played at once; at least one.
    pub fn allowed(&self) -> usize {
        self.rule().allowed()
    }

    /// Returns whether fewer games are played than at first.
    pub fn is_lowered(&self) -> bool {
        self.rule().is_lowered()
    }

    /// Returns the last change, if there was one.
    pub fn last_change(&self) -> Option<ConcurrencyChange> {
        self.rule().last_change()
    }

    /// Returns the share of the time in which bots wanted a core that they waited for one, as it was
    /// judged last.
    pub fn waited(&self) -> Option<f64> {
        self.rule().waited()
    }

    /// Returns the time since the limit was made.
    pub fn now(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Adds that a bot waited for a core for `waited_us` microseconds and used one for `used_us`, in a game
    /// that [began](ConcurrencyLimit::now) at `began`. Returns how that changes the limit, if it does.
    pub fn add(
        &self,
        began: Duration,
        (waited_us, used_us): (u64, u64),
        clock: ClockKind,
    ) -> Option<ConcurrencyChange> {
        let load = Load { waited_us, used_us };
        let change = self.rule().add(began, self.now(), load, clock)?;
        if let Some(notice) = self.notice
            && change.is_overload()
            && !self.was_said.swap(true, SeqCst)
        {
            notice(&change.in_words());
        }
        Some(change)
    }

    fn rule(&self) -> MutexGuard<'_, Rule> {
        self.rule.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
