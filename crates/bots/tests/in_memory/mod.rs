//! In-memory games: each bot is a session of the agent kit, under the referee of the test kit.

use botyard_agent::{Bot, Session};
use botyard_engine::{Table, registry};
pub use botyard_testkit::in_memory::Played;
use botyard_testkit::in_memory::{BotOptions, Conditions, play};
use serde_json::Value;

/// A game under one set of rules, and the bots that play it.
pub struct Match<'a> {
    table: Box<dyn Table>,
    players: Vec<Session<'a>>,
    options: Vec<BotOptions>,
    /// Whether `turn` messages have the list of legal actions.
    pub send_legal: bool,
    /// Time for each decision in milliseconds, as in the bots' `start`.
    move_ms: u64,
}

impl<'a> Match<'a> {
    /// Makes a match under `preset` of `game` with some rules changed.
    pub fn new(game: &str, preset: &str, changes: &[(&str, &str)], bots: &[&'a Bot]) -> Match<'a> {
        let changes: Vec<_> =
            changes.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        let table = registry::tables(game, Some(preset), &changes).unwrap()();
        let players = bots.iter().map(|bot| Session::new(bot)).collect();
        let options = vec![BotOptions::new(); bots.len()];
        // A crowded host may leave a search of a few iterations waiting for seconds.
        Match { table, players, options, send_legal: true, move_ms: 600_000 }
    }

    /// Sets an option of one of the bots.
    pub fn set(&mut self, bot: usize, option: &str, value: Value) {
        self.options[bot].insert(option.into(), value);
    }

    /// Returns the number of seats.
    pub fn seats(&self) -> usize {
        self.table.seats().len()
    }

    /// Plays the game with this seed: `seats` has for each seat the number of the bot that holds it.
    pub fn play(&mut self, seed: u64, seats: &[usize]) -> Played {
        let Match { table, players, options, send_legal, move_ms } = self;
        let conditions = Conditions { options, move_ms: *move_ms, send_legal: *send_legal };
        play(&mut **table, seed, seats, &conditions, &mut |bot, line| {
            let mut answer = Vec::new();
            let shown = || String::from_utf8_lossy(line).into_owned();
            let flow = players[bot].answer(line, &mut answer);
            let flow = flow.unwrap_or_else(|error| panic!("{error} at {}", shown()));
            assert!(flow.is_continue(), "left the game at {}", shown());
            String::from_utf8(answer).unwrap()
        })
    }
}
