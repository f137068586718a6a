//! Replays: one game as one file of JSON lines, written while it is played and the single source
//! of everything said about it later.
//!
//! [`ReplayWriter`] writes one, [`ReplayReader`] reads it back and checks that no line was changed.
//! [`Course`] is the adjudication of a game, which the referee drives by what bots do. [`Playback`]
//! drives it by what is recorded, and on that stand [`verify()`] (is it sound?),
//! [`show()`] (for people) and [`write_stdin`] (what a bot was sent). [`export()`] makes the copy
//! that one seat may see; [`write_record`] makes replays of other programs' games.
//!
//! `docs/replay.md` describes the format for those who read it in another language.

mod chain;
mod course;
mod event;
mod export;
mod file;
mod imported;
mod playback;
mod reader;
mod show;
mod stdin;
mod verify;
mod writer;

pub use chain::{Chain, Link};
pub use course::{
    Course, CourseError, Due, Phase, RETRIES, Ruling, STALLED, STRIKES, forfeit_reason,
};
pub use event::*;
pub use export::{ExportError, export};
pub use file::{CreateError, replay_file_name};
pub use imported::{ImportError, imported_header, imported_id, write_record};
pub use playback::{MakeTable, Playback, VerifyError, registered_table};
pub use reader::{Line, MAX_LINE_BYTES, ReadError, ReplayReader};
pub use show::{ShowError, show};
pub use stdin::{StdinError, write_stdin};
pub use verify::{VerifyReport, verify};
pub use writer::ReplayWriter;
