//! The frame around every page: its head, the navigation, forms.

use super::reply::Reply;
use super::router::Asked;
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
                link rel="stylesheet" href="/assets/site.css";
                @if let Some(script) = script { script type="module" src=(script) {} }
            }
            body {
                a class="skip" href="#main" { "Skip to the content" }
                header class="top" {
                    div class="names" { p class="course" { (name(course)) } h1 { (name(title)) } }
                    (navigation(asked))
                }
                main class="report" id="main" tabindex="-1" { (main) }
            }
        }
    };
    Reply::html(html.into_string())
}

fn navigation(asked: &Asked<'_>) -> Markup {
    let Some(visitor) = asked.visitor else {
        return html! { nav aria-label="Site" class="choices" { a href="/login" { "Sign in" } } };
    };
    let role = visitor.person.role;
    let links: [(&str, &str, bool); 11] = [
        ("/", "Home", true),
        ("/standings", "Standings", true),
        ("/event", "Event", true),
        ("/team", "My team", role == Role::Student),
        ("/practice", "Practice", role == Role::Student),
        ("/submissions", "Submissions", role.is_staff()),
        ("/desk", "Desk", role.is_staff()),
        ("/deadline", "Deadline", role.is_staff()),
        ("/roster", "Roster", role.is_staff()),
        ("/grades", "Grades", role >= Role::Teacher),
        ("/audit", "Audit", role >= Role::Teacher),
    ];
    html! {
        nav aria-label="Site" class="choices" {
            @for (address, words, is_shown) in links {
                @if is_shown {
                    a href=(address) aria-current=[(asked.path == address).then_some("page")] { (words) }
                }
            }
            a href="/account" aria-current=[(asked.path == "/account").then_some("page")] {
                (name(&visitor.person.name))
            }
            (form(asked, "/logout", &html! { button { "Sign out" } }))
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
