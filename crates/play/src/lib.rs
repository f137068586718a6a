//! Games of a person against bots in a terminal, with the same protocol and referee as a match.
//!
//! To the referee the person is a bot. The game runs on its own thread ([`botyard_runner::play`]).
//! The session shows what the person's seats receive, and answers with what the person types. The
//! game's face draws positions and parses moves; a game without one is played by numbers.
//!
//! A [`Dialogue`] is the person's side of the protocol for other front ends too, and [`attempt()`] the game beside it.
//!
//! A front end makes a [`PlayPlan`] and passes it to [`play_at_terminal`]:
//!
//! ```no_run
//! use botyard_runner::play::{PlayConfig, PlayPlan};
//! use botyard_runner::{Error, Programs};
//!
//! fn play(config: &PlayConfig, programs: &Programs) -> Result<(), Error> {
//!     let plan = PlayPlan::new(config, programs)?;
//!     let played = botyard_play::play_at_terminal(&plan, false)?;
//!     println!("over: {}, replay: {:?}", played.is_over, played.replay);
//!     Ok(())
//! }
//! ```

#![deny(clippy::unwrap_used)]
#![warn(unreachable_pub)]

mod attempt;
mod dialogue;
mod dice_wars;
mod draughts;
#[cfg(unix)]
mod editor;
mod face;
mod faces;
mod game;
pub mod hint;
mod levels;
mod plain;
mod replica;
mod saving;
mod scotland_yard;
mod session;
mod terminal;

pub use attempt::{attempt, signals, taken_back};
pub use dialogue::{Dialogue, Heard, Question};
pub use faces::has_face;
pub use game::{Played, Record, play_at_terminal, resume_at_terminal};
pub use hint::strongest;
pub use levels::{LEVEL, LEVELS, at_level, level_bot, reviewer};
pub use replica::Replica;

#[cfg(doc)]
use botyard_runner::play::PlayPlan;
