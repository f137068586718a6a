//! English draughts (American checkers), on bitboards: rules with parameters, notation, perft.
//!
//! [`Draughts`] is the game under one set of [`Rules`]. [`Position`] is the small `Copy` core for
//! search, [`State`] adds the history that the draw rules need, [`View`] is the same as JSON.
//! `docs/games/draughts.md` states the rules.
//!
//! # A tour
//!
//! Positions come from FEN, moves from their text; the legal moves are listed, counted or passed
//! to a function one by one:
//!
//! ```
//! use botyard_engine::draughts::{Movement, Position};
//!
//! let position: Position = "B:W18,21,27:B10,11,K32".parse()?;
//! assert_eq!(position.count_moves(Movement::ENGLISH), 1, "32 must capture 27 and 18");
//! let capture = position.moves(Movement::ENGLISH)[0];
//! assert_eq!(capture.to_string(), "32x23x14");
//! assert_eq!(position.make(capture).to_string(), "W:W21:B10,11,K14");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A whole game:
//!
//! ```
//! use botyard_engine::draughts::Draughts;
//! use botyard_engine::{Game, Stream, Turn};
//!
//! let game = Draughts::new(Draughts::preset("english").unwrap()).unwrap();
//! let mut state = game.start(&game.draw_opening(Stream::new(1, "opening").rng())).unwrap();
//! let mut actions = Vec::new();
//! while let Turn::Seat(_) = game.turn(&state) {
//!     game.actions(&state, &mut actions);
//!     game.apply(&mut state, actions[0]);
//! }
//! assert_eq!(game.outcome(&state).unwrap().scores.iter().sum::<f64>(), 1.0);
//! ```
//!
//! # For a search
//!
//! * [`Position`] is 24 bytes, `Copy`, and never undone: [`Position::make`] returns the next one,
//!   with its Zobrist key ([`Position::key`]) kept up to date.
//! * [`Position::for_each_move`] generates without storing anything; [`Position::moves`] is a list
//!   on the stack. [`Move::bits`] is a move in a transposition table.
//! * [`Position::can_capture`] is false in a quiet position; [`Position::can_move`] is false if the
//!   side to move has lost; [`Position::count_moves`] is mobility.
//! * [`Position::is_reversible`]: whether a move can lead back to an earlier position.
//!   Before the root these are [`State::earlier_positions`]; [`State::quiet_plies`] is the count of
//!   plies towards the draw.
//! * [`Board::for_each_successor`] and its neighbours have the colour as a const parameter, for
//!   inner loops without branches on it; they keep no key.
//!
//! ```
//! use botyard_engine::draughts::{Movement, Position};
//!
//! /// The material that the side to move can be sure of: captures are searched until none is left.
//! fn quiesce(position: &Position, mut alpha: i32, beta: i32) -> i32 {
//!     let board = position.board();
//!     if !position.can_capture() {
//!         let count = |colour| (board.of(colour).len() + board.kings(colour).len()) as i32;
//!         return count(position.turn()) - count(position.turn().other());
//!     }
//!     for mv in position.moves(Movement::ENGLISH) {
//!         alpha = alpha.max(-quiesce(&position.make(mv), -beta, -alpha));
//!         if alpha >= beta {
//!             break;
//!         }
//!     }
//!     alpha
//! }
//!
//! let position: Position = "W:W31,K18:B22,23,14".parse().unwrap();
//! assert_eq!(quiesce(&position, -100, 100), 1);
//! ```

mod bitboard;
mod board;
mod colour;
mod counting;
pub mod endgame;
mod game;
mod import;
mod legality;
mod movegen;
mod movement;
mod moves;
mod notation;
mod opening;
mod perft;
mod position;
mod rules;
mod square;
mod state;
mod text;
mod view;
mod zobrist;

pub use bitboard::{Bitboard, Direction, Squares};
pub use board::{Board, Piece};
pub use colour::Colour;
pub use game::{Draughts, Setup};
pub use movement::{Jump, Movement};
pub use moves::{MOST_JUMPS, Move, ParseMoveError, Path};
pub use notation::{
    Ballot, FenError, MoveText, MoveTextError, OtherVariant, PdnError, PdnErrorKind, PdnGame,
    PdnResult, Place, RecordedMove, Standing, Unresolved, ballots, read_english_pdn, read_pdn,
};
pub use opening::Opening;
pub use perft::{Counting, divide, perft};
pub use position::{MOST_PIECES, Moves, Placement, PlacementError, Position};
pub use rules::{Ballots, MOST_PLIES, Rules};
pub use square::Square;
pub use state::State;
pub use view::{End, View};
