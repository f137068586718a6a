//! Games that have no end and to which nothing was written for long: their referee may be gone.
//!
//! What counts is when the file was changed, not what this server has seen, so a server that was
//! started again says the same.

use botyard_protocol::TimeControl;
use botyard_replay::Header;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The least time without a line after which a game seems interrupted.
const LEAST: Duration = Duration::from_secs(60);

/// Returns how long nothing may be written to the replay of a running game: a minute more than a bot
/// may think.
pub(crate) fn patience(header: &Header) -> Duration {
    let clock = &header.time_control;
    let longest_of = |clock: &TimeControl| clock.move_ms.or(clock.bank_ms).unwrap_or_default();
    let players = header.players.iter();
    let longest = players.map(|player| longest_of(&clock.of_bot(player.time))).max();
    let longest = longest.unwrap_or_else(|| longest_of(clock));
    LEAST.saturating_add(Duration::from_millis(longest.saturating_add(clock.grace_ms)))
}

/// Returns when a file was changed, in milliseconds since 1970, if that is longer ago than
/// `patience`.
pub(crate) fn silent_since(changed: SystemTime, patience: Duration) -> Option<u64> {
    // A time in the future is not long ago.
    let silence = SystemTime::now().duration_since(changed).unwrap_or_default();
    let since = changed.duration_since(UNIX_EPOCH).unwrap_or_default();
    (silence > patience).then(|| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_changed_long_ago_is_silent_since_then() {
        let at = UNIX_EPOCH + Duration::from_millis(1_234_567);
        assert_eq!(silent_since(at, Duration::from_secs(1)), Some(1_234_567));
        let later = SystemTime::now() + Duration::from_secs(3600);
        assert_eq!(silent_since(later, Duration::ZERO), None);
        assert_eq!(silent_since(at, Duration::MAX), None);
    }
}
