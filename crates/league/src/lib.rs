//! Schedules, results and statistics of many games. The crate starts no processes: its caller plays
//! a scheduled game and reports the result.
//!
//! A [`tournament_file`] describes a tournament, and a [`schedule`] lists its games. The module
//! `store` keeps their results, in SQLite or in memory; it is the feature `store`, off by default.
//!
//! A [`PlayedGame`] is one game as statistics read it. [`Standings`] summarize many games per bot,
//! with ratings, intervals and the places that the data do not exclude. [`sprt`] tests whether a
//! new version is better. A [`Score`](score::Score) counts the points of a bot and gives the
//! confidence interval of its share.
//!
//! ```
//! use botyard_league::{Entrant, PlayedGame, SeatKind, Standings, Verdict};
//!
//! let bots = ["new", "old"].map(|name| Entrant { name: name.into(), ..Entrant::default() });
//! let game = |block, seats: [usize; 2], points: [f64; 2]| PlayedGame {
//!     block,
//!     seats: seats.to_vec(),
//!     verdict: Verdict::Scored {
//!         points: points.to_vec(),
//!         places: points.iter().map(|&points| if points < 0.5 { 2 } else { 1 }).collect(),
//!     },
//!     turns: 60,
//!     uses: Vec::new(),
//!     void_at: None,
//!     faults: Vec::new(),
//!     replay: None,
//! };
//! let games = [game(1, [0, 1], [1.0, 0.0]), game(1, [1, 0], [0.5, 0.5])];
//! let seats = ["white", "black"].map(String::from);
//! let standings = Standings::new("draughts", &seats, SeatKind::Symmetric, &bots, &games, 7);
//! assert_eq!((standings.bots[0].name.as_str(), standings.bots[0].score.share), ("new", Some(0.75)));
//! // Two games exclude nothing.
//! assert_eq!((standings.bots[0].rank_low, standings.bots[0].rank_high), (Some(1), Some(2)));
//! assert!(standings.to_table().contains("not separated"));
//! ```

#![deny(clippy::unwrap_used)]
#![warn(unreachable_pub)]

pub mod atomic_file;
pub mod plain_table;
pub mod played_game;
pub mod private_files;
pub mod replay_names;
pub mod scale;
pub mod schedule;
pub mod score;
pub mod sprt;
pub mod standings;
pub mod statistics;
#[cfg(feature = "store")]
pub mod store;
mod store_error;
pub mod tournament_file;

pub use played_game::{Entrant, GameKind, PlayedGame, SeatKind, SeatUse, Verdict};
pub use standings::{RankedBy, Standings};
pub use store_error::StoreError;
