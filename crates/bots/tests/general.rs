//! The general bots play every game, legally under every preset; and the games in a bot's `hello`
//! are those that it plays.

use crate::in_memory::Match;
use botyard_agent::Bot;
use botyard_bots::{catalogue, random};
use botyard_engine::registry;
use serde_json::{Value, json};

/// An option, and its value.
type Setting = (&'static str, fn() -> Value);

/// Options that make a decision quick; set if a bot has them.
const QUICK: [Setting; 5] = [
    ("iterations", || json!(20)),
    ("nodes", || json!(200)),
    ("depth", || json!(2)),
    ("hash-mb", || json!(1)),
    ("memory-mb", || json!(1)),
];

const GENERAL: [&str; 5] = ["random", "greedy", "mcts", "max-n", "alpha-beta"];

fn quick(bot: &Bot) -> impl Iterator<Item = (&'static str, Value)> + '_ {
    let known = QUICK.into_iter().filter(|(option, _)| bot.options().contains_key(*option));
    known.map(|(option, value)| (option, value()))
}

/// A game against random play. The bot has the first seat, or the second one.
fn legal(game: &str, preset: &str, first: usize, bot: &Bot) {
    let random = random::bot();
    let mut contest = Match::new(game, preset, &[], &[bot, &random]);
    for (option, value) in quick(bot) {
        contest.set(0, option, value);
    }
    let seats: Vec<usize> = (0..contest.seats()).map(|seat| (seat + first) % 2).collect();
    contest.play(5, &seats);
}

fn legal_under_every_preset(game: &str) {
    for (index, (preset, _)) in registry::info(game).unwrap().presets.iter().enumerate() {
        for (number, name) in GENERAL.iter().enumerate() {
            legal(game, preset.name, index + number, &catalogue::bot(name).unwrap());
        }
    }
}

#[test]
fn scotland_yard_under_every_preset() {
    legal_under_every_preset("scotland-yard");
}

#[test]
fn draughts_under_every_preset() {
    legal_under_every_preset("draughts");
}

#[test]
fn dice_wars_under_every_preset() {
    legal_under_every_preset("dice-wars");
}

#[test]
fn connect_four_under_every_preset() {
    legal_under_every_preset("connect-four");
}

#[test]
fn liars_dice_under_every_preset() {
    legal_under_every_preset("liars-dice");
}

/// Without knowledge of the games, the searches find what the rules imply.
#[test]
fn search_by_the_rules_alone_beats_random_play() {
    let random = random::bot();
    for (game, name, settings, least) in [
        ("connect-four", "mcts", ("iterations", json!(300)), 18.0),
        ("connect-four", "alpha-beta", ("depth", json!(4)), 18.0),
        ("connect-four", "max-n", ("depth", json!(4)), 18.0),
        ("liars-dice", "mcts", ("iterations", json!(300)), 13.0),
    ] {
        let bot = catalogue::bot(name).unwrap();
        let preset = registry::info(game).unwrap().presets[0].0.name;
        let mut contest = Match::new(game, preset, &[], &[&bot, &random]);
        contest.set(0, settings.0, settings.1);
        let points: f64 = (0..20)
            .map(|seed| {
                let own = seed as usize % 2;
                contest.play(seed, &[own, 1 - own]).outcome.scores[own]
            })
            .sum();
        assert!(points >= least, "{name} at {game}: {points} of 20");
    }
}

#[test]
fn general_bots_play_every_game() {
    for name in GENERAL {
        let bot = catalogue::bot(name).unwrap();
        let missing = registry::names().into_iter().find(|game| !bot.games().any(|it| it == game));
        assert_eq!(missing, None, "{name}");
    }
}

#[test]
fn hello_lists_the_games_that_are_played() {
    for bot in catalogue::bots() {
        let hello = bot.hello();
        // A bot that also plays games that it does not know names none.
        assert_eq!(hello.games.is_empty(), bot.has_other_games(), "{}", bot.name());
        for game in registry::names() {
            let says = hello.games.is_empty() || hello.games.contains(&game);
            assert_eq!(says, bot.games().any(|played| played == game), "{} {game}", bot.name());
        }
    }
}

#[test]
fn games_can_be_repeated() {
    for game in registry::names() {
        for name in GENERAL {
            let bot = catalogue::bot(name).unwrap();
            let preset = registry::info(&game).unwrap().presets[0].0.name;
            let play = || {
                let mut contest = Match::new(&game, preset, &[], &[&bot]);
                for (option, value) in quick(&bot) {
                    contest.set(0, option, value);
                }
                let seats = vec![0; contest.seats()];
                contest.play(3, &seats)
            };
            assert_eq!(play(), play(), "{name} at {game}");
        }
    }
}
