//! Monte Carlo tree search for any number of players, with chance and hidden information: UCT
//! (Kocsis & Szepesvári 2006) over states drawn anew for every iteration, in one tree of
//! information sets (Cowling, Powley & Whitehouse 2012) or in one tree per player. It knows no
//! game: a [`Simulation`] tells it all, and [`GameSimulation`] makes one of any
//! [`botyard_engine::Game`].
//!
//! ```
//! use botyard_bots::AgentRng;
//! use botyard_bots::search::mcts::{GameSimulation, Limits, Search, Settings};
//! use botyard_engine::{Game, Turn};
//! use botyard_engine::draughts::Draughts;
//! use rand_xoshiro::rand_core::SeedableRng;
//!
//! let game = Draughts::new(Draughts::preset("english").unwrap()).unwrap();
//! let mut rng = AgentRng::seed_from_u64(1);
//! let state = game.start(&game.draw_opening(&mut rng)).unwrap();
//! let Turn::Seat(seat) = game.turn(&state) else { unreachable!("the game has just begun") };
//! let view = game.view(&state, seat);
//! let simulation = GameSimulation::new(&game, &view, seat, &mut rng).unwrap();
//! let mut search = Search::new(Settings::default());
//! let report = search.search(&simulation, &Limits::iterations(200), &mut rng);
//! assert_eq!(report.playouts, 200);
//! assert!(game.check(&state, report.best.unwrap()).is_ok());
//! ```

mod game_simulation;
mod iteration;
mod limits;
mod logarithms;
mod report;
mod search;
mod settings;
mod simulation;
mod tree;

pub use game_simulation::{GameSimulation, Happened, Judge};
pub use limits::Limits;
pub use report::{Report, RootAction};
pub use search::Search;
pub use settings::{Final, Settings, Trees};
pub use simulation::{Actor, Rewards, Simulation};
