//! Boards: what a game's drawing shows before its first decision, and what frames change.
//!
//! Every board has the elements `caption-1` and `caption-2`, two lines, and `marks-N` for what a bot drew at
//! decision N; the modules of the games list the other IDs.

use crate::animation::Animation;
use crate::drawing::Drawing;
use crate::frame::{Frame, Look};
use crate::marks;
use crate::palette::{self, Theme};
use crate::svg::Element;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The height of a line of the caption.
const LINE: f64 = 20.0;
/// The lines of the caption.
pub(crate) const CAPTION_LINES: usize = 2;
/// From the drawing to the first line of the caption.
const BELOW: f64 = 24.0;
/// The height of the caption, with what is between it and the drawing.
const CAPTION_HEIGHT: f64 = BELOW + LINE * (CAPTION_LINES - 1) as f64;
/// The margin around a drawing.
const MARGIN: f64 = 12.0;
/// The width of a character of the caption, about.
const CHARACTER: f64 = 7.4;

/// The longer side of a drawing of a game whose rules are a program.
const SIDE: f64 = 560.0;

/// What a game's module draws.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    /// The width of the drawing.
    pub width: f64,
    /// The height of the drawing.
    pub height: f64,
    /// The drawing, from 0, 0 at the top left.
    pub elements: Vec<Element>,
}

/// The board of one game as SVG: everything that is drawn, in the state that frames have led to.
#[derive(Clone, Debug)]
pub struct Board {
    title: String,
    width: f64,
    height: f64,
    /// The class of the document, and the rules of style that all of its class share.
    class: (&'static str, &'static str),
    style: &'static str,
    /// The rules of style of marks, once there are some.
    marks_style: &'static str,
    contents: Element,
    rest: BTreeMap<String, Look>,
    looks: BTreeMap<String, Look>,
}

impl Board {
    /// Makes the board of a drawing with the rules of style that only this game needs: adds the margin
    /// and the caption.
    pub(crate) fn new(title: String, style: &'static str, drawn: Drawn) -> Board {
        let width = drawn.width + 2.0 * MARGIN;
        let caption_at = drawn.height + MARGIN + BELOW;
        let height = drawn.height + CAPTION_HEIGHT + 2.0 * MARGIN;
        let caption = (1..=CAPTION_LINES).map(|line| {
            Element::changing("text", format_args!("caption-{line}"), Look::shown("caption"))
                .at(MARGIN, caption_at + LINE * (line - 1) as f64)
        });
        let drawing = Element::new("g")
            .set("transform", format_args!("translate({MARGIN} {MARGIN})"))
            .with_all(drawn.elements);
        let contents = Element::new("g").with(drawing).with_all(caption);
        let mut rest = BTreeMap::new();
        contents.collect_rest(&mut rest);
        let looks = rest.clone();
        let class = ("botyard", palette::SHARED);
        Board { title, width, height, class, style, marks_style: "", contents, rest, looks }
    }

    /// Makes the board of a game whose rules are a program, in the shape of its first drawing. There are no
    /// drawings on it yet: see [`Board::add`].
    pub(crate) fn of_drawings(title: String, first: &Drawing) -> Board {
        let [width, height] = first.size();
        let scale = SIDE / width.max(height);
        // The caption needs some width.
        let (width, height) = ((width * scale).max(SIDE / 2.0), height * scale);
        let mut board = Board::new(title, "", Drawn { width, height, elements: Vec::new() });
        board.class = ("drawn", palette::AROUND_DRAWINGS);
        board
    }

    /// Adds a drawing, hidden, under an ID.
    pub(crate) fn add(&mut self, id: String, drawing: &Drawing) {
        let root = drawing.root();
        let mut element = self.layer(&id);
        element.attributes.extend(root.attributes.iter().cloned());
        element.children.clone_from(&root.children);
        self.push(id, element);
    }

    /// Adds marks over the drawing, hidden, under an ID.
    pub(crate) fn add_marks(&mut self, id: String, marks: Vec<Element>) {
        self.marks_style = marks::STYLE;
        let layer = self.layer(&id).set("overflow", "visible").with_all(marks);
        self.push(id, layer);
    }

    /// Makes a hidden document within the board that covers the drawing.
    fn layer(&self, id: &str) -> Element {
        let layer =
            Element::changing("svg", id, Look::hidden("")).length("x", MARGIN).length("y", MARGIN);
        let layer = layer.length("width", self.width - 2.0 * MARGIN);
        layer.length("height", self.drawing_height())
    }

    fn push(&mut self, id: String, element: Element) {
        self.rest.insert(id.clone(), Look::hidden(""));
        self.looks.insert(id, Look::hidden(""));
        self.contents = std::mem::replace(&mut self.contents, Element::new("g")).with(element);
    }

