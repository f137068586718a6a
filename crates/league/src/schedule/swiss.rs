//! A Swiss tournament: in every round bots with similar scores meet. No pairing is repeated unless
//! there is no other way, which can happen in the last possible rounds.
//!
//! The result of a pairing is that of all its games together: 1 for more points than the opponent,
//! a half for as many. A bot without an opponent has a bye, which counts 1, and no bot has two
//! byes. Ties are broken by Buchholz (the sum of the opponents' scores), then by Sonneborn-Berger
//! (the scores of those beaten, and half of those drawn with), then by the points of single games.
//! In both, a bye counts as an opponent with the bot's own score, as in FIDE's rules (Handbook
//! C.07, unplayed rounds).

use super::matching::pair_all;
use super::tournament_schedule::{Block, BlockPoints};
use botyard_engine::Seed;
use botyard_engine::random::shuffle;

/// The pairings of a Swiss tournament.
#[derive(Clone, Debug)]
pub(super) struct Swiss {
    /// The bots in the order in which ties are paired: drawn, so that the file's order is no
    /// advantage.
    order: Vec<usize>,
    rounds: u32,
    blocks: u32,
}

/// The state of a Swiss tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct SwissTable {
    /// The bots, the best first.
    pub rows: Vec<SwissRow>,
    /// The number of complete rounds.
    pub rounds: u32,
}

impl SwissTable {
    /// Returns the place of each row, from 1. Rows that no tie-break separates share one.
    pub fn places(&self) -> Vec<usize> {
        let first_equal = |row: &SwissRow| {
            self.rows.iter().position(|other| !other.key().iter().zip(row.key()).any(differ))
        };
        self.rows.iter().map(|row| 1 + first_equal(row).unwrap_or(0)).collect()
    }

    /// Returns the place of each of the `bots` bots; all are `None` before the first round is complete.
    pub fn places_of_bots(&self, bots: usize) -> Vec<Option<usize>> {
        let mut places = vec![None; bots];
        if self.rounds > 0 {
            for (row, place) in self.rows.iter().zip(self.places()) {
                if let Some(entry) = places.get_mut(row.bot) {
                    *entry = Some(place);
                }
            }
        }
        places
    }
}

/// Points are sums of halves and thirds; a smaller difference is rounding.
fn differ((one, other): (&f64, f64)) -> bool {
    (one - other).abs() > 1e-6
}

impl SwissRow {
    /// Returns the criteria of the place: the score, then the tie-breaks in their order.
    fn key(&self) -> [f64; 4] {
        [self.score, self.buchholz, self.sonneborn_berger, self.points]
    }
}

/// A bot in a Swiss tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct SwissRow {
    /// The bot's index.
    pub bot: usize,
    /// The sum of its results, byes included.
    pub score: f64,
    /// The sum of its opponents' scores.
    pub buchholz: f64,
    /// The sum of the scores of beaten opponents, and half of those of drawn ones.
    pub sonneborn_berger: f64,
    /// Its points in single games.
    pub points: f64,
    /// The number of byes.
    pub byes: u32,
}

/// A bot's result in a round: the opponent (none in a bye) and the result.
type Meeting = (Option<usize>, f64);

/// The paired rounds, and their results so far.
struct Progress {
    rounds: Vec<Vec<[usize; 2]>>,
    meetings: Vec<Vec<Meeting>>,
    points: Vec<f64>,
    complete: u32,
}

impl Swiss {
    /// Returns a tournament of this number of bots, rounds, and blocks per pairing.
    pub(super) fn new(bots: usize, rounds: u32, blocks: u32, seed: Seed) -> Swiss {
        let mut order: Vec<usize> = (0..bots).collect();
        shuffle(seed.stream("swiss").rng(), &mut order);
        Swiss { order, rounds, blocks }
    }

    /// Returns the number of all blocks.
    pub(super) fn blocks(&self) -> u64 {
        u64::from(self.rounds) * self.pairs() as u64 * u64::from(self.blocks)
    }

    fn pairs(&self) -> usize {
        self.order.len() / 2
    }

    fn number(&self, round: usize, pair: usize, repeat: u32) -> u32 {
        let pairs = self.pairs() as u32;
        (round as u32 * self.blocks + repeat) * pairs + pair as u32 + 1
    }

    /// Returns the blocks of all rounds that can be paired after these results.
    pub(super) fn known_blocks(&self, points: &BlockPoints) -> Vec<Block> {
        let mut blocks = Vec::new();
        for (round, pairs) in self.progress(points).rounds.iter().enumerate() {
            for repeat in 0..self.blocks {
                for (pair, bots) in pairs.iter().enumerate() {
                    blocks.push(Block {
                        number: self.number(round, pair, repeat),
                        line_up: bots.to_vec(),
                        repeat: round as u32 * self.blocks + repeat,
                    });
                }
            }
        }
        blocks
    }

