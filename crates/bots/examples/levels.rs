//! Measures the steps between neighbouring levels of the bot `level`, in this process: the table in
//! `docs/strength.md`. A block is two games from one start with the seats exchanged, so that at
//! Scotland Yard each level plays either side.
//!
//! ```sh
//! cargo run --release -p botyard-bots --example levels -- draughts 100 1 10
//! ```
//!
//! The arguments are a game, the number of games of each step, at least 4, the lowest level and the highest.

#[path = "../tests/in_memory/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the tests use all of it")]
mod in_memory;

use botyard_bots::level::{self, LEVELS};
use botyard_engine::registry;
use in_memory::Match;
use serde_json::json;
use std::process::ExitCode;

/// Changes of the rules.
type Changes = &'static [(&'static str, &'static str)];

/// The standard deviations on either side of the mean of an interval of 95%.
const DEVIATIONS: f64 = 1.96;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let level_at = |place: usize| {
        let level: u8 = arguments.get(place)?.parse().ok()?;
        LEVELS.contains(&level).then_some(level)
    };
    let games = arguments.get(1).and_then(|games| games.parse().ok());
    // An interval needs two blocks.
    let games = games.filter(|&games: &u32| games >= 4);
    let (Some(game), Some(games), Some(lowest), Some(highest)) =
        (arguments.first(), games, level_at(2), level_at(3))
    else {
        eprintln!(
            "expected a game, a number of games from 4, the lowest and the highest level from {} to {}",
            LEVELS.start(),
            LEVELS.end()
        );
        return ExitCode::from(2);
    };
    for high in lowest + 1..=highest {
        let [share, error] = step(game, high, u64::from(games) / 2);
        let bounds = [share, share - error, share + error];
        let [share, low, top] = bounds.map(|share| 100.0 * share.clamp(0.0, 1.0));
        println!("| {game} | {high} over {} | {share:.1}% ({low:.1} to {top:.1}) |", high - 1);
    }
    ExitCode::SUCCESS
}

/// Plays a level against the one below it. Returns its share, and half of the interval.
fn step(game: &str, high: u8, blocks: u64) -> [f64; 2] {
    let bot = level::bot();
    let (preset, changes) = rules(game);
    let mut contest = Match::new(game, preset, changes, &[&bot, &bot]);
    for (place, level) in [high, high - 1].into_iter().enumerate() {
        contest.set(place, level::NAME, json!(level));
    }
    let shares: Vec<f64> = (0..blocks).map(|seed| block(&mut contest, seed)).collect();
    let count = shares.len() as f64;
    let mean = shares.iter().sum::<f64>() / count;
    let variance = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / (count - 1.0);
    [mean, DEVIATIONS * (variance / count).sqrt()]
}

/// Plays both games of a start. Returns the share of the first bot.
fn block(contest: &mut Match<'_>, seed: u64) -> f64 {
    let mut share = 0.0;
    for own in [0, 1] {
        let scores = contest.play(seed, &[own, 1 - own]).outcome.scores;
        share += scores[own] / (scores[0] + scores[1]) / 2.0;
    }
    share
}

/// Returns the preset of the rules of a game, and what is changed in it.
fn rules(game: &str) -> (&'static str, Changes) {
    match game {
        "scotland-yard" => ("ravensburger", &[]),
        "dice-wars" => ("sui-2021", &[("players", "2"), ("max_turns", "400")]),
        game => {
            let info = registry::info(game).unwrap_or_else(|unknown| panic!("{unknown}"));
            (info.presets[0].0.name, &[])
        }
    }
}
