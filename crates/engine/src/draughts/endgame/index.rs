//! A number for every position of a class, from 0 up without gaps: men on the 28 squares that they
//! can occupy, kings on the remaining squares. Sets of squares are numbered in the combinatorial
//! number system (Lehmer 1964).

use super::material::Material;
use super::seen::Seen;

/// The squares that men can occupy, those of the side to move first.
const MEN: [u32; 2] = [u32::MAX >> 4, u32::MAX << 4];

/// The largest number of pieces of one kind and side.
const MOST: usize = Material::MOST_PIECES as usize - 1;

/// The number of sets of k squares out of n: `BINOMIAL[n][k]`.
const BINOMIAL: [[u32; MOST + 1]; 33] = {
    let mut table = [[0; MOST + 1]; 33];
    let mut n = 0;
    while n <= 32 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= MOST && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The numbers of one class.
#[derive(Clone, Debug)]
pub(super) struct Index {
    material: Material,
    /// The first number of the other side's men for each set of own men.
    men: Vec<u32>,
    /// The number of sets of kings that each side can have, given all men and the first side's
    /// kings.
    kings: [u32; 2],
    len: u32,
}

impl Index {
    pub(super) fn new(material: Material) -> Index {
        let [own, other] = material.men().map(usize::from);
        let mut men = Vec::new();
        let mut sets = 0;
        for rank in 0..BINOMIAL[28][own] {
            men.push(sets);
            let available = MEN[1] & !set_of_rank(rank, own, MEN[0]);
            sets += BINOMIAL[available.count_ones() as usize][other];
        }
        let free = 32 - own - other;
        let [own, other] = material.kings().map(usize::from);
        let kings = [BINOMIAL[free][own], BINOMIAL[free - own][other]];
        Index { material, men, kings, len: sets * kings[0] * kings[1] }
    }

    /// Returns the number of positions.
    pub(super) const fn len(&self) -> u32 {
        self.len
    }

    /// Returns the number of a position of this class.
    #[inline]
    pub(super) fn of(&self, seen: Seen) -> u32 {
        let [own, other] = seen.men;
        let men = self.men[rank(own, MEN[0]) as usize] + rank(other, MEN[1] & !own);
        let free = !(own | other);
        let [own, other] = seen.kings;
        (men * self.kings[0] + rank(own, free)) * self.kings[1] + rank(other, free & !own)
    }

    /// Returns the position with a number below [`Index::len`].
    pub(super) fn position(&self, number: u32) -> Seen {
        let (rest, other_kings) = (number / self.kings[1], number % self.kings[1]);
        let (men, own_kings) = (rest / self.kings[0], rest % self.kings[0]);
        // The first entry is 0, so at least one entry is not greater.
        let own_men = self.men.partition_point(|&first| first <= men) - 1;
        let other_men = men - self.men[own_men];
        let count = self.material.men().map(usize::from);
        let own = set_of_rank(own_men as u32, count[0], MEN[0]);
        let other = set_of_rank(other_men, count[1], MEN[1] & !own);
        let men = [own, other];
        let free = !(own | other);
        let count = self.material.kings().map(usize::from);
        let own = set_of_rank(own_kings, count[0], free);
        let other = set_of_rank(other_kings, count[1], free & !own);
        Seen { men, kings: [own, other] }
    }
}

/// Returns the number of a set among those of as many squares out of the available ones.
#[inline(always)]
fn rank(mut set: u32, available: u32) -> u32 {
    let (mut rank, mut count) = (0, 1);
    while set != 0 {
        let lowest = set & set.wrapping_neg();
        rank += BINOMIAL[(available & (lowest - 1)).count_ones() as usize][count];
        count += 1;
        set ^= lowest;
    }
    rank
}

/// Returns the set of `count` available squares with this index (combinatorial number system).
fn set_of_rank(mut rank: u32, count: usize, available: u32) -> u32 {
    let mut set = 0;
    for count in (1..=count).rev() {
        let place = (0..available.count_ones() as usize)
            .rev()
            .find(|&place| BINOMIAL[place][count] <= rank)
            .unwrap_or(0);
        rank -= BINOMIAL[place][count];
        let above = (0..place).fold(available, |left, _| left & (left - 1));
        set |= above & above.wrapping_neg();
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_gap_and_lead_back() {
        for material in Material::up_to(3) {
            let index = Index::new(material);
            for number in 0..index.len() {
                let seen = index.position(number);
                assert_eq!(index.of(seen), number, "{material}");
                assert_eq!(seen.slot(), material.slot(), "{material} {number}");
                assert!(seen.men[0] & !MEN[0] == 0 && seen.men[1] & !MEN[1] == 0);
            }
        }
    }

    #[test]
    fn as_many_positions_as_there_are() {
        let total = |pieces| -> u64 {
            let of_so_many = Material::up_to(6).into_iter().filter(|m| m.pieces() == pieces);
            of_so_many.map(|material| u64::from(Index::new(material).len())).sum()
        };
        // Both colours to move, each stored once: the wins, losses and draws of all positions sum
        // to twice these numbers.
        let expected = [3_488, 196_032, 6_209_316, 139_450_808, 2_426_085_676];
        assert_eq!([2, 3, 4, 5, 6].map(total), expected);
        // With the positions in which one side has all pieces, there are as many as the Chinook
        // project counts (Schaeffer et al. 2003).
        let sets = |n: u64, k: u64| (0..k).fold(1, |product, i| product * (n - i) / (i + 1));
        let alone = |pieces: u64| -> u64 {
            2 * (0..=pieces).map(|men| sets(28, men) * sets(32 - men, pieces - men)).sum::<u64>()
        };
        let all = [2, 3, 4, 5, 6].map(|pieces| expected[pieces - 2] + alone(pieces as u64));
        assert_eq!(all, [6_972, 261_224, 7_092_774, 148_688_232, 2_503_611_964]);
    }
}
