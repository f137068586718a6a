//! A tournament of a queue as a store, for standings, rejudges and everything else that reads results.

use crate::Queue;
use crate::catalogue::{lock_tournament, read_definition};
use crate::claims::rotations;
use crate::database::Statements;
use crate::results::{By, count_of_bots, insert_games};
use crate::values::{Columns, json};
use botyard_league::store::{
    AuditEntry, Cell, Definition, Generation, GenerationState, Store, StoreError, StoredGame,
    game_row,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A tournament of a queue.
#[derive(Clone, Debug)]
pub struct TournamentStore {
    queue: Arc<Queue>,
    id: String,
    definition: Definition,
}

impl TournamentStore {
    /// Opens a tournament.
    ///
    /// # Errors
    ///
    /// There is none with this id; errors of the database.
    pub fn open(queue: Arc<Queue>, id: &str) -> Result<TournamentStore, StoreError> {
        let definition = queue.definition(id)?;
        Ok(TournamentStore { queue, id: id.to_string(), definition })
    }

    fn key(&self) -> Cell {
        self.id.as_str().into()
    }
}

/// Marks blocks as done whose games all have results.
pub(crate) fn settle(
    statements: &mut dyn Statements,
    id: &str,
    blocks: &BTreeSet<(u32, u32)>,
) -> Result<(), StoreError> {
    for &(generation, block) in blocks {
        let place = [id.into(), generation.into(), block.into()];
        let sql = "SELECT line_up, rotations FROM blocks
                   WHERE tournament = $1 AND generation = $2 AND block = $3";
        let Some(row) = statements.row(sql, &place)? else { continue };
        let row = Columns(&row);
        let line_up: Vec<usize> = row.json(0)?;
        let wanted = rotations(&line_up, row.optional_text(1).as_deref())?;
        let scored = statements.number(
            "SELECT COUNT(*) FROM games WHERE tournament = $1 AND generation = $2 AND block = $3
             AND points IS NOT NULL",
            &place,
        )?;
        if scored >= wanted.len() as i64 {
            statements.execute(
                "UPDATE blocks SET state = 'done', lease = NULL, expires_at = NULL
                 WHERE tournament = $1 AND generation = $2 AND block = $3",
                &place,
            )?;
        }
    }
    Ok(())
}

impl Store for TournamentStore {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Extends the definition, without new blocks: [`Queue::extend`] adds them.
    fn redefine(&mut self, definition: Definition) -> Result<(), StoreError> {
        self.queue.redefine(&self.id, &definition)?;
        self.definition = definition;
        Ok(())
    }

    fn record(&mut self, games: &[StoredGame]) -> Result<(), StoreError> {
        self.queue.transaction(|statements| {
            lock_tournament(statements, self.queue.dialect.for_update, &self.id)?;
            let bots = count_of_bots(statements, &self.id)?;
            let mut blocks = BTreeSet::new();
            for game in games {
                let alone = std::slice::from_ref(game);
                insert_games(statements, &self.id, By::default(), alone, bots)?;
                blocks.insert((game.key.generation, game.key.block));
            }
            settle(statements, &self.id, &blocks)
        })
    }

    fn games(&self, generation: u32, each: &mut dyn FnMut(StoredGame)) -> Result<(), StoreError> {
        let columns = game_row::COLUMNS;
        let sql = format!(
            "SELECT {columns} FROM games WHERE tournament = $1 AND generation = $2
             ORDER BY block, rotation"
        );
        let bots = self.definition.entrants.len();
        // Collected first: the transaction may be repeated, and `each` sees every game once.
        let games = self.queue.transaction(|statements| {
            let mut games = Vec::new();
            statements.query(&sql, &[self.key(), generation.into()], &mut |row| {
                let cells = row.try_into().map_err(|_| {
                    StoreError::Damaged("a game has another number of columns".to_string())
                })?;
                games.push(game_row::decode(&cells, &self.definition.game, bots)?);
                Ok(())
            })?;
            Ok(games)
        })?;
        games.into_iter().for_each(each);
        Ok(())
    }

    fn begin_rejudge(&mut self, reason: &str, games: &[(u32, u32)]) -> Result<u32, StoreError> {
        let now = self.queue.dialect.now;
        let mut blocks: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for &(block, rotation) in games {
            blocks.entry(block).or_default().insert(rotation);
        }
        self.queue.transaction(|statements| {
            lock_tournament(statements, self.queue.dialect.for_update, &self.id)?;
            if pending(statements, &self.id)?.is_some() {
                return Err(StoreError::Pending);
            }
            let sql = "SELECT COALESCE(MAX(number), 0) FROM generations WHERE tournament = $1";
            let number = 1 + statements.number(sql, &[self.key()])?;
            statements.execute(
                &format!(
                    "INSERT INTO generations(tournament, number, at, reason, state)
                     VALUES ($1, $2, {now} / 1000, $3, $4)"
                ),
                &[
                    self.key(),
                    number.into(),
                    reason.into(),
                    GenerationState::Pending.as_str().into(),
                ],
            )?;
            for (&block, rotations) in &blocks {
                let line_up = "SELECT line_up, repeat FROM blocks
                               WHERE tournament = $1 AND generation = 0 AND block = $2";
                let row = statements.row(line_up, &[self.key(), block.into()])?;
                // A tournament that was copied may have blocks that are not known any more.
                let (line_up, repeat) = match &row {
                    Some(row) => (Columns(row).text(0)?, Columns(row).number(1)?),
                    None => return Err(StoreError::Refused(format!("there is no block {block}"))),
                };
                statements.execute(
                    "INSERT INTO blocks(tournament, generation, block, line_up, repeat, rotations, state, priority, voids)
                     VALUES ($1, $2, $3, $4, $5, $6, 'ready', 0, 0)",
                    &[
                        self.key(),
                        number.into(),
                        block.into(),
                        line_up.into(),
                        repeat.into(),
                        json(rotations)?.into(),
                    ],
                )?;
            }
            u32::try_from(number).map_err(|error| StoreError::Damaged(error.to_string()))
        })
    }

    fn generations(&self) -> Result<Vec<Generation>, StoreError> {
        self.queue.transaction(|statements| {
            let sql = "SELECT number, reason, state FROM generations WHERE tournament = $1
                       ORDER BY number";
            let mut generations = Vec::new();
            for row in statements.rows(sql, &[self.key()])? {
                let row = Columns(&row);
                let number = row.number(0)?;
                let state = match row.text(2)?.as_str() {
                    "applied" => GenerationState::Applied,
                    "dropped" => GenerationState::Dropped,
                    _ => GenerationState::Pending,
                };
                let mut games = Vec::new();
                let sql = "SELECT block, rotations FROM blocks
                           WHERE tournament = $1 AND generation = $2 ORDER BY block";
                for row in statements.rows(sql, &[self.key(), number.into()])? {
                    let row = Columns(&row);
                    let block = row.number(0)?;
                    let rotations: Vec<u32> = row.json(1)?;
                    games.extend(rotations.into_iter().map(|rotation| (block, rotation)));
                }
                generations.push(Generation { number, reason: row.text(1)?, state, games });
            }
            Ok(generations)
        })
    }

    fn finish_rejudge(&mut self, apply: bool) -> Result<u32, StoreError> {
        let state = if apply { GenerationState::Applied } else { GenerationState::Dropped };
        self.queue.transaction(|statements| {
            lock_tournament(statements, self.queue.dialect.for_update, &self.id)?;
            let number = pending(statements, &self.id)?.ok_or(StoreError::NonePending)?;
            statements.execute(
                "UPDATE generations SET state = $3 WHERE tournament = $1 AND number = $2",
                &[self.key(), number.into(), state.as_str().into()],
            )?;
            // What was not played is not played any more.
            statements.execute(
                "UPDATE blocks SET state = 'dropped', lease = NULL, expires_at = NULL
                 WHERE tournament = $1 AND generation = $2 AND state IN ('ready', 'leased')",
                &[self.key(), number.into()],
            )?;
            Ok(number)
        })
    }

    fn note(&mut self, what: &str, detail: &str) -> Result<(), StoreError> {
        let now = self.queue.dialect.now;
        self.queue.transaction(|statements| {
            lock_tournament(statements, self.queue.dialect.for_update, &self.id)?;
            let sql = "SELECT COALESCE(MAX(number), 0) FROM audit WHERE tournament = $1";
            let number = 1 + statements.number(sql, &[self.key()])?;
            statements.execute(
                &format!(
                    "INSERT INTO audit(tournament, number, at, what, detail)
                     VALUES ($1, $2, {now} / 1000, $3, $4)"
                ),
                &[self.key(), number.into(), what.into(), detail.into()],
            )?;
            Ok(())
        })
    }

    fn audit(&self) -> Result<Vec<AuditEntry>, StoreError> {
        let rows = self.queue.transaction(|statements| {
            let sql = "SELECT at, what, detail FROM audit WHERE tournament = $1 ORDER BY number";
            statements.rows(sql, &[self.key()])
        })?;
        let entry = |row: &Vec<Cell>| {
            let row = Columns(row);
            let at = u64::try_from(row.integer(0)?).unwrap_or_default();
            Ok(AuditEntry { at, what: row.text(1)?, detail: row.text(2)? })
        };
        rows.iter().map(entry).collect()
    }
}

/// Returns the number of the pending generation.
fn pending(statements: &mut dyn Statements, id: &str) -> Result<Option<u32>, StoreError> {
    let sql = "SELECT number FROM generations WHERE tournament = $1 AND state = $2";
    let row = statements.row(sql, &[id.into(), GenerationState::Pending.as_str().into()])?;
    row.map(|row| Columns(&row).number(0)).transpose()
}

impl Queue {
    fn redefine(&self, id: &str, definition: &Definition) -> Result<(), StoreError> {
        self.transaction(|statements| {
            lock_tournament(statements, self.dialect.for_update, id)?;
            read_definition(statements, id)?.check_extended_by(definition)?;
            crate::catalogue::write_definition(statements, id, definition)
        })
    }
}
