//! Results: the games of a block and the end of its lease, in one transaction.

use crate::Queue;
use crate::catalogue::{insert_blocks, lock_tournament};
use crate::claims::{LAST_INTRODUCTION, rotations};
use crate::database::{Dialect, Statements};
use crate::delivery::{Contents, Delivery, name_files};
use crate::rechecks::{self, RECHECK, as_leased};
use crate::rows::{ROWS, Rows};
use crate::values::Columns;
use botyard_league::Verdict;
use botyard_league::scale::Scale;
use botyard_league::schedule::{Block, BlockPoints, BlockSums, GameKey, TournamentSchedule};
use botyard_league::store::{StoreError, StoredGame, game_row};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// After this many completions with a void game, a block stays without a result.
pub const MOST_VOIDS: u32 = 3;

/// What became of the results of a lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Completed {
    /// They are stored.
    Accepted,
    /// They were stored before. This is a success.
    Duplicate,
    /// The lease had ended, so they are not stored: the block is played elsewhere.
    Late,
}

/// The games of a tournament, and how their points count.
#[derive(Clone, Copy, Debug)]
pub struct Schedule<'a> {
    /// The games.
    pub games: &'a TournamentSchedule,
    /// The scale of a game's points.
    pub scale: Scale,
}

impl Schedule<'_> {
    /// Returns the points of all complete blocks, if pairings depend on them.
    pub(crate) fn points(
        &self,
        statements: &mut dyn Statements,
        id: &str,
    ) -> Result<BlockPoints, StoreError> {
        let mut sums = BlockSums::new(self.scale);
        if self.games.depends_on_results() {
            let sql = "SELECT block, rotation, points FROM games
                       WHERE tournament = $1 AND generation = 0 AND points IS NOT NULL";
            for row in statements.rows(sql, &[id.into()])? {
                let row = Columns(&row);
                let key =
                    GameKey { generation: 0, block: row.number(0)?, rotation: row.number(1)? };
                let points: Vec<f64> = row.json(2)?;
                if points.len() == self.games.block_length() as usize {
                    sums.add(key, &points);
                }
            }
        }
        Ok(sums.points().clone())
    }
}

impl Queue {
    /// Stores the results of a lease and ends it, all or nothing: the games that the lease names, and
    /// the names of their files with the digests of their [content](Queue::put). A block with a void
    /// game may be leased again; other games of the block keep their results.
    ///
    /// # Errors
    ///
    /// [`StoreError::Refused`]: a lease of another worker, games that the lease does not name, or a
    /// file without content. The lease is still held. Other errors are those of the database.
    pub fn complete(
        &self,
        worker: &str,
        token: &str,
        games: &[StoredGame],
        files: &[(String, String)],
        schedule: &Schedule<'_>,
    ) -> Result<Completed, StoreError> {
        self.transaction(|statements| {
            self.seen(statements, worker)?;
            let mut completion = Completion::new(self, statements, worker)?;
            let completed = completion.complete(statements, token, games, schedule)?;
            if completed == Completed::Accepted {
                let named = |(name, digest): &(String, String)| {
                    (completion.file_name(name), digest.clone())
                };
                let files: Vec<(String, String)> = files.iter().map(named).collect();
                attach(statements, &completion.tournament, &files)?;
            }
            Ok(completed)
        })
    }

    /// Stores the results of several leases with the content of their files, all or nothing, and
    /// returns what became of each. One transaction costs the database much less than one for each
    /// file and each lease.
    ///
    /// # Errors
    ///
    /// As for [`complete`](Queue::complete) and [`put`](Queue::put), if they refuse one of the
    /// results: then none is stored, and each can be delivered alone.
    pub fn deliver(
        &self,
        worker: &str,
        deliveries: &[(&Delivery, Schedule<'_>)],
    ) -> Result<Vec<Completed>, StoreError> {
        let mut contents = Contents::default();
        let mut digests = Vec::with_capacity(deliveries.len());
        for (delivery, _) in deliveries {
            let its: Result<Vec<String>, StoreError> =
                delivery.files.iter().map(|(_, content)| contents.add(content)).collect();
            digests.push(its?);
        }
        self.transaction(|statements| {
            contents.store(statements, self.dialect.now)?;
            self.seen(statements, worker)?;
            let mut completion = Completion::new(self, statements, worker)?;
            let mut completed = Vec::with_capacity(deliveries.len());
            let mut files = BTreeMap::new();
            for ((delivery, schedule), digests) in deliveries.iter().zip(&digests) {
                let Delivery { token, games, .. } = delivery;
                let of_lease = completion.complete(statements, token, games, schedule)?;
                if of_lease == Completed::Accepted {
                    let id = &completion.tournament;
                    for ((name, _), digest) in delivery.files.iter().zip(digests) {
                        files.insert((id.clone(), completion.file_name(name)), digest.clone());
                    }
                }
                completed.push(of_lease);
            }
            name_files(statements, &files)?;
            Ok(completed)
        })
    }
}

/// A transaction that ends leases of one worker.
struct Completion<'a> {
    dialect: Dialect,
    by: By<'a>,
    /// The tournament of the last lease, and the number of its bots.
    tournament: String,
    bots: usize,
    /// Whether the last lease was a recheck.
    is_recheck: bool,
}

impl<'a> Completion<'a> {
    fn new(
        queue: &Queue,
        statements: &mut dyn Statements,
        worker: &'a str,
    ) -> Result<Completion<'a>, StoreError> {
        let introduction = statements.row(LAST_INTRODUCTION, &[worker.into()])?;
        let introduction = introduction.and_then(|row| Columns(&row).optional_integer(0));
        let by = By { worker, introduction };
        let dialect = queue.dialect;
        Ok(Completion { dialect, by, tournament: String::new(), bots: 0, is_recheck: false })
    }

