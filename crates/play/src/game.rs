//! A game at the terminal, from the first prompt to the result. Undo replays the recorded game up
//! to the person's last decision.

use crate::session::{Console, Leaving, Session};
use crate::terminal::{Ink, typed};
use botyard_referee::Interrupt;
use botyard_runner::Error;
use botyard_runner::play::{Decision, Left, PlayPlan, Switchboard, listen, play};
use crossbeam_channel::{Receiver, bounded, unbounded};
use std::path::PathBuf;
use std::time::Duration;
use std::{fs, io};

/// The outcome of a game at the terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Whether the game ended.
    pub is_over: bool,
    /// Whether a signal interrupted it.
    pub is_interrupted: bool,
    /// Whether the terminal is closed, so that nothing more can be shown.
    pub is_deaf: bool,
    /// Its replay, if one was saved.
    pub replay: Option<PathBuf>,
}

/// Plays a game with the person at standard input and output. `rated`: without hints and undo.
///
/// # Errors
///
/// A bot cannot be started, or the host fails.
pub fn play_at_terminal(plan: &PlayPlan, rated: bool) -> Result<Played, Error> {
    let typed = typed();
    let signals = signals(Interrupt::on_signals().map_err(Error::host)?);
    let console = Console { typed: &typed, signals: &signals, ink: Ink::of_terminal() };
    let mut record: Option<Vec<Decision>> = None;
    loop {
        let Attempt { leaving, is_over, left } = attempt(plan, console, rated, record)?;
        if let Some(error) = left.failed {
            return Err(error);
        }
        if matches!(leaving, Ok(Leaving::Undo)) {
            record = Some(taken_back(plan, left.record));
            if let Some(abandoned) = &left.replay {
                // The continued game has the same id, so its replay has the same name.
                fs::remove_file(abandoned).map_err(Error::host)?;
            }
            continue;
        }
        return Ok(Played {
            is_over,
            is_interrupted: matches!(leaving, Ok(Leaving::Interrupted)),
            is_deaf: leaving.is_err(),
            replay: left.replay,
        });
    }
}

/// A game until its end, an undo or the person's leaving.
struct Attempt {
    leaving: io::Result<Leaving>,
    is_over: bool,
    left: Left,
}

fn attempt(
    plan: &PlayPlan,
    console: Console<'_>,
    rated: bool,
    record: Option<Vec<Decision>>,
) -> Result<Attempt, Error> {
    let switchboard = Switchboard::new().map_err(Error::host)?;
    let interrupt = Interrupt::new().map_err(Error::host)?;
    let mut session = Session::new(plan, console, rated, record.as_ref().map(Vec::len));
    let record = record.unwrap_or_default();
    let (sender, news) = unbounded();
    let (leaving, left) = std::thread::scope(|scope| {
        let listener = sender.clone();
        scope.spawn(|| {
            let listener = listener;
            listen(&switchboard, &listener);
        });
        let game = scope.spawn(|| {
            let sender = sender;
            let left = play(plan, &switchboard, &record, &interrupt, &sender);
            switchboard.give_up();
            left
        });
        let leaving = session.run(&news);
        if !matches!(leaving, Ok(Leaving::Over)) {
            interrupt.raise();
        }
        (leaving, game.join())
    });
    let left = left.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    Ok(Attempt { leaving, is_over: session.is_over(), left })
}

/// Returns a record without the person's last decision and everything after it.
fn taken_back(plan: &PlayPlan, mut record: Vec<Decision>) -> Vec<Decision> {
    let is_own = |decision: &Decision| plan.own_seats().any(|own| own == decision.seat);
    let last = record.iter().rposition(is_own).unwrap_or(0);
    record.truncate(last);
    record
}

/// Turns the first signal into a message.
fn signals(interrupt: Interrupt) -> Receiver<()> {
    const A_WHILE: Duration = Duration::from_secs(3600);
    let (sender, signals) = bounded(1);
    std::thread::spawn(move || {
        while !interrupt.is_raised_within(A_WHILE) {}
        // Sending fails only if the receiver is gone.
        let _ = sender.send(());
    });
    signals
}
