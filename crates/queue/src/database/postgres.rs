//! PostgreSQL: any number of processes on any number of hosts.

use super::{Database, Dialect, Statements, Work, migrate};
use botyard_league::store::{Cell, StoreError};
use bytes::BytesMut;
use fallible_iterator::FallibleIterator;
use postgres::error::SqlState;
use postgres::types::{IsNull, ToSql, Type};
use postgres::{Client, Config, NoTls, Row, Statement, Transaction};
use std::collections::HashMap;
use std::error::Error as StdError;
use std::fmt;
use std::time::{Duration, Instant};

/// How long a lost connection is tried again before the work fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// The wait before the first and the longest wait between two attempts to connect.
const WAITS: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(2));

/// How long an attempt to connect may take.
const CONNECT: Duration = Duration::from_secs(10);

/// How often work is repeated because of another transaction.
const CONFLICTS: u32 = 20;

/// The schema of the tables.
const SCHEMA: &str = "botyard";

/// The number of the lock that migrations hold, in the application's own range: "Byrq".
const MIGRATING: i64 = 0x4279_7271;

/// A queue in a database of a server.
pub struct PostgresDatabase {
    config: Config,
    patience: Duration,
    connected: Option<Connected>,
}

/// A connection.
struct Connected {
    client: Client,
    /// The statements that the server has parsed.
    prepared: HashMap<String, Statement>,
}

impl fmt::Debug for PostgresDatabase {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the password.
        formatter.debug_struct("PostgresDatabase").finish_non_exhaustive()
    }
}

impl PostgresDatabase {
    /// Connects to the database of an address such as `postgres://user@host/database`, and makes the
    /// tables if there are none, in the schema `botyard`.
    ///
    /// # Errors
    ///
    /// An address that cannot be read; a server that cannot be reached; errors of the server.
    pub fn open(address: &str) -> Result<PostgresDatabase, StoreError> {
        PostgresDatabase::open_within(address, Duration::ZERO)
    }

    /// The same, with attempts for this time while the server cannot be reached or cuts connections.
    ///
    /// # Errors
    ///
    /// As for [`open`](PostgresDatabase::open).
    pub fn open_within(address: &str, patience: Duration) -> Result<PostgresDatabase, StoreError> {
        let mut config: Config = address.parse().map_err(|error| {
            StoreError::Host(format!(
                "the address of the PostgreSQL database cannot be read: {error}; expected \
                 postgres://USER@HOST/DATABASE"
            ))
        })?;
        config.connect_timeout(CONNECT);
        config.application_name("botyard");
        let mut database = PostgresDatabase { config, patience, connected: None };
        database.transaction(&mut |statements| {
            // Several processes may start at once.
            statements.script(&format!("SELECT pg_advisory_xact_lock({MIGRATING})"))?;
            statements.script(&format!(
                "CREATE SCHEMA IF NOT EXISTS {SCHEMA};
                 CREATE TABLE IF NOT EXISTS {SCHEMA}.format(version BIGINT NOT NULL)"
            ))?;
            let found = statements.number("SELECT MAX(version) FROM format", &[])?;
            let version = migrate(statements, found)?;
            if version != found {
                statements.execute("DELETE FROM format", &[])?;
                statements.execute("INSERT INTO format VALUES ($1)", &[version.into()])?;
            }
            Ok(())
        })?;
        database.patience = PATIENCE;
        Ok(database)
    }

    /// Returns a connection, and connects first if there is none.
    fn connected(&mut self) -> Result<&mut Connected, postgres::Error> {
        let is_open = |connected: &Connected| !connected.client.is_closed();
        let connected = match self.connected.take().filter(is_open) {
            Some(connected) => connected,
            None => {
                let mut client = self.config.connect(NoTls)?;
                client.batch_execute(&format!("SET search_path = {SCHEMA}"))?;
                Connected { client, prepared: HashMap::new() }
            }
        };
        Ok(self.connected.insert(connected))
    }

    /// Runs the work once.
    fn attempt(&mut self, work: &mut Work<'_>) -> Attempt {
        let Connected { client, prepared } = match self.connected() {
            Ok(connected) => connected,
            Err(error) => return Attempt::of(&error),
        };
        let transaction = match client.transaction() {
            Ok(transaction) => transaction,
            Err(error) => return Attempt::of(&error),
        };
        let mut statements = PostgresStatements { transaction, prepared, failed: None };
        match work(&mut statements) {
            Ok(()) => match statements.transaction.commit() {
                Ok(()) => Attempt::Done(Ok(())),
                Err(error) => Attempt::of(&error),
            },
            // The work may have other words for what the server said.
            Err(error) => match statements.failed {
                Some(failed @ (Attempt::Lost(_) | Attempt::Conflict(_))) => failed,
                _ => Attempt::Done(Err(error)),
            },
        }
    }
}

/// The end of an attempt at the work.
enum Attempt {
    /// It is done, or it failed.
    Done(Result<(), StoreError>),
    /// The connection is lost.
    Lost(String),
    /// Another transaction was in the way.
    Conflict(String),
}

impl Attempt {
    fn of(error: &postgres::Error) -> Attempt {
        let text = words(error);
        match error.code() {
            Some(code)
                if [SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED]
                    .contains(code) =>
            {
                Attempt::Conflict(text)
            }
            // A server that ends or starts, or has no free connection.
            Some(code)
                if ["57P", "08", "53"].iter().any(|class| code.code().starts_with(class))
                    && *code != SqlState::DISK_FULL =>
            {
                Attempt::Lost(text)
            }
            Some(code) if *code == SqlState::DISK_FULL => {
                Attempt::Done(Err(StoreError::Full(text)))
            }
            Some(_) => Attempt::Done(Err(StoreError::Host(text))),
            // Without a code, the error is not the server's: the connection failed.
            None => Attempt::Lost(text),
        }
    }
}

