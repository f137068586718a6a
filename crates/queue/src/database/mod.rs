//! What the queue needs of a database engine: transactions of SQL statements. All statements of this
//! crate are the same for every engine; where engines differ, [`Dialect`] has the words.

mod postgres;
mod sqlite;

pub use self::postgres::PostgresDatabase;
pub use self::sqlite::SqliteDatabase;

use botyard_league::store::{Cell, StoreError};

/// The words in which engines differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// An expression for the time now, in milliseconds since 1970.
    pub now: &'static str,
    /// The end of a `SELECT` whose rows are about to be changed: it waits for other transactions
    /// that change them.
    pub for_update: &'static str,
    /// The same, but without rows that other transactions are changing.
    pub skip_locked: &'static str,
    /// The first statement of a transaction that is to see one state of the database to its end; empty
    /// if every transaction does.
    pub snapshot: &'static str,
}

/// The statements of one transaction. Values are `$1`, `$2` and so on in a statement.
pub trait Statements {
    /// Runs a statement, and returns the number of changed rows.
    ///
    /// # Errors
    ///
    /// Those of the engine.
    fn execute(&mut self, sql: &str, values: &[Cell]) -> Result<u64, StoreError>;

    /// Runs a query, and calls `each` with every row.
    ///
    /// # Errors
    ///
    /// Those of the engine, and of `each`.
    fn query(
        &mut self,
        sql: &str,
        values: &[Cell],
        each: &mut dyn FnMut(Vec<Cell>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError>;

    /// Runs several statements without values.
    ///
    /// # Errors
    ///
    /// Those of the engine.
    fn script(&mut self, sql: &str) -> Result<(), StoreError>;
}

impl dyn Statements + '_ {
    /// Returns all rows of a query.
    ///
    /// # Errors
    ///
    /// Those of the engine.
    pub fn rows(&mut self, sql: &str, values: &[Cell]) -> Result<Vec<Vec<Cell>>, StoreError> {
        let mut rows = Vec::new();
        self.query(sql, values, &mut |row| {
            rows.push(row);
            Ok(())
        })?;
        Ok(rows)
    }

    /// Returns the first row of a query, if there is one.
    ///
    /// # Errors
    ///
    /// Those of the engine.
    pub fn row(&mut self, sql: &str, values: &[Cell]) -> Result<Option<Vec<Cell>>, StoreError> {
        Ok(self.rows(sql, values)?.into_iter().next())
    }

    /// Returns the number in the first column of the first row; 0 if there is none.
    ///
    /// # Errors
    ///
    /// Those of the engine.
    pub fn number(&mut self, sql: &str, values: &[Cell]) -> Result<i64, StoreError> {
        let row = self.row(sql, values)?;
        Ok(row.and_then(|row| row.first().and_then(Cell::integer)).unwrap_or_default())
    }
}

/// The work of a transaction. It may be called more than once, if the connection was lost or another
/// transaction was in the way.
pub type Work<'a> = dyn FnMut(&mut dyn Statements) -> Result<(), StoreError> + 'a;

/// A database.
pub trait Database: Send {
    /// Returns the words in which this engine differs.
    fn dialect(&self) -> Dialect;

    /// Runs the work in one transaction, which nothing else sees before its end. An error of the work
    /// leaves nothing behind.
    ///
    /// # Errors
    ///
    /// Those of the work, or of the engine.
    fn transaction(&mut self, work: &mut Work<'_>) -> Result<(), StoreError>;
}

/// The migrations from each version of the format to the next, starting from an empty database.
const MIGRATIONS: [&str; 2] =
    [include_str!("../../migrations/1.sql"), include_str!("../../migrations/2.sql")];

/// Brings the format up to date. `known` is the version found, 0 for an empty database.
///
/// # Errors
///
/// Those of the engine; a format of a later version.
fn migrate(statements: &mut dyn Statements, found: i64) -> Result<i64, StoreError> {
    let known = MIGRATIONS.len() as i64;
    if found > known {
        return Err(StoreError::Host(format!(
            "a later version of Botyard wrote it: its format is {found}, this version knows \
             formats up to {known}"
        )));
    }
    for script in MIGRATIONS.iter().skip(usize::try_from(found).unwrap_or_default()) {
        statements.script(script)?;
    }
    Ok(known)
}
