//! Rejudges: games that a teacher chooses are played again from the same starts, and their results are
//! held apart. Then the teacher sees what would change, and applies or drops them. One rejudge is open at
//! a time; old results are always kept.

use crate::competition::ladder::{self, OpenBlock};
use crate::error::SiteError;
use crate::files::{Json, Statements, now};
use botyard_league::schedule::GameKey;
use botyard_league::{PlayedGame, Verdict};
use rusqlite::{OptionalExtension, Row, Transaction, params};
use std::collections::BTreeMap;

/// Which games are chosen. All that is given has to hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Choice {
    /// The event of the ladder or of the final.
    pub event: i64,
    /// An entrant that played.
    pub entrant: Option<i64>,
    /// The host that played it.
    pub host: Option<String>,
    /// Not before this moment, in seconds since 1970.
    pub from: Option<i64>,
    /// Before this moment.
    pub until: Option<i64>,
}

/// A rejudge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rejudge {
    /// Its number, which is the generation of its games.
    pub id: i64,
    /// The event.
    pub event: i64,
    /// Which games, in words.
    pub choice: String,
    /// Why.
    pub reason: String,
    /// Who began it.
    pub person: String,
    /// When, in seconds since 1970.
    pub at: i64,
    /// `open`, `applied` or `dropped`.
    pub state: String,
    /// Why and when it was applied or dropped, and by whom.
    pub decided: Option<(String, i64, String)>,
    /// The number of its games.
    pub games: u64,
    /// How many were played again.
    pub played: u64,
}

impl Rejudge {
    /// Returns whether it waits for a decision.
    pub(crate) fn is_open(&self) -> bool {
        self.state == "open"
    }

    /// Returns whether all its games were played again.
    pub(crate) fn is_complete(&self) -> bool {
        self.played == self.games
    }
}

/// A game that was played again.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    /// The ID of the old game.
    pub old_id: String,
    /// The old game.
    pub old: PlayedGame,
    /// The ID of the new game.
    pub new_id: String,
    /// The new game.
    pub new: PlayedGame,
}

impl Pair {
    /// Returns whether the points differ.
    pub(crate) fn is_different(&self) -> bool {
        self.old.verdict != self.new.verdict
    }
}

const CHOSEN: &str = "FROM games JOIN blocks ON blocks.event = games.event AND blocks.number = block \
                      WHERE games.event = ?1 AND state = 'played' \
                      AND (?2 IS NULL OR EXISTS (SELECT 1 FROM seats WHERE game = games.id AND entrant = ?2)) \
                      AND (?3 IS NULL OR host = ?3) AND (?4 IS NULL OR games.at >= ?4) \
                      AND (?5 IS NULL OR games.at < ?5)";

/// Returns the number of games that are chosen.
pub(crate) fn count(transaction: &Transaction<'_>, choice: &Choice) -> rusqlite::Result<u64> {
    let Choice { event, entrant, host, from, until } = choice;
    transaction
        .value::<i64>(
            &format!("SELECT COUNT(*) {CHOSEN}"),
            params![event, entrant, host, from, until],
        )
        .map(i64::unsigned_abs)
}

/// Returns the hosts that have played games of an event.
pub(crate) fn hosts(transaction: &Transaction<'_>, event: i64) -> rusqlite::Result<Vec<String>> {
    transaction.rows(
        "SELECT DISTINCT host FROM games WHERE event = ?1 AND host <> '' ORDER BY host",
        [event],
        |row| row.get(0),
    )
}

