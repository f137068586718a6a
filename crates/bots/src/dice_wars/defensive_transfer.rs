//! Transfers that move dice out of areas that are likely to fall: the `d` of the course's `dt`
//! bots, where it is called defensive.

use super::hold_probability::hold_probability;
use botyard_engine::dice_wars::{Area, AreaSet, Map, Position};

/// Returns the transfer off a border area that minimizes the expected number of the player's dice
/// on areas that fall; the first of equal ones. `None` if none helps.
#[inline]
pub fn defensive_transfer(map: &Map, position: &Position) -> Option<(Area, Area)> {
    let (mut best, mut most) = (None, 0.0);
    for_each_defensive_transfer(map, position, |from, to, saved| {
        if saved > most {
            (best, most) = (Some((from, to)), saved);
        }
    });
    best
}

/// Calls `found` with every transfer of the player to move off a border area, in ascending order,
/// and the number of dice that it is expected to save.
#[inline]
pub fn for_each_defensive_transfer(
    map: &Map,
    position: &Position,
    mut found: impl FnMut(Area, Area, f64),
) {
    if position.transfers_left() == 0 {
        return;
    }
    let own = position.areas_of(position.to_move());
    let border = position.border_of(map, position.to_move());
    for from in border & position.ready() {
        let there = expected_loss(map, position, from, position.dice(from), own);
        for to in (map.neighbours(from) & own) - position.full() {
            let before = there + expected_loss(map, position, to, position.dice(to), own);
            let moved = position.transferred(from, to);
            let after = expected_loss(map, position, from, position.dice(from) - moved, own)
                + expected_loss(map, position, to, position.dice(to) + moved, own);
            found(from, to, before - after);
        }
    }
}

/// Returns the expected loss of dice of an own area with this number of dice.
#[inline]
fn expected_loss(map: &Map, position: &Position, area: Area, dice: u8, own: AreaSet) -> f64 {
    (1.0 - hold_probability(map, position, area, dice, own)) * f64::from(dice)
}
