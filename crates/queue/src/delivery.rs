//! Results that arrive with the content of their files, several in one transaction.

use crate::database::Statements;
use crate::files::refuse_large;
use crate::rows::{ROWS, Rows};
use crate::values::content_digest;
use botyard_league::store::{StoreError, StoredGame};
use std::collections::BTreeMap;

/// The bytes of content in one row.
const PART: usize = 1 << 20;

/// The most bytes of content in one statement.
const MOST_TOGETHER: usize = 4 << 20;

/// The results of a lease, with the content of its files.
#[derive(Clone, Debug, PartialEq)]
pub struct Delivery {
    /// The token of the lease.
    pub token: String,
    /// The games that the lease names.
    pub games: Vec<StoredGame>,
    /// The names of files in the tournament, and their content.
    pub files: Vec<(String, Vec<u8>)>,
}

/// The content of files, each once, in the order of the digests: transactions that store the same
/// content lock its rows in the same order.
#[derive(Debug, Default)]
pub(crate) struct Contents<'a>(BTreeMap<String, &'a [u8]>);

impl<'a> Contents<'a> {
    /// Adds content, and returns its digest.
    ///
    /// # Errors
    ///
    /// [`StoreError::Refused`]: content that is too large.
    pub(crate) fn add(&mut self, bytes: &'a [u8]) -> Result<String, StoreError> {
        refuse_large(bytes)?;
        let digest = content_digest(bytes);
        self.0.insert(digest.clone(), bytes);
        Ok(digest)
    }

    /// Stores what is not stored. `now` is the expression for the time.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    pub(crate) fn store(
        &self,
        statements: &mut dyn Statements,
        now: &str,
    ) -> Result<(), StoreError> {
        let all: Vec<(&String, &[u8])> =
            self.0.iter().map(|(digest, &bytes)| (digest, bytes)).collect();
        for some in all.chunks(ROWS) {
            let mut rows = Rows::default();
            for (digest, bytes) in some {
                rows.add([(*digest).into(), (bytes.len() as i64).into()]);
            }
            // Content that is stored already is about to be named, so it is young again.
            statements.execute(
                &format!(
                    "INSERT INTO contents(digest, size, added_at) VALUES {}
                     ON CONFLICT (digest) DO UPDATE SET added_at = excluded.added_at",
                    rows.places_and(&[now])
                ),
                rows.values(),
            )?;
        }
        let parts = all.iter().flat_map(|(digest, bytes)| {
            (0u32..).zip(bytes.chunks(PART)).map(move |(part, bytes)| (*digest, part, bytes))
        });
        let mut rows = Rows::default();
        let mut size = 0;
        for (digest, part, bytes) in parts {
            if rows.len() == ROWS || size + bytes.len() > MOST_TOGETHER {
                store_parts(statements, &std::mem::take(&mut rows))?;
                size = 0;
            }
            rows.add([digest.into(), part.into(), bytes.to_vec().into()]);
            size += bytes.len();
        }
        store_parts(statements, &rows)
    }
}

fn store_parts(statements: &mut dyn Statements, rows: &Rows) -> Result<(), StoreError> {
    if rows.len() > 0 {
        let sql = format!(
            "INSERT INTO blobs(digest, part, bytes) VALUES {} ON CONFLICT (digest, part) DO NOTHING",
            rows.places()
        );
        statements.execute(&sql, rows.values())?;
    }
    Ok(())
}

/// Names content that is stored. Of two files with one name the last counts.
///
/// # Errors
///
/// Errors of the database.
pub(crate) fn name_files(
    statements: &mut dyn Statements,
    files: &BTreeMap<(String, String), String>,
) -> Result<(), StoreError> {
    let all: Vec<_> = files.iter().collect();
    for some in all.chunks(ROWS) {
        let mut rows = Rows::default();
        for ((id, name), digest) in some {
            rows.add([id.into(), name.into(), (*digest).into()]);
        }
        statements.execute(
            &format!(
                "INSERT INTO files(tournament, name, digest) VALUES {}
                 ON CONFLICT (tournament, name) DO UPDATE SET digest = excluded.digest",
                rows.places()
            ),
            rows.values(),
        )?;
    }
    Ok(())
}
