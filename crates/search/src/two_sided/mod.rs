//! Search for games of two sides that move in turn, without chance or hidden information: minimax,
//! alpha-beta (Knuth and Moore 1975), principal variation search (Marsland and Campbell 1982) and
//! MTD(f) (Plaat, Schaeffer, Pijls and de Bruin 1996), with a transposition table, killer and
//! history heuristics, quiescence search, late move reductions, futility pruning and ProbCut.
//!
//! [`TwoSidedSearcher::search`] runs iterative deepening until a limit is reached and reports the
//! best move; [`ParallelSearcher`] does so with several threads. One function searches a node in a
//! window (`negamax.rs`), and drivers choose the windows ([`Algorithm`]). Minimax has its own; the
//! tests compare the others with it.
//!
//! A game implements [`TwoSidedGame`]: see `examples/nim.rs`.

mod drivers;
mod game;
mod line;
mod minimax;
mod near_best;
mod negamax;
mod ordering;
mod parallel;
mod pruning;
mod search_table;
mod searcher;
mod settings;

pub use game::{Evaluator, Exact, Tension, TwoSidedGame};
pub use line::DrawRules;
pub use parallel::ParallelSearcher;
pub use searcher::{Root, TwoSidedSearcher};
pub use settings::{Algorithm, FirstGuess, Settings};
