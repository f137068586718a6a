//! Endgame tables on disk: the format of the file, how it is built step by step, where bots look for
//! it, and that it is loaded once. What is in the tables and how they are solved is the engine's.

mod build;
mod format;
mod place;

pub use build::{Build, BuildError};
pub use format::{DamagedBlock, FormatError, VERSION, decode};
pub use place::{FILE_NAME, LoadError, Source, data_file, load, read};
