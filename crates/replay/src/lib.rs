//! The record of a game and its adjudication. The record is one file of JSON lines, written while
//! the game is played; it is the single source of all later statements about the game. The
//! adjudication is the [`Course`]. There are no processes and no clocks here.
//!
//! * [`ReplayWriter`] writes a replay. [`ReplayReader`] reads it, plain or compressed, and checks
//!   that no line was changed. [`compress`] compresses it after the game.
//! * [`Course`] says what is due in a game and rules on faults. The referee drives it by what bots
//!   do, [`Playback`] by what is recorded. An [`Adjudicator`] ends a game whose result is clear.
//! * [`verify()`] (is a replay sound?), [`show()`] (print it move by move) and [`write_stdin`]
//!   (what a bot was sent) are based on [`Playback`], and so is [`dialogue`], with its answers.
//! * [`export()`] makes the copy that one seat may see, [`publish()`] the copy without what bots wrote
//!   for their authors, [`pdn()`] a game in PDN, [`BoardArrays`] games of Dice Wars as NumPy arrays.
//!   [`write_record`] makes replays of games
//!   that other programs recorded.
//! * [`kept_stderr`] reads what bots wrote to standard error, from files beside the replay.
//! * [`Analysis`] is what a bot says about a recorded game, in a file beside the replay.
//! * [`text_file`] reads the text files of people, in any encoding.
//! * [`briefing`] makes the lines that frame a game, for the referee and for [`write_stdin`].
//!
//! ```no_run
//! use botyard_replay::{ReplayReader, registered_table, verify};
//!
//! let reader = ReplayReader::open("game.ndjson".as_ref())?;
//! let report = verify(reader, &registered_table)?;
//! println!("{} decisions, {}", report.turns, report.outcome.reason);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `docs/replay.md` describes the format for programs in other languages.

#![deny(clippy::unwrap_used)]
#![warn(unreachable_pub)]

mod adjudicator;
mod analysis;
mod archive;
mod board_arrays;
pub mod briefing;
mod chain;
mod companions;
mod course;
mod event;
mod export;
mod file;
mod host_evidence;
mod imported;
mod info;
mod kept_stderr;
mod npy;
mod pdn;
mod playback;
mod reader;
mod short_json;
mod show;
mod stdin;
pub mod text_file;
mod verify;
mod wire;
mod writer;

pub use adjudicator::{Adjudicator, AdjudicatorError};
pub use analysis::{
    ANALYSIS_FORMAT, Analysis, AnalyzedDecision, Judgement, Mistake, Scale, SeatCounts, shares,
};
pub use archive::{
    ArchiveError, MAX_DECOMPRESSED_BYTES, compress, compressed_path, is_compressed_path,
};
pub use board_arrays::{ArrayExportError, BoardArrayCounts, BoardArrays};
pub use chain::{Chain, Link};
pub use companions::{beside, companion, companions};
pub use course::{
    Course, CourseError, Due, HOST_FAILED, Phase, RETRIES, Ruling, STALLED, STRIKES, forfeit_reason,
};
pub use event::*;
pub use export::{ExportError, export, publish};
pub use file::{CreateError, replay_file_name};
pub use host_evidence::HostEvidence;
pub use imported::{ImportError, imported_header, imported_id, imported_replay, write_record};
pub use info::{info_in_words, line_in_words, value_in_words};
pub use kept_stderr::{kept_stderr, stderr_path};
pub use pdn::{PdnExportError, pdn};
pub use playback::{MakeTable, Playback, VerifyError, registered_table};
pub use reader::{Line, MAX_LINE_BYTES, ReadError, ReplayReader};
pub use show::{ShowError, show};
pub use stdin::{WireSink, dialogue, write_stdin, write_wire};
pub use verify::{VerifyReport, verified_as_json, verify, verify_file, verify_with_tables};
pub use wire::{SHOWN_CHARACTERS, Stream, wire_line};
pub use writer::ReplayWriter;
