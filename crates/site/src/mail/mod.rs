//! Email: a thread that sends what waits in the queue, by SMTP, if `site.toml` names a server.

mod texts;

use crate::competition::{Course, Rounds, about};
use crate::error::SiteError;
use crate::files::site_file::{Email, Encryption};
use crate::files::{Statements, now};
use crate::people::mail_queue::{self, Kind, Queued};
use crate::site::Site;
use crate::submissions::{self, deadlines};
use botyard_runner::Error;
use lettre::message::Mailbox;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::{Message, SmtpTransport, Transport};
use rusqlite::Transaction;
use std::sync::Arc;
use std::time::Duration;
use texts::Text;

/// How often the queue is looked at.
const LOOK: Duration = Duration::from_secs(2);

/// How long a server has for each answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long before a deadline teams are reminded, in seconds.
const BEFORE: i64 = 24 * 3600;

/// Starts to send what waits, if a server is configured.
///
/// # Errors
///
/// The sender's address or the server's name is wrong, or the host cannot start a thread.
pub(crate) fn start(site: &Arc<Site>) -> Result<Option<Rounds>, Error> {
    site.class.database.write(mail_queue::end_interrupted)?;
    let Some(email) = &site.class.settings.email else { return Ok(None) };
    let wrong = |why: String| Error::usage(format!("site.toml: {why}"));
    let from: Mailbox = email.from.parse().map_err(|error| {
        wrong(format!(
            "expected an address as in Bots <bots@example.org>, got {:?}: {error}",
            email.from
        ))
    })?;
    let transport = transport(email).map_err(|error| wrong(error.to_string()))?;
    let site = Arc::clone(site);
    let rounds = Rounds::start("mail", LOOK, move |_| match send_next(&site, &transport, &from) {
        Ok(true) => Duration::ZERO,
        Ok(false) => LOOK,
        Err(error) => {
            site.class.report(&Error::host(error));
            LOOK
        }
    })?;
    Ok(Some(rounds))
}

fn transport(email: &Email) -> Result<SmtpTransport, lettre::transport::smtp::Error> {
    let parameters = || TlsParameters::new_rustls(email.server.clone());
    let tls = match email.tls {
        Encryption::StartTls => Tls::Required(parameters()?),
        Encryption::Tls => Tls::Wrapper(parameters()?),
        Encryption::None => Tls::None,
    };
    let builder = SmtpTransport::builder_dangerous(&email.server)
        .port(email.port)
        .tls(tls)
        .timeout(Some(PATIENCE));
    Ok(match email.user.as_str() {
        "" => builder,
        user => builder.credentials(Credentials::new(user.to_string(), email.password.clone())),
    }
    .build())
}

/// A message that was taken from the queue.
enum Taken {
    Nothing,
    /// It is not needed any more.
    Dropped,
    Message(Queued, Text),
}

/// Sends the next message. Returns whether there was one.
fn send_next(site: &Site, transport: &SmtpTransport, from: &Mailbox) -> Result<bool, SiteError> {
    let database = &site.class.database;
    let taken = database.transaction(|transaction| {
        add_reminders(transaction)?;
        let Some(queued) = mail_queue::take(transaction)? else { return Ok(Taken::Nothing) };
        Ok::<_, SiteError>(match texts::text(transaction, site, &queued)? {
            Ok(text) => Taken::Message(queued, text),
            Err(why) => {
                mail_queue::dropped(transaction, queued.id, why)?;
                Taken::Dropped
            }
        })
    })?;
    let (queued, text) = match taken {
        Taken::Nothing => return Ok(false),
        Taken::Dropped => return Ok(true),
        Taken::Message(queued, text) => (queued, text),
    };
    let sent = sent(transport, from, text);
    database.transaction(|transaction| match &sent {
        Ok(()) => mail_queue::sent(transaction, queued.id),
        Err((why, is_permanent)) => mail_queue::failed(transaction, &queued, (why, *is_permanent)),
    })?;
    site.class.announce();
    Ok(true)
}

/// Sends a message. An error says why not, and whether another attempt cannot succeed.
fn sent(transport: &SmtpTransport, from: &Mailbox, text: Text) -> Result<(), (String, bool)> {
    let address =
        text.to.parse().map_err(|error| (format!("the address {:?}: {error}", text.to), true))?;
    let message = Message::builder()
        .from(from.clone())
        .to(Mailbox::new(None, address))
        .subject(text.subject)
        .header(lettre::message::header::ContentType::TEXT_PLAIN)
        .body(text.body)
        .map_err(|error| (error.to_string(), true))?;
    match transport.send(&message) {
        Ok(_) => Ok(()),
        Err(error) => {
            let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}"));
            Err((format!("{error}{}", cause.unwrap_or_default()), error.is_permanent()))
        }
    }
}

/// Adds the reminders of deadlines that are less than a day away, for the members of teams without an accepted
/// version.
fn add_reminders(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    if !mail_queue::reminds(transaction)? {
        return Ok(());
    }
    let people: Vec<(i64, i64)> = transaction.rows(
        "SELECT id, team FROM people WHERE role = 'student' AND email <> '' AND team IS NOT NULL",
        [],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let mut competitions = about::all(transaction)?;
    competitions.retain(|competition| competition.state == Course::Open);
    for competition in competitions.iter().map(|competition| competition.id) {
        for &(person, team) in &people {
            let until = deadlines::of_team(transaction, competition, team)?;
            let Some(until) = until.filter(|until| (until - BEFORE..*until).contains(&now()))
            else {
                continue;
            };
            if !submissions::has_accepted(transaction, competition, team)? {
                let once = format!("reminder {person} {until}");
                mail_queue::add(transaction, (person, Kind::Reminder), Some(&once), Some(until))?;
            }
        }
    }
    Ok(())
}
