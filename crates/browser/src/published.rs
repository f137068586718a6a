//! What pages receive. The session replaces it; every page sends what it lacks.

use std::sync::Arc;

/// What all pages show.
#[derive(Clone, Debug, Default)]
pub(crate) struct Published {
    /// The number of what is shown: another one stands for another game, a game from which
    /// decisions were taken back, or another perspective.
    pub game: u64,
    /// The game as JSON, without its positions. `None`: nothing may be shown.
    pub about: Option<Arc<str>>,
    /// The positions as JSON. The last one may change.
    pub positions: Vec<Arc<str>>,
    /// The state of the game as JSON.
    pub state: Arc<str>,
    /// The replay of a game that is over.
    pub replay: Option<Arc<Recorded>>,
}

/// The replay of a game that is over.
#[derive(Clone, Debug)]
pub(crate) struct Recorded {
    /// The whole of it.
    pub bytes: Vec<u8>,
    /// The seat whose view of it is shown. `None`: everything is shown.
    pub seat: Option<String>,
}
