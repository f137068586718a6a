//! A knockout: the loser of a pairing is eliminated. The bots are seeded in the order of the file,
//! so that the first two can only meet in the final. If their number is not a power of two, the top
//! seeds have a bye in the first round. A pairing that is tied after its blocks gets extra blocks,
//! one at a time.

use super::tournament_schedule::{Block, BlockPoints};

/// The maximum number of extra blocks; then the better seed advances. Without it, two bots that
/// always draw would play forever.
const MOST_REPLAYS: u32 = 50;

/// The pairings of a knockout.
#[derive(Clone, Debug)]
pub(super) struct Knockout {
    bots: usize,
    blocks: u32,
}

/// The bracket of a knockout.
#[derive(Clone, Debug, PartialEq)]
pub struct KnockoutTable {
    /// Its rounds, in order; each has half as many pairings as the one before.
    pub rounds: Vec<Vec<KnockoutPairing>>,
}

/// A pairing of a knockout.
#[derive(Clone, Debug, PartialEq)]
pub struct KnockoutPairing {
    /// Its bots, if known; `None` beside a known winner is a bye.
    pub bots: [Option<usize>; 2],
    /// Their points so far.
    pub points: [f64; 2],
    /// The number of blocks played.
    pub blocks: u32,
    /// The winner, which advances.
    pub winner: Option<usize>,
    /// Whether the seeding decided, because the pairing stayed tied.
    pub by_seed: bool,
}

impl KnockoutTable {
    /// Returns the winner of the knockout.
    pub fn winner(&self) -> Option<usize> {
        self.rounds.last()?.first()?.winner
    }

    /// Returns the place of each of the `bots` bots, from 1: by the number of rounds that it won or
    /// had a bye in, so that bots that lost in the same round share a place. During the knockout,
    /// bots that are still in it are ahead of those that lost in the round they have reached. All
    /// are `None` before games decide the first pairing.
    pub fn places(&self, bots: usize) -> Vec<Option<usize>> {
        let mut reached = vec![(0, true); bots];
        for pairing in self.rounds.iter().flatten() {
            let Some(winner) = pairing.winner else { continue };
            for bot in pairing.bots.into_iter().flatten().filter(|&bot| bot < bots) {
                reached[bot].0 += u32::from(bot == winner);
                reached[bot].1 &= bot == winner;
            }
        }
        if reached.iter().all(|&(_, still_in)| still_in) {
            return vec![None; bots];
        }
        let better = |own: &(u32, bool)| reached.iter().filter(|other| *other > own).count();
        reached.iter().map(|own| Some(1 + better(own))).collect()
    }
}

impl Knockout {
    /// Returns a knockout of `bots` bots, 2 or more, with this number of blocks per pairing before
    /// extra blocks.
    pub(super) fn new(bots: usize, blocks: u32) -> Knockout {
        Knockout { bots, blocks }
    }

    /// Returns the number of blocks if no pairing is tied.
    pub(super) fn least_blocks(&self) -> u64 {
        (self.bots as u64 - 1) * u64::from(self.blocks)
    }

    /// Returns the number of pairings of a bracket, including byes.
    fn size(&self) -> usize {
        self.bots.next_power_of_two()
    }

    /// A block's number does not depend on the extra blocks of other pairings, so numbers
    /// have gaps.
    fn number(&self, pairing: usize, repeat: u32) -> u32 {
        repeat * (self.size() as u32 - 1) + pairing as u32 + 1
    }

    /// Returns the blocks to be played after these results.
    pub(super) fn known_blocks(&self, points: &BlockPoints) -> Vec<Block> {
        let mut blocks = Vec::new();
        let table = self.table(points);
        for (index, pairing) in table.rounds.iter().flatten().enumerate() {
            let [Some(one), Some(other)] = pairing.bots else { continue };
            let wanted = match pairing.winner {
                Some(_) => pairing.blocks,
                None => self.blocks.max(pairing.blocks + 1),
            };
            for repeat in 0..wanted {
                let number = self.number(index, repeat);
                blocks.push(Block { number, line_up: vec![one, other], repeat });
            }
        }
        blocks
    }

    /// Returns the bracket after these results.
    pub(super) fn table(&self, points: &BlockPoints) -> KnockoutTable {
        let mut rounds: Vec<Vec<KnockoutPairing>> = Vec::new();
        let mut index = 0;
        let mut entering: Vec<Entry> = seeds(self.size())
            .into_iter()
            .map(|seed| if seed < self.bots { Entry::Bot(seed) } else { Entry::Bye })
            .collect();
        while entering.len() > 1 {
            let mut round = Vec::new();
            let mut going_on = Vec::new();
            for pair in entering.chunks(2) {
                let pairing = self.pairing(index, [pair[0], pair[1]], points);
                going_on.push(pairing.winner.map_or(Entry::NotKnown, Entry::Bot));
                round.push(pairing);
                index += 1;
            }
            rounds.push(round);
            entering = going_on;
        }
        KnockoutTable { rounds }
    }

