//! The games of a match or tournament: seats, seeds and openings. All of it follows from a seed, a
//! game's number and, in formats whose pairings depend on them, the results of earlier games. Any
//! game can therefore be repeated alone, and the order in which workers finish does not matter.
//!
//! [`Schedule`] is a match between as many bots as there are seats. [`TournamentSchedule`] is for
//! any number of bots in a [`Format`].

mod block_sums;
mod draws;
mod format;
mod knockout;
mod line_ups;
mod match_schedule;
mod matching;
mod order;
mod stages;
mod swiss;
mod tournament_schedule;

pub use block_sums::BlockSums;
pub use draws::{DrawError, Draws, commitment};
pub use format::{Format, FormatError};
pub use knockout::{KnockoutPairing, KnockoutTable};
pub use line_ups::most_line_ups;
pub use match_schedule::{Schedule, ScheduledGame};
pub use order::{BLOCKS_TOGETHER, by_rotation};
pub use stages::Stage;
pub use swiss::{SwissRow, SwissTable};
pub use tournament_schedule::{Block, BlockPoints, GameKey, TournamentSchedule, game_id};
