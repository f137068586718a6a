//! Checks of a single bot, for its author: whether it keeps the protocol in every seat of every game
//! that it plays, keeps its clock, leaves when it must, and runs in the sandbox from a copy of its
//! files as in a tournament.
//!
//! [`run`] makes the checks of a [`CheckConfig`] in the order of [`Check::ALL`] and reports each to
//! an [`Observer`]. [`candidate()`] makes the same checks for the gate of a tournament. Games are
//! played by the referee, whose rulings are therefore those of a match. A check that the host was too
//! busy for is repeated, and then is not decided: the bot is not blamed. This crate parses no command
//! line and prints nothing. [`game`] has the checks of a game whose rules are a program.
//!
//! ```no_run
//! use botyard_check::{Check, CheckConfig, CheckEvent, Observer, run};
//! use botyard_referee::Interrupt;
//! use botyard_runner::{Error, Message, Programs};
//!
//! struct Lines;
//!
//! impl Observer for Lines {
//!     fn warn(&mut self, warnings: &[Message]) {
//!         warnings.iter().for_each(|warning| eprintln!("warning: {}", warning.plain()));
//!     }
//!     fn working(&mut self, _check: Check, _words: &str) {}
//!     fn event(&mut self, event: CheckEvent) -> Result<(), Error> {
//!         println!("{event:?}");
//!         Ok(())
//!     }
//! }
//!
//! fn is_sound(bot: &str, programs: &Programs, interrupt: &Interrupt) -> Result<bool, Error> {
//!     let counts = run(&CheckConfig::new(bot), programs, interrupt, &mut Lines)?;
//!     Ok(counts.failed == 0)
//! }
//! ```

#![deny(clippy::unwrap_used)]
#![warn(unreachable_pub)]

// Each module uses only the modules above it in this list.
mod arena;
mod candidate;
mod check;
mod config;
mod copy;
mod departures;
mod first_games;
pub mod game;
mod remedy;
mod scenarios;
mod short_table;
mod suite;
mod text;

pub use candidate::candidate;
pub use check::{Check, CheckEvent, Checked, Counts, Finding, Status};
pub use config::CheckConfig;
pub use suite::{Observer, run, run_copy};
