//! Whether the game of an event is played: not before the checks of `botyard check-game` have passed, and no more after
//! its program has failed, until a teacher resumes it.

use crate::competition::Competition;
use crate::files::{Class, Statements, now};
use crate::submissions::log::Log;
use botyard_check::Observer;
use botyard_check::game::{GameCheck, GameCheckConfig, GameCheckEvent, run};
use botyard_check::{Counts, Status as CheckStatus};
use botyard_referee::Interrupt;
use botyard_runner::game_programs::loaded;
use botyard_runner::words::counted;
use botyard_runner::{Error, Message};
use rusqlite::{OptionalExtension, Transaction, params};
use std::time::{Duration, Instant};

/// How long it is shown which check is being made.
const SHOWN: Duration = Duration::from_millis(300);

/// Whether the game of an event is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// It waits for its checks.
    Waiting,
    /// It is played.
    Open,
    /// A check has failed.
    Failed,
    /// Its program has failed in a game.
    Paused,
}

impl State {
    const ALL: [State; 4] = [State::Waiting, State::Open, State::Failed, State::Paused];

    /// Returns its name.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            State::Waiting => "waiting",
            State::Open => "open",
            State::Failed => "failed",
            State::Paused => "paused",
        }
    }

    /// Returns it in words.
    pub(crate) const fn in_words(self) -> &'static str {
        match self {
            State::Waiting => "is being checked",
            State::Open => "passed its checks",
            State::Failed => "did not pass its checks",
            State::Paused => "is paused: its program failed",
        }
    }
}

/// Whether the game of an event is played, and why not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Status {
    /// Whether it is played.
    pub(crate) state: State,
    /// Why not, or which check is being made; empty if it is.
    pub(crate) reason: String,
    /// Since when, in seconds since 1970.
    pub(crate) at: i64,
}

/// Returns whether the game of an event is played; `None` for a built-in game.
pub(crate) fn status(
    transaction: &Transaction<'_>,
    event: i64,
) -> rusqlite::Result<Option<Status>> {
    let read = |row: &rusqlite::Row<'_>| {
        let name: String = row.get(0)?;
        let state = State::ALL.into_iter().find(|state| state.as_str() == name);
        let state = state.unwrap_or(State::Paused);
        Ok(Status { state, reason: row.get(1)?, at: row.get(2)? })
    };
    transaction
        .row("SELECT state, reason, at FROM event_games WHERE event = ?1", [event], read)
        .optional()
}

fn set(
    transaction: &Transaction<'_>,
    event: i64,
    state: State,
    reason: &str,
) -> rusqlite::Result<()> {
    transaction.change(
        "UPDATE event_games SET state = ?2, reason = ?3, at = ?4 WHERE event = ?1",
        params![event, state.as_str(), reason, now()],
    )
}

/// Lets a game be played again whose program has failed. Returns whether it was paused.
pub(crate) fn resume(transaction: &Transaction<'_>, event: i64) -> rusqlite::Result<bool> {
    let is_paused = status(transaction, event)?.is_some_and(|status| status.state == State::Paused);
    if is_paused {
        set(transaction, event, State::Open, "")?;
    }
    Ok(is_paused)
}

/// Lets a game be checked again whose checks have failed. Returns whether they had.
pub(crate) fn check_again(transaction: &Transaction<'_>, event: i64) -> rusqlite::Result<bool> {
    let has_failed =
        status(transaction, event)?.is_some_and(|status| status.state == State::Failed);
    if has_failed {
        set(transaction, event, State::Waiting, "")?;
    }
    Ok(has_failed)
}

/// Returns the parts of what the checks of a game printed after the one with this number, each with its own.
pub(crate) fn log_after(
    transaction: &Transaction<'_>,
    event: i64,
    last: i64,
) -> rusqlite::Result<Vec<(i64, String)>> {
    transaction.rows(
        "SELECT id, text FROM event_game_log WHERE event = ?1 AND id > ?2 ORDER BY id",
        [event, last],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )
}