    /// Returns the name under which a file of the last lease is stored.
    fn file_name(&self, name: &str) -> String {
        match self.is_recheck {
            true => rechecks::recheck_file(name),
            false => name.to_string(),
        }
    }

    /// Stores the games of a lease and ends it.
    fn complete(
        &mut self,
        statements: &mut dyn Statements,
        token: &str,
        games: &[StoredGame],
        schedule: &Schedule<'_>,
    ) -> Result<Completed, StoreError> {
        let sql = "SELECT tournament, generation, block, worker FROM leases WHERE token = $1";
        let Some(lease) = statements.row(sql, &[token.into()])? else {
            return Err(StoreError::Refused("there is no such lease".to_string()));
        };
        let place = [lease[0].clone(), lease[1].clone(), lease[2].clone()];
        let lease = Columns(&lease);
        if lease.text(3)? != self.by.worker {
            return Err(StoreError::Refused("the lease belongs to another worker".to_string()));
        }
        let id = lease.text(0)?;
        if schedule.games.depends_on_results() {
            // Two blocks that end at once would each not see the other's result.
            lock_tournament(statements, self.dialect.for_update, &id)?;
        }
        let block = statements.row(
            &format!(
                "SELECT line_up, rotations, state, lease, voids, repeat FROM blocks
                 WHERE tournament = $1 AND generation = $2 AND block = $3{}",
                self.dialect.for_update
            ),
            &place,
        )?;
        let block = block.ok_or_else(|| StoreError::Damaged("a lease has no block".into()))?;
        let block = Columns(&block);
        if block.text(2)? != "leased" || block.optional_text(3).as_deref() != Some(token) {
            // The outcome is read again, now that the block is locked: the same results may have
            // been stored meanwhile.
            let sql = "SELECT outcome FROM leases WHERE token = $1";
            let outcome = statements.row(sql, &[token.into()])?;
            let outcome = outcome.and_then(|row| Columns(&row).optional_text(0));
            return Ok(match outcome.as_deref() {
                Some("completed") => Completed::Duplicate,
                _ => Completed::Late,
            });
        }
        if self.tournament != id {
            self.bots = count_of_bots(statements, &id)?;
            self.tournament.clone_from(&id);
        }
        let line_up: Vec<usize> = block.json(0)?;
        let leased = Leased {
            id: &id,
            generation: lease.number(1)?,
            block: Block { number: lease.number(2)?, line_up, repeat: block.number(5)? },
            rotations: block.optional_text(1),
        };
        let missing = leased.missing(statements)?;
        leased.check(games, &missing, schedule)?;
        self.is_recheck = leased.generation == RECHECK;
        if self.is_recheck {
            let mut games = games.to_vec();
            games.iter_mut().for_each(|game| game.key.generation = RECHECK);
            insert_games(statements, &id, self.by, &games, self.bots)?;
        } else {
            insert_games(statements, &id, self.by, games, self.bots)?;
        }
        let voids = games.iter().filter(|game| !game.is_scored()).count() as u32;
        let times = block.number(4)? + u32::from(voids > 0);
        let state = match voids {
            0 => "done",
            _ if times >= MOST_VOIDS => "void",
            _ => "ready",
        };
        let mut values = place.to_vec();
        values.extend([state.into(), times.into()]);
        statements.execute(
            "UPDATE blocks SET state = $4, voids = $5, lease = NULL, expires_at = NULL
             WHERE tournament = $1 AND generation = $2 AND block = $3",
            &values,
        )?;
        let now = self.dialect.now;
        statements.execute(
            &format!(
                "UPDATE leases SET ended_at = {now}, outcome = 'completed', games = $2, voids = $3
                 WHERE token = $1"
            ),
            &[token.into(), (games.len() as u32).into(), voids.into()],
        )?;
        if state == "done" && leased.generation == 0 {
            rechecks::choose(statements, &id, leased.block.number, self.by.worker)?;
        }
        if state == "done" && leased.generation == 0 && schedule.games.depends_on_results() {
            let points = schedule.points(statements, &id)?;
            let blocks: Vec<Block> = schedule.games.known_blocks(&points).collect();
            insert_blocks(statements, &id, &blocks)?;
        }
        Ok(Completed::Accepted)
    }
}

/// A block whose results arrive.
struct Leased<'a> {
    id: &'a str,
    generation: u32,
    block: Block,
    rotations: Option<String>,
}

