//! Alpha-beta for games of two sides whose turns may have several steps, as where one player moves
//! a team pawn by pawn. A game implements [`TurnGame`].
//!
//! It is apart from [`crate::two_sided`] because little of that fits: the sign of a value does not
//! change with every step, the horizon counts turns and not steps, gains are added up along the
//! path, and there are no repetitions, no captures to search out and no quiet moves to reduce.
//! Limits, table and order of moves are the same.
//!
//! Fail-soft alpha-beta with null windows for all but the first move of a node (principal
//! variation search), iterative deepening by turns, a transposition table of fixed memory, and
//! what the game knows of the bounds of a value. All of it leaves the value as minimax has it.

mod game;
mod searcher;
mod settings;

pub use game::{Chooser, TurnGame, UNBOUNDED};
pub use searcher::TurnSearcher;
pub use settings::Settings;