    /// The height of the drawing, without the margin and the caption.
    pub(crate) fn drawing_height(&self) -> f64 {
        self.height - 2.0 * MARGIN - CAPTION_HEIGHT
    }

    /// The looks of the elements before any frame.
    pub(crate) fn rest(&self) -> &BTreeMap<String, Look> {
        &self.rest
    }

    /// How many characters of a caption fit in a line.
    pub(crate) fn caption_width(&self) -> usize {
        ((self.width - 2.0 * MARGIN) / CHARACTER) as usize
    }

    /// The IDs of the elements that frames can change, in order.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.rest.keys().map(String::as_str)
    }

    /// Applies a frame. A change of an element that the board does not have is ignored.
    pub fn apply(&mut self, frame: &Frame) {
        for change in &frame.changes {
            if let Some(look) = self.looks.get_mut(&change.id) {
                look.apply(change);
            }
        }
    }

    /// Undoes all frames.
    pub fn reset(&mut self) {
        self.looks = self.rest.clone();
    }

    /// The board as an `svg` element for a page. Its colours are custom properties, which the class
    /// `dark` of the element changes.
    pub fn markup(&self) -> String {
        let (class, shared) = self.class;
        let style = palette::style_for_pages(class, shared, &self.whole_style());
        self.document(&format!("{class} light"), &style, |element, out| {
            element.write(&self.looks, out)
        })
    }

    /// The board as an SVG document without custom properties, which every program can show.
    pub fn picture(&self, theme: Theme) -> String {
        self.picture_by(theme, |element, out| element.write(&self.looks, out))
    }

    /// The frames as an animated SVG document. Each is shown for its time, in hundredths of a second,
    /// and then the first one again.
    pub(crate) fn animated(&self, frames: &[Frame], theme: Theme, delays: &[u16]) -> String {
        let mut board = self.clone();
        let mut animation = Animation::new(delays);
        for (number, frame) in frames.iter().enumerate() {
            board.apply(frame);
            if number == 0 {
                animation.begin(&board.looks);
                continue;
            }
            for change in &frame.changes {
                if let Some(look) = board.looks.get(&change.id) {
                    animation.change(&change.id, number, look);
                }
            }
        }
        self.picture_by(theme, |element, out| animation.write(element, out))
    }

    fn picture_by(&self, theme: Theme, write: impl Fn(&Element, &mut String)) -> String {
        let (class, shared) = self.class;
        let style = palette::style_in(theme, &(shared.to_string() + &self.whole_style()));
        let class = format!("{class} {}", theme.name());
        let mut document = self.document(&class, &style, write);
        document.push('\n');
        document
    }

    fn whole_style(&self) -> String {
        self.style.to_string() + self.marks_style
    }

    fn document(&self, class: &str, style: &str, write: impl Fn(&Element, &mut String)) -> String {
        let (width, height) = (self.width.ceil(), self.height.ceil());
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"{class}\" role=\"img\" \
             viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">"
        );
        let title = Element::new("title").text(&self.title);
        let paper =
            Element::new("rect").class("paper").length("width", width).length("height", height);
        write(&title, &mut out);
        // The style is ours and has no characters of markup; a test checks that.
        let _ = write!(out, "<style>{style}</style>");
        write(&paper, &mut out);
        write(&self.contents, &mut out);
        out.push_str("</svg>");
        out
    }
}

/// Breaks a caption into lines of at most `width` characters; what does not fit in
/// [`CAPTION_LINES`] is cut.
pub(crate) fn caption_lines(caption: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in caption.split(' ') {
        let line = lines.last_mut().expect("there is always a line");
        let length = line.chars().count() + 1 + word.chars().count();
        if line.is_empty() {
            line.push_str(word);
        } else if length <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_string());
        }
    }
    let is_cut = lines.len() > CAPTION_LINES;
    lines.truncate(CAPTION_LINES);
    let last = lines.len() - 1;
    for (index, line) in lines.iter_mut().enumerate() {
        if line.chars().count() > width || is_cut && index == last {
            let kept: String = line.chars().take(width.saturating_sub(3)).collect();
            *line = format!("{}...", kept.trim_end());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captions_are_broken_between_words_and_cut() {
        assert_eq!(caption_lines("one two three", 20), ["one two three"]);
        assert_eq!(caption_lines("one two three", 8), ["one two", "three"]);
        assert_eq!(caption_lines("one two three four five", 8), ["one two", "three..."]);
        assert_eq!(caption_lines(&"x".repeat(30), 8), ["xxxxx..."]);
        assert_eq!(caption_lines("", 8), [""]);
    }
}
