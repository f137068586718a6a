//! SQLite: one file, which one process owns. Several processes that write one file wait for each
//! other up to seconds, so a second one is refused. SQLite's own lock keeps it out.

use super::{Database, Dialect, Statements, Work, migrate};
use botyard_league::private_files;
use botyard_league::store::{Cell, StoreError};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior, params_from_iter};
use std::path::Path;
use std::time::Duration;

/// The application id of these files: "Byrq".
const APPLICATION: i64 = 0x4279_7271;

/// The time to wait for a process that is about to end.
const LOCKED: Duration = Duration::from_secs(2);

/// A queue in one file.
#[derive(Debug)]
pub struct SqliteDatabase {
    connection: Connection,
}

impl SqliteDatabase {
    /// Opens a queue, or creates one. The file is locked until the queue is closed, also for readers.
    ///
    /// # Errors
    ///
    /// Another process has it open; a file of another program; errors of the host.
    pub fn open(path: &Path) -> Result<SqliteDatabase, StoreError> {
        // SQLite says why it cannot be created.
        let _ = private_files::create_file(path);
        private_files::tighten_database(path);
        let mut connection = Connection::open(path)?;
        let version = match own(&mut connection) {
            Ok(Owned::Queue(version)) => version,
            Ok(Owned::Other) => {
                let reason = "its application id is another program's".to_string();
                return Err(StoreError::NoTournament { path: path.into(), reason });
            }
            Err(error) => {
                return Err(match error.sqlite_error_code() {
                    Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                        StoreError::Refused(format!(
                            "{} belongs to another process that is running: stop it, or use \
                             PostgreSQL for several processes",
                            path.display()
                        ))
                    }
                    Some(ErrorCode::NotADatabase) => {
                        StoreError::NoTournament { path: path.into(), reason: error.to_string() }
                    }
                    _ => error.into(),
                });
            }
        };
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let version = migrate(&mut SqliteStatements { transaction: &transaction }, version)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", version)?;
        transaction.commit()?;
        Ok(SqliteDatabase { connection })
    }
}

/// What a locked file contains.
enum Owned {
    /// A queue of this version; 0 for an empty file.
    Queue(i64),
    /// Something of another program.
    Other,
}

/// Locks the file for this connection.
fn own(connection: &mut Connection) -> rusqlite::Result<Owned> {
    connection.busy_timeout(LOCKED)?;
    connection.pragma_update(None, "locking_mode", "exclusive")?;
    let number = |connection: &Connection, sql: &str| {
        connection.query_row(sql, [], |row| row.get::<_, i64>(0))
    };
    let application = number(connection, "PRAGMA application_id")?;
    let version = number(connection, "PRAGMA user_version")?;
    let tables = number(connection, "SELECT COUNT(*) FROM sqlite_master")?;
    if application != APPLICATION && (tables > 0 || version > 0) {
        return Ok(Owned::Other);
    }
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "normal")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // The first transaction that writes takes the lock, which stays.
    connection.transaction_with_behavior(TransactionBehavior::Immediate)?.commit()?;
    Ok(Owned::Queue(version))
}

impl Database for SqliteDatabase {
    fn dialect(&self) -> Dialect {
        Dialect {
            now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
            // A writing transaction has the file for itself.
            for_update: "",
            skip_locked: "",
            snapshot: "",
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
