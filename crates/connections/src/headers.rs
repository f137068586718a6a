//! Headers of requests that decide what a request may do, or what it receives.

use axum::http::{HeaderMap, HeaderName, header};

/// Returns whether a request comes from a page of this server, at an address with one of these schemes. Browsers say
/// where a form or a script is from; other programs need not, and have no cookie that another site could use.
pub fn is_own_origin(headers: &HeaderMap, schemes: &[&str]) -> bool {
    // A value that is no text is a foreign one.
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let is_own = |origin: &str| {
        let Some((scheme, host)) = origin.split_once("://") else { return false };
        let own = text(header::HOST).filter(|own| !own.is_empty());
        schemes.iter().any(|its| its.eq_ignore_ascii_case(scheme))
            && own.is_some_and(|own| own.eq_ignore_ascii_case(host))
    };
    let site = text(HeaderName::from_static("sec-fetch-site"));
    text(header::ORIGIN).is_none_or(is_own)
        && site.is_none_or(|site| matches!(site, "same-origin" | "none"))
}

/// Returns the token of the header `authorization: Bearer TOKEN`.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Returns the id of the last event that a page has which connects again. `None`: it is new.
pub fn last_event(headers: &HeaderMap) -> Option<&str> {
    headers.get("last-event-id")?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn headers(of: &[(&'static str, &'static str)]) -> HeaderMap {
        let header =
            |&(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value));
        of.iter().map(header).collect()
    }

    #[test]
    fn pages_of_other_sites_are_told_apart() {
        let from = |origin, site| {
            let mut of = vec![("host", "127.0.0.1:8000")];
            of.extend((!str::is_empty(origin)).then_some(("origin", origin)));
            of.extend((!str::is_empty(site)).then_some(("sec-fetch-site", site)));
            headers(&of)
        };
        for (origin, site, is_own) in [
            ("", "", true),
            ("http://127.0.0.1:8000", "", true),
            ("HTTP://127.0.0.1:8000", "same-origin", true),
            ("", "none", true),
            ("http://127.0.0.1:8000", "cross-site", false),
            ("", "same-site", false),
            ("http://127.0.0.1:8001", "", false),
            ("https://127.0.0.1:8000", "", false),
            ("http://example.org", "", false),
            ("127.0.0.1:8000", "", false),
            ("null", "", false),
            ("http://", "", false),
        ] {
            let checked = is_own_origin(&from(origin, site), &["http"]);
            assert_eq!(checked, is_own, "{origin:?} {site:?}");
        }
        let secure = from("https://127.0.0.1:8000", "");
        assert!(is_own_origin(&secure, &["http", "https"]));
        assert!(!is_own_origin(&headers(&[("origin", "http://127.0.0.1")]), &["http"]), "no host");
        let mut unreadable = from("", "");
        let value = HeaderValue::from_bytes(b"\xff").expect("a value");
        unreadable.insert(header::ORIGIN, value);
        assert!(!is_own_origin(&unreadable, &["http"]));
    }

    #[test]
    fn a_token_follows_its_scheme() {
        for (value, token) in [
            ("Bearer anna.1", Some("anna.1")),
            ("bearer  anna.1 ", Some("anna.1")),
            ("Basic anna.1", None),
            ("anna.1", None),
        ] {
            assert_eq!(bearer(&headers(&[("authorization", value)])), token, "{value:?}");
        }
        assert_eq!(bearer(&HeaderMap::new()), None);
    }
}
