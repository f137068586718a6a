//! Decisions of teachers about versions: hold, withdraw, disqualify, and lift what was decided. Each is
//! kept with its reason.

use crate::error::SiteError;
use crate::files::{Statements, now};
use crate::submissions::{self, Submission};
use rusqlite::types::Type;
use rusqlite::{OptionalExtension, Transaction, params};
use std::str::FromStr;

/// A decision about a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// It does not play until the hold is lifted.
    Hold,
    /// The version before it plays in its place.
    Withdraw,
    /// It does not play, and its games do not count, those of a final included.
    Disqualify,
    /// The decision in force ends.
    Lift,
}

impl Decision {
    /// All decisions.
    pub(crate) const ALL: [Decision; 4] =
        [Decision::Hold, Decision::Withdraw, Decision::Disqualify, Decision::Lift];

    /// Returns its name.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Decision::Hold => "hold",
            Decision::Withdraw => "withdraw",
            Decision::Disqualify => "disqualify",
            Decision::Lift => "lift",
        }
    }

    /// Returns what it makes of a version.
    pub(crate) const fn in_words(self) -> &'static str {
        match self {
            Decision::Hold => "on hold",
            Decision::Withdraw => "withdrawn",
            Decision::Disqualify => "disqualified",
            Decision::Lift => "no decision in force",
        }
    }
}

impl FromStr for Decision {
    type Err = String;

    fn from_str(text: &str) -> Result<Decision, String> {
        Decision::ALL.into_iter().find(|decision| decision.as_str() == text).ok_or_else(|| {
            let names = Decision::ALL.map(Decision::as_str).join(", ");
            format!("expected one of the decisions {names}, got {text:?}")
        })
    }
}

/// A decision that was made.
#[derive(Clone, Debug)]
pub(crate) struct Decided {
    /// What was decided.
    pub decision: Decision,
    /// Why.
    pub reason: String,
    /// Who decided it.
    pub person: String,
    /// When, in seconds since 1970.
    pub at: i64,
}

/// Decides about an accepted version of the event. Which version of the team plays follows from it.
///
/// # Errors
///
/// A final whose standings are published lacks games of the version, so that the decision cannot be
/// lifted.
pub(crate) fn decide(
    transaction: &Transaction<'_>,
    event: i64,
    submission: &Submission,
    (decision, reason, person): (Decision, &str, i64),
) -> Result<(), SiteError> {
    transaction.change(
        "INSERT INTO decisions(submission, decision, reason, person, at) VALUES (?1, ?2, ?3, ?4, \
         ?5)",
        params![submission.id, decision.as_str(), reason, person, now()],
    )?;
    let in_force = (decision != Decision::Lift).then_some(decision.as_str());
    transaction.change(
        "UPDATE submissions SET decision = ?2 WHERE id = ?1",
        params![submission.id, in_force],
    )?;
    let sql = "SELECT id FROM submissions WHERE team = ?1 AND event = ?2 AND state = 'accepted' \
               AND decision IS NOT 'withdraw' ORDER BY version DESC LIMIT 1";
    let plays = transaction.value(sql, [submission.team, event]).optional()?;
    submissions::activate(transaction, (submission.team, submission.competition), plays)?;
    if decision == Decision::Lift {
        reopen(transaction, event, submission.id)?;
    }
    Ok(())
}

/// Makes the blocks of a final that were dropped for a version due again.
fn reopen(transaction: &Transaction<'_>, event: i64, submission: i64) -> Result<(), SiteError> {
    /// The dropped blocks of the event's finals with the version.
    const DROPPED: &str = "state = 'dropped' AND EXISTS \
        (SELECT 1 FROM events JOIN entrants ON entrants.event = events.id, json_each(line_up) \
         WHERE events.id = blocks.event AND kind = 'final' AND of = ?1 AND submission = ?2 \
         AND value = entrants.id)";
    /// Whether a step of the block's final was taken.
    const STEP: &str = "EXISTS (SELECT 1 FROM steps WHERE event = blocks.event AND step =";
    let is_published: bool = transaction.value(
        &format!("SELECT EXISTS (SELECT 1 FROM blocks WHERE {DROPPED} AND {STEP} 'standings'))"),
        [event, submission],
    )?;
    if is_published {
        return Err(SiteError::wrong(
            "The final was published without all games of this version: the decision cannot be lifted.",
        ));
    }
    transaction.change(
        &format!("UPDATE blocks SET state = 'open' WHERE {DROPPED} AND NOT {STEP} 'discarded')"),
        [event, submission],
    )?;
    Ok(())
}

