//! Dice Wars: players hold the areas of a map with one to eight dice each, attack their neighbours,
//! and get after each turn as many new dice as their largest connected region has areas.
//!
//! [`DiceWars`] is the game under one set of [`Rules`]. [`Position`] is the small `Copy` core for
//! search and playouts, to be used with a [`Map`]; [`State`] has both, [`View`] is the same as
//! JSON. `docs/games/dice-wars.md` states the rules.
//!
//! # A tour
//!
//! A whole game of random attacks:
//!
//! ```
//! use botyard_engine::dice_wars::DiceWars;
//! use botyard_engine::{Game, Stream};
//!
//! let game = DiceWars::new(DiceWars::preset("fair-4").unwrap()).unwrap();
//! let state = game.start(&game.draw_opening(Stream::new(1, "opening").rng())).unwrap();
//! let (map, mut position) = (state.map(), *state.position());
//! let mut dice = Stream::new(1, "chance");
//! while !position.is_over() {
//!     match position.random_attack(map, dice.rng()) {
//!         Some((from, to)) => {
//!             position.attack_at_random(from, to, dice.rng());
//!         }
//!         None => position.end_turn_at_random(map, dice.rng()),
//!     }
//! }
//! assert_eq!(position.outcome().unwrap().scores.iter().sum::<f64>(), 1.0);
//! ```
//!
//! # For a search
//!
//! * [`Position`] is 192 bytes, `Copy`, and never undone. Sets of areas are bits: [`AreaSet`] has
//!   the usual operations, [`Map::neighbours`] is a set, and [`Position::areas_of`],
//!   [`Position::ready`] (two dice or more) and [`Position::full`] (eight) are combined with it as
//!   needed.
//! * [`Position::for_each_attack`] and [`Position::for_each_transfer`] list actions without storing
//!   them; [`Position::for_each_attack_of`] does so for any player.
//! * A battle has two outcomes, [`Position::attack_won`] and [`Position::attack_lost`], with the
//!   probability [`win_probability`]. These lead from one decision to the next; [`Position::apply`]
//!   stops at [`Stage::Battle`], where a referee rolls dice.
//! * [`Position::end_turn_at_random`] draws the placement of new dice. [`crate::Game::chances`]
//!   lists all placements with their probabilities, or a sample if there are many.
//! * A bot has its map from [`Setup`] and turns a view into a state with [`DiceWars::state_on`].
//!
//! ```
//! use botyard_engine::dice_wars::{Map, Position, win_probability};
//!
//! /// The size of the largest region that the best single attack leads one to expect.
//! fn best_expectation(map: &Map, position: &Position) -> f64 {
//!     let own = position.to_move();
//!     let mut best = f64::from(position.largest_region(map, own));
//!     position.for_each_attack(map, |from, to| {
//!         let chance = win_probability(position.dice(from), position.dice(to));
//!         let (mut won, mut lost) = (*position, *position);
//!         won.attack_won(from, to);
//!         lost.attack_lost(from, to);
//!         let expected = chance * f64::from(won.largest_region(map, own))
//!             + (1.0 - chance) * f64::from(lost.largest_region(map, own));
//!         best = best.max(expected);
//!     });
//!     best
//! }
//! # use botyard_engine::{Game, Stream, dice_wars::DiceWars};
//! # let game = DiceWars::new(DiceWars::preset("fair-4").unwrap()).unwrap();
//! # let state = game.start(&game.draw_opening(Stream::new(1, "opening").rng())).unwrap();
//! # assert!(best_expectation(state.map(), state.position()) > 8.0);
//! ```

mod action;
mod area;
mod battle;
pub mod board_vector;
mod chance;
mod deal;
mod drawing;
mod game;
mod generator;
mod hex;
mod import;
mod legality;
mod map;
mod opening;
mod player;
mod position;
mod presets;
mod ranking;
mod rules;
mod state;
mod text;
mod view;

pub use action::Action;
pub use area::{Area, AreaSet, Areas, MAX_AREAS};
pub use battle::{Faces, MAX_DICE, SIDES, attacker_wins, roll, win_probability, winning_rolls};
pub use chance::{Chance, Roll};
pub use deal::Deal;
pub use drawing::{draw, letter};
pub use game::{DiceWars, Setup};
pub use generator::generate_map;
pub use hex::Hex;
pub use map::{Map, MapError};
pub use opening::Opening;
pub use player::Player;
pub use position::{End, Placed, Position, Stage};
pub use rules::{
    AreaCount, MOST_NEW_DICE, MOST_TURNS, MapChoice, Ownership, Rules, StartDice, Undecided,
};
pub use state::State;
pub use view::View;
