//! Perft of English draughts from the start position, on one thread, in leaves per second, with the
//! last ply counted in bulk. A node is a leaf. Time is the thread's CPU time. Each depth runs until
//! both ten runs and two seconds are complete; the fastest run is reported. This reduces the
//! influence of a busy machine (which remains, through its caches and its clock).
//!
//! The ratio is to the fastest other generator known, which counts 150 million nodes per second at
//! depth 11 on a quiet machine.
//!
//! `cargo bench -p botyard-engine --bench perft [-- DEPTH...]`: 10 and 11 without DEPTH; 12 takes
//! half a minute, 13 two, 14 ten.

use botyard_engine::draughts::{Counting, Movement, Position, perft};
use rustix::time::{ClockId, clock_gettime};
use std::hint::black_box;

/// Nodes per second of the fastest other generator.
const TO_BEAT: f64 = 150e6;

/// The known numbers of leaves, shared with the tests: by depth, in the second column.
const KNOWN: &str = include_str!("../tests/data/draughts/perft_start.csv");

fn leaves() -> Vec<u64> {
    let second = |line: &str| line.split(';').nth(1).and_then(|number| number.parse().ok());
    KNOWN.lines().skip(1).map_while(second).collect()
}

fn main() {
    // cargo passes `--bench`; everything else names depths.
    let leaves = leaves();
    let mut depths: Vec<usize> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    depths.retain(|depth| (1..=leaves.len()).contains(depth));
    if depths.is_empty() {
        depths = vec![10, 11];
    }
    println!("{:>5} {:>13} {:>10} {:>12} {:>8}", "depth", "nodes", "best s", "Mnodes/s", "ratio");
    for depth in depths {
        let expected = leaves[depth - 1];
        let (mut best, mut total, mut runs) = (f64::INFINITY, 0.0, 0);
        while runs < 10 || total < 2.0 {
            let begin = processor_time();
            let start = black_box(Position::START);
            let nodes = perft(&start, Movement::ENGLISH, depth as u32, Counting::Paths);
            let seconds = processor_time() - begin;
            assert_eq!(nodes, expected, "depth {depth}");
            best = best.min(seconds);
            total += seconds;
            runs += 1;
        }
        let rate = expected as f64 / best;
        let ratio = rate / TO_BEAT;
        println!("{depth:>5} {expected:>13} {best:>10.4} {:>12.1} {ratio:>8.2}", rate / 1e6);
    }
}

/// Returns the CPU time of this thread in seconds.
fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
