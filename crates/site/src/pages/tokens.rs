//! The tokens of a student for programs: the part of the team's page, and the page that shows a new one.

use super::team::own_team;
use crate::people::audit;
use crate::people::tokens::{self, ListedToken, MOST};
use crate::web::{Asked, Refusal, Reply, field, form, notice, page};
use botyard_pages::pieces::{cell, moment, name, row_name, table};
use maud::{Markup, html};

/// The longest name of a token, in characters.
const NAME: usize = 40;

/// Returns the part of a student's page with the tokens.
pub(super) fn section(asked: &Asked<'_>, all: &[ListedToken]) -> Markup {
    let time = |at: i64| moment(u64::try_from(at).unwrap_or_default());
    let body = html! {
        @for token in all {
            tr role="row" {
                (row_name(&name(&token.name)))
                (cell("made", &time(token.created_at)))
                (cell("last used", &html! { @match token.used_at { Some(at) => (time(at)), None => "never" } }))
                (cell("revoke", &form(asked, &format!("/team/tokens/{}/revoke", token.id), &html! {
                    button aria-label=(format!("Revoke {}", token.name)) { "Revoke" }
                })))
            }
        }
    };
    html! {
        section aria-labelledby="tokens" {
            h2 id="tokens" { "Submit from the command line" }
            p {
                "With a token, " code { "botyard submit DIRECTORY" } " submits a version in your name and prints its "
                "log. A new password or join code revokes your tokens."
            }
            @if !all.is_empty() {
                (table("Your tokens", &["token", "made", "last used", "revoke"], &body))
            }
            (form(asked, "/team/tokens", &html! {
                (field("Name of a new token", "name", "text", "off", "as in: laptop"))
                p { button { "Make a token" } }
            }))
        }
    }
}

pub(super) fn make(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    own_team(asked)?;
    let person = asked.visitor()?.person.id;
    let called = asked.form.get("name");
    if !(1..=NAME).contains(&called.chars().count()) || called.chars().any(char::is_control) {
        return Err(Refusal::Wrong(format!("Expected a name of 1 to {NAME} characters.")));
    }
    let token = asked.database().transaction(|transaction| {
        if tokens::of_person(transaction, person)?.len() >= MOST {
            return Err(Refusal::Wrong(format!(
                "You have {MOST} tokens: revoke one that you no longer use."
            )));
        }
        let token = tokens::make(transaction, person, called)?;
        audit::note(transaction, Some(person), "made a token", called)?;
        Ok(token)
    })?;
    let main = html! {
        (notice("Copy the token now: it is not shown again."))
        p { code id="token" { (token) } }
        p {
            "Keep it in a file that only you can read, or in the variable " code { "BOTYARD_TOKEN" } ". Who has it "
            "can submit versions in your name and read their logs, and nothing else."
        }
        pre { code { "botyard submit DIRECTORY --site ADDRESS --token-file FILE" } }
        p { a href="/team" { "Back to your team" } }
    };
    Ok(page(asked, "New token", &main))
}

pub(super) fn revoke(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (person, id) = (asked.visitor()?.person.id, asked.number("token")?);
    asked.database().transaction(|transaction| {
        let called = tokens::revoke(transaction, person, id)?.ok_or(Refusal::NotFound)?;
        audit::note(transaction, Some(person), "revoked a token", &called)?;
        Ok::<_, Refusal>(())
    })?;
    Ok(Reply::see("/team"))
}
