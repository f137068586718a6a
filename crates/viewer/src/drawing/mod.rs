//! Drawings of games whose rules are programs: SVG documents of others, cleaned.
//!
//! A document is parsed, and a new one is written of what `docs/rules-protocol.md` allows: a few elements, with
//! attributes whose values were parsed, too. Everything else is dropped: an element with its content, an
//! attribute alone. So a drawing cannot run anything, load anything, or reach beyond its own box.

#[cfg(test)]
mod tests;
mod values;

use crate::svg::{Element, Node, visible};
use botyard_protocol::printable;
use roxmltree::{Document, ParsingOptions};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use values::{Kind, plain_numbers, written};

/// The longest document, in bytes.
pub const MOST_BYTES: usize = 1 << 20;

/// The most elements of a document.
pub const MOST_ELEMENTS: usize = 20_000;

/// How deep elements may be nested.
pub const MOST_LEVELS: usize = 64;

/// The most nodes that are parsed, with texts and comments.
const MOST_NODES: u32 = 10 * MOST_ELEMENTS as u32;

/// How much of a value or a name is quoted, in characters.
const QUOTED: usize = 60;

const NAMESPACE: &str = "http://www.w3.org/2000/svg";

/// The elements of a drawing besides the outermost one.
const ELEMENTS: [&str; 12] = [
    "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan",
    "title", "desc",
];

/// The elements that have text in them.
const WITH_TEXT: [&str; 4] = ["text", "tspan", "title", "desc"];

/// The attribute of an element that stands for a legal action, which is JSON.
pub const ACTION: &str = "data-action";

/// The attribute with the name of such an element for people.
pub const LABEL: &str = "data-label";

/// The attribute with the name of a place, on which bots draw.
const PLACE: &str = "data-place";

/// The attributes and their values.
const ATTRIBUTES: [(&str, Kind); 37] = [
    ("x", Kind::Numbers),
    ("y", Kind::Numbers),
    ("x1", Kind::Numbers),
    ("y1", Kind::Numbers),
    ("x2", Kind::Numbers),
    ("y2", Kind::Numbers),
    ("cx", Kind::Numbers),
    ("cy", Kind::Numbers),
    ("r", Kind::Numbers),
    ("rx", Kind::Numbers),
    ("ry", Kind::Numbers),
    ("dx", Kind::Numbers),
    ("dy", Kind::Numbers),
    ("width", Kind::Numbers),
    ("height", Kind::Numbers),
    ("points", Kind::Numbers),
    ("d", Kind::Path),
    ("transform", Kind::Transform),
    ("fill", Kind::Colour),
    ("stroke", Kind::Colour),
    ("fill-opacity", Kind::Numbers),
    ("stroke-opacity", Kind::Numbers),
    ("opacity", Kind::Numbers),
    ("stroke-width", Kind::Numbers),
    ("stroke-dasharray", Kind::WordOrNumber(&["none"])),
    ("fill-rule", Kind::Word(&["nonzero", "evenodd"])),
    ("stroke-linecap", Kind::Word(&["butt", "round", "square"])),
    ("stroke-linejoin", Kind::Word(&["miter", "round", "bevel"])),
    ("font-size", Kind::Numbers),
    ("font-weight", Kind::WordOrNumber(&["normal", "bold", "bolder", "lighter"])),
    ("font-style", Kind::Word(&["normal", "italic", "oblique"])),
    ("font-family", Kind::Families),
    ("text-anchor", Kind::Word(&["start", "middle", "end"])),
    ("dominant-baseline", Kind::Word(&BASELINES)),
    (ACTION, Kind::Action),
    (LABEL, Kind::Label),
    (PLACE, Kind::Label),
];

const BASELINES: [&str; 9] = [
    "auto",
    "alphabetic",
    "central",
    "hanging",
    "ideographic",
    "mathematical",
    "middle",
    "text-after-edge",
    "text-before-edge",
];

/// A cleaned drawing.
#[derive(Clone, Debug)]
pub struct Drawing {
    root: Element,
    /// Its width and height in its own units.
    size: [f64; 2],
}