impl Leased<'_> {
    /// Returns the rotations without a result.
    fn missing(&self, statements: &mut dyn Statements) -> Result<BTreeSet<u32>, StoreError> {
        let mut missing: BTreeSet<u32> =
            rotations(&self.block.line_up, self.rotations.as_deref())?.into_iter().collect();
        let sql = "SELECT rotation FROM games WHERE tournament = $1 AND generation = $2
                   AND block = $3 AND points IS NOT NULL";
        let place = [self.id.into(), self.generation.into(), self.block.number.into()];
        for row in statements.rows(sql, &place)? {
            missing.remove(&Columns(&row).number(0)?);
        }
        Ok(missing)
    }

    /// Refuses games that are not the missing games of this block.
    fn check(
        &self,
        games: &[StoredGame],
        missing: &BTreeSet<u32>,
        schedule: &Schedule<'_>,
    ) -> Result<(), StoreError> {
        let refused = |what: String| {
            Err(StoreError::Refused(format!("block {} of {}: {what}", self.block.number, self.id)))
        };
        let sent: BTreeSet<u32> = games.iter().map(|game| game.key.rotation).collect();
        if sent.len() != games.len() || sent != *missing {
            return refused(format!("expected the games of rotations {missing:?}, got {sent:?}"));
        }
        let expected = as_leased(self.generation);
        for game in games {
            let GameKey { generation, block, rotation } = game.key;
            let its = schedule.games.game(&self.block, rotation, expected);
            let is_its = generation == expected
                && block == self.block.number
                && game.id == schedule.games.hash(game.key)
                && game.game.block == block
                && game.game.seats == its.seats;
            if !is_its {
                return refused(format!(
                    "rotation {rotation} has the id or the bots of another game"
                ));
            }
            if let Verdict::Scored { points, places } = &game.game.verdict {
                let seats = its.seats.len();
                let valid = points.len() == seats
                    && places.len() == seats
                    && points.iter().all(|&points| schedule.scale.has(points));
                if !valid {
                    return refused(format!(
                        "rotation {rotation} has points that the game cannot give"
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Returns the number of bots that take part.
pub(crate) fn count_of_bots(
    statements: &mut dyn Statements,
    id: &str,
) -> Result<usize, StoreError> {
    let sql = "SELECT COUNT(*) FROM bots WHERE tournament = $1 AND rejected IS NULL";
    Ok(usize::try_from(statements.number(sql, &[id.into()])?).unwrap_or_default())
}

/// The worker that played a game, and the number of its last introduction.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct By<'a> {
    /// Its name; empty for a game of no worker.
    pub worker: &'a str,
    /// The number of its introduction, if there was one.
    pub introduction: Option<i64>,
}

/// Adds games of one block. An existing row is replaced only if it is void.
pub(crate) fn insert_games(
    statements: &mut dyn Statements,
    id: &str,
    by: By<'_>,
    games: &[StoredGame],
    bots: usize,
) -> Result<(), StoreError> {
    for games in games.chunks(ROWS) {
        let mut rows = Rows::default();
        for game in games {
            let cells = game_row::encode(game);
            // What cannot be read again is not written.
            game_row::decode(&cells, "game", bots)
                .map_err(|error| StoreError::Refused(error.to_string()))?;
            let around = [by.worker.into(), by.introduction.into()];
            rows.add(std::iter::once(id.into()).chain(cells).chain(around));
        }
        let columns = game_row::COLUMNS;
        let changed = statements.execute(
            &format!(
                "INSERT INTO games(tournament, {columns}, worker, introduction) VALUES {}
                 ON CONFLICT (tournament, generation, block, rotation) DO UPDATE SET
                     points = excluded.points, places = excluded.places, turns = excluded.turns,
                     uses = excluded.uses, faults = excluded.faults, replay = excluded.replay,
                     attempts = excluded.attempts, worker = excluded.worker,
                     introduction = excluded.introduction
                 WHERE games.points IS NULL",
                rows.places()
            ),
            rows.values(),
        )?;
        if changed < games.len() as u64 {
            let GameKey { block, rotation, .. } = games[0].key;
            return Err(StoreError::Twice { block, rotation: rotation + 1 });
        }
    }
    Ok(())
}

/// Names content that is stored already.
pub(crate) fn attach(
    statements: &mut dyn Statements,
    id: &str,
    files: &[(String, String)],
) -> Result<(), StoreError> {
    for (name, digest) in files {
        let sql = "SELECT digest FROM contents WHERE digest = $1";
        if statements.row(sql, &[digest.into()])?.is_none() {
            return Err(StoreError::Refused(format!(
                "the file {name:?} has the digest {digest:?}, and no such content was stored"
            )));
        }
        statements.execute(
            "INSERT INTO files(tournament, name, digest) VALUES ($1, $2, $3)
             ON CONFLICT (tournament, name) DO UPDATE SET digest = excluded.digest",
            &[id.into(), name.into(), digest.into()],
        )?;
    }
    Ok(())
}