/// Returns the decisions about a version, the newest first.
pub(crate) fn about(
    transaction: &Transaction<'_>,
    submission: i64,
) -> rusqlite::Result<Vec<Decided>> {
    transaction.rows(
        "SELECT decision, reason, people.name, at FROM decisions \
         JOIN people ON people.id = decisions.person WHERE submission = ?1 \
         ORDER BY decisions.id DESC",
        [submission],
        |row| {
            let decision: String = row.get(0)?;
            let decision = decision.parse().map_err(|error: String| {
                rusqlite::Error::FromSqlConversionFailure(0, Type::Text, error.into())
            })?;
            Ok(Decided { decision, reason: row.get(1)?, person: row.get(2)?, at: row.get(3)? })
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::database::testing::database;
    use crate::people;
    use crate::submissions::Files;

    #[test]
    fn a_withdrawn_version_gives_way_to_the_one_before_and_a_lift_brings_it_back() {
        let checked = database().transaction(|transaction| {
            transaction.execute(
                "INSERT INTO events(id, text, draws, began_at) VALUES (1, '', '', 0)",
                [],
            )?;
            let person = people::first_admin(transaction)?;
            let red = people::team(transaction, "red")?;
            let mut ids = Vec::new();
            for file in ["a", "b"] {
                let id = submissions::add(transaction, (red, person), Files::uploaded(file, file))?;
                submissions::accept(transaction, id, 1, "{}", "")?;
                ids.push(id);
            }
            let second = submissions::find(transaction, ids[1])?.expect("it was added");
            let decide = |decision| decide(transaction, 1, &second, (decision, "why", person));
            let active = || submissions::active(transaction, red, submissions::FIRST);
            assert_eq!(active()?, Some(ids[1]));
            decide(Decision::Withdraw)?;
            assert_eq!(active()?, Some(ids[0]));
            decide(Decision::Lift)?;
            assert_eq!(active()?, Some(ids[1]));
            decide(Decision::Disqualify)?;
            assert_eq!(active()?, Some(ids[1]), "no other version takes its place");
            let found = submissions::find(transaction, ids[1])?.expect("it was added");
            assert_eq!(found.decision, Some(Decision::Disqualify));
            let all = about(transaction, ids[1])?;
            assert_eq!(all.len(), 3);
            assert_eq!((all[0].decision, all[0].reason.as_str()), (Decision::Disqualify, "why"));
            Ok::<(), SiteError>(())
        });
        checked.expect("SQLite works");
    }

    #[test]
    fn a_lift_reopens_the_versions_own_blocks_and_no_published_final() {
        let checked = database().transaction(|transaction| {
            transaction.execute_batch(
                "INSERT INTO events(id, text, draws, began_at) VALUES (1, '', '', 0); \
                 INSERT INTO events(id, text, draws, began_at, kind, of) VALUES (2, '', '', 0, 'final', 1);",
            )?;
            let person = people::first_admin(transaction)?;
            let mut entrants = Vec::new();
            for name in ["red", "blue", "green"] {
                let team = people::team(transaction, name)?;
                let id = submissions::add(transaction, (team, person), Files::uploaded(name, name))?;
                submissions::accept(transaction, id, 1, "{}", "")?;
                transaction
                    .execute("INSERT INTO entrants(event, submission) VALUES (2, ?1)", [id])?;
                entrants.push((id, transaction.last_insert_rowid()));
            }
            let [(red, one), (_, two), (_, three)] = entrants[..] else { panic!("three") };
            for (number, line_up) in [[one, two], [two, three]].into_iter().enumerate() {
                transaction.execute(
                    "INSERT INTO blocks(event, number, line_up, entrant, reason, state, at) \
                     VALUES (2, ?1, ?2, ?3, 'final', 'dropped', 0)",
                    params![number as i64, format!("{line_up:?}"), line_up[0]],
                )?;
            }
            let red = submissions::find(transaction, red)?.expect("it was added");
            let lift = || decide(transaction, 1, &red, (Decision::Lift, "why", person));
            let take = |step: &str| {
                transaction.execute_batch(&format!(
                    "UPDATE blocks SET state = 'dropped'; DELETE FROM steps; \
                     INSERT INTO steps VALUES (2, '{step}', 'why', 1, 0)"
                ))
            };
            let states = || -> rusqlite::Result<Vec<String>> {
                transaction
                    .prepare("SELECT state FROM blocks ORDER BY number")?
                    .query_map([], |row| row.get(0))?
                    .collect()
            };
            lift()?;
            assert_eq!(states()?, ["open", "dropped"], "the other one was dropped for another");
            take("discarded")?;
            lift()?;
            assert_eq!(states()?, ["dropped", "dropped"]);
            take("standings")?;
            let why = lift().expect_err("it is published").to_string();
            assert!(why.contains("cannot be lifted"), "{why}");
            assert_eq!(states()?, ["dropped", "dropped"]);
            Ok::<(), SiteError>(())
        });
        checked.expect("SQLite works");
    }
}
