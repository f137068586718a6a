//! Endgame tables: the exact result of every position with few pieces, and in how many plies it is
//! reached with best play. Worked out backwards from the ends of games (Ströhlein 1970; for
//! checkers, Lake, Schaeffer and Lu 1994) under the movement of English draughts; files, clocks and
//! progress bars are the caller's.
//!
//! Positions are stored as the side to move sees them, the board turned round where that is White,
//! so that one table serves both colours. The draws by repetition and by lack of progress are left
//! out: best play towards a win never repeats a position.
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

mod index;
mod material;
mod proof;
mod seen;
mod solver;
mod tables;
mod tally;
mod value;

pub use material::Material;
pub use proof::Mismatch;
pub use solver::{Interrupted, solve};
pub use tables::{BadTable, Endgames};
pub use tally::Tally;
pub use value::Value;
