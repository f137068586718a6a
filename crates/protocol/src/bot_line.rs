//! The parser of a bot's lines: it returns a message, or an error that explains what is wrong. This
//! is the referee's side: it validates everything and copies as little as possible. The referee
//! checks whether the message was due, and the game whether the action is legal.

use crate::line_error::LineError;
use crate::messages::{BotHello, Limits, Move};
use crate::reason;
use crate::strict_json::{self, Key, Keys, MAX_NESTING};
use crate::text::excerpt;
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// A message of a bot, borrowed from its line: [`crate::BotMessage`] without copies.
#[derive(Clone, Debug)]
pub enum BotLine<'a> {
    /// The bot's name and the games it plays.
    Hello(BotHello),
    /// Set-up is done.
    Ready,
    /// A decision; the game's JSON as in the line, checked but not interpreted.
    Move(Move<&'a RawValue>),
    /// Free text for the game's log, not escaped: see [`crate::printable`].
    Log {
        /// The text.
        text: Cow<'a, str>,
    },
}

impl BotLine<'_> {
    /// Returns the message's `type`.
    pub const fn kind(&self) -> &'static str {
        match self {
            BotLine::Hello(_) => "hello",
            BotLine::Ready => "ready",
            BotLine::Move(_) => "move",
            BotLine::Log { .. } => "log",
        }
    }
}

const TYPES: &str = "one of \"hello\", \"ready\", \"move\", \"log\"";

/// Parses one line of a bot, without its newline.
///
/// The whole line is validated, whether it is used or not: UTF-8, one JSON object, `limits.nesting`
/// (at most [`MAX_NESTING`]), unique keys, integers of at most 53 bits and finite doubles, the
/// required fields of the message and their types. Unknown fields are allowed.
/// [`crate::LineBuffer`] enforces `limits.line_bytes`; the referee checks the version in a `hello`
/// and the number in a `move`.
///
/// ```
/// use botyard_protocol::{BotLine, Limits, parse_bot_line};
///
/// let limits = Limits::default();
/// let line = br#"{"type":"move","turn":7,"action":{"ticket":"taxi","to":45}}"#;
/// let Ok(BotLine::Move(answer)) = parse_bot_line(line, &limits) else { panic!() };
/// assert_eq!((answer.turn, answer.action.get()), (7, r#"{"ticket":"taxi","to":45}"#));
///
/// let error = parse_bot_line(br#"{"type":"move","turn":"7"}"#, &limits).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     r#""turn" in a "move" message must be an integer from 0 to 4294967295, not the string "7" (byte 23)"#
/// );
/// ```
///
/// # Errors
///
/// The first error in the line.
pub fn parse_bot_line<'a>(line: &'a [u8], limits: &Limits) -> Result<BotLine<'a>, LineError> {
    let json = text_of(line)?;
    let fields = Fields::read(json, limits.nesting.min(MAX_NESTING))?;
    let Some(kind) = fields.kind else {
        return Err(LineError::MissingType { expected: TYPES });
    };
    match &*type_name(kind)? {
        "move" => {
            let turn = TURN.get(fields.turn.ok_or(TURN.missing())?, json)?;
            let action = fields.action.ok_or(ACTION.missing())?;
            let info = fields.info.filter(|info| info.get() != "null");
            if let Some(info) = info.filter(|info| !info.get().starts_with('{')) {
                return Err(INFO.wrong(info, json));
            }
            Ok(BotLine::Move(Move { turn, action, info }))
        }
        "ready" => Ok(BotLine::Ready),
        "log" => {
            let text = fields.text.ok_or(TEXT.missing())?;
            Ok(BotLine::Log { text: TEXT.get::<Text>(text, json)?.0 })
        }
        "hello" => match serde_json::from_str(json) {
            Ok(hello) => Ok(BotLine::Hello(hello)),
            Err(error) => Err(LineError::Malformed {
                message: "hello",
                reason: reason::of_data(&error, json),
                byte: strict_json::byte_of(&error, json),
            }),
        },
        _ => Err(LineError::UnknownType { expected: TYPES, found: shorten(kind) }),
    }
}

/// Returns the line as text that is not blank.
pub(crate) fn text_of(line: &[u8]) -> Result<&str, LineError> {
    if line.starts_with(b"\xEF\xBB\xBF") {
        return Err(LineError::ByteOrderMark);
    }
    let json = std::str::from_utf8(line).map_err(|error| {
        let at = error.valid_up_to();
        LineError::NotUtf8 { found: line[at], byte: at + 1 }
    })?;
    if line.iter().all(u8::is_ascii_whitespace) { Err(LineError::Empty) } else { Ok(json) }
}

/// Returns the error for a line that `serde_json` could not parse.
pub(crate) fn unreadable(error: &serde_json::Error, json: &str) -> LineError {
    match json.bytes().position(|byte| byte == 0) {
        Some(at) => LineError::Nul { byte: at + 1 },
        None => LineError::NotJson {
            reason: match json.trim_start().starts_with('{') {
                true => reason::of_syntax(error, json),
                false => reason::DEBUG_PRINT.to_owned(),
            },
            byte: strict_json::byte_of(error, json),
        },
    }
}

