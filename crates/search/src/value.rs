//! Values of positions for the side to move: evaluations in the middle of the range, and beyond
//! them wins and losses that encode the number of plies.

/// A value beyond that of every position: the ends of a full window.
pub const INFINITE: i32 = 31_000;
/// A win in 0 plies; a win in `n` plies is worth `n` less.
pub const WIN: i32 = 30_000;
/// The value of a draw.
pub const DRAW: i32 = 0;
/// The maximum length of a line, in plies from the root.
pub const MOST_PLIES: u32 = 255;
/// The number of plies that a win counts as if only the result is known, as from endgame tables
/// without distances: more than any known number.
pub const UNKNOWN_PLIES: u32 = 1_000;
/// The maximum absolute value of an evaluation.
pub const MOST_EVALUATION: i32 = 20_000;

/// Returns the value, relative to the root, of a position `ply` plies from it in which the side to
/// move has lost.
#[inline]
pub const fn lost_at(ply: u32) -> i32 {
    ply as i32 - WIN
}

/// Returns the value of a draw `ply` plies from the root. It is worth `contempt` less than an even
/// position to the side to move at the root.
#[inline]
pub const fn draw_at(ply: u32, contempt: i32) -> i32 {
    if ply.is_multiple_of(2) { DRAW - contempt } else { DRAW + contempt }
}

/// Returns the number of plies in which the game is decided, if the value encodes one. A win or loss
/// in an unknown number of plies is beyond [`MOST_EVALUATION`] too, but encodes none.
///
/// ```
/// use botyard_search::value::{decided_in, lost_at};
/// assert_eq!(decided_in(lost_at(6)), Some(6));
/// assert_eq!(decided_in(-lost_at(7)), Some(7));
/// assert_eq!(decided_in(250), None);
/// assert_eq!(decided_in(lost_at(1_003)), None);
/// ```
pub const fn decided_in(value: i32) -> Option<u32> {
    let plies = WIN - value.abs();
    let is_known = value.abs() > MOST_EVALUATION && plies < UNKNOWN_PLIES as i32;
    if is_known { Some(plies as u32) } else { None }
}

/// Converts a value relative to the root to one relative to a position `ply` plies from it. Tables
/// store the latter: the position may occur at another distance.
#[inline]
pub(crate) const fn from_here(value: i32, ply: u32) -> i32 {
    match value {
        _ if value > MOST_EVALUATION => value + ply as i32,
        _ if value < -MOST_EVALUATION => value - ply as i32,
        _ => value,
    }
}

/// Returns the inverse of [`from_here`].
#[inline]
pub(crate) const fn from_root(value: i32, ply: u32) -> i32 {
    match value {
        _ if value > MOST_EVALUATION => value - ply as i32,
        _ if value < -MOST_EVALUATION => value + ply as i32,
        _ => value,
    }
}
