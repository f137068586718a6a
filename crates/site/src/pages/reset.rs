//! A forgotten password: a person asks for a link by email, and chooses another password with it.

use super::join::{HINT, new_password};
use super::login::too_many;
use crate::people::mail_queue::{self, Kind};
use crate::people::throttle::{self, CODES, RESETS, RESETS_OF_PERSON};
use crate::people::{self, audit, sessions};
use crate::web::{Asked, Refusal, Reply, field, form, notice, page};
use axum::http::StatusCode;
use maud::html;

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let main = match &asked.site.class.settings.email {
        Some(_) => html! {
            p { "The site sends you a link with which you choose another password, if it knows your email address." }
            (form(asked, "/forgotten", &html! {
                (field("Student ID or email address", "account", "text", "username", ""))
                p { button { "Send me a link" } }
            }))
        },
        None => {
            html! { p { "Ask your teacher for a new join code: with it you choose another password." } }
        }
    };
    Ok(page(asked, "Forgotten password", &main))
}

/// Sends a link. The answer is the same whether there is such an account or not.
pub(super) fn send(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    if asked.site.class.settings.email.is_none() {
        return Err(Refusal::Wrong("This site sends no email. Ask your teacher.".to_string()));
    }
    let account = asked.form.get("account");
    let from = [(format!("links from {}", asked.via.limited_together()), RESETS)];
    asked.database().transaction(|transaction| {
        // Every request counts, whatever comes of it.
        let _ = throttle::begin(transaction, &from)?.map_err(too_many)?;
        let Some((person, _)) = people::with_account(transaction, account)? else { return Ok(()) };
        let own = [(format!("links of {}", person.id), RESETS_OF_PERSON)];
        if person.email.is_empty() || throttle::begin(transaction, &own)?.is_err() {
            return Ok(());
        }
        mail_queue::add(transaction, (person.id, Kind::Reset), None, None)?;
        let what = ("sent email", person.name.as_str());
        audit::about(transaction, None, what, "a link for a new password, which was asked for")?;
        Ok::<_, Refusal>(())
    })?;
    let main = html! {
        (notice("If there is such an account with an email address, a link is on its way. It is valid for an hour."))
        p { "Nothing arrives? Look at the spam folder, or ask your teacher for a new join code." }
    };
    Ok(page(asked, "Forgotten password", &main))
}

/// Shows the form of a link. Only the form uses the link up: some programs open links by themselves.
pub(super) fn show_link(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    Ok(choosing(asked, asked.query.get("link"), None))
}

fn choosing(asked: &Asked<'_>, link: &str, refusal: Option<&str>) -> Reply {
    let main = html! {
        @if let Some(refusal) = refusal { (notice(refusal)) }
        (form(asked, "/reset", &html! {
            input type="hidden" name="link" value=(link);
            (field("New password", "password", "password", "new-password", HINT))
            p { button { "Choose it, and sign out everywhere else" } }
        }))
    };
    let reply = page(asked, "New password", &main);
    if refusal.is_some() { reply.status(StatusCode::BAD_REQUEST) } else { reply }
}

pub(super) fn choose(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let database = asked.database();
    let link = asked.form.get("link");
    let used = || {
        Refusal::Wrong(
            "This link was used, is older than an hour, or a newer one was sent. Ask for another one."
                .to_string(),
        )
    };
    let person = database.transaction(|transaction| {
        let person = mail_queue::with_reset_link(transaction, link)?;
        if person.is_none() {
            let from = [(format!("codes from {}", asked.via.limited_together()), CODES)];
            let _ = throttle::begin(transaction, &from)?.map_err(too_many)?;
        }
        Ok::<_, Refusal>(person)
    })?;
    let person = person.ok_or_else(used)?;
    let stored = match new_password(asked, person) {
        Ok(stored) => stored,
        Err(Refusal::Wrong(why)) => return Ok(choosing(asked, link, Some(&why))),
        Err(refusal) => return Err(refusal),
    };
    let token = database.transaction(|transaction| {
        // Two requests may have come at once: the link works for the first.
        if mail_queue::with_reset_link(transaction, link)?.is_none() {
            return Err(used());
        }
        mail_queue::use_reset_links(transaction, person)?;
        people::set_password(transaction, person, &stored)?;
        let detail = "their own, with a link from an email";
        audit::note(transaction, Some(person), "changed the password", detail)?;
        Ok(sessions::begin(transaction, person)?)
    })?;
    asked.site.people.check_sessions();
    Ok(Reply::see("/").cookie(&token, sessions::LONGEST).browser(&stored))
}
