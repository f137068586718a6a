//! Monte Carlo tree search on the London board, on one thread: seconds for 10,000 iterations of a
//! search for the detectives, and iterations per second, with each kind of playout, from the first
//! round (the longest playouts) and right after the first reveal. An iteration is a descent of the
//! tree and a playout to the end of the game.
//!
//! The ratio is to the times of Belej (2015) on an i7-4510U: 45.58, 148.54 and 270.7 s for the random,
//! independent and cooperating playouts; the thesis has no searching playouts.
//!
//! `cargo bench -p botyard-bots --bench mcts [ITERATIONS] [PLAYOUT...]`

use botyard_agent::AgentRng;
use botyard_bots::scotland_yard::{
    Belief, BoardTables, Determinization, Evasion, Habits, Percent, PlayoutPolicy, PlayoutSettings,
    Reward, SimulationState, YardSimulation,
};
use botyard_engine::scotland_yard::{ScotlandYard, Side, State};
use botyard_engine::{Game, Seat, Turn};
use botyard_search::Limits;
use botyard_search::mcts::{Settings, TreeSearcher, Trees};
use rand_xoshiro::rand_core::SeedableRng;
use std::time::Instant;

/// Belej's seconds by kind of playout, in the order of [`PlayoutPolicy::ALL`].
const SOURCE: [Option<f64>; 6] = [Some(45.58), Some(148.54), Some(270.7), None, None, None];

/// Returns a state from a fixed opening after random play up to the detectives' part of this round.
fn state(game: &ScotlandYard, round: u16) -> State {
    let mut rng = AgentRng::seed_from_u64(3);
    let opening = r#"{"mr_x":132,"detectives":[26,53,94,141,174]}"#;
    let opening = serde_json::from_str(opening).expect("it is an opening");
    let mut state = game.start(&opening).expect("its stations are start cards");
    let mut actions = Vec::new();
    while state.position().round() < round || game.turn(&state) == Turn::Seat(Seat::new(0)) {
        game.actions(&state, &mut actions);
        let action =
            *botyard_engine::random::choose(&mut rng, &actions).expect("Mr. X is not caught yet");
        game.apply(&mut state, action);
    }
    state
}

fn main() {
    // cargo passes `--bench`; a number is of iterations, everything else names playouts.
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let iterations = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(10_000);
    let named = |name: &str| arguments.iter().any(|argument| argument == name);
    let all = !PlayoutPolicy::ALL.iter().any(|(name, _)| named(name));
    let rules = ScotlandYard::preset("belej-2015").expect("a preset");
    let game = ScotlandYard::new(rules).expect("a preset's rules are valid");
    let tables = BoardTables::new(&game).expect("London has 199 stations");
    println!(
        "{:>5} {:>8} {:>12} {:>9} {:>12} {:>8} {:>9}",
        "round", "trees", "playouts", "s", "iterations/s", "source s", "ratio"
    );
    for round in [1, 3] {
        let state = state(&game, round);
        let view = game.view(&state, Seat::new(1));
        let candidates = game.candidates_in(&view).set().iter().collect();
        let position = *state.position();
        let simulated = SimulationState { position, candidates, tracked: true };
        for (trees_name, trees) in Trees::ALL {
            for ((name, policy), source) in PlayoutPolicy::ALL.into_iter().zip(SOURCE) {
                if !all && !named(name) {
                    continue;
                }
                let playouts = PlayoutSettings {
                    policy,
                    detectives_random: Percent::new(20),
                    evasion: Evasion::FARTHEST,
                    stands_in_tree: false,
                    model_mr_x: true,
                    branch_by_log: true,
                    redraw: false,
                    coalition: 0.0,
                    decisive: false,
                    filter: false,
                    reward: Reward::Win,
                };
                let by = Determinization::Categories;
                let belief = Belief::new(&game, &tables, &view, &position, candidates, by);
                let simulation = YardSimulation::new(
                    &game,
                    &tables,
                    playouts,
                    Side::Detectives,
                    simulated,
                    belief,
                    Habits::on(game.rules().board),
                );
                let mut search = TreeSearcher::new(Settings { trees, ..Settings::default() });
                let mut rng = AgentRng::seed_from_u64(1);
                let begin = Instant::now();
                let report = search.search(&simulation, &Limits::iterations(iterations), &mut rng);
                let seconds = begin.elapsed().as_secs_f64();
                let [source, ratio] = match source.map(|source| source * iterations as f64 / 1e4) {
                    Some(source) => [format!("{source:.0}"), format!("{:.0}", source / seconds)],
                    None => ["-", "-"].map(String::from),
                };
                println!(
                    "{round:>5} {trees_name:>8} {name:>12} {seconds:>9.4} {:>12.0} {source:>8} \
                     {ratio:>9}",
                    report.playouts as f64 / seconds,
                );
            }
        }
    }
}
