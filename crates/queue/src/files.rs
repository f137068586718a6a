//! Files of tournaments: replays, standard error of bots, bundles. Their content is stored once, by
//! its digest, before a result refers to it.

use crate::Queue;
use crate::database::Statements;
use crate::delivery::Contents;
use crate::results::attach;
use crate::values::{Columns, content_digest};
use botyard_league::store::{Cell, StoreError};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

/// The most bytes of a file.
pub const MOST_BYTES: usize = 1 << 30;

/// The directory of bundles among the files of a tournament.
pub const BUNDLES: &str = "bundles/";

/// Returns the name of the file of a tournament that has the bundle with this digest of its files.
pub fn bundle_file(files: &str) -> String {
    format!("{BUNDLES}{files}.tar.gz")
}

/// Returns the path of the file with this name below a directory, and makes the directories in between.
///
/// # Errors
///
/// A name that leads out of the directory; errors of the host.
pub fn path_below(directory: &Path, name: &str) -> io::Result<PathBuf> {
    let name = Path::new(name);
    if !name.components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(io::Error::other("its name leads out of the directory"));
    }
    let path = directory.join(name);
    if let Some(around) = path.parent() {
        fs::create_dir_all(around)?;
    }
    Ok(path)
}

/// A file of a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlobFile {
    /// Its name: a path with `/`, relative to the tournament.
    pub name: String,
    /// The SHA-256 of its content, as hexadecimal digits.
    pub digest: String,
    /// Its size in bytes.
    pub size: u64,
}

/// Refuses content of more than [`MOST_BYTES`].
pub(crate) fn refuse_large(bytes: &[u8]) -> Result<(), StoreError> {
    let size = bytes.len();
    match size > MOST_BYTES {
        true => Err(StoreError::Refused(format!(
            "a file has {size} bytes, where at most {MOST_BYTES} are stored"
        ))),
        false => Ok(()),
    }
}

impl Queue {
    /// Stores content, and returns its SHA-256 as hexadecimal digits. The same content is stored once.
    ///
    /// # Errors
    ///
    /// More than [`MOST_BYTES`]; errors of the database.
    pub fn put(&self, bytes: &[u8]) -> Result<String, StoreError> {
        let mut contents = Contents::default();
        let digest = contents.add(bytes)?;
        let now = self.dialect.now;
        self.transaction(|statements| {
            // Content that is stored already may be about to be named, so it is young again.
            let known = statements.execute(
                &format!("UPDATE contents SET added_at = {now} WHERE digest = $1"),
                &[digest.as_str().into()],
            )?;
            if known > 0 {
                return Ok(());
            }
            contents.store(statements, now)
        })?;
        Ok(digest)
    }

    /// Returns the content with this digest, if it is stored.
    ///
    /// # Errors
    ///
    /// Content that does not agree with its digest; errors of the database.
    pub fn get(&self, digest: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let found = self.transaction(|statements| {
            let sql = "SELECT size FROM contents WHERE digest = $1";
            let Some(size) = statements.row(sql, &[digest.into()])? else { return Ok(None) };
            let size = Columns(&size).integer(0)?;
            let mut content =
                Vec::with_capacity(usize::try_from(size).unwrap_or(0).min(MOST_BYTES));
            let sql = "SELECT bytes FROM blobs WHERE digest = $1 ORDER BY part";
            statements.query(sql, &[digest.into()], &mut |row| {
                content.extend(row.first().and_then(Cell::bytes).unwrap_or_default());
                Ok(())
            })?;
            Ok(Some(content))
        })?;
        match found {
            Some(content) if content_digest(&content) != digest => Err(StoreError::Damaged(
                format!("the content {digest} does not agree with its digest"),
            )),
            found => Ok(found),
        }
    }

    /// Gives a file of a tournament a name; [`Queue::complete`] does so for the files of a result.
    ///
    /// # Errors
    ///
    /// Content that was not stored; errors of the database.
    pub fn attach(&self, id: &str, name: &str, digest: &str) -> Result<(), StoreError> {
        let file = [(name.to_string(), digest.to_string())];
        self.transaction(|statements| attach(statements, id, &file))
    }

    /// Returns the files of a tournament whose names begin with `prefix`, in order.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    pub fn files(&self, id: &str, prefix: &str) -> Result<Vec<BlobFile>, StoreError> {
        let rows = self.transaction(|statements| {
            statements.rows(
                "SELECT f.name, f.digest, c.size FROM files f JOIN contents c ON c.digest = f.digest
                 WHERE f.tournament = $1 AND substr(f.name, 1, length($2)) = $2 ORDER BY f.name",
                &[id.into(), prefix.into()],
            )
        })?;
        let file = |row: &Vec<Cell>| {
            let row = Columns(row);
            let size = u64::try_from(row.integer(2)?).unwrap_or_default();
            Ok(BlobFile { name: row.text(0)?, digest: row.text(1)?, size })
        };
        rows.iter().map(file).collect()
    }

    /// Returns the content of a file of a tournament, if there is one of this name.
    ///
    /// # Errors
    ///
    /// As for [`Queue::get`].
    pub fn file(&self, id: &str, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let row = self.transaction(|statements| {
            let sql = "SELECT digest FROM files WHERE tournament = $1 AND name = $2";
            statements.row(sql, &[id.into(), name.into()])
        })?;
        match row {
            Some(row) => self.get(&Columns(&row).text(0)?),
            None => Ok(None),
        }
    }

    /// Removes content that no file has and that was stored longer ago than this: workers store
    /// content before the results that refer to it. Returns how many were removed.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    pub fn remove_unnamed(&self, older_than: Duration) -> Result<u64, StoreError> {
        let age = i64::try_from(older_than.as_millis()).unwrap_or(i64::MAX / 4);
        let now = self.dialect.now;
        self.transaction(|statements| {
            let unnamed = statements.rows(
                &format!(
                    "SELECT digest FROM contents WHERE added_at <= {now} - $1
                         AND digest NOT IN (SELECT digest FROM files){}",
                    self.dialect.for_update
                ),
                &[age.into()],
            )?;
            for row in &unnamed {
                remove(statements, &row[..1])?;
            }
            Ok(unnamed.len() as u64)
        })
    }
}

fn remove(statements: &mut dyn Statements, digest: &[Cell]) -> Result<(), StoreError> {
    statements.execute("DELETE FROM blobs WHERE digest = $1", digest)?;
    statements.execute("DELETE FROM contents WHERE digest = $1", digest)?;
    Ok(())
}