/// A cleaned drawing, and what was dropped of the document.
#[derive(Clone, Debug)]
pub struct Cleaned {
    /// The drawing.
    pub drawing: Drawing,
    /// What was dropped, each once, in words.
    pub dropped: BTreeSet<String>,
}

/// The reason why a document is no drawing.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DrawingError {
    /// It is longer than [`MOST_BYTES`].
    #[error("expected a drawing of at most {MOST_BYTES} bytes, got {bytes}")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// It is not XML.
    #[error("expected a drawing in XML: {message}")]
    NotXml {
        /// What is wrong and where.
        message: String,
    },
    /// It has a document type with declarations, which could stand for any content.
    #[error("expected a drawing without declarations of a document type: leave <!DOCTYPE ...> out")]
    Declarations,
    /// Its outermost element is not `svg`.
    #[error("expected <svg> as the outermost element of a drawing, got <{found}>")]
    NotSvg {
        /// The outermost element.
        found: String,
    },
    /// The outermost element has no box, or none that can be shown.
    #[error(
        "expected a viewBox of four numbers in <svg>, the last two above 0, such as viewBox=\"0 0 300 300\", \
         got {found}"
    )]
    Box {
        /// Its `viewBox`.
        found: String,
    },
    /// It has more than [`MOST_ELEMENTS`].
    #[error("expected a drawing of at most {MOST_ELEMENTS} elements, got more")]
    TooMany,
    /// Its elements are nested deeper than [`MOST_LEVELS`].
    #[error("expected elements nested at most {MOST_LEVELS} deep in a drawing, got more")]
    TooDeep,
}

impl Drawing {
    /// Cleans an SVG document.
    ///
    /// # Errors
    ///
    /// It is no drawing of which anything could be shown.
    pub fn clean(svg: &str) -> Result<Cleaned, DrawingError> {
        if svg.len() > MOST_BYTES {
            return Err(DrawingError::TooLong { bytes: svg.len() });
        }
        let options = ParsingOptions { nodes_limit: MOST_NODES, ..ParsingOptions::default() };
        let document = Document::parse_with_options(svg.trim_start(), options).map_err(
            |error| match error {
                roxmltree::Error::DtdDetected => DrawingError::Declarations,
                roxmltree::Error::NodesLimitReached | roxmltree::Error::AttributesLimitReached => {
                    DrawingError::TooMany
                }
                error => DrawingError::NotXml { message: printable(&error.to_string(), 200) },
            },
        )?;
        let root = document.root_element();
        let name = root.tag_name();
        if name.name() != "svg" || !is_of_svg(name.namespace()) {
            return Err(DrawingError::NotSvg { found: printable(name.name(), QUOTED) });
        }
        if root.descendants().filter(roxmltree::Node::is_element).count() > MOST_ELEMENTS {
            return Err(DrawingError::TooMany);
        }
        let [left, top, width, height] = view_box(root.attribute("viewBox"))?;
        let mut cleaner = Cleaner::default();
        let shape = [left, top, width, height].map(written).join(" ");
        let mut element = Element::new("svg").set("viewBox", shape);
        cleaner.attributes(
            &root,
            &["viewBox", "x", "y", "width", "height", "version"],
            &mut element,
        );
        cleaner.children(&root, &mut element, 1)?;
        let drawing = Drawing { root: element, size: [width, height] };
        Ok(Cleaned { drawing, dropped: cleaner.dropped })
    }

    /// Returns the drawing as JSON: an element is an array of its name, an object of its attributes, and its
    /// children; a text is a string.
    pub fn to_json(&self) -> Value {
        as_json(&self.root)
    }

    /// Returns the drawing as an SVG document.
    pub fn to_svg(&self) -> String {
        let mut out = String::new();
        let root = Element { attributes: Vec::new(), ..self.root.clone() };
        let mut document = root.set("xmlns", NAMESPACE);
        document.attributes.extend(self.root.attributes.iter().cloned());
        document.write(&Default::default(), &mut out);
        out
    }

