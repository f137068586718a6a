//! Where a tournament is kept: what it is, who takes part, and the result of every game as soon as it
//! is over. A tournament that was killed at any moment is found as it was after the last game that
//! is in the store, and no game can be in it twice.
//!
//! [`Store`] is what a tournament needs of it; [`SqliteStore`] is one file, [`MemoryStore`] nothing
//! but memory. Another engine can take their place if it passes the same tests.

mod error;
mod examine;
mod kept;
mod memory;
mod rows;
mod seals;
mod sqlite;

pub use error::StoreError;
pub use examine::{Examined, Problem, examine};
pub use kept::{Kept, KeptBot};
pub use memory::MemoryStore;
pub use sqlite::{SCHEMA_VERSION, SqliteStore};

use crate::played_game::{Entrant, PlayedGame, Verdict};
use crate::schedule::{Draws, GameKey};
use serde::{Deserialize, Serialize};

/// What a tournament is. While it is played nothing of this changes; [`Store::redefine`] extends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// What it is called.
    pub name: String,
    /// The name of the game.
    pub game: String,
    /// What all its games are drawn from.
    pub draws: Draws,
    /// The hash of its secret ([`commitment`]) that was printed before the first game; none where
    /// the games are drawn from a number.
    ///
    /// [`commitment`]: crate::schedule::commitment
    pub commitment: Option<String>,
    /// The tournament file as it was read.
    pub file: String,
    /// The directory that paths in the file are relative to.
    pub directory: String,
    /// SHA-256 of the rules that it changes and of its openings, with what was in the files that have
    /// them; empty where that is not known.
    pub digest: String,
    /// The version of Botyard that began it.
    pub version: String,
    /// Those who take part, in the order of their indices in games.
    pub entrants: Vec<Entrant>,
    /// Those who were not let in.
    pub rejected: Vec<Rejected>,
    /// What it keeps of its bots, openings and rules; `None` of a tournament that keeps nothing.
    pub kept: Option<Kept>,
}

/// A bot that was not let in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejected {
    /// The bot.
    pub entrant: Entrant,
    /// Why, in sentences for its author.
    pub reason: String,
}

/// A game as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredGame {
    /// Which.
    pub key: GameKey,
    /// The hash in its id.
    pub id: u64,
    /// How often it was begun and came to an end, void games included.
    pub attempts: u32,
    /// How it went. The name of its replay is that of its id and an attempt, so only the attempt is
    /// kept, and of a compressed one the name that it had before.
    pub game: PlayedGame,
}

impl StoredGame {
    /// Whether it has a result that counts.
    pub fn is_scored(&self) -> bool {
        self.game.verdict != Verdict::Void
    }
}

/// Something that was done to a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AuditEntry {
    /// When, in seconds since 1970 (UTC).
    pub at: u64,
    /// What, in a word or two.
    pub what: String,
    /// More about it.
    pub detail: String,
}

/// Games that are judged anew, as a set. Until it is settled it changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generation {
    /// Its number, from 1; 0 are the games as they were first played.
    pub number: u32,
    /// Why.
    pub reason: String,
    /// What became of it.
    pub state: GenerationState,
    /// Which games: block and rotation of each, in order.
    pub games: Vec<(u32, u32)>,
}

/// What became of games that were judged anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GenerationState {
    /// They may still be played, and count for nothing.
    Pending,
    /// They have taken the place of the results before, which are kept.
    Applied,
    /// They count for nothing, and are kept.
    Dropped,
}

impl GenerationState {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            GenerationState::Pending => "pending",
            GenerationState::Applied => "applied",
            GenerationState::Dropped => "dropped",
        }
    }
}

/// A tournament that is kept somewhere. One at a time may write to it.
pub trait Store {
    /// What the tournament is.
    fn definition(&self) -> &Definition;

    /// Changes what the tournament is: it has more bots or games. The bots that take part stay, with their
    /// indices and names, and others may come after them.
    ///
    /// # Errors
    ///
    /// A definition that would change whose games there are, and what the host cannot do.
    fn redefine(&mut self, definition: Definition) -> Result<(), StoreError>;

    /// Adds games with their results, all of them or none. A void game may be followed by the same
    /// game played again, which takes its place.
    ///
    /// # Errors
    ///
    /// A game that has a result already, and what the host cannot do.
    fn record(&mut self, games: &[StoredGame]) -> Result<(), StoreError>;

    /// Calls `each` with every game of the generation, in order.
    ///
    /// # Errors
    ///
    /// What cannot be read.
    fn games(&self, generation: u32, each: &mut dyn FnMut(StoredGame)) -> Result<(), StoreError>;

