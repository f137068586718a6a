//! Analysis of recorded games. A bot is asked for its move at every decision of a replay, from the
//! view of the seat that had to decide, and says how good the position is. The recorded actions are
//! played whatever it answers.
//!
//! [`run`] makes the [`Analysis`](botyard_replay::Analysis) of an [`AnalysisConfig`] and stores it
//! beside the replay. What is stored already is not made again, so an interrupted analysis resumes
//! where it was. The referee asks the bot, under the same sandbox as in a match. One process of the
//! bot answers for one seat, so nothing leaks from one seat to another. This crate parses no command
//! line and prints nothing.
//!
//! ```no_run
//! use botyard_analysis::{AnalysisConfig, Observer, run};
//! use botyard_referee::Interrupt;
//! use botyard_replay::AnalyzedDecision;
//! use botyard_runner::{ContainmentConfig, Error, Message, Programs};
//!
//! struct Silent;
//!
//! impl Observer for Silent {
//!     fn warn(&mut self, _warnings: &[Message]) {}
//!     fn started(&mut self, _decisions: usize, _stored: usize) {}
//!     fn decided(&mut self, _decision: &AnalyzedDecision) {}
//! }
//!
//! fn analyze(programs: &Programs, interrupt: &Interrupt) -> Result<(), Error> {
//!     let config = AnalysisConfig {
//!         replay: "game.ndjson".into(),
//!         bot: "alpha-beta".into(),
//!         seats: Vec::new(),
//!         move_ms: 1000,
//!         depth: None,
//!         again: false,
//!         containment: ContainmentConfig::default(),
//!     };
//!     let (analysis, path) = run(&config, programs, interrupt, &mut Silent)?;
//!     println!("{} decisions, in {}", analysis.decisions.len(), path.display());
//!     Ok(())
//! }
//! ```

#![deny(clippy::unwrap_used)]
#![warn(unreachable_pub)]

// Each module uses only the modules above it in this list.
mod events;
mod read_replay;
mod recorded_table;
mod review;
mod run;
mod text;

pub use events::AnalysisEvent;
pub use review::{Mistaken, Review, review};
pub use run::{AnalysisConfig, Observer, run};
pub use text::to_text;
