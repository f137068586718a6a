//! The texts of messages. They are made when a message is sent, from what is true then.

use crate::competition::{Course, about};
use crate::error::SiteError;
use crate::people::mail_queue::{self, Kind, Queued};
use crate::people::{self, Person};
use crate::site::Site;
use crate::submissions::{self, deadlines};
use botyard_pages::pieces::{moment_text, with_moments};
use botyard_protocol::printable;
use rusqlite::Transaction;

/// A message for an address.
#[derive(Debug)]
pub(super) struct Text {
    pub to: String,
    pub subject: String,
    pub body: String,
}

/// Returns the text of a message, or why it is not needed any more.
///
/// # Errors
///
/// Those of SQLite, or the system gives no random numbers.
pub(super) fn text(
    transaction: &Transaction<'_>,
    site: &Site,
    queued: &Queued,
) -> Result<Result<Text, &'static str>, SiteError> {
    let Some(person) = people::find(transaction, queued.person)? else {
        return Ok(Err("there is no such person"));
    };
    if person.email.is_empty() {
        return Ok(Err("the person has no address"));
    }
    let course = printable(&site.class.course(), 60);
    let address = site.class.settings.email.as_ref().map_or("", |email| &email.site);
    let written = match queued.kind {
        Kind::Code => code(&person, &course, address),
        Kind::Reset => {
            let link = mail_queue::reset_link(transaction, person.id)?;
            Ok(reset(&course, address, &link))
        }
        Kind::Reminder => {
            let until = queued.until.unwrap_or_default();
            match is_needed(transaction, &person, until)? {
                true => {
                    let writer = site.class.zone.writer();
                    let end = with_moments(writer, || moment_text(until.unsigned_abs()));
                    Ok(reminder(&course, address, &end))
                }
                false => Err("the team has an accepted version, or the deadline is another one"),
            }
        }
        Kind::Test => Ok((
            format!("{course}: a test"),
            format!("The site of {course} at {address}/ can send email.\n"),
        )),
    };
    Ok(written.map(|(subject, body)| {
        let hello = format!("Hello {},\n\n", printable(&person.name, 100));
        Text { to: person.email, subject, body: hello + &body }
    }))
}

type Written = (String, String);

fn code(person: &Person, course: &str, address: &str) -> Result<Written, &'static str> {
    let code = person.join_code.as_deref().ok_or("the person has joined")?;
    Ok((
        format!("{course}: your join code"),
        format!(
            "you are in the class {course}. Open {address}/join, enter this code and choose a password:\n\n    {code}\n\n\
             The code works once. Do not give it to others: who has it is you.\n"
        ),
    ))
}

fn reset(course: &str, address: &str, link: &str) -> Written {
    (
        format!("{course}: a new password"),
        format!(
            "someone, probably you, asked for a new password for {course}. Choose it here within an hour:\n\n    \
             {address}/reset?link={link}\n\nThe link works once. If you did not ask for it, do nothing: your password \
             stays as it is.\n"
        ),
    )
}

fn reminder(course: &str, address: &str, end: &str) -> Written {
    (
        format!("{course}: submissions end at {end}"),
        format!(
            "your team has no accepted version yet, and submissions end at {end}. Submit one on {address}/team, early \
             enough for its checks.\n"
        ),
    )
}

/// Returns whether the team of a person still has to be reminded of a deadline.
fn is_needed(transaction: &Transaction<'_>, person: &Person, until: i64) -> rusqlite::Result<bool> {
    let Some(team) = person.team else { return Ok(false) };
    for competition in about::all(transaction)? {
        let is_same = deadlines::of_team(transaction, competition.id, team)? == Some(until);
        let is_open = competition.state == Course::Open;
        if is_open && is_same && !submissions::has_accepted(transaction, competition.id, team)? {
            return Ok(until > crate::files::now());
        }
    }
    Ok(false)
}
