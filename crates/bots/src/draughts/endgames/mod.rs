//! Endgame tables on disk: the format of the file, how it is built step by step, where bots look for
//! it, and that it is loaded once. What is in the tables and how they are solved is the engine's.

mod build;
mod counts;
mod format;
mod place;
mod probe;
mod whole;

pub use build::{Build, BuildError};
pub use counts::{ClassCounts, Counts, TotalCounts};
pub use format::{DamagedBlock, FormatError, VERSION, decode};
pub use place::{FILE_NAME, LoadError, Source, data_file, load, read};
pub use probe::{Probed, probe};
pub use whole::{BuildStep, Built, build};
