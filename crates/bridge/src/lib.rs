//! Bridges: engines that speak a text protocol of their field, as bots.
//!
//! A bridge is a program that speaks Botyard's protocol on its standard input and output, and the
//! engine's with a child process or over TCP: [Hub](hub), [a UCI for draughts](uci) or [DXP](dxp). To
//! the referee it is a bot like any other. [`BridgeConfig::run`] is the whole program. The game is
//! draughts, the only one of Botyard's for which engines with such protocols exist.
//!
//! [`read_move`] accepts the forms of moves that engines print, [`position_text`] has their positions.
//!
//! ```no_run
//! use botyard_bridge::{BridgeConfig, Connection};
//! use std::process::ExitCode;
//!
//! fn main() -> ExitCode {
//!     let engine = vec!["./engine".into(), "--hub".into()];
//!     BridgeConfig::new(Connection::Hub(engine)).run()
//! }
//! ```

#![warn(unreachable_pub)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

mod bridge;
pub mod dxp;
pub mod engine;
pub mod hub;
mod link;
mod move_text;
pub mod position_text;
pub mod think_time;
pub mod uci;
mod waiting;

pub use bridge::{BridgeConfig, Connection, GAME, SettingNames};
pub use engine::SearchLimits;
pub use link::{Link, Terminator};
pub use move_text::{MoveError, hub_text, read_move};
