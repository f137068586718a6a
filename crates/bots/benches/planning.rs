//! Planning of Dice Wars within shares of a clock, on one thread: positions evaluated, depth, and
//! how many plans ended before their share did, because no longer plan was left. By CPU time of this
//! process, over positions from the first 80 actions of games of `dw-stei-at`, each on a separate
//! map.
//!
//! The ratio is of the positions to those of the shortest share.
//!
//! `cargo bench -p botyard-bots --bench planning [POSITIONS]`

use botyard_agent::AgentRng;
use botyard_bots::dice_wars::arena::{Arena, play};
use botyard_bots::dice_wars::{Baseline, Learned, PlanLimits, Planner, Planning, Policy};
use botyard_engine::dice_wars::{Map, Position, Rules, Stage};
use botyard_search::{Deadline, Reading};
use rand_xoshiro::rand_core::SeedableRng;
use std::sync::Arc;
use std::time::Duration;

/// The shares, in milliseconds. On the course's clock (10 s and 250 ms for each action) 450 is the
/// first share, and 217 that of a bank of 0.4 s; 83 and 42 are those of 100 and 50 ms per move.
const SHARES: [u64; 7] = [1, 5, 20, 42, 83, 217, 450];

/// The largest number of actions in a plan of the bot `dice`.
const DEPTH: u32 = 12;

/// Returns positions in which an attack is possible, each from a separate game.
fn positions(preset: &str, count: usize) -> Vec<(Arc<Map>, Position)> {
    let arena = Arena::new(Rules::preset(preset).expect("a preset")).expect("valid rules");
    let mut found = Vec::new();
    for seed in 0.. {
        if found.len() == count {
            break;
        }
        let mut rng = AgentRng::seed_from_u64(seed);
        let start = arena.start(seed);
        let mut position = *start.position();
        let mut bot = Baseline::STEI_AT;
        for _ in 0..10 * (seed % 8) {
            if position.stage() == Stage::Action {
                let action = bot.choose(start.map(), &position, &mut rng);
                play(start.map(), &mut position, action, &mut rng);
            }
        }
        if position.stage() == Stage::Action && position.count_attacks(start.map()) > 0 {
            found.push((Arc::clone(start.map()), position));
        }
    }
    found
}

fn main() {
    // cargo passes `--bench`; a number is of positions.
    let count = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(32);
    println!(
        "{:>10} {:>6} {:>11} {:>6} {:>13} {:>7}",
        "rules", "ms", "positions", "depth", "ended before", "ratio"
    );
    for preset in ["sui-2021", "sui-2020"] {
        let positions = positions(preset, count);
        let mut shortest = None;
        for share in SHARES {
            let (mut nodes, mut depth, mut ended) = (0, 0, 0);
            for (map, position) in &positions {
                let mut planner = Planner::new(Planning::default(), Learned::new());
                let cpu = Reading::now().cpu.map(|used| used + Duration::from_millis(share));
                let deadline = Deadline { wall: None, cpu };
                let limits = PlanLimits { depth: DEPTH, nodes: u64::MAX, deadline: Some(deadline) };
                let plan = planner.plan(map, position, &limits);
                nodes += plan.nodes;
                depth += plan.depth;
                ended += u32::from(!deadline.has_passed(&Reading::now()));
            }
            let mean = |sum: f64| sum / positions.len().max(1) as f64;
            let (nodes, depth) = (mean(nodes as f64), mean(f64::from(depth)));
            let ratio = nodes / *shortest.get_or_insert(nodes);
            println!("{preset:>10} {share:>6} {nodes:>11.0} {depth:>6.1} {ended:>13} {ratio:>7.1}");
        }
    }
}