    /// Returns the table after all complete rounds.
    pub(super) fn table(&self, points: &BlockPoints) -> SwissTable {
        let progress = self.progress(points);
        let scores: Vec<f64> = progress.scores();
        let row = |&bot: &usize| {
            let against = |&(other, result): &Meeting| {
                (other.map_or(scores[bot], |other| scores[other]), result)
            };
            let meetings = || progress.meetings[bot].iter().map(against);
            SwissRow {
                bot,
                score: scores[bot],
                buchholz: meetings().map(|(score, _)| score).sum(),
                sonneborn_berger: meetings().map(|(score, result)| score * result).sum(),
                points: progress.points[bot],
                byes: progress.byes(bot),
            }
        };
        let mut rows: Vec<SwissRow> = self.order.iter().map(row).collect();
        // A stable sort: full ties keep the order of the draw.
        rows.sort_by(|one, other| {
            other.key().partial_cmp(&one.key()).unwrap_or(std::cmp::Ordering::Equal)
        });
        SwissTable { rows, rounds: progress.complete }
    }

    /// Pairs round after round as far as the results allow.
    fn progress(&self, points: &BlockPoints) -> Progress {
        let bots = self.order.len();
        let mut progress = Progress {
            rounds: Vec::new(),
            meetings: vec![Vec::new(); bots],
            points: vec![0.0; bots],
            complete: 0,
        };
        for round in 0..self.rounds as usize {
            let (pairs, bye) = self.pair(&progress);
            progress.rounds.push(pairs.clone());
            let results: Option<Vec<[f64; 2]>> =
                (0..pairs.len()).map(|pair| self.result(round, pair, points)).collect();
            let Some(results) = results else { break };
            progress.complete += 1;
            for (&[one, other], [first, second]) in pairs.iter().zip(results) {
                // Points are sums of halves and thirds; a smaller difference is rounding.
                let result = match first - second {
                    lead if lead > 1e-6 => 1.0,
                    lead if lead < -1e-6 => 0.0,
                    _ => 0.5,
                };
                progress.meetings[one].push((Some(other), result));
                progress.meetings[other].push((Some(one), 1.0 - result));
                progress.points[one] += first;
                progress.points[other] += second;
            }
            if let Some(bot) = bye {
                progress.meetings[bot].push((None, 1.0));
            }
        }
        progress
    }

    /// Returns the points of a pairing's two bots over its blocks; `None` if a block is missing.
    fn result(&self, round: usize, pair: usize, points: &BlockPoints) -> Option<[f64; 2]> {
        let mut sums = [0.0; 2];
        for repeat in 0..self.blocks {
            let block = points.get(&self.number(round, pair, repeat))?;
            sums[0] += block.first()?;
            sums[1] += block.get(1)?;
        }
        Some(sums)
    }

    /// Returns the pairs of the next round, and the bot with the bye: the best with the next bot
    /// below that it has not met, unless that leaves others without a partner, and so on downwards.
    fn pair(&self, progress: &Progress) -> (Vec<[usize; 2]>, Option<usize>) {
        let scores = progress.scores();
        let mut ranked = self.order.clone();
        ranked.sort_by(|&one, &other| scores[other].total_cmp(&scores[one]));
        // The last bot without a bye so far. If none of these works, the last bot.
        let byes: Vec<Option<usize>> = match ranked.len() % 2 {
            0 => vec![None],
            _ => {
                let least = ranked.iter().map(|&bot| progress.byes(bot)).min().unwrap_or(0);
                let free = ranked.iter().rev().filter(|&&bot| progress.byes(bot) == least);
                free.map(|&bot| Some(bot)).collect()
            }
        };
        let met = progress.met();
        // Bots meet again only if there is no other way.
        for most_meetings in 0..=self.rounds {
            for &bye in &byes {
                let bots: Vec<usize> =
                    ranked.iter().copied().filter(|&bot| Some(bot) != bye).collect();
                let times = |one: usize, other: usize| met[bots[one]][bots[other]];
                let possible = |one: usize, other: usize| times(one, other) <= most_meetings;
                let preferences = |one: usize| {
                    let mut below: Vec<usize> = (one + 1..bots.len()).collect();
                    below.sort_by_key(|&other| times(one, other));
                    below
                };
                if let Some(pairs) = pair_all(bots.len(), &possible, &preferences) {
                    return (pairs.iter().map(|pair| pair.map(|place| bots[place])).collect(), bye);
                }
            }
        }
        (Vec::new(), None)
    }
}

impl Progress {
    fn scores(&self) -> Vec<f64> {
        self.meetings.iter().map(|met| met.iter().map(|(_, result)| result).sum()).collect()
    }

    fn byes(&self, bot: usize) -> u32 {
        self.meetings[bot].iter().filter(|(other, _)| other.is_none()).count() as u32
    }

