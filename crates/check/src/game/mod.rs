//! Checks of a game whose rules are a program, for its author: what the games of Botyard are tested by,
//! for every program that speaks the rules protocol.
//!
//! [`run`] makes the checks of a [`GameCheckConfig`], and [`examine`] those of a [`Subject`], which needs
//! no directory. The results come in the order of [`GameCheck::ALL`]. All games are drawn from one seed,
//! so that a program that is right passes each time, and one that is wrong fails each time with the same
//! findings, as far as its own answers are the same.

// Each module uses only the modules above it in this list.
mod abilities;
mod again;
mod check;
mod config;
mod draws;
mod forfeits;
mod lab;
mod opening_checks;
mod playouts;
mod program;
mod random_games;
mod refusals;
mod secrets;
mod simultaneous;
mod suggestions;
mod suite;

pub use check::{GameCheck, GameCheckEvent, GameChecked, GameFigures, GameFinding};
pub use config::GameCheckConfig;
pub use lab::GameObserver;
pub use program::Subject;
pub use suite::{examine, run};
