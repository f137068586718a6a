//! A worker plays the tournaments of a [queue](botyard_queue): it claims blocks, fetches the bundles of
//! their bots by digest, plays all games of a block in the sandbox of its own host, and reports.
//!
//! * It may end at any moment. A block that it had not reported is played elsewhere, from the same
//!   seed; a bot never loses a game by it.
//! * A result that cannot be sent stays in the [spool] on disk, and is sent later, also by the next
//!   worker with the same cache.
//! * It builds nothing. It plays what its host can: a tournament that demands a stronger sandbox, or a
//!   program that is missing, is refused with the reason, and left to other workers.
//! * It [measures](calibration) its host at the start and every hour, with a game that is always the
//!   same. Every result refers to the last measurement.
//!
//! It reaches the queue by [`Work`](botyard_queue::Work): [`Direct`] is the way to a database.
//! [`submission`] puts a tournament into a queue, and [`export`] takes it out again.

#![deny(clippy::unwrap_used)]
#![warn(unreachable_pub)]

mod block_source;
mod bundles;
pub mod calibration;
mod claims;
mod direct;
mod events;
pub mod export;
mod game_thread;
mod leases;
pub mod listing;
mod log;
pub mod measurement;
mod open_tournaments;
mod options;
mod place;
mod sender;
mod shared;
pub mod simulation;
pub mod spool;
pub mod status;
pub mod submission;
mod submitted_text;
mod worker;

pub use direct::Direct;
pub use events::{Notify, WorkerEvent};
pub use log::{Line, Log};
pub use options::Options;
pub use place::{Place, default_cache};
pub use worker::{Ended, Worker};
