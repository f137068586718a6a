//! What is announced of a tournament before its games: what they are, how they are drawn, and their
//! conditions.

use crate::tournament::Tournament;
use botyard_engine::registry::plain_name;
use botyard_league::store::{Definition, Store};
use botyard_runner::Plan;
use botyard_runner::words::counted;

impl Tournament {
    /// Returns the announcement of the games, in two lines or three. `concurrency` is the number of
    /// games at once that was asked for.
    pub fn announcement(&self, plan: &Plan, concurrency: Option<u16>) -> String {
        let Tournament { setup, schedule, store, .. } = self;
        let (definition, format) = (store.definition(), setup.file.format.value.name());
        let least = if format == "knockout" { "at least " } else { "" };
        let default = match concurrency.or(setup.file.run.concurrency) {
            None => " (default: number of cores minus one)",
            Some(_) => "",
        };
        let drawn = drawn_in_words(definition);
        format!(
            "{}: {least}{} of {} between {}, {format}, rules {}, {drawn}\n{}{default}; {}\n",
            definition.name,
            counted(schedule.games(), "game"),
            plain_name(&definition.game),
            counted(definition.entrants.len() as u64, "bot"),
            plan.rules,
            plan.at_once(),
            plan.conditions(),
        )
    }
}

/// Returns what the games of a tournament are drawn from.
pub fn drawn_in_words(definition: &Definition) -> String {
    match &definition.commitment {
        Some(commitment) => drawn_from_secret(commitment),
        None => format!("seed {}", definition.draws),
    }
}

/// Returns what is published of a secret before the last game.
pub fn drawn_from_secret(commitment: &str) -> String {
    format!("drawn from a secret whose SHA-256 is\n{commitment}")
}
