//! Output of a tournament and its gate while they run: a progress bar on a terminal, or lines of
//! JSON.

use crate::bars::bar_of_games;
use crate::text::{out, warn};
use botyard_league::store::StoreError;
use botyard_referee::Interrupt;
use botyard_runner::tournament::{Ended, GateGames, KeptGame, Session};
use botyard_runner::words::counted;
use botyard_runner::{Error, JsonLines, Observer};
use indicatif::ProgressBar;
use std::io;

/// The remedy after a failure of the host.
const RESUME: &str = "\nwhen the host works again, run `botyard tournament resume`";

/// How many of the best bots the bar names.
const BOTS_ON_BAR: usize = 3;

/// Plays the games of a session, and shows them as JSON lines or as a bar of the remaining games.
///
/// # Errors
///
/// Those of [`Session::play`], with the remedy.
pub fn play_session(
    session: Session<'_>,
    json: bool,
    interrupt: &Interrupt,
) -> Result<Ended, Error> {
    let ended = match json {
        true => session.play(&mut JsonLines::new(io::stdout()), interrupt),
        false => {
            let bar = bar_of_games(u32::try_from(session.known()).unwrap_or(u32::MAX));
            bar.set_position(session.scored());
            bar.reset_eta();
            let ended = session.play(&mut Shown(bar.clone()), interrupt);
            bar.finish_and_clear();
            ended
        }
    };
    ended.map_err(resumable)
}

/// A progress bar on a terminal, and lines about failures of the host.
struct Shown(ProgressBar);

impl<'a> Observer<Session<'a>> for Shown {
    fn ended(&mut self, session: &Session<'a>, kept: KeptGame) -> Result<(), Error> {
        let Shown(bar) = self;
        let KeptGame { played, stored, again } = kept;
        let say = |line: String| bar.suspend(|| out(&line)).map_err(Error::Output);
        let id = &played.game.id;
        let repeats = played.report.start_repeats();
        if repeats > 0 {
            let times = counted(repeats, "time");
            say(format!("{id}: the host stalled the start of a bot {times}; it was repeated\n"))?;
        }
        if stored.is_scored() {
            bar.inc(1);
        } else {
            let reason = &played.report.outcome.reason;
            let then = if again { "the game is repeated" } else { "it has no result" };
            say(format!("void: {id}, {reason}: the host failed; {then}\n"))?;
        }
        // A knockout schedules more games in later rounds.
        if let Some(length) = bar.length()
            && length < session.scored()
        {
            bar.set_length(session.scored());
        }
        if !bar.is_hidden() {
            bar.set_message(leaders(session));
        }
        Ok(())
    }
}

/// The best bots so far: `anna 75.0%, ben 62.5%`.
fn leaders(session: &Session<'_>) -> String {
    let best = session.leaders().into_iter().take(BOTS_ON_BAR);
    let shown = best.map(|(name, share)| format!("{name} {:.1}%", share * 100.0));
    shown.collect::<Vec<_>>().join(", ")
}

/// The games of a gate as a progress bar, or no output.
pub struct GateShown(Option<ProgressBar>);

/// Shows the gate that `admit` plays, if `has_bar`, and then the warnings that it found.
pub fn show_gate<T>(has_bar: bool, admit: impl FnOnce(&mut GateShown, &mut Vec<String>) -> T) -> T {
    let mut shown = GateShown(has_bar.then(|| bar_of_games(0).with_message("gate")));
    let mut warnings = Vec::new();
    let admitted = admit(&mut shown, &mut warnings);
    if let Some(bar) = shown.0 {
        bar.finish_and_clear();
    }
    warn(&warnings);
    admitted
}

impl<'a> Observer<GateGames<'a>> for GateShown {
    fn ended(&mut self, gate: &GateGames<'a>, (): ()) -> Result<(), Error> {
        if let Some(bar) = &self.0 {
            bar.set_length(gate.games());
            bar.set_position(gate.settled());
        }
        Ok(())
    }
}

/// An error of a tournament that can be resumed, with the remedy.
fn resumable(error: Error) -> Error {
    match error {
        Error::Host(message) => Error::Host(format!("{message}{RESUME}")),
        Error::Store(StoreError::Host(message)) => {
            Error::host(format!("{}{RESUME}", StoreError::Host(message)))
        }
        error => error,
    }
}

/// `Ok` after an interrupt.
///
/// # Errors
///
/// Any other reason of the stop.
pub fn unless_failed(stop: Error) -> Result<(), Error> {
    match stop {
        Error::Interrupted => Ok(()),
        error => Err(resumable(error)),
    }
}
