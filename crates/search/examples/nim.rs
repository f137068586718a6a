//! Nim: two sides take from one of a few heaps in turn, and the side that cannot take has lost.
//! Every algorithm of `two_sided` finds the winner; the node counts compare the algorithms.
//!
//! Bouton (1901) gives the answer to compare with: the side to move loses if the nim-sum (exclusive
//! or) of the heaps is zero.
//!
//! `cargo run -p botyard-search --example nim [HEAP...]`

use botyard_search::two_sided::{Algorithm, Root, Settings, TwoSidedGame, TwoSidedSearcher};
use botyard_search::value::decided_in;
use botyard_search::{Limits, Report};

/// The maximum number of heaps, and the maximum size of a heap.
const HEAPS: usize = 4;
const MOST: u8 = 15;

type Heaps = [u8; HEAPS];

/// Takes from a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Take {
    heap: u8,
    count: u8,
}

/// The rules. There is nothing to evaluate, and no move is noisy: the defaults say so.
struct Nim;

impl TwoSidedGame for Nim {
    type Position = Heaps;
    type Move = Take;

    fn for_each_move(&self, heaps: &Heaps, mut f: impl FnMut(Take)) {
        for (heap, &left) in heaps.iter().enumerate() {
            (1..=left).for_each(|count| f(Take { heap: heap as u8, count }));
        }
    }

    fn make(&self, heaps: &Heaps, take: Take) -> Heaps {
        let mut after = *heaps;
        after[usize::from(take.heap)] -= take.count;
        after
    }

    fn key(&self, heaps: &Heaps) -> u64 {
        u64::from(u32::from_le_bytes(*heaps)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn move_id(&self, take: Take) -> u32 {
        u32::from(take.heap) << 4 | u32::from(take.count)
    }
}

/// Searches to the end of the game.
fn solve(heaps: Heaps, algorithm: Algorithm) -> Report<Take> {
    let plies: u32 = heaps.iter().map(|&heap| u32::from(heap)).sum();
    // Without pruning that relies on an evaluation.
    let mut searcher = TwoSidedSearcher::new(Settings::exact(algorithm));
    searcher.search(&Nim, &Root::new(heaps), &Limits::depth(plies + 1))
}

fn main() {
    let mut heaps = [2, 3, 4, 0];
    let arguments: Vec<u8> =
        std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    if !arguments.is_empty() {
        heaps = std::array::from_fn(|heap| arguments.get(heap).map_or(0, |&left| left.min(MOST)));
    }
    let sum = heaps.iter().fold(0, |sum, heap| sum ^ heap);
    println!(
        "heaps {heaps:?}: by Bouton the side to move {}",
        if sum > 0 { "wins" } else { "loses" }
    );
    for (name, algorithm) in Algorithm::ALL {
        let report = solve(heaps, algorithm);
        let plies = decided_in(report.value).map_or(0, |plies| plies);
        let verdict = if report.value > 0 { "wins" } else { "loses" };
        match report.best {
            Some(Take { heap, count }) => println!(
                "{name:>10}: {verdict} in {plies} plies, takes {count} from heap {heap}; {} nodes",
                report.nodes
            ),
            None => println!("{name:>10}: {verdict}, no move is left"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nim_sum(heaps: Heaps) -> u8 {
        heaps.iter().fold(0, |sum, heap| sum ^ heap)
    }

    #[test]
    fn every_algorithm_agrees_with_bouton() {
        for a in 0..=3 {
            for b in 0..=2 {
                for c in 0..=2 {
                    let heaps = [a, b, c, 0];
                    for (name, algorithm) in Algorithm::ALL {
                        let report = solve(heaps, algorithm);
                        assert_eq!(report.value > 0, nim_sum(heaps) > 0, "{heaps:?} {name}");
                        let Some(best) = report.best else { continue };
                        let after = nim_sum(Nim.make(&heaps, best));
                        assert!(report.value < 0 || after == 0, "{heaps:?} {name}: {best:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn pruning_visits_fewer_nodes_than_minimax() {
        let nodes = |algorithm| solve([2, 3, 4, 0], algorithm).nodes;
        let minimax = nodes(Algorithm::Minimax);
        for algorithm in [Algorithm::AlphaBeta, Algorithm::Pvs, Algorithm::Mtdf] {
            assert!(nodes(algorithm) * 10 < minimax, "{algorithm:?} against {minimax}");
        }
    }

    #[test]
    fn it_runs() {
        main();
    }
}
