//! Search of Dice Wars with four players to a fixed depth with more and more pruning: nodes and
//! time, without and with a transposition table, over positions from games of the course's bots,
//! each on a separate map. A node is a position before a decision, before chance, or at the
//! horizon; only the last iteration of each search counts. All variants find the same value.
//!
//! The ratio is of nodes to those of plain expectiminimax.
//!
//! `cargo bench -p botyard-bots --bench lookahead [POSITIONS]`

use botyard_agent::AgentRng;
use botyard_bots::dice_wars::arena::{Arena, play};
use botyard_bots::dice_wars::lookahead::{
    Candidates, Horizon, LookaheadGame, MoveSelection, SearchPosition,
};
use botyard_bots::dice_wars::{Baseline, Hand, Policy};
use botyard_engine::dice_wars::{Map, Position, Rules, Stage};
use botyard_search::Limits;
use botyard_search::multiplayer::{Algorithm, MultiplayerSearcher, Pruning, Settings, Unit};
use rand_xoshiro::rand_core::SeedableRng;
use std::sync::Arc;
use std::time::Instant;

/// Returns positions in the middle of turns, each from a separate game.
fn positions(count: u64) -> Vec<(Arc<Map>, Position)> {
    let rules = Rules::preset("fair-4").expect("a preset");
    let arena = Arena::new(rules).expect("a preset's rules are valid");
    let mut found = Vec::new();
    for seed in 0.. {
        if found.len() as u64 == count {
            break;
        }
        let mut rng = AgentRng::seed_from_u64(seed);
        let start = arena.start(seed);
        let mut position = *start.position();
        let mut bot = Baseline::STEI_ADT;
        for _ in 0..8 + 11 * (seed % 9) {
            if position.stage() == Stage::Action {
                let action = bot.choose(start.map(), &position, &mut rng);
                play(start.map(), &mut position, action, &mut rng);
            }
        }
        if position.stage() == Stage::Action && position.count_attacks(start.map()) > 3 {
            found.push((Arc::clone(start.map()), position));
        }
    }
    found
}

struct Case {
    name: &'static str,
    depth: u32,
    unit: Unit,
    selection: MoveSelection,
}

fn main() {
    // cargo passes `--bench`; a number is of positions.
    let count = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(30);
    let candidates = Candidates { least_chance: 0.3, width: 6 };
    let selection = MoveSelection {
        candidates,
        attacks: 64,
        replies: 1,
        transfers: 0,
        draws: true,
        horizon: Horizon::Depth,
    };
    let one = MoveSelection { attacks: 1, ..selection };
    let cases = [
        Case { name: "moves", depth: 2, unit: Unit::Decisions, selection },
        Case { name: "moves", depth: 3, unit: Unit::Decisions, selection },
        Case { name: "moves", depth: 4, unit: Unit::Decisions, selection },
        Case {
            name: "moves, no draws",
            depth: 4,
            unit: Unit::Decisions,
            selection: MoveSelection { draws: false, ..selection },
        },
        Case { name: "one attack a turn", depth: 2, unit: Unit::Turns, selection: one },
        Case {
            name: "one, no draws",
            depth: 2,
            unit: Unit::Turns,
            selection: MoveSelection { draws: false, ..one },
        },
        Case {
            name: "one, no draws",
            depth: 3,
            unit: Unit::Turns,
            selection: MoveSelection { draws: false, ..one },
        },
        Case {
            name: "one, no draws",
            depth: 4,
            unit: Unit::Turns,
            selection: MoveSelection { draws: false, ..one },
        },
    ];
    let positions = positions(count);
    println!(
        "{:>18} {:>6} {:>12} {:>6} {:>12} {:>9} {:>9} {:>7}",
        "tree", "depth", "pruning", "table", "nodes", "s", "Mnodes/s", "ratio"
    );
    for Case { name, depth, unit, selection } in cases {
        let mut plain = 0;
        let usual = Settings { unit, samples: 3, ..Settings::new(Algorithm::Paranoid) };
        let bare = Settings { table_mebibytes: 0, ..usual };
        let rows = [
            ("none", Settings { algorithm: Algorithm::Expectiminimax, ..bare }),
            ("alpha-beta", Settings { pruning: Pruning::AlphaBeta, ..bare }),
            ("star1", Settings { pruning: Pruning::Star1, ..bare }),
            ("star2", Settings { pruning: Pruning::Star2, ..bare }),
            ("star1", Settings { pruning: Pruning::Star1, ..usual }),
            ("star2", Settings { pruning: Pruning::Star2, ..usual }),
        ];
        for (pruning, settings) in rows {
            let begin = Instant::now();
            let (mut nodes, mut sum) = (0, 0i64);
            for (map, position) in &positions {
                let game = LookaheadGame::new(map, &Hand, selection, position);
                let mut searcher = MultiplayerSearcher::new(settings);
                let limits = Limits::depth(depth);
                let report = searcher.search(&game, &SearchPosition::root(*position), &limits);
                let before = report.iterations.iter().rev().nth(1).map_or(0, |&(_, nodes)| nodes);
                nodes += report.nodes - before;
                sum += i64::from(report.value);
            }
            let seconds = begin.elapsed().as_secs_f64();
            if settings.algorithm == Algorithm::Expectiminimax {
                plain = nodes;
            }
            println!(
                "{name:>18} {depth:>6} {pruning:>12} {:>6} {nodes:>12} {seconds:>9.3} {:>9.2} {:>7.3}  {sum}",
                settings.table_mebibytes,
                nodes as f64 / seconds / 1e6,
                nodes as f64 / plain as f64,
            );
        }
    }
}
