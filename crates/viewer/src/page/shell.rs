//! The frame of a page that is not that of a single game: the look and the policy of the pages of
//! games around a body that the caller makes.

use super::html::{Document, escaped, integrity};
use crate::palette::properties_for_documents;
use botyard_protocol::printable;

/// The style that all pages share.
const STYLE: &str = include_str!("../../assets/page.css");

/// Returns the style sheet that the pages of games and all pages in their look share, for a site that
/// serves it as a file.
pub fn shared_style() -> String {
    properties_for_documents() + STYLE
}

/// A page about something else than a single game, in the look of the pages of games.
#[derive(Clone, Copy, Debug)]
pub struct Shell<'a> {
    /// The title of the window.
    pub title: &'a str,
    /// The markup of the body, in which texts are escaped and no element has a style of its own.
    pub body: &'a str,
    /// A style sheet besides that of the pages of games, without `<`.
    pub style: &'a str,
    /// A module that imports nothing, without `</`.
    pub script: &'a str,
}

impl Shell<'_> {
    /// Makes the page. Its policy allows its style and its script alone.
    pub fn document(&self) -> Document {
        let style = shared_style() + self.style;
        let script = self.script;
        let policy = format!(
            "default-src 'none'; script-src '{}'; style-src '{}'; base-uri 'none'; form-action 'none'",
            integrity(script),
            integrity(&style)
        );
        let title = escaped(&printable(self.title, 120));
        let (body, version) = (self.body, env!("CARGO_PKG_VERSION"));
        let html = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n\
             <meta name=\"generator\" content=\"botyard {version}\">\n\
             <title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}\
             <script type=\"module\">{script}</script>\n</body>\n</html>\n",
        );
        Document { html, policy }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_allows_the_style_and_the_script_of_the_page_alone() {
        let shell = Shell {
            title: "a <b> \u{202e}c",
            body: "<p>text</p>",
            style: "p{color:var(--ink)}",
            script: "let x = 1;",
        };
        let Document { html, policy } = shell.document();
        assert!(html.contains(&format!("content=\"{policy}\"")), "{policy}");
        assert!(!policy.contains("unsafe") && policy.starts_with("default-src 'none'; "));
        let inside = |from: &str, to: &str| {
            let rest = html.split(from).nth(1).expect("the element begins");
            integrity(rest.split(to).next().expect("the element ends"))
        };
        let script = inside("<script type=\"module\">", "</script>");
        assert!(policy.contains(&format!("script-src '{script}'")), "{policy}");
        let style = inside("<style>", "</style>");
        assert!(policy.contains(&format!("style-src '{style}'")), "{policy}");
        assert!(html.contains("<title>a &lt;b&gt; \\u{202e}c</title>"), "{html}");
        assert_eq!(html.matches("<script").count(), 1);
    }
}
