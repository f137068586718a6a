//! The bot `greedy`: plays by one plain rule of thumb per game, without looking ahead.

use crate::bot::Bot;

/// The bot.
pub fn bot() -> Bot {
    Bot::new("greedy", "a plain rule of thumb per game, no looking ahead")
}
