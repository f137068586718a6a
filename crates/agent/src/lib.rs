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
//! let referee = concat!(
//!     r#"{"type":"hello","protocol":1,"referee":{"name":"desk","version":"1"},"limits":{"#,
//!     r#""line_bytes":65536,"nesting":64,"stdout_bytes":65536,"stderr_bytes":65536,"#,
//!     r#""start_ms":1000,"setup_ms":1000,"quit_ms":1000}}"#,
//! );
//! let mut said = Vec::new();
//! botyard_agent::serve(&bot, referee.as_bytes(), &mut said)?;
//! assert!(said.starts_with(br#"{"type":"hello","protocol":1,"name":"first""#));
//! # Ok::<(), botyard_agent::ServeError>(())
//! ```
//!
//! `program::main` also runs the bot on a recorded game, for a debugger: `--replay FILE --seat SEAT`.
//!
//! What a bot prints goes to standard error while it runs, so that it cannot break the protocol.
//! [`Decision::log`] writes into the log of the game. [`Bot::answering_on_error`] plays a legal action
//! where an agent fails.
//!
//! [`Session`] handles the conversation line by line, [`TimeBudget`] plans the time for a decision,
//! and [`Punctuality`] learns how much earlier a search must end on a loaded machine. The rules are
//! in `botyard_engine`; `botyard_search` has alpha-beta, max-n and Monte Carlo tree search.

#![warn(unreachable_pub)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

mod agent;
mod bot;
mod bot_text;
mod decision;
mod declared_option;
mod json_agent;
mod options;
mod player;
pub mod program;
mod punctuality;
mod replay;
mod serve;
mod streams;
mod time_budget;

pub use agent::{Agent, AgentRng, Choice};
pub use bot::{AnyGame, Bot};
pub use botyard_protocol::{Info, Mark, OptionSpec, Place};
pub use botyard_search::{Deadline, Reading};
pub use decision::{Decision, TurnError};
pub use declared_option::DeclaredOption;
pub use json_agent::{JsonAgent, JsonDecision};
pub use options::Options;
pub use player::PlayError;
pub use punctuality::Punctuality;
pub use replay::{Rerun, RerunError};
pub use serde_json::value::RawValue;
pub use serve::{ServeError, Session, serve};
pub use time_budget::TimeBudget;
