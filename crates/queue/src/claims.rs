//! Leases: a worker has a block for a time.

use crate::Queue;
use crate::database::Statements;
use crate::values::{Columns, hexadecimal, json};
use botyard_league::schedule::Block;
use botyard_league::store::{Cell, StoreError};
use rand::TryRng;
use rand::rngs::SysRng;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The most leases that one call ends because they have expired.
const EXPIRED_AT_ONCE: i64 = 1000;

/// What a worker asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The name of the worker, unique in the queue.
    pub worker: String,
    /// The most blocks.
    pub blocks: u32,
    /// How long the leases last unless they are renewed.
    pub ttl: Duration,
    /// The tournament; any if `None`.
    pub tournament: Option<String>,
}

/// A block that a worker has for a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// The secret by which the worker shows that it has the lease: 32 hexadecimal digits.
    pub token: String,
    /// The id of the tournament.
    pub tournament: String,
    /// The generation of the games: 0 as first scheduled.
    pub generation: u32,
    /// The number of the block, from 1.
    pub block: u32,
    /// Its bots, in the order of the seats of its first game.
    pub line_up: Vec<usize>,
    /// The number of earlier blocks of this line-up.
    pub repeat: u32,
    /// The games to be played.
    pub games: Vec<LeasedGame>,
}

/// A game of a block that is to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeasedGame {
    /// The rotation of the line-up, from 0.
    pub rotation: u32,
    /// The number of the next attempt, from 1: earlier ones were void.
    pub attempt: u32,
    /// The index of the bot at whose turn the last attempt was void.
    pub void_at: Option<usize>,
}

/// A lease that has expired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expired {
    /// The tournament.
    pub tournament: String,
    /// The number of the block.
    pub block: u32,
    /// The worker that had the lease.
    pub worker: String,
}

impl Lease {
    /// Returns the block.
    pub fn block(&self) -> Block {
        Block { number: self.block, line_up: self.line_up.clone(), repeat: self.repeat }
    }
}

/// Returns the rotations of a block that are to be played: all, or those of a rejudge.
pub fn rotations(line_up: &[usize], rejudged: Option<&str>) -> Result<Vec<u32>, StoreError> {
    match rejudged {
        Some(rotations) => serde_json::from_str(rotations)
            .map_err(|error| StoreError::Damaged(format!("the rotations of a block: {error}"))),
        None => Ok((0..line_up.len() as u32).collect()),
    }
}

fn token() -> Result<String, StoreError> {
    let mut bytes = [0; 16];
    SysRng.try_fill_bytes(&mut bytes).map_err(|error| StoreError::Host(error.to_string()))?;
    Ok(hexadecimal(&bytes))
}

