//! Positions: the pieces, the side to move and a key, in 24 bytes that are copied, not undone.
//! [`super::State`] has the history (repetitions, plies without progress).
//!
//! A search works on positions; the page of the module `draughts` shows how.

use super::bitboard::Bitboard;
use super::board::{Board, Piece};
use super::colour::Colour;
use super::movement::Movement;
use super::moves::Move;
use super::square::Square;
use super::zobrist;
use smallvec::SmallVec;
use std::fmt;

/// A list of moves that stays on the stack for every position of a real game.
pub type Moves = SmallVec<[Move; 64]>;

/// The largest number of pieces of a side.
pub const MOST_PIECES: u32 = 12;

/// Pieces and a side to move, as in a diagram or a FEN. They need not be a valid position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The side to move.
    pub turn: Colour,
    /// Men, by colour: Black's, White's.
    pub men: [Bitboard; 2],
    /// Kings, by colour: Black's, White's.
    pub kings: [Bitboard; 2],
}

/// The reason why a placement is not a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlacementError {
    /// Two pieces on one square.
    #[error("there are two pieces on {0}; a square holds one")]
    Shared(Square),
    /// More pieces than a side has.
    #[error("{} has {count} pieces; a side has at most {MOST_PIECES}", .colour.name())]
    TooMany {
        /// The side.
        colour: Colour,
        /// The number of pieces.
        count: u32,
    },
    /// A man on the row where it is crowned.
    #[error("{} has a man on {square}, where it is crowned; write a king there: K{square}", .colour.name())]
    ManOnKingRow {
        /// The side.
        colour: Colour,
        /// The square.
        square: Square,
    },
    /// A board without pieces.
    #[error("there is no piece on the board")]
    Empty,
}

/// A position.
///
/// ```
/// use botyard_engine::draughts::{Movement, Position};
/// let position: Position = "W:W31,K18:B22,23,14".parse().unwrap();
/// let mut moves = position.moves(Movement::ENGLISH);
/// moves.sort();
/// let text: Vec<String> = moves.iter().map(|mv| mv.to_string()).collect();
/// assert!(text.contains(&"18x25".to_string()));
/// let next = position.make(moves[0]);
/// assert_ne!(next.key(), position.key());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    key: u64,
    board: Board,
    turn: Colour,
}

/// Calls a function of the board for the side to move.
macro_rules! for_turn {
    ($position:expr, $function:ident ( $($argument:expr),* )) => {
        match $position.turn {
            Colour::Black => $position.board.$function::<false>($($argument),*),
            Colour::White => $position.board.$function::<true>($($argument),*),
        }
    };
}

impl Position {
    /// The start of a game with Black to move.
    pub const START: Position = Position::new(Board::START, Colour::Black);

    /// Makes a position that the caller knows to be valid.
    #[inline]
    pub(super) const fn new(board: Board, turn: Colour) -> Position {
        Position { key: zobrist::key(board, turn), board, turn }
    }

    /// Returns the start position with this side to move.
    pub const fn start(first: Colour) -> Position {
        Position::new(Board::START, first)
    }

    /// Returns the pieces.
    #[inline(always)]
    pub const fn board(&self) -> Board {
        self.board
    }

    /// Returns the side to move.
    #[inline(always)]
    pub const fn turn(&self) -> Colour {
        self.turn
    }

