//! Animated SVG documents. Every change is an animation of an attribute (SMIL), so a document needs no
//! script and moves where it is shown as an image.
//!
//! The text of an element cannot be animated. An element with several texts is written once for each
//! of them, and shown while it has that text.

use crate::frame::Look;
use crate::svg::{Element, Node, Points, write_attribute, write_escaped, write_look};
use std::collections::BTreeMap;
use std::fmt::Write;

/// How long the last picture is shown in addition, in hundredths of a second.
const HOLD: u16 = 250;

/// The speed of an animation, in decisions a second.
///
/// ```
/// use botyard_viewer::Speed;
///
/// let speed: Speed = "4".parse()?;
/// assert_eq!(speed.delays(3), [25, 25, 275]);
/// assert!("fast".parse::<Speed>().is_err() && "1000".parse::<Speed>().is_err());
/// # Ok::<(), botyard_viewer::SpeedError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed(f64);

/// The error of a text that is not a speed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a number of decisions a second, from 0.1 to 50, got {0:?}")]
pub struct SpeedError(String);

impl Speed {
    /// Returns how long each picture of an animation is shown, in hundredths of a second, which is
    /// what GIF counts in. The last picture is shown for longer, before the first one follows again.
    pub fn delays(self, pictures: usize) -> Vec<u16> {
        let begin = |picture: usize| (picture as f64 * 100.0 / self.0).round();
        // At the lowest speed 1,000.
        let shown = |picture: usize| (begin(picture + 1) - begin(picture)) as u16;
        let mut delays: Vec<u16> = (0..pictures).map(shown).collect();
        if let Some(last) = delays.last_mut() {
            *last += HOLD;
        }
        delays
    }
}

impl std::str::FromStr for Speed {
    type Err = SpeedError;

    fn from_str(text: &str) -> Result<Speed, SpeedError> {
        let speed = text.parse::<f64>().ok().filter(|speed| (0.1..=50.0).contains(speed));
        speed.map(Speed).ok_or_else(|| SpeedError(text.to_string()))
    }
}

/// The looks of an element, each from a picture on until the next one.
type Track = Vec<(usize, Look)>;

/// The looks of all elements with an ID, in all pictures.
pub(crate) struct Animation {
    tracks: BTreeMap<String, Track>,
    /// When each picture begins, in hundredths of a second.
    begins: Vec<u32>,
    /// When the last picture ends.
    end: u32,
}

impl Animation {
    pub(crate) fn new(delays: &[u16]) -> Animation {
        let mut end = 0;
        let begins = delays.iter().map(|&delay| {
            let begin = end;
            end += u32::from(delay);
            begin
        });
        let begins = begins.collect();
        Animation { tracks: BTreeMap::new(), begins, end }
    }

    /// Sets the looks in the first picture.
    pub(crate) fn begin(&mut self, looks: &BTreeMap<String, Look>) {
        let track = |(id, look): (&String, &Look)| (id.clone(), vec![(0, look.clone())]);
        self.tracks = looks.iter().map(track).collect();
    }

    /// Sets the look of an element from a picture on.
    pub(crate) fn change(&mut self, id: &str, picture: usize, look: &Look) {
        if let Some(track) = self.tracks.get_mut(id) {
            track.push((picture, look.clone()));
        }
    }

    /// Appends an element as markup. What is never visible is left out.
    pub(crate) fn write(&self, element: &Element, out: &mut String) {
        let Some((id, rest)) = &element.id else {
            self.write_parts(element, &[(0, Look::shown(""))], out);
            return;
        };
        let at_rest = vec![(0, rest.clone())];
        let track = self.tracks.get(id).unwrap_or(&at_rest);
        let mut texts: Vec<&str> = Vec::new();
        for (_, look) in track {
            if look.visible && !texts.contains(&&*look.text) {
                texts.push(&look.text);
            }
        }
        for text in texts {
            // An element with children has no text, which is one text for all pictures.
            if text.is_empty() && element.children.is_empty() && element.name == "text" {
                continue;
            }
            let with_text = track.iter().map(|(picture, look)| {
                let visible = look.visible && look.text == *text;
                (*picture, Look { visible, ..look.clone() })
            });
            self.write_parts(element, &while_visible(with_text.collect()), out);
        }
    }

    /// Appends an element whose text is the same in all pictures.
    fn write_parts(&self, element: &Element, track: &[(usize, Look)], out: &mut String) {
        let Some((_, first)) = track.first() else { return };
        out.push('<');
        out.push_str(element.name);
        write_look(&Look { visible: true, ..first.clone() }, out);
        if !first.visible {
            write_attribute("display", "none", out);
        }
        for (name, value) in &element.attributes {
            write_attribute(name, value, out);
        }
        let mut inner = String::new();
        let display = |look: &Look| if look.visible { "inline" } else { "none" }.to_string();
        self.animate("animate", "display", track, display, &mut inner);
        self.animate("animate", "class", track, |look| look.class.clone(), &mut inner);
        self.animate("animate", "points", track, |its| Points(&its.path).to_string(), &mut inner);
        let place = |look: &Look| format!("{} {}", look.at[0], look.at[1]);
        self.animate("animateTransform", "transform", track, place, &mut inner);
        write_escaped(&first.text, &mut inner);
        for child in &element.children {
            match child {
                Node::Element(child) => self.write(child, &mut inner),
                Node::Text(text) => write_escaped(text, &mut inner),
            }
        }
        if inner.is_empty() {
            out.push_str("/>");
            return;
        }
        // Writing to a string cannot fail.
        let _ = write!(out, ">{inner}</{}>", element.name);
    }

    /// Appends the animation of an attribute, if it has several values.
    fn animate(
        &self,
        kind: &str,
        attribute: &str,
        track: &[(usize, Look)],
        value: impl Fn(&Look) -> String,
        out: &mut String,
    ) {
        let mut values: Vec<String> = Vec::new();
        let mut times: Vec<String> = Vec::new();
        for (picture, look) in track {
            let value = value(look);
            if values.last() != Some(&value) {
                values.push(value);
                times.push(self.key_time(*picture));
            }
        }
        if values.len() < 2 {
            return;
        }
        let _ = write!(out, "<{kind} attributeName=\"{attribute}\"");
        if kind == "animateTransform" {
            write_attribute("type", "translate", out);
        }
        write_attribute("values", &values.join(";"), out);
        write_attribute("keyTimes", &times.join(";"), out);
        let _ = write!(
            out,
            " calcMode=\"discrete\" dur=\"{}s\" repeatCount=\"indefinite\"/>",
            f64::from(self.end) / 100.0
        );
    }

    /// When a picture begins, as a part of the whole animation.
    fn key_time(&self, picture: usize) -> String {
        let begin = self.begins.get(picture).copied().unwrap_or(self.end);
        let time = format!("{:.6}", f64::from(begin) / f64::from(self.end.max(1)));
        time.trim_end_matches('0').trim_end_matches('.').to_string()
    }
}

/// The same looks, in which an element looks while it is hidden as it does while it is visible.
fn while_visible(track: Track) -> Track {
    let Some(mut shape) = track.iter().find(|(_, look)| look.visible).map(|(_, look)| look.clone())
    else {
        return track;
    };
    let mut out: Track = Vec::new();
    for (picture, look) in track {
        let visible = look.visible;
        if visible {
            shape = look;
        }
        let look = Look { visible, ..shape.clone() };
        if out.last().is_none_or(|(_, last)| *last != look) {
            out.push((picture, look));
        }
    }
    out
}
