//! An attempt at a game: the referee on a thread of its own, beside the session that shows it to the person.

use botyard_referee::Interrupt;
use botyard_runner::Error;
use botyard_runner::play::{Decision, Left, News, PlayPlan, Switchboard, listen};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::panic::resume_unwind;
use std::thread;
use std::time::Duration;

/// Interrupts the game if the session panics: the game would wait for the person, and the panic for
/// the game.
struct InterruptOnPanic<'a>(&'a Interrupt);

impl Drop for InterruptOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.raise();
        }
    }
}

/// Plays an attempt with `game` until its end, an undo, or the person's leaving. `session` returns what follows, and
/// whether the person has left a game that is not over: it is interrupted then.
///
/// # Errors
///
/// The host has no socket or pipe for the game.
pub fn attempt<T>(
    game: impl FnOnce(&Switchboard, &Interrupt, &Sender<News>) -> Left + Send,
    session: impl FnOnce(&Receiver<News>) -> (T, bool),
) -> Result<(T, Left), Error> {
    let switchboard = Switchboard::new().map_err(Error::host)?;
    let interrupt = Interrupt::new().map_err(Error::host)?;
    let (sender, news) = unbounded();
    let (leaving, left) = thread::scope(|scope| {
        let (switchboard, interrupt) = (&switchboard, &interrupt);
        let listener = sender.clone();
        scope.spawn(move || listen(switchboard, &listener));
        let game = scope.spawn(move || {
            let left = game(switchboard, interrupt, &sender);
            switchboard.give_up();
            left
        });
        let _ends_the_game = InterruptOnPanic(interrupt);
        let (leaving, has_left) = session(&news);
        if has_left {
            interrupt.raise();
        }
        (leaving, game.join())
    });
    Ok((leaving, left.unwrap_or_else(|panic| resume_unwind(panic))))
}

/// Returns a record without the person's last decision and everything after it.
pub fn taken_back(plan: &PlayPlan, mut record: Vec<Decision>) -> Vec<Decision> {
    let is_own = |decision: &Decision| plan.own_seats().any(|own| own == decision.seat);
    let last = record.iter().rposition(is_own).unwrap_or(0);
    record.truncate(last);
    record
}

/// Returns a channel that receives the first signal to this process.
///
/// # Errors
///
/// The host cannot report signals.
pub fn signals() -> Result<Receiver<()>, Error> {
    const A_WHILE: Duration = Duration::from_secs(3600);
    let interrupt = Interrupt::on_signals().map_err(Error::host)?;
    let (sender, signals) = bounded(1);
    thread::spawn(move || {
        while !interrupt.is_raised_within(A_WHILE) {}
        // Sending fails only if the receiver is gone.
        let _ = sender.send(());
    });
    Ok(signals)
}
