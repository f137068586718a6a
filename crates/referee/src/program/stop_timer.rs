//! The timer of the bots of a game that are to be stopped in a moment. Arming a timer takes almost as
//! long as a ply between quick bots. So one serves all of them, it stays armed when a bot is asked
//! again, and it may ring too early: its listener looks at the clock and, if necessary, arms it
//! again.

use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create,
    timerfd_settime,
};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Instant;

/// A timer that is created when it is first needed.
#[derive(Debug, Default)]
pub(crate) struct StopTimer {
    timer: Option<OwnedFd>,
    /// When it rings next, or has rung.
    rings: Option<Instant>,
}

impl StopTimer {
    /// Makes it ring at `at`, perhaps earlier. Returns whether the system has a timer for that.
    pub(crate) fn ring_by(&mut self, now: Instant, at: Instant) -> bool {
        let left = at.saturating_duration_since(now);
        if self.rings.is_some_and(|rings| now < rings && rings <= at) {
            return true;
        }
        if self.timer.is_none() {
            let flags = TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC;
            self.timer = timerfd_create(TimerfdClockId::Monotonic, flags).ok();
        }
        let Some(timer) = &self.timer else { return false };
        let zero = Timespec { tv_sec: 0, tv_nsec: 0 };
        // A value of zero would disarm it.
        let nanoseconds = if left.is_zero() { 1 } else { left.subsec_nanos() };
        let value = Timespec {
            tv_sec: left.as_secs().try_into().unwrap_or(i64::MAX),
            tv_nsec: nanoseconds.into(),
        };
        let time = Itimerspec { it_interval: zero, it_value: value };
        let armed = timerfd_settime(timer, TimerfdTimerFlags::empty(), &time).is_ok();
        self.rings = armed.then_some(at);
        armed
    }

    /// Returns a descriptor that is readable once it has rung; `None` if it was never armed.
    pub(crate) fn as_fd(&self) -> Option<BorrowedFd<'_>> {
        self.timer.as_ref().map(AsFd::as_fd)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::event::{PollFd, PollFlags, poll};
    use std::time::Duration;

    #[test]
    fn it_rings_in_time_and_can_be_armed_again() {
        let mut timer = StopTimer::default();
        assert!(timer.as_fd().is_none());
        let patience = Timespec { tv_sec: 60, tv_nsec: 0 };
        for _ in 0..3 {
            let now = Instant::now();
            let left = Duration::from_millis(2);
            assert!(timer.ring_by(now, now + left));
            assert!(timer.ring_by(now, now + left + left), "it is armed already");
            let fd = timer.as_fd().expect("it is armed");
            let rang = poll(&mut [PollFd::from_borrowed_fd(fd, PollFlags::IN)], Some(&patience));
            assert_eq!(rang, Ok(1));
            assert!(now.elapsed() >= left);
        }
        assert!(timer.ring_by(Instant::now(), Instant::now()), "it rings at once");
        let fd = timer.as_fd().expect("it is armed");
        assert_eq!(
            poll(&mut [PollFd::from_borrowed_fd(fd, PollFlags::IN)], Some(&patience)),
            Ok(1)
        );
    }
}
