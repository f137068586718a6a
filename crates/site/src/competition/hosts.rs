//! The hosts that have played the games of a class, compared with each other by the rule of
//! [`botyard_queue`]: a class may move to another host, and the host of a site is one of them.

use crate::files::{Json, Statements};
use botyard_league::{PlayedGame, Verdict};
use botyard_protocol::FaultKind;
use botyard_queue::{
    CRASHES, Difference, LargestResidual, WorkerStatus, differences, largest_residuals,
};
use rusqlite::{Transaction, params};
use serde_json::Value;

/// Returns the hosts that differ from their peers, with the smallest p-value first.
pub(crate) fn differing(transaction: &Transaction<'_>) -> rusqlite::Result<Vec<Difference>> {
    Ok(differences(&counts(transaction)?))
}

/// Returns the residual of each host in an event that has one, by name.
pub(crate) fn residuals(
    transaction: &Transaction<'_>,
    event: i64,
) -> rusqlite::Result<Vec<LargestResidual>> {
    let sql = "SELECT host, block, game FROM games WHERE event = ?1 AND host <> ''";
    let games = transaction.rows(sql, [event], |row| {
        let Json(game) = row.get::<_, Json<PlayedGame>>(2)?;
        Ok(match game.verdict {
            Verdict::Scored { points, .. } => Some((row.get(0)?, row.get(1)?, game.seats, points)),
            Verdict::Void => None,
        })
    })?;
    Ok(largest_residuals(games.into_iter().flatten()))
}

/// Returns what has happened to the games of each host; nothing if there is one alone, which cannot differ.
fn counts(transaction: &Transaction<'_>) -> rusqlite::Result<Vec<WorkerStatus>> {
    let hosts: Vec<String> =
        transaction
            .rows("SELECT DISTINCT host FROM games WHERE host <> ''", [], |row| row.get(0))?;
    if hosts.len() < 2 {
        return Ok(Vec::new());
    }
    hosts.into_iter().map(|host| of_host(transaction, host)).collect()
}

fn of_host(transaction: &Transaction<'_>, host: String) -> rusqlite::Result<WorkerStatus> {
    // Every attempt but the last was void.
    let (games, voids): (i64, i64) = transaction.row(
        "SELECT COUNT(*), COALESCE(SUM(attempts - 1), 0) FROM games WHERE host = ?1",
        [&host],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let with = |kinds: &[FaultKind]| -> rusqlite::Result<u64> {
        let names: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
        let names = Json(names);
        let count: i64 = transaction.value(
            "SELECT COUNT(*) FROM games WHERE host = ?1 \
             AND EXISTS (SELECT 1 FROM seats WHERE game = games.id AND faults > 0) \
             AND EXISTS (SELECT 1 FROM json_each(games.game, '$.faults') AS fault \
             JOIN json_each(?2) AS name ON json_extract(fault.value, '$[1]') = name.value)",
            params![host, names],
        )?;
        Ok(count.unsigned_abs())
    };
    let (timeouts, crashes) = (with(&[FaultKind::Timeout])?, with(&CRASHES)?);
    Ok(WorkerStatus {
        name: host,
        about: Value::Null,
        silent_ms: 0,
        leases: 0,
        games: (games + voids).unsigned_abs(),
        voids: voids.unsigned_abs(),
        expired: 0,
        timeouts,
        crashes,
        rechecked: 0,
        rechecks_differ: 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::competition::ladder;
    use crate::files::database::testing::database;
    use botyard_league::schedule::GameKey;
    use botyard_queue::Measure;

    #[test]
    fn a_host_whose_bots_lose_by_time_more_often_is_named() {
        let checked = database().transaction(|transaction| {
            transaction.execute_batch(
                "INSERT INTO events(id, text, draws, began_at) VALUES (1, '', '', 0);
                 INSERT INTO entrants(id, event, reference) VALUES (1, 1, 'a'), (2, 1, 'b')",
            )?;
            let mut record = ladder::Record::default();
            for number in 1..=300u32 {
                record.begin(transaction, 1, &ladder::choice_of(&[1, 2]))?;
                // On the last host a fifth of the games has a timeout, elsewhere a hundredth.
                let host = ["a", "b", "slow"][number as usize % 3];
                let is_late = number % if host == "slow" { 5 } else { 100 } == 0;
                let game = PlayedGame {
                    block: number,
                    seats: vec![1, 2],
                    verdict: Verdict::Scored { points: vec![1.0, 0.0], places: vec![1, 2] },
                    void_at: None,
                    turns: 7,
                    uses: Vec::new(),
                    faults: if is_late { vec![(1, FaultKind::Timeout)] } else { Vec::new() },
                    replay: None,
                };
                let key = GameKey { generation: 0, block: number, rotation: 0 };
                let id = format!("g{number}");
                ladder::add_game(transaction, 1, key, (&id, 1), &game, "here")?;
                transaction
                    .execute("UPDATE games SET host = ?2 WHERE id = ?1", params![id, host])?;
            }
            let named = differing(transaction)?;
            assert_eq!(named.len(), 1, "{named:?}");
            assert_eq!((named[0].worker.as_str(), named[0].measure), ("slow", Measure::Timeouts));
            // A block is compared when all its games have results.
            assert_eq!(residuals(transaction, 1)?, []);
            let second = "INSERT INTO games(event, block, rotation, id, attempts, game, at, host)
                SELECT event, block, 1, id || 'b', attempts, game, at, host FROM games";
            transaction.execute(second, [])?;
            assert_eq!(residuals(transaction, 1)?, [], "all games end alike");
            // On the host `b` the second bot wins.
            let reversed = "UPDATE games SET game =
                json_set(game, '$.verdict', json('{\"scored\":{\"points\":[0,1],\"places\":[2,1]}}'))
                WHERE host = 'b'";
            transaction.execute(reversed, [])?;
            let found = residuals(transaction, 1)?;
            let deviates: Vec<&str> =
                found.iter().filter(|it| it.deviates).map(|it| &*it.residual.worker).collect();
            assert!(deviates.contains(&"b"), "{found:?}");
            transaction.execute("UPDATE games SET host = 'one'", [])?;
            assert_eq!(residuals(transaction, 1)?, [], "one alone has no peers");
            assert_eq!(differing(transaction)?, [], "one alone has no peers");
            Ok::<(), rusqlite::Error>(())
        });
        checked.expect("SQLite works");
    }
}
