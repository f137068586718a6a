//! Whether the host, and not the bot, made an answer late.
//!
//! * [`evidence`] is the rule with its thresholds: how much of a bot's time is excused, given the
//!   measurements. It measures nothing.
//! * [`gauge`] is the source of measurements: this host, or fixed values in a test.
//! * [`canary`] is a thread that samples the host periodically while games are played.
//! * [`watch`] measures the host during one decision.

mod canary;
pub(crate) mod evidence;
pub(crate) mod gauge;
pub(crate) mod watch;

pub(crate) use canary::InGame;
