//! Limits for attempts: a number of them in a time, and then a refusal until the oldest is old enough.

use crate::database::now;
use rusqlite::{Transaction, params};

/// A limit for attempts of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// The number of attempts that are allowed.
    pub most: u32,
    /// The time in which they count, in seconds.
    pub within: i64,
}

/// Failed sign-ins to one account.
pub const SIGN_IN: Limit = Limit { most: 10, within: 15 * 60 };

/// Wrong join codes and links, over all visitors: a code has 60 random bits.
pub const CODES: Limit = Limit { most: 200, within: 15 * 60 };

/// Failed sign-ins from one address, to any account: a class may share an address.
pub const ADDRESS: Limit = Limit { most: 100, within: 15 * 60 };

/// Files that a person sends, accepted or not.
pub const UPLOADS: Limit = Limit { most: 20, within: 10 * 60 };

/// Returns the name of the attempts of a person that [`UPLOADS`] limits.
pub fn uploads_of(person: i64) -> String {
    format!("uploads of {person}")
}

/// Returns the number of seconds until another attempt is allowed; `None` if one is allowed now.
pub fn wait(
    transaction: &Transaction<'_>,
    what: &str,
    limit: Limit,
) -> rusqlite::Result<Option<i64>> {
    let now = now();
    let mut statement = transaction.prepare_cached(
        "SELECT at FROM attempts WHERE what = ?1 AND at > ?2 ORDER BY at DESC LIMIT 1 OFFSET ?3",
    )?;
    let mut rows = statement.query(params![what, now - limit.within, limit.most - 1])?;
    match rows.next()? {
        Some(row) => Ok(Some((row.get::<_, i64>(0)? + limit.within - now).max(1))),
        None => Ok(None),
    }
}

/// Records an attempt that counts.
pub fn count(transaction: &Transaction<'_>, what: &str) -> rusqlite::Result<()> {
    transaction
        .prepare_cached("INSERT INTO attempts(what, at) VALUES (?1, ?2)")?
        .execute(params![what, now()])?;
    // Older ones count for no limit.
    let oldest = now() - SIGN_IN.within.max(CODES.within);
    transaction.prepare_cached("DELETE FROM attempts WHERE at < ?1")?.execute([oldest])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::testing::database;

    #[test]
    fn after_the_last_allowed_attempt_others_have_to_wait() {
        let limit = Limit { most: 3, within: 600 };
        let tried = database().transaction(|transaction| {
            for _ in 0..3 {
                assert_eq!(wait(transaction, "a", limit)?, None);
                count(transaction, "a")?;
            }
            assert!(wait(transaction, "a", limit)?.is_some_and(|wait| (1..=600).contains(&wait)));
            assert_eq!(wait(transaction, "b", limit)?, None);
            transaction.execute("UPDATE attempts SET at = at - 600 WHERE rowid = 1", [])?;
            assert_eq!(wait(transaction, "a", limit)?, None);
            Ok::<(), rusqlite::Error>(())
        });
        tried.expect("SQLite works");
    }
}