/// Begins a rejudge of the chosen games. Returns its number.
///
/// # Errors
///
/// Another one is open, or no game is chosen.
pub(crate) fn begin(
    transaction: &Transaction<'_>,
    choice: &Choice,
    words: &str,
    reason: &str,
    person: i64,
) -> Result<i64, SiteError> {
    if let Some(open) = open(transaction)? {
        return Err(SiteError::Wrong(format!(
            "The rejudge {} is open: apply or drop it first.",
            open.id
        )));
    }
    if count(transaction, choice)? == 0 {
        return Err(SiteError::wrong("No game is chosen."));
    }
    transaction.execute(
        "INSERT INTO rejudges(event, choice, reason, person, at, state) VALUES (?1, ?2, ?3, ?4, ?5, 'open')",
        params![choice.event, words, reason, person, now()],
    )?;
    let id = transaction.last_insert_rowid();
    let Choice { event, entrant, host, from, until } = choice;
    let sql = format!(
        "INSERT INTO rejudged(rejudge, block, rotation, old_id, old_game) \
         SELECT ?6, block, rotation, games.id, game {CHOSEN}"
    );
    transaction.execute(&sql, params![event, entrant, host, from, until, id])?;
    Ok(id)
}

const SELECT: &str = "SELECT rejudges.id, event, choice, reason, people.name, rejudges.at, state, decided_reason, \
                      decided_at, decider.name, \
                      (SELECT COUNT(*) FROM rejudged WHERE rejudge = rejudges.id), \
                      (SELECT COUNT(new_id) FROM rejudged WHERE rejudge = rejudges.id) \
                      FROM rejudges JOIN people ON people.id = rejudges.person \
                      LEFT JOIN people AS decider ON decider.id = decided_by";

fn rejudge(row: &Row<'_>) -> rusqlite::Result<Rejudge> {
    let (reason, at, by): (Option<String>, Option<i64>, Option<String>) =
        (row.get(7)?, row.get(8)?, row.get(9)?);
    Ok(Rejudge {
        id: row.get(0)?,
        event: row.get(1)?,
        choice: row.get(2)?,
        reason: row.get(3)?,
        person: row.get(4)?,
        at: row.get(5)?,
        state: row.get(6)?,
        decided: reason.zip(at).map(|(reason, at)| (reason, at, by.unwrap_or_default())),
        games: row.get::<_, i64>(10)?.unsigned_abs(),
        played: row.get::<_, i64>(11)?.unsigned_abs(),
    })
}

/// Returns all rejudges, the newest first.
pub(crate) fn all(transaction: &Transaction<'_>) -> rusqlite::Result<Vec<Rejudge>> {
    let sql = format!("{SELECT} ORDER BY rejudges.id DESC");
    transaction.rows(&sql, [], rejudge)
}

/// Returns the rejudge with this number.
pub(crate) fn find(transaction: &Transaction<'_>, id: i64) -> rusqlite::Result<Option<Rejudge>> {
    let sql = format!("{SELECT} WHERE rejudges.id = ?1");
    transaction.row(&sql, [id], rejudge).optional()
}

/// Returns the rejudge that is open.
pub(crate) fn open(transaction: &Transaction<'_>) -> rusqlite::Result<Option<Rejudge>> {
    let sql = format!("{SELECT} WHERE state = 'open'");
    transaction.row(&sql, [], rejudge).optional()
}

/// Returns the first blocks of a rejudge with games that are to be played again and were not handed out. What is not
/// to be played is in `played`.
pub(crate) fn open_blocks(
    transaction: &Transaction<'_>,
    rejudge: &Rejudge,
    most: u32,
) -> rusqlite::Result<Vec<OpenBlock>> {
    open_blocks_of(transaction, (rejudge.id, rejudge.event), None, most)
}

