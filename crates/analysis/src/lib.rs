//! Analysis of recorded games. A bot is asked for its move at every decision of a replay, from the
//! view of the seat that had to decide, and says how good the position is. The recorded actions are
//! played whatever it answers.
//!
//! [`run`] makes the [`Analysis`](botyard_replay::Analysis) of an [`AnalysisConfig`] and stores it
//! beside the replay. What is stored already is not made again, so an interrupted analysis resumes
//! where it was. The referee asks the bot, under the same sandbox as in a match. One process of the
//! bot answers for one seat, so nothing leaks from one seat to another. This crate parses no command
//! line and prints nothing.

#![deny(clippy::unwrap_used)]

// Each module uses only the modules above it in this list.
mod record;
mod recorded_table;
mod session;

pub use session::{AnalysisConfig, Observer, run};
