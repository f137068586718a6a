//! The tournaments of a queue, and the blocks that are to be played.

use crate::Queue;
use crate::database::Statements;
use crate::rechecks::RECHECK;
use crate::results::{Schedule, attach};
use crate::rows::Rows;
use crate::tournament_store::settle;
use crate::values::{Columns, json};
use botyard_league::schedule::{Block, BlockPoints};
use botyard_league::store::definition_rows::{self, BotRow};
use botyard_league::store::{Cell, Definition, StoreError};
use std::collections::{BTreeMap, BTreeSet};

/// The most rows in one statement.
const ROWS: usize = 500;

/// The tables whose rows belong to a tournament.
const OF_TOURNAMENTS: [&str; 8] =
    ["leases", "games", "blocks", "files", "generations", "audit", "bots", "definitions"];

/// Whether the blocks of a tournament are leased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// Its blocks are leased.
    Open,
    /// None of its blocks is leased; leases that are held may be completed.
    Held,
}

impl Hold {
    /// Returns its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Hold::Open => "open",
            Hold::Held => "held",
        }
    }
}

/// A block that the caller has chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenBlock {
    /// The block.
    pub block: Block,
    /// The rotations whose games are to be played, from 0. `None`: all.
    pub rotations: Option<Vec<u32>>,
}

impl From<Block> for ChosenBlock {
    fn from(block: Block) -> ChosenBlock {
        ChosenBlock { block, rotations: None }
    }
}

/// Blocks that the caller has chosen.
#[derive(Clone, Copy, Debug)]
pub struct Chosen<'a> {
    /// The blocks.
    pub blocks: &'a [ChosenBlock],
    /// The generation of their games: 0, or the number of a rejudge.
    pub generation: u32,
    /// Blocks with a higher one are leased first; those of a schedule have 0.
    pub priority: u32,
}

/// A tournament of the catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its id in this queue.
    pub id: String,
    /// When it was added, in milliseconds since 1970 (UTC).
    pub created_at: i64,
    /// Whether its blocks are leased.
    pub hold: Hold,
    /// Its name.
    pub name: String,
    /// The name of the game.
    pub game: String,
}

impl Queue {
    /// Adds a tournament with all blocks that are known before the first game.
    ///
    /// # Errors
    ///
    /// An id that is taken; errors of the database.
    pub fn add(
        &self,
        id: &str,
        definition: &Definition,
        schedule: &Schedule<'_>,
    ) -> Result<(), StoreError> {
        self.add_with_files(id, definition, schedule, &[], Hold::Open)
    }

    /// The same with files, by their names and the digests of their [content](Queue::put): workers
    /// that claim its first blocks need the bundles. A tournament that is held gets its blocks, and
    /// none of them is leased yet.
    ///
    /// # Errors
    ///
    /// An id that is taken; a file without content; errors of the database.
    pub fn add_with_files(
        &self,
        id: &str,
        definition: &Definition,
        schedule: &Schedule<'_>,
        files: &[(String, String)],
        hold: Hold,
    ) -> Result<(), StoreError> {
        let known = schedule.games.known_blocks(&BlockPoints::new());
        let blocks: Vec<ChosenBlock> = known.map(ChosenBlock::from).collect();
        let chosen = Chosen { blocks: &blocks, generation: 0, priority: 0 };
        self.insert(id, definition, chosen, files, hold)
    }

    /// Adds a tournament with these blocks, which the caller has chosen, in place of those of a
    /// schedule, and with files as above.
    ///
    /// # Errors
    ///
    /// An id that is taken; a block with a bot that is not defined; a generation above those of
    /// rejudges; a file without content; errors of the database.
    pub fn add_chosen(
        &self,
        id: &str,
        definition: &Definition,
        chosen: Chosen<'_>,
        files: &[(String, String)],
    ) -> Result<(), StoreError> {
        let bots = definition.entrants.len();
        if chosen.generation >= RECHECK {
            return Err(StoreError::Refused(format!(
                "a generation is less than {RECHECK}, got {}",
                chosen.generation
            )));
        }
        let is_strange = |block: &&Block| block.line_up.iter().any(|&bot| bot >= bots);
        if let Some(block) = chosen.blocks.iter().map(|chosen| &chosen.block).find(is_strange) {
            return Err(StoreError::Refused(format!(
                "block {} has the bots {:?}, where {bots} are defined",
                block.number, block.line_up
            )));
        }
        self.insert(id, definition, chosen, files, Hold::Open)
    }

