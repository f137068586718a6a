//! Limits for attempts: a number of them in a time, and then a refusal until the oldest is old enough.

use crate::files::Statements;
use crate::people::steady_clock::now;
use rusqlite::{OptionalExtension, Transaction, params};

/// A limit for attempts of one kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    /// The number of attempts that are allowed.
    pub most: u32,
    /// The time in which they count, in seconds.
    pub within: i64,
}

/// Failed sign-ins to one account from one address, or from a browser in which its person has signed in before: no
/// stranger keeps others out of their accounts.
pub(crate) const SIGN_IN: Limit = Limit { most: 10, within: 15 * 60 };

/// The same once [`ADDRESS`] is reached.
pub(crate) const SIGN_IN_OF_MANY: Limit = Limit { most: 3, within: 15 * 60 };

/// Failed sign-ins to one account from all addresses.
pub(crate) const ACCOUNT: Limit = Limit { most: 500, within: 15 * 60 };

/// Wrong join codes and links from one address. A right one is accepted all the same: a code has 60 random bits.
pub(crate) const CODES: Limit = Limit { most: 200, within: 15 * 60 };

/// Failed sign-ins from one address, to any account, after which fewer are allowed to each. They keep no one else out,
/// because a class may share an address.
pub(crate) const ADDRESS: Limit = Limit { most: 100, within: 15 * 60 };

/// Files that a person sends, accepted or not.
pub(crate) const UPLOADS: Limit = Limit { most: 20, within: 10 * 60 };

/// Links for a new password that are asked for from one address.
pub(crate) const RESETS: Limit = Limit { most: 30, within: 15 * 60 };

/// Links for a new password that are sent to one person.
pub(crate) const RESETS_OF_PERSON: Limit = Limit { most: 3, within: 15 * 60 };

/// Questions that a person asks.
pub(crate) const QUESTIONS: Limit = Limit { most: 5, within: 10 * 60 };

/// Returns the name of the attempts of a person that [`UPLOADS`] limits.
pub(crate) fn uploads_of(person: i64) -> String {
    format!("uploads of {person}")
}

/// Returns the number of seconds until another attempt is allowed; `None` if one is allowed now.
pub(crate) fn wait(
    transaction: &Transaction<'_>,
    what: &str,
    limit: Limit,
) -> rusqlite::Result<Option<i64>> {
    let now = now();
    let at: Option<i64> = transaction
        .value(
            "SELECT at FROM attempts WHERE what = ?1 AND at > ?2 \
             ORDER BY at DESC LIMIT 1 OFFSET ?3",
            params![what, now - limit.within, limit.most - 1],
        )
        .optional()?;
    Ok(at.map(|at| (at + limit.within - now).max(1)))
}

/// Records an attempt that counts. Returns its row.
pub(crate) fn count(transaction: &Transaction<'_>, what: &str) -> rusqlite::Result<i64> {
    // Older ones count for no limit.
    let oldest = now() - SIGN_IN.within.max(CODES.within);
    transaction.change("DELETE FROM attempts WHERE at < ?1", [oldest])?;
    transaction.change("INSERT INTO attempts(what, at) VALUES (?1, ?2)", params![what, now()])?;
    Ok(transaction.last_insert_rowid())
}

/// An attempt that was counted before its result was known.
#[derive(Debug)]
#[must_use = "an attempt that succeeds does not count"]
pub(crate) struct Counted(Vec<i64>);

impl Counted {
    /// Makes the attempt not count, because it succeeded.
    pub(crate) fn undo(&self, transaction: &Transaction<'_>) -> rusqlite::Result<()> {
        let sql = "DELETE FROM attempts WHERE rowid = ?1";
        self.0.iter().try_for_each(|row| transaction.change(sql, [row]))
    }
}

/// Counts an attempt for each of these limits, before its result is known: of attempts that are made at once
/// no more are allowed than of others. Returns the number of seconds until another attempt is allowed, if
/// this one is not; then it does not count.
pub(crate) fn begin(
    transaction: &Transaction<'_>,
    limits: &[(String, Limit)],
) -> rusqlite::Result<Result<Counted, i64>> {
    let mut longest = None;
    for (what, limit) in limits {
        longest = longest.max(wait(transaction, what, *limit)?);
    }
    if let Some(seconds) = longest {
        return Ok(Err(seconds));
    }
    let rows = limits.iter().map(|(what, _)| count(transaction, what));
    Ok(Ok(Counted(rows.collect::<rusqlite::Result<_>>()?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::database::testing::database;

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

    #[test]
    fn an_attempt_counts_before_its_result_is_known_and_not_if_it_succeeds() {
        let limits = ["a", "b"].map(|what| (what.to_string(), Limit { most: 2, within: 600 }));
        let tried = database().transaction(|transaction| {
            let first = begin(transaction, &limits)?.expect("none came before");
            let _ = begin(transaction, &limits[..1])?.expect("one came before");
            assert!(begin(transaction, &limits)?.is_err(), "two attempts have no result yet");
            first.undo(transaction)?;
            let _ = begin(transaction, &limits)?.expect("one succeeded");
            assert!(begin(transaction, &limits)?.is_err());
            let _ = begin(transaction, &limits[1..])?.expect("a refused attempt does not count");
            assert!(begin(transaction, &limits[1..])?.is_err());
            Ok::<(), rusqlite::Error>(())
        });
        tried.expect("SQLite works");
    }
}
