//! Endgame tables on disk: the format of the file, where bots look for it, and loading it once. The
//! engine defines the content of the tables and solves them; `botyard_training` builds files.

mod blocks;
mod cache;
pub mod format;
mod place;
mod probe;
mod shared_file;

pub use format::{DamagedBlock, FormatError, VERSION, decode};
pub use place::{DEFAULT_MEBIBYTES, FILE_NAME, LoadError, Source, data_file, load, read};
pub use probe::{Expected, Probed, probe};
