//! Checks of a single bot, for its author: whether it keeps the protocol in every seat of every game
//! that it plays, keeps its clock, leaves when it must, and runs in the sandbox from a copy of its
//! files as in a tournament.
//!
//! [`run`] makes the checks of a [`CheckConfig`] in the order of [`Check::ALL`] and reports each to
//! an [`Observer`]. Games are played by the referee, whose rulings are therefore those of a match. A
//! check that the host was too busy for is repeated, and then is not decided: the bot is not blamed.
//! This crate parses no command line and prints nothing.

#![deny(clippy::unwrap_used)]

// Each module uses only the modules above it in this list.
mod arena;
mod check;
mod config;
mod copy;
mod departures;
mod first_games;
mod remedy;
mod scenarios;
mod short_table;
mod suite;

pub use check::{Check, CheckEvent, Checked, Counts, Finding, Status};
pub use config::CheckConfig;
pub use suite::{Observer, run};
