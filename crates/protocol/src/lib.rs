//! The bot protocol, version 1: the messages between a referee and a bot, their framing and their
//! limits. It is independent of games, processes and clocks. `docs/protocol.md` is the page for
//! authors of bots.
//!
//! [`LineBuffer`] splits the bytes of a pipe into lines. [`parse_bot_line`] (the referee's side)
//! and [`parse_referee_line`] (a bot's side) parse them. [`write_start_line`], [`write_turn_line`],
//! [`write_move_line`] and [`write_line`] do the reverse. [`Adjudication`] has the rules of a match by
//! which the referee ends games early.

#![deny(clippy::unwrap_used)]

mod adjudication;
mod bot_line;
mod compose;
mod framing;
mod line_error;
pub mod messages;
mod options;
mod reason;
mod referee_line;
mod schema;
mod strict_json;
mod text;

pub use adjudication::{
    ADJUDICATED, Adjudicated, Adjudication, AdjudicationError, DrawRule, EgdbRule, MOST_MOVES,
    MOST_SCORE, ResignRule,
};
pub use bot_line::{BotLine, parse_bot_line};
pub use compose::{write_line, write_move_line, write_start_line, write_turn_line};
pub use framing::{FrameError, LineBuffer};
pub use line_error::LineError;
pub use messages::*;
pub use options::{OptionError, check_options, check_specs};
pub use referee_line::{RefereeLine, parse_referee_line};
pub use schema::schemas;
pub use strict_json::{MAX_INTEGER, MAX_NESTING};
pub use text::{excerpt, printable};
