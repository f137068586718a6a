//! Values of positions, and their encoding as bytes.

use std::fmt;

/// The result with best play, for the side to move. The winner hurries and the loser delays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A draw: neither side can force a win.
    Draw,
    /// The side to move wins: after this number of plies the other side cannot move. Odd.
    Win(u8),
    /// The side to move loses: after this number of plies it cannot move. Even; 0 if it cannot move
    /// now.
    Loss(u8),
}

/// The byte of a draw.
pub(super) const DRAW: u8 = 255;
/// A byte that no solved position has.
pub(super) const UNKNOWN: u8 = 254;

impl Value {
    /// Returns the byte of a value: the number of plies, which is odd for wins and even for losses,
    /// or 255 for a draw.
    pub const fn byte(self) -> u8 {
        match self {
            Value::Draw => DRAW,
            Value::Win(plies) | Value::Loss(plies) => plies,
        }
    }

    /// Returns the value of a byte; `None` for 254.
    pub const fn from_byte(byte: u8) -> Option<Value> {
        match byte {
            DRAW => Some(Value::Draw),
            UNKNOWN => None,
            plies if plies % 2 == 1 => Some(Value::Win(plies)),
            plies => Some(Value::Loss(plies)),
        }
    }

    /// Returns the number of plies until the game is over; `None` for a draw.
    pub const fn plies(self) -> Option<u8> {
        match self {
            Value::Draw => None,
            Value::Win(plies) | Value::Loss(plies) => Some(plies),
        }
    }

    /// Returns the value of a move that leads to a position with this value, for the side that
    /// makes it.
    #[must_use]
    pub const fn before(self) -> Value {
        match self {
            Value::Draw => Value::Draw,
            Value::Win(plies) => Value::Loss(plies + 1),
            Value::Loss(plies) => Value::Win(plies + 1),
        }
    }
}

/// What the side to move does: `wins in 3 plies`, `draws`.
impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Draw => formatter.write_str("draws"),
            Value::Win(1) => formatter.write_str("wins in 1 ply"),
            Value::Win(plies) => write!(formatter, "wins in {plies} plies"),
            Value::Loss(0) => formatter.write_str("has lost"),
            Value::Loss(plies) => write!(formatter, "loses in {plies} plies"),
        }
    }
}

/// The best among the values after a side's moves, for that side.
#[derive(Clone, Copy, Default)]
pub(super) struct Best {
    fastest_win: Option<u8>,
    has_draw: bool,
    slowest_loss: Option<u8>,
}

impl Best {
    /// Adds a move by the byte of the position after it.
    #[inline(always)]
    pub(super) fn add(&mut self, after: u8) {
        match after {
            DRAW => self.has_draw = true,
            won if won % 2 == 1 => self.slowest_loss = self.slowest_loss.max(Some(won + 1)),
            lost => {
                let win = lost + 1;
                self.fastest_win = Some(self.fastest_win.map_or(win, |fastest| fastest.min(win)));
            }
        }
    }

    /// Returns the number of plies of the fastest win, if there is one.
    pub(super) const fn fastest_win(self) -> Option<u8> {
        self.fastest_win
    }

    /// Returns the number of plies of the slowest loss, if there is one.
    pub(super) const fn slowest_loss(self) -> Option<u8> {
        self.slowest_loss
    }

    /// Returns the byte of the position that has exactly these moves.
    pub(super) const fn byte(self) -> u8 {
        match (self.fastest_win, self.slowest_loss) {
            (Some(win), _) => win,
            (None, _) if self.has_draw => DRAW,
            (None, Some(loss)) => loss,
            (None, None) => 0,
        }
    }
}
