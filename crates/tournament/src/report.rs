//! What a report on a tournament needs besides its standings: the games, the conditions under which
//! they were played, and when they began. Read from the store alone, so that a tournament can be
//! reported on while it runs, and after its bots are gone.

use crate::conditions::{clocks_of, time};
use crate::directory::{store_file, tighten};
use crate::results::{Input, Results};
use botyard_league::store::{SqliteStore, Store};
use botyard_league::tournament_file::Sandbox;
use botyard_league::{Entrant, GameKind, PlayedGame};
use botyard_protocol::OnFault;
use botyard_runner::{Error, rules_in_words};
use std::path::Path;

/// A tournament with its results and its games.
pub struct Report {
    /// The results.
    pub results: Results,
    /// The games between the bots of the standings, in the order of the schedule, void ones too. A
    /// seat has the index of its bot in `entrants`.
    pub games: Vec<PlayedGame>,
    /// The bots of the standings, as [`BotStanding::entrant`] counts them, with their full names.
    ///
    /// [`BotStanding::entrant`]: botyard_league::standings::BotStanding::entrant
    pub entrants: Vec<Entrant>,
    /// For each bot of the definition, its index in `entrants`; `None` if it was replaced.
    pub active: Vec<Option<usize>>,
    /// The kind of the game's seats, and how its points count.
    pub kind: GameKind,
    /// The name of the format.
    pub format: String,
    /// The preset of the rules, and the changes to it.
    pub rules: String,
    /// The clock, and what follows a fault.
    pub clock: String,
    /// How the file wants bots to be contained. Replays have the tier in which they were.
    pub sandbox: String,
    /// The number of games of the schedule, at least in a knockout; `None` for a tournament of
    /// version 0.1.0.
    pub scheduled: Option<u64>,
    /// When it began, in seconds since 1970 (UTC), if that was recorded.
    pub began: Option<u64>,
}

impl Report {
    /// Reads the report on the tournament in a directory, which may be being played.
    ///
    /// # Errors
    ///
    /// The directory contains no tournament, or the store cannot be read.
    pub fn read(directory: &Path) -> Result<Report, Error> {
        tighten(directory);
        let store = SqliteStore::open_to_read(&store_file(directory))?;
        let report = Report::of(&store)?;
        Ok(Report { results: report.results.linked_to(directory), ..report })
    }

    /// Reads the report from a store.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn of(store: &dyn Store) -> Result<Report, Error> {
        let (results, Input { tournament, games, entrants, active }) =
            Results::with_input(store, None)?;
        let file = &tournament.file;
        let preset = file.rules.as_ref().map(|rules| rules.value.as_str());
        let kept = results.definition.kept.as_ref().and_then(|kept| kept.game.as_ref());
        let kept_preset = kept.map(|game| game.preset.as_str());
        let on_fault = match time(file).on_fault {
            OnFault::Forfeit => "a fault forfeits the game",
            OnFault::Retry => "a fault is retried",
            OnFault::Substitute => "a fault is replaced by a random action",
        };
        let began = store.audit()?.into_iter().find(|entry| entry.what == "began");
        let scheduled = tournament.full_schedule(&results.definition)?;
        Ok(Report {
            format: file.format.value.name().to_string(),
            rules: rules_in_words(&file.game.value, preset.or(kept_preset), &tournament.changes)?,
            clock: format!("{}; {on_fault}", clocks_of(file)),
            sandbox: sandbox_in_words(&file.sandbox),
            scheduled: scheduled.map(|schedule| schedule.games()),
            began: began.map(|entry| entry.at),
            kind: tournament.kind,
            results,
            games,
            entrants,
            active,
        })
    }
}

/// Describes what the file says of the sandbox.
fn sandbox_in_words(sandbox: &Sandbox) -> String {
    match (&sandbox.command, sandbox.mode.as_deref()) {
        (Some(_), _) => "a command of the host",
        (None, Some("none")) => "none",
        (None, Some("strict")) => "tier B or better",
        (None, _) => "the strongest tier of the host",
    }
    .into()
}
