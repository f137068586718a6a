//! Statements that are prepared once and run often.

use rusqlite::types::FromSql;
use rusqlite::{Connection, Params, Row};

/// Runs statements in a transaction. Each is prepared when it is run first.
pub(crate) trait Statements {
    /// Runs a statement that changes rows.
    fn change(&self, sql: &str, params: impl Params) -> rusqlite::Result<()>;

    /// Reads the first column of the first row.
    fn value<T: FromSql>(&self, sql: &str, params: impl Params) -> rusqlite::Result<T> {
        self.row(sql, params, |row| row.get(0))
    }

    /// Reads the first row.
    fn row<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T>;

    /// Reads all rows.
    fn rows<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Vec<T>>;
}

impl Statements for Connection {
    fn change(&self, sql: &str, params: impl Params) -> rusqlite::Result<()> {
        self.prepare_cached(sql)?.execute(params).map(drop)
    }

    fn row<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        self.prepare_cached(sql)?.query_row(params, read)
    }

    fn rows<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Vec<T>> {
        self.prepare_cached(sql)?.query_map(params, read)?.collect()
    }
}
