//! The limits of a rules program: what `[limits]` of its `game.toml` states, and what the configuration of the games
//! sets instead.

use botyard_rules::RulesLimits;
use botyard_sandbox::ResourceLimits;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// The memory of a program that states no other, in MiB.
const MEMORY_MIB: u64 = 512;

/// Limits of a rules program. `None`: not set here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GameLimits {
    /// The memory limit, in MiB.
    pub memory_mib: Option<u64>,
    /// The limit of processes and threads.
    pub processes: Option<u32>,
    /// The time for an answer, in milliseconds. The answer to `hello` has at least 10 s.
    pub answer_ms: Option<u64>,
}

/// The keys of a `game.toml`, and what it may ask for: a game may be a stranger's, and does not get as much of a
/// host as it likes.
const BOUNDS: [(&str, RangeInclusive<u64>); 3] =
    [("memory_mib", 8..=4096), ("processes", 1..=256), ("answer_ms", 1..=60_000)];

impl GameLimits {
    /// Returns whether nothing is set.
    pub(crate) fn are_unset(&self) -> bool {
        *self == GameLimits::default()
    }

    /// Checks what a game asks for.
    ///
    /// # Errors
    ///
    /// A limit is out of the range that a game may ask for.
    pub(crate) fn check(&self) -> Result<(), String> {
        let asked = [self.memory_mib, self.processes.map(u64::from), self.answer_ms];
        for ((key, range), asked) in BOUNDS.into_iter().zip(asked) {
            if let Some(asked) = asked.filter(|asked| !range.contains(asked)) {
                let (least, most) = range.into_inner();
                return Err(format!(
                    "limits.{key}: expected {least} to {most}, got {asked}; the configuration of the games may set more"
                ));
            }
        }
        Ok(())
    }

    /// Returns these limits, and those of `stated` that are not set here.
    #[must_use]
    pub(crate) fn or(self, stated: GameLimits) -> GameLimits {
        GameLimits {
            memory_mib: self.memory_mib.or(stated.memory_mib),
            processes: self.processes.or(stated.processes),
            answer_ms: self.answer_ms.or(stated.answer_ms),
        }
    }

    /// Returns the memory limit, in MiB.
    pub(crate) fn memory_mib(&self) -> u64 {
        self.memory_mib.unwrap_or(MEMORY_MIB)
    }

    /// Returns the limit of processes and threads.
    pub(crate) fn processes(&self) -> u32 {
        self.processes.unwrap_or(ResourceLimits::default().processes)
    }

    /// Returns the limits from the most important to the least, which order programs of one game.
    pub(crate) fn in_order(&self) -> [u64; 3] {
        [self.memory_mib(), self.of_protocol().answer_ms, self.processes().into()]
    }

    /// Returns the limits of the protocol.
    pub fn of_protocol(&self) -> RulesLimits {
        let usual = RulesLimits::default();
        let answer_ms = self.answer_ms.unwrap_or(usual.answer_ms);
        RulesLimits { start_ms: usual.start_ms.max(answer_ms), answer_ms, ..usual }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_overrides_the_manifest() {
        let stated =
            GameLimits { memory_mib: Some(99), answer_ms: Some(7), ..GameLimits::default() };
        let set = GameLimits { memory_mib: Some(2048), ..GameLimits::default() };
        let both = set.or(stated);
        assert_eq!((both.memory_mib(), both.processes()), (2048, 64));
        assert_eq!((both.of_protocol().answer_ms, both.of_protocol().start_ms), (7, 10_000));
        let slow = GameLimits { answer_ms: Some(30_000), ..both }.of_protocol();
        assert_eq!((slow.answer_ms, slow.start_ms), (30_000, 30_000));
        assert_eq!(GameLimits::default().of_protocol(), RulesLimits::default());
    }

    #[test]
    fn a_game_asks_for_so_much_and_no_more() {
        assert_eq!(GameLimits::default().check(), Ok(()));
        let most =
            GameLimits { memory_mib: Some(4096), processes: Some(256), answer_ms: Some(60_000) };
        assert_eq!(most.check(), Ok(()));
        for (asked, expected) in [
            (
                GameLimits { memory_mib: Some(4097), ..most },
                "limits.memory_mib: expected 8 to 4096, got 4097; the configuration of the games",
            ),
            (
                GameLimits { processes: Some(0), ..most },
                "limits.processes: expected 1 to 256, got 0",
            ),
            (
                GameLimits { answer_ms: Some(60_001), ..most },
                "limits.answer_ms: expected 1 to 60000",
            ),
        ] {
            let error = asked.check().unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
