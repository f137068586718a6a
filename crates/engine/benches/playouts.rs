//! Random playouts of Scotland Yard, the inner loop of Monte Carlo search: games and plies per
//! second on one thread, from 256 drawn openings. Also the other costs of an iteration: the
//! candidates of a state with ten log entries, and a determinization of its view. A ply is one
//! decision; a double move is two. Rates and times are those of the fastest of many short batches,
//! to reduce the influence of a busy machine.
//!
//! `cargo bench -p botyard-engine --bench playouts [PRESET...]`

use botyard_engine::game::Game;
use botyard_engine::random::Stream;
use botyard_engine::scotland_yard::{Position, ScotlandYard, State};
use botyard_engine::seat::Seat;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The time that each figure is measured for.
const TIME: Duration = Duration::from_millis(1500);

fn main() {
    // cargo passes `--bench`; everything else names presets.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    println!(
        "{:<20} {:>12} {:>12} {:>10} {:>10} {:>14} {:>14}",
        "preset",
        "playouts/s",
        "plies/s",
        "plies/game",
        "Mr. X wins",
        "candidates us",
        "determinize us"
    );
    for preset in ScotlandYard::PRESETS {
        if wanted.is_empty() || wanted.iter().any(|name| name == preset.name) {
            measure(preset.name);
        }
    }
}

fn measure(name: &str) {
    let rules = ScotlandYard::preset(name).expect("a listed preset");
    let game = ScotlandYard::new(rules).expect("a preset is playable");
    let mut stream = Stream::new(1, "bench");
    let openings: Vec<State> = (0..256)
        .map(|_| game.start(&game.draw_opening(stream.rng())).expect("a drawn opening"))
        .collect();
    let starts: Vec<Position> = openings.iter().map(|state| *state.position()).collect();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut games, mut plies, mut wins) = (0u64, 0u64, 0u64);
    let batch = fastest(|| {
        for start in &starts {
            let mut position = *start;
            let (end, count) = position.play_out(game.arena(), &mut rng);
            games += 1;
            plies += u64::from(count);
            wins += u64::from(end.mr_x_wins());
        }
    });
    let a_second = starts.len() as f64 / batch;
    let plies_a_game = plies as f64 / games as f64;
    let middles = middles(&game, &openings, &mut rng);
    let candidates = micros(&middles, |state| {
        black_box(game.candidates(state));
    });
    let detectives = Seat::new(1);
    let views: Vec<_> = middles.iter().map(|state| game.view(state, detectives)).collect();
    let determinize = micros(&views, |view| {
        black_box(game.determinize(view, detectives, &mut rng).expect("a view of a real state"));
    });
    println!(
        "{name:<20} {a_second:>12.0} {:>12.0} {plies_a_game:>10.1} {:>9.1}% {candidates:>14.2} {determinize:>14.2}",
        a_second * plies_a_game,
        100.0 * wins as f64 / games as f64,
    );
}

/// States from the middle of random games that reached the tenth step of Mr. X.
fn middles(game: &ScotlandYard, openings: &[State], rng: &mut Xoshiro256PlusPlus) -> Vec<State> {
    let mut middles = Vec::new();
    for opening in openings {
        let mut state = opening.clone();
        while state.position().x_moves() < 10 {
            let Some(action) = state.position().random_action(game.arena(), rng) else { break };
            game.apply(&mut state, action);
        }
        if game.outcome(&state).is_none() {
            middles.push(state);
        }
    }
    middles
}

/// Returns the microseconds that `work` takes per item.
fn micros<T>(items: &[T], mut work: impl FnMut(&T)) -> f64 {
    1e6 * fastest(|| items.iter().for_each(&mut work)) / items.len() as f64
}

/// Returns the seconds of the fastest of many runs.
fn fastest(mut run: impl FnMut()) -> f64 {
    let begin = Instant::now();
    let mut best = f64::INFINITY;
    while begin.elapsed() < TIME {
        let start = Instant::now();
        run();
        best = best.min(start.elapsed().as_secs_f64());
    }
    best
}
