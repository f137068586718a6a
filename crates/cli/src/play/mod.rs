//! `botyard play`: a person plays at the terminal against bots, by the same protocol and referee.
//!
//! To the referee the person is a bot, and the game is played on a thread of its own
//! ([`botyard_runner::play`]); the [`session`] shows what the person's seats are told and answers for them, with a [`face`] for each game. Undo begins the game anew from the
//! record of what was played, up to the person's last decision.

mod arguments;
mod dice_wars;
mod draughts;
mod face;
mod hint;
mod scotland_yard;
mod scotland_yard_step;
mod session;
mod terminal;

pub use arguments::{PlayArgs, RelayArgs};

use crate::failure::{FAILED, Failure};
use crate::installed::programs;
use crate::text::warn;
use botyard_referee::Interrupt;
use botyard_runner::play::{Decision, Left, Party, PlayConfig, Switchboard, listen, play, relay};
use botyard_runner::words::quoted;
use crossbeam_channel::{Receiver, bounded, unbounded};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use session::{Console, Leaving, Session};
use std::path::Path;
use std::process::ExitCode;
use std::{fs, io};
use terminal::{Ink, show};

/// Is the person of a `botyard play` to its referee.
///
/// # Errors
///
/// A socket that nobody listens at.
pub fn run_relay(args: &RelayArgs) -> anyhow::Result<ExitCode> {
    relay(&args.socket)?;
    Ok(ExitCode::SUCCESS)
}

impl From<&PlayArgs> for PlayConfig {
    fn from(args: &PlayArgs) -> PlayConfig {
        PlayConfig {
            game: args.game.clone(),
            seats: args.seats.clone(),
            against: args.against.clone(),
            default_bot: hint::strongest(&args.game).map(String::from),
            start: (&args.start).into(),
            move_ms: args.move_time,
            name: args.name.clone(),
            containment: (&args.containment).into(),
            out: args.out.clone(),
        }
    }
}

/// Plays a game with the person at the terminal.
///
/// The exit code is that of a failed game where it was interrupted by a signal; a game that the
/// person leaves by `quit` or the end of the input is done.
///
/// # Errors
///
/// Arguments that make no game, and what the host cannot do.
pub fn run(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    let party = Party::new(&args.into(), &programs()?)?;
    warn(&party.warnings);
    let typed = terminal::typed();
    let signals = signals(Interrupt::on_signals().map_err(Failure::host)?);
    let console = Console { typed: &typed, signals: &signals, ink: Ink::of_terminal() };
    let mut record: Option<Vec<Decision>> = None;
    loop {
        let Played { leaving, is_over, left } = play_once(&party, console, args.rated, record)?;
        if let Some(error) = left.failed {
            return Err(error.into());
        }
        // Where nothing can be shown the terminal is gone, and there is nobody to tell.
        let Ok(leaving) = leaving else { return Ok(ExitCode::from(FAILED)) };
        if leaving == Leaving::Undo {
            record = Some(taken_back(&party, left.record));
            if let Some(abandoned) = &left.replay {
                // The game goes on under the same name, with what was not taken back.
                fs::remove_file(abandoned).map_err(Failure::host)?;
            }
            continue;
        }
        let is_told = show(&farewell(is_over, left.replay.as_deref())).is_ok();
        return Ok(match leaving {
            Leaving::Interrupted => ExitCode::from(FAILED),
            Leaving::Over | Leaving::Undo | Leaving::Quit if is_told => ExitCode::SUCCESS,
            Leaving::Over | Leaving::Undo | Leaving::Quit => ExitCode::from(FAILED),
        });
    }
}

/// What is said last.
fn farewell(is_over: bool, replay: Option<&Path>) -> String {
    let mut text = String::new();
    if !is_over {
        text.push_str("\nthe game is left unfinished\n");
    }
    if let Some(replay) = replay {
        let path = quoted(&replay.to_string_lossy());
        text.push_str(&format!("replay: {path}\n  botyard replay show {path}\n"));
    }
    text
}

/// One game, or what was played of it until the person took something back or left.
struct Played {
    leaving: io::Result<Leaving>,
    is_over: bool,
    left: Left,
}

fn play_once(
    party: &Party,
    console: Console<'_>,
    rated: bool,
    record: Option<Vec<Decision>>,
) -> anyhow::Result<Played> {
    let switchboard = Switchboard::new().map_err(Failure::host)?;
    let interrupt = Interrupt::new().map_err(Failure::host)?;
    let mut session = Session::new(party, console, rated, record.as_ref().map(Vec::len));
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
            let left = play(party, &switchboard, &record, &interrupt, &sender);
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
    Ok(Played { leaving, is_over: session.is_over(), left })
}

/// What is left of a record without the person's last decision and all that came after it.
fn taken_back(party: &Party, mut record: Vec<Decision>) -> Vec<Decision> {
    let is_own = |decision: &Decision| party.own_seats().any(|own| own == decision.seat);
    let last = record.iter().rposition(is_own).unwrap_or(0);
    record.truncate(last);
    record
}

/// Signals as messages: one for the first of them.
fn signals(interrupt: Interrupt) -> Receiver<()> {
    let (sender, signals) = bounded(1);
    std::thread::spawn(move || {
        loop {
            let mut fds = [PollFd::new(&interrupt, PollFlags::IN)];
            match poll(&mut fds, None) {
                Err(Errno::INTR) => {}
                // Where signals cannot be waited for there is nothing to tell of them.
                Err(_) => return,
                Ok(_) => {
                    // It fails only when nobody listens any more.
                    let _ = sender.send(());
                    return;
                }
            }
        }
    });
    signals
}