    /// Begins a set of games that are to be judged anew, and gives its number.
    ///
    /// # Errors
    ///
    /// Another one that is pending, and what the host cannot do.
    fn begin_generation(&mut self, reason: &str, games: &[(u32, u32)]) -> Result<u32, StoreError>;

    /// Every set of games that was judged anew, in order.
    ///
    /// # Errors
    ///
    /// What cannot be read.
    fn generations(&self) -> Result<Vec<Generation>, StoreError>;

    /// Has the pending set take the place of the results before, or not. Gives its number.
    ///
    /// # Errors
    ///
    /// None that is pending, and what the host cannot do.
    fn settle(&mut self, apply: bool) -> Result<u32, StoreError>;

    /// The games as they count, in order: each with the result of the last generation that was applied
    /// and has one. `also` is a generation that is taken for applied.
    ///
    /// # Errors
    ///
    /// What cannot be read.
    fn current_games(&self, also: Option<u32>) -> Result<Vec<StoredGame>, StoreError> {
        let mut games = Vec::new();
        self.games(0, &mut |game| games.push(game))?;
        for generation in self.generations()? {
            let applied = generation.state == GenerationState::Applied;
            if !applied && also != Some(generation.number) {
                continue;
            }
            self.games(generation.number, &mut |anew| {
                let place = |game: &StoredGame| (game.key.block, game.key.rotation);
                let found = games.binary_search_by_key(&place(&anew), place);
                if let (Ok(index), true) = (found, anew.is_scored()) {
                    games[index] = anew;
                }
            })?;
        }
        Ok(games)
    }

    /// Notes that something was done.
    ///
    /// # Errors
    ///
    /// What the host cannot do.
    fn note(&mut self, what: &str, detail: &str) -> Result<(), StoreError>;

    /// Everything that was noted, the first first.
    ///
    /// # Errors
    ///
    /// What cannot be read.
    fn audit(&self) -> Result<Vec<AuditEntry>, StoreError>;
}

/// Refuses a definition in which the games of another one would be those of other bots, or drawn from
/// something else.
fn check_extends(before: &Definition, after: &Definition) -> Result<(), StoreError> {
    let names = |definition: &Definition| -> Vec<String> {
        definition.entrants.iter().map(|entrant| entrant.name.clone()).collect()
    };
    let is_same = before.game == after.game && before.draws == after.draws;
    match is_same && names(after).starts_with(&names(before)) {
        true => Ok(()),
        false => Err(StoreError::Host("its games would be those of another tournament".into())),
    }
}

/// Seconds since 1970.
fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// The name of the replay of an attempt, counted from 1, to play the game with this id, relative to the
/// tournament's directory: up to 256 directories, because one with a hundred thousand files is slow to look
/// at.
///
/// ```
/// use botyard_league::store::replay_name;
///
/// let id = "dice-wars-0b1bfedc68a954bd";
/// assert_eq!(replay_name(id, 1), "replays/0b/dice-wars-0b1bfedc68a954bd.ndjson");
/// assert_eq!(replay_name(id, 2), "replays/0b/dice-wars-0b1bfedc68a954bd.2.ndjson");
/// ```
pub fn replay_name(game_id: &str, attempt: u32) -> String {
    let hash = game_id.rsplit('-').next().unwrap_or_default();
    let directory = hash.get(..2).unwrap_or("00");
    format!("replays/{directory}/{}.ndjson", attempt_name(game_id, attempt))
}

/// The name of an attempt, counted from 1, to play a game: the game's id, and from the second attempt on
/// its number.
pub fn attempt_name(game_id: &str, attempt: u32) -> String {
    match attempt {
        0 | 1 => game_id.to_string(),
        attempt => format!("{game_id}.{attempt}"),
    }
}

/// The game's id and the attempt of which this is the name. Ids hold no dots.
///
/// ```
/// use botyard_league::store::{attempt_name, attempt_of_name};
///
/// assert_eq!(attempt_of_name("dice-wars-0b1b"), ("dice-wars-0b1b", 1));
/// assert_eq!(attempt_of_name(&attempt_name("dice-wars-0b1b", 3)), ("dice-wars-0b1b", 3));
/// ```
pub fn attempt_of_name(name: &str) -> (&str, u32) {
    let numbered = name.rsplit_once('.').and_then(|(id, number)| Some((id, number.parse().ok()?)));
    match numbered {
        Some((id, attempt @ 2..)) => (id, attempt),
        _ => (name, 1),
    }
}

/// The attempt of which a file, compressed or not, is the replay.
fn attempt_of_replay(file: &str) -> u32 {
    let plain = file.strip_suffix(".gz").unwrap_or(file);
    attempt_of_name(plain.strip_suffix(".ndjson").unwrap_or(plain)).1
}

#[cfg(test)]
mod damage;
#[cfg(test)]
mod tests;
