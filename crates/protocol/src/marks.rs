//! Marks on the board: what a bot draws in the field `draw` of its `info`.
//!
//! The referee does not read them, so a mark that is wrong never costs a game. A viewer reads them with
//! [`Marks::read`], which keeps what it understands and says what it left out.

use crate::strict_json::MAX_INTEGER;
use crate::text::printable;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// The most marks of a move.
pub const MOST_MARKS: usize = 200;

/// The most places of a line or an arrow.
pub const MOST_PLACES: usize = 32;

/// The longest text of a mark, and the longest name of a place, in characters.
pub const MOST_TEXT: usize = 40;

/// The most numbers of a place.
const MOST_NUMBERS: usize = 8;

/// How much of a value is quoted, in characters.
const QUOTED: usize = 60;

/// The colours that have a name.
pub const COLORS: [(&str, &str); 8] = [
    ("black", "#2b2927"),
    ("white", "#f3eee2"),
    ("red", "#b5322c"),
    ("blue", "#2b62a6"),
    ("green", "#2f7a4c"),
    ("yellow", "#e3b53a"),
    ("purple", "#71479c"),
    ("orange", "#cf7128"),
];

/// A place on the board, as the game names it: a square, a station, an area, a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(untagged)]
pub enum Place {
    /// A number, such as that of a station.
    Number(i64),
    /// A name of at most 40 characters, such as `c3`, or a number as text.
    Name(String),
    /// One to eight numbers, such as the column and the row of a cell.
    Numbers(Vec<i64>),
}

/// What is drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// A circle around a place.
    Point(Place),
    /// A line through 2 to 32 places.
    Line(Vec<Place>),
    /// The same with a head at its end.
    Arrow(Vec<Place>),
}

/// A mark on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Mark {
    /// What is drawn, and where.
    #[serde(flatten)]
    pub shape: Shape,
    /// `black`, `white`, `red`, `blue`, `green`, `yellow`, `purple`, `orange` or `#rrggbb`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// A text of at most 40 characters, at the point or beside the middle of the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Mark {
    /// Returns a circle around a place.
    ///
    /// ```
    /// use botyard_protocol::{Info, Mark};
    ///
    /// let marks = vec![Mark::arrow([11, 15]).color("red"), Mark::point("c3").text("0.4")];
    /// let info = Info { draw: Some(marks), ..Info::default() };
    /// let json = r##"{"draw":[{"arrow":[11,15],"color":"red"},{"point":"c3","text":"0.4"}]}"##;
    /// assert_eq!(serde_json::to_string(&info)?, json);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn point(place: impl Into<Place>) -> Mark {
        Shape::Point(place.into()).into()
    }

    /// Returns a line through places: 2 to 32.
    pub fn line(places: impl IntoIterator<Item = impl Into<Place>>) -> Mark {
        Shape::Line(places.into_iter().map(Into::into).collect()).into()
    }

    /// Returns a line through places with a head at its end.
    pub fn arrow(places: impl IntoIterator<Item = impl Into<Place>>) -> Mark {
        Shape::Arrow(places.into_iter().map(Into::into).collect()).into()
    }

    /// Sets the colour: a name of [`COLORS`] or `#rrggbb`.
    #[must_use]
    pub fn color(self, color: impl Into<String>) -> Mark {
        Mark { color: Some(color.into()), ..self }
    }

    /// Sets the text, of at most 40 characters.
    #[must_use]
    pub fn text(self, text: impl Into<String>) -> Mark {
        Mark { text: Some(text.into()), ..self }
    }
}

impl From<Shape> for Mark {
    fn from(shape: Shape) -> Mark {
        Mark { shape, color: None, text: None }
    }
}

impl From<i64> for Place {
    fn from(number: i64) -> Place {
        Place::Number(number)
    }
}

impl From<&str> for Place {
    fn from(name: &str) -> Place {
        Place::Name(name.to_string())
    }
}

impl From<Vec<i64>> for Place {
    fn from(numbers: Vec<i64>) -> Place {
        Place::Numbers(numbers)
    }
}

/// The marks of a move, as far as they are understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// The marks to show. Colours are `#rrggbb`, in lower case.
    pub shown: Vec<Mark>,
    /// What was left out and why: for each mark at most one sentence without a full stop.
    pub notes: Vec<String>,
}

impl Marks {
    /// Reads the field `draw` of a bot's `info`.
    ///
    /// ```
    /// use botyard_protocol::Marks;
    /// use serde_json::json;
    ///
    /// let marks = Marks::read(&json!([{"arrow": ["11", "15"], "color": "red"}, {"point": 3, "color": "url(x)"}]));
    /// assert_eq!(json!(marks.shown), json!([{"arrow": ["11", "15"], "color": "#b5322c"}]));
    /// assert!(marks.notes[0].starts_with("info.draw[1].color: expected black, white,"), "{:?}", marks.notes);
    /// ```
    pub fn read(draw: &Value) -> Marks {
        let mut marks = Marks::default();
        let items = match draw {
            Value::Array(items) => items,
            other => {
                let got = quoted(other);
                marks.notes.push(format!("info.draw: expected an array of marks, got {got}"));
                return marks;
            }
        };
        for (index, item) in items.iter().take(MOST_MARKS).enumerate() {
            match mark(item) {
                Ok(mark) => marks.shown.push(mark),
                Err(reason) => marks.notes.push(format!("info.draw[{index}]{reason}")),
            }
        }
        if items.len() > MOST_MARKS {
            let got = items.len();
            marks.notes.push(format!("info.draw: expected at most {MOST_MARKS} marks, got {got}"));
        }
        marks
    }
}

