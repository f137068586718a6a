//! Questions of students and answers of the staff, to the team of the person or to the whole class.

use crate::files::{Statements, now};
use crate::people::Person;
use rusqlite::{Row, Transaction, params};
use std::collections::HashMap;

/// A question.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// Its number.
    pub id: i64,
    /// The name of the person who asked it.
    pub person: String,
    /// The name of the team.
    pub team: Option<String>,
    /// Whether it is one of the reader's team, or their own.
    pub is_own: bool,
    /// What it is about; empty: nothing in particular.
    pub subject: String,
    /// Its text, in Markdown.
    pub text: String,
    /// When, in seconds since 1970.
    pub at: i64,
    /// Its answers, the first first.
    pub answers: Vec<Answer>,
}

impl Question {
    /// Returns whether the whole class sees it: an answer is for all.
    pub(crate) fn is_public(&self) -> bool {
        self.answers.iter().any(|answer| answer.is_public)
    }
}

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    /// Its text, in Markdown.
    pub text: String,
    /// Whether the whole class sees it.
    pub is_public: bool,
    /// Who wrote it.
    pub person: String,
    /// When, in seconds since 1970.
    pub at: i64,
}

/// Asks a question. Returns its number.
pub(crate) fn ask(
    transaction: &Transaction<'_>,
    person: &Person,
    (subject, text): (&str, &str),
) -> rusqlite::Result<i64> {
    transaction.change(
        "INSERT INTO questions(person, team, subject, text, at) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![person.id, person.team, subject, text, now()],
    )?;
    Ok(transaction.last_insert_rowid())
}

/// Answers a question.
pub(crate) fn answer(
    transaction: &Transaction<'_>,
    question: i64,
    (text, is_public): (&str, bool),
    person: i64,
) -> rusqlite::Result<()> {
    transaction.change(
        "INSERT INTO answers(question, text, is_public, person, at) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![question, text, is_public, person, now()],
    )
}

/// Returns the number of questions without an answer.
pub(crate) fn waiting(transaction: &Transaction<'_>) -> rusqlite::Result<i64> {
    transaction
        .value("SELECT COUNT(*) FROM questions WHERE id NOT IN (SELECT question FROM answers)", [])
}

/// Returns the questions that a person sees, the newest first, and those that wait for an answer before all others:
/// all of them for the staff; those of the team, and those that were answered for all, for others. Answers for
/// another team are left out.
pub(crate) fn seen_by(
    transaction: &Transaction<'_>,
    reader: &Person,
) -> rusqlite::Result<Vec<Question>> {
    let mut answers = answers(transaction)?;
    let questions = transaction.rows(
        "SELECT questions.id, people.name, teams.name, subject, text, at, \
         questions.person = ?1 OR COALESCE(questions.team = ?2, 0) FROM questions \
         JOIN people ON people.id = questions.person LEFT JOIN teams ON teams.id = questions.team \
         ORDER BY questions.id DESC",
        params![reader.id, reader.team],
        question,
    )?;
    let all = questions.into_iter().map(|one| {
        let answers = answers.remove(&one.id).unwrap_or_default();
        let sees_all = one.is_own || reader.role.is_staff();
        let answers = answers.into_iter().filter(|answer| sees_all || answer.is_public).collect();
        Question { answers, ..one }
    });
    let mut seen: Vec<Question> =
        all.filter(|one| one.is_own || reader.role.is_staff() || one.is_public()).collect();
    seen.sort_by_key(|one| !one.answers.is_empty());
    Ok(seen)
}

fn question(row: &Row<'_>) -> rusqlite::Result<Question> {
    Ok(Question {
        id: row.get(0)?,
        person: row.get(1)?,
        team: row.get(2)?,
        subject: row.get(3)?,
        text: row.get(4)?,
        at: row.get(5)?,
        is_own: row.get(6)?,
        answers: Vec::new(),
    })
}

/// Returns the answers by question.
fn answers(transaction: &Transaction<'_>) -> rusqlite::Result<HashMap<i64, Vec<Answer>>> {
    let all = transaction.rows(
        "SELECT question, text, is_public, people.name, at FROM answers \
         JOIN people ON people.id = answers.person ORDER BY answers.id",
        [],
        |row| {
            let answer = Answer {
                text: row.get(1)?,
                is_public: row.get(2)?,
                person: row.get(3)?,
                at: row.get(4)?,
            };
            Ok((row.get(0)?, answer))
        },
    )?;
    let mut by_question: HashMap<i64, Vec<Answer>> = HashMap::new();
    for (question, answer) in all {
        by_question.entry(question).or_default().push(answer);
    }
    Ok(by_question)
}
