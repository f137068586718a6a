//! Grades, for teachers: a preview by rules, points by hand, frozen copies, their release, and files for grade books.

mod own;
mod points;

pub(super) use own::show as show_own;
pub(super) use points::{give, withdraw};

use super::deadline::{sent_reason, zone_hint};
use crate::competition::grades::{self, Basis, Form, Frozen, Grade, Late, LateKind, Rules};
use crate::competition::ladder::Standing;
use crate::people::{self, audit};
use crate::web::{Asked, Fields, Refusal, Reply, field, form, notice, page};
use axum::http::{StatusCode, header};
use botyard_pages::pieces::{cell, moment, name, plain, row_name, table, text};
use botyard_protocol::printable;
use botyard_runner::words::counted;
use maud::{Markup, html};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most points that a rule may give.
const MOST: f64 = 10_000.0;

/// What the name of a field with the points for one reference begins with.
const REFERENCE: &str = "reference:";

/// Returns the rules before any are sent: those of the newest copy.
fn first_rules(frozen: &[Frozen]) -> Rules {
    frozen.first().map_or_else(
        || Rules {
            gate: 40.0,
            reference: 10.0,
            references: BTreeMap::new(),
            places: 40.0,
            by_group: true,
            cap: 100.0,
            late: None,
        },
        |newest| newest.rules.clone(),
    )
}

/// Returns points in a form or an address.
fn sent_points(value: &str, label: &str, least: f64) -> Result<f64, Refusal> {
    let number = value.parse().ok().filter(|number| (least..=MOST).contains(number));
    number.ok_or_else(|| {
        Refusal::Wrong(format!(
            "Expected points from {least} to {MOST} in {label}, got {:?}.",
            printable(value, 40)
        ))
    })
}

/// Returns the rules in a form or an address; `None` if it has none.
fn sent_rules(asked: &Asked<'_>, fields: &Fields) -> Result<Option<Rules>, Refusal> {
    if fields.get("cap").is_empty() {
        return Ok(None);
    }
    let points = |field: &str| sent_points(fields.get(field), field, 0.0);
    let mut references = BTreeMap::new();
    for name in references_of(asked) {
        let sent = fields.get(&format!("{REFERENCE}{name}"));
        if !sent.is_empty() {
            let points =
                sent_points(sent, &format!("the points for {}", printable(&name, 60)), 0.0)?;
            references.insert(name, points);
        }
    }
    Ok(Some(Rules {
        gate: points("gate")?,
        reference: points("reference")?,
        references,
        places: points("places")?,
        by_group: fields.get("by") == "group",
        cap: points("cap")?,
        late: sent_late(asked, fields)?,
    }))
}

fn sent_late(asked: &Asked<'_>, fields: &Fields) -> Result<Option<Late>, Refusal> {
    let kind = match fields.get("late") {
        "points" => LateKind::Points,
        "percent" => LateKind::Percent,
        "cap" => LateKind::Cap,
        _ => return Ok(None),
    };
    let due = match fields.get("due") {
        "" => None,
        sent => Some(asked.site.class.zone.moment(sent).map_err(Refusal::Wrong)?),
    };
    let amount = sent_points(fields.get("late-amount"), "the loss of late versions", 0.0)?;
    Ok(Some(Late { kind, amount, due, extensions: fields.get("extensions") == "yes" }))
}

/// Returns the names of the references.
fn references_of(asked: &Asked<'_>) -> Vec<String> {
    asked.competition().event.setup.bots.iter().map(|bot| bot.name.clone()).collect()
}

