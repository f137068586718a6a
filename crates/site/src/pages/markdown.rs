//! Markdown that comes with a game, as a part of a page: its HTML is shown as text, and nothing is loaded from
//! elsewhere.

use maud::{Markup, PreEscaped, Render, html};
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// The most text, in bytes.
pub(super) const LONGEST: usize = 64 << 10;

/// Returns a text in CommonMark with tables. Its headings are below those of the page's sections.
pub(super) fn markdown(text: &str) -> Markup {
    let mut out = String::new();
    let mut links: Vec<bool> = Vec::new();
    let mut in_head = false;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => {
                add(&mut out, &*text)
            }
            Event::Code(text) => add(&mut out, html! { code { (*text) } }),
            Event::SoftBreak => out.push('\n'),
            Event::HardBreak => out.push_str("<br>"),
            Event::Rule => out.push_str("<hr>"),
            Event::Start(Tag::Link { dest_url, .. }) => {
                let is_web = dest_url.starts_with("https://") || dest_url.starts_with("http://");
                links.push(is_web);
                if is_web {
                    out.push_str("<a rel=\"noreferrer\" href=\"");
                    add(&mut out, &*dest_url);
                    out.push_str("\">");
                }
            }
            Event::End(TagEnd::Link) => {
                out.push_str(if links.pop().unwrap_or_default() { "</a>" } else { "" });
            }
            Event::Start(Tag::TableHead) => {
                in_head = true;
                out.push_str("<thead><tr>");
            }
            Event::End(TagEnd::TableHead) => {
                in_head = false;
                out.push_str("</tr></thead>");
            }
            Event::Start(Tag::TableCell) => {
                out.push_str(if in_head { "<th scope=\"col\">" } else { "<td>" })
            }
            Event::End(TagEnd::TableCell) => out.push_str(if in_head { "</th>" } else { "</td>" }),
            Event::Start(tag) => out.push_str(&begin(&tag)),
            Event::End(tag) => out.push_str(end(tag)),
            _ => {}
        }
    }
    PreEscaped(out)
}

fn add(out: &mut String, text: impl Render) {
    text.render_to(out);
}

/// Returns what begins an element. A picture is its alternative text.
fn begin(tag: &Tag<'_>) -> String {
    match tag {
        Tag::Paragraph => "<p>".into(),
        Tag::Heading { level, .. } => format!("<{}>", heading(*level)),
        Tag::BlockQuote(_) => "<blockquote>".into(),
        Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented) => {
            "<pre tabindex=\"0\">".into()
        }
        Tag::List(None) => "<ul>".into(),
        Tag::List(Some(first)) => format!("<ol start=\"{first}\">"),
        Tag::Item => "<li>".into(),
        Tag::Emphasis => "<em>".into(),
        Tag::Strong => "<strong>".into(),
        Tag::Table(_) => "<table>".into(),
        Tag::TableRow => "<tr>".into(),
        _ => String::new(),
    }
}

fn end(tag: TagEnd) -> &'static str {
    match tag {
        TagEnd::Paragraph => "</p>\n",
        TagEnd::Heading(level) => match heading(level) {
            "h3" => "</h3>\n",
            "h4" => "</h4>\n",
            _ => "</h5>\n",
        },
        TagEnd::BlockQuote(_) => "</blockquote>\n",
        TagEnd::CodeBlock => "</pre>\n",
        TagEnd::List(false) => "</ul>\n",
        TagEnd::List(true) => "</ol>\n",
        TagEnd::Item => "</li>\n",
        TagEnd::Emphasis => "</em>",
        TagEnd::Strong => "</strong>",
        TagEnd::Table => "</table>\n",
        TagEnd::TableRow => "</tr>\n",
        _ => "",
    }
}

fn heading(level: HeadingLevel) -> &'static str {
    match level {
        HeadingLevel::H1 => "h3",
        HeadingLevel::H2 => "h4",
        _ => "h5",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_its_structure_and_nothing_of_it_acts() {
        for (text, expected) in [
            ("# Nim\n\nTake *some*\n", "<h3>Nim</h3>\n<p>Take <em>some</em></p>\n"),
            ("```sh\na < b\n```\n", "<pre tabindex=\"0\">a &lt; b\n</pre>\n"),
            ("2. one\n", "<ol start=\"2\"><li>one</li>\n</ol>\n"),
            (
                "| a |\n|---|\n| `b` |\n",
                "<table><thead><tr><th scope=\"col\">a</th></tr></thead><tr><td><code>b</code></td></tr>\n</table>\n",
            ),
            ("<script>alert(1)</script>\n", "&lt;script&gt;alert(1)&lt;/script&gt;\n"),
            ("a <img src=x onerror=y>", "<p>a &lt;img src=x onerror=y&gt;</p>\n"),
            (
                "[a](https://x.org/\"onclick=b)",
                "<p><a rel=\"noreferrer\" href=\"https://x.org/&quot;onclick=b\">a</a></p>\n",
            ),
            ("[a](javascript:b) [c](game.py)", "<p>a c</p>\n"),
            ("![a picture](https://x.org/a.png)", "<p>a picture</p>\n"),
        ] {
            assert_eq!(markdown(text).into_string(), expected, "{text}");
        }
    }
}
