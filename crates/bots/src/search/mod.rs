//! Search for games of two sides that move in turn: minimax, alpha-beta, principal variation search
//! and MTD(f), with what makes them fast. It knows no game: a [`SearchGame`] tells it all.
//!
//! [`Searcher::search`] deepens until a limit is reached and reports the best move. One body
//! searches a window (`negamax`), drivers around it choose the windows ([`Algorithm`]); minimax has
//! a body of its own and is what the others are held to.
//!
//! ```
//! use botyard_bots::draughts::{DraughtsSearch, Positional};
//! use botyard_bots::search::{Algorithm, Limits, Root, Searcher, Settings};
//! use botyard_engine::draughts::{Movement, Position};
//!
//! let game = DraughtsSearch::new(Movement::ENGLISH, Positional::default());
//! let mut searcher = Searcher::new(game, Settings::new(Algorithm::Mtdf));
//! let position: Position = "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29".parse()?;
//! let report = searcher.search(&Root::new(position), &Limits::depth(6));
//! assert_eq!(report.depth, 6);
//! assert!(position.moves(Movement::ENGLISH).contains(&report.best.unwrap()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod drivers;
pub mod game;
mod limits;
mod line;
pub mod mcts;
mod minimax;
pub mod multiplayer;
mod negamax;
mod ordering;
mod pruning;
mod searcher;
mod settings;
pub mod table;
pub mod turns;
pub mod value;

pub use game::{Evaluator, Exact, SearchGame, Tension};
pub use limits::Limits;
pub use line::DrawRules;
pub use searcher::{Report, Root, Searcher};
pub use settings::{Algorithm, Settings};
pub use table::TranspositionTable;
