//! Joining: a person chooses a password with a join code, or an administrator with a link.

use super::login::too_many;
use crate::files::secrets;
use crate::people::passwords::{self, Whose};
use crate::people::roster::is_email;
use crate::people::throttle::{self, CODES};
use crate::people::{self, audit, sessions};
use crate::web::{Asked, Refusal, Reply, field, form, page};
use maud::html;
use rusqlite::Transaction;

/// The hint beside a new password.
pub(super) const HINT: &str = "10 characters or more";

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let main = html! {
        p {
            "Choose a password with the code that you were given. A code works once. If you lost your password, ask "
            "your teacher for a new code."
        }
        (form(asked, "/join", &html! {
            p class="field" {
                label for="code" { "Join code" }
                input id="code" name="code" type="text" autocomplete="off" required value=(asked.query.get("code"))
                    aria-describedby="code-hint";
                span class="note" id="code-hint" { "12 letters and digits, as in 7Q3M-X2AB-K9TD" }
            }
            (field("New password", "password", "password", "new-password", HINT))
            p { button { "Join" } }
        }))
    };
    Ok(page(asked, "Join", &main))
}

pub(super) fn join(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let database = &asked.database();
    let code = secrets::typed_code(asked.form.get("code"));
    let person = database.transaction(|transaction| {
        let person = people::with_code(transaction, &code)?;
        if person.is_none() {
            count_wrong(asked, transaction)?;
        }
        Ok::<_, Refusal>(person)
    })?;
    let Some(person) = person else {
        return Err(Refusal::Wrong(
            "No such code is open: it may have been used, or mistyped. Ask your teacher for a new one."
                .to_string(),
        ));
    };
    let stored = new_password(asked, person.id)?;
    let token = database.transaction(|transaction| {
        // Two requests may have come at once: the code works for the first.
        if people::with_code(transaction, &code)?.is_none() {
            return Err(Refusal::NotFound);
        }
        people::set_password(transaction, person.id, &stored)?;
        audit::note(transaction, Some(person.id), "joined", "with a join code")?;
        Ok(sessions::begin(transaction, person.id)?)
    })?;
    asked.site.people.check_sessions();
    Ok(Reply::see("/").cookie(&token, sessions::LONGEST).browser(&stored))
}

/// Counts a wrong code or link, and refuses one too many.
fn count_wrong(asked: &Asked<'_>, transaction: &Transaction<'_>) -> Result<(), Refusal> {
    let what = format!("codes from {}", asked.via.limited_together());
    match throttle::wait(transaction, &what, CODES)? {
        Some(seconds) => Err(too_many(seconds)),
        None => Ok(throttle::count(transaction, &what).map(|_| ())?),
    }
}

/// Returns the stored form of the new password of a person in a form.
///
/// # Errors
///
/// It cannot be a password, or too many people choose one at this moment.
pub(super) fn new_password(asked: &Asked<'_>, person: i64) -> Result<String, Refusal> {
    let password = asked.form.whole("password");
    if let Some(why) = passwords::refused(password) {
        return Err(Refusal::Wrong(format!("Choose another password: {why}.")));
    }
    Ok(asked.site.people.passwords.place(&Whose::Person(person))?.stored(password)?)
}

/// Shows the form of a link. Only the form uses the link up: some programs open links by themselves.
pub(super) fn show_link(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let link = asked.query.get("link");
    let main = html! {
        p { "This link makes you the administrator of the class, once. Choose how you sign in." }
        (form(asked, "/enter", &html! {
            input type="hidden" name="link" value=(link);
            (field("Email address", "email", "email", "username", ""))
            (field("New password", "password", "password", "new-password", HINT))
            p { button { "Sign in as administrator" } }
        }))
    };
    Ok(page(asked, "Administrator", &main))
}

pub(super) fn enter(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let database = &asked.database();
    let (link, email) = (asked.form.get("link"), asked.form.get("email").to_lowercase());
    let known = database.transaction(|transaction| {
        let known = people::with_link(transaction, link)?;
        if known.is_none() {
            count_wrong(asked, transaction)?;
        }
        Ok::<_, Refusal>(known)
    })?;
    let Some(known) = known else {
        return Err(Refusal::Wrong(
            "This link was used, or a newer one was made: `botyard serve --admin-link` prints another."
                .to_string(),
        ));
    };
    if !is_email(&email) {
        return Err(Refusal::Wrong(
            "Expected an email address, with which you sign in.".to_string(),
        ));
    }
    let stored = new_password(asked, known.id)?;
    let token = database.transaction(|transaction| {
        let Some(person) = people::with_link(transaction, link)? else {
            return Err(Refusal::NotFound);
        };
        if people::with_account(transaction, &email)?
            .is_some_and(|(other, _)| other.id != person.id)
        {
            return Err(Refusal::Wrong("This email address belongs to somebody else.".to_string()));
        }
        people::set_email(transaction, person.id, &email)?;
        people::set_password(transaction, person.id, &stored)?;
        people::use_links(transaction, person.id)?;
        audit::note(transaction, Some(person.id), "entered", "by an administrator's link")?;
        Ok(sessions::begin(transaction, person.id)?)
    })?;
    asked.site.people.check_sessions();
    Ok(Reply::see("/").cookie(&token, sessions::LONGEST).browser(&stored))
}
