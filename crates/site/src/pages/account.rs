//! The account of a visitor.

use super::join::{HINT, new_password};
use crate::people::passwords::Whose;
use crate::people::throttle::{self, SIGN_IN};
use crate::people::{self, audit, sessions};
use crate::web::{Asked, Refusal, Reply, field, form, page};
use botyard_pages::pieces::{fact, name};
use maud::html;

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = &asked.visitor()?.person;
    let main = html! {
        section aria-labelledby="account" {
            h2 id="account" { "You sign in with" }
            dl class="facts" {
                @if let Some(id) = &person.student_id { (fact("student ID", &name(id))) }
                @if !person.email.is_empty() { (fact("email", &name(&person.email))) }
            }
        }
        p { a href="/personal-data" { "Personal data: what the site stores, and how long" } }
        section aria-labelledby="password-title" {
            h2 id="password-title" { "Change the password" }
            (form(asked, "/account/password", &html! {
                (field("Current password", "current", "password", "current-password", ""))
                (field("New password", "password", "password", "new-password", HINT))
                p { button { "Change it, and sign out everywhere else" } }
            }))
        }
    };
    Ok(page(asked, "Account", &main))
}

pub(super) fn change_password(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = &asked.visitor()?.person;
    let database = &asked.database();
    let limits = [(format!("password of {}", person.id), SIGN_IN)];
    let account = person.student_id.clone().unwrap_or_else(|| person.email.clone());
    let place = asked.site.people.passwords.place(&Whose::Person(person.id))?;
    let (stored, counted) = database.transaction(|transaction| {
        let counted = throttle::begin(transaction, &limits)?.map_err(super::login::too_many)?;
        let found = people::with_account(transaction, &account)?;
        Ok::<_, Refusal>((found.and_then(|(_, stored)| stored), counted))
    })?;
    if !place.is_right(asked.form.whole("current"), stored.as_deref()) {
        return Err(Refusal::Wrong("The current password is another one.".to_string()));
    }
    database.transaction(|transaction| counted.undo(transaction))?;
    drop(place);
    let stored = new_password(asked, person.id)?;
    let token = database.transaction(|transaction| {
        people::set_password(transaction, person.id, &stored)?;
        audit::note(transaction, Some(person.id), "changed the password", "their own")?;
        sessions::begin(transaction, person.id)
    })?;
    asked.site.people.check_sessions();
    Ok(Reply::see("/account").cookie(&token, sessions::LONGEST).browser(&stored))
}
