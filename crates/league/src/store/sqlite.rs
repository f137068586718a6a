//! A tournament in one SQLite file. It can be read while it is written (write-ahead log). Committed
//! results survive a kill of the program at any instant. After a power failure the last games may
//! be missing, and are played again.

use super::checksums::{self, Tally};
use super::definition_rows::BotRow;
use super::{
    AuditEntry, Definition, Generation, GenerationState, Store, StoreError, StoredGame,
    definition_rows, game_row, now,
};
use crate::played_game::Entrant;
use crate::{atomic_file, private_files};
use rusqlite::{
    Connection, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The application id of tournament files: "Byrd".
const APPLICATION: i64 = 0x4279_7264;

/// The migrations from each version of the format to the next, starting from an empty file.
/// Released steps never change; a later version adds a step.
const STEPS: [&str; 5] = [
    "
    CREATE TABLE tournament(
        key TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE bots(
        position INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        team TEXT NOT NULL,
        version TEXT NOT NULL,
        digest TEXT NOT NULL,
        gate_passed INTEGER,
        rejected TEXT
    );
    CREATE TABLE games(
        generation INTEGER NOT NULL,
        block INTEGER NOT NULL,
        rotation INTEGER NOT NULL,
        id INTEGER NOT NULL,
        seats TEXT NOT NULL,
        points TEXT,
        places TEXT,
        turns INTEGER NOT NULL,
        uses TEXT NOT NULL,
        faults TEXT,
        replay INTEGER NOT NULL,
        attempts INTEGER NOT NULL,
        PRIMARY KEY (generation, block, rotation)
    ) WITHOUT ROWID;
    CREATE TABLE audit(
        number INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        what TEXT NOT NULL,
        detail TEXT NOT NULL
    );
",
    "
    CREATE TABLE generations(
        number INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        reason TEXT NOT NULL,
        state TEXT NOT NULL
    );
    CREATE TABLE judged_anew(
        generation INTEGER NOT NULL,
        block INTEGER NOT NULL,
        rotation INTEGER NOT NULL,
        PRIMARY KEY (generation, block, rotation)
    ) WITHOUT ROWID;
",
    // A tournament stores either a seed, or a secret and its hash; and a tag.
    "",
    "
    ALTER TABLE games ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE seals(
        name TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) WITHOUT ROWID;
",
    // A tournament stores copies of what lay beside its file, under a separate key. An earlier
    // version would play from the originals.
    "",
];

/// The version of the format that this code writes.
pub const SCHEMA_VERSION: i64 = STEPS.len() as i64;

/// The time to wait for another program that has locked the file. Readers lock it for an instant,
/// but the last one to close it holds the lock until everything is written to the disk.
const LOCKED: Duration = Duration::from_secs(120);

/// The first version with checksums: earlier files get them when they are migrated.
const SEALED: i64 = 4;

/// A tournament in one file.
#[derive(Debug)]
pub struct SqliteStore {
    connection: Connection,
    definition: Definition,
}

impl SqliteStore {
    /// Creates a new tournament in a new file.
    ///
    /// # Errors
    ///
    /// An existing file; errors of the host.
    pub fn create(path: &Path, definition: Definition) -> Result<SqliteStore, StoreError> {
        if path.exists() {
            let directory = path.parent().unwrap_or(path).to_path_buf();
            return Err(StoreError::Exists { directory });
        }
        // All or nothing: a program killed here leaves nothing that looks like a tournament.
        let part = path.with_extension("part");
        for suffix in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(with_suffix(&part, suffix));
        }
        // SQLite says why it cannot be created.
        let _ = private_files::create_file(&part);
        let mut connection = Connection::open(&part)?;
        connection.busy_timeout(LOCKED)?;
        let transaction = connection.transaction()?;
        migrate(&transaction, 0)?;
        write_definition(&transaction, &definition)?;
        transaction.commit()?;
        connection.close().map_err(|(_, error)| StoreError::from(error))?;
        atomic_file::rename(&part, path).map_err(|error| StoreError::Host(error.to_string()))?;
        SqliteStore::open(path)
    }

    /// Opens a tournament begun by this or an earlier version; an earlier file is migrated.
    ///
    /// # Errors
    ///
    /// A file that does not exist or is not a tournament's; errors of the host.
    pub fn open(path: &Path) -> Result<SqliteStore, StoreError> {
        let mut connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let version = version(&connection, path)?;
        if version < SCHEMA_VERSION {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            migrate(&transaction, version)?;
            transaction.commit()?;
        }
        // A commit reaches the operating system immediately and the disk later: killing the program
        // loses nothing.
        connection.pragma_update(None, "journal_mode", "wal")?;
        connection.pragma_update(None, "synchronous", "normal")?;
        let definition = read_definition(&connection, path)?;
        checksums::check_definition(&connection)?;
        Ok(SqliteStore { connection, definition })
    }

    /// Opens a tournament for reading only, while another program may be writing. A file of an
    /// earlier version is not changed.
    ///
    /// # Errors
    ///
    /// As for [`SqliteStore::open`].
    pub fn open_to_read(path: &Path) -> Result<SqliteStore, StoreError> {
        let mut connection = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let version = version(&connection, path)?;
        if version < SCHEMA_VERSION {
            connection = in_memory(path)?;
            let transaction = connection.transaction()?;
            migrate(&transaction, version)?;
            transaction.commit()?;
        }
        let definition = read_definition(&connection, path)?;
        checksums::check_definition(&connection)?;
        Ok(SqliteStore { connection, definition })
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(suffix);
    name.into()
}

pub(super) fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    if !path.is_file() {
        return Err(StoreError::NotThere { path: path.to_path_buf() });
    }
    private_files::tighten_database(path);
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(LOCKED)?;
    Ok(connection)
}

/// Makes a copy in memory, to be migrated without changing the file.
pub(super) fn in_memory(path: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open_in_memory()?;
    let name = path.to_string_lossy();
    connection.execute("ATTACH DATABASE ?1 AS file", [&name])?;
    let mut tables = connection
        .prepare("SELECT name, sql FROM file.sqlite_master WHERE type = 'table' AND sql NOT NULL")?
        .query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?
        .collect::<Result<Vec<_>, _>>()?;
    tables.retain(|(name, _)| !name.starts_with("sqlite_"));
    for (name, sql) in tables {
        connection.execute_batch(&sql)?;
        let name = name.replace('"', "\"\"");
        connection
            .execute_batch(&format!("INSERT INTO main.\"{name}\" SELECT * FROM file.\"{name}\""))?;
    }
    connection.execute_batch("DETACH DATABASE file")?;
    Ok(connection)
}

/// Reads the version of a tournament's format.
pub(super) fn version(connection: &Connection, path: &Path) -> Result<i64, StoreError> {
    let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let no_tournament = |reason: String| StoreError::NoTournament { path: path.into(), reason };
    let application = pragma("application_id").map_err(|error| no_tournament(error.to_string()))?;
    if application != APPLICATION {
        return Err(no_tournament("its application id is another program's".into()));
    }
    match pragma("user_version")? {
        found if found > SCHEMA_VERSION => {
            Err(StoreError::Newer { path: path.into(), found, known: SCHEMA_VERSION })
        }
        found => Ok(found),
    }
}

/// Applies every migration from this version on.
pub(super) fn migrate(transaction: &Transaction<'_>, from: i64) -> Result<(), StoreError> {
    for step in STEPS.iter().skip(usize::try_from(from).unwrap_or_default()) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    if from > 0 && from < SEALED {
        seal_all(transaction)?;
    }
    if from > 0 {
        let detail = format!("from {from} to {SCHEMA_VERSION}");
        write_note(transaction, "format brought up to date", &detail)?;
    }
    Ok(())
}

/// Computes the checksums of a file that had none.
fn seal_all(transaction: &Transaction<'_>) -> Result<(), StoreError> {
    let mut checksums: Vec<([u32; 3], i64)> = Vec::new();
    let columns = game_row::COLUMNS;
    let mut select = transaction.prepare(&format!("SELECT {columns} FROM games"))?;
    let mut found = select.query([])?;
    while let Some(row) = found.next()? {
        let key = [row.get(0)?, row.get(1)?, row.get(2)?];
        checksums.push((key, checksums::checksum_of_row(row, game_row::COUNT)?));
    }
    let mut tallies: BTreeMap<u32, Tally> = BTreeMap::new();
    let sql =
        "UPDATE games SET checksum = ?4 WHERE generation = ?1 AND block = ?2 AND rotation = ?3";
    let mut update = transaction.prepare(sql)?;
    for ([generation, block, rotation], checksum) in checksums {
        update.execute(params![generation, block, rotation, checksum])?;
        tallies.entry(generation).or_default().add(checksum);
    }
    for (generation, tally) in tallies {
        tally.write(transaction, generation)?;
    }
    checksums::seal_definition(transaction)?;
    checksums::seal_generations(transaction)
}

fn write_definition(
    transaction: &Transaction<'_>,
    definition: &Definition,
) -> Result<(), StoreError> {
    for (key, value) in definition_rows::values(definition)? {
        transaction.execute("INSERT INTO tournament VALUES (?1, ?2)", params![key, value])?;
    }
    for (position, bot) in (0u32..).zip(definition_rows::bots(definition)) {
        let Entrant { name, team, version, digest, gate_passed } = bot.entrant;
        transaction.execute(
            "INSERT INTO bots VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![position, name, team, version, digest, gate_passed, bot.rejected],
        )?;
    }
    checksums::seal_definition(transaction)?;
    checksums::seal_generations(transaction)
}

pub(super) fn read_definition(
    connection: &Connection,
    path: &Path,
) -> Result<Definition, StoreError> {
    let damaged = |reason: String| StoreError::NoTournament { path: path.into(), reason };
    let unreadable = |error: rusqlite::Error| damaged(format!("it cannot be read: {error}"));
    let mut select = connection.prepare("SELECT key, value FROM tournament").map_err(unreadable)?;
    let values = select
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .and_then(Iterator::collect::<Result<BTreeMap<String, String>, _>>)
        .map_err(unreadable)?;
    let mut select = connection.prepare(
        "SELECT name, team, version, digest, gate_passed, rejected FROM bots ORDER BY position",
    )?;
    let bots = select.query_map([], |row| {
        let entrant = Entrant {
            name: row.get(0)?,
            team: row.get(1)?,
            version: row.get(2)?,
            digest: row.get(3)?,
            gate_passed: row.get(4)?,
        };
        Ok(BotRow { entrant, rejected: row.get(5)? })
    })?;
    let bots: Vec<BotRow> = bots.collect::<Result<_, _>>()?;
    definition_rows::definition(&values, bots).map_err(damaged)
}

fn write_note(connection: &Connection, what: &str, detail: &str) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO audit(at, what, detail) VALUES (?1, ?2, ?3)",
        params![now().cast_signed(), what, detail],
    )?;
    Ok(())
}

