//! The common parts of the tests of several crates.
//!
//! [`battery`] tests a game against the contract of [`botyard_engine::Game`]; every game must pass
//! it. [`dice`] is a tiny game with chance and three seats, so that nothing in the engine or the
//! referee silently assumes two seats and no dice; [`hand`] is one with a hidden decision and
//! scores in chips. [`golden`] compares output with a golden file, [`golden_games`] whole games.
//! [`in_memory`] is a referee without processes. [`http`] is a visitor of a site. [`page`] reads tables and examples of the documentation.
//! [`long_checks`] is how many cases a test tries.

pub mod battery;
pub mod copies;
pub mod dice;
pub mod golden;
pub mod golden_games;
pub mod hand;
pub mod http;
pub mod in_memory;
pub mod long_checks;
pub mod page;

pub use long_checks::cases;
