//! The events of a competition as they are stored: the one in force and those before it, how one begins, and how an
//! earlier one is resumed.

use super::about::About;
use super::difference;
use super::outside;
use crate::files::{Json, Statements, now};
use crate::people::audit;
use botyard_league::schedule::Draws;
use botyard_tournament::Setup;
use rusqlite::{OptionalExtension, Row, Transaction, params};

/// An event of a ladder as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    /// Its number.
    pub(crate) id: i64,
    /// The competition.
    pub(crate) competition: i64,
    /// The text of its file.
    pub(crate) text: String,
    /// The source of its draws.
    pub(crate) draws: Draws,
    /// When it began, in seconds since 1970.
    pub(crate) began_at: i64,
}

const SELECT: &str =
    "SELECT id, competition, text, draws, began_at FROM events WHERE kind = 'ladder'";

fn stored(row: &Row<'_>) -> rusqlite::Result<Stored> {
    let Json(draws) = row.get(3)?;
    Ok(Stored {
        id: row.get(0)?,
        competition: row.get(1)?,
        text: row.get(2)?,
        draws,
        began_at: row.get(4)?,
    })
}

/// Returns the event of a competition that is in force.
pub(crate) fn in_force(
    transaction: &Transaction<'_>,
    competition: i64,
) -> rusqlite::Result<Option<Stored>> {
    // Classes of earlier versions have the newest.
    let sql = format!(
        "{SELECT} AND competition = ?1 AND id = COALESCE((SELECT event FROM competitions WHERE id = ?1), id) \
         ORDER BY id DESC LIMIT 1"
    );
    transaction.row(&sql, [competition], stored).optional()
}

/// Returns the events of a competition, the newest first.
pub(crate) fn all(
    transaction: &Transaction<'_>,
    competition: i64,
) -> rusqlite::Result<Vec<Stored>> {
    let sql = format!("{SELECT} AND competition = ?1 ORDER BY id DESC");
    transaction.rows(&sql, [competition], stored)
}

/// Returns the newest event of a competition with the games of this text of its file, other than the one in force.
pub(crate) fn equal_to(
    transaction: &Transaction<'_>,
    about: &About,
    (in_force, text): (i64, &str),
) -> rusqlite::Result<Option<Stored>> {
    let earlier = all(transaction, about.id)?.into_iter().filter(|one| one.id != in_force);
    let keeps = |one: &Stored| difference::between(&about.file, &one.text, text).keeps_games();
    Ok(earlier.into_iter().find(keeps))
}

/// What has happened in an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Played {
    /// The number of its games, those of its finals and practice included.
    pub(crate) games: u64,
    /// Whether it has a final that was not discarded.
    pub(crate) has_final: bool,
    /// Whether the standings of one are published.
    pub(crate) is_published: bool,
}

impl Played {
    /// Returns it in words: "196 games and a published final".
    pub(crate) fn in_words(self) -> String {
        let games = botyard_runner::words::counted(self.games, "game");
        match (self.has_final, self.is_published) {
            (_, true) => format!("{games} and a published final"),
            (true, false) => format!("{games} and a final"),
            (false, false) => games,
        }
    }

    /// Returns whether there is nothing that could be lost.
    pub(crate) fn is_nothing(self) -> bool {
        self.games == 0 && !self.has_final
    }
}

/// Returns what has happened in an event.
pub(crate) fn played(transaction: &Transaction<'_>, event: i64) -> rusqlite::Result<Played> {
    /// The finals of the event that were not discarded.
    const FINALS: &str = "SELECT id FROM events WHERE of = ?1 AND kind = 'final' AND NOT EXISTS \
                          (SELECT 1 FROM steps WHERE event = events.id AND step = 'discarded')";
    let games: i64 = transaction.value(
        "SELECT COUNT(*) FROM games JOIN events ON events.id = games.event \
         WHERE events.id = ?1 OR events.of = ?1",
        [event],
    )?;
    let is_any = |sql: String| transaction.value::<bool>(&sql, [event]);
    Ok(Played {
        games: games.unsigned_abs(),
        has_final: is_any(format!("SELECT EXISTS ({FINALS})"))?,
        is_published: is_any(format!(
            "SELECT EXISTS (SELECT 1 FROM steps WHERE step = 'standings' AND event IN ({FINALS}))"
        ))?,
    })
}

/// Why another event comes into force.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Why<'a> {
    /// Who wants it; `None`: the site.
    pub(crate) person: Option<i64>,
    /// The reason; empty: none was asked for.
    pub(crate) reason: &'a str,
}

