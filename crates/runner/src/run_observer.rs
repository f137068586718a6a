//! What a front end shows of a whole run.

use crate::error::Error;
use crate::pool::{GameSource, Observer};

/// Shows a run from before its first game to after its last.
pub trait RunObserver<S: GameSource>: Observer<S> {
    /// The run begins.
    ///
    /// # Errors
    ///
    /// Any error ends the run before its first game.
    fn begun(&mut self, source: &S) -> Result<(), Error>;

    /// The run has ended; `stopped` is the reason if that was before its last game.
    ///
    /// # Errors
    ///
    /// The output cannot be written.
    fn finished(&mut self, source: &S, stopped: Option<&Error>) -> Result<(), Error>;
}
