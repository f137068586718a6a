//! What a worker is started with.

use std::path::PathBuf;
use std::time::Duration;

/// The options of a worker.
#[derive(Clone, Debug)]
pub struct Options {
    /// The directory of copies, unsent results and running games.
    pub cache: PathBuf,
    /// The name, unique in the queue. `None`: that of the host, with a number if it has several
    /// workers.
    pub name: Option<String>,
    /// The group that a name of the host begins with: a token of a coordinator is for its workers.
    pub group: Option<String>,
    /// The number of games at once. `None`: one less than the number of cores.
    pub concurrency: Option<u16>,
    /// How long a lease lasts unless it is renewed.
    pub ttl: Duration,
    /// The free space, in bytes, below which no block is claimed.
    pub least_free: u64,
    /// Whether the worker ends when no block is left that it could play.
    pub drain: bool,
    /// The only tournament to play; all if `None`.
    pub tournament: Option<String>,
    /// How often the host is measured; never if `None`.
    pub calibration: Option<Duration>,
}

impl Options {
    /// How long a lease lasts unless another time is given.
    pub const TTL: Duration = Duration::from_secs(120);

    /// The free space that is kept unless another size is given, in bytes.
    pub const LEAST_FREE: u64 = 512 << 20;

    /// How often a host is measured unless another time is given.
    pub const CALIBRATION: Duration = Duration::from_secs(3600);

    /// Returns the usual options, with this cache.
    pub fn new(cache: PathBuf) -> Options {
        Options {
            cache,
            name: None,
            group: None,
            concurrency: None,
            ttl: Options::TTL,
            least_free: Options::LEAST_FREE,
            drain: false,
            tournament: None,
            calibration: Some(Options::CALIBRATION),
        }
    }
}
