//! The audit, for teachers.

use crate::people::audit;
use crate::web::{Asked, Refusal, Reply, page};
use botyard_pages::pieces::{cell, moment, name, table, text};
use maud::html;

/// The most entries on the page.
const MOST: u32 = 500;

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let entries = asked.database().transaction(|transaction| audit::newest(transaction, MOST))?;
    let body = html! {
        @for entry in &entries {
            tr role="row" {
                (cell("time", &moment(u64::try_from(entry.at).unwrap_or_default())))
                (cell("who", &name(entry.who.as_deref().unwrap_or("the site"))))
                (cell("what", &text(&entry.what, 100)))
                (cell("detail", &text(&entry.detail, 400)))
            }
        }
    };
    let main = html! {
        p { "The newest " (MOST) " entries, the newest first." }
        (table("What was done", &["time", "who", "what", "detail"], &body))
    };
    Ok(page(asked, "Audit", &main))
}