/// Reads a field `draw`, whatever it is: what a bot draws must not hide the rest of its `info`.
pub(crate) fn lenient<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<Mark>>, D::Error> {
    let draw = Option::<Value>::deserialize(from)?;
    Ok(draw.map(|draw| Marks::read(&draw).shown))
}

fn quoted(value: &Value) -> String {
    printable(&value.to_string(), QUOTED)
}

/// Reads a mark. The reason begins with the field, or with a colon.
fn mark(item: &Value) -> Result<Mark, String> {
    let Value::Object(fields) = item else {
        return Err(format!(": expected an object, got {}", quoted(item)));
    };
    let given = |name: &str| fields.get(name).filter(|value| !value.is_null());
    let shape = match [given("point"), given("line"), given("arrow")] {
        [Some(at), None, None] => Shape::Point(place(at, ".point")?),
        [None, Some(at), None] => Shape::Line(places(at, ".line")?),
        [None, None, Some(at)] => Shape::Arrow(places(at, ".arrow")?),
        _ => return Err(format!(": expected one of point, line and arrow, got {}", names(fields))),
    };
    if let Some(name) = fields.keys().find(|name| !FIELDS.contains(&name.as_str())) {
        let name = printable(name, QUOTED);
        let known = FIELDS.join(", ");
        return Err(format!(": expected no other fields than {known}, got {name:?}"));
    }
    let color = given("color").map(color).transpose()?;
    let text = given("text").map(text).transpose()?;
    Ok(Mark { shape, color, text })
}

const FIELDS: [&str; 5] = ["point", "line", "arrow", "color", "text"];

fn names(fields: &Map<String, Value>) -> String {
    let names: Vec<String> = fields.keys().map(|name| printable(name, QUOTED)).collect();
    if names.is_empty() {
        "an empty object".to_string()
    } else {
        printable(&names.join(", "), QUOTED)
    }
}

fn places(value: &Value, field: &str) -> Result<Vec<Place>, String> {
    let items = value.as_array().filter(|items| (2..=MOST_PLACES).contains(&items.len()));
    let Some(items) = items else {
        let got = match value {
            Value::Array(items) => format!("{} places", items.len()),
            other => quoted(other),
        };
        return Err(format!("{field}: expected an array of 2 to {MOST_PLACES} places, got {got}"));
    };
    let item = |(index, item)| place(item, &format!("{field}[{index}]"));
    items.iter().enumerate().map(item).collect()
}

fn place(value: &Value, field: &str) -> Result<Place, String> {
    let numbers = |items: &Vec<Value>| items.iter().map(whole).collect::<Option<Vec<i64>>>();
    let read = match value {
        Value::Number(_) => whole(value).map(Place::Number),
        Value::String(name) if !name.is_empty() && is_short(name) => {
            Some(Place::Name(name.clone()))
        }
        Value::Array(items) if (1..=MOST_NUMBERS).contains(&items.len()) => {
            numbers(items).map(Place::Numbers)
        }
        _ => None,
    };
    read.ok_or_else(|| {
        let got = quoted(value);
        format!(
            "{field}: expected a place of the board, a whole number, a name of at most {MOST_TEXT} characters or \
             an array of whole numbers, got {got}"
        )
    })
}

/// Reads a whole number, which may be written as `3.0`.
fn whole(value: &Value) -> Option<i64> {
    let limit = MAX_INTEGER as i64;
    let number = value.as_f64().filter(|number| number.fract() == 0.0)?;
    (number.abs() <= limit as f64).then_some(number as i64)
}

fn is_short(text: &str) -> bool {
    text.chars().take(MOST_TEXT + 1).count() <= MOST_TEXT
}

fn text(value: &Value) -> Result<String, String> {
    let read = match value {
        Value::String(text) if is_short(text) => Some(text.clone()),
        // A score is a number in every program.
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let got = || quoted(value);
    read.ok_or_else(|| {
        format!(".text: expected a text of at most {MOST_TEXT} characters, got {}", got())
    })
}

fn color(value: &Value) -> Result<String, String> {
    let read = value.as_str().and_then(|name| {
        if let Some((_, color)) = COLORS.iter().find(|(its, _)| *its == name) {
            return Some(color.to_string());
        }
        let digits = name.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        is_hex.then(|| name.to_ascii_lowercase())
    });
    read.ok_or_else(|| {
        let known: Vec<&str> = COLORS.iter().map(|(name, _)| *name).collect();
        format!(".color: expected {} or #rrggbb, got {}", known.join(", "), quoted(value))
    })
}
