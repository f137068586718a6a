//! Search for games of up to eight players, with chance and with turns of several moves:
//! expectiminimax (Michie 1966), paranoid search (Sturtevant and Korf 2000) and best-reply search
//! (Schadd and Winands 2011) with Star1 and Star2 (Ballard 1983), max-n (Luckhardt and Irani 1986)
//! and expectimax-n. A game implements [`MultiplayerGame`]: see `examples/coins.rs`, and
//! `examples/pig.rs` for chance.
//!
//! [`MultiplayerSearcher::search`] runs iterative deepening until a limit is reached, by moves or
//! by turns ([`Unit`]). Each algorithm is a file, and the algorithms are interchangeable
//! ([`Algorithm`]). Pruning never changes a value: means over chance are computed in integers, for
//! which the bounds of a part are exact.

mod best_reply;
mod expectimax_n;
mod expectiminimax;
mod game;
mod max_n;
mod mean;
mod outcomes;
mod paranoid;
mod searcher;
mod settings;
mod star1;
mod star2;
mod two_sides;

pub use game::{Actor, Depth, MOST_VALUE, MultiplayerGame, Unit};
pub use outcomes::for_each_outcome;
pub use searcher::MultiplayerSearcher;
pub use settings::{Algorithm, Luck, Pruning, Settings};
pub use two_sides::{Sided, TwoSides};
