//! The standings of some bots by their games.

use super::entrants::{LadderEntrant, of_event};
use super::record::Record;
use crate::competition::event::Event;
use crate::files::{Database, Statements, now};
use botyard_league::standings::BotStanding;
use botyard_league::{Entrant, PlayedGame, Standings};
use botyard_runner::Error;
use botyard_tournament::game_kind;
use rusqlite::Transaction;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

/// The standings, and of whom.
#[derive(Clone, Debug)]
pub(crate) struct Standing {
    /// When they were computed, in seconds since 1970.
    pub at: i64,
    /// The standings, with the aliases of teams as names.
    pub standings: Standings,
    /// The bots, by their index in the standings.
    pub entrants: Vec<LadderEntrant>,
    /// The rating of each team at the end of each of the last days, as pairs of seconds since 1970 and
    /// rating; empty if it was not asked for.
    pub trends: BTreeMap<i64, Vec<(u64, f64)>>,
}

/// Which games standings are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Design {
    /// Games of the ladder: the bots meet different opponents, so they are ranked by rating.
    Ladder,
    /// A final, in which all meet the same opponents: they are ranked by their points.
    Final,
}

impl Standing {
    /// Computes the standings of the games between bots that play now: those of replaced versions do
    /// not count.
    ///
    /// # Errors
    ///
    /// The database cannot be used.
    pub(crate) fn compute(
        event: &Event,
        database: &Database,
        record: &Mutex<Record>,
    ) -> Result<Standing, Error> {
        let entrants = database.write(|transaction| of_event(transaction, event))?;
        let games = {
            let record = record.lock().unwrap_or_else(PoisonError::into_inner);
            counted(&entrants, &record.games)
        };
        Standing::of_counted(event, Design::Ladder, entrants, &games, now())
    }

    /// Returns the standings of these bots before any game counts.
    ///
    /// # Errors
    ///
    /// The rules of the event cannot be used.
    pub(crate) fn of_none(event: &Event, entrants: Vec<LadderEntrant>) -> Result<Standing, Error> {
        Standing::of_counted(event, Design::Ladder, entrants, &[], now())
    }

    /// Computes the standings of these bots as of a moment, by the games in which no other plays.
    ///
    /// # Errors
    ///
    /// The rules of the event cannot be used.
    pub(crate) fn of_games(
        event: &Event,
        design: Design,
        entrants: Vec<LadderEntrant>,
        games: &[PlayedGame],
        at: i64,
    ) -> Result<Standing, Error> {
        let games = counted(&entrants, games);
        Standing::of_counted(event, design, entrants, &games, at)
    }

    /// Computes the standings of games whose seats are indices of the bots.
    fn of_counted(
        event: &Event,
        design: Design,
        entrants: Vec<LadderEntrant>,
        games: &[PlayedGame],
        at: i64,
    ) -> Result<Standing, Error> {
        let setup = &event.setup;
        let preset = setup.file.rules.as_ref().map(|rules| rules.value.as_str());
        let (tables, _) = botyard_runner::tables(event.game(), preset, &setup.file.rule, None)?;
        let kind = game_kind(&*tables())?;
        let bots: Vec<Entrant> = entrants.iter().map(LadderEntrant::for_statistics).collect();
        // The draws for intervals do not reveal the secret.
        let seed = setup.draws.tag;
        let computed = match design {
            Design::Ladder => Standings::by_rating,
            Design::Final => Standings::new,
        };
        let standings = computed(event.game(), &setup.seats, kind, &bots, games, seed);
        Ok(Standing { at, standings, entrants, trends: BTreeMap::new() })
    }

    /// Returns the results of an entrant, if it plays.
    pub(crate) fn of(&self, entrant: i64) -> Option<&BotStanding> {
        let index = self.entrants.iter().position(|one| one.id == entrant)?;
        self.standings.bots.iter().find(|bot| bot.entrant == index)
    }
}

/// Returns the games in which no other bot plays, with the index of each bot.
fn counted(entrants: &[LadderEntrant], games: &[PlayedGame]) -> Vec<PlayedGame> {
    let index: HashMap<usize, usize> =
        entrants.iter().enumerate().map(|(index, one)| (one.id as usize, index)).collect();
    let counted = games.iter().filter_map(|game| {
        let seats = game.seats.iter().map(|id| index.get(id).copied());
        Some(PlayedGame { seats: seats.collect::<Option<_>>()?, ..game.clone() })
    });
    counted.collect()
}

/// What standings were computed from: they are computed again only if it has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Inputs {
    /// The event.
    pub event: i64,
    /// The bots, with the names that are shown.
    pub entrants: Vec<LadderEntrant>,
    /// The number of games, the last row, and the time of the newest result.
    games: (i64, i64, i64),
}

impl Inputs {
    /// Reads what the standings of these bots follow from, up to this row of games if one is given.
    pub(crate) fn read(
        transaction: &Transaction<'_>,
        event: i64,
        last: Option<i64>,
        entrants: Vec<LadderEntrant>,
    ) -> rusqlite::Result<Inputs> {
        let games = transaction.row(
            "SELECT COUNT(*), COALESCE(MAX(games.rowid), 0), COALESCE(MAX(games.at), 0) \
             FROM games JOIN blocks ON blocks.event = games.event AND blocks.number = block \
             WHERE games.event = ?1 AND state <> 'dropped' AND games.rowid <= ?2",
            [event, last.unwrap_or(i64::MAX)],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )?;
        Ok(Inputs { event, entrants, games })
    }
}
