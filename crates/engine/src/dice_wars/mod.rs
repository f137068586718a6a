//! Dice Wars: players hold the areas of a map with one to eight dice each, attack their neighbours,
//! and get as many new dice after a turn as their largest connected region has areas.
//!
//! [`Position`] is the small `Copy` core for search and playouts; it goes with a [`Map`]. Areas are
//! bits ([`AreaSet`]), chances of battles are exact ([`win_probability`]), and editions of the game
//! are parameters ([`Rules`]). `docs/games/dice-wars.md` has the rules in words.

mod action;
mod area;
mod battle;
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
pub use drawing::{draw, fill, letter};
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
