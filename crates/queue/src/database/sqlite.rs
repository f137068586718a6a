//! SQLite: one file, which one process owns. Several processes that write one file wait for each
//! other up to seconds, so a second one is refused.

use super::{Database, Dialect, Statements, Work, migrate};
use botyard_league::store::{Cell, StoreError};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Transaction, TransactionBehavior, params_from_iter};
use std::fs::File;
use std::path::Path;
use std::time::Duration;

/// The application id of these files: "Byrq".
const APPLICATION: i64 = 0x4279_7271;

/// The time to wait for a reader that has locked the file.
const LOCKED: Duration = Duration::from_secs(60);

/// A queue in one file.
#[derive(Debug)]
pub struct SqliteDatabase {
    connection: Connection,
    /// Locked while this process owns the file.
    _owned: File,
}

impl SqliteDatabase {
    /// Opens a queue, or creates one.
    ///
    /// # Errors
    ///
    /// Another process owns it; a file of another program; errors of the host.
    pub fn open(path: &Path) -> Result<SqliteDatabase, StoreError> {
        let mut lock = path.as_os_str().to_os_string();
        lock.push(".lock");
        let host = |error: std::io::Error| StoreError::Host(format!("{}: {error}", path.display()));
        let owned =
            File::options().create(true).truncate(false).write(true).open(&lock).map_err(host)?;
        match owned.try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => {
                return Err(StoreError::Host(format!(
                    "{} belongs to another process that is running; stop it, or use PostgreSQL for \
                     several processes",
                    path.display()
                )));
            }
            Err(std::fs::TryLockError::Error(error)) => return Err(host(error)),
        }
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(LOCKED)?;
        let pragma = |connection: &Connection, name: &str| {
            connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0))
        };
        let no_queue = |reason: String| StoreError::NoTournament { path: path.into(), reason };
        let application =
            pragma(&connection, "application_id").map_err(|error| no_queue(error.to_string()))?;
        let found = pragma(&connection, "user_version")?;
        let tables: i64 = connection
            .query_row("SELECT COUNT(*) FROM sqlite_master", [], |row| row.get(0))
            .map_err(|error| no_queue(error.to_string()))?;
        if application != APPLICATION && (tables > 0 || found > 0) {
            return Err(no_queue("its application id is another program's".into()));
        }
        connection.pragma_update(None, "journal_mode", "wal")?;
        connection.pragma_update(None, "synchronous", "normal")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let version = migrate(&mut SqliteStatements { transaction: &transaction }, found)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", version)?;
        transaction.commit()?;
        Ok(SqliteDatabase { connection, _owned: owned })
    }
}

impl Database for SqliteDatabase {
    fn dialect(&self) -> Dialect {
        Dialect {
            now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
            // A writing transaction has the file for itself.
            for_update: "",
            skip_locked: "",
        }
    }

    fn transaction(&mut self, work: &mut Work<'_>) -> Result<(), StoreError> {
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        work(&mut SqliteStatements { transaction: &transaction })?;
        Ok(transaction.commit()?)
    }
}

struct SqliteStatements<'a> {
    transaction: &'a Transaction<'a>,
}

/// Returns a statement with SQLite's names of values: `?1` for `$1`.
fn with_numbers(sql: &str) -> String {
    sql.replace('$', "?")
}

impl Statements for SqliteStatements<'_> {
    fn execute(&mut self, sql: &str, values: &[Cell]) -> Result<u64, StoreError> {
        let mut statement = self.transaction.prepare_cached(&with_numbers(sql))?;
        Ok(statement.execute(params_from_iter(values))? as u64)
    }

    fn query(
        &mut self,
        sql: &str,
        values: &[Cell],
        each: &mut dyn FnMut(Vec<Cell>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut statement = self.transaction.prepare_cached(&with_numbers(sql))?;
        let columns = statement.column_count();
        let mut rows = statement.query(params_from_iter(values))?;
        while let Some(row) = rows.next()? {
            let cells: Result<Vec<Cell>, StoreError> =
                (0..columns).map(|column| cell(row.get_ref(column)?)).collect();
            each(cells?)?;
        }
        Ok(())
    }

    fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        Ok(self.transaction.execute_batch(sql)?)
    }
}

fn cell(value: ValueRef<'_>) -> Result<Cell, StoreError> {
    Ok(match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Integer(number),
        ValueRef::Text(text) => match std::str::from_utf8(text) {
            Ok(text) => Cell::Text(text.to_string()),
            Err(error) => return Err(StoreError::Damaged(error.to_string())),
        },
        ValueRef::Blob(bytes) => Cell::Bytes(bytes.to_vec()),
        ValueRef::Real(number) => {
            return Err(StoreError::Damaged(format!("expected a whole number, found {number}")));
        }
    })
}
