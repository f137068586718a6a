//! A position in a text that knows its line and column, and moves forwards. Lines end with a line
//! feed, a carriage return or both.

use std::fmt;

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// The most bytes of a line that are looked at ahead.
const LONGEST_LINE: usize = 8192;

/// A position in a text. To look ahead, copy it.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    /// The position in bytes: always at the beginning of a character.
    at: usize,
    place: Place,
}

impl<'a> Cursor<'a> {
    /// Returns the beginning of a text.
    pub(super) fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, at: 0, place: Place { line: 1, column: 1 } }
    }

    /// Returns the line and the column.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// Returns the text from here.
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Returns the rest of the line, without its end, and at most the first bytes of a long one.
    pub(super) fn rest_of_line(&self) -> &'a str {
        let rest = self.rest();
        let mut most = rest.len().min(LONGEST_LINE);
        while !rest.is_char_boundary(most) {
            most -= 1;
        }
        &rest[..rest[..most].find(is_line_end).unwrap_or(most)]
    }

    /// Returns the text between an earlier cursor and this one.
    pub(super) fn since(&self, earlier: &Cursor<'a>) -> &'a str {
        &self.text[earlier.at..self.at]
    }

    /// Returns the next character.
    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Advances by this number of bytes, to the end of a character.
    pub(super) fn advance(&mut self, bytes: usize) {
        let mut passed = self.rest()[..bytes].chars().peekable();
        let after = self.text.as_bytes().get(self.at + bytes);
        while let Some(character) = passed.next() {
            let next = passed.peek().copied().or(after.map(|&byte| char::from(byte)));
            // The two characters of one line end count once.
            if character == '\n' || character == '\r' && next != Some('\n') {
                self.place = Place { line: self.place.line + 1, column: 1 };
            } else {
                self.place.column += 1;
            }
        }
        self.at += bytes;
    }

    /// Advances past the characters for which `passes` is true, and returns them.
    pub(super) fn skip_while(&mut self, passes: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|character| !passes(character)).unwrap_or(rest.len());
        self.advance(end);
        &rest[..end]
    }

    /// Advances past this character, if it is the next one.
    pub(super) fn skip(&mut self, character: char) -> bool {
        let found = self.peek() == Some(character);
        if found {
            self.advance(character.len_utf8());
        }
        found
    }

    /// Returns whether only space precedes this position in its line.
    pub(super) fn at_line_start(&self) -> bool {
        let before = self.text[..self.at].trim_end_matches(|c| is_space(c) && !is_line_end(c));
        before.is_empty() || before.ends_with(is_line_end)
    }
}

/// Returns whether a character ends a line.
pub(super) fn is_line_end(character: char) -> bool {
    matches!(character, '\n' | '\r')
}

/// Returns whether a character separates words: white space, a byte order mark between two files
/// that were joined, or the end of a file under DOS.
pub(in crate::draughts) fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{feff}' | '\u{1a}' | '\u{200b}')
}

/// Returns whether a text has an empty line, or one with space alone. The text begins in a line.
pub(super) fn has_empty_line(text: &str) -> bool {
    let mut is_empty = false;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character == '\n' || character == '\r' && characters.peek() != Some(&'\n') {
            if is_empty {
                return true;
            }
            is_empty = true;
        } else if !is_space(character) {
            is_empty = false;
        }
    }
    false
}

/// Returns the lines of a text, without their ends.
pub(in crate::draughts) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut returned = false;
    text.split_inclusive(is_line_end).filter_map(move |piece| {
        // A line feed after a carriage return belongs to the same line end.
        let is_line = !(returned && piece == "\n");
        returned = piece.ends_with('\r');
        is_line.then(|| piece.trim_end_matches(is_line_end))
    })
}
