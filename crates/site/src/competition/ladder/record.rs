//! What was played in the ladder of an event: in the database, and in memory for statistics and the
//! choice of the next block.

use super::choice::{Chosen, Contender, Played, Reason, WINDOW};
use super::entrants::LadderEntrant;
use super::standing::Standing;
use crate::files::{Json, Statements, now};
use botyard_league::PlayedGame;
use botyard_league::schedule::GameKey;
use rusqlite::{OptionalExtension, Row, Transaction, params};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// What was played.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    /// The games, whose seats are entrants.
    pub games: Vec<PlayedGame>,
    /// The number of blocks of each entrant.
    blocks: HashMap<i64, u32>,
    meetings: BTreeMap<(i64, i64), u32>,
    /// The last blocks: of a burst, the team for which it was chosen. Versions may be replaced since, and
    /// their bursts count for the team still.
    last: VecDeque<Option<i64>>,
    /// The number of the last block.
    number: u32,
}

/// A block that is not complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OpenBlock {
    /// Its number.
    pub number: u32,
    /// Its entrants.
    pub line_up: Vec<i64>,
    /// How many earlier blocks had the same line-up.
    pub repeat: u32,
    /// The rotations that have a result.
    pub played: Vec<u32>,
}

impl Record {
    /// Reads what was played in an event.
    pub(crate) fn read(transaction: &Transaction<'_>, event: i64) -> rusqlite::Result<Record> {
        let mut record = Record::default();
        let mut statement = transaction.prepare(
            "SELECT number, line_up, blocks.reason, team FROM blocks \
             JOIN entrants ON entrants.id = blocks.entrant \
             LEFT JOIN submissions ON submissions.id = entrants.submission \
             WHERE blocks.event = ?1 AND blocks.state <> 'dropped' ORDER BY number",
        )?;
        let mut rows = statement.query([event])?;
        while let Some(row) = rows.next()? {
            let Json(line_up) = row.get::<_, Json<Vec<i64>>>(1)?;
            let is_burst = row.get::<_, String>(2)? == Reason::Burst.as_str();
            let team: Option<i64> = row.get(3)?;
            record.add_block(row.get(0)?, &line_up, team.filter(|_| is_burst));
        }
        let last: Option<u32> = transaction.query_row(
            "SELECT MAX(number) FROM blocks WHERE event = ?1",
            [event],
            |row| row.get(0),
        )?;
        record.number = last.unwrap_or(0);
        record.games = games_of_event(transaction, event, None)?;
        Ok(record)
    }

    /// Adds a block; `burst` is the team for which a burst was chosen.
    fn add_block(&mut self, number: u32, line_up: &[i64], burst: Option<i64>) {
        self.number = self.number.max(number);
        for (place, &one) in line_up.iter().enumerate() {
            *self.blocks.entry(one).or_default() += 1;
            for &other in &line_up[place + 1..] {
                *self.meetings.entry((one.min(other), one.max(other))).or_default() += 1;
            }
        }
        self.last.push_back(burst);
        if self.last.len() > WINDOW {
            self.last.pop_front();
        }
    }

    /// Stores a block that was chosen, and returns it.
    pub(crate) fn begin(
        &mut self,
        transaction: &Transaction<'_>,
        event: i64,
        chosen: &Chosen,
    ) -> rusqlite::Result<OpenBlock> {
        let (number, entrant) = (self.number + 1, chosen.line_up[0]);
        let reason = chosen.reason.as_str();
        add_block(transaction, (event, number), &chosen.line_up, reason, None)?;
        let burst = match chosen.reason {
            Reason::Burst => team_of(transaction, entrant)?,
            Reason::Turn => None,
        };
        self.add_block(number, &chosen.line_up, burst);
        // Every block has another opening in turn.
        let (line_up, repeat) = (chosen.line_up.clone(), number - 1);
        Ok(OpenBlock { number, line_up, repeat, played: Vec::new() })
    }

    /// Returns the bots of the ladder as the choice of a block takes them.
    pub(crate) fn contenders(
        &self,
        entrants: &[LadderEntrant],
        standing: &Standing,
    ) -> Vec<Contender> {
        let contender = |entrant: &LadderEntrant| {
            let standing = standing.of(entrant.id);
            let places = standing.and_then(|bot| Some((bot.rank_low?, bot.rank_high?)));
            Contender {
                id: entrant.id,
                team: entrant.team,
                blocks: self.blocks.get(&entrant.id).copied().unwrap_or(0),
                width: places.map_or(usize::MAX, |(low, high)| high - low),
                rating: standing.and_then(|bot| bot.rating).map(|rating| rating.value),
            }
        };
        entrants.iter().map(contender).collect()
    }