    /// Counts how often each pair of bots met.
    fn met(&self) -> Vec<Vec<u32>> {
        let bots = self.meetings.len();
        let mut met = vec![vec![0; bots]; bots];
        for (row, meetings) in met.iter_mut().zip(&self.meetings) {
            meetings.iter().filter_map(|(other, _)| *other).for_each(|other| row[other] += 1);
        }
        met
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Plays it out: the bot of the lower index wins, or every pairing is drawn.
    fn played(swiss: &Swiss, decided: bool) -> BlockPoints {
        let mut points = BlockPoints::new();
        loop {
            let before = points.len();
            for block in swiss.known_blocks(&points) {
                let first_wins = block.line_up[0] < block.line_up[1];
                let result = match decided {
                    true if first_wins => vec![2.0, 0.0],
                    true => vec![0.0, 2.0],
                    false => vec![1.0, 1.0],
                };
                points.insert(block.number, result);
            }
            if points.len() == before {
                return points;
            }
        }
    }

    #[test]
    fn no_pairing_is_repeated_and_no_bot_has_two_byes() {
        for (bots, rounds) in [(2, 1), (5, 5), (8, 3), (8, 7), (9, 4), (31, 5), (64, 8)] {
            for decided in [true, false] {
                let swiss = Swiss::new(bots, rounds, 2, 3.into());
                let points = played(&swiss, decided);
                assert_eq!(points.len() as u64, swiss.blocks());
                let progress = swiss.progress(&points);
                let mut met = BTreeSet::new();
                for round in &progress.rounds {
                    assert_eq!(round.concat().iter().collect::<BTreeSet<_>>().len(), bots / 2 * 2);
                    for &[one, other] in round {
                        assert!(met.insert([one.min(other), one.max(other)]), "{bots}: {round:?}");
                    }
                }
                assert!((0..bots).all(|bot| progress.byes(bot) <= 1), "{bots}");
            }
        }
    }

    /// With equal scores every pairing is allowed, and in half as many rounds as there are bots
    /// there is always a pairing without a repeat.
    #[test]
    fn no_pairing_is_repeated_if_there_is_an_alternative() {
        for bots in [12usize, 24, 30] {
            for decided in [true, false] {
                let swiss = Swiss::new(bots, bots as u32 / 2, 1, 0.into());
                let progress = swiss.progress(&played(&swiss, decided));
                let mut met = BTreeSet::new();
                for [one, other] in progress.rounds.concat() {
                    assert!(met.insert([one.min(other), one.max(other)]), "{bots}: {one}, {other}");
                }
            }
        }
    }

    #[test]
    fn the_best_comes_first_and_rounds_wait_for_the_one_before() {
        let swiss = Swiss::new(16, 4, 1, 1.into());
        assert_eq!(swiss.known_blocks(&BlockPoints::new()).len(), 8);
        let mut points = played(&swiss, true);
        let table = swiss.table(&points);
        assert_eq!((table.rows[0].bot, table.rows[0].score, table.rounds), (0, 4.0, 4));
        assert_eq!(table.rows.last().map(|row| (row.bot, row.score)), Some((15, 0.0)));
        assert_eq!(table.rows.iter().map(|row| row.score).sum::<f64>(), 32.0);
        // One result of the second round is missing: the third is not paired.
        points.remove(&swiss.number(1, 3, 0));
        assert_eq!(swiss.known_blocks(&points).len(), 16);
        assert_eq!(swiss.table(&points).rounds, 1);
    }

    /// Computed by hand: four bots, two rounds, all in the order drawn.
    #[test]
    fn ties_are_broken_by_buchholz_then_sonneborn_berger() {
        let swiss = Swiss { order: vec![0, 1, 2, 3], rounds: 2, blocks: 1 };
        // Round 1: 0 beats 1, 2 draws with 3. Round 2: 0 meets 2 and loses, 3 meets 1 and draws.
        let points = BlockPoints::from([
            (1, vec![2.0, 0.0]),
            (2, vec![1.0, 1.0]),
            (3, vec![0.5, 1.5]),
            (4, vec![1.0, 1.0]),
        ]);
        let progress = swiss.progress(&points);
        assert_eq!(progress.rounds, [[[0, 1], [2, 3]], [[0, 2], [3, 1]]]);
        let table = swiss.table(&points);
        let found: Vec<_> = table
            .rows
            .iter()
            .map(|row| (row.bot, row.score, row.buchholz, row.sonneborn_berger, row.points))
            .collect();
        assert_eq!(
            found,
            [
                (2, 1.5, 2.0, 1.5, 2.5),
                // Both have 1 point and 2 of Buchholz: 3 drew with better ones than 0 beat.
                (3, 1.0, 2.0, 1.0, 2.0),
                (0, 1.0, 2.0, 0.5, 2.5),
                (1, 0.5, 2.0, 0.5, 1.0),
            ]
        );
        assert_eq!(table.places(), [1, 2, 3, 4]);
        assert_eq!(table.places_of_bots(5), [Some(3), Some(4), Some(1), Some(2), None]);
        // All drew: nothing separates them. Before the first round no bot has a place.
        let level = BlockPoints::from([(1, vec![1.0, 1.0]), (2, vec![1.0, 1.0])]);
        assert_eq!(swiss.table(&level).places(), [1, 1, 1, 1]);
        assert_eq!(swiss.table(&BlockPoints::new()).places_of_bots(4), [None; 4]);
    }
}
