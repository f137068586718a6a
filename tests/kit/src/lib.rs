//! The common parts of the tests of several crates.
//!
//! [`action_shapes`] are malformed actions that every game must refuse in the words of the bot's author.
//! [`battery`] tests a game against the contract of [`botyard_engine::Game`]; every game must pass
//! it. [`dice`] is a tiny game with chance and three seats, so that nothing in the engine or the
//! referee silently assumes two seats and no dice; [`hand`] is one with a hidden decision and
//! scores in chips. [`golden`] compares output with a golden file, [`golden_games`] whole games.
//! [`in_memory`] is a referee without processes. [`http`] is a visitor of a site. [`page`] reads tables and examples of the documentation.
//! [`mutations`] are changed files, for tests of readers. [`long_checks`] is how many cases a test tries.

pub mod action_shapes;
pub mod battery;
pub mod copies;
pub mod dice;
pub mod golden;
pub mod golden_games;
pub mod hand;
pub mod http;
pub mod in_memory;
pub mod long_checks;
pub mod mutations;
pub mod page;

pub use long_checks::cases;