/// The same of those that were handed out in a batch, if one is given.
pub(crate) fn open_blocks_of(
    transaction: &Transaction<'_>,
    (rejudge, event): (i64, i64),
    batch: Option<&str>,
    most: u32,
) -> rusqlite::Result<Vec<OpenBlock>> {
    let rows: Vec<(u32, Json<Vec<i64>>, u32)> = transaction.rows(
        "SELECT number, line_up, COALESCE(repeat, number - 1) FROM blocks WHERE event = ?1 \
         AND number IN (SELECT DISTINCT block FROM rejudged WHERE rejudge = ?2 AND new_id IS NULL \
         AND batch IS ?4 ORDER BY block LIMIT ?3) ORDER BY number",
        params![event, rejudge, most, batch],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    )?;
    let mut blocks = Vec::new();
    for (number, Json(line_up), repeat) in rows {
        let due: Vec<u32> = transaction.rows(
            "SELECT rotation FROM rejudged WHERE rejudge = ?1 AND block = ?2 AND new_id IS NULL \
             AND batch IS ?3",
            params![rejudge, number, batch],
            |row| row.get(0),
        )?;
        let played = (0..line_up.len() as u32).filter(|rotation| !due.contains(rotation)).collect();
        blocks.push(OpenBlock { number, line_up, repeat, played });
    }
    Ok(blocks)
}

/// Hands out the games of these blocks in a batch.
pub(crate) fn hand_out(
    transaction: &Transaction<'_>,
    rejudge: i64,
    blocks: &[OpenBlock],
    batch: &str,
) -> rusqlite::Result<()> {
    for block in blocks {
        transaction.change(
            "UPDATE rejudged SET batch = ?3 WHERE rejudge = ?1 AND block = ?2 AND new_id IS NULL \
             AND batch IS NULL",
            params![rejudge, block.number, batch],
        )?;
    }
    Ok(())
}

/// Stores the new result of a game, unless the rejudge was decided meanwhile.
pub(crate) fn add_game(
    transaction: &Transaction<'_>,
    id: i64,
    key: GameKey,
    (new_id, attempts): (&str, u32),
    game: &PlayedGame,
    host: &str,
) -> rusqlite::Result<()> {
    transaction.change(
        "UPDATE rejudged SET new_id = ?4, new_game = ?5, attempts = ?6, host = ?7, at = ?8, batch = NULL \
         WHERE rejudge = ?1 AND block = ?2 AND rotation = ?3 AND new_id IS NULL \
         AND (SELECT state FROM rejudges WHERE id = ?1) = 'open'",
        params![id, key.block, key.rotation, new_id, Json(game), attempts, host, now()],
    )
}

/// Returns the games of a rejudge that were played again, by block and rotation.
pub(crate) fn pairs(transaction: &Transaction<'_>, id: i64) -> rusqlite::Result<Vec<Pair>> {
    transaction.rows(
        "SELECT old_id, old_game, new_id, new_game FROM rejudged \
         WHERE rejudge = ?1 AND new_id IS NOT NULL ORDER BY block, rotation",
        [id],
        |row| {
            let (Json(old), Json(new)) = (row.get(1)?, row.get(3)?);
            Ok(Pair { old_id: row.get(0)?, old, new_id: row.get(2)?, new })
        },
    )
}

/// Returns the games of an event with the new results of a rejudge in place of the old ones.
pub(crate) fn replaced(games: &[PlayedGame], pairs: &[Pair]) -> Vec<PlayedGame> {
    // A game is known by its replay, or else by its block and seats: no two of a block have the same.
    type Key<'a> = (u32, &'a [usize]);
    let new: BTreeMap<Key<'_>, &PlayedGame> =
        pairs.iter().map(|pair| ((pair.old.block, &pair.old.seats[..]), &pair.new)).collect();
    games
        .iter()
        .map(|game| (*new.get(&(game.block, &game.seats[..])).unwrap_or(&game)).clone())
        .collect()
}

