//! Games of Dice Wars in one process: games per minute on one core among the five strongest of the
//! course's bots, each block of four games on a separate map, under the rules of 2021.
//!
//! The ratio is to the framework's rules in one process, 377 games per minute.
//!
//! `cargo bench -p botyard-bots --bench dice_wars [ROUNDS]`; a round has 20 games.

use botyard_agent::AgentRng;
use botyard_bots::dice_wars::arena::{Arena, play, play_game};
use botyard_bots::dice_wars::{Baseline, MaxN2021, Policy};
use botyard_engine::dice_wars::{Action, Rules};
use rand_xoshiro::rand_core::SeedableRng;
use std::time::Instant;

/// Games per minute of the framework's rules in one process.
const FRAMEWORK: f64 = 377.0;
/// The number of starts that are played repeatedly, to measure play without map generation.
const STARTS: u64 = 50;

const FIVE: [Baseline; 5] =
    [Baseline::STEI_ADT, Baseline::STEI_AT, Baseline::SDC_AT, Baseline::STEI_DT, Baseline::STEI];

fn print(what: &str, games: u32, began: Instant) {
    let minutes = began.elapsed().as_secs_f64() / 60.0;
    let pace = f64::from(games) / minutes;
    println!("{what:>28} {games:>8} games {pace:>12.0} a minute, ratio {:>8.1}", pace / FRAMEWORK);
}

fn main() {
    // cargo passes `--bench`; a number is of rounds.
    let rounds: u32 = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(200);
    let arena = Arena::new(Rules::preset("sui-2021").expect("a preset")).expect("valid rules");

    let began = Instant::now();
    let tallies = arena.play_selections(1, rounds, &mut FIVE.to_vec());
    print(
        "five bots, with their maps",
        tallies.iter().map(|tally| tally.games).sum::<u32>() / 4,
        began,
    );

    let began = Instant::now();
    let starts: Vec<_> = (0..STARTS).map(|seed| arena.start(seed)).collect();
    let each = began.elapsed().as_secs_f64() / STARTS as f64;
    println!("{:>28} {:>8.1} microseconds", "a map and a deal", 1e6 * each);

    let began = Instant::now();
    let games = 20 * rounds;
    let mut four = FIVE;
    for game in 0..games {
        let start = &starts[game as usize % starts.len()];
        play_game(start, &mut four, &[0, 1, 2, 3], game.into());
    }
    print("the strongest four", games, began);

    let began = Instant::now();
    let games = rounds;
    let mut players: [Box<dyn Policy>; 4] = [
        Box::new(<MaxN2021>::default()),
        Box::new(Baseline::STEI_ADT),
        Box::new(Baseline::STEI_AT),
        Box::new(Baseline::SDC_AT),
    ];
    for game in 0..games {
        let start = &starts[game as usize % starts.len()];
        play_game(start, &mut players, &[0, 1, 2, 3], game.into());
    }
    print("Max-N and the first three", games, began);

    // The cost of a decision of each bot, over the positions of some games.
    let (mut rng, mut dice) = (AgentRng::seed_from_u64(1), AgentRng::seed_from_u64(2));
    let mut positions = Vec::new();
    for start in &starts {
        let mut position = *start.position();
        let mut bot = Baseline::STEI_ADT;
        while !position.is_over() {
            let action = bot.choose(start.map(), &position, &mut rng);
            positions.push((start.map(), position));
            play(start.map(), &mut position, action, &mut dice);
        }
    }
    for (name, bot) in [
        ("rand", Baseline::RAND),
        ("sdc", Baseline::SDC),
        ("stei", Baseline::STEI),
        ("stei-at", Baseline::STEI_AT),
        ("stei-dt", Baseline::STEI_DT),
        ("stei-adt", Baseline::STEI_ADT),
    ] {
        let began = Instant::now();
        let mut attacks = 0;
        for (map, position) in &positions {
            let action = { bot }.choose(map, position, &mut rng);
            attacks += usize::from(matches!(action, Action::Attack(..)));
        }
        let each = began.elapsed().as_secs_f64() / positions.len() as f64;
        println!(
            "{name:>28} {:>8} decisions {:>8.0} ns each, {attacks} attacks",
            positions.len(),
            1e9 * each
        );
    }
}
