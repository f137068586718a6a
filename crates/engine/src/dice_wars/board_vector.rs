//! The layout of a board as a vector of numbers, by Doležel et al. (2021, 5.1), for networks that
//! evaluate it: whether areas are adjacent, the owner of each area (1 to 4), and its dice (1 to 8).
//!
//! Their vector of 664 numbers ends with the winner of the game, which is what a network learns, so
//! its inputs are the first 663. The report leaves open how the triangle is ordered: here row by
//! row. No area is its own neighbour, so the diagonal is 0.

use super::area::{Area, AreaSet, MAX_AREAS};

/// The number of areas of a board that has this layout.
pub const AREAS: usize = 34;
/// The number of players of a game that has this layout.
pub const PLAYERS: usize = 4;
/// The first owner, after the upper triangle of the matrix of adjacency with its diagonal.
const OWNERS: usize = AREAS * (AREAS + 1) / 2;
/// The first number of dice.
const DICE: usize = OWNERS + AREAS;
/// The length of the vector, without the winner.
pub const LENGTH: usize = DICE + AREAS;

/// Returns the place of the entry that is 1 if two areas are adjacent, in either order.
///
/// # Panics
///
/// In builds with debug assertions, for an area beyond the layout.
#[inline]
pub const fn adjacency(one: Area, other: Area) -> usize {
    debug_assert!(one.index() < AREAS && other.index() < AREAS);
    let (row, column) = match one.index() <= other.index() {
        true => (one.index(), other.index()),
        false => (other.index(), one.index()),
    };
    // Each row is shorter by one than the one before.
    row * AREAS - row * (row + 1) / 2 + column
}

/// Returns the place of an area's owner.
#[inline]
pub const fn owner(area: Area) -> usize {
    OWNERS + area.index()
}

/// Returns the place of an area's dice.
#[inline]
pub const fn dice(area: Area) -> usize {
    DICE + area.index()
}

/// Checks that games with this number of players and of areas have this layout.
///
/// # Errors
///
/// If they do not: what was expected and what came, in a sentence.
pub fn check(players: usize, areas: usize) -> Result<(), String> {
    match (players, areas) {
        (PLAYERS, AREAS) => Ok(()),
        _ => Err(format!(
            "expected a game of {PLAYERS} players on {AREAS} areas, as under the preset sui-2021; got \
             {players} players on {areas} areas"
        )),
    }
}

/// Calls `found` with the places of all pairs of adjacent areas, in ascending order, for the
/// neighbours of each area.
#[inline]
pub fn for_each_adjacency(
    neighbours: impl IntoIterator<Item = AreaSet>,
    mut found: impl FnMut(usize),
) {
    for (one, around) in Area::all(MAX_AREAS).zip(neighbours) {
        for other in around.iter().filter(|other| other.index() > one.index()) {
            found(adjacency(one, other));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_has_a_place_of_its_own() {
        let area = Area::new;
        let pairs = (0..AREAS).flat_map(|one| (one..AREAS).map(move |other| (one, other)));
        let triangle = pairs.map(|(one, other)| adjacency(area(one), area(other)));
        let owners = (0..AREAS).map(|index| owner(area(index)));
        let dice = (0..AREAS).map(|index| dice(area(index)));
        assert!(triangle.chain(owners).chain(dice).eq(0..LENGTH));
        assert_eq!((LENGTH, adjacency(area(5), area(2))), (663, adjacency(area(2), area(5))));
    }

    #[test]
    fn other_boards_are_refused() {
        assert_eq!(check(4, 34), Ok(()));
        assert!(check(2, 34).unwrap_err().contains("got 2 players on 34 areas"));
        assert!(check(4, 20).is_err());
    }
}
