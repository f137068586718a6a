//! The parser of the referee's lines, for bots in Rust. The referee is trusted to write valid JSON.
//! A `turn` is parsed without copying the view, and messages of later versions are ignored.

use crate::bot_line::{text_of, unreadable};
use crate::line_error::LineError;
use crate::messages::{End, ErrorMessage, RefereeHello, RefereeMessage, Start, Turn};
use crate::reason;
use crate::strict_json;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// A message of the referee: [`RefereeMessage`], with the game's JSON of `start` and `turn`
/// borrowed from the line.
#[derive(Clone, Debug)]
pub enum RefereeLine<'a> {
    /// The first line.
    Hello(RefereeHello),
    /// A game starts.
    Start(Box<Start<&'a RawValue>>),
    /// The bot is to move.
    Turn(Turn<&'a RawValue>),
    /// The game is over.
    End(End),
    /// The error in the bot's last message.
    Error(ErrorMessage),
    /// Exit now.
    Quit,
    /// A message of an unknown type, from a later version: ignore it.
    Unknown {
        /// Its type.
        kind: Cow<'a, str>,
    },
}

/// The type of a message, and the fields of a `turn`, borrowed from the line.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    turn: Option<&'a RawValue>,
    #[serde(borrow)]
    seat: Option<&'a RawValue>,
    #[serde(borrow)]
    view: Option<&'a RawValue>,
    #[serde(borrow)]
    legal: Option<&'a RawValue>,
    #[serde(borrow)]
    clock: Option<&'a RawValue>,
}

/// Parses one line of the referee, with or without its newline.
///
/// ```
/// use botyard_protocol::{RefereeLine, parse_referee_line};
///
/// let line = br#"{"type":"turn","turn":1,"seat":"mr-x","view":{"round":1},"legal":[1,2],
///     "clock":{"kind":"wall","move_ms":1000,"bank_ms":null,"increment_ms":0}}"#;
/// let Ok(RefereeLine::Turn(turn)) = parse_referee_line(line) else { panic!() };
/// assert_eq!(turn.view.get(), r#"{"round":1}"#);
/// ```
///
/// # Errors
///
/// A line that is not a JSON object, has no `type`, or does not match its type.
pub fn parse_referee_line(line: &[u8]) -> Result<RefereeLine<'_>, LineError> {
    let json = text_of(line)?;
    let envelope: Envelope =
        serde_json::from_str(json).map_err(|error| unreadable(&error, json))?;
    let Some(kind) = envelope.kind else {
        return Err(LineError::MissingType { expected: "a type of the referee's messages" });
    };
    let malformed = |message: &'static str| {
        move |error: serde_json::Error| LineError::Malformed {
            message,
            reason: reason::of_data(&error, json),
            byte: strict_json::byte_of(&error, json),
        }
    };
    if kind == "turn" {
        return match (envelope.turn, envelope.seat, envelope.view, envelope.clock) {
            (Some(turn), Some(seat), Some(view), Some(clock)) => Ok(RefereeLine::Turn(Turn {
                turn: serde_json::from_str(turn.get()).map_err(malformed("turn"))?,
                seat: serde_json::from_str(seat.get()).map_err(malformed("turn"))?,
                view,
                legal: envelope.legal.filter(|legal| legal.get() != "null"),
                clock: serde_json::from_str(clock.get()).map_err(malformed("turn"))?,
            })),
            (turn, seat, view, _) => Err(LineError::MissingField {
                message: "turn",
                field: match (turn, seat, view) {
                    (None, _, _) => "turn",
                    (_, None, _) => "seat",
                    (_, _, None) => "view",
                    _ => "clock",
                },
                expected: "required",
            }),
        };
    }
    // Long messages are parsed directly into their types, not through `Value`.
    let message = match &*kind {
        "start" => {
            let start = serde_json::from_str(json).map_err(malformed("start"))?;
            return Ok(RefereeLine::Start(Box::new(start)));
        }
        "end" => {
            return Ok(RefereeLine::End(serde_json::from_str(json).map_err(malformed("end"))?));
        }
        "hello" => "hello",
        "error" => "error",
        "quit" => "quit",
        _ => return Ok(RefereeLine::Unknown { kind }),
    };
    Ok(match serde_json::from_str(json).map_err(malformed(message))? {
        RefereeMessage::Hello(hello) => RefereeLine::Hello(hello),
        RefereeMessage::Error(error) => RefereeLine::Error(error),
        RefereeMessage::Quit => RefereeLine::Quit,
        RefereeMessage::Start(_) | RefereeMessage::End(_) | RefereeMessage::Turn(_) => {
            unreachable!("these were read above")
        }
    })
}