/// Returns the fields of a form or an address that state the rules.
fn rules_as_fields(asked: &Asked<'_>, rules: &Rules) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = [
        ("gate", rules.gate.to_string()),
        ("reference", rules.reference.to_string()),
        ("places", rules.places.to_string()),
        ("by", if rules.by_group { "group".into() } else { "place".into() }),
        ("cap", rules.cap.to_string()),
    ]
    .map(|(name, value)| (name.to_string(), value))
    .into();
    let references = rules
        .references
        .iter()
        .map(|(name, points)| (format!("{REFERENCE}{name}"), points.to_string()));
    fields.extend(references);
    if let Some(late) = &rules.late {
        let kind = match late.kind {
            LateKind::Points => "points",
            LateKind::Percent => "percent",
            LateKind::Cap => "cap",
        };
        let due = late.due.map_or(String::new(), |due| asked.site.class.zone.field(due));
        fields.extend([
            ("late".to_string(), kind.to_string()),
            ("late-amount".to_string(), late.amount.to_string()),
            ("due".to_string(), due),
            ("extensions".to_string(), if late.extensions { "yes" } else { "no" }.to_string()),
        ]);
    }
    fields
}

/// What is shown while [`is_current`] is false.
const COMPUTING: &str = "The standings are being computed. Try again in a few seconds.";

/// Returns whether the standings that grades follow from have all games: those of a final, which does not
/// change any more, or those of a ladder that is being played.
fn is_current(asked: &Asked<'_>, source: &str) -> bool {
    let competition = &asked.competition();
    if source == "final" { competition.is_current() } else { competition.boards().is_computed() }
}

/// Returns which standings grades follow from: those of the final, if there is one and the form does not
/// name the ladder; the event of their games; and the standings.
fn source_of(asked: &Asked<'_>, fields: &Fields) -> (&'static str, i64, Arc<Standing>) {
    let boards = asked.competition().boards();
    match &boards.round {
        Some(round) if fields.get("games") != "ladder" => {
            ("final", round.state.event.id, Arc::clone(&round.board.standing))
        }
        _ => ("ladder", asked.competition().event.id, Arc::clone(&boards.ladder)),
    }
}

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    shown(asked, None)
}

