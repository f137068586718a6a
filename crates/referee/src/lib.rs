//! The referee: one fair game between bots that are separate programs.
//!
//! The referee starts each bot in its own process group or in the sandbox, speaks protocol 1 with
//! it, keeps the clocks, has the rules check every action, writes the replay, decides the verdict,
//! and leaves no process running. It knows no game by name. No bot can hang it, flood it or outlive
//! it. Scheduling and ratings are in other crates.
//!
//! A [`Bot`] is started once and may play many games. [`play`] plays one game:
//!
//! ```no_run
//! use botyard_engine::registry;
//! use botyard_protocol::{ClockKind, Limits, OnFault, TimeControl};
//! use botyard_replay::ReplayWriter;
//! use botyard_referee::{Bot, BotCommand, GameSpec, Interrupt, ThisHost, play, start_all};
//!
//! let interrupt = Interrupt::on_signals()?;
//! let bot = |name: &str, program: &str| {
//!     Bot::new(BotCommand { name: name.into(), program: program.into(), ..BotCommand::default() })
//! };
//! let mut bots = [bot("fox", "./fox"), bot("hounds", "./hounds")];
//! let mut table = registry::tables("scotland-yard", None, &[])?();
//! let spec = GameSpec {
//!     game_id: "example",
//!     seed: 7.into(),
//!     time: TimeControl {
//!         kind: ClockKind::Wall,
//!         move_ms: Some(1000),
//!         bank_ms: None,
//!         increment_ms: 0,
//!         grace_ms: 0,
//!         on_fault: OnFault::Forfeit,
//!     },
//!     limits: Limits::default(),
//!     send_legal: true,
//!     opening: None,
//!     seats: &[0, 1],
//!     gauge: &ThisHost,
//!     void_at: None,
//!     adjudicator: None,
//! };
//! start_all(&mut bots, &spec.limits, &interrupt)?;
//! let mut replay = ReplayWriter::new(Vec::new(), &spec.header(&*table, &bots))?;
//! let report =
//!     play(&mut *table, &mut bots, &spec, &interrupt, Some(&mut replay), &mut |_| {})?;
//! println!("{}: {:?}", report.outcome.reason, report.outcome.scores);
//! Bot::quit_all(&mut bots, &spec.limits)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(clippy::unwrap_used)]
#![warn(unreachable_pub)]

// Each module uses only the modules above it in this list:
//   failure  what can end a game early
//   command  a bot before it runs: command line, files, containment
//   program  a running program: processes, pipes, memory, end
//   host     whether the host made an answer late
//   clock    how long an answer may take, and what it costs
//   bot      a bot of a match: its start, and the wait for its lines
//   game     one game between bots
mod bot;
mod clock;
mod command;
mod failure;
mod game;
mod host;
mod program;

pub use botyard_replay::{HostEvidence, RETRIES, STRIKES, Stream, briefing, forfeit_reason};

pub use bot::departure::{Departure, DepartureError, Leave};
pub use bot::line_program::LineProgram;
pub use bot::{Bot, StartError};
pub use clock::seat_clock::{SeatClock, TimeControlError};
pub use command::SubmissionError;
pub use command::advice::Advice;
pub use command::backend::Backend;
pub use command::bot_command::{BRIDGE, BotCommand, INHERITED_VARIABLES, LaunchError, Source};
pub use command::bot_files::{BotFiles, BotFilesError, data_directory};
pub use command::containment::Containment;
pub use command::held_files::HeldFiles;
pub use command::ordinary_user::closed_to_others;
pub use command::regular_file::{open_regular, open_regular_itself, read_text, read_text_file};
pub use command::required_files::RequiredFiles;
pub use command::wrapper::{Wrapper, WrapperError};
pub use failure::{BotFailure, HostFailure, Survivors};
pub use game::report::{BotReport, GameReport, Progress, RefereeError, SeatReport};
pub use game::{GameSpec, play, play_on, start_all};
pub use host::gauge::{CanaryReading, HostGauge, ThisHost};
pub use program::connection::Notice;
pub use program::disturbance::Disturbance;
pub use program::ending::Ending;
pub use program::interrupt::Interrupt;
pub use program::stderr_log::{KEPT_BYTES, StderrLog};
pub use program::wiretap::Wiretap;
