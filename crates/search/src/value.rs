//! Values of positions for the side to move: evaluations in the middle, and beyond them wins and
//! losses that tell in how many plies.

/// A value that no position reaches: the ends of a full window.
pub const INFINITE: i32 = 31_000;
/// A win on the spot; in `n` plies it is worth `n` less.
pub const WIN: i32 = 30_000;
/// The value of a draw.
pub const DRAW: i32 = 0;
/// The longest line that is searched, in plies from the root.
pub const MOST_PLIES: u32 = 255;
/// The largest value of an evaluation.
pub const MOST_EVALUATION: i32 = 20_000;

/// The value, seen from the root, of a position `ply` plies from it in which the side to move has
/// lost.
#[inline]
pub const fn lost_at(ply: u32) -> i32 {
    ply as i32 - WIN
}

/// The value of a draw `ply` plies from the root, which to the side to move at the root is worth
/// `contempt` less than an even position.
#[inline]
pub const fn draw_at(ply: u32, contempt: i32) -> i32 {
    if ply.is_multiple_of(2) { DRAW - contempt } else { DRAW + contempt }
}

/// In how many plies the game is decided, if a value says so.
///
/// ```
/// use botyard_search::value::{decided_in, lost_at};
/// assert_eq!(decided_in(lost_at(6)), Some(6));
/// assert_eq!(decided_in(-lost_at(7)), Some(7));
/// assert_eq!(decided_in(250), None);
/// ```
pub const fn decided_in(value: i32) -> Option<u32> {
    if value.abs() > MOST_EVALUATION { Some((WIN - value.abs()) as u32) } else { None }
}

/// A value seen from the root as one seen from a position `ply` plies away, which is what a table
/// holds: the position may come up at another distance.
#[inline]
pub(crate) const fn from_here(value: i32, ply: u32) -> i32 {
    match value {
        _ if value > MOST_EVALUATION => value + ply as i32,
        _ if value < -MOST_EVALUATION => value - ply as i32,
        _ => value,
    }
}

/// Undoes [`from_here`].
#[inline]
pub(crate) const fn from_root(value: i32, ply: u32) -> i32 {
    match value {
        _ if value > MOST_EVALUATION => value - ply as i32,
        _ if value < -MOST_EVALUATION => value + ply as i32,
        _ => value,
    }
}
