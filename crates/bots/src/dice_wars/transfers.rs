//! Which transfers are worth a thought: not those that carry dice away from the border where nothing
//! threatens them.

use botyard_engine::Seat;
use botyard_engine::dice_wars::{Area, AreaSet, Map, Position};

/// Calls `found` with the transfers of the player to move that may be good for something, in the order
/// of the areas: towards the border, along it, and out of danger.
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
    // How far from the border, where two steps are as far as any.
    let distance =
        |area| if border.contains(area) { 0 } else { 2 - u8::from(second_line.contains(area)) };
    position.for_each_transfer(map, |from, to| {
        // From the border inwards only out of danger.
        let is_backwards = distance(to) > distance(from);
        if !(is_backwards && is_safe(map, position, seat, from)) {
            found(from, to);
        }
    });
}

/// Whether no neighbour has an even chance to win an area of this seat's.
fn is_safe(map: &Map, position: &Position, seat: Seat, area: Area) -> bool {
    let enemies = map.neighbours(area) - position.areas_of(seat);
    enemies.iter().all(|enemy| position.dice(enemy) <= position.dice(area))
}
