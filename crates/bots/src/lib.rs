//! Botyard's own bots, and all that a bot in Rust needs to become one.
//!
//! A bot is an [`Agent`] for each game it plays, put together as a [`Bot`]. This one always plays
//! the first legal action:
//!
//! ```
//! use botyard_bots::{Agent, AgentRng, Bot, Choice, Decision, TurnError};
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
//! botyard_bots::serve(&bot, &referee[..], &mut said)?;
//! assert_eq!(said, b"{\"type\":\"pong\",\"id\":1}\n");
//! # Ok::<(), botyard_bots::ServeError>(())
//! ```
//!
//! [`catalogue`] has the bots that come with Botyard, [`Session`] is the conversation line by line,
//! and [`TimeBudget`] tells a bot that thinks how long it may.

#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod agent;
pub mod alpha_beta;
pub mod alpha_beta_sova;
pub mod bot;
pub mod catalogue;

pub mod decision;
pub mod dice;
pub mod dice_wars;
pub mod draughts;
pub mod evasive;
pub mod expectimax_n;
pub mod greedy;
pub mod max_n;
pub mod mcts;
pub mod mcts_belej;
mod mcts_info;
pub mod mcts_limits;
pub mod mcts_sova;
pub mod mtdf_2007;
pub mod options;
mod player;
pub mod program;
mod punctuality;
pub mod random;
pub mod scotland_yard;

pub mod serve;
pub mod time_budget;

pub use agent::{Agent, AgentRng, Choice};
pub use bot::{AnyGame, Bot};
pub use botyard_search::{Deadline, Reading};
pub use decision::{Decision, TurnError};
pub use mcts_limits::MctsLimits;
pub use options::Options;
pub use player::PlayError;
pub use serve::{ServeError, Session, serve};
pub use time_budget::TimeBudget;
