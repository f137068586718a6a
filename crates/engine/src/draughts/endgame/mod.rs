//! Endgame tables: the exact result of every position with few pieces, and the number of plies to
//! it with best play; of positions with five and six pieces only the result. Computed by retrograde
//! analysis (Ströhlein 1970; for checkers, Lake, Schaeffer and Lu 1994) under the movement of
//! English draughts. Files, clocks and progress bars belong to the caller.
//!
//! Positions are stored from the side to move's point of view, with the board rotated if that is
//! White, so that one table serves both colours. Draws by repetition and by lack of progress are
//! ignored: best play towards a win never repeats a position.
//!
//! ```
//! use botyard_engine::draughts::endgame::{Endgames, Value, solve};
//! use std::ops::ControlFlow;
//!
//! let mut endgames = Endgames::default();
//! solve(&mut endgames, 2, 1, &|| false, |_, _| ControlFlow::Continue(()));
//! assert_eq!(endgames.probe(&"B:WK1:BK19".parse()?), Some(Value::Draw));
//! assert_eq!(endgames.probe(&"W:WK18:BK14".parse()?), Some(Value::Win(1)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adjudication;
mod index;
mod material;
mod proof;
mod seen;
mod solver;
mod tables;
mod tally;
mod value;
mod values;

pub use material::Material;
pub use proof::{Mismatch, Unverified};
pub use solver::{Interrupted, solve};
pub use tables::{BadTable, Endgames};
pub use tally::Tally;
pub use value::Value;
pub use values::StoredTables;
