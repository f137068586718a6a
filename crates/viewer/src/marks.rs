//! Marks: what bots draw over the board, in the field `draw` of their `info`. On pages `assets/marks.js` draws them in
//! the same way.

use crate::games::{Drawing, Occasion, row};
use crate::perspective::Viewpoint;
use crate::svg::{Element, rounded};
use botyard_engine::Table;
use botyard_protocol::{Mark, Place, Shape};

/// The rules of style of marks.
pub(crate) const STYLE: &str = "\
.botyard .bot-edge{fill:none;stroke:var(--paper);stroke-linecap:round;stroke-linejoin:round;opacity:.75}\
.botyard .bot-line{stroke-linecap:round;stroke-linejoin:round}\
.botyard .bot-line.plain{stroke:var(--mark)}\
.botyard .bot-line.plain.filled{fill:var(--mark)}\
.botyard text.bot{fill:var(--ink);stroke:var(--paper);stroke-linejoin:round;paint-order:stroke;font-weight:700;\
text-anchor:middle}";

/// The least size of a text.
const TEXT: f64 = 12.0;

/// Where a place of a board is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spot {
    /// Its middle.
    pub at: (f64, f64),
    /// The radius of a circle around it.
    pub radius: f64,
    /// Whether a text is in it, which stays readable.
    pub has_text: bool,
}

/// The places of a game's board, on which its bots draw.
pub struct Places(Box<dyn Drawing>);

impl Places {
    /// Returns the places of a game that has its opening; `None` if there is no drawing for the game.
    pub fn of(table: &dyn Table) -> Option<Places> {
        let occasion = Occasion {
            rules: &table.rules(),
            setup: Viewpoint::Truth.setup(table),
            seats: table.seats(),
            players: table.seats().to_vec(),
        };
        let (drawing, _) = (row(table.game())?.begin)(&occasion).ok()?;
        Some(Places(drawing))
    }

    /// Returns the first place of a mark that the board does not have.
    pub fn missing<'a>(&self, mark: &'a Mark) -> Option<&'a Place> {
        places(mark).iter().find(|place| self.0.spot(place).is_none())
    }
}

/// Returns a place as a whole number from 1 to `most`. It may be written as a string.
pub(crate) fn numbered(place: &Place, most: usize) -> Option<usize> {
    let number = match place {
        Place::Number(number) => usize::try_from(*number).ok()?,
        Place::Name(name) if name.bytes().all(|digit| digit.is_ascii_digit()) => {
            name.parse().ok()?
        }
        Place::Name(_) | Place::Numbers(_) => return None,
    };
    (1..=most).contains(&number).then_some(number)
}

fn places(mark: &Mark) -> &[Place] {
    match &mark.shape {
        Shape::Point(place) => std::slice::from_ref(place),
        Shape::Line(places) | Shape::Arrow(places) => places,
    }
}

/// Draws marks on a board of this height. Those on places that the board does not have are left out.
pub(crate) fn elements(marks: &[Mark], drawing: &dyn Drawing, height: f64) -> Vec<Element> {
    let (mut shapes, mut texts) = (Vec::new(), Vec::new());
    for mark in marks {
        let spots = places(mark).iter().map(|place| drawing.spot(place));
        let Some(spots) = spots.collect::<Option<Vec<Spot>>>() else { continue };
        let (text_at, size) = match (&mark.shape, &spots[..]) {
            (Shape::Point(_), [spot, ..]) => point(mark, *spot, height, &mut shapes),
            (_, [.., before, last]) => way(mark, &spots, (before.at, last.at), &mut shapes),
            _ => continue,
        };
        if let Some(text) = &mark.text {
            let style =
                format!("font-size:{}px;stroke-width:{}px", rounded(size), rounded(size * 0.22));
            let at = (text_at.0, text_at.1 + size * 0.36);
            texts.push(Element::words("bot", at, text).set("style", style));
        }
    }
    // No line runs over a text.
    shapes.extend(texts);
    shapes
}

/// Draws a circle. Returns the middle and the size of its text.
fn point(mark: &Mark, spot: Spot, height: f64, shapes: &mut Vec<Element>) -> ((f64, f64), f64) {
    let Spot { at: (x, y), radius, has_text } = spot;
    let (left, r, width) = (rounded(x - radius), rounded(radius), rounded(2.0 * radius));
    let d = format!("M{left} {}a{r} {r} 0 1 0 {width} 0a{r} {r} 0 1 0 -{width} 0z", rounded(y));
    shapes.extend(drawn(&d, radius * 0.16, mark, false));
    let below = y + radius + 4.0;
    let outside = if below + 8.0 < height { below } else { y - radius - 4.0 };
    let characters = mark.text.as_ref().map_or(0, |text| text.chars().count()).max(1);
    let size = (radius * 0.7).min(2.4 * radius / characters as f64).max(TEXT);
    ((x, if has_text { outside } else { y }), size)
}

/// Draws a line through places, with a head if it is an arrow. Returns the middle and the size of its text.
fn way(
    mark: &Mark,
    spots: &[Spot],
    (before, last): ((f64, f64), (f64, f64)),
    shapes: &mut Vec<Element>,
) -> ((f64, f64), f64) {
    let radius = spots.iter().map(|spot| spot.radius).fold(f64::INFINITY, f64::min);
    let width = (radius * 0.18).max(2.5);
    let (across, down) = (last.0 - before.0, last.1 - before.1);
    let length = across.hypot(down).max(0.001);
    let is_arrow = matches!(mark.shape, Shape::Arrow(_));
    let head = if is_arrow { (width * 3.0).min(length / 2.0) } else { 0.0 };
    let (dx, dy) = (across / length * head, down / length * head);
    let end = (last.0 - dx, last.1 - dy);
    let corners = spots[..spots.len() - 1].iter().map(|spot| spot.at).chain([end]);
    shapes.extend(drawn(&path(corners), width, mark, false));
    if is_arrow {
        // The head: its tip at the place, its base across the way.
        let (x, y) = (dy * 0.62, -dx * 0.62);
        let base = [last, (end.0 + x, end.1 + y), (end.0 - x, end.1 - y)];
        shapes.extend(drawn(&(path(base) + "z"), 1.0, mark, true));
    }
    (((before.0 + last.0) / 2.0, (before.1 + last.1) / 2.0), (radius * 0.6).max(TEXT))
}

fn path(corners: impl IntoIterator<Item = (f64, f64)>) -> String {
    let corners = corners.into_iter().map(|(x, y)| format!("{} {}", rounded(x), rounded(y)));
    format!("M{}", corners.collect::<Vec<_>>().join("L"))
}

/// A shape twice: its edge, which any ground shows, and over it its colour.
fn drawn(d: &str, width: f64, mark: &Mark, is_filled: bool) -> [Element; 2] {
    let shape = |class: String, width: f64| {
        Element::new("path").class(class).set("d", d).length("stroke-width", width)
    };
    let filled = if is_filled { " filled" } else { "" };
    let plain = if mark.color.is_none() { " plain" } else { "" };
    let mut line = shape(format!("bot-line{plain}{filled}"), width);
    if let Some(color) = &mark.color {
        line = line.set("stroke", color);
    }
    line = match &mark.color {
        Some(color) if is_filled => line.set("fill", color),
        None if is_filled => line,
        _ => line.set("fill", "none"),
    };
    [shape("bot-edge".into(), width * 1.7), line]
}
