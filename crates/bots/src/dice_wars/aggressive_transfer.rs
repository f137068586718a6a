//! Transfers that carry dice from the interior of a player's land to its border: the `a` of the
//! course's `at` bots, where it is called aggressive.

use botyard_engine::dice_wars::{Area, Map, Position};

/// Returns the first transfer of the player to move, in ascending order, from an area that touches
/// no enemy to a neighbour that does. `None` if there is none.
#[inline]
pub fn aggressive_transfer(map: &Map, position: &Position) -> Option<(Area, Area)> {
    if position.transfers_left() == 0 {
        return None;
    }
    let own = position.areas_of(position.to_move());
    let border = position.border_of(map, position.to_move());
    let open = border - position.full();
    ((own - border) & position.ready())
        .iter()
        .find_map(|from| (map.neighbours(from) & open).first().map(|to| (from, to)))
}
