//! Grades, for teachers: a preview by rules, frozen copies, and files for grade books.

use crate::competition::grades::{self, Form, Frozen, Grade, Rules};
use crate::competition::ladder::Standing;
use crate::people::{self, audit};
use crate::web::{Asked, Fields, Refusal, Reply, form, notice, page};
use axum::http::header;
use botyard_pages::pieces::{cell, moment, name, plain, row_name, table, text};
use botyard_protocol::printable;
use maud::{Markup, html};
use std::sync::Arc;

/// The most points that a rule may give.
const MOST: f64 = 10_000.0;

/// The rules before any are sent.
const FIRST: Rules =
    Rules { gate: 40.0, reference: 10.0, places: 40.0, by_group: true, cap: 100.0 };

/// Returns the rules in a form or an address; the usual ones if it has none.
fn sent_rules(fields: &Fields) -> Result<Rules, Refusal> {
    if fields.get("cap").is_empty() {
        return Ok(FIRST);
    }
    let points = |field: &str| {
        let value = fields.get(field);
        let number = value.parse().ok().filter(|number| (0.0..=MOST).contains(number));
        number.ok_or_else(|| {
            Refusal::Wrong(format!(
                "Expected points from 0 to {MOST} in {field}, got {:?}.",
                printable(value, 40)
            ))
        })
    };
    Ok(Rules {
        gate: points("gate")?,
        reference: points("reference")?,
        places: points("places")?,
        by_group: fields.get("by") == "group",
        cap: points("cap")?,
    })
}

/// What is shown while [`is_current`] is false.
const COMPUTING: &str = "The standings are being computed. Try again in a few seconds.";

/// Returns whether the standings that grades follow from have all games: those of a final, which does not
/// change any more, or those of a ladder that is being played.
fn is_current(asked: &Asked<'_>, source: &str) -> bool {
    let competition = &asked.site.competition;
    if source == "final" { competition.is_current() } else { competition.boards().is_computed() }
}

/// Returns which standings grades follow from: those of the final, if there is one and the form does not
/// name the ladder; the event of their games; and the standings.
fn source_of(asked: &Asked<'_>, fields: &Fields) -> (&'static str, i64, Arc<Standing>) {
    let boards = asked.site.competition.boards();
    match &boards.round {
        Some(round) if fields.get("games") != "ladder" => {
            ("final", round.state.event.id, Arc::clone(&round.board.standing))
        }
        _ => ("ladder", asked.site.competition.event.id, Arc::clone(&boards.ladder)),
    }
}

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let rules = sent_rules(&asked.query)?;
    let (source, _, standing) = source_of(asked, &asked.query);
    let has_final = asked.site.competition.boards().round.is_some();
    let (people, frozen) = asked.database().transaction(|transaction| {
        Ok::<_, rusqlite::Error>((people::all(transaction)?, grades::all(transaction)?))
    })?;
    let preview = rules.grades(&people, &standing);
    let main = html! {
        section aria-labelledby="rules" {
            h2 id="rules" { "Rules" }
            p class="note" {
                "A version beats a reference if the interval of its share against it is above one half. By group, "
                "bots that are not separated from a better place get the points of that place."
            }
            form method="get" action="/grades" {
                (rule_fields(&rules))
                @if has_final {
                    p class="field" {
                        label for="games" { "Games" }
                        select id="games" name="games" {
                            option value="final" selected[source == "final"] { "those of the final" }
                            option value="ladder" selected[source == "ladder"] { "those of the ladder" }
                        }
                    }
                }
                p { button { "Preview" } }
            }
        }
        section aria-labelledby="preview" {
            h2 id="preview" { "Preview, by the standings of the " (source) " as of " (moment(u64::try_from(standing.at).unwrap_or_default())) }
            @if !is_current(asked, source) { (notice(COMPUTING)) }
            (rows(&preview))
            (form(asked, "/grades", &html! {
                @for (field, value) in [
                    ("gate", rules.gate.to_string()),
                    ("reference", rules.reference.to_string()),
                    ("places", rules.places.to_string()),
                    ("by", if rules.by_group { "group".into() } else { "place".into() }),
                    ("cap", rules.cap.to_string()),
                    ("games", source.to_string()),
                ] { input type="hidden" name=(field) value=(value); }
                p { button { "Freeze these grades" } }
            }))
        }
        section aria-labelledby="frozen" {
            h2 id="frozen" { "Frozen grades" }
            @if frozen.is_empty() { p { "None yet. Frozen grades never change." } } @else { (frozen_rows(&frozen)) }
        }
    };
    Ok(page(asked, "Grades", &main))
}