/// Applies an open rejudge: its new results replace the old ones.
///
/// # Errors
///
/// It is decided or not complete.
pub(crate) fn apply(
    transaction: &Transaction<'_>,
    id: i64,
    reason: &str,
    person: i64,
) -> Result<Rejudge, SiteError> {
    let rejudge = undecided(transaction, id)?;
    if !rejudge.is_complete() {
        return Err(SiteError::Wrong(format!(
            "{} of {} games were played again: wait for the others, or drop the rejudge.",
            rejudge.played, rejudge.games
        )));
    }
    let pairs = pairs(transaction, id)?;
    for pair in &pairs {
        transaction.change("DELETE FROM seats WHERE game = ?1", [&pair.old_id])?;
    }
    transaction.execute(
        "UPDATE games SET id = new_id, game = new_game, attempts = new.attempts, host = new.host, at = new.at \
         FROM rejudged AS new WHERE new.rejudge = ?1 AND games.event = ?2 AND games.block = new.block \
         AND games.rotation = new.rotation",
        [id, rejudge.event],
    )?;
    for pair in &pairs {
        ladder::add_seats(transaction, &pair.new_id, &pair.new)?;
    }
    decide(transaction, id, "applied", reason, person)?;
    Ok(rejudge)
}

/// Drops an open rejudge: the old results stay.
///
/// # Errors
///
/// It is decided.
pub(crate) fn drop_open(
    transaction: &Transaction<'_>,
    id: i64,
    reason: &str,
    person: i64,
) -> Result<Rejudge, SiteError> {
    let rejudge = undecided(transaction, id)?;
    decide(transaction, id, "dropped", reason, person)?;
    Ok(rejudge)
}

fn undecided(transaction: &Transaction<'_>, id: i64) -> Result<Rejudge, SiteError> {
    let found = find(transaction, id)?.filter(Rejudge::is_open);
    found.ok_or_else(|| SiteError::wrong("This rejudge is not open."))
}

fn decide(
    transaction: &Transaction<'_>,
    id: i64,
    state: &str,
    reason: &str,
    person: i64,
) -> rusqlite::Result<()> {
    transaction.execute(
        "UPDATE rejudges SET state = ?2, decided_reason = ?3, decided_by = ?4, decided_at = ?5 WHERE id = ?1",
        params![id, state, reason, person, now()],
    )?;
    Ok(())
}

/// Returns a game that is not among the results: one that a rejudge replaced or has played again.
pub(crate) fn find_game(
    transaction: &Transaction<'_>,
    id: &str,
) -> rusqlite::Result<Option<PlayedGame>> {
    transaction
        .row(
            "SELECT CASE old_id WHEN ?1 THEN old_game ELSE new_game END FROM rejudged \
             WHERE old_id = ?1 OR new_id = ?1 LIMIT 1",
            [id],
            |row| row.get(0).map(|Json(game)| game),
        )
        .optional()
}