/// Returns a value as evidence, after the word for its kind in JSON where the text does not show
/// it.
fn described(value: &RawValue) -> String {
    let kind = match value.get().as_bytes().first() {
        Some(b'"') => "the string ",
        Some(b'[') => "the array ",
        Some(b'{') => "the object ",
        _ => "",
    };
    format!("{kind}{}", shorten(value))
}

fn shorten(value: &RawValue) -> String {
    excerpt(value.get().as_bytes(), 60)
}

/// Returns the text of a `type`; the most frequent one without parsing.
fn type_name(kind: &RawValue) -> Result<Cow<'_, str>, LineError> {
    if kind.get() == "\"move\"" {
        return Ok(Cow::Borrowed("move"));
    }
    let text: Result<Text, _> = serde_json::from_str(kind.get());
    text.map(|text| text.0)
        .map_err(|_| LineError::UnknownType { expected: TYPES, found: shorten(kind) })
}

/// A string, borrowed if it has no escapes.
#[derive(Deserialize)]
#[serde(transparent)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// A field of a message, for its error messages.
struct Field {
    message: &'static str,
    name: &'static str,
    expected: &'static str,
}

const TURN: Field =
    Field { message: "move", name: "turn", expected: "an integer from 0 to 4294967295" };
const ACTION: Field = Field { message: "move", name: "action", expected: "a legal action" };
const INFO: Field = Field { message: "move", name: "info", expected: "an object" };
const TEXT: Field = Field { message: "log", name: "text", expected: "a string" };

impl Field {
    const fn missing(&self) -> LineError {
        LineError::MissingField { message: self.message, field: self.name, expected: self.expected }
    }

    fn wrong(&self, value: &RawValue, line: &str) -> LineError {
        LineError::WrongField {
            message: self.message,
            field: self.name,
            expected: self.expected,
            found: described(value),
            byte: offset(value, line) + 1,
        }
    }

    fn get<'a, T: Deserialize<'a>>(&self, value: &'a RawValue, line: &str) -> Result<T, LineError> {
        serde_json::from_str(value.get()).map_err(|_| self.wrong(value, line))
    }
}

/// Returns the offset of `value` in `line`, in bytes.
fn offset(value: &RawValue, line: &str) -> usize {
    value.get().as_ptr().addr() - line.as_ptr().addr()
}

/// The known fields of all messages, borrowed from the line and validated.
#[derive(Default)]
struct Fields<'a> {
    kind: Option<&'a RawValue>,
    turn: Option<&'a RawValue>,
    action: Option<&'a RawValue>,
    info: Option<&'a RawValue>,
    text: Option<&'a RawValue>,
}

impl<'a> Fields<'a> {
    fn read(json: &'a str, nesting: u32) -> Result<Fields<'a>, LineError> {
        let mut fields = Fields::default();
        let mut refused = None;
        let mut reader = serde_json::Deserializer::from_str(json);
        let visitor = FieldsVisitor { json, nesting, fields: &mut fields, refused: &mut refused };
        match reader.deserialize_any(visitor).and_then(|()| reader.end()) {
            Ok(()) => Ok(fields),
            Err(error) => Err(match refused {
                Some(Refusal::Line(refused)) => refused,
                Some(Refusal::Key(refused)) => refused.at(strict_json::byte_of(&error, json)),
                None => unreadable(&error, json),
            }),
        }
    }
}

/// An error of a visitor that `serde_json`'s error cannot carry.
enum Refusal {
    Line(LineError),
    Key(strict_json::KeyError),
}

struct FieldsVisitor<'f, 'a> {
    json: &'a str,
    nesting: u32,
    fields: &'f mut Fields<'a>,
    refused: &'f mut Option<Refusal>,
}

impl FieldsVisitor<'_, '_> {
    fn refuse<E: Error>(&mut self, refusal: Refusal) -> E {
        *self.refused = Some(refusal);
        E::custom("refused")
    }

    fn no_object<E: Error>(mut self, found: &'static str) -> Result<(), E> {
        Err(self.refuse(Refusal::Line(LineError::NotAnObject { found })))
    }
}

impl<'de> Visitor<'de> for FieldsVisitor<'_, 'de> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<(), A::Error> {
        if self.nesting == 0 {
            let error = LineError::TooDeep { limit: 0, byte: 1 };
            return Err(self.refuse(Refusal::Line(error)));
        }
        let mut keys = Keys::default();
        while let Some(key) = entries.next_key_seed(Key)? {
            let field = match &*key {
                "type" => Some(&mut self.fields.kind),
                "turn" => Some(&mut self.fields.turn),
                "action" => Some(&mut self.fields.action),
                "info" => Some(&mut self.fields.info),
                "text" => Some(&mut self.fields.text),
                _ => None,
            };
            if let Err(error) = keys.insert(key) {
                return Err(self.refuse(Refusal::Key(error)));
            }
            let value: &RawValue = entries.next_value()?;
            let base = offset(value, self.json);
            if let Some(field) = field {
                *field = Some(value);
            }
            strict_json::check(value.get(), base, 1, self.nesting)
                .map_err(|error| self.refuse(Refusal::Line(error)))?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<(), A::Error> {
        self.no_object("an array")
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        self.no_object("a string")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.no_object("a boolean")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.no_object("null")
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.no_object("a number")
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.no_object("a number")
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.no_object("a number")
    }
}
