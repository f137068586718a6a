//! A tolerant reader of PDN files: it accepts comments, variations, annotation glyphs, and missing
//! move numbers or results. What it cannot make sense of is left out of a game with a note. A game
//! whose moves cannot be known is an error, and reading continues with the next game.
//!
//! A game begins with tags or moves. Its tag section ends at moves or a result, whatever the names
//! of the tags. Variations and comments are skipped: only the main line is kept.

use super::cursor::Place;
use super::move_text::MoveTextError;
use super::pdn::{PdnGame, PdnResult, RecordedMove};
use super::pdn_lexer::{Lexeme, Lexer, Token};
use super::variant::{Evidence, OtherVariant, Words, other_variant};
use crate::draughts::moves::shortened;
use std::fmt;

/// Something in a game of a file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PdnError {
    /// The number of the game in the file, from 1.
    pub game: u32,
    /// The ply at which reading failed, from 1; `None` among the tags.
    pub ply: Option<u32>,
    /// The place in the file.
    pub place: Place,
    /// The error.
    pub kind: PdnErrorKind,
}

impl fmt::Display for PdnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, ", self.game)?;
        if let Some(ply) = self.ply {
            write!(f, "ply {ply}, ")?;
        }
        write!(f, "{}: {}", self.place, self.kind)
    }
}

impl std::error::Error for PdnError {}

/// The error in a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PdnErrorKind {
    /// A tag that is not a name and a value in quotes.
    #[error("expected a tag such as [Event \"name\"], got {0:?}")]
    Tag(String),
    /// A tag `Result` with another value.
    #[error("in the tag Result: expected 1-0, 0-1, 1/2-1/2 or *, got {0:?}")]
    ResultTag(String),
    /// A word among the moves that is neither a move nor anything else known.
    #[error("expected a move, a move number, a comment or a result, got {0:?}")]
    Unexpected(String),
    /// A result after the end of the game.
    #[error("expected a tag or a move after the result, got another result, {0}")]
    SecondResult(PdnResult),
    /// Tags or a move number without moves.
    #[error("expected moves or a result, got none; a game without moves has a result such as *")]
    NoMoves,
    /// Something that looks like a move but is not one.
    #[error(transparent)]
    Move(#[from] MoveTextError),
    /// A comment with a brace in it.
    #[error("the comment that begins with {beginning:?} has another {{ in it; is a }} missing?")]
    NestedComment {
        /// The beginning of the comment.
        beginning: String,
        /// Whether something like a move is before the other brace.
        hides_move: bool,
    },
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
    read(text).into_iter().map(ReadGame::finish).collect()
}

/// Reads all games of a file like [`read_pdn`].
///
/// # Errors
///
/// The file has games of another variant than English draughts.
pub fn read_english_pdn(text: &str) -> Result<Vec<Result<PdnGame, PdnError>>, OtherVariant> {
    let games = read(text);
    let evidence = games.iter().map(|game| Evidence { tags: &game.tags, words: &game.words });
    match other_variant(evidence) {
        Some(variant) => Err(variant),
        None => Ok(games.into_iter().map(ReadGame::finish).collect()),
    }
}

/// The number of tags, from the first, that begin the next game when they come again.
const TAGS_COMPARED: usize = 100;

fn read(text: &str) -> Vec<ReadGame> {
    let mut lexer = Lexer::new(text);
    let mut games = Vec::new();
    let mut next = lexer.next();
    while let Some(first) = next {
        let mut game = ReadGame::new(games.len() as u32 + 1, first.place);
        next = Some(first);
        while let Some(lexeme) = next.take_if(|lexeme| game.continues_with(&lexeme.token)) {
            if game.is_prose(&lexeme.token) {
                lexer.skip_prose();
            }
            game.take(lexeme);
            next = lexer.next();
        }
        games.push(game);
    }
    games
}

/// A game that is being read.
struct ReadGame {
    number: u32,
    start: Place,
    tags: Vec<(String, String)>,
    tag_places: Vec<Place>,
    /// Everything that looks like a move.
    words: Words,
    moves: Vec<RecordedMove>,
    /// Whether there was a move number or a move.
    has_begun: bool,
    end: Option<PdnResult>,
    notes: Vec<PdnError>,
    /// The first error after which the moves cannot be known.
    error: Option<PdnError>,
}

impl ReadGame {
    fn new(number: u32, start: Place) -> ReadGame {
        ReadGame {
            number,
            start,
            tags: Vec::new(),
            tag_places: Vec::new(),
            words: Words::default(),
            moves: Vec::new(),
            has_begun: false,
            end: None,
            notes: Vec::new(),
            error: None,
        }
    }

