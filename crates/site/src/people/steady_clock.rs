//! A clock for what has to end in time: sessions and limits of attempts. It shows wall-clock time, and never goes
//! back while the process runs: if the clock of the host is set back, it continues as a monotonic clock does.

use rusqlite::Transaction;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// What the clock showed last.
#[derive(Clone, Copy, Debug)]
struct Shown {
    /// The time since 1970.
    time: Duration,
    at: Instant,
}

static SHOWN: Mutex<Option<Shown>> = Mutex::new(None);

/// Returns the time, in seconds since 1970.
pub(crate) fn now() -> i64 {
    // Before the clocks are read, so that readings are in order.
    let mut shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let next = after(*shown, wall, Instant::now());
    *shown = Some(next);
    i64::try_from(next.time.as_secs()).unwrap_or(i64::MAX)
}

/// Returns what the clock shows if the clocks of the host show this.
fn after(shown: Option<Shown>, wall: Duration, at: Instant) -> Shown {
    let least = shown.map_or(Duration::ZERO, |shown| {
        shown.time.saturating_add(at.saturating_duration_since(shown.at))
    });
    Shown { time: wall.max(least), at }
}

/// Lets what an earlier process has stored begin now at the latest: the clock of the host may have been set back
/// since.
pub(crate) fn follow(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    let now = now();
    for sql in [
        "UPDATE sessions SET created_at = MIN(created_at, ?1), seen_at = MIN(seen_at, ?1) WHERE seen_at > ?1",
        "UPDATE attempts SET at = ?1 WHERE at > ?1",
    ] {
        transaction.execute(sql, [now])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::SiteError;
    use crate::files::database::testing::database;
    use crate::people::{self, sessions, throttle};

    #[test]
    fn it_follows_the_clock_of_the_host_but_not_back() {
        let seconds = Duration::from_secs;
        let begun = Instant::now();
        let mut shown = None;
        // What the two clocks of the host show, and what this one shows.
        for (wall, monotonic, expected) in [
            (1000, 0, 1000),
            (1010, 10, 1010),
            // Set forward, as after a suspended host continues.
            (5000, 20, 5000),
            // Set back twice.
            (1030, 30, 5010),
            (40, 40, 5020),
            (5100, 50, 5100),
        ] {
            let next = after(shown, seconds(wall), begun + seconds(monotonic));
            assert_eq!(next.time, seconds(expected), "{wall} {monotonic}");
            shown = Some(next);
        }
    }

    #[test]
    fn sessions_and_attempts_of_the_future_begin_now() {
        let ahead = 30 * 24 * 3600;
        let checked = database().transaction(|transaction| {
            let admin = people::first_admin(transaction)?;
            sessions::begin(transaction, admin)?;
            throttle::count(transaction, "a")?;
            let add = |sql: &str| transaction.execute(sql, [ahead]);
            add("UPDATE sessions SET created_at = created_at + ?1, seen_at = seen_at + ?1")?;
            add("UPDATE attempts SET at = at + ?1")?;
            follow(transaction)?;
            let now = now();
            for column in ["created_at FROM sessions", "seen_at FROM sessions", "at FROM attempts"]
            {
                let sql = format!("SELECT {column}");
                let at: i64 = transaction.query_row(&sql, [], |row| row.get(0))?;
                assert!(at <= now, "{column}: {at}, now {now}");
            }
            Ok::<(), SiteError>(())
        });
        checked.expect("SQLite works");
    }
}
