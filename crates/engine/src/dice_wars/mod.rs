//! Dice Wars: players hold the areas of a map with one to eight dice each, attack their neighbours,
//! and get as many new dice after a turn as their largest connected region has areas.

mod area;
mod drawing;
mod generator;
mod hex;
mod map;

pub use area::{Area, AreaSet, Areas, MAX_AREAS};
pub use drawing::{draw, fill, letter};
pub use generator::generate_map;
pub use hex::Hex;
pub use map::{Map, MapError};
