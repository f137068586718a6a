//! What the site stores about people, who sees it, and until when it is kept.

use super::deadline::{end, sent_moment, sent_reason, zone_hint};
use crate::people::{Role, audit, retention};
use crate::web::{Asked, Refusal, Reply, form, page};
use botyard_pages::pieces::{cell, row_name, table};
use maud::{Markup, html};

/// What is stored, and who sees it.
const STORED: [(&str, &str); 12] = [
    ("student ID, email address", "staff; the person"),
    ("name, group, team", "staff; members of the team see each other's names"),
    ("password, as an Argon2id hash", "no one"),
    ("tokens for programs, as hashes; their names and last uses", "the person"),
    ("submissions, their logs, the addresses and commits of git repositories", "staff; the team"),
    (
        "games, faults, standard error of bots",
        "staff; the team; games without standard error once published",
    ),
    ("grades, points by hand and their reasons", "teachers; the person, once released"),
    ("announcements", "the class"),
    ("questions and answers", "staff; the team; the class without the name, if answered for all"),
    ("email that is sent by the site: to whom, when and why, not its text", "teachers"),
    ("who did what and when", "teachers"),
    ("addresses of browsers, for 15 minutes after a failed sign-in", "no one"),
];

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let role = asked.visitor()?.person.role;
    let until = asked.database().transaction(retention::until)?;
    let body = html! {
        @for (what, who) in STORED {
            tr role="row" { (row_name(&html! { (what) })) (cell("seen by", &html! { (who) })) }
        }
    };
    let main = html! {
        (table("What this site stores about people", &["what", "seen by"], &body))
        section aria-labelledby="retention" {
            h2 id="retention" { "How long it is kept" }
            @match until {
                Some(_) => p {
                    "Until " strong { (end(until)) } ". After that, names, IDs, addresses, passwords, submissions, "
                    "logs, replays and grades are deleted; results without names stay."
                },
                None => p { "No time is stated yet." @if role < Role::Teacher { " Ask your teacher." } },
            }
        }
        @if role >= Role::Teacher { (statement(asked)) }
        @if role == Role::Admin {
            section aria-labelledby="archive" {
                h2 id="archive" { "Keep the class" }
                p {
                    a href="/class.zip" { "Download an archive" } " of the whole class, personal data and passwords' hashes "
                    "included, with pages of the standings and the final for any browser. " code { "botyard site restore" }
                    " makes a class of it."
                }
            }
        }
    };
    Ok(page(asked, "Personal data", &main))
}

fn statement(asked: &Asked<'_>) -> Markup {
    html! {
        section aria-labelledby="state" {
            h2 id="state" { "State how long" }
            p {
                "After this time, " code { "botyard site forget DIR" } " shows what is deleted, and "
                code { "--apply" } " deletes it. Backups and archives are yours to delete."
            }
            (form(asked, "/personal-data", &html! {
                p class="field" {
                    label for="until" { "Until" }
                    input id="until" name="until" type="datetime-local" required aria-describedby="until-zone";
                    (zone_hint(asked, "until-zone"))
                }
                p class="field" {
                    label for="retention-reason" { "Reason" }
                    input id="retention-reason" name="reason" type="text" autocomplete="off" required;
                }
                p { button { "State it" } }
            }))
        }
    }
}

pub(super) fn state(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = asked.visitor()?.person.id;
    let (until, reason) = (sent_moment(asked)?, sent_reason(asked)?);
    asked.database().transaction(|transaction| {
        let before = retention::until(transaction)?;
        retention::set(transaction, until, &reason, person)?;
        let detail = format!("from {} to {}: {reason}", end(before), end(until));
        audit::about(transaction, Some(person), ("stated the retention", "personal data"), &detail)
    })?;
    Ok(Reply::see("/personal-data"))
}
