//! Replays: one game as one file of JSON lines, written while it is played and the single source
//! of everything said about it later. The writer knows no rules; reading a replay back, playing it
//! through the rules again and making copies of it are modules of their own.
//!
//! `docs/replay.md` describes the format.

mod chain;
mod event;
mod file;
mod writer;

pub use chain::{Chain, Link};
pub use event::*;
pub use file::{CreateError, replay_file_name};
pub use writer::ReplayWriter;
