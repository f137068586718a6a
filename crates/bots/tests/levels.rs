//! The levels: legal under every preset, repeatable, and the higher one is stronger.

use crate::in_memory::Match;
use botyard_bots::level::{self, LEVELS};
use botyard_bots::random;
use botyard_engine::registry;
use serde_json::json;

/// The first preset of a game.
fn first_preset(game: &str) -> &'static str {
    registry::info(game).unwrap().presets[0].0.name
}

#[test]
fn a_level_is_legal_under_every_preset() {
    let (bot, random) = (level::bot(), random::bot());
    for game in registry::names() {
        for (preset, _) in registry::info(&game).unwrap().presets {
            let mut contest = Match::new(&game, preset.name, &[], &[&bot, &random]);
            contest.set(0, level::NAME, json!(LEVELS.start()));
            let seats: Vec<usize> = (0..contest.seats()).map(|seat| seat % 2).collect();
            contest.play(5, &seats);
        }
    }
}

#[test]
fn a_level_plays_the_same_game_for_the_same_seed() {
    let bot = level::bot();
    for game in registry::names() {
        let play = || {
            let mut contest = Match::new(&game, first_preset(&game), &[], &[&bot]);
            contest.set(0, level::NAME, json!(3));
            let seats = vec![0; contest.seats()];
            contest.play(3, &seats)
        };
        assert_eq!(play(), play(), "{game}");
    }
}

#[test]
fn a_much_higher_level_is_stronger() {
    let bot = level::bot();
    for (game, games, least) in [("draughts", 6, 5.0), ("connect-four", 8, 6.0)] {
        let mut contest = Match::new(game, first_preset(game), &[], &[&bot, &bot]);
        contest.set(0, level::NAME, json!(8));
        contest.set(1, level::NAME, json!(2));
        let points: f64 = (0..games)
            .map(|seed| {
                let own = seed as usize % 2;
                contest.play(seed, &[own, 1 - own]).outcome.scores[own]
            })
            .sum();
        assert!(points >= least, "{game}: {points} of {games}");
    }
}