/// Begins an event of a competition: the active versions are queued again. Returns its number.
pub(crate) fn begin(
    transaction: &Transaction<'_>,
    about: &About,
    setup: &Setup,
    why: Why<'_>,
) -> rusqlite::Result<i64> {
    let ended = in_force(transaction, about.id)?;
    transaction.execute(
        "INSERT INTO events(text, draws, commitment, began_at, competition) \
         VALUES (?1, ?2, ?3, ?4, ?5)",
        params![setup.text, Json(&setup.draws), setup.draws.commitment(), now(), about.id],
    )?;
    let id = transaction.last_insert_rowid();
    let again = transaction.execute(
        "UPDATE submissions SET state = 'queued', attempts = 0, reason = '', ended_at = NULL \
         WHERE id IN (SELECT submission FROM active WHERE competition = ?1)",
        [about.id],
    )?;
    supersede(transaction, about.id)?;
    transaction.change("DELETE FROM active WHERE competition = ?1", [about.id])?;
    let what = format!("event {id}: {again} active versions pass the gate again");
    put_in_force(transaction, (about, id), ended, "began an event", &what, why)?;
    Ok(id)
}

/// Resumes an earlier event of a competition: its versions play again, and newer ones pass its gate first.
pub(crate) fn resume(
    transaction: &Transaction<'_>,
    about: &About,
    event: &Stored,
    why: Why<'_>,
) -> rusqlite::Result<()> {
    /// The versions that have played in the event.
    const ITS: &str = "SELECT submission FROM entrants WHERE event = ?2";
    let ended = in_force(transaction, about.id)?;
    let both = [about.id, event.id];
    transaction.change(
        &format!(
            "UPDATE submissions SET state = 'queued', attempts = 0, reason = '', ended_at = NULL \
             WHERE id IN (SELECT submission FROM active WHERE competition = ?1) AND id NOT IN ({ITS})"
        ),
        both,
    )?;
    transaction.change(
        &format!(
            "UPDATE submissions SET state = 'accepted', reason = '', event = ?2 \
             WHERE competition = ?1 AND bundle IS NOT NULL AND id IN ({ITS})"
        ),
        both,
    )?;
    transaction.change("DELETE FROM active WHERE competition = ?1", [about.id])?;
    transaction.change(
        "INSERT INTO active SELECT team, ?1, id FROM submissions AS its WHERE competition = ?1 \
         AND event = ?2 AND state = 'accepted' AND decision IS NOT 'withdraw' AND NOT EXISTS \
         (SELECT 1 FROM submissions WHERE team = its.team AND competition = ?1 AND event = ?2 \
         AND state = 'accepted' AND decision IS NOT 'withdraw' AND version > its.version)",
        both,
    )?;
    supersede(transaction, about.id)?;
    let what = format!("event {} with the settings of the file", event.id);
    put_in_force(transaction, (about, event.id), ended, "resumed an event", &what, why)
}

/// Gives up versions of a competition that wait while a newer one does.
fn supersede(transaction: &Transaction<'_>, competition: i64) -> rusqlite::Result<()> {
    transaction.change(
        "UPDATE submissions SET state = 'superseded' WHERE state = 'queued' AND competition = ?1 \
         AND EXISTS (SELECT 1 FROM submissions AS newer WHERE newer.team = submissions.team \
         AND newer.competition = submissions.competition \
         AND newer.state IN ('queued', 'working') AND newer.version > submissions.version)",
        [competition],
    )
}

/// Puts an event in force. Blocks of the one that ends are no longer played elsewhere.
fn put_in_force(
    transaction: &Transaction<'_>,
    (about, event): (&About, i64),
    ended: Option<Stored>,
    what: &str,
    detail: &str,
    why: Why<'_>,
) -> rusqlite::Result<()> {
    let sql = "UPDATE competitions SET event = ?2 WHERE id = ?1";
    transaction.change(sql, [about.id, event])?;
    let mut detail = format!("{}: {detail}", about.shown());
    if let Some(ended) = ended.filter(|ended| ended.id != event) {
        outside::end_of_event(transaction, ended.id)?;
        let played = played(transaction, ended.id)?.in_words();
        detail = format!("{detail}; event {} ended with {played}", ended.id);
    }
    if !why.reason.is_empty() {
        detail = format!("{detail}: {}", why.reason);
    }
    audit::note(transaction, why.person, what, &detail)
}

/// Stores another text of the file of an event, whose games are the same.
pub(crate) fn adopt_text(
    transaction: &Transaction<'_>,
    event: i64,
    text: &str,
) -> rusqlite::Result<()> {
    transaction.change("UPDATE events SET text = ?2 WHERE id = ?1 OR of = ?1", params![event, text])
}
