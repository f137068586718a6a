//! Signing in and out.

use super::sign_in;
use crate::people::passwords::Whose;
use crate::people::throttle::{self, ACCOUNT, ADDRESS, Limit, SIGN_IN, SIGN_IN_OF_MANY};
use crate::people::{self, sessions};
use crate::web::{Asked, Refusal, Reply, field, form, page};
use botyard_protocol::printable;
use maud::html;

/// How much of an account's name is stored to count attempts, in characters.
const NAMED: usize = 200;

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    if asked.visitor.is_some() {
        return Ok(Reply::see("/"));
    }
    if let Some(account) = &asked.via.account {
        return signed_in_by_proxy(asked, account);
    }
    let main = html! {
        (sign_in::button(asked))
        (form(asked, "/login", &html! {
            (field("Student ID or email address", "account", "text", "username", ""))
            (field("Password", "password", "password", "current-password", ""))
            p { button { "Sign in" } }
        }))
        p { "No password yet? " a href="/join" { "Join with your code" } "." }
        p { a href="/forgotten" { "Forgotten your password?" } }
    };
    Ok(page(asked, "Sign in", &main))
}

/// Begins the session of the person whom a trusted proxy has signed in.
fn signed_in_by_proxy(asked: &Asked<'_>, account: &str) -> Result<Reply, Refusal> {
    let token = asked.database().transaction(|transaction| {
        let Some((person, _)) = people::with_account(transaction, account)? else {
            return Err(Refusal::Forbidden(format!(
                "You signed in as {}, who is not in this class. Ask your teacher to add you to the roster.",
                printable(account, 100)
            )));
        };
        Ok(sessions::begin_by_proxy(transaction, person.id)?)
    })?;
    Ok(Reply::see("/").cookie(&token, sessions::LONGEST))
}

pub(super) fn sign_in(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (account, password) = (asked.form.get("account"), asked.form.whole("password"));
    let database = &asked.database();
    let from = asked.via.limited_together();
    let named: String = account.to_lowercase().chars().take(NAMED).collect();
    let found = database.transaction(|transaction| people::with_account(transaction, account))?;
    let stored = found.as_ref().and_then(|(_, stored)| stored.as_deref());
    let whose = match &found {
        Some((person, _)) => Whose::Person(person.id),
        None => Whose::StrangerAt(from.clone()),
    };
    let place = asked.site.people.passwords.place(&whose)?;
    let counted = database.transaction(|transaction| {
        let from_address = format!("sign-in from {from}");
        let limits = match &found {
            Some((person, _)) if asked.is_known_browser(stored) => {
                vec![(format!("browsers of {}", person.id), SIGN_IN)]
            }
            _ => {
                let is_many = throttle::wait(transaction, &from_address, ADDRESS)?.is_some();
                let limit = if is_many { SIGN_IN_OF_MANY } else { SIGN_IN };
                // What a visitor sends stands last, so that it cannot be the name of another limit.
                vec![
                    (format!("account from {from}: {named}"), limit),
                    (format!("account: {named}"), ACCOUNT),
                    (from_address, Limit { most: u32::MAX, ..ADDRESS }),
                ]
            }
        };
        throttle::begin(transaction, &limits)?.map_err(too_many)
    })?;
    if !place.is_right(password, stored) {
        return Err(Refusal::Wrong(
            "There is no account with this ID or email address and this password.".to_string(),
        ));
    }
    let Some((person, stored)) = found else { return Err(Refusal::NotFound) };
    let token = database.transaction(|transaction| {
        counted.undo(transaction)?;
        sessions::begin(transaction, person.id)
    })?;
    let reply = Reply::see("/").cookie(&token, sessions::LONGEST);
    Ok(match &stored {
        Some(stored) => reply.browser(stored),
        None => reply,
    })
}

/// Returns the refusal of an attempt before this number of seconds have passed.
pub(super) fn too_many(seconds: i64) -> Refusal {
    let minutes = (seconds + 59) / 60;
    Refusal::TooMany(format!("Too many attempts have failed. Try again in {minutes} min."))
}

pub(super) fn sign_out(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let visitor = asked.visitor()?;
    asked.database().transaction(|transaction| visitor.sign_out(transaction))?;
    asked.site.people.check_sessions();
    Ok(Reply::see("/login").cookie("", 0))
}
