//! The settings of the course: its time zone.

use super::deadline::sent_reason;
use crate::files::zone;
use crate::people::audit;
use crate::web::{Asked, Refusal, Reply, field, form, notice, page};
use botyard_pages::pieces::{fact, moment};
use botyard_protocol::printable;
use maud::{Markup, html};

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    shown(asked, None)
}

fn shown(asked: &Asked<'_>, refusal: Option<&str>) -> Result<Reply, Refusal> {
    let main = html! {
        @if let Some(refusal) = refusal { (notice(refusal)) }
        (time_zone(asked))
        p { a href="/mail" { "Email that the site sends" } }
    };
    Ok(page(asked, "Settings", &main))
}

fn time_zone(asked: &Asked<'_>) -> Markup {
    let current = asked.site.class.zone.name();
    let sent = asked.form.get("zone");
    let shown = if sent.is_empty() { current.as_str() } else { sent };
    html! {
        section aria-labelledby="zone-title" {
            h2 id="zone-title" { "Time zone" }
            dl class="facts" {
                (fact("zone", &html! { (printable(&current, 60)) }))
                (fact("now", &moment(crate::files::now().unsigned_abs())))
            }
            p class="note" { "All pages show times in it, and forms take times of it. Deadlines that are set stay the moments that they are." }
            (form(asked, "/settings/zone", &html! {
                p class="field" {
                    label for="zone" { "Time zone" }
                    input id="zone" name="zone" list="zones" autocomplete="off" required value=(shown)
                        aria-describedby="zone-hint";
                    span class="note" id="zone-hint" { "its IANA name, as in Europe/Berlin; UTC for none" }
                    datalist id="zones" { @for name in zone::names() { option value=(name) {} } }
                }
                (field("Reason", "reason", "text", "off", ""))
                p { button { "Set the time zone" } }
            }))
        }
    }
}

pub(super) fn set_zone(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = asked.visitor()?.person.id;
    let sent = asked.form.get("zone");
    let found = zone::known(sent);
    let Some((zone, name)) =
        found.and_then(|it| it.iana_name().map(String::from).map(|name| (it, name)))
    else {
        let why = format!(
            "Expected the IANA name of a time zone, as in Europe/Berlin, got {:?}.",
            printable(sent, 60)
        );
        return Ok(shown(asked, Some(&why))?.status(axum::http::StatusCode::BAD_REQUEST));
    };
    let reason = sent_reason(asked)?;
    asked.database().transaction(|transaction| {
        let before = zone::stored(transaction)?;
        zone::set(transaction, &name, &reason, person)?;
        let detail = format!("from {before} to {name}: {reason}");
        audit::about(transaction, Some(person), ("changed the time zone", "the course"), &detail)
    })?;
    asked.site.class.zone.change(zone);
    Ok(Reply::see("/settings"))
}
