//! Moves: a piece's whole path. The text is that of PDN with every landing square written, `11-15`
//! or `22x15x8`. `movegen` decides which moves are legal; `notation` is the tolerant reader for
//! other spellings.

use super::bitboard::{Bitboard, Direction};
use super::square::Square;
use arrayvec::ArrayVec;
#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// The largest number of jumps in one move.
///
/// A jump spans two rows and two columns, so a piece can reach only every fourth square, 8 in all,
/// and only 9 squares lie between neighbours among them. Each is jumped at most once, because
/// captured pieces stay until the move ends.
pub const MOST_JUMPS: usize = 9;

/// The squares of a path: where it starts and every landing square.
pub type Path = ArrayVec<Square, { MOST_JUMPS + 1 }>;

/// A move in 32 bits: the square where it starts, and the direction of its step or of each jump.
///
/// Moves are equal iff their paths are: there are positions with several captures from one
/// square to another. In JSON it is the text.
///
/// ```
/// use botyard_engine::draughts::Move;
/// let capture: Move = "22x15x8".parse().unwrap();
/// assert_eq!(capture.jumps(), 2);
/// assert_eq!(capture.to_string(), "22x15x8");
/// let error = "22x8".parse::<Move>().unwrap_err();
/// assert!(error.to_string().contains("every landing square"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u32);

// From the lowest bit: 5 bits for the start's bit in a bitboard, 4 for the number of
// jumps (0 for a plain move), 2 for each direction.
const PLACE_BITS: u32 = 5;
const JUMPS_MASK: u32 = 0xf;
const FIRST_DIRECTION: u32 = 9;

impl Move {
    /// Returns a plain move from the one square of `from`.
    #[inline(always)]
    pub(super) const fn step(from: Bitboard, direction: Direction) -> Move {
        Move(from.lowest() | (direction as u32) << FIRST_DIRECTION)
    }

    /// Starts a capture from the one square of `from`: not a move before a jump is added.
    #[inline(always)]
    pub(super) const fn capture_from(from: Bitboard) -> Move {
        Move(from.lowest())
    }

    /// Adds a jump to the capture, which must have fewer than [`MOST_JUMPS`] so far.
    #[inline(always)]
    pub(super) const fn then_jump(self, direction: Direction) -> Move {
        let jumps = self.0 >> PLACE_BITS & JUMPS_MASK;
        Move((self.0 + (1 << PLACE_BITS)) | (direction as u32) << (FIRST_DIRECTION + 2 * jumps))
    }

    /// Returns the move as a number below 2^27, for transposition tables: equal moves, equal
    /// numbers.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Returns whether the move captures.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.jumps() > 0
    }

    /// Returns the number of jumps, which is the number of captured pieces; 0 for a plain move.
    #[inline]
    pub const fn jumps(self) -> usize {
        (self.0 >> PLACE_BITS & JUMPS_MASK) as usize
    }

    /// Returns the square where the move starts.
    #[inline]
    pub const fn from(self) -> Square {
        self.start_bit().square()
    }

    /// Returns the square where the move ends.
    #[inline]
    pub const fn to(self) -> Square {
        self.end_bit().square()
    }

    #[inline(always)]
    pub(super) const fn start_bit(self) -> Bitboard {
        Bitboard::single(self.0)
    }

    #[inline(always)]
    pub(super) const fn end_bit(self) -> Bitboard {
        let mut at = self.start_bit();
        let mut step = 0;
        while step < self.legs() {
            at = self.leg_from(at, step).1;
            step += 1;
        }
        at
    }

    /// Returns the squares of the path, including the start.
    pub fn path(self) -> Path {
        let mut at = self.start_bit();
        let mut path = Path::from_iter([at.square()]);
        for leg in 0..self.legs() {
            at = self.leg_from(at, leg).1;
            path.push(at.square());
        }
        path
    }

    /// Returns the squares that it jumps over.
    pub fn captured(self) -> Bitboard {
        let mut at = self.start_bit();
        let mut captured = Bitboard::EMPTY;
        for jump in 0..self.jumps() {
            let (over, to) = self.leg_from(at, jump);
            captured |= over;
            at = to;
        }
        captured
    }

    /// Returns the number of directions: one for a plain move.
    #[inline(always)]
    pub(super) const fn legs(self) -> usize {
        if self.is_capture() { self.jumps() } else { 1 }
    }

    /// Returns the squares jumped over (none in a plain move) and landed on in a leg that starts on
    /// `at`.
    #[inline(always)]
    pub(super) const fn leg_from(self, at: Bitboard, leg: usize) -> (Bitboard, Bitboard) {
        let direction =
            Direction::ALL[(self.0 >> (FIRST_DIRECTION as usize + 2 * leg) & 3) as usize];
        let next = at.rotated(direction);
        if self.is_capture() { (next, next.rotated(direction)) } else { (Bitboard::EMPTY, next) }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.is_capture() { 'x' } else { '-' };
        for (index, square) in self.path().into_iter().enumerate() {
            if index > 0 {
                write!(f, "{separator}")?;
            }
            write!(f, "{square}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The reason why a text is not a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseMoveError {
    /// The text is not squares with `-` or `x` between them.
    #[error("expected a move such as 11-15 or 22x15x8, got {0:?}")]
    NotAMove(String),
    /// A number that no square has.
    #[error("in {text:?}: expected squares from 1 to 32, got {square:?}")]
    NotASquare {
        /// The whole text.
        text: String,
        /// The part that is not a square.
        square: String,
    },
    /// A plain move that is not one step.
    #[error("in {text:?}: a plain move goes one step, but {from} and {to} do not touch{}", jump_hint(*.from, *.to))]
    NotAStep {
        /// The whole text.
        text: String,
        /// The square where the move starts.
        from: Square,
        /// The square where it ends.
        to: Square,
    },
    /// A leg of a capture that is not one jump.
    #[error(
        "in {text:?}: no jump goes from {from} to {to}; write every landing square, as in 22x15x8"
    )]
    NotAJump {
        /// The whole text.
        text: String,
        /// The square where the leg starts.
        from: Square,
        /// The square where it ends.
        to: Square,
    },
    /// More jumps than a capture can have.
    #[error("in {text:?}: a capture has at most {MOST_JUMPS} jumps, got {jumps}")]
    TooLong {
        /// The whole text.
        text: String,
        /// The number of jumps.
        jumps: usize,
    },
}

