//! Game-independent search: one algorithm per file, each with a reference to its paper.
//!
//! | module | games | algorithms |
//! | --- | --- | --- |
//! | [`two_sided`] | two sides that move in turn, no chance | minimax, alpha-beta (Knuth and Moore 1975), PVS (Marsland and Campbell 1982), MTD(f) (Plaat et al. 1996) |
//! | [`multiplayer`] | up to eight players, chance, turns of several moves | max-n (Luckhardt and Irani 1986), paranoid (Sturtevant and Korf 2000), best-reply (Schadd and Winands 2011), expectiminimax and expectimax-n, Star1 and Star2 (Ballard 1983) |
//! | [`turns`] | two sides, turns of several steps, gains along the path | alpha-beta with null windows |
//! | [`mcts`] | any number of players, chance, hidden information | UCT (Kocsis and Szepesvári 2006), information sets (Cowling et al. 2012), a tree per player |
//!
//! Each module has a trait for its games, `Settings` and a searcher, which keeps its memory between
//! searches. All searchers are called the same way: `Searcher::new(settings)`, then `search(&game,
//! &root, &limits)`, which returns a [`Report`]. In [`mcts`], the game is a [`mcts::Simulation`]
//! and holds the root itself (the view of one player); the third argument is the generator of its
//! random draws.
//!
//! [`Limits`] are a depth, a number of nodes and a [`Deadline`] by wall-clock or CPU time. Without
//! a deadline, the same limits give the same report on every machine.
//!
//! Values are integers: 100 per man where an evaluation counts material, [`value::WIN`] minus the
//! number of plies for a win. Monte Carlo tree search uses mean rewards from 0 to 1.
//!
//! # Example
//!
//! Take one to three matches from a pile; the side that cannot take any has lost.
//!
//! ```
//! use botyard_search::two_sided::{Algorithm, Root, Settings, TwoSidedGame, TwoSidedSearcher};
//! use botyard_search::{Limits, value::decided_in};
//!
//! struct Matches;
//!
//! impl TwoSidedGame for Matches {
//!     type Position = u32;
//!     type Move = u32;
//!
//!     fn for_each_move(&self, pile: &u32, f: impl FnMut(u32)) {
//!         (1..=3.min(*pile)).for_each(f);
//!     }
//!     fn make(&self, pile: &u32, taken: u32) -> u32 {
//!         pile - taken
//!     }
//!     fn key(&self, pile: &u32) -> u64 {
//!         u64::from(*pile)
//!     }
//!     fn move_id(&self, taken: u32) -> u32 {
//!         taken
//!     }
//! }
//!
//! let mut searcher = TwoSidedSearcher::new(Settings::new(Algorithm::Mtdf));
//! let report = searcher.search(&Matches, &Root::new(10), &Limits::depth(12));
//! // Leave a multiple of four.
//! assert_eq!(report.best, Some(2));
//! assert_eq!(decided_in(report.value), Some(5));
//! ```

#![warn(unreachable_pub)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

pub mod deadline;
mod limits;
pub mod mcts;
pub mod multiplayer;
mod player;
mod report;
mod scored;
mod shared_table;
mod sorting;
pub mod table;
pub mod turns;
pub mod two_sided;
pub mod value;
mod window;

pub use deadline::{Deadline, Reading, Stall, Watch};
pub use limits::Limits;
pub use player::{MAX_PLAYERS, Player, Values};
pub use report::{Report, RootMove};
pub use table::TranspositionTable;
pub use window::Window;

/// The random number generator of the searches: fast, and value-stable on every platform.
pub type SearchRng = rand_xoshiro::Xoshiro256PlusPlus;
