//! Join codes: slips of paper with the address and a code to scan, a file for a mail merge, and new codes.

use super::roster;
use crate::files::secrets;
use crate::people::{self, Person, audit};
use crate::web::{Asked, Refusal, Reply, notice, page};
use axum::http::header;
use botyard_pages::pieces::name;
use botyard_runner::words::counted;
use maud::{Markup, html};
use qrcode::{Color, EcLevel, QrCode};

/// Returns the people whom the visitor may give codes, with the codes that were not used.
fn open(asked: &Asked<'_>) -> Result<Vec<(Person, String)>, Refusal> {
    let role = asked.visitor()?.person.role;
    let people = asked.database().transaction(people::all)?;
    let people = people.into_iter().filter(|person| role.may_admit(person.role));
    Ok(people.filter_map(|person| person.join_code.clone().map(|code| (person, code))).collect())
}

/// Returns the address at which a code is entered.
fn address(asked: &Asked<'_>, code: &str) -> String {
    asked.via.whole_address(&format!("/join?code={code}"))
}

/// Shows the codes that were not used, one slip of paper each.
pub(super) fn slips(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let slips = open(asked)?;
    let main = html! {
        p class="screen" {
            (counted(slips.len() as u64, "code")) " to print and cut. Each works once, on the page "
            code { "/join" } " of this site. Give every slip to its person alone. For a mail merge: "
            a href="/roster/codes.csv" { "the codes as a file" } "."
        }
        ul class="slips" {
            @for (person, code) in &slips {
                li {
                    p { strong { (name(&person.name)) } " " (name(person.student_id.as_deref().unwrap_or_default())) }
                    @if let Some(team) = &person.team_name { p { "team " (name(team)) } }
                    p class="code" { (code) }
                    (picture(&address(asked, code)))
                    p class="note" {
                        (name(asked.course())) ": open " (name(&format!("{}/join", asked.via.host)))
                        " or scan the picture, enter the code, choose a password"
                    }
                }
            }
        }
    };
    Ok(page(asked, "Join codes", &main))
}

/// Returns a QR code of a text, as a drawing; nothing for a text that is too long.
fn picture(text: &str) -> Markup {
    /// The light border that scanners need, in modules.
    const BORDER: usize = 4;
    let Ok(code) = QrCode::with_error_correction_level(text, EcLevel::M) else { return html! {} };
    let (width, mut path) = (code.width(), String::new());
    for (at, color) in code.to_colors().into_iter().enumerate() {
        if color == Color::Dark {
            path.push_str(&format!("M{} {}h1v1h-1z", at % width + BORDER, at / width + BORDER));
        }
    }
    let size = width + 2 * BORDER;
    html! {
        svg class="qr" viewBox=(format!("0 0 {size} {size}")) width="120" height="120" role="img"
            aria-label="QR code of the address" shape-rendering="crispEdges" {
            rect width=(size) height=(size) fill="#fff" {}
            path d=(path) fill="#000" {}
        }
    }
}

/// Returns the codes that were not used as a file for a mail merge.
pub(super) fn file(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let failed = |error: csv::Error| Refusal::Host(format!("The file cannot be written: {error}."));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer
        .write_record(["name", "email", "student_id", "group", "team", "role", "code", "address"])
        .map_err(failed)?;
    let open = open(asked)?;
    for (person, code) in &open {
        let cells = [
            person.name.as_str(),
            &person.email,
            person.student_id.as_deref().unwrap_or_default(),
            &person.section,
            person.team_name.as_deref().unwrap_or_default(),
            person.role.as_str(),
            code,
            &address(asked, code),
        ];
        writer.write_record(cells.map(harmless)).map_err(failed)?;
    }
    let bytes = writer.into_inner().map_err(|error| failed(error.into_error().into()))?;
    let visitor = asked.visitor()?.person.id;
    let detail = counted(open.len() as u64, "code");
    asked.database().transaction(|transaction| {
        audit::note(transaction, Some(visitor), "exported join codes", &detail)
    })?;
    Ok(Reply::file("text/csv; charset=utf-8", bytes)
        .with(header::CONTENT_DISPOSITION, "attachment; filename=\"join-codes.csv\""))
}

/// Returns a value that no spreadsheet takes for a formula.
pub(super) fn harmless(value: &str) -> String {
    let is_formula = value.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if is_formula { format!("'{value}") } else { value.to_string() }
}

/// Gives a person a new code, with which the person chooses a new password.
pub(super) fn renew(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let visitor = &asked.visitor()?.person;
    let id = asked.number("person")?;
    let code = secrets::join_code()?;
    let person = asked.database().transaction(|transaction| {
        let person = people::find(transaction, id)?.filter(|person| !person.is_removed);
        let person = person.ok_or(Refusal::NotFound)?;
        if !visitor.role.may_admit(person.role) || person.student_id.is_none() {
            return Err(Refusal::Forbidden(format!(
                "A code is as good as a password, and the role {} may not give one to the role {}.",
                visitor.role, person.role
            )));
        }
        people::renew_code(transaction, id, &code)?;
        audit::note(transaction, Some(visitor.id), "gave a new join code", &person.name)?;
        Ok(person)
    })?;
    asked.site.people.check_sessions();
    let words = format!(
        "The new join code of {} is {code}. The old password no longer works.",
        person.name
    );
    roster::shown(asked, &notice(&words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_a_border_and_no_value_is_a_formula() {
        let drawn = picture("https://class.example.org/join?code=7Q3M-X2AB-K9TD").into_string();
        assert!(
            drawn.contains("viewBox=\"0 0 41 41\"") && drawn.contains("M4 4h1v1h-1z"),
            "{drawn}"
        );
        assert_eq!(picture(&"x".repeat(5000)).into_string(), "");
        assert_eq!((harmless("=1+1"), harmless("Anna")), ("'=1+1".to_string(), "Anna".to_string()));
    }
}
