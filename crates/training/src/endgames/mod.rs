//! Building of endgame tables of draughts: solving them class by class, and writing the file from
//! which [bots](botyard_bots::draughts::endgames) read them.

mod build;
mod counts;
mod whole;

pub use build::{Build, BuildError};
pub use counts::{ClassCounts, Counts, TotalCounts};
pub use whole::{BuildStep, Built, build};