impl Queue {
    /// Gives a worker up to this many blocks, and records that the worker lives. Expired leases end
    /// first. If the connection is lost while this runs, leases may be made that the caller never
    /// gets; they expire.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    pub fn claim(&self, request: &Request) -> Result<Vec<Lease>, StoreError> {
        let Request { worker, blocks, ttl, tournament } = request;
        let ttl = i64::try_from(ttl.as_millis()).unwrap_or(i64::MAX / 4);
        let now = self.dialect.now;
        let tokens: Vec<String> = (0..*blocks).map(|_| token()).collect::<Result<_, _>>()?;
        self.transaction(|statements| {
            self.seen(statements, worker)?;
            self.end_expired(statements)?;
            let mut values: Vec<Cell> = vec![i64::from(*blocks).into()];
            let only = match tournament {
                Some(id) => {
                    values.push(id.into());
                    " AND tournament = $2"
                }
                None => "",
            };
            let ready = statements.rows(
                &format!(
                    "SELECT tournament, generation, block, line_up, repeat, rotations FROM blocks
                     WHERE state = 'ready'
                         AND tournament IN (SELECT id FROM tournaments WHERE state = 'open'){only}
                     ORDER BY priority DESC, tournament, generation, block LIMIT $1{}",
                    self.dialect.skip_locked
                ),
                &values,
            )?;
            let mut leases = Vec::with_capacity(ready.len());
            for (row, token) in ready.iter().zip(&tokens) {
                let place = [row[0].clone(), row[1].clone(), row[2].clone()];
                let [id, generation, block] = place.clone();
                statements.execute(
                    &format!(
                        "UPDATE blocks SET state = 'leased', lease = $4, expires_at = {now} + $5
                         WHERE tournament = $1 AND generation = $2 AND block = $3"
                    ),
                    &[id.clone(), generation.clone(), block.clone(), token.into(), ttl.into()],
                )?;
                statements.execute(
                    &format!(
                        "INSERT INTO leases(token, tournament, generation, block, worker, claimed_at, games, voids)
                         VALUES ($1, $2, $3, $4, $5, {now}, 0, 0)"
                    ),
                    &[token.into(), id, generation, block, worker.into()],
                )?;
                leases.push(lease(statements, token, row, &place)?);
            }
            Ok(leases)
        })
    }

    /// Renews the leases of a worker, and records that the worker lives. Returns the tokens of those
    /// that it still has.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    pub fn heartbeat(
        &self,
        worker: &str,
        tokens: &[String],
        ttl: Duration,
    ) -> Result<Vec<String>, StoreError> {
        let now = self.dialect.now;
        let ttl = i64::try_from(ttl.as_millis()).unwrap_or(i64::MAX / 4);
        self.transaction(|statements| {
            self.seen(statements, worker)?;
            let mut held = Vec::new();
            for token in tokens {
                let renewed = statements.execute(
                    &format!(
                        "UPDATE blocks SET expires_at = {now} + $3
                         WHERE state = 'leased' AND lease = $1 AND (tournament, generation, block) IN (
                             SELECT tournament, generation, block FROM leases
                             WHERE token = $1 AND worker = $2 AND ended_at IS NULL)"
                    ),
                    &[token.into(), worker.into(), ttl.into()],
                )?;
                if renewed > 0 {
                    held.push(token.clone());
                }
            }
            Ok(held)
        })
    }

    /// Gives back leases whose blocks were not played. Leases that the worker does not have any more
    /// are passed over.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    pub fn release(&self, worker: &str, tokens: &[String]) -> Result<(), StoreError> {
        self.transaction(|statements| {
            self.seen(statements, worker)?;
            for token in tokens {
                let sql = "SELECT token FROM leases WHERE token = $1 AND worker = $2";
                if statements.row(sql, &[token.into(), worker.into()])?.is_some() {
                    self.end_lease(statements, token, "released")?;
                }
            }
            Ok(())
        })
    }

    /// Ends leases that have expired, so that other workers get their blocks. [`Queue::claim`] does
    /// the same.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    pub fn reap_expired(&self) -> Result<Vec<Expired>, StoreError> {
        self.transaction(|statements| self.end_expired(statements))
    }

    /// Records what a worker says of itself: its host, version, cores and speed.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    pub fn introduce(&self, worker: &str, about: &serde_json::Value) -> Result<(), StoreError> {
        let now = self.dialect.now;
        let about = json(about)?;
        self.transaction(|statements| {
            statements.execute(
                &format!(
                    "INSERT INTO workers(name, first_seen, last_seen, about)
                     VALUES ($1, {now}, {now}, $2)
                     ON CONFLICT (name) DO UPDATE SET last_seen = {now}, about = $2"
                ),
                &[worker.into(), about.as_str().into()],
            )?;
            Ok(())
        })
    }

    /// Records that a worker lives.
    pub(crate) fn seen(
        &self,
        statements: &mut dyn Statements,
        worker: &str,
    ) -> Result<(), StoreError> {
        let now = self.dialect.now;
        statements.execute(
            &format!(
                "INSERT INTO workers(name, first_seen, last_seen, about)
                 VALUES ($1, {now}, {now}, '{{}}')
                 ON CONFLICT (name) DO UPDATE SET last_seen = {now}"
            ),
            &[worker.into()],
        )?;
        Ok(())
    }

    fn end_expired(&self, statements: &mut dyn Statements) -> Result<Vec<Expired>, StoreError> {
        let found = statements.rows(
            &format!(
                "SELECT tournament, block, lease FROM blocks
                 WHERE state = 'leased' AND expires_at < {} LIMIT $1{}",
                self.dialect.now, self.dialect.skip_locked
            ),
            &[EXPIRED_AT_ONCE.into()],
        )?;
        let mut expired = Vec::with_capacity(found.len());
        for row in found {
            let row = Columns(&row);
            let token = row.text(2)?;
            self.end_lease(statements, &token, "expired")?;
            let sql = "SELECT worker FROM leases WHERE token = $1";
            let worker = statements.row(sql, &[token.into()])?;
            let worker = worker.and_then(|worker| Columns(&worker).optional_text(0));
            expired.push(Expired {
                tournament: row.text(0)?,
                block: row.number(1)?,
                worker: worker.unwrap_or_default(),
            });
        }
        Ok(expired)
    }

    /// Ends a lease whose block was not completed, if it is held.
    fn end_lease(
        &self,
        statements: &mut dyn Statements,
        token: &str,
        outcome: &str,
    ) -> Result<(), StoreError> {
        statements.execute(
            "UPDATE blocks SET state = 'ready', lease = NULL, expires_at = NULL
             WHERE state = 'leased' AND lease = $1 AND (tournament, generation, block) IN (
                 SELECT tournament, generation, block FROM leases WHERE token = $1)",
            &[token.into()],
        )?;
        let now = self.dialect.now;
        statements.execute(
            &format!(
                "UPDATE leases SET ended_at = {now}, outcome = $2
                 WHERE token = $1 AND ended_at IS NULL"
            ),
            &[token.into(), outcome.into()],
        )?;
        Ok(())
    }
}

/// Returns the lease of a block that was found ready.
fn lease(
    statements: &mut dyn Statements,
    token: &str,
    row: &[Cell],
    place: &[Cell],
) -> Result<Lease, StoreError> {
    let row = Columns(row);
    let line_up: Vec<usize> = row.json(3)?;
    let mut games: Vec<LeasedGame> = rotations(&line_up, row.optional_text(5).as_deref())?
        .into_iter()
        .map(|rotation| LeasedGame { rotation, attempt: 1, void_at: None })
        .collect();
    // Games of the block that were played before: those with a result are not played again.
    let played = statements.rows(
        "SELECT rotation, points, places, attempts, seats FROM games
         WHERE tournament = $1 AND generation = $2 AND block = $3",
        place,
    )?;
    for played in &played {
        let played = Columns(played);
        let rotation = played.number(0)?;
        if played.optional_text(1).is_some() {
            games.retain(|game| game.rotation != rotation);
            continue;
        }
        let seat: Option<usize> = match played.optional_text(2) {
            Some(_) => played.json::<Vec<usize>>(2)?.first().copied(),
            None => None,
        };
        let seats: Vec<usize> = played.json(4)?;
        if let Some(game) = games.iter_mut().find(|game| game.rotation == rotation) {
            game.attempt = played.number(3)?.saturating_add(1);
            game.void_at = seat.and_then(|seat| seats.get(seat).copied());
        }
    }
    Ok(Lease {
        token: token.to_string(),
        tournament: row.text(0)?,
        generation: row.number(1)?,
        block: row.number(2)?,
        line_up,
        repeat: row.number(4)?,
        games,
    })
}
