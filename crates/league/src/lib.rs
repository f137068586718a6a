//! Many games: which are played, what came of them, and what may be concluded. It knows no process:
//! somebody else plays a scheduled game and tells how it went.
//!
//! A [`PlayedGame`] is one game as statistics read it; a [`Score`](score::Score) counts the points
//! of a bot in some games and says how far its share may be off.

pub mod played_game;
pub mod schedule;
pub mod score;
pub mod sprt;
pub mod standings;
pub mod statistics;
pub mod store;
pub mod tournament_file;

pub use played_game::{Entrant, PlayedGame, SeatKind, SeatUse, Verdict};
pub use standings::Standings;
