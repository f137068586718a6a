//! Results in the form that statistics need: kinds of games with their counts, and blocks grouped
//! in strata. Independent of the order in which games were played or reported.

use crate::played_game::{PlayedGame, Verdict};
use crate::scale::Scale;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A kind of game: a game that counts, reduced to what statistics use, so that equal games are one
/// kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Kind {
    /// The bot in each seat.
    pub seats: Vec<usize>,
    /// The share of the points of each seat, 0 to 1.
    pub points: Vec<f64>,
    /// The points of each seat as the game counts them.
    pub scores: Vec<f64>,
    /// The place of each seat, from 1.
    pub places: Vec<u32>,
    /// The number of such games.
    pub count: u64,
}

/// A block: its games as kinds, in ascending order.
pub type Cell = Vec<u32>;

/// All results of a tournament.
#[derive(Clone, Debug, Default)]
pub struct Blocks {
    /// The kinds of games that count.
    pub kinds: Vec<Kind>,
    /// The distinct blocks.
    pub cells: Vec<Cell>,
    /// The blocks, each as its cell, in strata that are resampled separately: one per line-up. A
    /// few blocks are a poor sample, so the line-ups with fewer than [`FEW`] blocks share a
    /// stratum.
    pub strata: Vec<Vec<u32>>,
    /// The number of differences between bots that the blocks measured: for each block, the number
    /// of its bots minus one.
    pub differences: u64,
}

/// The minimum number of blocks of a line-up for a stratum of its own.
pub const FEW: usize = 5;

/// A kind in a form that can be compared and hashed.
type Key<'a> = (&'a [usize], Vec<u64>, &'a [u32]);

impl Blocks {
    /// Gathers the games, whose points are of this scale. Unreadable and void games do not count.
    pub fn new(bots: usize, games: &[PlayedGame], scale: Scale) -> Blocks {
        let mut counts: HashMap<Key, (u64, u32)> = HashMap::new();
        let mut of_block: HashMap<u32, Vec<usize>> = HashMap::new();
        for (index, game) in games.iter().enumerate() {
            if game.seats.iter().all(|&bot| bot < bots) {
                of_block.entry(game.block).or_default().push(index);
            }
            if let Some(key) = key(bots, game, scale) {
                counts.entry(key).or_default().0 += 1;
            }
        }
        let mut sorted: Vec<_> = counts.iter_mut().collect();
        sorted.sort_by(|a, b| a.0.cmp(b.0));
        let mut kinds = Vec::with_capacity(sorted.len());
        for (id, (key, (count, kind))) in sorted.into_iter().enumerate() {
            *kind = id as u32;
            let scores: Vec<f64> = key.1.iter().map(|&bits| f64::from_bits(bits)).collect();
            kinds.push(Kind {
                seats: key.0.to_vec(),
                points: scale.shares(&scores),
                scores,
                places: key.2.to_vec(),
                count: *count,
            });
        }

        // The bots of the block, even if some of its games do not count.
        let mut strata: BTreeMap<BTreeSet<Vec<usize>>, Vec<Cell>> = BTreeMap::new();
        let mut differences = 0;
        for games_of_block in of_block.into_values() {
            let games = || games_of_block.iter().map(|&index| &games[index]);
            let mut cell: Cell =
                games().filter_map(|game| Some(counts.get(&key(bots, game, scale)?)?.1)).collect();
            cell.sort_unstable();
            let line_up = |game: &PlayedGame| {
                let mut bots = game.seats.clone();
                bots.sort_unstable();
                bots
            };
            if !cell.is_empty() {
                let line_ups: BTreeSet<Vec<usize>> = games().map(line_up).collect();
                let measured = |line_up: &Vec<usize>| line_up.len().saturating_sub(1) as u64;
                differences += line_ups.iter().map(measured).sum::<u64>();
                strata.entry(line_ups).or_default().push(cell);
            }
        }
        let (few, mut strata): (Vec<_>, Vec<_>) =
            strata.into_values().partition(|blocks| blocks.len() < FEW);
        let mut few: Vec<Cell> = few.into_iter().flatten().collect();
        match strata.last_mut() {
            Some(others) if few.len() < FEW => others.append(&mut few),
            _ => strata.push(few),
        }

        let mut cells: Vec<Cell> = strata.iter().flatten().cloned().collect();
        cells.sort_unstable();
        cells.dedup();
        let id = |cell: &Cell| cells.binary_search(cell).map_or(0, |id| id as u32);
        let mut strata: Vec<Vec<u32>> =
            strata.iter().map(|blocks| blocks.iter().map(id).collect()).collect();
        strata.iter_mut().for_each(|blocks| blocks.sort_unstable());
        Blocks { kinds, cells, strata, differences }
    }

    /// Returns the number of blocks.
    pub fn len(&self) -> usize {
        self.strata.iter().map(Vec::len).sum()
    }

    /// Returns whether there are no blocks.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Returns whether a game is complete and valid: for every seat, a bot that takes part, points of the
/// scale and a place.
pub fn readable(bots: usize, game: &PlayedGame, scale: Scale) -> bool {
    let Verdict::Scored { points, places } = &game.verdict else { return false };
    let seats = game.seats.len();
    // The orders within a tie are enumerated; 16 seats are far beyond any game.
    (1..=16).contains(&seats)
        && points.len() == seats
        && places.len() == seats
        && game.seats.iter().all(|&bot| bot < bots)
        && points.iter().all(|&points| scale.has(points))
}

fn key(bots: usize, game: &PlayedGame, scale: Scale) -> Option<Key<'_>> {
    let Verdict::Scored { points, places } = &game.verdict else { return None };
    // Adding 0 turns -0 into +0.
    let bits = points.iter().map(|points| (points + 0.0).to_bits()).collect();
    readable(bots, game, scale).then_some((&game.seats[..], bits, &places[..]))
}
