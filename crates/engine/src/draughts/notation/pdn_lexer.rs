//! The words of PDN: tags, move numbers, moves, results, and what is none of these. Space, comments,
//! variations and annotation glyphs are skipped. Every other character of the text is part of a
//! token, so nothing is lost without a trace.

use super::cursor::{Cursor, Place, has_empty_line, is_line_end, is_space};
use super::move_text::{MoveText, MoveTextError, is_dash, is_letters_move, is_separator};
use super::pdn::PdnResult;
use super::pdn_tag::quoted_tag;
use crate::draughts::moves::shortened;

/// A token, with the place where it begins.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lexeme {
    pub(super) token: Token,
    pub(super) place: Place,
}

/// A word of PDN.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A tag.
    Tag {
        name: String,
        value: String,
        /// Whether an empty line separates it from the token before.
        after_gap: bool,
    },
    /// A line that begins like a tag.
    BadTag(String),
    /// A move number with its dots.
    MoveNumber,
    /// A number alone.
    Number(String),
    /// A move.
    Move(MoveText),
    /// Something that looks like a move but is not one.
    BadMove(MoveTextError),
    /// A result.
    Result(PdnResult),
    /// Anything else.
    Word(String),
    /// A comment that has a brace, so that an earlier one may be unclosed.
    NestedComment {
        beginning: String,
        /// Whether there is a move before the brace.
        hides_move: bool,
    },
    /// A comment without an end; everything up to the next tag or the end of the text.
    OpenComment(String),
    /// A variation without an end, like the comment.
    OpenVariation(String),
}

/// The tokens of a text. To look ahead, copy it.
#[derive(Clone, Copy)]
pub(super) struct Lexer<'a> {
    cursor: Cursor<'a>,
}

