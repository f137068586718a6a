//! A tolerant reader of PDN files: it accepts comments, variations, annotation glyphs, and missing
//! move numbers or results. A game that cannot be read is reported with its number, ply and line,
//! and reading continues with the next game.
//!
//! Variations and comments are skipped: only the main line is kept.

use super::move_text::{MoveText, MoveTextError, is_separator};
use super::pdn::{PdnGame, PdnResult, RecordedMove};
use crate::draughts::moves::shortened;
use std::fmt;

/// A game of a file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PdnError {
    /// The number of the game in the file, from 1.
    pub game: u32,
    /// The ply at which reading failed, from 1; `None` among the tags.
    pub ply: Option<u32>,
    /// The line of the file, from 1.
    pub line: u32,
    /// The error.
    pub kind: PdnErrorKind,
}

impl fmt::Display for PdnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, ", self.game)?;
        if let Some(ply) = self.ply {
            write!(f, "ply {ply}, ")?;
        }
        write!(f, "line {}: {}", self.line, self.kind)
    }
}

impl std::error::Error for PdnError {}

/// The error in a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PdnErrorKind {
    /// A tag that is not a name and a value in quotes.
    #[error("expected a tag such as [Event \"name\"], got {0:?}")]
    Tag(String),
    /// A word among the moves that is neither a move nor anything else known.
    #[error("expected a move, a move number, a comment or a result, got {0:?}")]
    Unexpected(String),
    /// Something that looks like a move but is not one.
    #[error(transparent)]
    Move(#[from] MoveTextError),
    /// A comment that does not end.
    #[error("the comment that begins with {0:?} has no }}")]
    OpenComment(String),
    /// A variation that does not end.
    #[error("the variation that begins with {0:?} has no )")]
    OpenVariation(String),
    /// The tag and the end of the moves differ.
    #[error("the tag Result says {tag}, the end of the moves says {end}")]
    Results {
        /// The result in the tag.
        tag: PdnResult,
        /// The result after the moves.
        end: PdnResult,
    },
}

/// Reads all games of a file, in order: each a game, or the error in it.
pub fn read_pdn(text: &str) -> Vec<Result<PdnGame, PdnError>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader { text, at: 0, line: 1, last_brace: text.rfind('}') };
    let mut games = Vec::new();
    while reader.has_another_game() {
        let mut plies = None;
        let game = reader.game(&mut plies).map_err(|kind| {
            let error =
                PdnError { game: games.len() as u32 + 1, ply: plies, line: reader.line, kind };
            reader.skip_to_next_game();
            error
        });
        games.push(game);
    }
    games
}

/// The tag that every game with tags begins with.
const FIRST_TAG: &str = "Event";

