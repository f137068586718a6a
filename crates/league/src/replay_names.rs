//! The names of attempts at games, and of their replays in the directory of a tournament.

/// Returns the name of the replay of an attempt, counted from 1, at the game with this id, relative
/// to the tournament's directory: in up to 256 directories, because one with a hundred thousand
/// files is slow to list.
///
/// ```
/// use botyard_league::replay_names::replay_name;
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

/// Returns the name of an attempt, counted from 1, at a game: the game's id, followed by the number
/// from the second attempt on.
pub fn attempt_name(game_id: &str, attempt: u32) -> String {
    match attempt {
        0 | 1 => game_id.to_string(),
        attempt => format!("{game_id}.{attempt}"),
    }
}

/// Parses a name into the game's id and the attempt. Ids have no dots.
///
/// ```
/// use botyard_league::replay_names::{attempt_name, attempt_of_name};
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

/// Returns the attempt of a replay file, compressed or not.
pub fn attempt_of_replay(file: &str) -> u32 {
    let plain = file.strip_suffix(".gz").unwrap_or(file);
    attempt_of_name(plain.strip_suffix(".ndjson").unwrap_or(plain)).1
}
