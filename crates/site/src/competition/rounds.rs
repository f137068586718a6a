//! A thread that works in rounds, with a pause after each.

use botyard_referee::Interrupt;
use botyard_runner::Error;
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// A thread that works in rounds. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Rounds {
    interrupt: Interrupt,
    thread: Option<JoinHandle<()>>,
}

impl Rounds {
    /// Starts a thread, which begins after a pause. A round returns how long the pause after it is.
    ///
    /// # Errors
    ///
    /// The host cannot start a thread.
    pub(super) fn start(
        name: &str,
        mut pause: Duration,
        mut round: impl FnMut(&Interrupt) -> Duration + Send + 'static,
    ) -> Result<Rounds, Error> {
        let interrupt = Interrupt::new().map_err(Error::host)?;
        let own = interrupt.clone();
        let rounds = move || {
            while !own.is_raised_within(pause) {
                pause = round(&own);
            }
        };
        let thread = Builder::new().name(name.to_string()).spawn(rounds).map_err(Error::host)?;
        Ok(Rounds { interrupt, thread: Some(thread) })
    }
}

impl Drop for Rounds {
    fn drop(&mut self) {
        self.interrupt.raise();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