struct Reader<'a> {
    text: &'a str,
    /// The current position in bytes: always at the beginning of a character.
    at: usize,
    /// The line of `at`, from 1.
    line: u32,
    /// The position of the last `}` of the file: a comment after it does not end.
    last_brace: Option<usize>,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Advances by this number of bytes, to the end of a character.
    fn advance(&mut self, bytes: usize) {
        let passed = &self.text.as_bytes()[self.at..self.at + bytes];
        self.line += passed.iter().filter(|&&byte| byte == b'\n').count() as u32;
        self.at += bytes;
    }

    fn skip_while(&mut self, passes: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|character| !passes(character)).unwrap_or(rest.len());
        self.advance(end);
        &rest[..end]
    }

    fn skip_line(&mut self) {
        let rest = self.rest();
        self.advance(rest.find('\n').map_or(rest.len(), |end| end + 1));
    }

    fn at_line_start(&self) -> bool {
        self.at == 0 || self.text.as_bytes()[self.at - 1] == b'\n'
    }

    fn has_another_game(&mut self) -> bool {
        loop {
            self.skip_while(char::is_whitespace);
            match self.peek() {
                None => return false,
                Some('%') if self.at_line_start() => self.skip_line(),
                Some(_) => return true,
            }
        }
    }

    /// Skips to the next line that begins a game: a tag after a line that is not a tag.
    fn skip_to_next_game(&mut self) {
        let mut after_tag = true;
        loop {
            if self.at_line_start() && self.rest().starts_with('[') {
                if !after_tag {
                    return;
                }
                after_tag = true;
            } else {
                after_tag = false;
            }
            if self.rest().is_empty() {
                return;
            }
            self.skip_line();
        }
    }

    /// Reads a game from its first tag or move; sets `ply` to the number of plies read.
    fn game(&mut self, ply: &mut Option<u32>) -> Result<PdnGame, PdnErrorKind> {
        let mut tags = Vec::new();
        self.skip_asides()?;
        while self.peek() == Some('[') {
            let before = (self.at, self.line);
            let tag = self.tag()?;
            if tag.0 == FIRST_TAG && !tags.is_empty() {
                // The previous game had no moves and no result.
                (self.at, self.line) = before;
                break;
            }
            tags.push(tag);
            self.skip_asides()?;
        }
        let mut moves: Vec<RecordedMove> = Vec::new();
        let mut end = None;
        while end.is_none() {
            *ply = Some(moves.len() as u32 + 1);
            self.skip_asides()?;
            match self.peek() {
                None | Some('[') => break,
                Some('*') => {
                    self.advance(1);
                    end = Some(PdnResult::Unknown);
                }
                Some(digit) if digit.is_ascii_digit() => {
                    let line = self.line;
                    match self.number_or_move()? {
                        Word::MoveNumber => {}
                        Word::Result(result) => end = Some(result),
                        Word::Move(text) => moves.push(RecordedMove { text, line }),
                    }
                }
                Some(_) => return Err(PdnErrorKind::Unexpected(self.word())),
            }
        }
        let tagged = tags.iter().find(|(name, _)| name == "Result");
        let tagged = tagged.and_then(|(_, value)| PdnResult::from_word(value.trim()));
        let result = match (tagged, end) {
            (Some(tag), Some(end)) if tag != end => {
                return Err(PdnErrorKind::Results { tag, end });
            }
            (tag, end) => end.or(tag).unwrap_or(PdnResult::Unknown),
        };
        Ok(PdnGame { tags, moves, result })
    }

    /// Reads `[Name "value"]`.
    fn tag(&mut self) -> Result<(String, String), PdnErrorKind> {
        let line = self.rest().lines().next().unwrap_or_default();
        let (name, value, length) = tag(line).ok_or_else(|| PdnErrorKind::Tag(shortened(line)))?;
        self.advance(length);
        Ok((name, value))
    }

    /// Skips everything that does not belong to the game: space, comments, variations, glyphs.
    fn skip_asides(&mut self) -> Result<(), PdnErrorKind> {
        loop {
            self.skip_while(char::is_whitespace);
            match self.peek() {
                Some('{') => self.skip_comment()?,
                Some(';') => self.skip_line(),
                Some('%') if self.at_line_start() => self.skip_line(),
                Some('(') => self.skip_variation()?,
                Some('$') => {
                    self.advance(1);
                    self.skip_while(|character| character.is_ascii_digit());
                }
                Some('!' | '?') => self.advance(1),
                _ => return Ok(()),
            }
        }
    }

    fn skip_comment(&mut self) -> Result<(), PdnErrorKind> {
        // A lookup, so that a file of unclosed comments is not searched to its end for each one.
        let ends = self.last_brace.is_some_and(|last| last > self.at);
        match self.rest().find('}').filter(|_| ends) {
            Some(end) => {
                self.advance(end + 1);
                Ok(())
            }
            None => Err(PdnErrorKind::OpenComment(self.line_text())),
        }
    }

    fn skip_variation(&mut self) -> Result<(), PdnErrorKind> {
        let (beginning, before) = (self.line_text(), (self.at, self.line));
        let mut depth = 0u32;
        loop {
            // A variation has no tags: one that reaches the next game was never closed.
            let inside = |&next: &char| next != '[' || !self.at_line_start();
            let Some(character) = self.peek().filter(inside) else {
                (self.at, self.line) = before;
                return Err(PdnErrorKind::OpenVariation(beginning));
            };
            match character {
                '{' => self.skip_comment()?,
                ';' => self.skip_line(),
                _ => {
                    self.advance(character.len_utf8());
                    depth += u32::from(character == '(');
                    depth -= u32::from(character == ')');
                    if depth == 0 {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Reads a word that begins with a digit: `12.`, `1-0`, `1/2-1/2`, `22 x 15 x 8`.
    fn number_or_move(&mut self) -> Result<Word, PdnErrorKind> {
        for drawn in ["1/2-1/2", "1/2"] {
            if self.rest().starts_with(drawn) {
                self.advance(drawn.len());
                return Ok(Word::Result(PdnResult::Drawn));
            }
        }
        let mut text = self.skip_while(|character| character.is_ascii_digit()).to_string();
        let after_number = (self.at, self.line);
        self.skip_while(char::is_whitespace);
        if self.peek() == Some('.') {
            self.skip_while(|character| character == '.');
            return Ok(Word::MoveNumber);
        }
        (self.at, self.line) = after_number;
        let mut is_capture = false;
        while let Some(separator) = self.separator() {
            is_capture |= !matches!(separator, '-' | '\u{2013}');
            text.push('-');
            text.push_str(self.skip_while(|character| character.is_ascii_digit()));
        }
        // The result is tried first: it looks like a move, but never like a capture (a king may
        // return to its start: `1x1`).
        if let Some(result) = PdnResult::from_word(&text).filter(|_| !is_capture) {
            return Ok(Word::Result(result));
        }
        if !text.contains('-') {
            // A number alone: show what follows it.
            return Err(PdnErrorKind::Unexpected(shortened(&format!("{text}{}", self.word()))));
        }
        let mv = text.parse::<MoveText>()?;
        // A star directly after a move marks it as the only one.
        self.skip_while(|character| matches!(character, '!' | '?' | '*'));
        Ok(Word::Move(mv))
    }

    /// Skips a separator and the space around it, if there is one, and returns it.
    fn separator(&mut self) -> Option<char> {
        let before = (self.at, self.line);
        self.skip_while(char::is_whitespace);
        if let Some(separator) = self.peek().filter(|&character| is_separator(character)) {
            self.advance(separator.len_utf8());
            self.skip_while(char::is_whitespace);
            return Some(separator);
        }
        (self.at, self.line) = before;
        None
    }

    /// Returns the next word, for a message.
    fn word(&self) -> String {
        shortened(self.rest().split(char::is_whitespace).next().unwrap_or_default())
    }

    /// Returns the rest of the line, for a message.
    fn line_text(&self) -> String {
        shortened(self.rest().lines().next().unwrap_or_default())
    }
}

enum Word {
    MoveNumber,
    Move(MoveText),
    Result(PdnResult),
}

/// Parses the tag at the beginning of a line: name, value and length in bytes.
fn tag(line: &str) -> Option<(String, String, usize)> {
    let inside = line.strip_prefix('[')?.trim_start();
    let name_end = inside.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    let (name, rest) = inside.split_at(name_end);
    let mut value = String::new();
    let mut characters = rest.trim_start().strip_prefix('"')?.chars();
    loop {
        match characters.next()? {
            '"' => break,
            // Only quotes and backslashes are escaped; a path may have single backslashes.
            '\\' if characters.as_str().starts_with(['"', '\\']) => value.extend(characters.next()),
            character => value.push(character),
        }
    }
    let rest = characters.as_str().trim_start().strip_prefix(']')?;
    (!name.is_empty()).then(|| (name.to_string(), value, line.len() - rest.len()))
}
