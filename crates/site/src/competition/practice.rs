//! Practice: unrated games that a team asks for, against a reference or a bot whose team allows it. They
//! are an event of their own, so they count nowhere.

use crate::competition::event::{Event, begin_part, newest_part};
use crate::competition::ladder::{self, LadderEntrant, OpenBlock, open_blocks};
use crate::competition::running::InPlay;
use crate::error::SiteError;
use crate::files::{Json, Statements, now};
use botyard_league::schedule::Draws;
use botyard_league::{PlayedGame, Verdict};
use rusqlite::{Transaction, params};

/// The most challenges of a team in an hour.
pub(crate) const AN_HOUR: i64 = 10;

/// Whether others may practise against a team's bot.
pub(crate) fn is_allowed(transaction: &Transaction<'_>, team: i64) -> rusqlite::Result<bool> {
    transaction.value("SELECT practice FROM teams WHERE id = ?1", [team])
}

/// Allows others to practise against a team's bot, or ends that.
pub(crate) fn allow(
    transaction: &Transaction<'_>,
    team: i64,
    is_allowed: bool,
) -> rusqlite::Result<()> {
    transaction.change("UPDATE teams SET practice = ?2 WHERE id = ?1", params![team, is_allowed])
}

/// Returns against whom a team may practise: the references, and the bots that play whose teams allow it.
pub(crate) fn opponents(
    transaction: &Transaction<'_>,
    event: &Event,
    team: i64,
) -> rusqlite::Result<Vec<LadderEntrant>> {
    let mut found = Vec::new();
    for entrant in ladder::of_event(transaction, event)? {
        let is_open = match entrant.team {
            None => true,
            Some(other) => other != team && is_allowed(transaction, other)?,
        };
        if is_open {
            found.push(entrant);
        }
    }
    Ok(found)
}

/// Returns against whom a member of a team may play: the team's own bot, and those against which the team may
/// practise.
pub(crate) fn for_people(
    transaction: &Transaction<'_>,
    event: &Event,
    team: i64,
) -> rusqlite::Result<Vec<LadderEntrant>> {
    let playing = ladder::of_event(transaction, event)?;
    let own = playing.into_iter().find(|entrant| entrant.team == Some(team));
    Ok(own.into_iter().chain(opponents(transaction, event, team)?).collect())
}

/// Returns how many challenges a team has made within an hour.
pub(crate) fn within_an_hour(transaction: &Transaction<'_>, team: i64) -> rusqlite::Result<i64> {
    transaction
        .value("SELECT COUNT(*) FROM challenges WHERE team = ?1 AND at > ?2", [team, now() - 3600])
}

/// Queues a block of the team's bot against an opponent of the ladder, by its entrant there. Seats beyond
/// two are taken by the first other references.
///
/// # Errors
///
/// The team has no bot that plays or has used up its challenges, or there is no such opponent.
pub(crate) fn challenge(
    transaction: &Transaction<'_>,
    event: &Event,
    (team, person): (i64, i64),
    opponent: i64,
    draws: Draws,
) -> Result<(), SiteError> {
    let refused = |why: String| Err(SiteError::Wrong(why));
    if within_an_hour(transaction, team)? >= AN_HOUR {
        return refused(format!("A team has {AN_HOUR} challenges in an hour, and yours are used."));
    }
    let playing = ladder::of_event(transaction, event)?;
    let Some(own) = playing.iter().find(|entrant| entrant.team == Some(team)) else {
        return refused("No version of your team plays: submit one first.".to_string());
    };
    let opponents = opponents(transaction, event, team)?;
    let Some(other) = opponents.iter().find(|entrant| entrant.id == opponent) else {
        return refused("This bot does not play, or its team does not allow practice.".to_string());
    };
    let seats = event.setup.seats.len();
    let others =
        opponents.iter().filter(|entrant| entrant.team.is_none() && entrant.id != other.id);
    let line_up: Vec<&LadderEntrant> = [own, other].into_iter().chain(others).take(seats).collect();
    if line_up.len() < seats {
        return refused(format!(
            "The game has {seats} seats, and the event has too few references for them."
        ));
    }
    let part = match newest_part(transaction, event, "practice")? {
        Some((part, _)) => part,
        None => begin_part(transaction, event, "practice", draws)?,
    };
    let mut ids = Vec::new();
    for entrant in line_up {
        let reference = entrant.submission.is_none().then_some(&entrant.name);
        transaction.change(
            "INSERT OR IGNORE INTO entrants(event, submission, reference) VALUES (?1, ?2, ?3)",
            params![part.id, entrant.submission, reference],
        )?;
        let id: i64 = transaction.value(
            "SELECT id FROM entrants WHERE event = ?1 AND submission IS ?2 AND reference IS ?3",
            params![part.id, entrant.submission, reference],
        )?;
        ids.push(id);
    }
    let number: u32 = transaction
        .value("SELECT COALESCE(MAX(number), 0) + 1 FROM blocks WHERE event = ?1", [part.id])?;
    ladder::add_block(transaction, (part.id, number), &ids, "challenge", None)?;
    transaction.change(
        "INSERT INTO challenges(team, person, event, block, at) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![team, person, part.id, number, now()],
    )?;
    Ok(())
}

