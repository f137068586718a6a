//! Examination of a damaged store: all that can still be read, and a list of problems.

use super::sqlite::{
    SCHEMA_VERSION, connect, in_memory, migrate, read_audit, read_definition, read_games,
    read_generations, version,
};
use super::{AuditEntry, Definition, Generation, StoreError, StoredGame};
use super::{checksums, game_row};
use crate::schedule::GameKey;
use rusqlite::{Connection, OpenFlags, Row};
use std::path::Path;

/// The largest number of listed findings of SQLite's own check.
const FINDINGS: u32 = 20;

/// The readable content of a damaged store.
#[derive(Clone, Debug, Default)]
pub struct Examined {
    /// The tournament's definition, if it agrees with its checksum.
    pub definition: Option<Definition>,
    /// The games whose rows agree with their checksums.
    pub games: Vec<StoredGame>,
    /// The number of games recorded in each generation, if it can be read.
    pub recorded: Vec<u64>,
    /// The rejudges, if they agree with their checksum.
    pub generations: Option<Vec<Generation>>,
    /// The audit log, as far as it can be read.
    pub audit: Vec<AuditEntry>,
    /// The problems, a sentence each.
    pub problems: Vec<Problem>,
}

/// A problem of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The game that it concerns, if known.
    pub key: Option<GameKey>,
    /// The description.
    pub what: String,
}

/// Examines the store in a file, without changing it.
///
/// # Errors
///
/// If the file does not exist, or a later version of Botyard wrote it. Damage is not an error but a
/// listed problem.
pub fn examine(path: &Path) -> Result<Examined, StoreError> {
    let mut examined = Examined::default();
    let opened = open(path);
    let connection = match opened {
        Ok(connection) => connection,
        Err(error @ (StoreError::NotThere { .. } | StoreError::Newer { .. })) => return Err(error),
        Err(error) => {
            examined.add(None, error);
            return Ok(examined);
        }
    };
    if let Err(error) = integrity(&connection, &mut examined) {
        examined.add(None, error);
    }
    let definition = read_definition(&connection, path)
        .and_then(|it| checksums::check_definition(&connection).map(|()| it));
    match definition {
        Ok(definition) => examined.definition = Some(definition),
        Err(error) => examined.add(None, error),
    }
    let bots = examined.definition.as_ref().map(|definition| definition.entrants.len());
    let game = examined.definition.as_ref().map_or("", |definition| definition.game.as_str());
    let game = game.to_string();
    if let Err(error) = games(&connection, &game, bots, &mut examined) {
        examined.add(None, error);
    }
    // Reads as the standings do: with the number of games and the sum of their checksums.
    let last = examined.games.iter().map(|game| game.key.generation).max().unwrap_or(0);
    for generation in 0..=last {
        let tally = checksums::Tally::read(&connection, generation);
        examined.recorded.push(tally.map_or(0, |tally| tally.games()));
        let bots = bots.unwrap_or(usize::MAX);
        if let Err(error) = read_games(&connection, (&game, bots), generation, &mut |_| ()) {
            examined.add(None, error);
        }
    }
    match read_generations(&connection) {
        Ok(generations) => examined.generations = Some(generations),
        Err(error) => examined.add(None, error),
    }
    match read_audit(&connection) {
        Ok(audit) => examined.audit = audit,
        Err(error) => examined.add(None, error),
    }
    Ok(examined)
}

impl Examined {
    /// Adds a problem, once.
    fn add(&mut self, key: Option<GameKey>, what: impl std::fmt::Display) {
        let what = what.to_string();
        if !self.problems.iter().any(|problem| problem.what == what) {
            self.problems.push(Problem { key, what });
        }
    }
}

fn open(path: &Path) -> Result<Connection, StoreError> {
    let mut connection = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let version = version(&connection, path)?;
    if version < SCHEMA_VERSION {
        connection = in_memory(path)?;
        let transaction = connection.transaction()?;
        migrate(&transaction, version)?;
        transaction.commit()?;
    }
    Ok(connection)
}

fn integrity(connection: &Connection, examined: &mut Examined) -> Result<(), StoreError> {
    let mut select = connection.prepare(&format!("PRAGMA integrity_check({FINDINGS})"))?;
    let mut found = select.query([])?;
    while let Some(row) = found.next()? {
        let finding: String = row.get(0)?;
        for line in finding.lines().filter(|line| *line != "ok") {
            examined.add(None, format!("SQLite finds: {line}"));
        }
    }
    Ok(())
}

/// Reads the games one by one, so that one that is damaged does not hide the others.
fn games(
    connection: &Connection,
    game: &str,
    bots: Option<usize>,
    examined: &mut Examined,
) -> Result<(), StoreError> {
    let columns = game_row::COLUMNS;
    let mut select = connection.prepare(&format!("SELECT {columns}, checksum FROM games"))?;
    let mut found = select.query([])?;
    while let Some(row) = found.next()? {
        let bots = bots.unwrap_or(usize::MAX);
        match game_row::read(row, game, bots) {
            Ok((stored, _)) => examined.games.push(stored),
            Err(error) => examined.add(key(row), error),
        }
    }
    Ok(())
}

fn key(row: &Row<'_>) -> Option<GameKey> {
    let key = GameKey {
        generation: row.get(0).ok()?,
        block: row.get(1).ok()?,
        rotation: row.get(2).ok()?,
    };
    (key.block > 0).then_some(key)
}
