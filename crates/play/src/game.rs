//! A game at the terminal, from the first prompt to the result. Undo replays the recorded game up
//! to the person's last decision.

use crate::attempt::{self, signals, taken_back};
use crate::replica::Replica;
use crate::saving::Saving;
use crate::session::{Console, Leaving, Session};
use crate::terminal::{Ink, Terminal};
use botyard_engine::registry::digest_of;
use botyard_runner::Error;
use botyard_runner::play::{Attempt, Left, PlayPlan, Recording, SavedGame, play};
use std::path::{Path, PathBuf};
use std::{fs, io};
use tempfile::TempDir;

/// The record of a game that ended.
#[derive(Debug)]
pub struct Record {
    /// Its replay.
    pub replay: PathBuf,
    /// The names of the person's seats.
    pub seats: Vec<String>,
    /// The directory of a replay that is not kept: it is removed with the record.
    _scratch: TempDir,
}

/// The outcome of a game at the terminal.
#[derive(Debug)]
pub struct Played {
    /// Whether the game ended.
    pub is_over: bool,
    /// Whether a signal interrupted it.
    pub is_interrupted: bool,
    /// Whether the terminal is closed, so that nothing more can be shown.
    pub is_deaf: bool,
    /// Its replay in the directory of the plan.
    pub replay: Option<PathBuf>,
    /// The file that it was saved in: by the person, or because it was resumed from there. If the
    /// game ended, this is a finished replay.
    pub saved: Option<PathBuf>,
    /// Its record, if the game ended.
    pub record: Option<Record>,
}

/// Plays a game with the person at standard input and output. `rated`: without hints and undo.
///
/// # Errors
///
/// A bot cannot be started, or the host fails.
pub fn play_at_terminal(plan: &PlayPlan, rated: bool) -> Result<Played, Error> {
    play_from(plan, rated, None)
}

/// Resumes a saved game with the person at standard input and output. The file then has the game as
/// the person leaves it.
///
/// # Errors
///
/// A bot cannot be started, or the host fails. The file is then as it was.
pub fn resume_at_terminal(plan: &PlayPlan, saved: &SavedGame) -> Result<Played, Error> {
    play_from(plan, plan.is_rated(), Some(saved))
}

fn play_from(plan: &PlayPlan, rated: bool, saved: Option<&SavedGame>) -> Result<Played, Error> {
    // A game without a directory is recorded too, so that it can be saved.
    let scratch =
        tempfile::Builder::new().prefix("botyard-play-").tempdir().map_err(Error::host)?;
    let directory = plan.out.as_deref().unwrap_or(scratch.path());
    let file = saved.map(|saved| saved.file.clone());
    let saving = Saving::new(plan, plan.replay_in(directory, 1), file);
    let signals = signals()?;
    let ink = Ink::of_terminal();
    let terminal = Terminal::open();
    let console = Console { terminal: &terminal, saving: &saving, signals: &signals, ink };
    let record = saved.map(|saved| saved.record.clone());
    let mut is_resumed = record.is_some();
    let mut next = Attempt::first(record.unwrap_or_default());
    let mut begins = true;
    // The replay before the last decision was taken back.
    let earlier = scratch.path().join("earlier");
    loop {
        let recorded = next.record.len();
        let number = next.number();
        let replay = plan.replay_in(directory, number);
        saving.follow(replay.clone());
        let before = next.clone();
        let Ended { leaving, is_over, left } =
            attempt(plan, console, rated, next, is_resumed, directory, begins)?;
        begins = false;
        is_resumed = true;
        // A game that ended while its record was played must not replace a longer one.
        let is_complete = left.replay.is_some() && left.record.len() >= recorded;
        if !is_complete && left.next.is_none() && earlier.exists() {
            fs::copy(&earlier, &replay).map_err(Error::host)?;
        }
        if let Some(error) = left.failed {
            // A game that was void too often can be resumed from a save.
            if left.is_void && is_complete {
                saving.leave(false)?;
            }
            return Err(error);
        }
        if let (Some(again), Ok(Leaving::Over)) = (left.next, &leaving) {
            if is_complete {
                fs::copy(&replay, &earlier).map_err(Error::host)?;
            }
            next = again;
            continue;
        }
        if matches!(leaving, Ok(Leaving::Undo)) {
            next = before.from_record(taken_back(plan, left.record));
            if let Some(abandoned) = &left.replay {
                // The continued game has the same id, so its replay has the same name.
                fs::copy(abandoned, &earlier).map_err(Error::host)?;
                fs::remove_file(abandoned).map_err(Error::host)?;
            }
            continue;
        }
        if is_over {
            // Those of void attempts too.
            for attempt in 1..=number {
                plan.forget_settings(&plan.replay_in(directory, attempt))?;
            }
        }
        let saved = if is_complete { saving.leave(is_over)? } else { saving.file() };
        let own = plan.own_seats().filter_map(|seat| plan.seats.get(seat).cloned());
        let record = left.replay.clone().filter(|_| is_over);
        let record =
            record.map(|replay| Record { replay, seats: own.collect(), _scratch: scratch });
        return Ok(Played {
            is_over,
            is_interrupted: matches!(leaving, Ok(Leaving::Interrupted)),
            is_deaf: leaving.is_err(),
            replay: left.replay.filter(|_| plan.out.is_some()),
            saved,
            record,
        });
    }
}

/// An attempt until its end, an undo or the person's leaving.
struct Ended {
    leaving: io::Result<Leaving>,
    is_over: bool,
    left: Left,
}

fn attempt(
    plan: &PlayPlan,
    console: Console<'_>,
    rated: bool,
    attempt: Attempt,
    is_resumed: bool,
    directory: &Path,
    begins: bool,
) -> Result<Ended, Error> {
    let recorded = is_resumed.then_some(attempt.record.len());
    let is_program = digest_of((plan.tables)().game()).is_some();
    let recording = is_program.then(|| Recording::new().0);
    let replica = recording.clone().map(Replica::new);
    let mut session = Session::new(plan, console, rated, recorded, begins, replica);
    let (leaving, left) = attempt::attempt(
        |switchboard, interrupt, news| {
            play(plan, switchboard, attempt, directory, recording.as_ref(), interrupt, news)
        },
        |news| {
            let leaving = session.run(news);
            let has_left = !matches!(leaving, Ok(Leaving::Over));
            (leaving, has_left)
        },
    )?;
    Ok(Ended { leaving, is_over: session.is_over(), left })
}