/// Blocks of an event, and its entrants.
pub(crate) type BlocksOfEvent = (Event, Vec<LadderEntrant>, Vec<OpenBlock>);

/// Returns up to this many of the challenges that have waited longest and are not in play: their event, the entrants,
/// and the blocks. `None`: none waits.
pub(crate) fn next(
    transaction: &Transaction<'_>,
    event: &Event,
    most: usize,
    in_play: &InPlay,
) -> rusqlite::Result<Option<BlocksOfEvent>> {
    let Some((part, _)) = newest_part(transaction, event, "practice")? else { return Ok(None) };
    let read = u32::try_from(most.saturating_add(in_play.blocks.len())).unwrap_or(u32::MAX);
    let mut blocks = open_blocks(transaction, part.id, read)?;
    blocks.retain(|block| !in_play.blocks.contains(&(part.id, block.number)));
    blocks.truncate(most);
    if blocks.is_empty() {
        return Ok(None);
    }
    let entrants = ladder::all(transaction, part.id)?;
    Ok(Some((part, entrants, blocks)))
}

/// A challenge of a team.
#[derive(Clone, Debug)]
pub(crate) struct Challenge {
    /// When, in seconds since 1970.
    pub at: i64,
    /// How far it is: `open`, `played` or `dropped`.
    pub state: String,
    /// The aliases of the bots, the team's own first.
    pub bots: Vec<String>,
    /// The IDs of its games that have ended, each with the points of the team's bot.
    pub games: Vec<(String, Option<f64>)>,
}

/// Returns the newest challenges of a team.
pub(crate) fn of_team(
    transaction: &Transaction<'_>,
    team: i64,
    most: u32,
) -> rusqlite::Result<Vec<Challenge>> {
    transaction.rows(
        "SELECT challenges.at, state, line_up, challenges.event, block FROM challenges \
         JOIN blocks ON blocks.event = challenges.event AND blocks.number = block WHERE team = ?1 \
         ORDER BY challenges.id DESC LIMIT ?2",
        params![team, most],
        |row| {
            let (Json(ids), event) = (row.get::<_, Json<Vec<i64>>>(2)?, row.get(3)?);
            let entrants = ladder::all(transaction, event)?;
            let alias = |id: &i64| {
                let entrant = entrants.iter().find(|entrant| entrant.id == *id);
                entrant.map(|entrant| entrant.alias.clone()).unwrap_or_default()
            };
            let bots = ids.iter().map(alias).collect();
            let games = games_of_block(transaction, (event, row.get(4)?), ids.first().copied())?;
            Ok(Challenge { at: row.get(0)?, state: row.get(1)?, bots, games })
        },
    )
}

/// Returns the IDs of the games of a block that have ended, each with the points of an entrant.
fn games_of_block(
    transaction: &Transaction<'_>,
    (event, block): (i64, i64),
    entrant: Option<i64>,
) -> rusqlite::Result<Vec<(String, Option<f64>)>> {
    transaction.rows(
        "SELECT id, game FROM games WHERE event = ?1 AND block = ?2 ORDER BY rotation",
        [event, block],
        |row| {
            let Json(game) = row.get::<_, Json<PlayedGame>>(1)?;
            let seat = game.seats.iter().position(|&seat| entrant == Some(seat as i64));
            let points = match &game.verdict {
                Verdict::Scored { points, .. } => seat.and_then(|seat| points.get(seat).copied()),
                Verdict::Void => None,
            };
            Ok((row.get(0)?, points))
        },
    )
}