    fn insert(
        &self,
        id: &str,
        definition: &Definition,
        chosen: Chosen<'_>,
        files: &[(String, String)],
        hold: Hold,
    ) -> Result<(), StoreError> {
        let now = self.dialect.now;
        self.transaction(|statements| {
            let added = statements.execute(
                &format!(
                    "INSERT INTO tournaments(id, created_at, state, priority)
                     VALUES ($1, {now}, $2, 0) ON CONFLICT (id) DO NOTHING"
                ),
                &[id.into(), hold.as_str().into()],
            )?;
            if added == 0 {
                return Err(StoreError::Refused(format!("there is a tournament {id:?} already")));
            }
            write_definition(statements, id, definition)?;
            attach(statements, id, files)?;
            insert_chosen(statements, id, chosen)
        })
    }

    /// Removes a tournament with everything that is stored of it; the content of its files is left to
    /// [`remove_unnamed`](Queue::remove_unnamed). Results that workers send of it afterwards are
    /// refused. Nothing is done if there is no such tournament.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    pub fn remove(&self, id: &str) -> Result<(), StoreError> {
        self.transaction(|statements| {
            match lock_tournament(statements, self.dialect.for_update, id) {
                Err(StoreError::Refused(_)) => return Ok(()),
                locked => locked?,
            }
            for table in OF_TOURNAMENTS {
                let sql = format!("DELETE FROM {table} WHERE tournament = $1");
                statements.execute(&sql, &[id.into()])?;
            }
            statements.execute("DELETE FROM tournaments WHERE id = $1", &[id.into()])?;
            Ok(())
        })
    }

    /// Returns all tournaments, the oldest first.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    pub fn tournaments(&self) -> Result<Vec<Listed>, StoreError> {
        let rows = self.transaction(|statements| {
            statements.rows(
                "SELECT t.id, t.created_at, t.state, n.value, g.value FROM tournaments t
                 JOIN definitions n ON n.tournament = t.id AND n.name = 'name'
                 JOIN definitions g ON g.tournament = t.id AND g.name = 'game'
                 ORDER BY t.created_at, t.id",
                &[],
            )
        })?;
        let listed = |row: &Vec<Cell>| {
            let row = Columns(row);
            Ok(Listed {
                id: row.text(0)?,
                created_at: row.integer(1)?,
                hold: if row.text(2)? == Hold::Held.as_str() { Hold::Held } else { Hold::Open },
                name: row.text(3)?,
                game: row.text(4)?,
            })
        };
        rows.iter().map(listed).collect()
    }

    /// Returns the definition of a tournament.
    ///
    /// # Errors
    ///
    /// There is none with this id; errors of the database.
    pub fn definition(&self, id: &str) -> Result<Definition, StoreError> {
        self.transaction(|statements| read_definition(statements, id))
    }

    /// Holds a tournament, or opens it again.
    ///
    /// # Errors
    ///
    /// There is none with this id; errors of the database.
    pub fn hold(&self, id: &str, hold: Hold) -> Result<(), StoreError> {
        self.transaction(|statements| {
            let sql = "UPDATE tournaments SET state = $2 WHERE id = $1";
            match statements.execute(sql, &[id.into(), hold.as_str().into()])? {
                0 => Err(no_tournament(id)),
                _ => Ok(()),
            }
        })
    }

    /// Extends the definition of a tournament: more bots, versions or blocks. Blocks of a version
    /// that was replaced are not leased any more.
    ///
    /// # Errors
    ///
    /// A definition that would change existing games; errors of the database.
    pub fn extend(
        &self,
        id: &str,
        definition: &Definition,
        schedule: &Schedule<'_>,
    ) -> Result<(), StoreError> {
        self.transaction(|statements| {
            lock_tournament(statements, self.dialect.for_update, id)?;
            let before = read_definition(statements, id)?;
            before.check_extended_by(definition)?;
            write_definition(statements, id, definition)?;
            let points = schedule.points(statements, id)?;
            let blocks: Vec<Block> = schedule.games.known_blocks(&points).collect();
            insert_blocks(statements, id, &blocks)?;
            let ready = format!(
                "SELECT block, line_up, generation FROM blocks
                 WHERE tournament = $1 AND generation IN (0, {RECHECK}) AND state = 'ready'"
            );
            let mut kept = BTreeSet::new();
            for row in statements.rows(&ready, &[id.into()])? {
                let line_up: Vec<usize> = Columns(&row).json(1)?;
                if schedule.games.plays(&line_up) {
                    kept.insert((Columns(&row).number(2)?, Columns(&row).number(0)?));
                } else {
                    statements.execute(
                        "UPDATE blocks SET state = 'dropped'
                         WHERE tournament = $1 AND generation = $3 AND block = $2",
                        &[id.into(), row[0].clone(), row[2].clone()],
                    )?;
                }
            }
            // Games may have been stored before their blocks were known.
            settle(statements, id, &kept)
        })
    }
}

