//! The frame around every page: its head, the navigation, forms.

use super::reply::Reply;
use super::router::Asked;
use super::switcher::switcher;
use crate::people::Role;
use botyard_pages::pieces::name;
use botyard_protocol::printable;
use maud::{DOCTYPE, Markup, html};

/// Returns a page with this title and main part.
pub(crate) fn page(asked: &Asked<'_>, title: &str, main: &Markup) -> Reply {
    scripted_page(asked, title, main, None)
}

/// Returns a page with a script of the assets, without which it can be read too.
pub(crate) fn scripted_page(
    asked: &Asked<'_>,
    title: &str,
    main: &Markup,
    script: Option<&str>,
) -> Reply {
    let course = asked.course();
    let html = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (printable(title, 120)) " \u{2013} " (printable(course, 60)) }
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/assets/site.css";
                @if let Some(script) = script { script type="module" src=(script) {} }
            }
            body class="site" {
                a class="skip" href="#main" { "Skip to the content" }
                header class="brand" {
                    a class="course" href="/" {
                        img src="/assets/icon.svg" alt="" width="32" height="32";
                        span { (name(course)) }
                    }
                    button type="button" class="menu" popovertarget="menu" { "Menu" }
                }
                (navigation(asked))
                main class="report" id="main" tabindex="-1" {
                    h1 { (name(title)) }
                    (main)
                }
            }
        }
    };
    Reply::html(html.into_string())
}

/// The links of a group of the navigation: address, words, and the least role that sees it.
type Links = &'static [(&'static str, &'static str, Role)];

/// The pages of students, by group.
const STUDENT: [(&str, Links); 1] = [(
    "Event",
    &[
        ("/team", "My team", Role::Student),
        ("/rules", "Rules", Role::Guest),
        ("/standings", "Standings", Role::Guest),
        ("/practice", "Practice", Role::Student),
        ("/event", "Event", Role::Guest),
        ("/announcements", "Announcements", Role::Guest),
        ("/questions", "Questions", Role::Student),
        ("/my-grades", "My grades", Role::Student),
    ],
)];

/// The pages of the staff, by group.
const STAFF: [(&str, Links); 3] = [
    (
        "Event",
        &[
            ("/standings", "Standings", Role::Assistant),
            ("/event", "Event", Role::Assistant),
            ("/submissions", "Submissions", Role::Assistant),
            ("/deadline", "Deadline", Role::Assistant),
            ("/event#final", "Final", Role::Teacher),
            ("/rejudges", "Rejudges", Role::Assistant),
            ("/grades", "Grades", Role::Teacher),
        ],
    ),
    (
        "Course",
        &[
            ("/events", "Events", Role::Assistant),
            ("/roster", "Roster", Role::Assistant),
            ("/announcements", "Announcements", Role::Assistant),
            ("/questions", "Questions", Role::Assistant),
            ("/personal-data", "Personal data", Role::Assistant),
        ],
    ),
    (
        "Host",
        &[
            ("/desk", "Desk", Role::Assistant),
            ("/audit", "Audit", Role::Teacher),
            ("/settings", "Settings", Role::Teacher),
        ],
    ),
];

/// Returns the navigation: beside the page where there is room, and else a menu that opens over it.
fn navigation(asked: &Asked<'_>) -> Markup {
    let link = |address: &str, words: &Markup| {
        let current = (asked.path == address).then_some("page");
        html! { a href=(address) aria-current=[current] { (words) } }
    };
    let Some(visitor) = asked.visitor else {
        return html! {
            nav aria-label="Site" id="menu" popover {
                (link("/login", &html! { "Sign in" }))
                (link("/join", &html! { "Join with a code" }))
            }
        };
    };
    let role = visitor.person.role;
    let groups: &[(&str, Links)] = if role.is_staff() { &STAFF } else { &STUDENT };
    html! {
        nav aria-label="Site" id="menu" popover {
            (link("/", &html! { "Home" }))
            @for (number, (title, links)) in groups.iter().enumerate() {
                h2 { (title) }
                @if number == 0 { (switcher(asked)) }
                @for (address, words, least) in *links {
                    @if role >= *least { (link(address, &html! { (words) })) }
                }
            }
            div class="account" {
                (link("/account", &name(&visitor.person.name)))
                (form(asked, "/logout", &html! { button { "Sign out" } }))
            }
        }
    }
}

/// Returns a form that posts to an address, with the token of the session.
pub(crate) fn form(asked: &Asked<'_>, action: &str, content: &Markup) -> Markup {
    html! {
        form method="post" action=(action) {
            input type="hidden" name="token" value=(asked.form_token());
            (content)
        }
    }
}

/// Returns a labelled field of a form.
pub(crate) fn field(label: &str, name: &str, kind: &str, complete: &str, hint: &str) -> Markup {
    let described = format!("{name}-hint");
    html! {
        p class="field" {
            label for=(name) { (label) }
            input id=(name) name=(name) type=(kind) autocomplete=(complete) required
                aria-describedby=[(!hint.is_empty()).then_some(&described)];
            @if !hint.is_empty() { span class="note" id=(described) { (hint) } }
        }
    }
}

/// Returns a box with a message, a line each.
pub(crate) fn notice(text: &str) -> Markup {
    html! {
        div class="notice" role="status" {
            @for line in text.lines() { p { bdi { (printable(line, 1000)) } } }
        }
    }
}
