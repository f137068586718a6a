//! Scotland Yard: Mr. X, whose station is secret, flees from detectives on a map of London or on a
//! grid. One engine plays both: a board is a graph with kinds of edges, and the editions of the
//! game are parameters.
//!
//! [`ScotlandYard`] is the game under one set of [`Rules`]. It holds an [`Arena`] (board and rules
//! of movement) and [`Distances`]. [`Position`] is the small `Copy` core for search and playouts;
//! [`State`] adds the travel log. [`View`] is what a side may know of a state. [`Candidates`] are
//! the stations at which Mr. X can be. `docs/games/scotland-yard.md` states the rules.
//!
//! ```
//! use botyard_engine::scotland_yard::ScotlandYard;
//! use botyard_engine::{Game, Seat, Stream, Turn};
//!
//! let game = ScotlandYard::new(ScotlandYard::preset("bristol").unwrap()).unwrap();
//! let mut stream = Stream::new(1, "opening");
//! let mut state = game.start(&game.draw_opening(stream.rng())).unwrap();
//! let mut actions = Vec::new();
//! while let Turn::Seat(_) = game.turn(&state) {
//!     game.actions(&state, &mut actions);
//!     game.apply(&mut state, actions[0]);
//!     let detectives = Seat::new(1);
//!     let seen = game.candidates_in(&game.view(&state, detectives));
//!     assert!(seen.set().contains(state.position().mr_x()));
//! }
//! assert_eq!(game.outcome(&state).unwrap().scores.iter().sum::<f64>(), 1.0);
//! ```

mod action;
mod arena;
mod board;
mod candidates;
mod detective;
mod determinization;
mod distances;
mod game;
mod import;
mod information;
mod legality;
mod opening;
mod playout;
mod position;
mod presets;
mod rules;
mod start_parity;
mod starts;
mod state;
mod station;
mod station_set;
mod text;
mod ticket;
mod view;

pub use action::Action;
pub use arena::Arena;
pub use board::{Board, Grid, GridMoves, Shape, Step};
pub use candidates::Candidates;
pub use detective::{Detective, MAX_DETECTIVES, Pawns};
pub use distances::Distances;
pub use game::{ScotlandYard, Setup};
pub use information::{SeenAction, SeenOpening};
pub use opening::{DetectiveTickets, MrXTickets, Opening, StartSet};
pub use position::{End, Position, Purse, Stage};
pub use rules::{
    AllStuck, Black, BoardName, Collision, Handover, LimitUnit, OntoDetective, Order, Reveals,
    Rules, Seats, Stuck,
};
pub use starts::Starts;
pub use state::{LogEntry, State};
pub use station::Station;
pub use station_set::StationSet;
pub use ticket::{Allowance, Kinds, Ticket, Tickets, Transport};
pub use view::{DetectiveView, DoubleMove, LogView, Mover, MrXView, Side, View};
