//! The bots at draughts: legal under every preset and with every option, repeatable, and with the
//! expected strength against each other. Depths are fixed, so that the games are the same on every
//! machine.

use crate::in_memory::Match;
use botyard_agent::Bot;
use botyard_bots::{alpha_beta, catalogue, greedy, max_n, mcts, mtdf_2007, random};
use botyard_engine::registry;
use serde_json::{Value, json};

const GAME: &str = "draughts";

/// Returns the points of the first bot, with its options, over a number of games, half of them on
/// each side.
fn points(
    preset: &str,
    changes: &[(&str, &str)],
    options: [&[(&str, Value)]; 2],
    games: u64,
) -> f64 {
    let (one, other) = (alpha_beta::bot(), mtdf_2007::bot());
    let mut contest = Match::new(GAME, preset, changes, &[&one, &other]);
    assert_eq!(contest.seats(), 2);
    for (bot, options) in options.into_iter().enumerate() {
        for (option, value) in options {
            contest.set(bot, option, value.clone());
        }
    }
    (0..games)
        .map(|game| {
            let seats = if game % 2 == 0 { [0, 1] } else { [1, 0] };
            contest.play(game / 2, &seats).outcome.scores[seats[0]]
        })
        .sum()
}

#[test]
fn legal_under_every_preset_and_option() {
    let options: [&[(&str, Value)]; 6] = [
        &[("algorithm", json!("minimax")), ("depth", json!(2))],
        &[("algorithm", json!("alpha-beta")), ("depth", json!(3)), ("hash-mb", json!(0))],
        &[("algorithm", json!("pvs")), ("depth", json!(4)), ("grain", json!(1))],
        &[("algorithm", json!("mtdf")), ("depth", json!(3)), ("eval", json!("janacek-2007"))],
        &[("reductions", json!(false)), ("depth", json!(4))],
        &[("pruning", json!(false)), ("depth", json!(4))],
    ];
    for preset in registry::info(GAME).unwrap().presets {
        let preset = preset.0.name;
        for changes in [&[][..], &[("compulsory_capture", "false"), ("draw_quiet_plies", "20")]] {
            for options in options {
                points(preset, changes, [options, &[("depth", json!(2))]], 2);
            }
        }
    }
}

#[test]
fn a_game_can_be_repeated() {
    let bot = alpha_beta::bot();
    let play = |seed| {
        let mut contest = Match::new(GAME, "english", &[], &[&bot, &bot]);
        contest.set(0, "depth", json!(5));
        contest.set(1, "depth", json!(4));
        contest.play(seed, &[0, 1])
    };
    for seed in 0..3 {
        let played = play(seed);
        assert_eq!(played, play(seed));
        // White moves first after three moves of a ballot.
        let first = &played.moves[1];
        for field in [r#""score":"#, r#""depth":5"#, r#""nodes":"#, r#""pv":[""#, "growth"] {
            assert!(first.contains(field), "{field} in {first}");
        }
    }
}

#[test]
fn search_beats_chance() {
    let (one, other) = (alpha_beta::bot(), random::bot());
    let mut contest = Match::new(GAME, "english", &[], &[&one, &other]);
    contest.set(0, "depth", json!(4));
    for game in 0..10 {
        let seats = if game % 2 == 0 { [0, 1] } else { [1, 0] };
        let played = contest.play(game, &seats);
        assert_eq!(played.outcome.scores[seats[0]], 1.0, "game {game}");
    }
}

/// Nine plies with quiescence against five without: at least three quarters of the points.
#[test]
fn deeper_and_quiet_beats_the_baseline() {
    let deeper: &[(&str, Value)] = &[("depth", json!(9)), ("hash-mb", json!(8))];
    let won = points("english", &[], [deeper, &[("depth", json!(5))]], 12);
    assert!(won >= 9.0, "{won} of 12");
}

/// Returns the points of a bot, with an option, against another over a number of games, half of
/// them on each side.
fn match_points(one: (&Bot, &str, u64), other: &Bot, games: u64) -> f64 {
    let (bot, option, value) = one;
    let mut contest = Match::new(GAME, "english", &[], &[bot, other]);
    contest.set(0, option, json!(value));
    let played = (0..games).map(|game| {
        let seats = if game % 2 == 0 { [0, 1] } else { [1, 0] };
        contest.play(game / 2, &seats).outcome.scores[seats[0]]
    });
    played.sum()
}

#[test]
fn a_rule_of_thumb_beats_chance() {
    let won = match_points((&greedy::bot(), "seed", 0), &random::bot(), 10);
    assert_eq!(won, 10.0);
}

#[test]
fn looking_ahead_beats_a_rule_of_thumb() {
    let greedy = greedy::bot();
    for (bot, option, value, games, least) in [
        (max_n::bot(), "depth", 5, 10, 7.5),
        (mcts::bot(), "iterations", 400, 10, 7.5),
        (alpha_beta::bot(), "depth", 5, 10, 7.5),
    ] {
        let won = match_points((&bot, option, value), &greedy, games);
        println!("{}: {won} of {games}", bot.name());
        assert!(won >= least, "{}: {won} of {games}", bot.name());
    }
}

#[test]
fn the_catalogue_has_them() {
    for name in ["alpha-beta", "mtdf-2007"] {
        assert!(catalogue::bot(name).unwrap().games().any(|game| game == GAME));
    }
}