    /// Returns the Zobrist key: equal positions have equal keys, others almost never.
    #[inline(always)]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Returns the piece on a square.
    #[inline]
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.board.piece(square)
    }

    /// The same pieces by kind.
    pub fn placement(&self) -> Placement {
        Placement {
            turn: self.turn,
            men: Colour::ALL.map(|colour| self.board.men(colour)),
            kings: Colour::ALL.map(|colour| self.board.kings(colour)),
        }
    }

    /// Calls `f` with every legal move, captures first; nothing is stored.
    #[inline(always)]
    pub fn for_each_move(&self, movement: Movement, mut f: impl FnMut(Move)) {
        for_turn!(self, for_each_move(movement, &mut f));
    }

    /// Returns the legal moves, in the order of [`Position::for_each_move`].
    pub fn moves(&self, movement: Movement) -> Moves {
        let mut moves = Moves::new();
        self.for_each_move(movement, |mv| moves.push(mv));
        moves
    }

    /// Returns the number of legal moves; much faster than listing them.
    #[inline]
    pub fn count_moves(&self, movement: Movement) -> u32 {
        for_turn!(self, count_moves(movement))
    }

    /// Returns whether the side to move has a legal move. If not, it has lost.
    #[inline]
    pub fn can_move(&self) -> bool {
        for_turn!(self, can_move())
    }

    /// Returns whether the side to move can capture; if capturing is compulsory, whether it must.
    #[inline]
    pub fn can_capture(&self) -> bool {
        !self.capturers().is_empty()
    }

    /// Returns whether the other side could capture if it were to move.
    #[inline]
    pub fn is_threatened(&self) -> bool {
        Position { turn: self.turn.other(), ..*self }.can_capture()
    }

    /// Returns the pieces of the side to move that can capture.
    #[inline]
    pub fn capturers(&self) -> Bitboard {
        for_turn!(self, capturers())
    }

    /// Returns the position after a legal move. After an illegal move the result is unspecified.
    #[inline]
    pub fn make(&self, mv: Move) -> Position {
        match self.turn {
            Colour::Black => self.make_for::<false>(mv),
            Colour::White => self.make_for::<true>(mv),
        }
    }

    #[inline(always)]
    fn make_for<const WHITE: bool>(&self, mv: Move) -> Position {
        let king_row = super::board::king_row::<WHITE>();
        let from = mv.start_bit();
        let was_king = self.board.kings.meets(from);
        let mut key = self.key ^ zobrist::WHITE_TO_MOVE ^ zobrist::piece(self.turn, was_king, from);
        let (mut at, mut is_king, mut captured) = (from, was_king, Bitboard::EMPTY);
        for leg in 0..mv.legs() {
            let (over, to) = mv.leg_from(at, leg);
            if !over.is_empty() {
                captured |= over;
                key ^= zobrist::piece(self.turn.other(), self.board.kings.meets(over), over);
            }
            is_king |= to.meets(king_row);
            at = to;
        }
        key ^= zobrist::piece(self.turn, is_king, at);
        let crown = if is_king { at } else { Bitboard::EMPTY };
        let board = self.board.after::<WHITE>(from, at, captured, crown);
        Position { key, board, turn: self.turn.other() }
    }

    /// Returns whether a move can be reversed: a king's plain move. Any other move makes every
    /// earlier position impossible.
    #[inline]
    pub fn is_reversible(&self, mv: Move) -> bool {
        !mv.is_capture() && self.board.kings.meets(mv.start_bit())
    }

    /// Returns the position before a reversible move that led to this one; `None` if the move
    /// cannot have.
    pub fn before_reversible(&self, mv: Move) -> Option<Position> {
        let mover = self.turn.other();
        let (from, to) = (mv.start_bit(), mv.end_bit());
        let possible =
            !mv.is_capture() && self.board.kings(mover).meets(to) && self.board.empty().meets(from);
        possible.then(|| {
            let key = self.key
                ^ zobrist::WHITE_TO_MOVE
                ^ zobrist::piece(mover, true, from)
                ^ zobrist::piece(mover, true, to);
            let board = match mover {
                Colour::Black => self.board.after::<false>(to, from, Bitboard::EMPTY, from),
                Colour::White => self.board.after::<true>(to, from, Bitboard::EMPTY, from),
            };
            Position { key, board, turn: mover }
        })
    }
}

impl TryFrom<Placement> for Position {
    type Error = PlacementError;

    fn try_from(placement: Placement) -> Result<Position, PlacementError> {
        let Placement { turn, men, kings } = placement;
        let mut taken = Bitboard::EMPTY;
        for set in men.into_iter().chain(kings) {
            if let Some(square) = (set & taken).into_iter().next() {
                return Err(PlacementError::Shared(square));
            }
            taken |= set;
        }
        for colour in Colour::ALL {
            let (men, kings) = (men[colour as usize], kings[colour as usize]);
            let count = men.len() + kings.len();
            if count > MOST_PIECES {
                return Err(PlacementError::TooMany { colour, count });
            }
            let king_row = match colour {
                Colour::Black => Bitboard::BLACK_KING_ROW,
                Colour::White => Bitboard::WHITE_KING_ROW,
            };
            if let Some(square) = (men & king_row).into_iter().next() {
                return Err(PlacementError::ManOnKingRow { colour, square });
            }
        }
        if taken.is_empty() {
            return Err(PlacementError::Empty);
        }
        let board = Board {
            black: men[0] | kings[0],
            white: men[1] | kings[1],
            kings: kings[0] | kings[1],
        };
        Ok(Position::new(board, turn))
    }
}

/// The FEN.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
