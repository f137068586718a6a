//! The bots at Scotland Yard: legal under every preset, repeatable, and with the expected strength
//! against each other.

use crate::in_memory::Match;
use botyard_agent::Bot;
use botyard_bots::{catalogue, greedy, random};
use botyard_engine::registry;
use serde_json::json;

const GAME: &str = "scotland-yard";

/// Rules that differ from the presets in ways that matter to a bot.
const VARIANTS: [(&str, &[(&str, &str)]); 7] = [
    ("ravensburger", &[("seats", "pawns")]),
    ("ravensburger", &[("stuck", "removed"), ("detective_tickets", "3/2/1")]),
    ("bristol", &[("detective_tickets", "unlimited"), ("handover", "pool")]),
    ("bristol", &[("stuck", "out"), ("detective_tickets", "4/1/0"), ("detectives", "3")]),
    ("nijssen", &[("show_candidates", "true"), ("reveals", "[1]"), ("black", "0")]),
    ("grid-7x7-3", &[("order", "any"), ("seats", "sides")]),
    ("grid-5x5-2", &[("board", "3x4"), ("seats", "pawns"), ("double", "2")]),
];

fn presets() -> Vec<&'static str> {
    registry::info(GAME).unwrap().presets.iter().map(|(preset, _)| preset.name).collect()
}

/// Plays `games` games under these rules, both bots on both sides, with and without the list of
/// legal actions; [`Match::play`] panics at the first illegal answer.
fn legal_and_the_same_without_a_list(preset: &str, changes: &[(&str, &str)], games: u64) {
    let bots = catalogue::bots();
    let bots: Vec<&Bot> = bots.iter().collect();
    let mut contest = Match::new(GAME, preset, changes, &bots);
    for seed in 0..games {
        for (mr_x, detectives) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let mut seats = vec![detectives; contest.seats()];
            seats[0] = mr_x;
            contest.send_legal = true;
            let played = contest.play(seed, &seats);
            contest.send_legal = false;
            assert_eq!(contest.play(seed, &seats), played, "{preset} {changes:?} {seed} {seats:?}");
        }
    }
}

#[test]
fn legal_under_every_preset() {
    for preset in presets() {
        legal_and_the_same_without_a_list(preset, &[], 8);
    }
}

#[test]
fn legal_under_variants() {
    for (preset, changes) in VARIANTS {
        legal_and_the_same_without_a_list(preset, changes, 8);
    }
}

#[test]
fn a_bot_for_each_pawn() {
    let (one, other) = (random::bot(), greedy::bot());
    let bots = [&one, &other, &one, &other, &one, &other];
    let mut contest = Match::new(GAME, "ravensburger", &[("seats", "pawns")], &bots);
    for seed in 0..20 {
        contest.play(seed, &[0, 1, 2, 3, 4, 5]);
    }
}

#[test]
fn a_game_can_be_repeated() {
    let (random, greedy) = (random::bot(), greedy::bot());
    for bots in [[&random, &greedy], [&greedy, &random], [&random, &random], [&greedy, &greedy]] {
        let alone = |seed| Match::new(GAME, "bristol", &[], &bots).play(seed, &[0, 1]);
        let mut in_a_row = Match::new(GAME, "bristol", &[], &bots);
        for seed in 0..10 {
            assert_eq!(in_a_row.play(seed, &[0, 1]), alone(seed), "game {seed}");
        }
        // Another seed of the bots: the same opening, but another game.
        let mut reseeded = Match::new(GAME, "bristol", &[], &bots);
        reseeded.set(0, "seed", json!(1));
        reseeded.set(1, "seed", json!(2));
        let differ = (0..10).filter(|&seed| reseeded.play(seed, &[0, 1]) != alone(seed)).count();
        assert!(differ >= 9, "only {differ} of 10 games changed with the seed");
    }
}

