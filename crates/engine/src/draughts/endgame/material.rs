//! Classes of positions by their material, and the order in which they can be solved.

use std::fmt;

/// The numbers of men and kings of each side, the side to move first. Each side has at least one
/// piece, and both together have at most [`Material::MOST_PIECES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Material {
    men: [u8; 2],
    kings: [u8; 2],
}

impl Material {
    /// The largest number of pieces that tables are made for.
    pub const MOST_PIECES: u8 = 6;

    /// The largest number of pieces of the classes whose tables have the number of plies to the
    /// end. Those of larger classes have only results.
    pub const MOST_WITH_PLIES: u8 = 4;

    /// The number of values of [`Material::slot`].
    pub(super) const SLOTS: usize = 1 << 12;

    /// Returns the class with these numbers of men and kings, the side to move first;
    /// `None` if a side has no piece or both have too many.
    pub fn new(men: [u8; 2], kings: [u8; 2]) -> Option<Material> {
        let sides = [0, 1].map(|side| men[side].saturating_add(kings[side]));
        let fits = sides.iter().all(|side| (1..Self::MOST_PIECES).contains(side));
        (fits && sides[0] + sides[1] <= Self::MOST_PIECES).then_some(Material { men, kings })
    }

    /// Returns the men of the side to move and those of the other.
    pub const fn men(self) -> [u8; 2] {
        self.men
    }

    /// Returns the kings of the side to move and those of the other.
    pub const fn kings(self) -> [u8; 2] {
        self.kings
    }

    /// Returns the number of pieces, 2 to [`Material::MOST_PIECES`].
    pub const fn pieces(self) -> u8 {
        self.men[0] + self.men[1] + self.kings[0] + self.kings[1]
    }

    /// Returns whether the tables of this class have the number of plies to the end.
    pub const fn has_plies(self) -> bool {
        self.pieces() <= Self::MOST_WITH_PLIES
    }

    /// The same pieces with the other side to move.
    #[must_use]
    pub const fn swapped(self) -> Material {
        Material { men: [self.men[1], self.men[0]], kings: [self.kings[1], self.kings[0]] }
    }

    /// Returns an index into a list of classes, below [`Material::SLOTS`].
    pub(super) const fn slot(self) -> usize {
        slot(self.men, self.kings)
    }

    /// Returns all classes with at most this number of pieces, in the order in which they can be
    /// solved: captures lead to fewer pieces and crowning to fewer men. Each class is followed by
    /// its [`Material::swapped`], if that is a different one.
    pub fn up_to(pieces: u8) -> Vec<Material> {
        Material::groups(pieces).into_iter().flatten().flat_map(Material::pair).collect()
    }

    /// One class of each pair, in groups that depend only on earlier groups.
    pub(super) fn groups(pieces: u8) -> Vec<Vec<Material>> {
        let mut groups = Vec::new();
        for total in 2..=pieces.min(Self::MOST_PIECES) {
            for men in 0..=total {
                let mut group = Vec::new();
                for own_men in 0..=men {
                    for own_kings in 0..=total - men {
                        let men = [own_men, men - own_men];
                        let kings = [own_kings, total - men[0] - men[1] - own_kings];
                        let material = Material::new(men, kings);
                        group.extend(material.filter(|material| *material <= material.swapped()));
                    }
                }
                groups.push(group);
            }
        }
        groups
    }

    /// Returns the class and its [`Material::swapped`], or only the class if they are equal.
    pub(super) fn pair(self) -> Vec<Material> {
        let mut pair = vec![self, self.swapped()];
        pair.dedup();
        pair
    }
}

/// Returns an index into a list of classes; unique with fewer than eight pieces of each kind and
/// side.
#[inline(always)]
pub(super) const fn slot(men: [u8; 2], kings: [u8; 2]) -> usize {
    (men[0] as usize) << 9 | (kings[0] as usize) << 6 | (men[1] as usize) << 3 | kings[1] as usize
}

/// The pieces as letters, kings first: `KM v KK`, the side to move on the left.
impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |side: usize| {
            let [kings, men] = [self.kings, self.men].map(|kind| usize::from(kind[side]));
            format!("{}{}", "K".repeat(kings), "M".repeat(men))
        };
        f.pad(&format!("{} v {}", side(0), side(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_come_after_what_they_lead_to() {
        let order = Material::up_to(6);
        assert_eq!(order.len(), 4 + 12 + 25 + 44 + 70);
        let key = |material: &Material| (material.pieces(), material.men[0] + material.men[1]);
        assert!(order.is_sorted_by_key(key));
        let mut slots: Vec<usize> = order.iter().map(|material| material.slot()).collect();
        slots.sort_unstable();
        slots.dedup();
        assert_eq!(slots.len(), order.len(), "every class once");
    }

    #[test]
    fn only_what_there_are_tables_for() {
        for (men, kings) in
            [([0, 0], [2, 0]), ([0, 1], [6, 0]), ([2, 1], [2, 2]), ([255, 1], [1, 0])]
        {
            assert_eq!(Material::new(men, kings), None, "{men:?} {kings:?}");
        }
        assert_eq!(Material::new([1, 0], [1, 2]).unwrap().to_string(), "KM v KK");
    }
}
