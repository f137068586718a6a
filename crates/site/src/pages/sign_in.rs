//! Sign-in at a provider of OpenID Connect, for people of the roster.

use crate::error::SiteError;
use crate::files::site_file::SignIn;
use crate::files::{Statements, now, secrets};
use crate::oidc::{self, OidcError};
use crate::people::{self, Person, sessions};
use crate::web::{Asked, Refusal, Reply};
use axum::http::header;
use botyard_protocol::printable;
use maud::{Markup, html};
use rusqlite::{OptionalExtension, Transaction, params};
use serde_json::Value;

/// How long a sign-in may take, in seconds.
const LONGEST: i64 = 600;

/// The most sign-ins that are open at once: older ones are forgotten.
const OPEN: i64 = 10_000;

/// Returns the button on the page on which people sign in.
pub(super) fn button(asked: &Asked<'_>) -> Markup {
    html! {
        @if let Some(config) = &asked.site.class.settings.sign_in {
            p { a class="button" href="/sign-in" { "Sign in with " (printable(&config.name, 60)) } }
        }
    }
}

fn config<'a>(asked: &'a Asked<'_>) -> Result<&'a SignIn, Refusal> {
    asked.site.class.settings.sign_in.as_ref().ok_or(Refusal::NotFound)
}

/// Sends the browser to the provider.
pub(super) fn begin(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    if asked.visitor.is_some() {
        return Ok(Reply::see("/"));
    }
    let config = config(asked)?;
    let begun =
        oidc::begin(&asked.site.people.documents, config).map_err(|error| failed(asked, &error))?;
    asked.database().transaction(|transaction| store(transaction, &begun))?;
    // The sign-in can be finished in this browser only.
    let cookie = format!(
        "{}={}; Path=/; HttpOnly; SameSite=Lax; Max-Age={LONGEST}",
        crate::web::SIGN_IN,
        begun.state
    );
    Ok(Reply::see(begun.address).with(header::SET_COOKIE, cookie))
}

fn store(transaction: &Transaction<'_>, begun: &oidc::Begun) -> rusqlite::Result<()> {
    transaction.change("DELETE FROM sign_ins WHERE at < ?1", [now() - LONGEST])?;
    transaction.change(
        "DELETE FROM sign_ins WHERE state IN (SELECT state FROM sign_ins ORDER BY at DESC LIMIT -1 OFFSET ?1)",
        [OPEN],
    )?;
    transaction.change(
        "INSERT INTO sign_ins(state, nonce, verifier, at) VALUES (?1, ?2, ?3, ?4)",
        params![secrets::digest("sign-in", &begun.state), begun.nonce, begun.verifier, now()],
    )
}

/// Receives the browser back from the provider.
pub(super) fn finish(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    if asked.visitor.is_some() {
        return Ok(Reply::see("/"));
    }
    let config = config(asked)?;
    let (state, code) = (asked.query.get("state"), asked.query.get("code"));
    let again = || {
        Refusal::Wrong("This sign-in was interrupted or took too long. Sign in again.".to_string())
    };
    if state.is_empty()
        || secrets::digest("sign-in", state) != secrets::digest("sign-in", asked.sign_in)
    {
        return Err(again());
    }
    let found: Option<(String, String)> = asked.database().transaction(|transaction| {
        transaction
            .row(
                "DELETE FROM sign_ins WHERE state = ?1 AND at >= ?2 RETURNING nonce, verifier",
                params![secrets::digest("sign-in", state), now() - LONGEST],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .optional()
    })?;
    let Some((nonce, verifier)) = found else { return Err(again()) };
    if code.is_empty() {
        let error = printable(asked.query.get("error"), 100);
        return Err(Refusal::Forbidden(format!("The provider did not sign you in: {error}.")));
    }
    let claims = oidc::finish(&asked.site.people.documents, config, code, (&nonce, &verifier))
        .map_err(|error| failed(asked, &error))?;
    asked.site.class.report_sign_in(None);
    let token = asked.database().transaction(|transaction| {
        let person = person(transaction, config, &claims)?;
        Ok::<_, Refusal>(sessions::begin(transaction, person.id)?)
    })?;
    Ok(Reply::see("/").cookie(&token, sessions::LONGEST))
}

/// Returns the person of the roster whom the claims name.
fn person(
    transaction: &Transaction<'_>,
    config: &SignIn,
    claims: &Value,
) -> Result<Person, Refusal> {
    let claim = &claims[&config.claim];
    let named =
        claim.as_str().map(String::from).or(claim.as_i64().map(|number| number.to_string()));
    let named = named.filter(|named| !named.trim().is_empty()).ok_or_else(|| {
        Refusal::Forbidden(format!(
            "The provider did not state your {}. Ask your teacher to sign in with a password.",
            printable(&config.claim, 60)
        ))
    })?;
    let found = if config.claim == "email" {
        let verified = &claims["email_verified"];
        if !config.trust_email && verified != &Value::Bool(true) && verified != "true" {
            return Err(Refusal::Forbidden(format!(
                "The provider has not verified your email address {}.",
                printable(&named, 100)
            )));
        }
        people::with_email(transaction, &named.to_lowercase())?
    } else {
        people::with_student_id(transaction, &named)?
    };
    found.ok_or_else(|| {
        Refusal::Forbidden(format!(
            "You signed in as {}, who is not in this class. Ask your teacher to add you to the roster.",
            printable(&named, 100)
        ))
    })
}

/// Returns the refusal of a sign-in that failed, which the staff reads in full on Desk.
fn failed(asked: &Asked<'_>, error: &OidcError) -> Refusal {
    match error {
        OidcError::Provider(_) => {
            asked.site.class.report_sign_in(Some(printable(&error.to_string(), 500)));
            Refusal::Host(
                "The provider cannot sign you in at this moment. Try again, or sign in with a password. \
                 Your teacher reads the cause on Desk."
                    .to_string(),
            )
        }
        OidcError::System(error) => {
            SiteError::System(std::io::Error::other(error.to_string())).into()
        }
    }
}
