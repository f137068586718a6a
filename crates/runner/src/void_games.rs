//! The rule for void games: a game that the host made void is repeated, up to three times, whatever
//! verb plays it. Then the verb stops with an error of the host.

use crate::error::Error;
use botyard_protocol::EndOutcome;

/// How often a void game is repeated.
pub const REPEATS_OF_VOID: u32 = 3;

/// The number of repeats of a game so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Repeats(u32);

impl Repeats {
    /// Returns the number of repeats.
    pub(crate) fn count(self) -> u32 {
        self.0
    }

    /// Counts another repeat of the void game with this id. `reason`: why the last attempt was void,
    /// as the end of a sentence.
    ///
    /// # Errors
    ///
    /// The game was repeated [`REPEATS_OF_VOID`] times already.
    pub(crate) fn repeat(&mut self, id: &str, reason: &str) -> Result<(), Error> {
        if self.0 == REPEATS_OF_VOID {
            return Err(Error::host(format!(
                "{id} was void {} times, the last time because {reason}",
                REPEATS_OF_VOID + 1
            )));
        }
        self.0 += 1;
        Ok(())
    }
}

/// Returns why a game is void, as the end of a sentence.
pub(crate) fn void_reason(host_failure: Option<&str>, outcome: &EndOutcome) -> String {
    match host_failure {
        Some(failure) => failure.to_string(),
        None => format!("the host failed: {}", outcome.reason),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_repeated_three_times() {
        let mut repeats = Repeats::default();
        for _ in 0..REPEATS_OF_VOID {
            repeats.repeat("dice-1", "the disk failed").unwrap();
        }
        let Err(Error::Host(error)) = repeats.repeat("dice-1", "the disk failed") else {
            panic!("the fourth repeat is refused")
        };
        assert_eq!(error.plain(), "dice-1 was void 4 times, the last time because the disk failed");
    }
}
