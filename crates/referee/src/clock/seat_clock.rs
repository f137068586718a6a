//! The clock of one seat: a cap for each decision, a bank for all of them, an increment after
//! each. It reckons in whole microseconds and never looks at the time itself: the poll loop
//! measures, and this says what that means.

use botyard_protocol::{Clock, ClockKind, TimeControl};

/// A time control that no game can be played under.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeControlError {
    /// Nothing would ever end a decision.
    #[error("expected a time per move, a bank or an increment, got none of them")]
    Unlimited,
    /// A decision could not take any time at all.
    #[error("expected a {0} of at least 1 ms, got 0")]
    Zero(&'static str),
    /// A time beyond all reason, where arithmetic would end.
    #[error("expected a {0} of at most {MAX_MS} ms, got more")]
    TooLong(&'static str),
}

/// The longest time of any kind, in milliseconds: about a year.
const MAX_MS: u64 = 366 * 24 * 60 * 60 * 1000;

/// The clock of one seat in one game.
#[derive(Clone, Debug)]
pub struct SeatClock {
    kind: ClockKind,
    cap_us: Option<u64>,
    bank_us: Option<u64>,
    increment_us: u64,
    grace_us: u64,
}

impl SeatClock {
    /// The clock before the first decision. With an increment and no bank, the bank begins as one
    /// increment: the first decision would have no time otherwise.
    ///
    /// # Errors
    ///
    /// A time control under which nobody could play, or nobody need ever move.
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
        Ok(SeatClock {
            kind: time.kind,
            cap_us: time.move_ms.map(|ms| ms * 1000),
            bank_us: bank_ms.map(|ms| ms * 1000),
            increment_us: time.increment_ms * 1000,
            grace_us: time.grace_ms * 1000,
        })
    }

    /// The clock of a seat that may take its time, such as a person's: nothing is told of it and
    /// nothing charged. A decision still ends within a year.
    pub const fn untimed(kind: ClockKind) -> SeatClock {
        SeatClock { kind, cap_us: None, bank_us: None, increment_us: 0, grace_us: MAX_MS * 1000 }
    }

    /// The clock as the bot is told it in a `turn`.
    pub fn told(&self) -> Clock {
        Clock {
            kind: self.kind,
            move_ms: self.cap_us.map(|us| us / 1000),
            bank_ms: self.bank_ms(),
            increment_ms: self.increment_us / 1000,
        }
    }

    /// What it measures.
    pub fn kind(&self) -> ClockKind {
        self.kind
    }

    /// What is left in the bank, in milliseconds, rounded down; `None` without a bank.
    pub fn bank_ms(&self) -> Option<u64> {
        self.bank_us.map(|us| us / 1000)
    }

    /// What the next decision may take by the rules, in microseconds: the smaller of cap and bank;
    /// nothing beyond the grace without either.
    pub fn limit_us(&self) -> u64 {
        match (self.cap_us, self.bank_us) {
            (Some(cap), Some(bank)) => cap.min(bank),
            (cap, bank) => cap.or(bank).unwrap_or(0),
        }
    }

    /// What the next decision may take before it is a fault, in microseconds: the limit and the
    /// grace.
    pub fn allowance_us(&self) -> u64 {
        self.limit_us().saturating_add(self.grace_us)
    }

    /// The seat has decided, or failed to, in this many microseconds. All of it is charged to the
    /// bank, grace or not, and then the increment is added.
    pub fn charge(&mut self, taken_us: u64) {
        if let Some(bank) = &mut self.bank_us {
            *bank = bank.saturating_sub(taken_us).saturating_add(self.increment_us);
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
        clock.charge(10_000_000);
        let told = clock.told();
        assert_eq!((told.move_ms, told.bank_ms, told.increment_ms), (None, None, 0));
        assert_eq!(clock.allowance_us(), MAX_MS * 1000);
    }

    /// A time control, then decisions: what the bot is told it has in the bank, what it takes,
    /// and whether that is in time.
    type Course = (TimeControl, &'static [(Option<u64>, u64, bool)]);
    const IN_TIME: bool = true;
    const TOO_LATE: bool = false;

    #[test]
    fn decisions_are_charged_to_the_microsecond() {
        let courses: [Course; 8] = [
            // A cap alone: each decision by itself.
            (
                control(Some(100), None, 0, 0),
                &[(None, 100_000, IN_TIME), (None, 100_001, TOO_LATE), (None, 99_999, IN_TIME)],
            ),
            // A bank alone runs down, and is told rounded down.
            (
                control(None, Some(10), 0, 0),
                &[
                    (Some(10), 1, IN_TIME),
                    (Some(9), 5_999, IN_TIME),
                    (Some(4), 4_000, IN_TIME),
                    (Some(0), 1, TOO_LATE),
                ],
            ),
            // A bank may be used to its last microsecond.
            (control(None, Some(10), 0, 0), &[(Some(10), 10_000, IN_TIME), (Some(0), 0, IN_TIME)]),
            // The increment comes after the decision, not before it.
            (
                control(None, Some(10), 5, 0),
                &[(Some(10), 10_000, IN_TIME), (Some(5), 5_001, TOO_LATE)],
            ),
            // What is not used piles up.
            (
                control(None, Some(10), 5, 0),
                &[(Some(10), 1_000, IN_TIME), (Some(14), 0, IN_TIME), (Some(19), 19_000, IN_TIME)],
            ),
            // An increment alone begins with one.
            (control(None, None, 3, 0), &[(Some(3), 3_000, IN_TIME), (Some(3), 3_001, TOO_LATE)]),
            // Grace is forgiven, but charged.
            (
                control(None, Some(10), 0, 2),
                &[
                    (Some(10), 12_000, IN_TIME),
                    (Some(0), 2_000, IN_TIME),
                    (Some(0), 2_001, TOO_LATE),
                ],
            ),
            // The cap holds although the bank is full.
            (
                control(Some(4), Some(100), 0, 1),
                &[(Some(100), 5_000, IN_TIME), (Some(95), 5_001, TOO_LATE)],
            ),
        ];
        for (time, decisions) in courses {
            let mut clock = SeatClock::new(&time).unwrap();
            for (number, &(told, taken, in_time)) in decisions.iter().enumerate() {
                assert_eq!(clock.told().bank_ms, told, "{time:?}, decision {number}");
                let ruling = taken <= clock.allowance_us();
                assert_eq!(ruling, in_time, "{time:?}, decision {number}");
                clock.charge(taken);
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
