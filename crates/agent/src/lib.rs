//! The Rust kit for bots: it connects an agent to the bot protocol.
//!
//! A bot is an [`Agent`] for each game it plays, combined into a [`Bot`]. This one always plays the
//! first legal action:
//!
//! ```
//! use botyard_agent::{Agent, AgentRng, Bot, Choice, Decision, TurnError};
//! use botyard_engine::Game;
//! use botyard_engine::scotland_yard::ScotlandYard;
//!
//! struct First;
//!
//! impl<G: Game> Agent<G> for First {
//!     fn choose(
//!         &mut self,
//!         _game: &G,
//!         turn: &Decision<'_, G>,
//!         _rng: &mut AgentRng,
//!     ) -> Result<Choice<G::Action>, TurnError> {
//!         Ok(turn.legal()?[0].into())
//!     }
//! }
//!
//! let bot = Bot::new("first", "always the first legal action");
//! let bot = bot.plays::<ScotlandYard>(|_options| Box::new(First));
//!
//! // A referee's side of a conversation, from memory; `program::main(&bot)` is the whole `main`
//! // of an executable that has it on standard input and output.
//! let referee = br#"{"type":"ping","id":1}
//! {"type":"quit"}
//! "#;
//! let mut said = Vec::new();
//! botyard_agent::serve(&bot, &referee[..], &mut said)?;
//! assert_eq!(said, b"{\"type\":\"pong\",\"id\":1}\n");
//! # Ok::<(), botyard_agent::ServeError>(())
//! ```
//!
//! [`Session`] handles the conversation line by line, [`TimeBudget`] plans the time for a decision,
//! and [`Punctuality`] learns how much earlier a search must end on a loaded machine. The rules are
//! in `botyard_engine`; `botyard_search` has alpha-beta, max-n and Monte Carlo tree search.

#![deny(clippy::print_stdout, clippy::print_stderr)]

mod agent;
mod bot;
mod decision;
mod declared_option;
mod options;
mod player;
pub mod program;
mod punctuality;
mod serve;
mod time_budget;

pub use agent::{Agent, AgentRng, Choice};
pub use bot::{AnyGame, Bot};
pub use botyard_search::{Deadline, Reading};
pub use decision::{Decision, TurnError};
pub use declared_option::DeclaredOption;
pub use options::Options;
pub use player::PlayError;
pub use punctuality::Punctuality;
pub use serve::{ServeError, Session, serve};
pub use time_budget::TimeBudget;
