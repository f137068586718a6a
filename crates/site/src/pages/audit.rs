//! The audit, for teachers: found by text, person, kind and dates, in pages and as a file.

use crate::competition::grades::spreadsheet_cell;
use crate::people::audit::{self, Entry, Search};
use crate::web::{Asked, Refusal, Reply, page};
use axum::http::header;
use botyard_pages::pieces::{cell, moment, moment_text, name, table, text};
use botyard_protocol::printable;
use maud::{Markup, html};

/// The entries of a page.
const PAGE: u64 = 100;

/// The most entries of a file.
const FILE: u64 = 1_000_000;

/// The fields of a search, which links between its pages keep.
const FIELDS: [&str; 5] = ["text", "person", "what", "from", "until"];

/// Returns what is searched.
fn sent(asked: &Asked<'_>) -> Result<Search, Refusal> {
    let query = &asked.query;
    // Whole days: from the begin of the first to the end of the last.
    let day = |field: &str, after: i64| match query.get(field) {
        "" => Ok(None),
        sent => {
            let begin = asked.site.class.zone.moment(&format!("{sent}T00:00"));
            begin.map(|begin| Some(begin + after)).map_err(|_| {
                Refusal::Wrong(format!(
                    "Expected a date as in 2026-12-01, got {:?}.",
                    printable(sent, 60)
                ))
            })
        }
    };
    Ok(Search {
        text: query.get("text").to_string(),
        what: query.get("what").to_string(),
        person: query.get("person").parse().ok(),
        from: day("from", 0)?,
        until: day("until", 24 * 3600)?,
    })
}

/// Returns an address with the search of this page.
fn address(asked: &Asked<'_>, path: &str, number: Option<u64>) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for field in FIELDS {
        let value = asked.query.get(field);
        if !value.is_empty() {
            query.append_pair(field, value);
        }
    }
    if let Some(number) = number {
        query.append_pair("page", &number.to_string());
    }
    format!("{path}?{}", query.finish())
}

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let search = sent(asked)?;
    let number = asked.query.get("page").parse::<u64>().unwrap_or(1).clamp(1, u64::from(u32::MAX));
    let (entries, count, kinds, people) = asked.database().transaction(|transaction| {
        Ok::<_, rusqlite::Error>((
            audit::found(transaction, &search, (PAGE * (number - 1), PAGE))?,
            audit::count(transaction, &search)?,
            audit::kinds(transaction)?,
            audit::people(transaction)?,
        ))
    })?;
    let last = count.div_ceil(PAGE).max(1);
    let main = html! {
        (search_form(asked, &kinds, &people))
        p {
            @if count == 1 { "1 entry. " } @else { (count) " entries, the newest first. " }
            a href=(address(asked, "/audit.csv", None)) { "CSV" }
        }
        (rows(&entries))
        @if last > 1 {
            nav aria-label="Pages" class="choices" {
                @if number > 1 { a href=(address(asked, "/audit", Some(number - 1))) { "Newer" } }
                span { "page " (number) " of " (last) }
                @if number < last { a href=(address(asked, "/audit", Some(number + 1))) { "Older" } }
            }
        }
    };
    Ok(page(asked, "Audit", &main))
}

fn search_form(asked: &Asked<'_>, kinds: &[String], people: &[(i64, String)]) -> Markup {
    let query = &asked.query;
    let person = query.get("person");
    html! {
        form method="get" action="/audit" class="filters" {
            label { "Text " input name="text" type="search" value=(query.get("text")); }
            label { "Who " select name="person" {
                option value="" { "anyone" }
                option value="0" selected[person == "0"] { "the site" }
                @for (id, called) in people {
                    option value=(id) selected[person == id.to_string()] { (printable(called, 60)) }
                }
            } }
            label { "What " select name="what" {
                option value="" { "anything" }
                @for kind in kinds {
                    option value=(kind) selected[query.get("what") == kind] { (printable(kind, 60)) }
                }
            } }
            label { "From " input name="from" type="date" value=(query.get("from")); }
            label { "To " input name="until" type="date" value=(query.get("until")); }
            button { "Search" }
        }
    }
}

fn rows(entries: &[Entry]) -> Markup {
    let body = html! {
        @for entry in entries {
            tr role="row" {
                (cell("time", &moment(u64::try_from(entry.at).unwrap_or_default())))
                (cell("who", &name(entry.who.as_deref().unwrap_or("the site"))))
                (cell("what", &text(&entry.what, 100)))
                (cell("about", &text(&entry.subject, 100)))
                (cell("detail", &text(&entry.detail, 2000)))
            }
        }
    };
    table("What was done", &["time", "who", "what", "about", "detail"], &body)
}

pub(super) fn download(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let search = sent(asked)?;
    let entries = asked
        .database()
        .transaction(|transaction| audit::found(transaction, &search, (0, FILE)))?;
    let failed = |error: csv::Error| Refusal::Host(format!("The file cannot be written: {error}."));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["time", "who", "what", "about", "detail"]).map_err(failed)?;
    for entry in &entries {
        let time = moment_text(u64::try_from(entry.at).unwrap_or_default());
        let who = entry.who.as_deref().unwrap_or("the site");
        let cells = [&time, who, &entry.what, &entry.subject, &entry.detail].map(spreadsheet_cell);
        writer.write_record(&cells).map_err(failed)?;
    }
    let bytes = writer.into_inner().map_err(|error| failed(error.into_error().into()))?;
    Ok(Reply::file("text/csv; charset=utf-8", bytes)
        .with(header::CONTENT_DISPOSITION, "attachment; filename=\"audit.csv\""))
}
