//! Decisions of teachers about versions: hold, withdraw, disqualify, and lift what was decided. Each is
//! kept with its reason.

use crate::database::now;
use crate::submissions::Submission;
use rusqlite::types::Type;
use rusqlite::{Transaction, params};
use std::str::FromStr;

/// A decision about a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
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
    pub const ALL: [Decision; 4] =
        [Decision::Hold, Decision::Withdraw, Decision::Disqualify, Decision::Lift];

    /// Returns its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Decision::Hold => "hold",
            Decision::Withdraw => "withdraw",
            Decision::Disqualify => "disqualify",
            Decision::Lift => "lift",
        }
    }

    /// Returns what it makes of a version.
    pub const fn in_words(self) -> &'static str {
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
pub struct Decided {
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
pub fn decide(
    transaction: &Transaction<'_>,
    event: i64,
    submission: &Submission,
    (decision, reason, person): (Decision, &str, i64),
) -> rusqlite::Result<()> {
    transaction
        .prepare_cached(
            "INSERT INTO decisions(submission, decision, reason, person, at) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![submission.id, decision.as_str(), reason, person, now()])?;
    let in_force = (decision != Decision::Lift).then_some(decision.as_str());
    transaction
        .prepare_cached("UPDATE submissions SET decision = ?2 WHERE id = ?1")?
        .execute(params![submission.id, in_force])?;
    transaction
        .prepare_cached(
            "UPDATE teams SET active = (SELECT id FROM submissions WHERE team = ?1 AND event = ?2 AND \
             state = 'accepted' AND decision IS NOT 'withdraw' ORDER BY version DESC LIMIT 1) WHERE id = ?1",
        )?
        .execute([submission.team, event])?;
    if decision == Decision::Lift {
        // The blocks of a final that were dropped for it are due again.
        transaction.execute(
            "UPDATE blocks SET state = 'open' WHERE state = 'dropped' AND event IN \
             (SELECT id FROM events WHERE kind = 'final' AND of = ?1)",
            [event],
        )?;
    }
    Ok(())
}

/// Returns the decisions about a version, the newest first.
pub fn about(transaction: &Transaction<'_>, submission: i64) -> rusqlite::Result<Vec<Decided>> {
    transaction
        .prepare_cached(
            "SELECT decision, reason, people.name, at FROM decisions \
             JOIN people ON people.id = decisions.person WHERE submission = ?1 ORDER BY decisions.id DESC",
        )?
        .query_map([submission], |row| {
            let decision: String = row.get(0)?;
            let decision = decision.parse().map_err(|error: String| {
                rusqlite::Error::FromSqlConversionFailure(0, Type::Text, error.into())
            })?;
            Ok(Decided { decision, reason: row.get(1)?, person: row.get(2)?, at: row.get(3)? })
        })?
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::testing::database;
    use crate::submissions::Files;
    use crate::{people, submissions};

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
            let active = || submissions::active(transaction, red);
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
            Ok::<(), rusqlite::Error>(())
        });
        checked.expect("SQLite works");
    }
}
