//! The database of a class: one SQLite file, which this process alone writes. Another may copy it. Its
//! schema is in `schema`, one file for each version of the format.

use botyard_runner::Error;
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The name of the file.
pub(crate) const FILE: &str = "site.db";

/// The application ID of these files: "Bycl".
const APPLICATION: i64 = 0x4279_636c;

/// The time to wait for a process that is about to end.
const LOCKED: Duration = Duration::from_secs(2);

/// The migrations from each version of the format to the next, starting from an empty file.
const MIGRATIONS: [&str; 20] = [
    include_str!("../../schema/1.sql"),
    include_str!("../../schema/2.sql"),
    include_str!("../../schema/3.sql"),
    include_str!("../../schema/4.sql"),
    include_str!("../../schema/5.sql"),
    include_str!("../../schema/6.sql"),
    include_str!("../../schema/7.sql"),
    include_str!("../../schema/8.sql"),
    include_str!("../../schema/9.sql"),
    include_str!("../../schema/10.sql"),
    include_str!("../../schema/11.sql"),
    include_str!("../../schema/12.sql"),
    include_str!("../../schema/13.sql"),
    include_str!("../../schema/14.sql"),
    include_str!("../../schema/15.sql"),
    include_str!("../../schema/16.sql"),
    include_str!("../../schema/17.sql"),
    include_str!("../../schema/18.sql"),
    include_str!("../../schema/20.sql"),
    include_str!("../../schema/21.sql"),
];

/// A database, with one transaction at a time.
#[derive(Debug)]
pub(crate) struct Database {
    connection: Mutex<Connection>,
    /// Reads much without keeping others from the database. `None`: it is in memory.
    reader: Option<Mutex<Connection>>,
    /// Locks the file beside the database, so that the database itself can be copied.
    _lock: Option<Mutex<Connection>>,
}

impl Database {
    /// Opens the database of a class, or creates it. The file is locked until it is closed.
    ///
    /// # Errors
    ///
    /// Another process has it open; a file of another program or of a later version; errors of the
    /// host.
    pub(crate) fn open(path: &Path) -> Result<Database, Error> {
        let shown = path.display();
        let unusable = |error| Error::host(format!("{shown} cannot be opened: {error}"));
        let lock = lock(&lock_of(path)).map_err(|error| match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Error::usage(format!(
                "{shown} belongs to another `botyard serve` that is running: stop it first"
            )),
            _ => unusable(error),
        })?;
        let connection = Connection::open(path).map_err(unusable)?;
        let database = Database::on(connection, &shown.to_string(), Some(lock))?;
        // Once the file is one of a class, and its log is that of many readers.
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let reader = Connection::open_with_flags(path, flags).map_err(unusable)?;
        reader.busy_timeout(LOCKED).map_err(unusable)?;
        Ok(Database { reader: Some(Mutex::new(reader)), ..database })
    }

    /// Makes a database of an open file, which is called `shown` in errors.
    fn on(
        mut connection: Connection,
        shown: &str,
        lock: Option<Connection>,
    ) -> Result<Database, Error> {
        match own(&connection) {
            Ok(true) => {}
            Ok(false) => {
                return Err(Error::usage(format!(
                    "{shown} is not the database of a class: choose another directory"
                )));
            }
            Err(error) => return Err(Error::host(format!("{shown} cannot be opened: {error}"))),
        }
        migrate(&mut connection)
            .map_err(|error| Error::host(format!("{shown}: {error}")))?
            .map_err(|version| {
                Error::usage(format!(
                    "a later version of Botyard wrote {shown}: its format is {version}, this version \
                     knows formats up to {}",
                    MIGRATIONS.len()
                ))
            })?;
        Ok(Database {
            connection: Mutex::new(connection),
            reader: None,
            _lock: lock.map(Mutex::new),
        })
    }

    /// Runs work that reads much, and writes nothing, in one transaction. Pages do not wait for it.
    ///
    /// # Errors
    ///
    /// Those of SQLite, as failures of the host.
    pub(crate) fn read<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, Error> {
        let Some(reader) = &self.reader else { return self.write(work) };
        let mut connection = reader.lock().unwrap_or_else(PoisonError::into_inner);
        connection.transaction().and_then(|transaction| work(&transaction)).map_err(failed)
    }

    /// Runs the work in one [`transaction`](Database::transaction).
    ///
    /// # Errors
    ///
    /// Those of SQLite, as failures of the host.
    pub(crate) fn write<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, Error> {
        self.transaction(work).map_err(failed)
    }

    /// Runs the work in one transaction, which an error undoes.
    ///
    /// # Errors
    ///
    /// Those of the work, or of SQLite.
    pub(crate) fn transaction<T, E: From<rusqlite::Error>>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let result = work(&transaction)?;
        transaction.commit()?;
        Ok(result)
    }

    /// Overwrites what was deleted, and gives its room back.
    ///
    /// # Errors
    ///
    /// Those of SQLite, as failures of the host.
    pub(crate) fn compact(&self) -> Result<(), Error> {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        connection.execute_batch("VACUUM").map_err(failed)?;
        // The log beside the file has the old pages until then.
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).map_err(failed)
    }
}

