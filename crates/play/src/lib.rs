//! A person against bots in a terminal, by the same protocol and referee as any match.
//!
//! To the referee the person is a bot; the game runs on a thread of its own ([`botyard_runner::play`]). The
//! session shows what the person's seats are sent, and answers for them with what is typed. How a position is
//! drawn and a move is written is a matter of the game's [`Face`]; a game without one is played by numbers.
//!
//! A front end makes a [`Party`] and passes it to [`play_at_terminal`]:
//!
//! ```no_run
//! use botyard_runner::play::{Party, PlayConfig};
//! use botyard_runner::{Error, Programs};
//!
//! fn play(config: &PlayConfig, programs: &Programs) -> Result<(), Error> {
//!     let party = Party::new(config, programs)?;
//!     let played = botyard_play::play_at_terminal(&party, false)?;
//!     println!("over: {}, replay: {:?}", played.is_over, played.replay);
//!     Ok(())
//! }
//! ```

#![deny(clippy::unwrap_used)]

mod dice_wars;
mod draughts;
mod face;
mod faces;
mod game;
mod hint;
mod scotland_yard;
mod session;
mod terminal;

pub use face::{Chosen, Face, GameFace, Question};
pub use faces::face;
pub use game::{Played, play_at_terminal};
pub use hint::strongest;
pub use terminal::{Ink, Tone};

#[cfg(doc)]
use botyard_runner::play::Party;
