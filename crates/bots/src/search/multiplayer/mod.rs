//! Search for games of up to eight seats, with chance, whose turns may be sequences of moves:
//! expectiminimax, paranoid search and best-reply search with Star1 and Star2, Max-N and expectimax-n.
//! It knows no game: a [`MultiplayerGame`] tells it all.
//!
//! [`MultiplayerSearcher::search`] deepens until a limit is reached, in moves or in turns
//! ([`Unit`]). Algorithms are one file each and interchangeable ([`Algorithm`]), and pruning never
//! changes a value: the means over chance are taken in whole numbers, in which the bounds of a
//! part are exact.

mod best_reply;
mod expectimax_n;
mod expectiminimax;
mod game;
mod max_n;
mod outcomes;
mod paranoid;
mod report;
mod searcher;
mod settings;
mod star1;
mod star2;
mod two_sides;
mod window;

pub use game::{Actor, Depth, MOST_VALUE, MultiplayerGame, Unit, Values};
pub use outcomes::for_each_outcome;
pub use report::Report;
pub use searcher::MultiplayerSearcher;
pub use settings::{Algorithm, Luck, Pruning, Settings};
pub use two_sides::{Sided, TwoSides};
