//! Alpha-beta of Sova 2021 on its grids, on one thread, three rounds deep: seconds and nodes
//! per decision, over positions from random games, and the peak memory of the process. A node is a
//! position; a joint move has one for each pawn.
//!
//! The ratio is of the time of Sova (2021) for a move of Mr. X against four agents on 15x15 (more than
//! 180 s, with more than 16 GB) to the longest time here, of either side.
//!
//! `cargo bench -p botyard-bots --bench turns [ROUNDS]`

use botyard_bots::scotland_yard::alpha_beta::{OpenGame, SovaEvaluation, SovaReadings};
use botyard_bots::scotland_yard::{BoardTables, SimulationState};
use botyard_engine::scotland_yard::{Position, ScotlandYard, Stage};
use botyard_engine::{Game, Stream};
use botyard_search::Limits;
use botyard_search::turns::{Settings, TurnSearcher};
use std::time::Instant;

/// Sova's seconds per decision, at least.
const SOURCE: f64 = 180.0;
/// The size of the bot's table in MiB.
const TABLE: usize = 8;
/// The number of decisions of each side that are searched.
const DECISIONS: usize = 40;

/// Positions before a decision of one side: Mr. X's turn, or the detectives' part of a round.
fn positions(game: &ScotlandYard, stage: Stage) -> Vec<Position> {
    let mut stream = Stream::new(1, "bench");
    let mut positions = Vec::new();
    while positions.len() < DECISIONS {
        let start = game.start(&game.draw_opening(stream.rng())).expect("a drawn opening");
        let mut position = *start.position();
        while let Some(action) = position.random_action(game.arena(), stream.rng()) {
            let before = position.stage();
            position.apply(game.arena(), action);
            if position.stage() == stage && before != stage && position.round() % 4 == 3 {
                positions.push(position);
            }
        }
    }
    positions.truncate(DECISIONS);
    positions
}

/// Returns the peak memory of this process in MB, if the system reports it.
fn peak_megabytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024.0 / 1e6)
}

fn main() {
    // cargo passes `--bench`; a number is of rounds.
    let rounds = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(3);
    println!(
        "{:>13} {:>10} {:>6} {:>10} {:>9} {:>9} {:>9} {:>7} {:>7}",
        "preset", "side", "rounds", "nodes", "mean s", "worst s", "Mnodes/s", "MB", "ratio"
    );
    for preset in ["grid-5x5-2", "grid-7x7-3", "grid-15x15-4"] {
        let rules = ScotlandYard::preset(preset).expect("a preset");
        let game = ScotlandYard::new(rules).expect("a preset's rules are valid");
        let tables = BoardTables::new(&game).expect("a grid of at most 225 cells");
        let sides =
            [("mr-x", Stage::MrX, 2 * rounds), ("detectives", Stage::Detectives, 2 * rounds - 1)];
        for (side, stage, turns) in sides {
            let (mut nodes, mut sum, mut worst) = (0, 0.0, 0f64);
            for position in positions(&game, stage) {
                let sova =
                    SovaEvaluation::new(&game, rounds as u16, &position, SovaReadings::default());
                let open_game = OpenGame::new(&tables, game.arena(), sova);
                // A separate table for each: the bot keeps its table, but its entries are of no use
                // here.
                let mut searcher = TurnSearcher::new(Settings { table_mebibytes: TABLE, step: 2 });
                let begin = Instant::now();
                let limits = Limits::depth(turns);
                let report =
                    searcher.search(&open_game, &SimulationState::untracked(position), &limits);
                let seconds = begin.elapsed().as_secs_f64();
                (nodes, sum, worst) = (nodes + report.nodes, sum + seconds, worst.max(seconds));
            }
            let ratio = match preset {
                "grid-15x15-4" => format!("{:.0}", SOURCE / worst),
                _ => "-".into(),
            };
            let memory = peak_megabytes().map_or("-".into(), |megabytes| format!("{megabytes:.0}"));
            println!(
                "{preset:>13} {side:>10} {rounds:>6} {:>10} {:>9.4} {worst:>9.4} {:>9.2} \
                 {memory:>7} {ratio:>7}",
                nodes / DECISIONS as u64,
                sum / DECISIONS as f64,
                nodes as f64 / sum / 1e6,
            );
        }
    }
}