    /// Returns what was played, as the choice of a block takes it.
    pub(crate) fn played(&self) -> Played {
        let bursts = self.last.iter().copied().flatten().collect();
        Played { meetings: self.meetings.clone(), bursts }
    }
}

/// Returns the team of an entrant; `None` for a reference.
fn team_of(transaction: &Transaction<'_>, entrant: i64) -> rusqlite::Result<Option<i64>> {
    transaction.value(
        "SELECT team FROM entrants LEFT JOIN submissions ON submissions.id = entrants.submission \
         WHERE entrants.id = ?1",
        [entrant],
    )
}

/// Returns the first blocks of an event that are not complete and were not handed out, this number of
/// them at most.
pub(crate) fn open_blocks(
    transaction: &Transaction<'_>,
    event: i64,
    most: u32,
) -> rusqlite::Result<Vec<OpenBlock>> {
    open_blocks_of(transaction, event, None, most)
}

/// The same of those that were handed out in a batch, if one is given.
pub(crate) fn open_blocks_of(
    transaction: &Transaction<'_>,
    event: i64,
    batch: Option<&str>,
    most: u32,
) -> rusqlite::Result<Vec<OpenBlock>> {
    let mut open: Vec<OpenBlock> = transaction.rows(
        "SELECT number, line_up, COALESCE(repeat, number - 1) FROM blocks \
         WHERE event = ?1 AND state = 'open' AND batch IS ?3 ORDER BY number LIMIT ?2",
        params![event, most, batch],
        |row| {
            let Json(line_up) = row.get(1)?;
            Ok(OpenBlock { number: row.get(0)?, line_up, repeat: row.get(2)?, played: Vec::new() })
        },
    )?;
    for block in &mut open {
        block.played = transaction.rows(
            "SELECT rotation FROM games WHERE event = ?1 AND block = ?2",
            params![event, block.number],
            |row| row.get(0),
        )?;
    }
    Ok(open)
}

/// Adds an open block of an event, of these entrants.
pub(crate) fn add_block(
    transaction: &Transaction<'_>,
    (event, number): (i64, u32),
    line_up: &[i64],
    reason: &str,
    repeat: Option<u32>,
) -> rusqlite::Result<()> {
    transaction.change(
        "INSERT INTO blocks(event, number, line_up, entrant, reason, state, at, repeat) \
         VALUES (?1, ?2, ?3, ?4, ?5, 'open', ?6, ?7)",
        params![event, number, Json(line_up), line_up[0], reason, now(), repeat],
    )
}

/// Adds who played in a game, with the number of their faults.
pub(crate) fn add_seats(
    transaction: &Transaction<'_>,
    id: &str,
    game: &PlayedGame,
) -> rusqlite::Result<()> {
    for (seat, &entrant) in game.seats.iter().enumerate() {
        let faults = game.faults.iter().filter(|(its, _)| *its == seat).count();
        transaction.change(
            "INSERT INTO seats VALUES (?1, ?2, ?3, ?4)",
            params![id, seat as i64, entrant as i64, faults as i64],
        )?;
    }
    Ok(())
}

/// Drops a block: its games do not count.
pub(crate) fn drop_block(
    transaction: &Transaction<'_>,
    event: i64,
    number: u32,
) -> rusqlite::Result<()> {
    transaction.change(
        "UPDATE blocks SET state = 'dropped' WHERE event = ?1 AND number = ?2 AND state = 'open'",
        params![event, number],
    )
}

/// Stores a game that a host has played; the last one of a block of this number of games completes the
/// block.
pub(crate) fn add_game(
    transaction: &Transaction<'_>,
    event: i64,
    key: GameKey,
    (id, attempts): (&str, u32),
    game: &PlayedGame,
    host: &str,
) -> rusqlite::Result<()> {
    transaction.change(
        "INSERT INTO games(event, block, rotation, id, attempts, game, at, host) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![event, key.block, key.rotation, id, attempts, Json(game), now(), host],
    )?;
    add_seats(transaction, id, game)?;
    transaction.change(
        "UPDATE blocks SET state = 'played', batch = NULL WHERE event = ?1 AND number = ?2 \
         AND ?3 = (SELECT COUNT(*) FROM games WHERE event = ?1 AND block = ?2)",
        params![event, key.block, game.seats.len() as i64],
    )
}

