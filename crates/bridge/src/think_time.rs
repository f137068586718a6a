//! The time that an engine is given for a move, from the clock of a `turn` message: as a time per
//! move, or as a clock with an increment, where the protocol has one. The engine's process measures
//! wall-clock time; the bridge does not know how much CPU time its engine has used.

use botyard_protocol::{Clock, ClockKind, backstop};
use std::time::{Duration, Instant};

/// The time per move where neither the match nor the user sets a limit.
const WITHOUT_LIMIT: Duration = Duration::from_secs(1);

/// The number of moves that a bank is divided by, where a protocol cannot have both a bank and a time
/// per move.
const MOVES_OF_A_BANK: u32 = 30;

/// What limits an engine's search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowance {
    /// Time for this move.
    Move(Duration),
    /// Time left for all moves, and the increment after each.
    Bank {
        /// The time left.
        left: Duration,
        /// The increment.
        increment: Duration,
    },
}

/// The time for one decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThinkTime {
    /// What the engine receives.
    pub allowance: Allowance,
    /// When the engine is to be stopped; `None` without a limit.
    pub stop: Option<Instant>,
    /// When it is certain that the answer comes too late; `None` without a limit.
    pub late: Option<Instant>,
    /// The limit of the turn by the clock; `None` without a limit.
    pub limit: Option<Duration>,
}

impl ThinkTime {
    /// Returns the time for a decision whose `turn` line was read at `began`. `most` is the user's own
    /// limit per move.
    ///
    /// Of the time that the seat has, a twentieth, 10 to 100 ms and at most a quarter, is reserved for
    /// the way back, and as much again between the end that the engine receives and the moment at
    /// which it is stopped.
    pub fn new(clock: &Clock, began: Instant, most: Option<Duration>) -> ThinkTime {
        let millis = Duration::from_millis;
        let limit = clock.move_ms.into_iter().chain(clock.bank_ms).min().map(millis);
        let margin = limit.map_or(Duration::ZERO, |limit| {
            (limit / 20).clamp(millis(10), millis(100)).min(limit / 4)
        });
        let cap = clock.move_ms.map(millis).into_iter().chain(most).min();
        let less = |time: Duration| match limit {
            Some(limit) => time.min(limit - 2 * margin),
            None => time,
        };
        let allowance = match (cap, clock.bank_ms.map(millis)) {
            (None, None) => Allowance::Move(WITHOUT_LIMIT),
            (Some(cap), None) => Allowance::Move(less(cap)),
            (None, Some(bank)) => {
                Allowance::Bank { left: bank - 2 * margin, increment: millis(clock.increment_ms) }
            }
            (Some(cap), Some(bank)) => {
                let share = bank / MOVES_OF_A_BANK + millis(clock.increment_ms);
                Allowance::Move(less(cap.min(share)))
            }
        };
        let at = |time: Option<Duration>| began.checked_add(time?);
        let last = match clock.kind {
            ClockKind::Wall => limit,
            ClockKind::Cpu => limit.and_then(backstop),
        };
        ThinkTime {
            allowance,
            stop: at(limit.map(|limit| limit - margin)),
            late: at(last.map(|last| last - margin / 2)),
            limit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn what_the_engine_receives() {
        let moves = |time| Allowance::Move(ms(time));
        let bank = |left, increment| Allowance::Bank { left: ms(left), increment: ms(increment) };
        // The clock's time per move, bank and increment; the user's limit; the allowance.
        for (move_ms, bank_ms, increment_ms, most, expected) in [
            (Some(1000), None, 0, None, moves(900)),
            (Some(100), None, 0, None, moves(80)),
            (Some(10), None, 0, None, moves(6) - ms(1)),
            (Some(60_000), None, 0, None, moves(59_800)),
            (Some(1000), None, 0, Some(200), moves(200)),
            (None, Some(60_000), 100, None, bank(59_800, 100)),
            (None, Some(60_000), 100, Some(500), moves(500)),
            (Some(5000), Some(60_000), 100, None, moves(2100)),
            (Some(5000), Some(90), 1000, None, moves(70)),
            (None, None, 0, None, moves(1000)),
            (None, None, 0, Some(250), moves(250)),
        ] {
            let clock = Clock { kind: ClockKind::Wall, move_ms, bank_ms, increment_ms };
            let found = ThinkTime::new(&clock, Instant::now(), most.map(ms)).allowance;
            assert_eq!(found, expected, "{clock:?}, {most:?}");
        }
    }

    impl std::ops::Sub<Duration> for Allowance {
        type Output = Allowance;

        fn sub(self, less: Duration) -> Allowance {
            match self {
                Allowance::Move(time) => Allowance::Move(time - less),
                bank => bank,
            }
        }
    }

    #[test]
    fn when_it_is_stopped_and_when_it_is_late() {
        let began = Instant::now();
        for (kind, move_ms, stop, late) in [
            (ClockKind::Wall, Some(1000), Some(950), Some(975)),
            (ClockKind::Cpu, Some(1000), Some(950), Some(5225)),
            (ClockKind::Wall, Some(8), Some(6), Some(7)),
            (ClockKind::Wall, None, None, None),
            (ClockKind::Wall, Some(u64::MAX), None, None),
        ] {
            let clock = Clock { kind, move_ms, bank_ms: None, increment_ms: 0 };
            let found = ThinkTime::new(&clock, began, None);
            let after = |at: Option<Instant>| at.map(|at| (at - began).as_millis());
            if move_ms != Some(u64::MAX) {
                assert_eq!((after(found.stop), after(found.late)), (stop, late), "{clock:?}");
            }
        }
    }
}