pub(crate) fn no_tournament(id: &str) -> StoreError {
    StoreError::Refused(format!("there is no tournament {id:?}"))
}

/// Waits until no other transaction changes the tournament, and keeps others from it.
pub(crate) fn lock_tournament(
    statements: &mut dyn Statements,
    for_update: &str,
    id: &str,
) -> Result<(), StoreError> {
    let sql = format!("SELECT id FROM tournaments WHERE id = $1{for_update}");
    match statements.row(&sql, &[id.into()])? {
        Some(_) => Ok(()),
        None => Err(no_tournament(id)),
    }
}

pub(crate) fn write_definition(
    statements: &mut dyn Statements,
    id: &str,
    definition: &Definition,
) -> Result<(), StoreError> {
    let sql = "UPDATE tournaments SET revision = revision + 1 WHERE id = $1";
    statements.execute(sql, &[id.into()])?;
    statements.execute("DELETE FROM definitions WHERE tournament = $1", &[id.into()])?;
    for (name, value) in definition_rows::values(definition)? {
        statements.execute(
            "INSERT INTO definitions(tournament, name, value) VALUES ($1, $2, $3)",
            &[id.into(), name.into(), value.into()],
        )?;
    }
    statements.execute("DELETE FROM bots WHERE tournament = $1", &[id.into()])?;
    for (position, bot) in (0u32..).zip(definition_rows::bots(definition)) {
        let entrant = json(&bot.entrant)?;
        statements.execute(
            "INSERT INTO bots(tournament, position, entrant, rejected) VALUES ($1, $2, $3, $4)",
            &[id.into(), position.into(), entrant.into(), bot.rejected.into()],
        )?;
    }
    Ok(())
}

pub(crate) fn read_definition(
    statements: &mut dyn Statements,
    id: &str,
) -> Result<Definition, StoreError> {
    let mut values = BTreeMap::new();
    let sql = "SELECT name, value FROM definitions WHERE tournament = $1";
    for row in statements.rows(sql, &[id.into()])? {
        values.insert(Columns(&row).text(0)?, Columns(&row).text(1)?);
    }
    if values.is_empty() {
        return Err(no_tournament(id));
    }
    let sql = "SELECT entrant, rejected FROM bots WHERE tournament = $1 ORDER BY position";
    let mut bots = Vec::new();
    for row in statements.rows(sql, &[id.into()])? {
        let row = Columns(&row);
        bots.push(BotRow { entrant: row.json(0)?, rejected: row.optional_text(1) });
    }
    definition_rows::definition(&values, bots)
        .map_err(|reason| StoreError::Damaged(format!("tournament {id:?}: {reason}")))
}

/// Adds the blocks of the first generation that are not there yet.
pub(crate) fn insert_blocks(
    statements: &mut dyn Statements,
    id: &str,
    blocks: &[Block],
) -> Result<(), StoreError> {
    let blocks: Vec<ChosenBlock> = blocks.iter().cloned().map(ChosenBlock::from).collect();
    insert_chosen(statements, id, Chosen { blocks: &blocks, generation: 0, priority: 0 })
}

/// Adds blocks that are not there yet.
fn insert_chosen(
    statements: &mut dyn Statements,
    id: &str,
    chosen: Chosen<'_>,
) -> Result<(), StoreError> {
    for some in chosen.blocks.chunks(ROWS) {
        let mut rows = Rows::default();
        for ChosenBlock { block, rotations } in some {
            let (line_up, rotations) =
                (json(&block.line_up)?, rotations.as_ref().map(json).transpose()?);
            rows.add([
                id.into(),
                chosen.generation.into(),
                block.number.into(),
                line_up.into(),
                block.repeat.into(),
                rotations.into(),
                chosen.priority.into(),
            ]);
        }
        statements.execute(
            &format!(
                "INSERT INTO blocks(tournament, generation, block, line_up, repeat, rotations, priority, state, voids)
                 VALUES {} ON CONFLICT (tournament, generation, block) DO NOTHING",
                rows.places_and(&["'ready'", "0"])
            ),
            rows.values(),
        )?;
    }
    Ok(())
}