impl Iterator for Lexer<'_> {
    type Item = Lexeme;

    fn next(&mut self) -> Option<Lexeme> {
        let before = self.cursor;
        if let Some(unusual) = self.skip_asides() {
            return Some(unusual);
        }
        let place = self.cursor.place();
        let after_gap = has_empty_line(self.cursor.since(&before));
        let token = match self.cursor.peek()? {
            '[' => self.bracket(after_gap),
            '*' => {
                self.cursor.advance(1);
                Token::Result(PdnResult::Unknown)
            }
            '\u{bd}' => self.half(),
            digit if digit.is_ascii_digit() => self.number_or_move(),
            _ => self.word(),
        };
        Some(Lexeme { token, place })
    }
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Lexer<'a> {
        Lexer { cursor: Cursor::new(text) }
    }

    /// Skips the rest of the line, up to a tag or a first move in it.
    pub(super) fn skip_prose(&mut self) {
        let rest = self.cursor.rest();
        let ends = |&(at, character): &(usize, char)| match character {
            '[' => quoted_tag(&rest[at..]).is_some(),
            ' ' => rest[at..].starts_with(" 1."),
            _ => is_line_end(character),
        };
        let end = rest.char_indices().find(ends).map_or(rest.len(), |(at, _)| at);
        self.cursor.advance(end);
    }

    fn skip_line(&mut self) {
        self.cursor.skip_while(|character| !is_line_end(character));
    }

    /// Returns whether a line begins here that is a tag.
    fn at_tag_line(&self) -> bool {
        self.cursor.peek() == Some('[')
            && self.cursor.at_line_start()
            && quoted_tag(self.cursor.rest()).is_some()
    }

    /// Skips everything that does not belong to the game: space, comments, variations, glyphs,
    /// dots. Returns what is wrong with the first comment or variation that is not well formed.
    fn skip_asides(&mut self) -> Option<Lexeme> {
        loop {
            self.cursor.skip_while(is_space);
            let place = self.cursor.place();
            let unusual = match self.cursor.peek() {
                Some('{') => self.skip_comment(),
                Some('(') => self.skip_variation(),
                Some(';') => {
                    self.skip_line();
                    None
                }
                Some('%') if self.cursor.at_line_start() => {
                    self.skip_line();
                    None
                }
                Some('$') => {
                    self.cursor.advance(1);
                    self.cursor.skip_while(|character| character.is_ascii_digit());
                    None
                }
                // Dots stand for Black's move: `1. ...`.
                Some(glyph @ ('!' | '?' | '.' | '\u{2026}')) => {
                    self.cursor.skip(glyph);
                    None
                }
                _ => return None,
            };
            if let Some(token) = unusual {
                return Some(Lexeme { token, place });
            }
        }
    }

    fn skip_comment(&mut self) -> Option<Token> {
        let start = self.cursor;
        let mut last_brace = start;
        self.cursor.advance(1);
        while let Some(character) = self.cursor.peek().filter(|_| !self.at_tag_line()) {
            if character == '{' {
                last_brace = self.cursor;
            }
            self.cursor.advance(character.len_utf8());
            if character == '}' {
                let before_brace = last_brace.since(&start);
                return (!before_brace.is_empty()).then(|| Token::NestedComment {
                    beginning: line_text(&start),
                    hides_move: has_move(before_brace),
                });
            }
        }
        Some(Token::OpenComment(line_text(&start)))
    }

    /// Skips a variation with the comments and variations in it.
    fn skip_variation(&mut self) -> Option<Token> {
        let start = self.cursor;
        let mut depth = 0u32;
        while let Some(character) = self.cursor.peek().filter(|_| !self.at_tag_line()) {
            match character {
                '{' => {
                    if let open @ Some(Token::OpenComment(_)) = self.skip_comment() {
                        return open;
                    }
                }
                ';' => self.skip_line(),
                _ => {
                    self.cursor.advance(character.len_utf8());
                    depth += u32::from(character == '(');
                    depth -= u32::from(character == ')');
                    if depth == 0 {
                        return None;
                    }
                }
            }
        }
        Some(Token::OpenVariation(line_text(&start)))
    }

    /// Reads `[Name "value"]`.
    fn bracket(&mut self, after_gap: bool) -> Token {
        if let Some((name, value, length)) = quoted_tag(self.cursor.rest()) {
            self.cursor.advance(length);
            return Token::Tag { name, value, after_gap };
        }
        // The rest of such a line may be moves.
        if self.cursor.at_line_start() {
            let line = self.cursor.rest_of_line();
            if line[1..].trim_start_matches(is_space).starts_with(char::is_alphabetic) {
                self.skip_line();
                return Token::BadTag(shortened(line));
            }
        }
        self.word()
    }

    /// Reads a draw that is written with the character for a half.
    fn half(&mut self) -> Token {
        self.cursor.skip('\u{bd}');
        let alone = self.cursor;
        if !(self.separator().is_some_and(is_dash) && self.cursor.skip('\u{bd}')) {
            self.cursor = alone;
        }
        Token::Result(PdnResult::Drawn)
    }

    /// Reads a token that begins with a digit: `12.`, `1-0`, `1/2-1/2`, `22 x 15 x 8`.
    fn number_or_move(&mut self) -> Token {
        let start = self.cursor;
        let mut text = self.digits();
        let after_number = self.cursor;
        self.cursor.skip_while(is_space);
        if matches!(self.cursor.peek(), Some('.' | '\u{2026}')) {
            self.cursor.skip_while(|character| matches!(character, '.' | '\u{2026}'));
            return Token::MoveNumber;
        }
        self.cursor = after_number;
        if text == "1" && self.cursor.rest().starts_with("/2") {
            self.cursor.advance("/2".len());
            let alone = self.cursor;
            if self.separator().is_some_and(is_dash) && self.cursor.rest().starts_with("1/2") {
                self.cursor.advance("1/2".len());
            } else {
                self.cursor = alone;
            }
            return Token::Result(PdnResult::Drawn);
        }
        let mut is_capture = false;
        while let Some(separator) = self.separator() {
            is_capture |= !is_dash(separator);
            text.push('-');
            text.push_str(&self.digits());
        }
        // The result is tried first: it looks like a move, but never like a capture (a king may
        // return to its start: `1x1`).
        if let Some(result) = PdnResult::from_word(&text).filter(|_| !is_capture) {
            return Token::Result(result);
        }
        if !text.contains('-') {
            let ends = |character| is_space(character) || matches!(character, '{' | '(' | ';');
            if !self.cursor.peek().is_none_or(ends) {
                self.cursor = start;
                return self.word();
            }
            return Token::Number(text);
        }
        match text.parse::<MoveText>() {
            Ok(mv) => {
                // A star directly after a move marks it as the only one.
                self.cursor.skip_while(|character| matches!(character, '!' | '?' | '*'));
                Token::Move(mv)
            }
            Err(error) => Token::BadMove(error),
        }
    }

    fn digits(&mut self) -> String {
        self.cursor.skip_while(|character| character.is_ascii_digit()).to_string()
    }

    /// Skips a separator and the space around it, if there is one, and returns it.
    fn separator(&mut self) -> Option<char> {
        let before = self.cursor;
        self.cursor.skip_while(is_space);
        if let Some(separator) = self.cursor.peek().filter(|&character| is_separator(character)) {
            self.cursor.advance(separator.len_utf8());
            self.cursor.skip_while(is_space);
            return Some(separator);
        }
        self.cursor = before;
        None
    }

    /// Reads words that are no PDN, up to the next digit, comment or variation of the line.
    fn word(&mut self) -> Token {
        let start = self.cursor;
        let is_move = is_letters_move(start.rest());
        loop {
            let ends = |character| is_space(character) || matches!(character, '{' | '(' | ';');
            let first = self.cursor.peek().map_or(0, char::len_utf8);
            self.cursor.advance(first);
            self.cursor.skip_while(|character| !ends(character));
            let word = self.cursor.since(&start);
            if is_move {
                return Token::BadMove(MoveTextError::Letters(shortened(word)));
            }
            let end = self.cursor;
            self.cursor.skip_while(|character| is_space(character) && !is_line_end(character));
            if !self.cursor.peek().is_some_and(char::is_alphabetic) {
                self.cursor = end;
                return Token::Word(shortened(word));
            }
        }
    }
}

/// Returns the beginning of the rest of the line, for a message.
fn line_text(start: &Cursor<'_>) -> String {
    // More than a message shows.
    let first = start.rest().chars().take(100);
    shortened(&first.take_while(|&character| !is_line_end(character)).collect::<String>())
}

/// Returns whether a text has two numbers with a separator between them.
fn has_move(text: &str) -> bool {
    let is_digit = |character: char| character.is_ascii_digit();
    text.match_indices(is_separator).any(|(at, separator)| {
        let after = &text[at + separator.len()..];
        text[..at].trim_end_matches(is_space).ends_with(is_digit)
            && after.trim_start_matches(is_space).starts_with(is_digit)
    })
}
