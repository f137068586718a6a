//! The bot protocol, version 1: the messages between a referee and a bot, their framing and their
//! limits. It is independent of games, processes and clocks. `docs/protocol.md` is the page for
//! authors of bots.
//!
//! [`LineBuffer`] splits the bytes of a pipe into lines. [`parse_bot_line`] (the referee's side)
//! and [`parse_referee_line`] (a bot's side) parse them. [`write_start_line`], [`write_turn_line`],
//! [`write_move_line`] and [`write_line`] do the reverse. [`Adjudication`] has the rules of a match by
//! which the referee ends games early.
//!
//! ```
//! use botyard_protocol::{BotLine, Clock, ClockKind, LineBuffer, Limits, parse_bot_line, write_turn_line};
//!
//! // The referee asks.
//! let clock = Clock { kind: ClockKind::Wall, move_ms: Some(1000), bank_ms: None, increment_ms: 0 };
//! let mut line = Vec::new();
//! write_turn_line(&mut line, 1, "yellow", br#"{"discs":[]}"#, Some(b"[3,4]"), &clock);
//! assert!(line.starts_with(br#"{"type":"turn","turn":1,"seat":"yellow""#));
//!
//! // The answer arrives in any pieces.
//! let limits = Limits::default();
//! let mut buffer = LineBuffer::new(limits.line_bytes as usize);
//! for piece in [&br#"{"type":"move","tu"#[..], b"rn\":1,\"action\":3}\n"] {
//!     assert!(buffer.next_line()?.is_none());
//!     buffer.space()[..piece.len()].copy_from_slice(piece);
//!     buffer.filled(piece.len());
//! }
//! let line = buffer.next_line()?.ok_or("the line is not complete")?;
//! let BotLine::Move(answer) = parse_bot_line(line, &limits)? else { panic!("not a move") };
//! assert_eq!((answer.turn, answer.action.get()), (1, "3"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(clippy::unwrap_used)]
#![warn(unreachable_pub)]

mod adjudication;
mod backstop;
mod bot_line;
mod compose;
mod framing;
mod line_error;
mod marks;
pub mod messages;
mod options;
mod reason;
mod referee_line;
#[cfg(feature = "schema")]
mod schema;
mod strict_json;
mod text;

pub use adjudication::{
    ADJUDICATED, Adjudicated, Adjudication, AdjudicationError, DrawRule, EgdbRule, MOST_MOVES,
    MOST_SCORE, ResignRule,
};
pub use backstop::{BACKSTOP_MORE, BACKSTOP_TIMES, backstop};
pub use bot_line::{BotLine, parse_bot_line};
pub use compose::{write_line, write_move_line, write_start_line, write_turn_line};
pub use framing::{FrameError, LineBuffer};
pub use line_error::LineError;
pub use marks::{COLORS, MOST_MARKS, MOST_PLACES, MOST_TEXT, Mark, Marks, Place, Shape};
pub use messages::*;
pub use options::{OptionError, check_options, check_specs};
pub use referee_line::{RefereeLine, parse_referee_line};
#[cfg(feature = "schema")]
pub use schema::schemas;
pub use strict_json::{MAX_INTEGER, MAX_NESTING};
pub use text::{excerpt, printable};