/// Returns the games of an event that count, up to this row if one is given.
pub(crate) fn games_of_event(
    transaction: &Transaction<'_>,
    event: i64,
    last: Option<i64>,
) -> rusqlite::Result<Vec<PlayedGame>> {
    transaction.rows(
        "SELECT game FROM games JOIN blocks ON blocks.event = games.event \
         AND blocks.number = block WHERE games.event = ?1 AND state <> 'dropped' \
         AND games.rowid <= ?2 ORDER BY block, rotation",
        [event, last.unwrap_or(i64::MAX)],
        |row| row.get(0).map(|Json(game)| game),
    )
}

/// A game, and what decides who may see it.
#[derive(Clone, Debug)]
pub(crate) struct FoundGame {
    /// The game.
    pub game: PlayedGame,
    /// The team of each seat, in seat order. `None`: a reference.
    pub teams: Vec<Option<i64>>,
    /// The kind of its event: `ladder`, `final` or `practice`.
    pub kind: String,
    /// The event of the ladder that it belongs to.
    pub ladder: i64,
}

/// Returns the game with this ID.
pub(crate) fn find_game(
    transaction: &Transaction<'_>,
    id: &str,
) -> rusqlite::Result<Option<FoundGame>> {
    let teams = || {
        transaction.rows(
            "SELECT submissions.team FROM seats JOIN entrants ON entrants.id = seats.entrant \
             LEFT JOIN submissions ON submissions.id = entrants.submission \
             WHERE seats.game = ?1 ORDER BY seat",
            [id],
            |row| row.get(0),
        )
    };
    let read = |row: &Row<'_>| {
        let Json(game) = row.get(0)?;
        Ok(FoundGame { game, teams: teams()?, kind: row.get(1)?, ladder: row.get(2)? })
    };
    let sql = "SELECT game, kind, COALESCE(of, events.id) FROM games \
               JOIN events ON events.id = games.event WHERE games.id = ?1";
    transaction.row(sql, [id], read).optional()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::competition::ladder::choice::{SHARE, next_block};
    use crate::competition::ladder::of_event;
    use crate::people;
    use crate::site::Site;
    use crate::submissions;
    use crate::submissions::built_ins::programs;

    #[test]
    fn bursts_of_replaced_versions_count_for_their_team() {
        let place = tempfile::tempdir().expect("a directory");
        let site = Site::open(&place.path().join("class"), programs()).expect("a new class");
        let competition = site.competition();
        let (event, standing) = (&competition.event, competition.boards().ladder.clone());
        let checked = site.class.database.transaction(|transaction| {
            let person = people::first_admin(transaction)?;
            let (red, blue) =
                (people::team(transaction, "red")?, people::team(transaction, "blue")?);
            let submit = |team| {
                let id = submissions::add(
                    transaction,
                    (team, person),
                    submissions::Files::uploaded("bot.zip", ""),
                )?;
                submissions::accept(transaction, id, event.id, "{}", "")
            };
            submit(blue)?;
            let mut record = Record::default();
            let mut next = |transaction: &Transaction<'_>| {
                let entrants = of_event(transaction, event)?;
                let contenders = record.contenders(&entrants, &standing);
                let chosen = next_block(&contenders, &record.played(), 2).expect("a block");
                record.begin(transaction, event.id, &chosen)?;
                let one =
                    entrants.iter().find(|one| one.id == chosen.line_up[0]).expect("it plays");
                let read = Record::read(transaction, event.id)?;
                assert_eq!(read.played().bursts, record.played().bursts);
                Ok::<_, rusqlite::Error>((one.team, chosen.reason))
            };
            for _ in 0..WINDOW {
                next(transaction)?;
            }
            // Red replaces its version again and again, before the burst of the last one is over.
            let mut chosen = Vec::new();
            for _ in 0..3 * WINDOW {
                submit(red)?;
                chosen.push(next(transaction)? == (Some(red), Reason::Burst));
            }
            for window in chosen.windows(WINDOW) {
                let own = window.iter().filter(|is_own| **is_own).count();
                assert!(own <= SHARE, "{own} of {WINDOW} blocks: {chosen:?}");
            }
            assert!(chosen.iter().any(|is_own| *is_own));
            Ok::<(), rusqlite::Error>(())
        });
        checked.expect("SQLite works");
    }
}
