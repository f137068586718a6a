//! What a late version loses.

use crate::competition::ladder::Standing;
use crate::files::Statements;
use crate::submissions::deadlines;
use botyard_pages::pieces::moment_text;
use rusqlite::Transaction;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The seconds of a day.
const DAY: i64 = 24 * 3600;

/// How a late version loses points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LateKind {
    /// Points for each started day.
    Points,
    /// A share of its points for each started day, in percent.
    Percent,
    /// It has this number of points at most.
    Cap,
}

/// The rule for versions that were submitted after a moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Late {
    /// How they lose points.
    pub kind: LateKind,
    /// Points or percent.
    pub amount: f64,
    /// After which moment, in seconds since 1970. `None`: the deadline of all teams.
    pub due: Option<i64>,
    /// Whether a team with an extension is late only after that.
    pub extensions: bool,
}

impl Late {
    /// Returns what is lost of these points on a started day, as a negative number and in words.
    pub(super) fn loss(&self, points: f64, day: i64) -> Option<(f64, String)> {
        let lost = match self.kind {
            LateKind::Points => self.amount * day as f64,
            LateKind::Percent => points * self.amount / 100.0 * day as f64,
            LateKind::Cap => points - self.amount,
        };
        let lost = lost.clamp(0.0, points.max(0.0));
        let cap = match self.kind {
            LateKind::Cap => format!(", at most {}", self.amount),
            _ => String::new(),
        };
        (lost > 0.0).then(|| (-lost, format!("late, day {day}{cap}")))
    }

    /// Returns the rule in words.
    pub(super) fn in_words(&self) -> String {
        let Late { kind, amount, due, extensions } = self;
        let loss = match kind {
            LateKind::Points => format!("{amount} less for each started day"),
            LateKind::Percent => format!("{amount}% less for each started day"),
            LateKind::Cap => format!("at most {amount}"),
        };
        let due = due.map_or("the deadline".to_string(), |due| moment_text(due.unsigned_abs()));
        let extensions = if *extensions { " or the extension" } else { "" };
        format!("{loss} after {due}{extensions}")
    }
}

/// When versions were submitted, and when they were due.
#[derive(Debug, Default)]
pub(crate) struct Times {
    deadline: Option<i64>,
    /// By submission.
    submitted: HashMap<i64, i64>,
    /// By team.
    extensions: HashMap<i64, i64>,
}

impl Times {
    /// Reads the times of the versions in these standings of an event.
    pub(super) fn read(
        transaction: &Transaction<'_>,
        event: i64,
        standing: &Standing,
    ) -> rusqlite::Result<Times> {
        let competition =
            transaction.value("SELECT competition FROM events WHERE id = ?1", [event])?;
        let deadline = deadlines::stated(transaction, competition, None)?.flatten();
        let mut times = Times { deadline, ..Times::default() };
        for entrant in &standing.entrants {
            let (Some(team), Some(submission)) = (entrant.team, entrant.submission) else {
                continue;
            };
            let at = transaction.value("SELECT at FROM submissions WHERE id = ?1", [submission])?;
            times.submitted.insert(submission, at);
            if let Some(until) = deadlines::stated(transaction, competition, Some(team))?.flatten()
            {
                times.extensions.insert(team, until);
            }
        }
        Ok(times)
    }

    #[cfg(test)]
    pub(super) fn of(submitted: &[(i64, i64)], extensions: &[(i64, i64)]) -> Times {
        let (submitted, extensions) = (submitted.iter().copied(), extensions.iter().copied());
        Times { deadline: None, submitted: submitted.collect(), extensions: extensions.collect() }
    }

    /// Returns on which day after its due time a version was submitted, from 1; `None` if it is not late.
    pub(super) fn days_late(&self, late: &Late, team: i64, submission: i64) -> Option<i64> {
        let due = late.due.or(self.deadline)?;
        let extension = self.extensions.get(&team).filter(|_| late.extensions);
        let due = extension.map_or(due, |&until| until.max(due));
        let after = self.submitted.get(&submission)? - due;
        (after > 0).then(|| (after + DAY - 1) / DAY)
    }
}
