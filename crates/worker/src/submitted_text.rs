//! A submitted tournament, as text and as JSON.

use crate::submission::Submitted;
use botyard_league::store::Definition;
use botyard_runner::words::counted;
use botyard_tournament::{drawn_in_words, rejected_in_words};
use serde_json::{Value, json};

impl Submitted {
    /// Returns the event of the submission as JSON.
    pub fn as_json(&self, definition: &Definition) -> Value {
        json!({
            "type": "tournament_submitted",
            "tournament": self.id,
            "game": definition.game,
            "bots": definition.entrants.len(),
            "games": self.games,
            "secret_sha256": definition.commitment,
        })
    }

    /// Returns what was submitted, and which bots were rejected, in a line each. `format` is the
    /// name of the tournament's format.
    pub fn in_words(&self, definition: &Definition, format: &str) -> String {
        let least = if format == "knockout" { "at least " } else { "" };
        format!(
            "submitted {}: {least}{} of {} between {}, {}\n{}",
            self.id,
            counted(self.games, "game"),
            definition.game,
            counted(definition.entrants.len() as u64, "bot"),
            drawn_in_words(definition),
            rejected_in_words(definition),
        )
    }
}
