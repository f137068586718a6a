//! The messages of DXP, as they are read and written.

use crate::position_text::DXP;
use botyard_engine::draughts::{Colour, Move, Position};
use std::time::Duration;

/// The version of DXP.
pub(super) const VERSION: u16 = 1;

/// The length of a name.
pub(super) const NAME_BYTES: usize = 32;

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Message {
    /// `R`: requests a game.
    Request(Request),
    /// `R` of this other version of the protocol.
    OtherVersion(String),
    /// `A`: accepts it, if the code is `0`.
    Accept { name: String, code: char },
    /// `M`: a move.
    Move { from: u8, to: u8, captured: Vec<u8> },
    /// `E`: ends the game.
    End { reason: char, stop: char },
    /// `C`: a text for the person.
    Chat(String),
    /// `B`: asks to take back moves.
    BackRequest,
}

/// `R`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) name: String,
    pub(super) follower: Colour,
    pub(super) minutes: u16,
    pub(super) moves: u16,
    /// `None`: the normal start.
    pub(super) position: Option<String>,
}

impl Request {
    /// Returns the request as it is written.
    pub(super) fn write(&self) -> String {
        let start = match &self.position {
            Some(position) => format!("B{position}"),
            None => "A".into(),
        };
        format!(
            "R{VERSION:02}{}{}{:03}{:03}{start}",
            padded(&self.name),
            DXP.side(self.follower),
            self.minutes.min(999),
            self.moves.min(999)
        )
    }

    /// Returns the position in which the requested game begins.
    pub(super) fn position(&self) -> Result<Position, String> {
        match &self.position {
            None => Ok(Position::START),
            Some(text) => DXP.read(text).map_err(|error| error.to_string()),
        }
    }
}

/// Returns a name in the length that a message has for it.
pub(super) fn padded(name: &str) -> String {
    let ascii: String = name.chars().filter(|c| c.is_ascii_graphic() || *c == ' ').collect();
    format!("{:NAME_BYTES$.NAME_BYTES$}", ascii.trim_start())
}

impl Message {
    /// Reads a message, which has a character for each byte; `None` if it is none of the protocol. Names and texts may be
    /// in any encoding.
    pub(super) fn read(text: &str) -> Option<Message> {
        let plain: String = text.chars().map(|c| if c.is_ascii() { c } else { '?' }).collect();
        let rest = plain.get(1..)?;
        let number = |range: std::ops::Range<usize>| -> Option<u16> {
            let digits = rest.get(range)?;
            digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
        };
        let character = |at: usize| rest[..].chars().nth(at);
        let square = |at: usize| number(at..at + 2).and_then(|number| u8::try_from(number).ok());
        let side = |letter| Colour::ALL.into_iter().find(|&colour| DXP.side(colour) == letter);
        match plain.chars().next()? {
            'R' if number(0..2)? != VERSION => Some(Message::OtherVersion(rest.get(..2)?.into())),
            'R' => Some(Message::Request(Request {
                name: rest.get(2..34)?.trim().into(),
                follower: side(character(34)?)?,
                minutes: number(35..38)?,
                moves: number(38..41)?,
                position: match character(41)? {
                    'A' => None,
                    'B' => Some(rest.get(42..)?.into()),
                    _ => return None,
                },
            })),
            'A' => Some(Message::Accept {
                name: rest.get(..NAME_BYTES)?.trim().into(),
                code: character(NAME_BYTES)?,
            }),
            'M' => {
                number(0..4)?;
                let captured = (0..usize::from(number(8..10)?)).map(|index| square(10 + 2 * index));
                let captured = captured.collect::<Option<_>>()?;
                Some(Message::Move { from: square(4)?, to: square(6)?, captured })
            }
            'E' => Some(Message::End { reason: character(0)?, stop: character(1)? }),
            'C' => Some(Message::Chat(readable(text.get(1..)?))),
            'B' => Some(Message::BackRequest),
            _ => None,
        }
    }
}

