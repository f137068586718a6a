//! The clock of one seat: a limit per decision, a bank for all decisions, and an increment after
//! each. It calculates in whole microseconds and never reads the time: the poll loop measures, and
//! the clock charges.

use botyard_protocol::{BACKSTOP_TIMES, Clock, ClockKind, TimeControl, backstop};
use std::time::Duration;

/// A time control under which no game can be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeControlError {
    /// No limit would ever end a decision.
    #[error("expected a time per move, a bank or an increment, got none of them")]
    Unlimited,
    /// A limit is zero, so that no decision could be made in time.
    #[error("expected a {0} of at least 1 ms, got 0")]
    Zero(&'static str),
    /// CPU time, for a bot whose CPU time is not measured.
    #[error("expected a clock of wall-clock time: the portable back end does not measure CPU time")]
    NotMeasured,
    /// A time longer than about a year, which could overflow the arithmetic.
    #[error("expected a {0} of at most {MAX_MS} ms, got more")]
    TooLong(&'static str),
}

/// The longest time of any kind, in milliseconds: about one year.
pub(crate) const MAX_MS: u64 = 366 * 24 * 60 * 60 * 1000;

/// The clock of one seat in one game.
#[derive(Clone, Debug)]
pub struct SeatClock {
    kind: ClockKind,
    cap_us: Option<u64>,
    bank_us: Option<u64>,
    increment_us: u64,
    grace_us: u64,
    /// With a bank of CPU time, the wall-clock time beside it that is left for all decisions of the game.
    waiting_bank_us: Option<u64>,
}

/// Returns the wall-clock limit beside a limit of CPU time, both in microseconds.
fn backstop_us(us: u64) -> u64 {
    let limit = backstop(Duration::from_micros(us)).unwrap_or(Duration::MAX);
    limit.as_micros().try_into().unwrap_or(u64::MAX)
}

impl SeatClock {
    /// Returns the clock before the first decision. With an increment and no bank, the bank begins
    /// with one increment: otherwise the first decision would have no time.
    ///
    /// # Errors
    ///
    /// A time control without any limit, or with a limit that is zero or too long.
    pub fn new(time: &TimeControl) -> Result<SeatClock, TimeControlError> {
        let times = [
            ("time per move", time.move_ms),
            ("bank", time.bank_ms),
            ("increment", Some(time.increment_ms)),
            ("grace", Some(time.grace_ms)),
        ];
        for (name, ms) in times {
            if ms.is_some_and(|ms| ms > MAX_MS) {
                return Err(TimeControlError::TooLong(name));
            }
        }
        if time.move_ms == Some(0) {
            return Err(TimeControlError::Zero("time per move"));
        }
        if time.bank_ms == Some(0) && time.increment_ms == 0 {
            return Err(TimeControlError::Zero("bank"));
        }
        let bank_ms = match (time.bank_ms, time.increment_ms) {
            (None | Some(0), increment @ 1..) => Some(increment),
            (bank, _) => bank,
        };
        if time.move_ms.is_none() && bank_ms.is_none() {
            return Err(TimeControlError::Unlimited);
        }
        let bank_us = bank_ms.map(|ms| ms * 1000);
        Ok(SeatClock {
            kind: time.kind,
            cap_us: time.move_ms.map(|ms| ms * 1000),
            bank_us,
            waiting_bank_us: bank_us.filter(|_| time.kind == ClockKind::Cpu).map(backstop_us),
            increment_us: time.increment_ms * 1000,
            grace_us: time.grace_ms * 1000,
        })
    }

    /// Returns the clock of a seat without a time limit, such as a person's. No limits are sent to
    /// it and no time is charged. A decision still ends within a year.
    pub const fn untimed(kind: ClockKind) -> SeatClock {
        SeatClock {
            kind,
            cap_us: None,
            bank_us: None,
            increment_us: 0,
            grace_us: MAX_MS * 1000,
            waiting_bank_us: None,
        }
    }

    /// Returns the clock as it is sent to the bot in a `turn` line.
    pub fn remaining(&self) -> Clock {
        Clock {
            kind: self.kind,
            move_ms: self.cap_us.map(|us| us / 1000),
            bank_ms: self.bank_ms(),
            increment_ms: self.increment_us / 1000,
        }
    }

    /// Returns which kind of time the clock measures.
    pub fn kind(&self) -> ClockKind {
        self.kind
    }

    /// Returns what is left in the bank, in milliseconds, rounded down; `None` without a bank.
    pub fn bank_ms(&self) -> Option<u64> {
        self.bank_us.map(|us| us / 1000)
    }

    /// Returns the time that the rules allow for the next decision, in microseconds: the smaller of
    /// the limit per decision and the bank; 0 if there is neither.
    pub(crate) fn limit_us(&self) -> u64 {
        match (self.cap_us, self.bank_us) {
            (Some(cap), Some(bank)) => cap.min(bank),
            (cap, bank) => cap.or(bank).unwrap_or(0),
        }
    }

    /// Returns the time after which the next decision is a fault, in microseconds: the limit plus
    /// the grace.
    pub(crate) fn allowance_us(&self) -> u64 {
        self.limit_us().saturating_add(self.grace_us)
    }

    /// Returns the wall-clock time after which the next decision is a fault with a clock of CPU time,
    /// in microseconds: five times its allowance plus 250 ms.
    pub(crate) fn backstop_us(&self) -> u64 {
        backstop_us(self.allowance_us())
    }

    /// Returns the wall-clock time beside its CPU time after which the next decision is a fault, in
    /// microseconds, with a bank of CPU time: what is left of five times the bank plus 250 ms for the
    /// whole game. A bot that sleeps is charged no CPU time, but it uses that up.
    pub(crate) fn waiting_us(&self) -> Option<u64> {
        let grace_us = self.grace_us.saturating_mul(BACKSTOP_TIMES.into());
        Some(self.waiting_bank_us?.saturating_add(grace_us))
    }

    /// Charges a decision, or a failed one, that took `taken_us` microseconds by the kind of time that
    /// the clock measures, and `waited_us` of wall-clock time without CPU time and what is excused:
    /// subtracts all of it from the bank, grace included, and then adds the increment.
    pub fn charge(&mut self, taken_us: u64, waited_us: u64) {
        if let Some(bank) = &mut self.bank_us {
            *bank = bank.saturating_sub(taken_us).saturating_add(self.increment_us);
        }
        if let Some(bank) = &mut self.waiting_bank_us {
            let more = self.increment_us.saturating_mul(BACKSTOP_TIMES.into());
            *bank = bank.saturating_sub(waited_us).saturating_add(more);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_protocol::OnFault;

    fn control(
        move_ms: Option<u64>,
        bank_ms: Option<u64>,
        increment: u64,
        grace: u64,
    ) -> TimeControl {
        TimeControl {
            kind: ClockKind::Wall,
            move_ms,
            bank_ms,
            increment_ms: increment,
            grace_ms: grace,
            on_fault: OnFault::Forfeit,
        }
    }

    #[test]
    fn a_seat_without_a_clock_is_told_of_none() {
        let mut clock = SeatClock::untimed(ClockKind::Wall);
        clock.charge(10_000_000, 10_000_000);
        let remaining = clock.remaining();
        assert_eq!((remaining.move_ms, remaining.bank_ms, remaining.increment_ms), (None, None, 0));
        assert_eq!(clock.allowance_us(), MAX_MS * 1000);
    }

    /// A time control, then its decisions: the bank that is sent to the bot, the time that it
    /// takes, and whether that is in time.
    type Course = (TimeControl, &'static [(Option<u64>, u64, bool)]);
    const IN_TIME: bool = true;
    const TOO_LATE: bool = false;

    #[test]
    fn decisions_are_charged_to_the_microsecond() {
        let courses: [Course; 8] = [
            // A limit per decision without a bank: each decision is timed separately.
            (
                control(Some(100), None, 0, 0),
                &[(None, 100_000, IN_TIME), (None, 100_001, TOO_LATE), (None, 99_999, IN_TIME)],
            ),
            // A bank without a limit per decision runs down, and is sent rounded down.
            (
                control(None, Some(10), 0, 0),
                &[
                    (Some(10), 1, IN_TIME),
                    (Some(9), 5_999, IN_TIME),
                    (Some(4), 4_000, IN_TIME),
                    (Some(0), 1, TOO_LATE),
                ],
            ),
            // The bank may be used up to its last microsecond.
            (control(None, Some(10), 0, 0), &[(Some(10), 10_000, IN_TIME), (Some(0), 0, IN_TIME)]),
            // The increment comes after the decision, not before it.
            (
                control(None, Some(10), 5, 0),
                &[(Some(10), 10_000, IN_TIME), (Some(5), 5_001, TOO_LATE)],
            ),
            // Unused time accumulates.
            (
                control(None, Some(10), 5, 0),
                &[(Some(10), 1_000, IN_TIME), (Some(14), 0, IN_TIME), (Some(19), 19_000, IN_TIME)],
            ),
            // With an increment and no bank, the bank begins with one increment.
            (control(None, None, 3, 0), &[(Some(3), 3_000, IN_TIME), (Some(3), 3_001, TOO_LATE)]),
            // Time within the grace is not a fault, but it is charged.
            (
                control(None, Some(10), 0, 2),
                &[
                    (Some(10), 12_000, IN_TIME),
                    (Some(0), 2_000, IN_TIME),
                    (Some(0), 2_001, TOO_LATE),
                ],
            ),
            // The limit per decision applies even when the bank is full.
            (
                control(Some(4), Some(100), 0, 1),
                &[(Some(100), 5_000, IN_TIME), (Some(95), 5_001, TOO_LATE)],
            ),
        ];
        for (time, decisions) in courses {
            let mut clock = SeatClock::new(&time).unwrap();
            for (number, &(remaining, taken, in_time)) in decisions.iter().enumerate() {
                assert_eq!(clock.remaining().bank_ms, remaining, "{time:?}, decision {number}");
                let ruling = taken <= clock.allowance_us();
                assert_eq!(ruling, in_time, "{time:?}, decision {number}");
                clock.charge(taken, taken);
            }
        }
    }

    /// Each decision: CPU time, time of waiting, and the limits before it, of wall-clock time and of
    /// waiting, in milliseconds.
    #[test]
    fn a_bank_of_cpu_time_has_wall_clock_time_for_the_whole_game() {
        type Course = (TimeControl, &'static [(u64, u64, (u64, Option<u64>))]);
        let courses: [Course; 4] = [
            // A bot that sleeps uses the wall-clock time of the game up.
            (
                control(None, Some(200), 0, 0),
                &[
                    (0, 500, (1250, Some(1250))),
                    (0, 700, (1250, Some(750))),
                    (0, 0, (1250, Some(50))),
                ],
            ),
            // One that computes never does.
            (
                control(None, Some(200), 0, 0),
                &[(100, 0, (1250, Some(1250))), (99, 0, (750, Some(1250)))],
            ),
            (
                control(None, Some(200), 10, 5),
                &[(0, 800, (1275, Some(1275))), (0, 0, (1325, Some(525)))],
            ),
            // Without a bank, each decision has its own limit.
            (control(Some(100), None, 0, 0), &[(0, 700, (750, None)), (0, 700, (750, None))]),
        ];
        for (time, decisions) in courses {
            let mut clock = SeatClock::new(&TimeControl { kind: ClockKind::Cpu, ..time }).unwrap();
            for (number, &(cpu_ms, waited_ms, (wall_ms, waiting_ms))) in
                decisions.iter().enumerate()
            {
                let limits = (clock.backstop_us(), clock.waiting_us());
                let expected = (wall_ms * 1000, waiting_ms.map(|ms| ms * 1000));
                assert_eq!(limits, expected, "{clock:?}, decision {number}");
                clock.charge(cpu_ms * 1000, waited_ms * 1000);
            }
        }
    }

    #[test]
    fn time_controls_that_cannot_be_played_are_refused() {
        for (time, error) in [
            (control(None, None, 0, 50), TimeControlError::Unlimited),
            (control(Some(0), None, 0, 0), TimeControlError::Zero("time per move")),
            (control(None, Some(0), 0, 0), TimeControlError::Zero("bank")),
            (control(Some(MAX_MS + 1), None, 0, 0), TimeControlError::TooLong("time per move")),
            (control(Some(1), None, u64::MAX, 0), TimeControlError::TooLong("increment")),
        ] {
            assert_eq!(SeatClock::new(&time).unwrap_err(), error, "{time:?}");
        }
    }
}
