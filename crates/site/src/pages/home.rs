//! The first page: what comes next, where one's bot stands, and for the staff what needs attention.

mod attention;
mod overview;

use super::announcements;
use crate::people::{self, Person, Role};
use crate::web::{Asked, Refusal, Reply, scripted_page};
use botyard_pages::pieces::{fact, name};
use botyard_runner::words::counted;
use maud::{Markup, html};

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = &asked.visitor()?.person;
    let all = asked.database().transaction(people::all)?;
    let main = html! {
        (announcements::section(asked)?)
        @if person.role.is_staff() { (attention::section(asked)?) }
        (overview::deadline(asked)?)
        @if let Some(team) = person.team { (overview::version(asked, team)?) }
        (overview::place(asked)?)
        (overview::last_games(asked)?)
        section aria-labelledby="you" {
            h2 id="you" { "You" }
            (about(person, &all))
        }
        @if person.role.is_staff() { (class(person, &all)) }
    };
    Ok(scripted_page(asked, "Home", &main, Some("/assets/times.js")))
}

fn about(person: &Person, all: &[Person]) -> Markup {
    let mates = all.iter().filter(|other| other.team.is_some() && other.team == person.team);
    html! {
        dl class="facts" {
            (fact("name", &name(&person.name)))
            (fact("role", &html! { (person.role) }))
            @if !person.section.is_empty() { (fact("group", &name(&person.section))) }
            @if let Some(team) = &person.team_name {
                (fact("team", &name(team)))
                (fact("members", &html! {
                    @for (number, mate) in mates.enumerate() {
                        @if number > 0 { ", " }
                        (name(&mate.name))
                    }
                }))
            }
        }
    }
}

/// What the staff sees of the class.
fn class(person: &Person, all: &[Person]) -> Markup {
    let students = || all.iter().filter(|person| person.role == Role::Student);
    let joined = students().filter(|student| student.has_joined).count();
    let mut teams: Vec<i64> = students().filter_map(|student| student.team).collect();
    teams.sort_unstable();
    teams.dedup();
    html! {
        section aria-labelledby="class" {
            h2 id="class" { "The class" }
            dl class="facts" {
                (fact("students", &html! { (students().count()) }))
                (fact("with a password", &html! { (joined) }))
                (fact("teams", &html! { (teams.len()) }))
            }
            @if students().count() == 0 && person.role >= Role::Teacher {
                p { a href="/roster" { "Import the roster" } " to begin." }
            } @else if joined < students().count() && person.role >= Role::Teacher {
                p {
                    a href="/roster/codes" { "Print the join codes" } " of "
                    (counted((students().count() - joined) as u64, "student")) "."
                }
            }
        }
    }
}