    /// Returns whether a token belongs to this game.
    fn continues_with(&self, token: &Token) -> bool {
        if self.end.is_some() {
            return matches!(
                token,
                Token::Result(_) | Token::Word(_) | Token::NestedComment { .. }
            );
        }
        match token {
            Token::Tag { name, after_gap, .. } => {
                let mut compared = self.tags.iter().take(TAGS_COMPARED);
                let mut again = || compared.any(|(other, _)| other.eq_ignore_ascii_case(name));
                !(self.has_begun || *after_gap && again())
            }
            _ => true,
        }
    }

    /// Returns whether a token is text around the games, up to the end of its line.
    fn is_prose(&self, token: &Token) -> bool {
        let is_outside = self.end.is_some() || self.tags.is_empty() && !self.has_begun;
        is_outside && matches!(token, Token::Word(_))
    }

    fn take(&mut self, Lexeme { token, place }: Lexeme) {
        match token {
            Token::Tag { name, value, .. } => {
                self.tags.push((name, value));
                self.tag_places.push(place);
            }
            Token::MoveNumber => self.has_begun = true,
            // A number without its dot.
            Token::Number(text) if text == (self.words.count() / 2 + 1).to_string() => {}
            Token::Move(text) => {
                self.words.add(Ok(&text));
                self.moves.push(RecordedMove { text, place: Some(place) });
                self.has_begun = true;
            }
            Token::BadMove(error) => {
                self.fail(place, error.clone().into());
                self.words.add(Err(&error));
            }
            Token::Result(result) if self.end.is_none() => self.end = Some(result),
            Token::Result(result) => self.note(place, PdnErrorKind::SecondResult(result)),
            Token::BadTag(text) => self.note(place, PdnErrorKind::Tag(text)),
            Token::Number(text) | Token::Word(text) => {
                self.note(place, PdnErrorKind::Unexpected(text));
            }
            Token::NestedComment { beginning, hides_move } => {
                self.note(place, PdnErrorKind::NestedComment { beginning, hides_move });
            }
            Token::OpenComment(text) => self.fail(place, PdnErrorKind::OpenComment(text)),
            Token::OpenVariation(text) => self.fail(place, PdnErrorKind::OpenVariation(text)),
        }
    }

    fn error(&self, place: Place, kind: PdnErrorKind) -> PdnError {
        let ply = self.words.count() + 1;
        PdnError { ply: Some(ply), ..self.error_of_tags(place, kind) }
    }

    fn error_of_tags(&self, place: Place, kind: PdnErrorKind) -> PdnError {
        PdnError { game: self.number, ply: None, place, kind }
    }

    fn note(&mut self, place: Place, kind: PdnErrorKind) {
        let note = match kind {
            PdnErrorKind::Tag(_) if !self.has_begun => self.error_of_tags(place, kind),
            kind => self.error(place, kind),
        };
        self.notes.push(note);
    }

    fn fail(&mut self, place: Place, kind: PdnErrorKind) {
        self.has_begun = true;
        if self.error.is_none() {
            self.error = Some(self.error(place, kind));
        }
    }

    /// Returns the place and the value of the first tag of this name.
    fn tag(&self, name: &str) -> Option<(Place, &str)> {
        let mut tags = self.tag_places.iter().zip(&self.tags);
        let (place, (_, value)) = tags.find(|(_, (key, _))| key.eq_ignore_ascii_case(name))?;
        Some((*place, value.trim()))
    }

    fn finish(mut self) -> Result<PdnGame, PdnError> {
        let result_tag = self.tag("Result");
        let tagged = result_tag.and_then(|(_, value)| PdnResult::from_word(value));
        if let Some((place, value)) = result_tag
            && tagged.is_none()
            && !matches!(value, "" | "?")
        {
            let kind = PdnErrorKind::ResultTag(shortened(value));
            self.notes.push(self.error_of_tags(place, kind));
        }
        let (result_place, has_position) =
            (self.tag("Result").map(|(place, _)| place), self.tag("FEN").is_some());
        if let Some(error) = self.error {
            return Err(error);
        }
        let is_decided = self.end.or(tagged).is_some_and(|result| result != PdnResult::Unknown);
        if self.moves.is_empty() && self.end.is_none() && !is_decided && !has_position {
            self.notes.push(self.error_of_tags(self.start, PdnErrorKind::NoMoves));
            if self.tags.is_empty() {
                return Err(self.notes.swap_remove(0));
            }
        }
        let result = match (tagged, self.end) {
            (Some(tag), Some(end)) if tag != end => {
                let place = result_place.unwrap_or(self.start);
                return Err(self.error_of_tags(place, PdnErrorKind::Results { tag, end }));
            }
            (tag, end) => end.or(tag).unwrap_or(PdnResult::Unknown),
        };
        let ReadGame { tags, tag_places, moves, notes, .. } = self;
        Ok(PdnGame { tags, tag_places, moves, result, notes })
    }
}
