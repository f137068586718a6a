//! A game in PDN: tags, moves and a result, for reading and writing. It need not be legal:
//! replaying it under the rules finds out.

use super::cursor::{Place, is_space};
use super::move_text::{MoveText, is_dash};
use super::pdn_reader::PdnError;
use super::pdn_tag::is_name;
use crate::draughts::colour::Colour;
use std::fmt;

/// The result of a game in PDN.
///
/// In checkers practice `1-0` means that the side that moves first won: Black, in English draughts.
/// In PDN from programs written with chess in mind it may mean White; the text alone does not show
/// which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PdnResult {
    /// `1-0`, or `2-0`: the first mover won.
    FirstWon,
    /// `0-1`, or `0-2`: the second mover won.
    SecondWon,
    /// `1/2-1/2`, or `1-1`.
    Drawn,
    /// `*`, or `0-0`: unfinished or unknown.
    Unknown,
}

impl PdnResult {
    /// Returns the result of a game that `winner` won. `first` is the side that moves first from
    /// the start position.
    pub fn won_by(winner: Colour, first: Colour) -> PdnResult {
        if winner == first { PdnResult::FirstWon } else { PdnResult::SecondWon }
    }

    /// Returns the winner, where `first` is the side that moves first from the start position.
    pub fn winner(self, first: Colour) -> Option<Colour> {
        match self {
            PdnResult::FirstWon => Some(first),
            PdnResult::SecondWon => Some(first.other()),
            PdnResult::Drawn | PdnResult::Unknown => None,
        }
    }

    /// Parses a result, with any dash and with space around it.
    pub fn from_word(word: &str) -> Option<PdnResult> {
        let characters = word.chars().filter(|&character| !is_space(character));
        let plain: String = characters.map(|c| if is_dash(c) { '-' } else { c }).collect();
        match plain.as_str() {
            "1-0" | "2-0" => Some(PdnResult::FirstWon),
            "0-1" | "0-2" => Some(PdnResult::SecondWon),
            "1/2-1/2" | "1/2" | "1-1" | "\u{bd}-\u{bd}" | "\u{bd}" => Some(PdnResult::Drawn),
            "*" | "0-0" => Some(PdnResult::Unknown),
            _ => None,
        }
    }
}

impl fmt::Display for PdnResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PdnResult::FirstWon => "1-0",
            PdnResult::SecondWon => "0-1",
            PdnResult::Drawn => "1/2-1/2",
            PdnResult::Unknown => "*",
        })
    }
}

/// One move of a game, with its place in the text that it came from.
#[derive(Clone, Debug)]
pub struct RecordedMove {
    /// The move as it was written.
    pub text: MoveText,
    /// Where the move begins; `None` for a move that was not read.
    pub place: Option<Place>,
}

/// Ignores the place.
impl PartialEq for RecordedMove {
    fn eq(&self, other: &RecordedMove) -> bool {
        self.text == other.text
    }
}

/// A game.
#[derive(Clone, Debug)]
pub struct PdnGame {
    /// The tags in their order in the file: names and values.
    pub tags: Vec<(String, String)>,
    /// Where each tag begins, in the same order; empty for a game that was not read.
    pub tag_places: Vec<Place>,
    /// The moves of the main line.
    pub moves: Vec<RecordedMove>,
    /// The result at the end of the moves, or in the tag `Result` if there is none.
    pub result: PdnResult,
    /// What the reader could not make sense of, and left out.
    pub notes: Vec<PdnError>,
}

/// Ignores the places of the tags.
impl PartialEq for PdnGame {
    fn eq(&self, other: &PdnGame) -> bool {
        (&self.tags, &self.moves, self.result, &self.notes)
            == (&other.tags, &other.moves, other.result, &other.notes)
    }
}

impl PdnGame {
    /// Returns the value of the first tag of this name, in capitals or small letters.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.index_of(name).map(|index| self.tags[index].1.as_str())
    }

    /// Returns where the first tag of this name begins.
    pub fn tag_place(&self, name: &str) -> Option<Place> {
        self.tag_places.get(self.index_of(name)?).copied()
    }

    fn index_of(&self, name: &str) -> Option<usize> {
        self.tags.iter().position(|(key, _)| key.eq_ignore_ascii_case(name))
    }

    /// Writes PDN like its `Display`, with a comment in braces after each move that has one here, in
    /// the order of the moves. Braces in a comment are left out.
    pub fn with_comments(&self, comments: &[String]) -> String {
        Commented { game: self, comments }.to_string()
    }
}

/// A game with comments on its moves.
struct Commented<'a> {
    game: &'a PdnGame,
    comments: &'a [String],
}

/// The largest width of a written line of moves.
const WIDTH: usize = 79;

/// Writes PDN: the tags, an empty line, the moves in pairs from the side that moves first here, the
/// result, an empty line. The tag `Result` is written to agree with the result. Tags whose names PDN
/// cannot express are left out.
impl fmt::Display for PdnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Commented { game: self, comments: &[] }.fmt(f)
    }
}

impl fmt::Display for Commented<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Commented { game, comments } = self;
        let result = game.result.to_string();
        let mut has_result = false;
        for (name, value) in game.tags.iter().filter(|(name, _)| is_name(name)) {
            let is_result = name.eq_ignore_ascii_case("Result");
            has_result |= is_result;
            let differs = is_result && PdnResult::from_word(value) != Some(game.result);
            let value = if differs { &result } else { value };
            writeln!(f, "[{name} \"{}\"]", quoted(value))?;
        }
        if !has_result {
            writeln!(f, "[Result \"{result}\"]")?;
        }
        writeln!(f)?;
        let mut column = 0;
        let mut word = |f: &mut fmt::Formatter<'_>, word: &str| {
            if column > 0 && column + 1 + word.len() > WIDTH {
                writeln!(f)?;
                column = 0;
            } else if column > 0 {
                write!(f, " ")?;
                column += 1;
            }
            column += word.len();
            f.write_str(word)
        };
        for (index, mv) in game.moves.iter().enumerate() {
            if index % 2 == 0 {
                word(f, &format!("{}.", index / 2 + 1))?;
            }
            word(f, &mv.text.to_string())?;
            let comment = comments.get(index).map_or("", String::as_str).replace(['{', '}'], "");
            let mut words = comment.split_whitespace().peekable();
            let mut open = "{";
            while let Some(text) = words.next() {
                let close = if words.peek().is_none() { "}" } else { "" };
                word(f, &format!("{open}{text}{close}"))?;
                open = "";
            }
        }
        word(f, &result)?;
        writeln!(f, "\n")
    }
}

/// Returns a tag's value for writing between quotes: on one line, its quotes and backslashes
/// escaped.
fn quoted(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for character in value.chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            _ if character.is_control() => text.push(' '),
            _ => text.push(character),
        }
    }
    text
}