/// Returns the number of the pending generation.
fn pending(connection: &Connection) -> Result<Option<u32>, StoreError> {
    let mut select = connection.prepare("SELECT number FROM generations WHERE state = ?1")?;
    let mut found = select.query([GenerationState::Pending.as_str()])?;
    Ok(found.next()?.map(|row| row.get(0)).transpose()?)
}

/// Calls `each` with the games of a generation, as of one moment, whatever other programs write
/// meanwhile. The game's name and the number of bots come from the definition.
pub(super) fn read_games(
    connection: &Connection,
    (game, bots): (&str, usize),
    generation: u32,
    each: &mut dyn FnMut(StoredGame),
) -> Result<(), StoreError> {
    let transaction = connection.unchecked_transaction()?;
    let mut select = transaction.prepare_cached(&format!(
        "SELECT {}, checksum FROM games WHERE generation = ?1 ORDER BY block, rotation",
        game_row::COLUMNS
    ))?;
    let mut read = Tally::default();
    let mut last = None;
    let mut found = select.query([generation])?;
    while let Some(row) = found.next()? {
        let (stored, checksum) = game_row::read(row, game, bots)?;
        // Exchanged pages have valid rows in another order.
        if last.replace(stored.key).is_some_and(|last| last >= stored.key) {
            return Err(StoreError::Damaged(
                "the games are not in the order of their numbers".into(),
            ));
        }
        read.add(checksum);
        each(stored);
    }
    read.check(Tally::read(&transaction, generation)?, generation)
}