/// Returns the verdict of a game for people: the points in seat order.
pub(crate) fn in_words(game: &PlayedGame) -> String {
    match &game.verdict {
        Verdict::Scored { points, .. } => {
            points.iter().map(f64::to_string).collect::<Vec<_>>().join(" : ")
        }
        Verdict::Void => "void".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::files::database::testing::database;
    use crate::people;

    fn game(block: u32, seats: [usize; 2], points: [f64; 2]) -> PlayedGame {
        let places = if points[0] > points[1] { vec![1, 2] } else { vec![2, 1] };
        PlayedGame {
            block,
            seats: seats.to_vec(),
            verdict: Verdict::Scored { points: points.to_vec(), places },
            void_at: None,
            turns: 7,
            uses: Vec::new(),
            faults: Vec::new(),
            replay: None,
        }
    }

    #[test]
    fn chosen_games_get_new_results_when_they_are_applied_and_old_ones_are_kept() {
        let checked = database().transaction(|transaction| {
            transaction.execute_batch(
                "INSERT INTO events(id, text, draws, began_at) VALUES (1, '', '', 0);
                 INSERT INTO entrants(id, event, reference) VALUES (1, 1, 'a'), (2, 1, 'b'), (3, 1, 'c')",
            )?;
            let person = people::first_admin(transaction)?;
            let mut record = ladder::Record::default();
            for (number, line_up) in [(1, [1, 2]), (2, [1, 3]), (3, [2, 3])] {
                record.begin(transaction, 1, &ladder::choice_of(&line_up.map(i64::from)))?;
                let [one, other] = line_up.map(|it| it as usize);
                for (rotation, seats) in [(0, [one, other]), (1, [other, one])] {
                    let key = GameKey { generation: 0, block: number, rotation };
                    let id = format!("g{number}-{rotation}");
                    let game = game(number, seats, [1.0, 0.0]);
                    ladder::add_game(transaction, 1, key, (&id, 1), &game, crate::competition::host::name())?;
                }
            }
            let of = |entrant| Choice { event: 1, entrant, ..Choice::default() };
            assert_eq!(count(transaction, &of(None))?, 6);
            assert_eq!(count(transaction, &of(Some(3)))?, 4);
            let other = Choice { host: Some("elsewhere".into()), ..of(None) };
            assert_eq!(count(transaction, &other)?, 0);
            let here = Choice { host: Some(crate::competition::host::name().into()), ..of(None) };
            assert_eq!(count(transaction, &here)?, 6);
            assert_eq!(count(transaction, &Choice { until: Some(5), ..of(None) })?, 0);
            assert_eq!(count(transaction, &Choice { from: Some(5), ..of(None) })?, 6);
            assert!(begin(transaction, &other, "", "", person).is_err(), "nothing is chosen");

            let id = begin(transaction, &of(Some(3)), "c", "disk full", person)?;
            assert!(begin(transaction, &of(None), "", "", person).is_err(), "one is open");
            let open = open(transaction)?.expect("it is open");
            assert_eq!((open.games, open.played), (4, 0));
            let blocks = open_blocks(transaction, &open, 9)?;
            assert_eq!(blocks.iter().map(|it| it.number).collect::<Vec<_>>(), [2, 3]);
            assert!(blocks.iter().all(|it| it.played.is_empty()));
            assert!(apply(transaction, id, "", person).is_err(), "it is not complete");
            for (number, line_up) in [(2, [1, 3]), (3, [2, 3])] {
                for (rotation, seats) in [(0, line_up), (1, [line_up[1], line_up[0]])] {
                    let key = GameKey { generation: 1, block: number, rotation };
                    // The second game of the second block has another result.
                    let points = if (number, rotation) == (2, 1) { [0.0, 1.0] } else { [1.0, 0.0] };
                    let (new, new_id) = (game(number, seats, points), format!("n{number}-{rotation}"));
                    add_game(transaction, id, key, (&new_id, 1), &new, "here")?;
                }
            }
            let all = pairs(transaction, id)?;
            let different: Vec<&str> =
                all.iter().filter(|it| it.is_different()).map(|it| &*it.new_id).collect();
            assert_eq!(different, ["n2-1"]);
            let before = ladder::games_of_event(transaction, 1, None)?;
            let after = replaced(&before, &all);
            assert_ne!(before, after);
            apply(transaction, id, "it is right", person)?;
            assert_eq!(ladder::games_of_event(transaction, 1, None)?, after);
            assert!(ladder::find_game(transaction, "n2-1")?.is_some());
            assert!(ladder::find_game(transaction, "g2-1")?.is_none());
            let old = find_game(transaction, "g2-1")?.expect("it is kept");
            assert_eq!(in_words(&old), "1 : 0");
            let chosen = ladder::ChosenGames { most: 9, ..Default::default() };
            assert_eq!(ladder::games_of(transaction, 3, chosen)?.len(), 4);
            let decided = find(transaction, id)?.expect("it is kept");
            assert!(decided.state == "applied" && decided.decided.is_some());
            assert!(drop_open(transaction, id, "", person).is_err(), "it is decided");

            let id = begin(transaction, &of(Some(1)), "a", "again", person)?;
            drop_open(transaction, id, "no need", person)?;
            assert_eq!(ladder::games_of_event(transaction, 1, None)?, after);
            Ok::<(), SiteError>(())
        });
        checked.expect("SQLite works");
    }
}
