//! SVG as a tree of elements that is written as text. Escaping is done in one place, so no drawing
//! can forget it: in every text and attribute value, the characters of markup are escaped, and
//! characters that act unseen (control characters, bidirectional overrides) are made visible.

use crate::frame::Look;
use botyard_protocol::printable;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Write};

/// A coordinate of a drawing, rounded to a tenth of a unit.
pub(crate) fn rounded(value: f64) -> f64 {
    let tenths = (value * 10.0).round() / 10.0;
    // Minus zero would be written as -0.
    tenths + 0.0
}

/// Returns a text without the characters that act unseen or that XML does not allow.
pub(crate) fn visible(text: &str) -> String {
    let text = printable(text, usize::MAX);
    if !text.contains(['\u{fffe}', '\u{ffff}']) {
        return text;
    }
    text.replace('\u{fffe}', "\\u{fffe}").replace('\u{ffff}', "\\u{ffff}")
}

/// Appends a text with the characters of markup escaped.
pub(crate) fn write_escaped(text: &str, out: &mut String) {
    for character in visible(text).chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
}

/// What an element contains.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Element(Element),
    Text(String),
}

/// An element of a drawing.
///
/// One with an ID can be changed by frames: it has a [`Look`] at rest instead of the attributes
/// `class`, `transform`, `points` and `visibility`, and instead of text.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub name: &'static str,
    pub id: Option<(String, Look)>,
    pub attributes: Vec<(&'static str, String)>,
    pub children: Vec<Node>,
}

impl Element {
    /// Makes an element that never changes.
    pub(crate) fn new(name: &'static str) -> Element {
        Element { name, id: None, attributes: Vec::new(), children: Vec::new() }
    }

    /// Makes an element that frames can change.
    pub(crate) fn changing(name: &'static str, id: impl Display, look: Look) -> Element {
        Element { id: Some((id.to_string(), look)), ..Element::new(name) }
    }

    /// Makes a group.
    pub(crate) fn group(class: &'static str) -> Element {
        Element::new("g").class(class)
    }

    /// Makes a line of text that never changes.
    pub(crate) fn words(class: &'static str, (x, y): (f64, f64), text: impl Display) -> Element {
        Element::new("text").class(class).at(x, y).text(text)
    }

    /// Sets an attribute.
    pub(crate) fn set(mut self, name: &'static str, value: impl Display) -> Element {
        self.attributes.push((name, value.to_string()));
        self
    }

    /// Sets a coordinate or a length.
    pub(crate) fn length(self, name: &'static str, value: f64) -> Element {
        self.set(name, rounded(value))
    }

    /// Sets the class.
    pub(crate) fn class(self, class: impl Display) -> Element {
        self.set("class", class)
    }

    /// Sets `x` and `y`.
    pub(crate) fn at(self, x: f64, y: f64) -> Element {
        self.length("x", x).length("y", y)
    }

    /// Appends a child.
    pub(crate) fn with(mut self, child: Element) -> Element {
        self.children.push(Node::Element(child));
        self
    }

    /// Appends children.
    pub(crate) fn with_all(mut self, children: impl IntoIterator<Item = Element>) -> Element {
        self.children.extend(children.into_iter().map(Node::Element));
        self
    }

    /// Appends text.
    pub(crate) fn text(mut self, text: impl Display) -> Element {
        self.children.push(Node::Text(text.to_string()));
        self
    }

    /// Collects the looks at rest of this element and those in it, by ID.
    pub(crate) fn collect_rest(&self, into: &mut BTreeMap<String, Look>) {
        if let Some((id, look)) = &self.id {
            let before = into.insert(id.clone(), look.clone());
            debug_assert!(before.is_none(), "two elements have the ID {id}");
        }
        for child in &self.children {
            if let Node::Element(child) = child {
                child.collect_rest(into);
            }
        }
    }

    /// Appends the element as markup. Elements with an ID look as in `looks`, or as at rest.
    pub(crate) fn write(&self, looks: &BTreeMap<String, Look>, out: &mut String) {
        let look = self.id.as_ref().map(|(id, rest)| (id, looks.get(id).unwrap_or(rest)));
        // The drawings of other positions are many.
        if self.name == "svg" && look.is_some_and(|(_, look)| !look.visible) {
            return;
        }
        out.push('<');
        out.push_str(self.name);
        if let Some((id, look)) = look {
            write_attribute("id", id, out);
            write_look(look, out);
        }
        for (name, value) in &self.attributes {
            write_attribute(name, value, out);
        }
        let text = look.map_or("", |(_, look)| &*look.text);
        if text.is_empty() && self.children.is_empty() {
            out.push_str("/>");
            return;
        }
        out.push('>');
        write_escaped(text, out);
        for child in &self.children {
            match child {
                Node::Element(child) => child.write(looks, out),
                Node::Text(text) => write_escaped(text, out),
            }
        }
        out.push_str("</");
        out.push_str(self.name);
        out.push('>');
    }
}

pub(crate) fn write_look(look: &Look, out: &mut String) {
    if !look.class.is_empty() {
        write_attribute("class", &look.class, out);
    }
    let [x, y] = look.at;
    if (x, y) != (0.0, 0.0) {
        write_attribute("transform", &format!("translate({x} {y})"), out);
    }
    if !look.path.is_empty() {
        write_attribute("points", &Points(&look.path).to_string(), out);
    }
    if !look.visible {
        write_attribute("visibility", "hidden", out);
    }
}

pub(crate) fn write_attribute(name: &str, value: &str, out: &mut String) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    write_escaped(value, out);
    out.push('"');
}

/// The attribute `points` of a polyline.
pub(crate) struct Points<'a>(pub &'a [[f64; 2]]);

impl Display for Points<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, [x, y]) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_char(' ')?;
            }
            write!(f, "{},{}", rounded(*x), rounded(*y))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(element: &Element) -> String {
        let mut out = String::new();
        element.write(&BTreeMap::new(), &mut out);
        out
    }

    #[test]
    fn texts_and_attributes_are_escaped_and_visible() {
        let element = Element::new("text")
            .class("a\"b'<&>")
            .text("<script>alert(1)</script>\u{202e}\u{1b}\u{0}\u{ffff}\n");
        assert_eq!(
            written(&element),
            "<text class=\"a&quot;b&#39;&lt;&amp;&gt;\">&lt;script&gt;alert(1)&lt;/script&gt;\
             \\u{202e}\\u{1b}\\0\\u{ffff}\\n</text>"
        );
    }

    #[test]
    fn elements_with_an_id_have_the_looks_that_are_given() {
        let look = Look { class: "pawn".into(), visible: false, ..Look::default() };
        let element = Element::changing("g", "x", look.clone());
        assert_eq!(written(&element), r#"<g id="x" class="pawn" visibility="hidden"/>"#);
        let look = Look {
            at: [3.0, 4.5],
            path: vec![[1.0, 2.0], [3.04, 4.0]],
            text: "a<b".into(),
            visible: true,
            ..look
        };
        let mut out = String::new();
        element.write(&BTreeMap::from([("x".to_string(), look)]), &mut out);
        assert_eq!(
            out,
            "<g id=\"x\" class=\"pawn\" transform=\"translate(3 4.5)\" points=\"1,2 3,4\">a&lt;b</g>"
        );
    }

    #[test]
    fn coordinates_have_one_digit_and_no_minus_zero() {
        assert_eq!(rounded(-0.01).to_string(), "0");
        assert_eq!(rounded(12.345).to_string(), "12.3");
    }
}
