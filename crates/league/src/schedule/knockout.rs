//! A knockout: who loses a pairing is out. The bots are seeded in the order of the file, so that the
//! first two can only meet in the final; where they are no power of two the first ones sit out the
//! first round. A pairing that is level after its blocks is played on, block by block.

use super::tournament_schedule::{Block, BlockPoints};

/// After so many more blocks the better seed goes on: two bots that always draw would play for ever.
const MOST_REPLAYS: u32 = 50;

/// The pairings of a knockout.
#[derive(Clone, Debug)]
pub struct Knockout {
    bots: usize,
    blocks: u32,
}

/// The bracket of a knockout.
#[derive(Clone, Debug, PartialEq)]
pub struct KnockoutTable {
    /// Its rounds, the first one first; each has half as many pairings as the one before.
    pub rounds: Vec<Vec<KnockoutPairing>>,
}

/// A pairing of a knockout.
#[derive(Clone, Debug, PartialEq)]
pub struct KnockoutPairing {
    /// Its bots, as far as they are known; `None` beside a known winner is a bye.
    pub bots: [Option<usize>; 2],
    /// Their points so far.
    pub points: [f64; 2],
    /// How many blocks were played.
    pub blocks: u32,
    /// Who goes on.
    pub winner: Option<usize>,
    /// Whether that was decided by the seeding, because it was level to the end.
    pub by_seed: bool,
}

impl KnockoutTable {
    /// Who has won it all.
    pub fn winner(&self) -> Option<usize> {
        self.rounds.last()?.first()?.winner
    }

    /// Returns the place of each of the `bots` bots, from 1: by the number of rounds that it won or sat
    /// out, so that those who lost in the same round share a place. While the knockout is played, bots
    /// that are still in it come before those that lost in the round they have reached. All are `None`
    /// before the first pairing is decided by games.
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
    /// So many bots, 2 or more, and so many blocks for each pairing before it is looked at.
    pub fn new(bots: usize, blocks: u32) -> Knockout {
        Knockout { bots, blocks }
    }

    /// How many blocks there are if no pairing is level.
    pub fn least_blocks(&self) -> u64 {
        (self.bots as u64 - 1) * u64::from(self.blocks)
    }

    /// The pairings of a bracket, byes included.
    fn size(&self) -> usize {
        self.bots.next_power_of_two()
    }

    /// The same block has the same number whatever other pairings need: so numbers have gaps.
    fn number(&self, pairing: usize, repeat: u32) -> u32 {
        repeat * (self.size() as u32 - 1) + pairing as u32 + 1
    }

    /// The blocks that are to be played after these results.
    pub fn known_blocks(&self, points: &BlockPoints) -> Vec<Block> {
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

    /// The bracket after these results.
    pub fn table(&self, points: &BlockPoints) -> KnockoutTable {
        let mut rounds: Vec<Vec<KnockoutPairing>> = Vec::new();
        let mut index = 0;
        let mut entering: Vec<Entry> = seeds(self.size())
            .into_iter()
            .map(|seed| if seed < self.bots { Entry::Bot(seed) } else { Entry::Nobody })
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
            [Entry::Bot(bot), Entry::Nobody] | [Entry::Nobody, Entry::Bot(bot)] => {
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

/// Who comes into a pairing.
#[derive(Clone, Copy, Debug)]
enum Entry {
    Bot(usize),
    Nobody,
    NotKnown,
}

impl Entry {
    fn bot(self) -> Option<usize> {
        match self {
            Entry::Bot(bot) => Some(bot),
            Entry::Nobody | Entry::NotKnown => None,
        }
    }
}

/// The seeds of a bracket of so many places, from top to bottom: 1 and 2 meet in the final, 1 and 4, 2
/// and 3 before that, and so on.
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
    fn the_favourite_wins_in_as_many_blocks_as_there_are_losers() {
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
        // With as many bots as a bracket has places, seeds fall in the order of the file.
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
        // Of four the first pairing is over: its loser comes after those who may still win theirs.
        let knockout = Knockout::new(4, 1);
        let points = BlockPoints::from([(1, vec![2.0, 0.0])]);
        assert_eq!(knockout.table(&points).places(4), [Some(1), Some(2), Some(2), Some(4)]);
    }

    #[test]
    fn three_bots_leave_the_first_one_out_of_the_first_round() {
        let knockout = Knockout::new(3, 1);
        let blocks = knockout.known_blocks(&BlockPoints::new());
        assert_eq!(blocks.len(), 1);
        assert_eq!(blocks[0].line_up, [1, 2]);
    }

    #[test]
    fn what_is_level_is_played_on_until_it_is_not() {
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