/// Makes the checks of the game of the event under the event's rules, and opens the event if they pass.
///
/// # Errors
///
/// An interrupt, or a failure of the host: the game waits then.
pub(in crate::competition) fn check(
    competition: &Competition,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    let (class, setup) = (&competition.class, &competition.event.setup);
    let Some(event) = competition.event.game.as_ref().map(|game| game.event) else { return Ok(()) };
    let program = loaded(competition.event.game());
    let program = program.ok_or_else(|| Error::host("the game of the event is not loaded"))?;
    class.database.write(|transaction| {
        transaction.change("DELETE FROM event_game_log WHERE event = ?1", [event])
    })?;
    class.announce();
    let place = format!("{}/", program.directory.display());
    let log = Log::new(class, &place, move |transaction, text| {
        transaction
            .change("INSERT INTO event_game_log(event, text) VALUES (?1, ?2)", params![event, text])
    });
    let rules = setup.file.rules.as_ref().map(|rules| rules.value.clone());
    let default = competition.event.game.as_ref().map(|game| game.kept.preset.clone());
    let config = GameCheckConfig {
        rules: rules.or(default),
        changes: setup.file.rule.clone(),
        containment: setup.containment(),
        ..GameCheckConfig::new(&program.directory)
    };
    let mut checks = Checks { class, event, log, failed: Vec::new(), shown_at: None };
    let counts = run(&config, &class.programs, interrupt, &mut checks);
    checks.log.flush()?;
    let Counts { failed, not_decided, .. } = match counts {
        Ok(counts) => counts,
        Err(Error::Usage(message)) => {
            checks.failed.push(message.text(class.programs.name));
            Counts { failed: 1, ..Counts::default() }
        }
        Err(error) => return Err(error),
    };
    let failed_checks = checks.failed.join(", ");
    let (state, reason) = match (failed, not_decided) {
        (0, 0) => (State::Open, String::new()),
        (0, _) => (
            State::Failed,
            "The host was too busy to decide some checks. Check again later.".to_string(),
        ),
        _ => (
            State::Failed,
            format!("{} failed: {failed_checks}", counted(checks.failed.len() as u64, "check")),
        ),
    };
    class.database.write(|transaction| set(transaction, event, state, &reason))?;
    class.announce();
    Ok(())
}

/// Pauses the event, because the program of its game failed.
///
/// # Errors
///
/// The database cannot be used.
pub(in crate::competition) fn pause(
    competition: &Competition,
    failure: &Message,
) -> Result<(), Error> {
    let Some(game) = &competition.event.game else { return Ok(()) };
    let reason = failure.text(competition.class.programs.name);
    let set = |transaction: &Transaction<'_>| set(transaction, game.event, State::Paused, &reason);
    competition.class.database.write(set)?;
    competition.class.announce();
    Ok(())
}

/// The output of the checks.
struct Checks<'a> {
    class: &'a Class,
    event: i64,
    log: Log<'a>,
    failed: Vec<String>,
    /// When it was shown which check is being made.
    shown_at: Option<Instant>,
}

impl Observer<GameCheck, GameCheckEvent> for Checks<'_> {
    fn warn(&mut self, _: &[Message]) {}

    fn working(&mut self, check: GameCheck, words: &str) {
        if self.shown_at.is_some_and(|at| at.elapsed() < SHOWN) {
            return;
        }
        self.shown_at = Some(Instant::now());
        let now = format!("{} {words}", check.as_str());
        let set = |it: &Transaction<'_>| set(it, self.event, State::Waiting, now.trim());
        // The results say whether the database can be used.
        let _ = self.class.database.write(set);
        self.class.announce();
    }

    fn event(&mut self, event: GameCheckEvent) -> Result<(), Error> {
        if let GameCheckEvent::GameCheckResult(checked) = &event
            && checked.status == CheckStatus::Failed
        {
            self.failed.push(checked.check.as_str().to_string());
        }
        self.log.add(&event.in_words())
    }
}
