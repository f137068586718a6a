//! The grades of a student, once they are released: their own, and what each point is for.

use super::title_of;
use crate::competition::grades::{self, Frozen, Grade};
use crate::web::{Asked, Refusal, Reply, page};
use botyard_pages::pieces::{moment, name, plain, row_name, table, text};
use maud::{Markup, html};

pub(in crate::pages) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = &asked.visitor()?.person;
    let copies = asked.database().transaction(grades::of_student)?;
    let own = |copy: &Frozen| -> Option<Grade> {
        let id = person.student_id.as_deref()?;
        copy.grades.iter().find(|grade| grade.student_id == id).cloned()
    };
    let found: Vec<(&Frozen, Grade)> =
        copies.iter().filter_map(|copy| Some((copy, own(copy)?))).collect();
    let main = html! {
        @if found.is_empty() { p { "No grades of yours are released yet." } }
        @for (copy, grade) in &found { (of_copy(asked, copy, grade)) }
    };
    Ok(page(asked, "My grades", &main))
}

fn of_copy(asked: &Asked<'_>, copy: &Frozen, grade: &Grade) -> Markup {
    let title = format!("copy-{}", copy.id);
    let body = html! {
        @for part in &grade.parts {
            tr role="row" { (row_name(&text(&part.what, 400))) (plain("points", part.points)) }
        }
        tr role="row" { (row_name(&html! { "sum" })) (plain("points", grade.points)) }
    };
    html! {
        section aria-labelledby=(title) {
            h2 id=(title) {
                @if let Some(event) = title_of(asked, copy) { (name(&event)) ": " }
                (grade.points) " points"
            }
            p {
                "As of " (moment(u64::try_from(copy.at).unwrap_or_default())) "."
                @if grade.parts.is_empty() { " For: " (text(&grade.reason, 1000)) "." }
            }
            @if !grade.parts.is_empty() { (table("What each point is for", &["for", "points"], &body)) }
        }
    }
}