/// Returns an error with what caused it.
fn words(error: &postgres::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        cause = error.source();
    }
    text
}

impl Database for PostgresDatabase {
    fn dialect(&self) -> Dialect {
        Dialect {
            now: "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
            for_update: " FOR UPDATE",
            skip_locked: " FOR UPDATE SKIP LOCKED",
            snapshot: "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
        }
    }

    fn transaction(&mut self, work: &mut Work<'_>) -> Result<(), StoreError> {
        let begun = Instant::now();
        let (mut wait, longest) = WAITS;
        let mut conflicts = 0;
        loop {
            let reason = match self.attempt(work) {
                Attempt::Done(result) => return result,
                Attempt::Conflict(reason) => {
                    conflicts += 1;
                    if conflicts > CONFLICTS {
                        return Err(StoreError::Host(reason));
                    }
                    continue;
                }
                Attempt::Lost(reason) => reason,
            };
            self.connected = None;
            if begun.elapsed() + wait > self.patience {
                return Err(StoreError::Host(format!(
                    "the PostgreSQL server cannot be reached: {reason}"
                )));
            }
            std::thread::sleep(wait);
            wait = (wait * 2).min(longest);
        }
    }
}

struct PostgresStatements<'a> {
    transaction: Transaction<'a>,
    prepared: &'a mut HashMap<String, Statement>,
    failed: Option<Attempt>,
}

impl PostgresStatements<'_> {
    fn prepare(&mut self, sql: &str) -> Result<Statement, StoreError> {
        if let Some(prepared) = self.prepared.get(sql) {
            return Ok(prepared.clone());
        }
        let prepared = self.transaction.prepare(sql);
        let prepared = prepared.map_err(|error| fail(&mut self.failed, &error))?;
        self.prepared.insert(sql.to_string(), prepared.clone());
        Ok(prepared)
    }
}

/// Keeps how an attempt failed, and returns the error for the work.
fn fail(failed: &mut Option<Attempt>, error: &postgres::Error) -> StoreError {
    *failed = Some(Attempt::of(error));
    match Attempt::of(error) {
        Attempt::Done(Err(error)) => error,
        Attempt::Lost(text) | Attempt::Conflict(text) => StoreError::Host(text),
        Attempt::Done(Ok(())) => StoreError::Host(words(error)),
    }
}

impl Statements for PostgresStatements<'_> {
    fn execute(&mut self, sql: &str, values: &[Cell]) -> Result<u64, StoreError> {
        let prepared = self.prepare(sql)?;
        let values: Vec<Parameter<'_>> = values.iter().map(Parameter).collect();
        let values: Vec<&(dyn ToSql + Sync)> =
            values.iter().map(|value| value as &(dyn ToSql + Sync)).collect();
        let changed = self.transaction.execute(&prepared, &values);
        changed.map_err(|error| fail(&mut self.failed, &error))
    }

    fn query(
        &mut self,
        sql: &str,
        values: &[Cell],
        each: &mut dyn FnMut(Vec<Cell>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let prepared = self.prepare(sql)?;
        let values: Vec<Parameter<'_>> = values.iter().map(Parameter).collect();
        let found = self.transaction.query_raw(&prepared, values.iter().map(|it| it as &dyn ToSql));
        let mut rows = match found {
            Ok(rows) => rows,
            Err(error) => return Err(fail(&mut self.failed, &error)),
        };
        loop {
            match rows.next() {
                Ok(Some(row)) => each(cells(&row)?)?,
                Ok(None) => return Ok(()),
                Err(error) => return Err(fail(&mut self.failed, &error)),
            }
        }
    }

    fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        let ran = self.transaction.batch_execute(sql);
        ran.map_err(|error| fail(&mut self.failed, &error))
    }
}

/// A value of any type, `NULL` included.
#[derive(Debug)]
struct Parameter<'a>(&'a Cell);

impl ToSql for Parameter<'_> {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match self.0 {
            Cell::Null => Ok(IsNull::Yes),
            Cell::Integer(number) if *kind == Type::INT8 => number.to_sql(kind, out),
            Cell::Integer(number) if *kind == Type::INT4 => {
                i32::try_from(*number)?.to_sql(kind, out)
            }
            Cell::Text(text) if *kind == Type::TEXT => text.to_sql(kind, out),
            Cell::Bytes(bytes) if *kind == Type::BYTEA => bytes.to_sql(kind, out),
            other => Err(format!("expected a value of the type {kind}, got {other:?}").into()),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    postgres::types::to_sql_checked!();
}

fn cells(row: &Row) -> Result<Vec<Cell>, StoreError> {
    let cell = |index: usize, kind: &Type| {
        Ok(match *kind {
            Type::INT8 => row.try_get::<_, Option<i64>>(index)?.into(),
            Type::INT4 => row.try_get::<_, Option<i32>>(index)?.map(i64::from).into(),
            Type::TEXT => row.try_get::<_, Option<String>>(index)?.into(),
            Type::BYTEA => row.try_get::<_, Option<Vec<u8>>>(index)?.into(),
            _ => Cell::Null,
        })
    };
    let columns = row.columns().iter().enumerate();
    columns
        .map(|(index, column)| cell(index, column.type_()))
        .collect::<Result<_, postgres::Error>>()
        .map_err(|error| StoreError::Damaged(words(&error)))
}
