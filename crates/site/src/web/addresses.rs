//! The addresses of pages. Pages name each other by their paths within a class, as in `/standings`. What is sent names
//! them below the path at which the class is served, and within the competition whose page was asked for: here, and
//! nowhere else.

use axum::Router;
use axum::extract::Request;
use axum::http::Uri;
use std::sync::Arc;
use tower_service::Service;

/// The part of a path that names a competition: `/e/SLUG/standings`.
const EVENT: &str = "/e/";

/// What is the same in all competitions, or has a cookie of its own.
const SHARED: [&str; 4] = ["/assets/", "/e/", "/login", "/events"];

/// The attributes whose values are addresses, besides those that begin with `data-`.
const ATTRIBUTES: [&str; 4] = ["href", "action", "src", "formaction"];

/// Where a class is served.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mount {
    /// The path without a slash at its end; empty: the class has the whole host.
    base: Arc<str>,
    /// The part of the names of cookies that is the class's own.
    token: Arc<str>,
    /// The name of the competition that the address names.
    slug: Option<String>,
}

impl Mount {
    /// Returns where a class is served.
    pub(super) fn new(base: &str, token: &str) -> Mount {
        Mount { base: base.into(), token: token.into(), slug: None }
    }

    /// Returns the name of the competition that the address names.
    pub(super) fn slug(&self) -> Option<&str> {
        self.slug.as_deref()
    }

    /// Returns a path of a page of the class as it is sent.
    pub(crate) fn path(&self, path: &str) -> String {
        let base = &self.base;
        match &self.slug {
            Some(slug) if !is_shared(path) => format!("{base}{EVENT}{slug}{path}"),
            _ => format!("{base}{path}"),
        }
    }

    /// Returns the name of a cookie of the class.
    pub(super) fn cookie(&self, name: &str) -> String {
        format!("{name}_{}", self.token)
    }

    /// Returns what a cookie that is set is to be: with the name and the path of the class.
    pub(super) fn set_cookie(&self, cookie: &str) -> String {
        let (name, rest) = cookie.split_once('=').unwrap_or((cookie, ""));
        let path = format!("; Path={}/", self.base);
        format!("{}={}", self.cookie(name), rest.replacen("; Path=/", &path, 1))
    }

    /// Returns a page, or a part of one in JSON, with its addresses as they are sent.
    pub(super) fn markup(&self, text: &str) -> String {
        if self.base.is_empty() && self.slug.is_none() {
            return text.to_string();
        }
        let mut sent = String::with_capacity(text.len() + text.len() / 8);
        let mut rest = text;
        while let Some(at) = rest.find("\"/") {
            let (before, value) = rest.split_at(at + 1);
            sent.push_str(before);
            let opening = before.strip_suffix('"').unwrap_or(before);
            let opening = opening.strip_suffix('\\').unwrap_or(opening);
            let is_address = opening.strip_suffix('=').is_some_and(ends_with_attribute);
            // What follows two slashes is another host.
            if is_address && !value.starts_with("//") {
                let end = value.find(['"', '\\']).unwrap_or(value.len());
                sent.push_str(&self.path(&value[..end]));
                rest = &value[end..];
            } else {
                sent.push('/');
                rest = &value[1..];
            }
        }
        sent.push_str(rest);
        sent
    }
}

fn is_shared(path: &str) -> bool {
    SHARED.iter().any(|shared| match shared.strip_suffix('/') {
        Some(directory) => path.starts_with(shared) || path == directory,
        None => {
            path == *shared
                || path.starts_with(&format!("{shared}/"))
                || path.starts_with(&format!("{shared}?"))
        }
    })
}

/// Returns whether a text ends with the name of an attribute that has an address.
fn ends_with_attribute(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let start = text.rfind(|c| !is_part(c)).map_or(0, |at| at + 1);
    let name = &text[start..];
    ATTRIBUTES.contains(&name) || name.starts_with("data-")
}

/// Returns a router that answers at a path: it takes the path, and the name of a competition, from the address of each
/// request before `inner` has it.
pub(super) fn mounted(inner: Router, mount: Mount) -> Router {
    Router::new().fallback(move |mut request: Request| {
        let (mut inner, mut mount) = (inner.clone(), mount.clone());
        async move {
            let uri = request.uri();
            let path = uri.path().strip_prefix(&*mount.base).unwrap_or(uri.path());
            let (slug, path) = match path.strip_prefix(EVENT) {
                Some(rest) => match rest.split_once('/') {
                    Some((slug, _)) => (Some(slug), &rest[slug.len()..]),
                    None => (Some(rest), "/"),
                },
                None => (None, path),
            };
            let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
            let inner_uri = format!("{path}{query}").parse::<Uri>();
            mount.slug = slug.map(String::from);
            if let Ok(inner_uri) = inner_uri {
                *request.uri_mut() = inner_uri;
            }
            request.extensions_mut().insert(mount);
            inner.call(request).await
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_sent_below_the_path_of_the_class_and_within_the_competition() {
        let mut mount = Mount::new("/ai", "f00");
        let page = r#"<a href="/team">x</a><p title="/team">="/team</p><img src="//host/x">"#;
        let sent = r#"<a href="/ai/team">x</a><p title="/team">="/team</p><img src="//host/x">"#;
        assert_eq!(mount.markup(page), sent);
        mount.slug = Some("cup".into());
        assert_eq!(
            mount.markup(r#"{"rows":"<a href=\"/team\">"}"#),
            r#"{"rows":"<a href=\"/ai/e/cup/team\">"}"#
        );
        assert_eq!(
            mount.markup(r#"<p data-events="/standings/events">"#),
            r#"<p data-events="/ai/e/cup/standings/events">"#
        );
        assert_eq!(mount.path("/"), "/ai/e/cup/");
        for shared in ["/assets/site.css", "/e/other/standings", "/login", "/events", "/events/3"] {
            assert_eq!(mount.path(shared), format!("/ai{shared}"));
        }
        assert_eq!(Mount::default().markup(page), page);
    }

    #[test]
    fn cookies_have_the_name_and_the_path_of_the_class() {
        let mount = Mount::new("/ai", "f00");
        assert_eq!(
            mount.set_cookie("session=1; Path=/; HttpOnly"),
            "session_f00=1; Path=/ai/; HttpOnly"
        );
        let root = Mount::new("", "f00");
        assert_eq!(root.set_cookie("browser=1; Path=/login"), "browser_f00=1; Path=/login");
    }
}
