//! Whether the detectives of a grid can catch Mr. X. Every pawn must move one cell at every turn,
//! and Mr. X moves first: a detective can step onto him only if it starts at an even distance from
//! him. If none does, he is caught only if he steps onto a detective himself, by mistake or because
//! he is hemmed in. On other boards, and where staying is allowed, parity does not matter.

use super::board::{Grid, GridMoves, Shape};
use super::position::Position;
use super::station::Station;

/// Returns the number of detectives at an even distance from Mr. X; `None` if parity does not
/// matter.
pub(super) fn even_detectives(shape: Shape, start: &Position) -> Option<u8> {
    let Shape::Grid(grid, GridMoves::Orthogonal) = shape else { return None };
    let stations = start.all_detectives().filter_map(|detective| start.pawns().get(detective));
    let even = stations.filter(|&station| is_even(grid, start.mr_x(), station));
    u8::try_from(even.count()).ok()
}

fn is_even(grid: Grid, one: Station, other: Station) -> bool {
    let ((x, y), (u, v)) = (grid.column_and_row(one), grid.column_and_row(other));
    (x.abs_diff(u) + y.abs_diff(v)).is_multiple_of(2)
}
