//! The classes that Python sees.

pub mod game;
pub mod state;
pub mod vector;