/// Returns the page, with the refusal of what was sent to it.
fn shown(asked: &Asked<'_>, refusal: Option<&str>) -> Result<Reply, Refusal> {
    let (source, _, standing) = source_of(asked, &asked.query);
    let has_final = asked.competition().boards().round.is_some();
    let sent = sent_rules(asked, &asked.query);
    let event = asked.competition().event.id;
    let (people, mut frozen, given, preview) = asked.database().transaction(|transaction| {
        let (people, frozen) = (people::all(transaction)?, grades::all(transaction)?);
        let basis = Basis::read(transaction, event, (&people, &standing))?;
        let preview = match &sent {
            Ok(Some(rules)) => Some((rules.clone(), rules.grades(&basis))),
            Ok(None) => {
                let rules = first_rules(&frozen);
                let grades = rules.grades(&basis);
                Some((rules, grades))
            }
            Err(_) => None,
        };
        let given = grades::given(transaction, event)?;
        Ok::<_, rusqlite::Error>((people, frozen, given, preview))
    })?;
    // The rules of a copy of another event are the first ones here, and its grades are not here.
    frozen.retain(|copy| copy.competition == asked.competition().id);
    // What was typed stays in the fields, whether it is accepted or not.
    let fields = match &preview {
        Some((rules, _)) => rules_as_fields(asked, rules),
        None => typed_fields(asked),
    };
    let wrong = sent.as_ref().err().map(|refusal| refusal.described().2.to_string());
    let main = html! {
        @for refusal in refusal.into_iter().chain(wrong.as_deref()) { (notice(refusal)) }
        section aria-labelledby="rules" {
            h2 id="rules" { "Rules" }
            p class="note" {
                "A version beats a reference if the interval of its share against it is above one half. By group, "
                "bots that are not separated from a better place get the points of that place. A version is late by "
                "the time at which it was submitted. Points by hand are added last."
            }
            form method="get" action="/grades" {
                (rule_fields(asked, &fields))
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
        (points::section(asked, &given, &people))
        @if let Some((_, preview)) = &preview {
            section aria-labelledby="preview" {
                h2 id="preview" { "Preview, by the standings of the " (source) " as of " (moment(u64::try_from(standing.at).unwrap_or_default())) }
                @if !is_current(asked, source) { (notice(COMPUTING)) }
                (rows(preview))
                (form(asked, "/grades", &html! {
                    @for (field, value) in &fields { input type="hidden" name=(field) value=(value); }
                    input type="hidden" name="games" value=(source);
                    p { button { "Freeze these grades" } }
                }))
            }
        }
        section aria-labelledby="frozen" {
            h2 id="frozen" { "Frozen grades" }
            @if frozen.is_empty() { p { "None yet. Frozen grades never change." } } @else { (frozen_rows(&frozen)) }
        }
    };
    let reply = page(asked, "Grades", &main);
    Ok(if refusal.is_some() || sent.is_err() {
        reply.status(StatusCode::BAD_REQUEST)
    } else {
        reply
    })
}

/// Returns the fields of the rules as they were typed.
fn typed_fields(asked: &Asked<'_>) -> Vec<(String, String)> {
    let names =
        ["gate", "reference", "places", "by", "cap", "late", "late-amount", "due", "extensions"];
    let references = references_of(asked).into_iter().map(|name| format!("{REFERENCE}{name}"));
    let names = names.map(String::from).into_iter().chain(references);
    names.map(|name| (name.clone(), asked.query.get(&name).to_string())).collect()
}

fn rule_fields(asked: &Asked<'_>, fields: &[(String, String)]) -> Markup {
    let value = |field: &str| {
        let found = fields.iter().find(|(name, _)| name == field);
        found.map_or("", |(_, value)| value.as_str())
    };
    let input = |id: &str, field: &str, label: &Markup, required: bool| {
        html! {
            p class="field" {
                label for=(id) { (label) }
                input id=(id) name=(field) type="number" min="0" step="any" required[required] value=(value(field));
            }
        }
    };
    let points = |field: &str, label: &Markup, required: bool| input(field, field, label, required);
    html! {
        (points("gate", &html! { "Points for passing the gate" }, true))
        (points("reference", &html! { "Points for each reference that is beaten" }, true))
        @for (number, reference) in references_of(asked).iter().enumerate() {
            (input(
                &format!("reference-{number}"),
                &format!("{REFERENCE}{reference}"),
                &html! { "Points for " (name(reference)) ", if others" },
                false,
            ))
        }
        (points("places", &html! { "Points for the first place; the last one has none" }, true))
        p class="field" {
            label for="by" { "Places" }
            select id="by" name="by" {
                option value="group" selected[value("by") != "place"] { "by group: the best place that is not excluded" }
                option value="place" selected[value("by") == "place"] { "by rank" }
            }
        }
        (points("cap", &html! { "Most points of these rules" }, true))
        p class="field" {
            label for="late" { "Late versions" }
            select id="late" name="late" {
                option value="" { "lose nothing" }
                @for (kind, words) in [
                    ("points", "lose points for each started day"),
                    ("percent", "lose percent of their points for each started day"),
                    ("cap", "have at most these points"),
                ] { option value=(kind) selected[value("late") == kind] { (words) } }
            }
        }
        (points("late-amount", &html! { "Points or percent" }, false))
        p class="field" {
            label for="due" { "Late after; empty for the deadline of all teams" }
            input id="due" name="due" type="datetime-local" value=(value("due")) aria-describedby="due-zone";
            (zone_hint(asked, "due-zone"))
        }
        p class="field" {
            label for="extensions" { "A team with an extension" }
            select id="extensions" name="extensions" {
                option value="yes" selected[value("extensions") != "no"] { "is late after its extension" }
                option value="no" selected[value("extensions") == "no"] { "is late as all others" }
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
                (plain("students", if one.is_released { "see it" } else { "do not see it" }))
                (cell("files", &html! {
                    a href=(format!("/grades/{}/moodle.csv", one.id)) { "Moodle" } " "
                    a href=(format!("/grades/{}/canvas.csv", one.id)) { "Canvas" }
                }))
            }
        }
    };
    table("The newest first", &["copy", "by", "time", "students", "files"], &body)
}

pub(super) fn freeze(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = asked.visitor()?.person.id;
    let Some(rules) = sent_rules(asked, &asked.form)? else {
        return Err(Refusal::Wrong("Preview the grades first.".to_string()));
    };
    let (source, event, standing) = source_of(asked, &asked.form);
    if !is_current(asked, source) {
        return Err(Refusal::Wrong(COMPUTING.to_string()));
    }
    let ladder = asked.competition().event.id;
    let id = asked.database().transaction(|transaction| {
        let people = people::all(transaction)?;
        let rows = rules.grades(&Basis::read(transaction, ladder, (&people, &standing))?);
        let id = grades::freeze(transaction, (event, person), &rules, &rows, &standing)?;
        let students = counted(rows.len() as u64, "student");
        let detail = format!("{students}, by the games of the {source}: {}", rules.in_words());
        audit::about(transaction, Some(person), ("froze grades", &copy(id)), &detail)?;
        Ok::<_, rusqlite::Error>(id)
    })?;
    Ok(Reply::see(format!("/grades/{id}")))
}

/// Returns what the audit calls a copy.
fn copy(id: i64) -> String {
    format!("copy {id}")
}

/// Lets students see a copy, or no longer.
pub(super) fn release(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = asked.visitor()?.person.id;
    let frozen = asked_for(asked)?;
    let (is_released, what) = match asked.form.get("release") {
        "yes" => (true, "released grades"),
        "no" => (false, "hid grades"),
        _ => return Err(Refusal::Wrong("Expected the grades to be shown or hidden.".to_string())),
    };
    let reason = sent_reason(asked)?;
    let states = ["hidden from students", "shown to students"];
    let word = |is_released: bool| states[usize::from(is_released)];
    let detail = format!("from {} to {}: {reason}", word(frozen.is_released), word(is_released));
    asked.database().transaction(|transaction| {
        grades::release(transaction, (frozen.id, is_released), &reason, person)?;
        audit::about(transaction, Some(person), (what, &copy(frozen.id)), &detail)
    })?;
    Ok(Reply::see(format!("/grades/{}", frozen.id)))
}

/// Returns the frozen grades that the address names.
fn asked_for(asked: &Asked<'_>) -> Result<Frozen, Refusal> {
    let id = asked.number("copy")?;
    let found = asked.database().transaction(|transaction| grades::find(transaction, id))?;
    found.ok_or(Refusal::NotFound)
}

pub(super) fn show_frozen(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let frozen = asked_for(asked)?;
    let event = title_of(asked, &frozen).map_or(String::new(), |event| format!(" of {event}"));
    let main = html! {
        p { a href="/grades" { "All grades" } }
        p {
            "Frozen by " (name(&frozen.person)) " at " (moment(u64::try_from(frozen.at).unwrap_or_default())) ". "
            "Rules: " (printable(&frozen.rules.in_words(), 2000)) "."
        }
        (release_form(asked, &frozen))
        p {
            a href=(format!("/grades/{}/moodle.csv", frozen.id)) { "CSV for Moodle" } " "
            a href=(format!("/grades/{}/canvas.csv", frozen.id)) { "CSV for Canvas" }
        }
        (rows(&frozen.grades))
    };
    Ok(page(asked, &format!("Grades{event}, copy {}", frozen.id), &main))
}

/// Returns the title of the event whose grades these are.
fn title_of(asked: &Asked<'_>, frozen: &Frozen) -> Option<String> {
    asked.site.competitions.find(frozen.competition).map(|competition| competition.title())
}

fn release_form(asked: &Asked<'_>, frozen: &Frozen) -> Markup {
    let (state, value, words) = match frozen.is_released {
        true => ("Every student sees their own row.", "no", "Hide them from students"),
        false => ("No student sees them.", "yes", "Show students their own row"),
    };
    html! {
        section aria-labelledby="release" {
            h2 id="release" { "Release" }
            p { (state) " Of several copies that are released, students see the newest." }
            (form(asked, &format!("/grades/{}/release", frozen.id), &html! {
                (field("Reason", "reason", "text", "off", ""))
                p { button name="release" value=(value) { (words) } }
            }))
        }
    }
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