    /// Returns the width and the height, in units of the drawing.
    pub(crate) fn size(&self) -> [f64; 2] {
        self.size
    }

    /// Returns the outermost element.
    pub(crate) fn root(&self) -> &Element {
        &self.root
    }
}

fn is_of_svg(namespace: Option<&str>) -> bool {
    namespace.is_none_or(|its| its == NAMESPACE)
}

fn view_box(value: Option<&str>) -> Result<[f64; 4], DrawingError> {
    let found = || match value {
        Some(value) => format!("{:?}", printable(value, QUOTED)),
        None => "none".to_string(),
    };
    let numbers = value.and_then(plain_numbers).and_then(|its| <[f64; 4]>::try_from(its).ok());
    let shown = numbers.filter(|[_, _, width, height]| {
        let ratio = width / height;
        *width > 0.0 && *height > 0.0 && (0.01..=100.0).contains(&ratio)
    });
    shown.ok_or_else(|| DrawingError::Box { found: found() })
}

#[derive(Default)]
struct Cleaner {
    dropped: BTreeSet<String>,
}

impl Cleaner {
    fn drop(&mut self, what: String) {
        // An author reads the first ones.
        if self.dropped.len() < 100 {
            self.dropped.insert(what);
        }
    }

    /// Copies the attributes of an element that are allowed, but for those that are dealt with.
    fn attributes(&mut self, from: &roxmltree::Node, known: &[&str], into: &mut Element) {
        for attribute in from.attributes() {
            let name = attribute.name();
            if attribute.namespace().is_none() && known.contains(&name) {
                continue;
            }
            let row = ATTRIBUTES.iter().find(|(its, _)| *its == name);
            let row = row.filter(|_| attribute.namespace().is_none());
            let its = || format!("{} of <{}>", printable(name, QUOTED), into.name);
            let Some((name, kind)) = row else {
                let what = its();
                self.drop(format!("the attribute {what}"));
                continue;
            };
            match kind.read(attribute.value()) {
                Some(value) => into.attributes.push((name, visible(&value))),
                None => {
                    let what = its();
                    let value = printable(attribute.value(), QUOTED);
                    self.drop(format!("the value {value:?} of the attribute {what}"));
                }
            }
        }
    }

    /// Copies the children of an element that are allowed.
    fn children(
        &mut self,
        from: &roxmltree::Node,
        into: &mut Element,
        level: usize,
    ) -> Result<(), DrawingError> {
        if level > MOST_LEVELS {
            return Err(DrawingError::TooDeep);
        }
        let has_text = WITH_TEXT.contains(&into.name);
        for child in from.children() {
            if let Some(text) = child.text().filter(|_| child.is_text() && has_text) {
                into.children.push(Node::Text(visible(&in_one_line(text))));
            }
            if !child.is_element() {
                continue;
            }
            let name = child.tag_name();
            let known = ELEMENTS.iter().find(|its| **its == name.name());
            let Some(known) = known.filter(|_| is_of_svg(name.namespace())) else {
                self.drop(format!("the element <{}>", printable(name.name(), QUOTED)));
                continue;
            };
            let mut element = Element::new(known);
            self.attributes(&child, &[], &mut element);
            self.children(&child, &mut element, level + 1)?;
            into.children.push(Node::Element(element));
        }
        Ok(())
    }
}

/// A text with single spaces instead of its white space.
fn in_one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        let character = if character.is_whitespace() { ' ' } else { character };
        if character != ' ' || !out.ends_with(' ') {
            out.push(character);
        }
    }
    out
}

fn as_json(element: &Element) -> Value {
    let attributes: Map<String, Value> =
        element.attributes.iter().map(|(name, value)| (name.to_string(), json!(value))).collect();
    let mut parts = vec![json!(element.name), Value::Object(attributes)];
    parts.extend(element.children.iter().map(|child| match child {
        Node::Element(child) => as_json(child),
        Node::Text(text) => json!(text),
    }));
    Value::Array(parts)
}
