//! The store of a tournament: its definition, its bots, and the result of every game as soon as it
//! is over. A tournament that was killed at any moment is found in the state after the last stored
//! game, and no game is stored twice.
//!
//! [`Store`] is the interface that a tournament needs; [`SqliteStore`] is one file, [`MemoryStore`]
//! is memory only. Another engine can replace them if it passes the same tests.

mod cell;
mod checksums;
pub mod conformance;
mod copying;
pub mod definition_rows;
mod examine;
pub mod game_row;
mod memory;
mod sqlite;
mod stored_copies;

pub use cell::Cell;
pub use copying::copy_results;
pub use examine::{Examined, Problem, examine};
pub use memory::MemoryStore;
pub use sqlite::{SCHEMA_VERSION, SqliteStore};
pub use stored_copies::{KeptBot, KeptGame, StoredCopies};

pub use crate::store_error::StoreError;

use crate::played_game::{Entrant, PlayedGame, Verdict};
use crate::schedule::{Draws, GameKey};
use serde::{Deserialize, Serialize};

/// The definition of a tournament. Play does not change it; [`Store::redefine`] extends it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// The name of the game.
    pub game: String,
    /// The source of all random draws.
    pub draws: Draws,
    /// The hash of its secret ([`commitment`]) that was printed before the first game; none if the
    /// games are drawn from a number.
    ///
    /// [`commitment`]: crate::schedule::commitment
    pub commitment: Option<String>,
    /// The tournament file as it was read.
    pub file: String,
    /// The directory that paths in the file are relative to.
    pub directory: String,
    /// SHA-256 of the changed rules and of the openings, with the content of the files that they
    /// name; empty if unknown.
    pub digest: String,
    /// The version of Botyard that began it.
    pub version: String,
    /// The bots that take part, in the order of their indices in games.
    pub entrants: Vec<Entrant>,
    /// The rejected bots.
    pub rejected: Vec<Rejected>,
    /// Its copies of bots, openings and rules; `None` if it keeps none.
    pub kept: Option<StoredCopies>,
}

impl Definition {
    /// Checks that another definition extends this one: existing games have the same bots and the
    /// same random draws.
    ///
    /// # Errors
    ///
    /// It does not.
    pub fn check_extended_by(&self, after: &Definition) -> Result<(), StoreError> {
        let names = |definition: &Definition| -> Vec<String> {
            definition.entrants.iter().map(|entrant| entrant.name.clone()).collect()
        };
        let is_same = self.game == after.game && self.draws == after.draws;
        match is_same && names(after).starts_with(&names(self)) {
            true => Ok(()),
            false => Err(StoreError::Host("its games would be those of another tournament".into())),
        }
    }
}

/// A rejected bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejected {
    /// The bot.
    pub entrant: Entrant,
    /// The reason, in sentences for its author.
    pub reason: String,
}

/// A stored game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredGame {
    /// Its key.
    pub key: GameKey,
    /// The hash in its id.
    pub id: u64,
    /// The number of finished attempts, including void ones.
    pub attempts: u32,
    /// Its result. A replay's name is that of the game's id and an attempt, so only the attempt is
    /// stored; for a compressed replay, the name that it had before.
    pub game: PlayedGame,
}

impl StoredGame {
    /// Returns whether it has a result that counts.
    pub fn is_scored(&self) -> bool {
        self.game.verdict != Verdict::Void
    }
}

/// An entry of the audit log of a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AuditEntry {
    /// The time, in seconds since 1970 (UTC).
    pub at: u64,
    /// The action, in a word or two.
    pub what: String,
    /// Details.
    pub detail: String,
}

/// A rejudge: a set of games that are played again. Until it is settled it changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generation {
    /// Its number, from 1; generation 0 has the games as first played.
    pub number: u32,
    /// The reason.
    pub reason: String,
    /// Its status.
    pub state: GenerationState,
    /// The games, as block and rotation of each, in order.
    pub games: Vec<(u32, u32)>,
}

/// The status of a rejudge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GenerationState {
    /// Its games may still be played, and do not count yet.
    Pending,
    /// Its results replaced the earlier ones, which are kept.
    Applied,
    /// Its results do not count, but are kept.
    Dropped,
}

impl GenerationState {
    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            GenerationState::Pending => "pending",
            GenerationState::Applied => "applied",
            GenerationState::Dropped => "dropped",
        }
    }
}

/// A stored tournament. One program at a time may write to it.
pub trait Store {
    /// Returns the definition of the tournament.
    fn definition(&self) -> &Definition;

    /// Extends the definition: the tournament has more bots or games. Existing bots keep their
    /// indices and names; new ones come after them.
    ///
    /// # Errors
    ///
    /// A definition that would change the bots of existing games; errors of the host.
    fn redefine(&mut self, definition: Definition) -> Result<(), StoreError>;

    /// Adds games with their results, all of them or none. A void game may be replaced by another
    /// attempt at the same game.
    ///
    /// # Errors
    ///
    /// A game that has a result already; errors of the host.
    fn record(&mut self, games: &[StoredGame]) -> Result<(), StoreError>;

    /// Calls `each` with every game of the generation, in order.
    ///
    /// # Errors
    ///
    /// Content that cannot be read.
    fn games(&self, generation: u32, each: &mut dyn FnMut(StoredGame)) -> Result<(), StoreError>;

    /// Begins a rejudge of a set of games, and returns its number.
    ///
    /// # Errors
    ///
    /// Another pending rejudge; errors of the host.
    fn begin_rejudge(&mut self, reason: &str, games: &[(u32, u32)]) -> Result<u32, StoreError>;

    /// Returns every rejudge, in order.
    ///
    /// # Errors
    ///
    /// Content that cannot be read.
    fn generations(&self) -> Result<Vec<Generation>, StoreError>;

    /// Applies or drops the pending rejudge; returns its number.
    ///
    /// # Errors
    ///
    /// No pending rejudge; errors of the host.
    fn finish_rejudge(&mut self, apply: bool) -> Result<u32, StoreError>;

    /// Returns the games as they count, in order: each with its result in the last applied
    /// generation that has one. `also` is a generation that is treated as applied.
    ///
    /// # Errors
    ///
    /// Content that cannot be read.
    fn current_games(&self, also: Option<u32>) -> Result<Vec<StoredGame>, StoreError> {
        let mut games = Vec::new();
        self.games(0, &mut |game| games.push(game))?;
        for generation in self.generations()? {
            let applied = generation.state == GenerationState::Applied;
            if !applied && also != Some(generation.number) {
                continue;
            }
            self.games(generation.number, &mut |rejudged| {
                let place = |game: &StoredGame| (game.key.block, game.key.rotation);
                let found = games.binary_search_by_key(&place(&rejudged), place);
                if let (Ok(index), true) = (found, rejudged.is_scored()) {
                    games[index] = rejudged;
                }
            })?;
        }
        Ok(games)
    }

    /// Adds an entry to the audit log.
    ///
    /// # Errors
    ///
    /// Errors of the host.
    fn note(&mut self, what: &str, detail: &str) -> Result<(), StoreError>;

    /// Returns the audit log, oldest entry first.
    ///
    /// # Errors
    ///
    /// Content that cannot be read.
    fn audit(&self) -> Result<Vec<AuditEntry>, StoreError>;
}

/// Seconds since 1970.
fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod damage;
#[cfg(test)]
mod tests;
