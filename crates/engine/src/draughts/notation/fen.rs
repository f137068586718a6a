//! FEN for draughts, `B:W18,K10:BK5,1-4`: the side to move, then each side's pieces. Read
//! tolerantly (sections in either order, spaces, small letters, a final dot, ranges), written
//! strictly (White first, in the order of the squares' numbers, no ranges).

use crate::draughts::bitboard::Bitboard;
use crate::draughts::colour::Colour;
use crate::draughts::moves::shortened;
use crate::draughts::position::{Placement, PlacementError, Position};
use crate::draughts::square::Square;
use std::fmt;
use std::str::FromStr;

/// The error in a FEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// It does not begin with the side to move.
    #[error("a FEN begins with the side to move, B or W, as in B:W18,K10:B1-4; got {0:?}")]
    Turn(String),
    /// A section that names no side.
    #[error("a section of a FEN begins with B or W and lists squares, as in W18,K10; got {0:?}")]
    Side(String),
    /// A side has two sections.
    #[error("{} has two sections in the FEN; write all its pieces in one", .0.name())]
    Twice(Colour),
    /// A side has no section.
    #[error("the FEN has no section for {}'s pieces; end it with :{} if there are none", .0.name(), .0.letter())]
    Missing(Colour),
    /// Something that is neither a square nor a range.
    #[error("among {}'s pieces: expected a square from 1 to 32, K and a square, or a range such as 1-4; got {text:?}", .colour.name())]
    Piece {
        /// The side.
        colour: Colour,
        /// The text found.
        text: String,
    },
    /// A range that runs backwards.
    #[error("among {}'s pieces: the range {from}-{to} runs backwards; write {to}-{from}", .colour.name())]
    Backwards {
        /// The side.
        colour: Colour,
        /// Its first square.
        from: Square,
        /// Its last square.
        to: Square,
    },
    /// A square that is listed twice.
    #[error("square {0} is listed twice; a square holds one piece")]
    Repeated(Square),
    /// The FEN is well formed, but not a position.
    #[error(transparent)]
    Placement(#[from] PlacementError),
}

impl FromStr for Placement {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Placement, FenError> {
        let fen = fen.trim();
        let fen = fen.strip_suffix('.').unwrap_or(fen);
        let mut sections = fen.split(':').map(str::trim);
        let turn = sections.next().unwrap_or_default();
        let turn = match side(turn) {
            Some((turn, "")) => turn,
            _ => return Err(FenError::Turn(shortened(turn))),
        };
        let mut placement =
            Placement { turn, men: [Bitboard::EMPTY; 2], kings: [Bitboard::EMPTY; 2] };
        let mut seen = [false; 2];
        let mut taken = Bitboard::EMPTY;
        for section in sections {
            let (colour, pieces) =
                side(section).ok_or_else(|| FenError::Side(shortened(section)))?;
            if std::mem::replace(&mut seen[colour as usize], true) {
                return Err(FenError::Twice(colour));
            }
            for text in pieces.split(',').map(str::trim) {
                if text.is_empty() && pieces.trim().is_empty() {
                    break;
                }
                let (is_king, first, last) = entry(colour, text)?;
                let kind = if is_king { &mut placement.kings } else { &mut placement.men };
                for square in (first.index()..=last.index()).map(Square::from_index) {
                    if taken.contains(square) {
                        return Err(FenError::Repeated(square));
                    }
                    taken |= Bitboard::of(square);
                    kind[colour as usize] |= Bitboard::of(square);
                }
            }
        }
        match Colour::ALL.into_iter().find(|&colour| !seen[colour as usize]) {
            Some(colour) => Err(FenError::Missing(colour)),
            None => Ok(placement),
        }
    }
}

/// Splits a text into the colour at its beginning and the rest.
fn side(text: &str) -> Option<(Colour, &str)> {
    let colour = match text.bytes().next()? {
        b'B' | b'b' => Colour::Black,
        b'W' | b'w' => Colour::White,
        _ => return None,
    };
    Some((colour, text[1..].trim_start()))
}

/// Parses one entry of a list: whether it is crowned, and the first and the last square.
fn entry(colour: Colour, text: &str) -> Result<(bool, Square, Square), FenError> {
    let unreadable = || FenError::Piece { colour, text: shortened(text) };
    let (is_king, squares) = match text.strip_prefix(['K', 'k']) {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let square = |number: &str| {
        let number = number.trim();
        let digits = (1..=2).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
        let number = if digits { number.parse().ok() } else { None };
        number.and_then(Square::new).ok_or_else(unreadable)
    };
    match squares.split_once('-') {
        None => {
            let single = square(squares)?;
            Ok((is_king, single, single))
        }
        Some((from, to)) => {
            let (from, to) = (square(from)?, square(to)?);
            if from > to {
                return Err(FenError::Backwards { colour, from, to });
            }
            Ok((is_king, from, to))
        }
    }
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Position, FenError> {
        Ok(Position::try_from(fen.parse::<Placement>()?)?)
    }
}

/// The FEN.
impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.turn.letter())?;
        for colour in [Colour::White, Colour::Black] {
            write!(f, ":{}", colour.letter())?;
            let (men, kings) = (self.men[colour as usize], self.kings[colour as usize]);
            for (index, square) in (men | kings).into_iter().enumerate() {
                let comma = if index > 0 { "," } else { "" };
                let crown = if kings.contains(square) { "K" } else { "" };
                write!(f, "{comma}{crown}{square}")?;
            }
        }
        Ok(())
    }
}

/// The FEN.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.placement().fmt(f)
    }
}
