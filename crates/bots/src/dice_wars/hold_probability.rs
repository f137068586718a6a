//! The probability of holding an area until the next turn, by the model of the course's bots: every
//! enemy beside it attacks once, with the dice it has now, and all of these attacks must fail.

use botyard_engine::dice_wars::{Area, AreaSet, Map, Position, win_probability};

/// Returns the probability that an area with this number of dice (1 to 8) resists one attack from
/// each neighbour with two dice or more that is not in `own`.
#[inline]
pub fn hold_probability(map: &Map, position: &Position, area: Area, dice: u8, own: AreaSet) -> f64 {
    let mut hold = 1.0;
    for enemy in (map.neighbours(area) - own) & position.ready() {
        hold *= 1.0 - win_probability(position.dice(enemy), dice);
    }
    hold
}

/// Returns the probability that an attack from an area of `own` with two dice or more is won and
/// the area is then held. The attacked area itself does not attack, but other enemies may.
#[inline]
pub fn win_and_hold_probability(
    map: &Map,
    position: &Position,
    from: Area,
    to: Area,
    own: AreaSet,
) -> f64 {
    let dice = position.dice(from);
    win_probability(dice, position.dice(to)) * hold_probability(map, position, to, dice - 1, own)
}
