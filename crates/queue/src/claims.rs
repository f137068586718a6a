//! Leases: a worker has a block for a time.

use crate::Queue;
use crate::database::Statements;
use crate::rechecks::{RECHECK, as_leased, owner};
use crate::rows::{ROWS, Rows};
use crate::values::{Columns, hexadecimal, json};
use botyard_league::schedule::Block;
use botyard_league::store::{Cell, StoreError};
use rand::TryRng;
use rand::rngs::SysRng;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::time::Duration;

/// The most leases that one call ends because they have expired.
const EXPIRED_AT_ONCE: i64 = 1000;

/// How far in the future a worker may have been seen, in milliseconds: the database rounds times.
const ROUNDING: i64 = 1000;

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
    /// Tournaments of which the worker takes no blocks, by id.
    #[serde(default)]
    pub except: Vec<String>,
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

/// What the queue has recorded of a lease, whether it is held or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaseRecord {
    /// The worker that has or had it.
    pub worker: String,
    /// The id of the tournament.
    pub tournament: String,
    /// The revision of the tournament's definition, which each change raises.
    pub revision: i64,
    /// The generation of the games.
    pub generation: u32,
    /// The block.
    pub block: Block,
    /// Whether another worker has played it: see [`Queue::set_recheck`].
    pub is_recheck: bool,
    /// Whether the worker has it still.
    pub is_held: bool,
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
pub(crate) fn rotations(line_up: &[usize], rejudged: Option<&str>) -> Result<Vec<u32>, StoreError> {
    match rejudged {
        Some(rotations) => serde_json::from_str(rotations)
            .map_err(|error| StoreError::Damaged(format!("the rotations of a block: {error}"))),
        None => Ok((0..line_up.len() as u32).collect()),
    }
}

/// The number of bytes in the token of a lease.
const TOKEN: usize = 16;

/// Draws tokens for this many leases.
///
/// # Errors
///
/// The system has no random numbers.
pub fn draw_tokens(count: u32) -> Result<Vec<String>, StoreError> {
    let token = |_| {
        let mut bytes = [0; TOKEN];
        SysRng.try_fill_bytes(&mut bytes).map_err(|error| StoreError::Host(error.to_string()))?;
        Ok(hexadecimal(&bytes))
    };
    (0..count).map(token).collect()
}

/// Returns whether text has the form of a lease's token.
fn is_token(text: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    text.len() == 2 * TOKEN && text.bytes().all(is_digit)
}