/// Returns the file that is locked while a process serves the class.
fn lock_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(".lock");
    name.into()
}

/// Locks a file until the connection is closed. The lock is SQLite's, which ends with the process, whatever
/// programs it is starting.
fn lock(path: &Path) -> rusqlite::Result<Connection> {
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(LOCKED)?;
    connection.pragma_update(None, "locking_mode", "exclusive")?;
    // The first transaction that writes takes the lock, which stays.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Exclusive)?;
    transaction.pragma_update(None, "user_version", 1)?;
    transaction.commit()?;
    Ok(connection)
}

/// Prepares a connection. Returns whether the file is new or the database of a class.
fn own(connection: &Connection) -> rusqlite::Result<bool> {
    connection.busy_timeout(LOCKED)?;
    let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    let application = number("PRAGMA application_id")?;
    let tables = number("SELECT COUNT(*) FROM sqlite_master")?;
    if application != APPLICATION && (tables > 0 || application != 0) {
        return Ok(false);
    }
    connection.pragma_update(None, "journal_mode", "wal")?;
    // A commit is on the disk before the answer to its request: what was accepted is not lost.
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    Ok(true)
}

/// Copies a database, in one transaction, to a file that does not exist. A process may be using it.
///
/// # Errors
///
/// The file is not the database of a class, or the host fails.
pub(crate) fn copy(path: &Path, to: &Path) -> Result<(), Error> {
    let shown = path.display();
    let failed = |error| Error::host(format!("{shown} cannot be copied: {error}"));
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    connection.busy_timeout(5 * LOCKED).map_err(failed)?;
    let application = connection.query_row("PRAGMA application_id", [], |row| row.get::<_, i64>(0));
    if application.map_err(failed)? != APPLICATION {
        return Err(Error::usage(format!("{shown} is not the database of a class")));
    }
    let to = to.to_str().ok_or_else(|| Error::usage("the path of the copy is not UTF-8"))?;
    connection.execute("VACUUM INTO ?1", [to]).map_err(failed)?;
    Ok(())
}

/// Brings the format up to date. The inner error is a version that is not known.
fn migrate(connection: &mut Connection) -> rusqlite::Result<Result<(), i64>> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let known = MIGRATIONS.len() as i64;
    if version > known {
        return Ok(Err(version));
    }
    for script in MIGRATIONS.iter().skip(usize::try_from(version).unwrap_or_default()) {
        transaction.execute_batch(script)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", known)?;
    transaction.commit()?;
    Ok(Ok(()))
}

/// Returns the current time, in seconds since 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

/// Returns a failure of the database as a failure of the host.
fn failed(error: rusqlite::Error) -> Error {
    Error::host(format!("the database of the class cannot be used: {error}"))
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// Returns a database in memory.
    pub(crate) fn database() -> Database {
        let connection = Connection::open_in_memory().expect("SQLite works");
        Database::on(connection, "a database", None).expect("it is new")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_process_has_the_file_and_files_of_others_are_refused() {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join("site.db");
        let database = Database::open(&path).expect("it is new");
        let second = Database::open(&path).expect_err("it is taken").to_string();
        assert!(second.contains("another `botyard serve`"), "{second}");
        drop(database);
        Database::open(&path).expect("it is free again");
        let foreign = place.path().join("foreign.db");
        let other = Connection::open(&foreign).expect("a file");
        other.execute_batch("CREATE TABLE other(x)").expect("a table");
        drop(other);
        let error = Database::open(&foreign).expect_err("a foreign file").to_string();
        assert!(error.contains("not the database of a class"), "{error}");
    }

    #[test]
    fn an_error_undoes_a_transaction() {
        let database = testing::database();
        let failed: Result<(), rusqlite::Error> = database.transaction(|transaction| {
            transaction.execute("INSERT INTO teams(name) VALUES ('a')", [])?;
            Err(rusqlite::Error::QueryReturnedNoRows)
        });
        assert!(failed.is_err());
        let count = database.transaction(|transaction| {
            transaction.query_row("SELECT COUNT(*) FROM teams", [], |row| row.get::<_, i64>(0))
        });
        assert_eq!(count.expect("a number"), 0);
    }
}