/// Returns the rejudges, as of one moment.
pub(super) fn read_generations(connection: &Connection) -> Result<Vec<Generation>, StoreError> {
    let transaction = connection.unchecked_transaction()?;
    checksums::check_generations(&transaction)?;
    let mut select = transaction
        .prepare_cached("SELECT number, reason, state FROM generations ORDER BY number")?;
    let found = select.query_map([], |row| {
        Ok(Generation {
            number: row.get(0)?,
            reason: row.get(1)?,
            state: match row.get::<_, String>(2)?.as_str() {
                "applied" => GenerationState::Applied,
                "dropped" => GenerationState::Dropped,
                _ => GenerationState::Pending,
            },
            games: Vec::new(),
        })
    })?;
    let mut generations: Vec<Generation> = found.collect::<Result<_, _>>()?;
    let mut select = transaction.prepare_cached(
        "SELECT block, rotation FROM judged_anew WHERE generation = ?1 ORDER BY block, rotation",
    )?;
    for generation in &mut generations {
        let games = select.query_map([generation.number], |row| Ok((row.get(0)?, row.get(1)?)))?;
        generation.games = games.collect::<Result<_, _>>()?;
    }
    Ok(generations)
}

/// Returns the audit log, oldest entry first.
pub(super) fn read_audit(connection: &Connection) -> Result<Vec<AuditEntry>, StoreError> {
    let mut select = connection.prepare("SELECT at, what, detail FROM audit ORDER BY number")?;
    let entries = select.query_map([], |row| {
        let at = row.get::<_, i64>(0)?.cast_unsigned();
        Ok(AuditEntry { at, what: row.get(1)?, detail: row.get(2)? })
    })?;
    Ok(entries.collect::<Result<_, _>>()?)
}