/// Returns a text of an engine, which has a character for each byte: as UTF-8 if it is that, as Latin-1 otherwise.
fn readable(text: &str) -> String {
    let bytes: Option<Vec<u8>> = text.chars().map(|c| u8::try_from(c).ok()).collect();
    bytes.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_else(|| text.to_string())
}

/// Writes a move that took this time.
pub(super) fn move_message(mv: Move, time: Duration) -> String {
    let captured: String =
        mv.captured().into_iter().map(|square| format!("{:02}", square.number())).collect();
    format!(
        "M{:04}{:02}{:02}{:02}{captured}",
        time.as_secs().min(9999),
        mv.from().number(),
        mv.to().number(),
        mv.jumps()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the specification, in its layout; positions have 32 squares.
    #[test]
    fn messages_of_the_specification() {
        let request = Request {
            name: "Tornado voor Windows 4.0".into(),
            follower: Colour::Black,
            minutes: 60,
            moves: 50,
            position: None,
        };
        let with_position = Request {
            position: Some("WZeeeeeeeeeezeeeeeWeeeeeeeeWeeeee".into()),
            follower: Colour::White,
            ..request.clone()
        };
        for (text, expected) in [
            (
                "R01Tornado voor Windows 4.0        Z060050A",
                Some(Message::Request(request.clone())),
            ),
            (
                "R01Tornado voor Windows 4.0        W060050BWZeeeeeeeeeezeeeeeWeeeeeeeeWeeeee",
                Some(Message::Request(with_position.clone())),
            ),
            (
                "ATornado voor Windows 4.0        0",
                Some(Message::Accept { name: "Tornado voor Windows 4.0".into(), code: '0' }),
            ),
            ("M0012061100", Some(Message::Move { from: 6, to: 11, captured: vec![] })),
            (
                "M001205250422122320",
                Some(Message::Move { from: 5, to: 25, captured: vec![22, 12, 23, 20] }),
            ),
            ("E00", Some(Message::End { reason: '0', stop: '0' })),
            (
                "CWhat do you think about move 35?",
                Some(Message::Chat("What do you think about move 35?".into())),
            ),
            // Names and texts in Latin-1 and in UTF-8: each byte is a character.
            (
                "AD\u{e9}m\u{f6}                            0",
                Some(Message::Accept { name: "D?m?".into(), code: '0' }),
            ),
            (
                "AD\u{c3}\u{a9}mo                           0",
                Some(Message::Accept { name: "D??mo".into(), code: '0' }),
            ),
            ("Chello caf\u{e9}", Some(Message::Chat("hello caf\u{e9}".into()))),
            ("Chello caf\u{c3}\u{a9}", Some(Message::Chat("hello caf\u{e9}".into()))),
            ("M00\u{b2}20611\u{b2}0", None),
            ("B005Z", Some(Message::BackRequest)),
            ("", None),
            ("M", None),
            ("M00120611", None),
            ("M0012061101", None),
            ("M001x061100", None),
            ("M+012061100", None),
            ("E", None),
            ("A", None),
            (
                "R02Tornado voor Windows 4.0        Z060050A",
                Some(Message::OtherVersion("02".into())),
            ),
            ("R", None),
            ("R0", None),
            ("RA1Tornado voor Windows 4.0        Z060050A", None),
            ("R01Tornado voor Windows 4.0        Q060050A", None),
            ("\u{e9}", None),
            ("Q", None),
        ] {
            assert_eq!(Message::read(text), expected, "{text}");
        }
        for request in [request, with_position] {
            assert_eq!(Message::read(&request.write()), Some(Message::Request(request)));
        }
    }

    #[test]
    fn moves_are_written_with_the_time_and_the_captured_pieces() {
        for (mv, seconds, expected) in [
            ("6-9", 12, "M0012060900"),
            ("22x15x8", 0, "M00002208021118"),
            ("11-15", 20_000, "M9999111500"),
        ] {
            let mv: Move = mv.parse().unwrap();
            assert_eq!(move_message(mv, Duration::from_secs(seconds)), expected);
        }
    }
}
