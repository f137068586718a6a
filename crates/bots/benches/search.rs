//! Search of English draughts from the start position, on one thread, with an empty table: nodes
//! and time to a depth, for each algorithm. A node is a visited position, including quiescence
//! search.
//!
//! The ratio is of the nodes to those of alpha-beta with the same refinements.
//!
//! `cargo bench -p botyard-bots --bench search [DEPTH...]`

use botyard_bots::draughts::{DraughtsSearch, Learned};
use botyard_engine::draughts::{Movement, Position};
use botyard_search::Limits;
use botyard_search::two_sided::{Algorithm, Root, Settings, TwoSidedSearcher};
use std::time::Instant;

fn main() {
    // cargo passes `--bench`; everything else names depths.
    let mut depths: Vec<u32> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    depths.retain(|depth| (1..=40).contains(depth));
    if depths.is_empty() {
        depths = vec![13, 17];
    }
    let evaluator = Learned::new(4);
    println!(
        "{:>5} {:>10} {:>12} {:>8} {:>9} {:>7} {:>6} {:>6} {:>7}",
        "depth", "algorithm", "nodes", "s", "Mnodes/s", "growth", "hits", "ratio", "value"
    );
    for depth in depths {
        let mut alpha_beta = 0;
        for (name, algorithm) in &Algorithm::ALL[1..] {
            let game = DraughtsSearch::new(Movement::ENGLISH, evaluator.clone());
            let mut searcher = TwoSidedSearcher::new(Settings::new(*algorithm));
            let begin = Instant::now();
            let report = searcher.search(&game, &Root::new(Position::START), &Limits::depth(depth));
            let seconds = begin.elapsed().as_secs_f64();
            if *algorithm == Algorithm::AlphaBeta {
                alpha_beta = report.nodes;
            }
            println!(
                "{depth:>5} {name:>10} {:>12} {seconds:>8.3} {:>9.2} {:>7.2} {:>5.0}% {:>6.2} {:>7}",
                report.nodes,
                report.nodes as f64 / seconds / 1e6,
                report.growth().unwrap_or(f64::NAN),
                100.0 * report.hits as f64 / report.probes.max(1) as f64,
                report.nodes as f64 / alpha_beta as f64,
                report.value,
            );
        }
    }
}
