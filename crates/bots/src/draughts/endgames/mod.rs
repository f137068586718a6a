//! Endgame tables on disk: the format of the file, building it step by step, where bots look for
//! it, and loading it once. The engine defines the content of the tables and solves them.

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
pub use probe::{Expected, Probed, probe};
pub use whole::{BuildStep, Built, build};
