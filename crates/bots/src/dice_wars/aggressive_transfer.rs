//! Transfers that carry dice from the inside of one's land to its border: the `a` of the course's
//! `at` bots, which call it aggressive.

use botyard_engine::dice_wars::{Area, Map, Position};

/// A transfer of the player to move from an area that no enemy touches to one beside it that some
/// enemy touches: the first there is, ascending. `None` if there is none.
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
