//! A thread that works in rounds, with a pause after each.

use botyard_referee::Interrupt;
use botyard_runner::Error;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// The pause of a thread for which the host has no file descriptors.
const RECOVER: Duration = Duration::from_secs(10);

/// A thread that works in rounds. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Rounds {
    interrupt: Interrupt,
    /// The interrupt of the round that runs. Games that fail raise it, to end those beside them.
    of_round: Arc<Mutex<Interrupt>>,
    thread: Option<JoinHandle<()>>,
}

impl Rounds {
    /// Starts a thread, which begins after a pause. A round returns how long the pause after it is.
    ///
    /// # Errors
    ///
    /// The host cannot start a thread.
    pub(crate) fn start(
        name: &str,
        mut pause: Duration,
        mut round: impl FnMut(&Interrupt) -> Duration + Send + 'static,
    ) -> Result<Rounds, Error> {
        let interrupt = Interrupt::new().map_err(Error::host)?;
        let of_round = Arc::new(Mutex::new(Interrupt::new().map_err(Error::host)?));
        let (own, shared) = (interrupt.clone(), Arc::clone(&of_round));
        let rounds = move || {
            while !own.is_raised_within(pause) {
                pause = match unraised(&shared) {
                    // It may have been raised meanwhile, when the round had none yet.
                    Ok(_) if own.is_raised() => break,
                    Ok(of_round) => round(&of_round),
                    Err(_) => RECOVER,
                };
            }
        };
        let thread = Builder::new().name(name.to_string()).spawn(rounds).map_err(Error::host)?;
        Ok(Rounds { interrupt, of_round, thread: Some(thread) })
    }
}

/// Returns the interrupt of the next round, which is a new one if the last round ended by its own.
fn unraised(of_round: &Mutex<Interrupt>) -> std::io::Result<Interrupt> {
    let mut of_round = of_round.lock().unwrap_or_else(PoisonError::into_inner);
    if of_round.is_raised() {
        *of_round = Interrupt::new()?;
    }
    Ok(of_round.clone())
}

impl Drop for Rounds {
    fn drop(&mut self) {
        self.interrupt.raise();
        self.of_round.lock().unwrap_or_else(PoisonError::into_inner).raise();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn a_round_that_raises_its_interrupt_ends_itself_alone() {
        let (ended, rounds) = channel();
        let thread = Rounds::start("rounds", Duration::ZERO, move |interrupt| {
            let _ = ended.send(interrupt.is_raised());
            interrupt.raise();
            Duration::ZERO
        });
        let thread = thread.expect("a thread");
        let first: Vec<bool> = rounds.iter().take(3).collect();
        assert_eq!(first, [false; 3]);
        drop(thread);
        assert!(rounds.iter().all(|was_raised| !was_raised), "the thread has ended");
    }
}