fn jump_hint(from: Square, to: Square) -> String {
    match between(from, to) {
        Some(_) => format!("; a capture is written {from}x{to}"),
        None => String::new(),
    }
}

/// Returns the direction in which two squares are neighbours.
pub(super) fn step_direction(from: Square, to: Square) -> Option<Direction> {
    Direction::ALL.into_iter().find(|&d| Bitboard::of(from).step(d) == Bitboard::of(to))
}

/// Returns the direction in which a jump leads from one square to another, and the square between.
pub(super) fn between(from: Square, to: Square) -> Option<(Direction, Square)> {
    Direction::ALL.into_iter().find_map(|direction| {
        let over = Bitboard::of(from).step(direction);
        (over.step(direction) == Bitboard::of(to)).then(|| (direction, over.square()))
    })
}

impl FromStr for Move {
    type Err = ParseMoveError;

    /// Reads exactly what `Display` writes.
    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        let separator = if text.contains('x') { 'x' } else { '-' };
        let mut squares = Vec::new();
        for part in text.split(separator) {
            if part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(ParseMoveError::NotAMove(shortened(text)));
            }
            let square = part.parse().ok().and_then(Square::new).filter(|_| !part.starts_with('0'));
            squares.push(square.ok_or_else(|| ParseMoveError::NotASquare {
                text: shortened(text),
                square: shortened(part),
            })?);
        }
        let legs = squares.len() - 1;
        if legs == 0 || separator == '-' && legs > 1 {
            return Err(ParseMoveError::NotAMove(shortened(text)));
        }
        if legs > MOST_JUMPS {
            return Err(ParseMoveError::TooLong { text: shortened(text), jumps: legs });
        }
        let start = Bitboard::of(squares[0]);
        if separator == '-' {
            let (from, to) = (squares[0], squares[1]);
            let direction = step_direction(from, to).ok_or_else(|| ParseMoveError::NotAStep {
                text: text.into(),
                from,
                to,
            })?;
            return Ok(Move::step(start, direction));
        }
        squares.windows(2).try_fold(Move::capture_from(start), |path, leg| {
            let (direction, _) = between(leg[0], leg[1]).ok_or_else(|| {
                ParseMoveError::NotAJump { text: shortened(text), from: leg[0], to: leg[1] }
            })?;
            Ok(path.then_jump(direction))
        })
    }
}

/// Shortens text from outside for a message.
pub(super) fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}

impl Serialize for Move {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Move {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Move, D::Error> {
        struct MoveVisitor;
        impl Visitor<'_> for MoveVisitor {
            type Value = Move;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a move as a text such as \"11-15\" or \"22x15x8\"")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Move, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(MoveVisitor)
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for Move {
    fn schema_name() -> Cow<'static, str> {
        "Move".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A move in PDN with every landing square: 11-15, 22x15x8.",
            "type": "string",
            "pattern": "^[1-9][0-9]?(-[1-9][0-9]?|(x[1-9][0-9]?){1,9})$"
        })
    }
}
