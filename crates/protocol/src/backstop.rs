//! The wall-clock limit beside a clock of CPU time, because a bot that sleeps uses no CPU time. For a
//! decision it follows from what the clock has left; for all decisions of a game, from the bank.

use std::time::Duration;

/// The wall-clock limit is this many times the limit of CPU time, plus [`BACKSTOP_MORE`].
pub const BACKSTOP_TIMES: u32 = 5;

/// The constant part of the wall-clock limit. See [`BACKSTOP_TIMES`].
pub const BACKSTOP_MORE: Duration = Duration::from_millis(250);

/// Returns the wall-clock limit beside a `limit` of CPU time; `None` if it overflows.
///
/// ```
/// use botyard_protocol::backstop;
/// use std::time::Duration;
///
/// assert_eq!(backstop(Duration::from_millis(100)), Some(Duration::from_millis(750)));
/// ```
pub fn backstop(limit: Duration) -> Option<Duration> {
    limit.checked_mul(BACKSTOP_TIMES)?.checked_add(BACKSTOP_MORE)
}