impl Queue {
    /// Gives a worker up to this many blocks, and records that the worker lives. Expired leases end
    /// first.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    pub fn claim(&self, request: &Request) -> Result<Vec<Lease>, StoreError> {
        self.claim_as(request, &draw_tokens(request.blocks)?)
    }

    /// The same with [tokens](draw_tokens) that the worker has drawn, at least one for each block.
    /// If a claim with one of them was made before, this returns the leases of that claim that the
    /// worker still has, and makes no others: a worker repeats a claim whose answer it did not get.
    ///
    /// # Errors
    ///
    /// [`StoreError::Refused`]: tokens of another form, fewer than blocks, or of another worker.
    /// Other errors are those of the database.
    pub fn claim_as(&self, request: &Request, tokens: &[String]) -> Result<Vec<Lease>, StoreError> {
        let Request { worker, blocks, ttl, .. } = request;
        if tokens.len() < *blocks as usize || !tokens.iter().all(|token| is_token(token)) {
            return Err(StoreError::Refused(format!(
                "expected {blocks} tokens of {} hexadecimal digits for a claim of {blocks} blocks",
                2 * TOKEN
            )));
        }
        let ttl = i64::try_from(ttl.as_millis()).unwrap_or(i64::MAX / 4);
        let now = self.dialect.now;
        self.transaction(|statements| {
            // Two claims of one worker wait for each other here.
            self.seen(statements, worker)?;
            self.end_expired(statements)?;
            if let Some(leases) = claimed_before(statements, worker, tokens)? {
                return Ok(leases);
            }
            let mut values: Vec<Cell> = vec![i64::from(*blocks).into()];
            let allowed = allowed(request, &mut values);
            let ready = statements.rows(
                &format!(
                    "SELECT tournament, generation, block, line_up, repeat, rotations FROM blocks
                     WHERE state = 'ready'{allowed}
                     ORDER BY priority DESC, tournament, generation, block LIMIT $1{}",
                    self.dialect.skip_locked
                ),
                &values,
            )?;
            let claimed: Vec<(&String, Vec<Cell>)> = tokens.iter().zip(ready).collect();
            for claimed in claimed.chunks(ROWS) {
                let mut rows = Rows::default();
                for (token, row) in claimed {
                    let place = row[..3].iter().cloned();
                    rows.add([(*token).into()].into_iter().chain(place).chain([worker.into()]));
                }
                statements.execute(
                    &format!(
                        "INSERT INTO leases(token, tournament, generation, block, worker, claimed_at, games, voids)
                         VALUES {}",
                        rows.places_and(&[now, "0", "0"])
                    ),
                    rows.values(),
                )?;
                let (of_claim, tokens) = leases_of(claimed.iter().map(|(token, _)| *token));
                let mut values = tokens.values().to_vec();
                values.push(ttl.into());
                statements.execute(
                    &format!(
                        "UPDATE blocks SET state = 'leased', expires_at = {now} + ${}, lease = (
                             SELECT token FROM leases
                             WHERE {of_claim} AND leases.tournament = blocks.tournament
                                 AND leases.generation = blocks.generation AND leases.block = blocks.block)
                         WHERE (tournament, generation, block) IN (
                             SELECT tournament, generation, block FROM leases WHERE {of_claim})",
                        values.len()
                    ),
                    &values,
                )?;
            }
            leases(statements, &claimed)
        })
    }

    /// Returns what is recorded of the lease with this token, if there ever was one.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    pub fn lease_record(&self, token: &str) -> Result<Option<LeaseRecord>, StoreError> {
        Ok(self.lease_records(&[token])?.remove(token))
    }

    /// Returns what is recorded of the leases with these tokens, by token.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    pub fn lease_records(
        &self,
        tokens: &[&str],
    ) -> Result<HashMap<String, LeaseRecord>, StoreError> {
        let mut records = HashMap::with_capacity(tokens.len());
        for tokens in tokens.chunks(ROWS) {
            let (of_claim, values) = leases_of(tokens.iter().copied());
            let sql = format!(
                "SELECT l.worker, l.tournament, t.revision, l.generation, l.block, b.line_up, b.repeat,
                     CASE WHEN l.ended_at IS NULL THEN 1 ELSE 0 END, l.token
                 FROM leases l JOIN tournaments t ON t.id = l.tournament JOIN blocks b
                     ON b.tournament = l.tournament AND b.generation = l.generation AND b.block = l.block
                 WHERE l.{of_claim}"
            );
            let rows = self.transaction(|statements| statements.rows(&sql, values.values()))?;
            for row in rows {
                let row = Columns(&row);
                let generation = row.number(3)?;
                let record = LeaseRecord {
                    worker: row.text(0)?,
                    tournament: row.text(1)?,
                    revision: row.integer(2)?,
                    generation: as_leased(generation),
                    is_recheck: generation == RECHECK,
                    block: Block {
                        number: row.number(4)?,
                        line_up: row.json(5)?,
                        repeat: row.number(6)?,
                    },
                    is_held: row.integer(7)? == 1,
                };
                records.insert(row.text(8)?, record);
            }
        }
        Ok(records)
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

    /// Returns the number of blocks, ready or leased, of the open tournaments that a request allows.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    pub fn unfinished(&self, request: &Request) -> Result<u64, StoreError> {
        let mut values = Vec::new();
        let allowed = allowed(request, &mut values);
        let sql =
            format!("SELECT COUNT(*) FROM blocks WHERE state IN ('ready', 'leased'){allowed}");
        let count = self.transaction(|statements| statements.number(&sql, &values))?;
        Ok(u64::try_from(count).unwrap_or_default())
    }

    /// Records what a worker says of itself: its host, version, cores and speed. Earlier
    /// introductions are kept, because results refer to them.
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
            let last = statements.row(LAST_INTRODUCTION, &[worker.into()])?;
            let (number, before) = match &last {
                Some(row) => (Columns(row).integer(0)?, Columns(row).optional_text(1)),
                None => (0, None),
            };
            if before.as_deref() != Some(about.as_str()) {
                statements.execute(
                    &format!(
                        "INSERT INTO introductions(worker, number, at, about)
                         VALUES ($1, $2, {now}, $3)"
                    ),
                    &[worker.into(), (number + 1).into(), about.as_str().into()],
                )?;
            }
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

    /// Makes leases follow a clock that was set back. A worker that was seen in the future renewed its leases
    /// by the clock before, and they would last longer by as much.
    fn follow_clock(&self, statements: &mut dyn Statements) -> Result<(), StoreError> {
        let now = self.dialect.now;
        let ahead = statements.rows(
            &format!(
                "SELECT name, last_seen, last_seen - {now} FROM workers WHERE last_seen > {now} + $1"
            ),
            &[ROUNDING.into()],
        )?;
        for row in ahead {
            let row = Columns(&row);
            let (name, seen, by) = (row.text(0)?, row.integer(1)?, row.integer(2)?);
            let sql =
                "UPDATE workers SET last_seen = last_seen - $3 WHERE name = $1 AND last_seen = $2";
            if statements.execute(sql, &[name.as_str().into(), seen.into(), by.into()])? == 0 {
                // Another claim was faster.
                continue;
            }
            statements.execute(
                "UPDATE blocks SET expires_at = expires_at - $2 WHERE state = 'leased' AND lease IN (
                     SELECT token FROM leases WHERE worker = $1 AND ended_at IS NULL)",
                &[name.into(), by.into()],
            )?;
        }
        Ok(())
    }

    fn end_expired(&self, statements: &mut dyn Statements) -> Result<Vec<Expired>, StoreError> {
        self.follow_clock(statements)?;
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

/// Returns the leases that a worker still has of a claim with these tokens; `None` if there was no
/// such claim.
fn claimed_before(
    statements: &mut dyn Statements,
    worker: &str,
    tokens: &[String],
) -> Result<Option<Vec<Lease>>, StoreError> {
    let mut held = Vec::new();
    let mut is_known = false;
    for some in tokens.chunks(ROWS) {
        let (of_claim, values) = leases_of(some);
        let sql = format!("SELECT worker FROM leases WHERE {of_claim}");
        let known = statements.rows(&sql, values.values())?;
        is_known |= !known.is_empty();
        for row in &known {
            if Columns(row).text(0)? != worker {
                return Err(StoreError::Refused("a token belongs to another worker".to_string()));
            }
        }
        if known.is_empty() {
            continue;
        }
        let sql = format!(
            "SELECT tournament, generation, block, line_up, repeat, rotations, lease FROM blocks
             WHERE state = 'leased' AND (tournament, generation, block) IN (
                 SELECT tournament, generation, block FROM leases WHERE {of_claim})"
        );
        let mut rows = statements.rows(&sql, values.values())?;
        for token in some {
            let its = |row: &Vec<Cell>| row[6].text() == Some(token);
            held.extend(rows.iter().position(its).map(|index| (token, rows.swap_remove(index))));
        }
    }
    match is_known {
        true => Ok(Some(leases(statements, &held)?)),
        false => Ok(None),
    }
}

/// Returns the condition for leases with these tokens, at most [`ROWS`], and its values.
fn leases_of(tokens: impl IntoIterator<Item = impl Into<Cell>>) -> (String, Rows) {
    let mut values = Rows::default();
    values.add(tokens.into_iter().map(Into::into));
    (format!("token IN {}", values.places()), values)
}

/// The last introduction of a worker: its number and the text.
pub(crate) const LAST_INTRODUCTION: &str =
    "SELECT number, about FROM introductions WHERE worker = $1 ORDER BY number DESC LIMIT 1";

/// Returns the condition for the blocks that a request allows, and adds its values: those of open
/// tournaments, and no recheck of the worker's own games.
fn allowed(request: &Request, values: &mut Vec<Cell>) -> String {
    values.push(owner(&request.worker).into());
    let mut condition = format!(
        " AND tournament IN (SELECT id FROM tournaments WHERE state = 'open')
          AND (not_by IS NULL OR not_by <> ${})",
        values.len()
    );
    if let Some(id) = &request.tournament {
        values.push(id.into());
        condition.push_str(&format!(" AND tournament = ${}", values.len()));
    }
    for id in &request.except {
        values.push(id.into());
        condition.push_str(&format!(" AND tournament <> ${}", values.len()));
    }
    condition
}

/// Returns the leases with these tokens of blocks that were found: their tournament, generation, number,
/// line-up, repeat and rotations.
fn leases(
    statements: &mut dyn Statements,
    found: &[(&String, Vec<Cell>)],
) -> Result<Vec<Lease>, StoreError> {
    // Games of the blocks that were played before.
    let mut played: HashMap<(String, u32, u32), Vec<Vec<Cell>>> = HashMap::new();
    for found in found.chunks(ROWS) {
        let (of_claim, values) = leases_of(found.iter().map(|(token, _)| *token));
        let sql = format!(
            "SELECT tournament, generation, block, rotation, points, places, attempts, seats FROM games
             WHERE (tournament, generation, block) IN (
                 SELECT tournament, generation, block FROM leases WHERE {of_claim})"
        );
        for row in statements.rows(&sql, values.values())? {
            let place = Columns(&row);
            let place = (place.text(0)?, place.number(1)?, place.number(2)?);
            played.entry(place).or_default().push(row);
        }
    }
    let lease = |(token, row): &(&String, Vec<Cell>)| -> Result<Lease, StoreError> {
        let row = Columns(row);
        let (tournament, generation, block) = (row.text(0)?, row.number(1)?, row.number(2)?);
        let line_up: Vec<usize> = row.json(3)?;
        let mut games: Vec<LeasedGame> = rotations(&line_up, row.optional_text(5).as_deref())?
            .into_iter()
            .map(|rotation| LeasedGame { rotation, attempt: 1, void_at: None })
            .collect();
        for played in played.remove(&(tournament.clone(), generation, block)).unwrap_or_default() {
            leave_out(&mut games, &Columns(&played))?;
        }
        let repeat = row.number(4)?;
        let (token, generation) = ((*token).clone(), as_leased(generation));
        Ok(Lease { token, tournament, generation, block, line_up, repeat, games })
    };
    found.iter().map(lease).collect()
}

/// Leaves out a game that was played before if it has a result; otherwise it is played again.
fn leave_out(games: &mut Vec<LeasedGame>, played: &Columns<'_>) -> Result<(), StoreError> {
    let rotation = played.number(3)?;
    if played.optional_text(4).is_some() {
        games.retain(|game| game.rotation != rotation);
        return Ok(());
    }
    let seat: Option<usize> = match played.optional_text(5) {
        Some(_) => played.json::<Vec<usize>>(5)?.first().copied(),
        None => None,
    };
    let seats: Vec<usize> = played.json(7)?;
    if let Some(game) = games.iter_mut().find(|game| game.rotation == rotation) {
        game.attempt = played.number(6)?.saturating_add(1);
        game.void_at = seat.and_then(|seat| seats.get(seat).copied());
    }
    Ok(())
}
