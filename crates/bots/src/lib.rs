//! Botyard's built-in bots: the knowledge of each game, and the bots that use it.
//!
//! * per game, its evaluations, playout policies, beliefs about hidden information, and agents:
//!   [`draughts`], [`scotland_yard`], [`dice_wars`]
//! * the bots, one module each, with their options; [`catalogue`] lists them
//! * [`mod@reference`], the page of the bots in the book
//!
//! The algorithms are in `botyard_search`, the protocol is in `botyard_agent`, and
//! `botyard_training` makes the learned weights and the endgame tables. A bot
//! of your own needs those two crates and the engine, not this one.
//!
//! ```
//! let bot = botyard_bots::catalogue::bot("greedy")?;
//! assert!(bot.games().any(|game| game == "draughts"));
//! # Ok::<(), botyard_bots::catalogue::UnknownBot>(())
//! ```

#![warn(unreachable_pub)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

pub mod alpha_beta;
pub mod alpha_beta_sova;
pub mod any_game;
pub mod baselines;
pub mod catalogue;
pub mod dice;
pub mod dice_wars;
pub mod draughts;
pub mod evasive;
pub mod expectimax_n;
pub mod greedy;
pub mod level;
pub mod max_n;
pub mod mcts;
pub mod mcts_belej;
mod mcts_info;
pub mod mcts_limits;
pub mod mcts_sova;
mod model_agent;
pub mod mtdf_2007;
mod playout_pace;
mod program_simulation;
pub mod random;
pub mod reference;
pub mod rules_program;
pub mod scotland_yard;
pub mod weights_file;
mod weights_option;

pub use botyard_agent::{Bot, DeclaredOption, Session};
pub use mcts_limits::MctsLimits;
pub use weights_file::InvalidWeights;
