//! The page of a person, for teachers: values, team, account, and the way out of the class.

use super::deadline::sent_reason;
use super::roster;
use crate::competition::grades;
use crate::error::SiteError;
use crate::people::roster::typed;
use crate::people::{self, Person, Role, changes};
use crate::submissions;
use crate::web::{Asked, Refusal, Reply, form, notice, page};
use axum::http::StatusCode;
use botyard_pages::pieces::{fact, name};
use maud::{Markup, html};

/// The values of a person, as a form has them.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    student_id: String,
    name: String,
    email: String,
    section: String,
    team: String,
    role: String,
}

impl Values {
    fn of(person: &Person) -> Values {
        Values {
            student_id: person.student_id.clone().unwrap_or_default(),
            name: person.name.clone(),
            email: person.email.clone(),
            section: person.section.clone(),
            team: person.team_name.clone().unwrap_or_default(),
            role: person.role.to_string(),
        }
    }

    fn sent(asked: &Asked<'_>) -> Values {
        let value = |name: &str| asked.form.get(name).to_string();
        Values {
            student_id: value("student_id"),
            name: value("name"),
            email: value("email"),
            section: value("group"),
            team: value("team"),
            role: value("role"),
        }
    }

    fn row(&self) -> Result<people::roster::Row, SiteError> {
        typed([&self.student_id, &self.name, &self.email, &self.section, &self.team, &self.role])
    }
}

/// Returns the form with the values of a person.
pub(super) fn fields(asked: &Asked<'_>, action: &str, values: &Values, button: &str) -> Markup {
    let teams = asked.database().transaction(people::teams).unwrap_or_default();
    let own = asked.visitor.map(|visitor| visitor.person.role).unwrap_or_default();
    let field = |label: &str, name: &str, value: &str, is_required: bool, list: Option<&str>| {
        let id = format!("person-{name}");
        html! {
            p class="field" {
                label for=(id) { (label) }
                input id=(id) name=(name) type="text" autocomplete="off" value=(value) required[is_required] list=[list];
            }
        }
    };
    let role = if values.role.is_empty() { Role::Student.as_str() } else { &values.role };
    form(
        asked,
        action,
        &html! {
            (field("Name", "name", &values.name, true, None))
            (field("ID", "student_id", &values.student_id, true, None))
            (field("Email address", "email", &values.email, false, None))
            (field("Group", "group", &values.section, false, None))
            (field("Team (empty: a team alone)", "team", &values.team, false, Some("teams")))
            datalist id="teams" { @for (_, team) in &teams { option value=(team) {} } }
            p class="field" {
                label for="person-role" { "Role" }
                select id="person-role" name="role" {
                    @for one in Role::ALL.into_iter().filter(|one| own.may_admit(*one)) {
                        option value=(one.as_str()) selected[one.as_str() == role] { (one) }
                    }
                }
            }
            p { button { (button) } }
        },
    )
}

/// Returns the person whom an address names, if the visitor may change that person. The person may have been removed,
/// but not deleted.
fn asked_for(asked: &Asked<'_>) -> Result<Person, Refusal> {
    let (id, own) = (asked.number("person")?, asked.visitor()?.person.role);
    let person = asked.database().transaction(|transaction| people::find(transaction, id))?;
    let is_deleted = |person: &Person| person.is_removed && person.student_id.is_none();
    let person = person.filter(|person| !is_deleted(person)).ok_or(Refusal::NotFound)?;
    match own.may_admit(person.role) {
        true => Ok(person),
        false => Err(Refusal::Forbidden(format!(
            "The role {own} may not change a person of the role {}.",
            person.role
        ))),
    }
}

/// Returns the same for a person in the class.
fn present(asked: &Asked<'_>) -> Result<Person, Refusal> {
    let person = asked_for(asked)?;
    if person.is_removed {
        return Err(Refusal::Wrong(
            "The person was removed: take the person back first.".to_string(),
        ));
    }
    Ok(person)
}

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = asked_for(asked)?;
    let values = Values::of(&person);
    Ok(shown(asked, &person, &values, &html! {}))
}

/// Shows a person with these values in the form, below a message.
fn shown(asked: &Asked<'_>, person: &Person, values: &Values, message: &Markup) -> Reply {
    let own = format!("/people/{}", person.id);
    let is_own = asked.visitor.is_some_and(|visitor| visitor.person.id == person.id);
    let main = html! {
        (message)
        p { a href="/roster" { "To the roster" } }
        section aria-labelledby="values" {
            h2 id="values" { "Values" }
            @if person.is_removed {
                p { "Removed from the class, with the history kept. A new join code lets the person in again." }
            }
            (fields(asked, &own, values, if person.is_removed { "Take back into the class" } else { "Save" }))
        }
        @if !is_own && !person.is_removed {
            section aria-labelledby="account" {
                h2 id="account" { "Account" }
                dl class="facts" {
                    (fact("password", &html! { (if person.has_joined { "chosen" } else { "not yet" }) }))
                    (fact("state", &html! { (if person.is_locked { "locked" } else { "open" }) }))
                }
                (form(asked, &format!("{own}/lock"), &html! {
                    input type="hidden" name="locked" value=(if person.is_locked { "0" } else { "1" });
                    (reason("lock"))
                    p { button { (if person.is_locked { "Unlock the account" } else { "Lock the account" }) } }
                    p class="note" { "Who is locked cannot sign in. Sessions end, and tokens are revoked." }
                }))
                @if person.student_id.is_some() {
                    (form(asked, &format!("{own}/code"), &html! {
                        p { button { "New join code" } }
                        p class="note" { "With it the person chooses a new password. The old one no longer works." }
                    }))
                }
            }
        }
        @if !is_own { (remove_form(asked, person)) }
    };
    page(asked, &person.name, &main)
}

