//! Endgame tables on disk: the format of the file, where bots look for it, and loading it once. The
//! engine defines the content of the tables and solves them; `botyard_training` builds files.

pub mod format;
mod place;
mod probe;

pub use format::{DamagedBlock, FormatError, VERSION, decode};
pub use place::{FILE_NAME, LoadError, Source, data_file, load, read};
pub use probe::{Expected, Probed, probe};
