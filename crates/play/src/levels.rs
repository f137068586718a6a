//! Levels: how strong the bots are that a person plays against. [`botyard_bots::level`] has them.

use botyard_runner::play::PlayConfig;

pub use botyard_bots::level::{LEVELS, NAME as LEVEL};

/// The least time limit of a level per move, in milliseconds: it needs less on almost every machine, and
/// without it would be weaker on a slow one.
const LEAST_MS: u64 = 60_000;

/// Returns a level as bots are written for a match.
pub fn level_bot(level: u8) -> String {
    format!("{}:{level}", LEVEL)
}

/// Returns the bot that reviews games, as it is written for a match: the strongest level, which visits as
/// many nodes on every machine.
pub fn reviewer() -> String {
    level_bot(*LEVELS.end())
}

/// Returns the configuration with bots of this level for all seats for which it names none.
#[must_use]
pub fn at_level(config: &PlayConfig, level: u8) -> PlayConfig {
    PlayConfig {
        default_bot: Some(level_bot(level)),
        move_ms: config.move_ms.max(LEAST_MS),
        ..config.clone()
    }
}
