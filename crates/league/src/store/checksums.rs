//! Checksums of the content of a store, so that damage is detected when it is read, and never taken
//! for a result.
//!
//! Every row of a game has a checksum of its values. The table `checksums` has one for each part of
//! several rows: the definition with its bots, the rejudges, and, for each generation, the number
//! of its games and the sum of their checksums. They detect damage, not forgery: a program that can
//! write to the file can write a checksum.

use super::StoreError;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row, params};
use sha2::{Digest, Sha256};

/// The part that never changes: the tournament and its bots.
pub(super) const DEFINITION: &str = "definition";
/// The rejudges.
pub(super) const GENERATIONS: &str = "generations";

/// The number of games of a generation, and the sum of their checksums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    games: i64,
    sum: i64,
}

impl Tally {
    /// Adds a game with this checksum.
    pub(super) fn add(&mut self, checksum: i64) {
        self.games += 1;
        self.sum = self.sum.wrapping_add(checksum);
    }

    /// Removes a game with this checksum.
    pub(super) fn remove(&mut self, checksum: i64) {
        self.games -= 1;
        self.sum = self.sum.wrapping_sub(checksum);
    }

    /// Returns the number of games.
    pub(super) fn games(&self) -> u64 {
        u64::try_from(self.games).unwrap_or_default()
    }

    /// Reads the tally of a generation; empty for one without games.
    pub(super) fn read(connection: &Connection, generation: u32) -> Result<Tally, StoreError> {
        let Some(text) = read(connection, &Tally::name(generation))? else {
            return Ok(Tally::default());
        };
        let numbers = text.split_once(' ').and_then(|(games, sum)| {
            Some(Tally { games: games.parse().ok()?, sum: sum.parse().ok()? })
        });
        numbers.ok_or_else(|| damaged(&format!("the number of games of generation {generation}")))
    }

    /// Writes the tally.
    pub(super) fn write(&self, connection: &Connection, generation: u32) -> Result<(), StoreError> {
        write(connection, &Tally::name(generation), &format!("{} {}", self.games, self.sum))
    }

    /// Compares what was read with what was written.
    pub(super) fn check(&self, written: Tally, generation: u32) -> Result<(), StoreError> {
        if *self == written {
            return Ok(());
        }
        Err(StoreError::Damaged(format!(
            "generation {generation} has {} games where {} were recorded, or they are not the same",
            self.games, written.games
        )))
    }

    fn name(generation: u32) -> String {
        format!("games {generation}")
    }
}

/// Returns the checksum of the first `columns` values of a row.
pub(super) fn checksum_of_row(row: &Row<'_>, columns: usize) -> rusqlite::Result<i64> {
    let mut hasher = Sha256::new();
    for column in 0..columns {
        hash(&mut hasher, row.get_ref(column)?);
    }
    Ok(finish(hasher))
}

/// Returns the checksum of values that are about to be written.
pub(super) fn checksum_of_values<'a>(values: impl IntoIterator<Item = ValueRef<'a>>) -> i64 {
    let mut hasher = Sha256::new();
    values.into_iter().for_each(|value| hash(&mut hasher, value));
    finish(hasher)
}

/// Records the checksum of the current definition. Code that changes a row of the tables
/// `tournament` or `bots` calls this in the same transaction.
pub(super) fn seal_definition(connection: &Connection) -> Result<(), StoreError> {
    write(connection, DEFINITION, &definition(connection)?.to_string())
}

/// Records the checksum of the current rejudges.
pub(super) fn seal_generations(connection: &Connection) -> Result<(), StoreError> {
    write(connection, GENERATIONS, &generations(connection)?.to_string())
}

/// Compares the definition with its checksum.
pub(super) fn check_definition(connection: &Connection) -> Result<(), StoreError> {
    check(connection, DEFINITION, definition(connection)?, "the tournament's definition")
}

/// Compares the rejudges with their checksum.
pub(super) fn check_generations(connection: &Connection) -> Result<(), StoreError> {
    check(connection, GENERATIONS, generations(connection)?, "the list of rejudged games")
}

fn definition(connection: &Connection) -> Result<i64, StoreError> {
    of_rows(
        connection,
        &["SELECT key, value FROM tournament ORDER BY key", "SELECT * FROM bots ORDER BY position"],
    )
}

fn generations(connection: &Connection) -> Result<i64, StoreError> {
    of_rows(
        connection,
        &[
            "SELECT * FROM generations ORDER BY number",
            "SELECT * FROM judged_anew ORDER BY generation, block, rotation",
        ],
    )
}

fn of_rows(connection: &Connection, queries: &[&str]) -> Result<i64, StoreError> {
    let mut hasher = Sha256::new();
    for query in queries {
        let mut select = connection.prepare_cached(query)?;
        let columns = select.column_count();
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            hasher.update([1]);
            for column in 0..columns {
                hash(&mut hasher, row.get_ref(column)?);
            }
        }
        hasher.update([0]);
    }
    Ok(finish(hasher))
}

fn check(connection: &Connection, name: &str, found: i64, what: &str) -> Result<(), StoreError> {
    if read(connection, name)? == Some(found.to_string()) { Ok(()) } else { Err(damaged(what)) }
}

fn read(connection: &Connection, name: &str) -> Result<Option<String>, StoreError> {
    let mut select = connection.prepare_cached("SELECT value FROM seals WHERE name = ?1")?;
    Ok(select.query_row([name], |row| row.get(0)).optional()?)
}

fn write(connection: &Connection, name: &str, value: &str) -> Result<(), StoreError> {
    let sql = "INSERT INTO seals VALUES (?1, ?2) ON CONFLICT(name) DO UPDATE SET value = ?2";
    connection.prepare_cached(sql)?.execute(params![name, value])?;
    Ok(())
}

fn damaged(what: &str) -> StoreError {
    StoreError::Damaged(format!("{what} does not agree with its checksum"))
}

fn hash(hasher: &mut Sha256, value: ValueRef<'_>) {
    let mut part = |tag: u8, bytes: &[u8]| {
        hasher.update([tag]);
        hasher.update((bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    match value {
        ValueRef::Null => part(0, &[]),
        ValueRef::Integer(number) => part(1, &number.to_le_bytes()),
        ValueRef::Real(number) => part(2, &number.to_bits().to_le_bytes()),
        ValueRef::Text(text) => part(3, text),
        ValueRef::Blob(bytes) => part(4, bytes),
    }
}

/// Returns the first eight bytes, as a number that SQLite can store.
fn finish(hasher: Sha256) -> i64 {
    let digest = hasher.finalize();
    digest.iter().take(8).fold(0i64, |number, &byte| number << 8 | i64::from(byte))
}