fn rule_fields(rules: &Rules) -> Markup {
    html! {
        @for (field, label, value) in [
            ("gate", "Points for passing the gate", rules.gate),
            ("reference", "Points for each reference that is beaten", rules.reference),
            ("places", "Points for the first place; the last one has none", rules.places),
            ("cap", "Most points", rules.cap),
        ] {
            p class="field" {
                label for=(field) { (label) }
                input id=(field) name=(field) type="number" min="0" step="any" required value=(value);
            }
        }
        p class="field" {
            label for="by" { "Places" }
            select id="by" name="by" {
                option value="group" selected[rules.by_group] { "by group: the best place that is not excluded" }
                option value="place" selected[!rules.by_group] { "by rank" }
            }
        }
    }
}

fn rows(grades: &[Grade]) -> Markup {
    let body = html! {
        @for grade in grades {
            tr role="row" {
                (row_name(&name(&grade.name)))
                (cell("ID", &name(&grade.student_id)))
                (cell("team", &name(&grade.team)))
                (plain("points", grade.points))
                (cell("for", &text(&grade.reason, 400)))
            }
        }
    };
    table("Grades of all students", &["name", "ID", "team", "points", "for"], &body)
}

fn frozen_rows(frozen: &[Frozen]) -> Markup {
    let body = html! {
        @for one in frozen {
            tr role="row" {
                (row_name(&html! { a href=(format!("/grades/{}", one.id)) { "copy " (one.id) } }))
                (cell("by", &name(&one.person)))
                (cell("time", &moment(u64::try_from(one.at).unwrap_or_default())))
                (cell("files", &html! {
                    a href=(format!("/grades/{}/moodle.csv", one.id)) { "Moodle" } " "
                    a href=(format!("/grades/{}/canvas.csv", one.id)) { "Canvas" }
                }))
            }
        }
    };
    table("The newest first", &["copy", "by", "time", "files"], &body)
}

pub(super) fn freeze(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = asked.visitor()?.person.id;
    if asked.form.get("cap").is_empty() {
        return Err(Refusal::Wrong("Preview the grades first.".to_string()));
    }
    let rules = sent_rules(&asked.form)?;
    let (source, event, standing) = source_of(asked, &asked.form);
    if !is_current(asked, source) {
        return Err(Refusal::Wrong(COMPUTING.to_string()));
    }
    let id = asked.database().transaction(|transaction| {
        let rows = rules.grades(&people::all(transaction)?, &standing);
        let id = grades::freeze(transaction, (event, person), &rules, &rows, &standing)?;
        audit::note(
            transaction,
            Some(person),
            "froze grades",
            &format!("copy {id}, {source}: {rules:?}"),
        )?;
        Ok::<_, rusqlite::Error>(id)
    })?;
    Ok(Reply::see(format!("/grades/{id}")))
}

/// Returns the frozen grades that the address names.
fn asked_for(asked: &Asked<'_>) -> Result<Frozen, Refusal> {
    let id = asked.number("copy")?;
    let found = asked.database().transaction(|transaction| grades::find(transaction, id))?;
    found.ok_or(Refusal::NotFound)
}

pub(super) fn show_frozen(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let frozen = asked_for(asked)?;
    let Rules { gate, reference, places, by_group, cap } = frozen.rules;
    let main = html! {
        p {
            "Frozen by " (name(&frozen.person)) " at " (moment(u64::try_from(frozen.at).unwrap_or_default())) ". Gate " (gate)
            ", each reference " (reference) ", first place " (places) (if by_group { " by group" } else { " by rank" })
            ", at most " (cap) "."
        }
        p {
            a href=(format!("/grades/{}/moodle.csv", frozen.id)) { "CSV for Moodle" } " "
            a href=(format!("/grades/{}/canvas.csv", frozen.id)) { "CSV for Canvas" }
        }
        (rows(&frozen.grades))
    };
    Ok(page(asked, &format!("Grades, copy {}", frozen.id), &main))
}

pub(super) fn moodle(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    file(asked, Form::Moodle, "moodle")
}

pub(super) fn canvas(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    file(asked, Form::Canvas, "canvas")
}

fn file(asked: &Asked<'_>, form: Form, name: &str) -> Result<Reply, Refusal> {
    let frozen = asked_for(asked)?;
    let bytes = grades::to_csv(&frozen.grades, &frozen.rules, form)
        .map_err(|error| Refusal::Host(format!("The file cannot be written: {error}.")))?;
    let disposition = format!("attachment; filename=\"grades-{}-{name}.csv\"", frozen.id);
    Ok(Reply::file("text/csv; charset=utf-8", bytes).with(header::CONTENT_DISPOSITION, disposition))
}