    fn pairing(&self, index: usize, entries: [Entry; 2], points: &BlockPoints) -> KnockoutPairing {
        let bots = entries.map(Entry::bot);
        let mut pairing =
            KnockoutPairing { bots, points: [0.0; 2], blocks: 0, winner: None, by_seed: false };
        match entries {
            [Entry::Bot(bot), Entry::Bye] | [Entry::Bye, Entry::Bot(bot)] => {
                pairing.winner = Some(bot);
            }
            [Entry::Bot(one), Entry::Bot(other)] => {
                while pairing.winner.is_none()
                    && let Some(block) = points.get(&self.number(index, pairing.blocks))
                    && let [first, second] = block[..]
                {
                    pairing.blocks += 1;
                    pairing.points[0] += first;
                    pairing.points[1] += second;
                    if pairing.blocks < self.blocks {
                        continue;
                    }
                    let lead = pairing.points[0] - pairing.points[1];
                    if lead.abs() > 1e-6 {
                        pairing.winner = Some(if lead > 0.0 { one } else { other });
                    } else if pairing.blocks >= self.blocks + MOST_REPLAYS {
                        pairing.winner = Some(one.min(other));
                        pairing.by_seed = true;
                    }
                }
            }
            _ => {}
        }
        pairing
    }
}

/// Returns the bots of a pairing.
#[derive(Clone, Copy, Debug)]
enum Entry {
    Bot(usize),
    Bye,
    NotKnown,
}

impl Entry {
    fn bot(self) -> Option<usize> {
        match self {
            Entry::Bot(bot) => Some(bot),
            Entry::Bye | Entry::NotKnown => None,
        }
    }
}

/// Returns the seeds of a bracket of this size, from top to bottom: 1 and 2 meet in the final, 1
/// and 4, 2 and 3 in the semi-finals, and so on.
fn seeds(size: usize) -> Vec<usize> {
    let mut seeds = vec![0];
    while seeds.len() < size {
        let places = 2 * seeds.len();
        seeds = seeds.into_iter().flat_map(|seed| [seed, places - 1 - seed]).collect();
    }
    seeds
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(knockout: &Knockout, result: impl Fn(usize, usize, u32) -> [f64; 2]) -> BlockPoints {
        let mut points = BlockPoints::new();
        loop {
            let before = points.len();
            for block in knockout.known_blocks(&points) {
                let [one, other] = block.line_up[..] else { panic!("a pair") };
                points.insert(block.number, result(one, other, block.repeat).to_vec());
            }
            if points.len() == before {
                return points;
            }
        }
    }

    #[test]
    fn the_best_seeds_meet_last() {
        assert_eq!(seeds(2), [0, 1]);
        assert_eq!(seeds(8), [0, 7, 3, 4, 1, 6, 2, 5]);
    }

    #[test]
    fn the_favourite_wins_in_one_block_per_loser() {
        for bots in 2..=17 {
            let knockout = Knockout::new(bots, 3);
            let favourite =
                |one: usize, other: usize, _| if one < other { [2.0, 0.0] } else { [0.0, 2.0] };
            let points = played(&knockout, favourite);
            assert_eq!(points.len() as u64, knockout.least_blocks(), "{bots} bots");
            assert_eq!(knockout.table(&points).winner(), Some(0));
            let table = knockout.table(&points);
            let last = table.rounds.last().unwrap();
            assert_eq!(last[0].bots, [Some(0), Some(1)], "{bots} bots");
        }
    }

    #[test]
    fn places_are_those_of_the_round_in_which_a_bot_lost() {
        let favourite =
            |one: usize, other: usize, _| if one < other { [2.0, 0.0] } else { [0.0, 2.0] };
        // With as many bots as the bracket has places, seeds are in the order of the file.
        for (bots, expected) in [
            (2, &[1, 2][..]),
            (3, &[1, 2, 3]),
            (4, &[1, 2, 3, 3]),
            (5, &[1, 2, 3, 3, 5]),
            (8, &[1, 2, 3, 3, 5, 5, 5, 5]),
        ] {
            let knockout = Knockout::new(bots, 1);
            assert_eq!(knockout.table(&BlockPoints::new()).places(bots), vec![None; bots]);
            let places = knockout.table(&played(&knockout, favourite)).places(bots);
            let expected: Vec<_> = expected.iter().map(|&place| Some(place)).collect();
            assert_eq!(places, expected, "{bots} bots");
        }
        // Of four bots, the first pairing is over: its loser is behind those that may still win
        // theirs.
        let knockout = Knockout::new(4, 1);
        let points = BlockPoints::from([(1, vec![2.0, 0.0])]);
        assert_eq!(knockout.table(&points).places(4), [Some(1), Some(2), Some(2), Some(4)]);
    }

    #[test]
    fn of_three_bots_the_first_has_a_bye() {
        let knockout = Knockout::new(3, 1);
        let blocks = knockout.known_blocks(&BlockPoints::new());
        assert_eq!(blocks.len(), 1);
        assert_eq!(blocks[0].line_up, [1, 2]);
    }

    #[test]
    fn tied_pairings_get_extra_blocks() {
        let knockout = Knockout::new(2, 2);
        let late = |_, _, repeat| if repeat < 4 { [1.0, 1.0] } else { [0.5, 1.5] };
        let points = played(&knockout, late);
        assert_eq!(points.len(), 5);
        let table = knockout.table(&points);
        assert_eq!((table.winner(), table.rounds[0][0].by_seed), (Some(1), false));

        let points = played(&knockout, |_, _, _| [1.0, 1.0]);
        assert_eq!(points.len(), 2 + MOST_REPLAYS as usize);
        let table = knockout.table(&points);
        assert_eq!((table.winner(), table.rounds[0][0].by_seed), (Some(0), true));
    }
}
