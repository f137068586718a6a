//! Alpha-beta for two-sided games whose turns may have several steps, as when one player moves a
//! team pawn by pawn. A game implements [`TurnGame`].
//!
//! It is separate from [`crate::two_sided`] because it shares little with it: the sign of a value
//! does not change with every step, the horizon counts turns rather than steps, gains accumulate
//! along the path, and there are no repetitions, no quiescence search and no reductions. Limits,
//! transposition table and move ordering are the same.
//!
//! Fail-soft alpha-beta with null windows for all but the first move of a node (principal variation
//! search), iterative deepening by turns, a transposition table of fixed size, and bounds supplied
//! by the game. None of these changes the minimax value.

mod game;
mod searcher;
mod settings;

pub use game::{Chooser, TurnGame, UNBOUNDED};
pub use searcher::TurnSearcher;
pub use settings::Settings;
