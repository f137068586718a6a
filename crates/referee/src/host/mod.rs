//! Whether the host, and not the bot, made an answer late.
//!
//! * [`evidence`] is the rule, with its thresholds: what is known, and how much of a bot's time is
//!   excused by it. It measures nothing.
//! * [`gauge`] is where measurements come from: this host, or what a test says.
//! * [`canary`] is a thread that looks at the host every now and then while games are played.
//! * [`watch`] measures one decision.

mod canary;
pub(crate) mod evidence;
pub(crate) mod gauge;
pub(crate) mod watch;

pub(crate) use canary::InGame;
