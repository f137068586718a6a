//! Whole games of Dice Wars on one thread, in games per minute: when every player attacks at random
//! until it has no attack left, and when every player makes its likeliest attack as long as that
//! succeeds more often than not. For comparison: the rules of the 2021 framework alone, with bots
//! in one process, play 377 games per minute. Measured is everything after the deal: finding
//! attacks, battles, the search for largest regions, new dice. Rates are those of the fastest of
//! many short batches.
//!
//! `cargo bench -p botyard-engine --bench dice_wars [PRESET...]`

use botyard_engine::dice_wars::{Area, DiceWars, Map, Position, State, win_probability};
use botyard_engine::game::Game;
use botyard_engine::random::Stream;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::{Duration, Instant};

/// The time that each figure is measured for.
const TIME: Duration = Duration::from_millis(1500);

/// Games per minute of the 2021 framework's rules, bots and rules in one process.
const FRAMEWORK: f64 = 377.0;

/// Chooses a player's next attack; `None` ends its turn.
type Policy = fn(&Position, &Map, &mut Xoshiro256PlusPlus) -> Option<(Area, Area)>;

fn main() {
    // cargo passes `--bench`; everything else names presets.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    println!("a position: {} bytes", size_of::<Position>());
    println!(
        "{:<10} {:<8} {:>14} {:>10} {:>12} {:>12} {:>12}",
        "preset",
        "players",
        "games/minute",
        "x 377/min",
        "turns/game",
        "attacks/game",
        "ns/decision"
    );
    for preset in DiceWars::PRESETS {
        if wanted.is_empty() || wanted.iter().any(|name| name == preset.name) {
            measure(preset.name, "random", at_random);
            measure(preset.name, "likely", likeliest);
        }
    }
}

fn at_random(position: &Position, map: &Map, rng: &mut Xoshiro256PlusPlus) -> Option<(Area, Area)> {
    position.random_attack(map, rng)
}

fn likeliest(position: &Position, map: &Map, _: &mut Xoshiro256PlusPlus) -> Option<(Area, Area)> {
    let (mut best, mut attack) = (0.5, None);
    position.for_each_attack(map, |from, to| {
        let chance = win_probability(position.dice(from), position.dice(to));
        if chance > best {
            (best, attack) = (chance, Some((from, to)));
        }
    });
    attack
}

fn measure(name: &str, policy_name: &str, policy: Policy) {
    let game = DiceWars::new(DiceWars::preset(name).expect("a listed preset"))
        .expect("a preset is playable");
    let mut stream = Stream::new(1, "bench");
    let starts: Vec<State> = (0..64)
        .map(|_| game.start(&game.draw_opening(stream.rng())).expect("a drawn opening"))
        .collect();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut games, mut turns, mut attacks) = (0u64, 0u64, 0u64);
    let batch = fastest(|| {
        for start in &starts {
            let mut position = *start.position();
            while !position.is_over() {
                match policy(&position, start.map(), &mut rng) {
                    Some((from, to)) => {
                        position.attack_at_random(from, to, &mut rng);
                    }
                    None => position.end_turn_at_random(start.map(), &mut rng),
                }
            }
            games += 1;
            turns += u64::from(position.turns());
            attacks += u64::from(position.battles());
        }
    });
    let a_minute = 60.0 * starts.len() as f64 / batch;
    let a_game = |count: u64| count as f64 / games as f64;
    println!(
        "{name:<10} {policy_name:<8} {a_minute:>14.0} {:>10.0} {:>12.1} {:>12.1} {:>12.0}",
        a_minute / FRAMEWORK,
        a_game(turns),
        a_game(attacks),
        6e10 / a_minute / a_game(turns + attacks),
    );
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