impl Store for SqliteStore {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn redefine(&mut self, definition: Definition) -> Result<(), StoreError> {
        self.definition.check_extended_by(&definition)?;
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute_batch("DELETE FROM tournament; DELETE FROM bots")?;
        let generations = checksums::check_generations(&transaction);
        write_definition(&transaction, &definition)?;
        // The checksum of the rejudges is written with it.
        generations?;
        transaction.commit()?;
        self.definition = definition;
        Ok(())
    }

    fn record(&mut self, games: &[StoredGame]) -> Result<(), StoreError> {
        // It reads before it writes. SQLite immediately refuses a transaction that began as a
        // reader and then finds the file locked, whatever the waiting time.
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut tallies: BTreeMap<u32, Tally> = BTreeMap::new();
        {
            let columns = game_row::COLUMNS;
            // An existing row is replaced only if it is void; otherwise nothing is written.
            let mut insert = transaction.prepare_cached(&format!(
                "INSERT INTO games({columns}, checksum)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
                 ON CONFLICT(generation, block, rotation) DO UPDATE SET
                     points = excluded.points, places = excluded.places, turns = excluded.turns,
                     uses = excluded.uses, faults = excluded.faults, replay = excluded.replay,
                     attempts = excluded.attempts, checksum = excluded.checksum
                 WHERE games.points IS NULL"
            ))?;
            let mut select = transaction.prepare_cached(
                "SELECT checksum FROM games WHERE generation = ?1 AND block = ?2 AND rotation = ?3",
            )?;
            for game in games {
                let key = game.key;
                let place = params![key.generation, key.block, key.rotation];
                let before: Option<i64> = select.query_row(place, |row| row.get(0)).optional()?;
                let (changed, checksum) = game_row::insert(&mut insert, game)?;
                if changed == 0 {
                    return Err(StoreError::Twice { block: key.block, rotation: key.rotation + 1 });
                }
                let tally = match tallies.entry(key.generation) {
                    std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
                    std::collections::btree_map::Entry::Vacant(entry) => {
                        entry.insert(Tally::read(&transaction, key.generation)?)
                    }
                };
                before.into_iter().for_each(|checksum| tally.remove(checksum));
                tally.add(checksum);
            }
        }
        for (generation, tally) in tallies {
            tally.write(&transaction, generation)?;
        }
        Ok(transaction.commit()?)
    }

    fn games(&self, generation: u32, each: &mut dyn FnMut(StoredGame)) -> Result<(), StoreError> {
        let Definition { game, entrants, .. } = &self.definition;
        read_games(&self.connection, (game, entrants.len()), generation, each)
    }

    fn begin_rejudge(&mut self, reason: &str, games: &[(u32, u32)]) -> Result<u32, StoreError> {
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if pending(&transaction)?.is_some() {
            return Err(StoreError::Pending);
        }
        transaction.execute(
            "INSERT INTO generations(at, reason, state) VALUES (?1, ?2, ?3)",
            params![now().cast_signed(), reason, GenerationState::Pending.as_str()],
        )?;
        let number = u32::try_from(transaction.last_insert_rowid()).unwrap_or(u32::MAX);
        {
            let mut insert =
                transaction.prepare_cached("INSERT INTO judged_anew VALUES (?1, ?2, ?3)")?;
            for (block, rotation) in games {
                insert.execute(params![number, block, rotation])?;
            }
        }
        checksums::seal_generations(&transaction)?;
        transaction.commit()?;
        Ok(number)
    }

    fn generations(&self) -> Result<Vec<Generation>, StoreError> {
        read_generations(&self.connection)
    }

    fn finish_rejudge(&mut self, apply: bool) -> Result<u32, StoreError> {
        let state = if apply { GenerationState::Applied } else { GenerationState::Dropped };
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let number = pending(&transaction)?.ok_or(StoreError::NonePending)?;
        transaction.execute(
            "UPDATE generations SET state = ?1 WHERE number = ?2",
            params![state.as_str(), number],
        )?;
        checksums::seal_generations(&transaction)?;
        transaction.commit()?;
        Ok(number)
    }

    fn note(&mut self, what: &str, detail: &str) -> Result<(), StoreError> {
        write_note(&self.connection, what, detail)
    }

    fn audit(&self) -> Result<Vec<AuditEntry>, StoreError> {
        read_audit(&self.connection)
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => StoreError::Full(error.to_string()),
            Some(rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase) => {
                StoreError::Damaged(error.to_string())
            }
            // A value of the wrong type for its column, or a missing table or column.
            None | Some(rusqlite::ErrorCode::Unknown | rusqlite::ErrorCode::TypeMismatch) => {
                StoreError::Damaged(error.to_string())
            }
            _ => StoreError::Host(error.to_string()),
        }
    }
}
