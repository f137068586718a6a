//! The choice between the events of a course, in the navigation.

use super::router::Asked;
use crate::competition::Competition;
use botyard_pages::pieces::name;
use maud::{Markup, html};
use std::sync::Arc;

/// Returns the competitions that a visitor can choose between, each with whether the page is about it; nothing if
/// there is one alone.
pub(crate) fn events_of(asked: &Asked<'_>) -> Vec<(Arc<Competition>, bool)> {
    let shown = asked.site.competitions.shown();
    if shown.len() < 2 {
        return Vec::new();
    }
    let is_current = |one: &Arc<Competition>| one.id == asked.competition().id;
    shown.into_iter().map(|one| (Arc::clone(&one), is_current(&one))).collect()
}

/// Returns the choice between the events of the course; nothing if there is one alone.
pub(crate) fn switcher(asked: &Asked<'_>) -> Markup {
    let events = events_of(asked);
    html! {
        @if !events.is_empty() {
            p class="events" {
                @for (one, is_current) in &events {
                    a href=(format!("/e/{}/event", one.about().slug)) aria-current=[is_current.then_some("true")] { (name(&one.title())) }
                    " "
                }
            }
        }
    }
}
