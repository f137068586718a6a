//! What a position is worth, and the byte that stands for it.

/// The result with best play, for the side to move. Who wins hurries and who loses delays.
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
    /// The byte that stands for it: the number of plies, which is odd for wins and even for losses,
    /// or 255 for a draw.
    pub const fn byte(self) -> u8 {
        match self {
            Value::Draw => DRAW,
            Value::Win(plies) | Value::Loss(plies) => plies,
        }
    }

    /// The value that a byte stands for; 254 stands for none.
    pub const fn from_byte(byte: u8) -> Option<Value> {
        match byte {
            DRAW => Some(Value::Draw),
            UNKNOWN => None,
            plies if plies % 2 == 1 => Some(Value::Win(plies)),
            plies => Some(Value::Loss(plies)),
        }
    }

    /// In how many plies the game is over; `None` for a draw.
    pub const fn plies(self) -> Option<u8> {
        match self {
            Value::Draw => None,
            Value::Win(plies) | Value::Loss(plies) => Some(plies),
        }
    }

    /// The value of a move that leads to a position with this value, for who makes it.
    #[must_use]
    pub const fn before(self) -> Value {
        match self {
            Value::Draw => Value::Draw,
            Value::Win(plies) => Value::Loss(plies + 1),
            Value::Loss(plies) => Value::Win(plies + 1),
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

    /// In how many plies the quickest win comes, if there is one.
    pub(super) const fn fastest_win(self) -> Option<u8> {
        self.fastest_win
    }

    /// In how many plies the slowest loss comes, if there is one.
    pub(super) const fn slowest_loss(self) -> Option<u8> {
        self.slowest_loss
    }

    /// The byte of the position in which these are all the moves.
    pub(super) const fn byte(self) -> u8 {
        match (self.fastest_win, self.slowest_loss) {
            (Some(win), _) => win,
            (None, _) if self.has_draw => DRAW,
            (None, Some(loss)) => loss,
            (None, None) => 0,
        }
    }
}
