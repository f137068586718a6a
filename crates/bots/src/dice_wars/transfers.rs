//! A filter of transfers: leaves out those that carry dice away from the border where no enemy
//! threatens them.

use botyard_engine::Seat;
use botyard_engine::dice_wars::{Area, AreaSet, Map, Position};

/// Calls `found` with the useful transfers of the player to move, in the order of the areas:
/// towards the border, along it, and out of danger.
#[inline]
pub(super) fn for_each_sensible_transfer(
    map: &Map,
    position: &Position,
    mut found: impl FnMut(Area, Area),
) {
    let seat = position.to_move();
    let own = position.areas_of(seat);
    let border = position.border_of(map, seat);
    let second_line: AreaSet = map.neighbours_of_all(border) & own;
    // The distance to the border, at most 2.
    let distance =
        |area| if border.contains(area) { 0 } else { 2 - u8::from(second_line.contains(area)) };
    position.for_each_transfer(map, |from, to| {
        // Away from the border only out of danger.
        let is_backwards = distance(to) > distance(from);
        if !(is_backwards && is_safe(map, position, seat, from)) {
            found(from, to);
        }
    });
}

/// Returns whether no neighbour has an even chance to win an area of this seat's.
fn is_safe(map: &Map, position: &Position, seat: Seat, area: Area) -> bool {
    let enemies = map.neighbours(area) - position.areas_of(seat);
    enemies.iter().all(|enemy| position.dice(enemy) <= position.dice(area))
}