/// The first moves of a game, which must never change: replays of deterministic bots depend on
/// them.
#[test]
fn a_game_never_changes() {
    let random = random::bot();
    let played = Match::new(GAME, "grid-5x5-2", &[], &[&random, &random]).play(1, &[0, 1]);
    let actions: Vec<&str> = played
        .moves
        .iter()
        .take(5)
        .filter_map(|line| line.split_once(r#""action":"#)?.1.strip_suffix('}'))
        .collect();
    assert_eq!(actions, FIRST_MOVES);
}

const FIRST_MOVES: [&str; 5] = [
    r#"{"ticket":"taxi","to":5}"#,
    r#"{"detective":1,"ticket":"taxi","to":22}"#,
    r#"{"detective":2,"ticket":"taxi","to":7}"#,
    r#"{"ticket":"taxi","to":4}"#,
    r#"{"detective":1,"ticket":"taxi","to":21}"#,
];

/// Returns Mr. X's share of the games with seeds from 0.
fn mr_x_wins(preset: &str, mr_x: &Bot, detectives: &Bot, games: u64) -> f64 {
    let mut contest = Match::new(GAME, preset, &[], &[mr_x, detectives]);
    let wins: f64 = (0..games).map(|seed| contest.play(seed, &[0, 1]).outcome.scores[0]).sum();
    wins / games as f64
}

const GAMES: u64 = 200;

/// Returns the number of standard errors by which the share `more` of [`GAMES`] games exceeds
/// `fewer`.
fn standard_errors(fewer: f64, more: f64) -> f64 {
    let pooled = (fewer + more) / 2.0;
    (more - fewer) / (pooled * (1.0 - pooled) * 2.0 / GAMES as f64).sqrt()
}

/// Greedy detectives catch a random Mr. X far more often than random ones do, and a greedy Mr. X
/// escapes random detectives far more often than a random one.
#[test]
fn greedy_is_stronger_than_random_on_either_side() {
    let (random, greedy) = (random::bot(), greedy::bot());
    for preset in ["ravensburger", "bristol", "grid-5x5-2", "grid-7x7-3", "grid-15x15-4"] {
        let both_random = mr_x_wins(preset, &random, &random, GAMES);
        let greedy_detectives = mr_x_wins(preset, &random, &greedy, GAMES);
        let greedy_mr_x = mr_x_wins(preset, &greedy, &random, GAMES);
        let shares = format!("{preset}: {greedy_detectives} < {both_random} < {greedy_mr_x}");
        assert!(standard_errors(greedy_detectives, both_random) > 4.0, "{shares}");
        assert!(standard_errors(both_random, greedy_mr_x) > 4.0, "{shares}");
        assert!(greedy_detectives <= 0.05, "{shares}");
    }
}

/// The same under every preset, over 1,000 games, with a table of Mr. X's share:
/// `cargo test --release -p botyard-bots --test bots scotland_yard -- --ignored --nocapture`.
#[test]
#[ignore = "three minutes: the whole of greedy_is_stronger_than_random_on_either_side"]
fn greedy_is_stronger_under_every_preset() {
    let (random, greedy) = (random::bot(), greedy::bot());
    println!("{:20} Mr. X wins %, as MR. X/DETECTIVES", "");
    for preset in presets() {
        let share = |mr_x, detectives| 100.0 * mr_x_wins(preset, mr_x, detectives, 1000);
        let both_random = share(&random, &random);
        let greedy_detectives = share(&random, &greedy);
        let greedy_mr_x = share(&greedy, &random);
        println!(
            "{preset:20} random/random {both_random:5.1}  random/greedy {greedy_detectives:5.1}  \
             greedy/random {greedy_mr_x:5.1}  greedy/greedy {:5.1}",
            share(&greedy, &greedy)
        );
        assert!(greedy_detectives + 10.0 < both_random, "{preset}");
        assert!(both_random + 10.0 < greedy_mr_x, "{preset}");
    }
}