/// The form that removes a person, or deletes the data of one who was removed.
fn remove_form(asked: &Asked<'_>, person: &Person) -> Markup {
    let words =
        if person.is_removed { "Delete the personal data" } else { "Remove from the class" };
    html! {
        section aria-labelledby="remove" {
            h2 id="remove" { (words) }
            (form(asked, &format!("/people/{}/remove", person.id), &html! {
                (reason("remove"))
                @if person.is_removed {
                    input type="hidden" name="history" value="deleted";
                } @else {
                    p class="field" {
                        label { input type="radio" name="history" value="kept" checked; " Keep name and history" }
                        label { input type="radio" name="history" value="deleted"; " Delete the personal data" }
                    }
                }
                p { button { (if person.is_removed { "Delete" } else { "Remove" }) } }
                p class="note" {
                    "What the person did stays. Deleted are name, ID, address, group and password, and, of a team "
                    "that is left without members, its name, files and logs: its bot plays no more. Results stay, "
                    "and so do the points in frozen grades, without name and ID."
                    @if !person.is_removed { " Whose history is kept can be taken back, on the roster." }
                }
            }))
        }
    }
}

fn reason(what: &str) -> Markup {
    let id = format!("{what}-reason");
    html! {
        p class="field" {
            label for=(id) { "Reason" }
            input id=(id) name="reason" type="text" autocomplete="off" required;
        }
    }
}

/// Adds a person.
pub(super) fn add(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (values, by) = (Values::sent(asked), &asked.visitor()?.person);
    let added = values.row().and_then(|row| {
        asked.database().transaction(|transaction| changes::add(transaction, row, by))
    });
    match added {
        Ok(_) => roster::shown(
            asked,
            &notice(&format!("{} is in the class. Print the join code.", values.name)),
        ),
        Err(SiteError::Wrong(why)) => {
            let main = html! {
                (notice(&why))
                p { a href="/roster" { "To the roster" } }
                (fields(asked, "/people", &values, "Add"))
            };
            Ok(page(asked, "Add a person", &main).status(StatusCode::BAD_REQUEST))
        }
        Err(error) => Err(error.into()),
    }
}

/// Changes the values of a person.
pub(super) fn edit(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (person, values, by) = (asked_for(asked)?, Values::sent(asked), &asked.visitor()?.person);
    let edited = values.row().and_then(|row| {
        asked.database().transaction(|transaction| changes::edit(transaction, &person, row, by))
    });
    let words = match edited {
        Ok(words) => words,
        Err(SiteError::Wrong(why)) => {
            return Ok(
                shown(asked, &person, &values, &notice(&why)).status(StatusCode::BAD_REQUEST)
            );
        }
        Err(error) => return Err(error.into()),
    };
    asked.site.people.check_sessions();
    let words =
        if words.is_empty() { "Nothing changed.".into() } else { format!("Saved: {words}.") };
    let person = asked_for(asked)?;
    Ok(shown(asked, &person, &Values::of(&person), &notice(&words)))
}

/// Locks an account, or unlocks it.
pub(super) fn lock(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (person, reason) = (present(asked)?, sent_reason(asked)?);
    let (by, is_locked) = (&asked.visitor()?.person, asked.form.get("locked") != "0");
    asked
        .database()
        .transaction(|transaction| changes::lock(transaction, &person, is_locked, &reason, by))?;
    asked.site.people.check_sessions();
    Ok(Reply::see(format!("/people/{}", person.id)))
}

/// Removes a person from the class.
pub(super) fn remove(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let is_deleted = asked.form.get("history") == "deleted";
    let person = if is_deleted { asked_for(asked)? } else { present(asked)? };
    let (reason, by) = (sent_reason(asked)?, &asked.visitor()?.person);
    let sources = asked.database().transaction(|transaction| {
        if !is_deleted {
            changes::remove(transaction, &person, &reason, by)?;
            return Ok(Vec::new());
        }
        let mut sources = Vec::new();
        let deleted = changes::delete(transaction, &person, &reason, by)?;
        grades::forget(transaction, &deleted)?;
        for team in &deleted.teams {
            sources.extend(submissions::delete_files(transaction, team.id)?);
        }
        Ok::<_, SiteError>(sources)
    })?;
    asked.site.submissions.end_trials()?;
    asked.site.submissions.remove_sources(&sources);
    asked.site.people.check_sessions();
    asked.site.class.announce();
    let what = if is_deleted { "The personal data are deleted." } else { "The history is kept." };
    roster::shown(
        asked,
        &html! {
            div class="notice" role="status" { p { (name(&person.name)) " is no longer in the class. " (what) } }
        },
    )
}
