//! The bots at Dice Wars under a referee: legal under every preset and with any number of players,
//! and repeatable.

use crate::in_memory::Match;
use botyard_agent::Bot;
use botyard_bots::catalogue;
use botyard_engine::registry;

const GAME: &str = "dice-wars";

/// Returns every bot that is made for this game.
fn bots() -> Vec<Bot> {
    let is_made_for_it = |bot: &Bot| bot.games().eq([GAME]);
    catalogue::bots().into_iter().filter(is_made_for_it).collect()
}

#[test]
fn legal_under_every_preset_and_for_any_number_of_players() {
    let bots = bots();
    assert!(bots.len() >= 9);
    for (number, preset) in registry::info(GAME).unwrap().presets.iter().enumerate() {
        for players in [2, 4, 7] {
            let changes = [("players", players.to_string()), ("max_turns", "200".into())];
            let changes = changes.each_ref().map(|(rule, value)| (*rule, value.as_str()));
            // Different bots in each game, so that all are covered.
            let party: Vec<&Bot> =
                bots.iter().cycle().skip(2 * number + players).take(players).collect();
            let seats: Vec<usize> = (0..players).collect();
            let mut contest = Match::new(GAME, preset.0.name, &changes, &party);
            assert_eq!(contest.seats(), players);
            // Searching bots use the clock unless options limit them.
            for (place, bot) in party.iter().enumerate() {
                if bot.options().contains_key("nodes") {
                    contest.set(place, "nodes", 100.into());
                }
            }
            contest.play(1, &seats);
            contest.send_legal = false;
            contest.play(2, &seats);
        }
    }
}

#[test]
fn a_game_can_be_repeated() {
    let bots: Vec<Bot> =
        ["dw-rand", "max-n-2021", "dw-stei-adt"].map(|name| catalogue::bot(name).unwrap()).into();
    let party: Vec<&Bot> = bots.iter().collect();
    let play =
        |seed| Match::new(GAME, "fair-4", &[("players", "3")], &party).play(seed, &[0, 1, 2]);
    assert_eq!(play(1), play(1));
    assert_ne!(play(1), play(2));
}
