//! The check of a result before the queue sees it: its files are its own, and each game follows from
//! its replay.

use botyard_league::replay_names::replay_name;
use botyard_league::store::{StoreError, StoredGame};
use botyard_queue::{LeaseRecord, Queue, recheck_file};
use botyard_runner::REPEATS_OF_VOID;
use botyard_tournament::{Acceptance, Unacceptable};
use std::collections::HashMap;

/// The longest name of a file, in bytes.
const NAME: usize = 500;

/// A worker repeats a void game this often before it reports.
const MOST_REPEATS: u32 = REPEATS_OF_VOID;

/// Why a result is not passed on.
#[derive(Debug)]
pub(super) enum Rejected {
    /// It is not what the tournament accepts: the reason in one word, and in words.
    Unacceptable(&'static str, String),
    /// The store failed.
    Store(StoreError),
}

impl From<StoreError> for Rejected {
    fn from(error: StoreError) -> Rejected {
        Rejected::Store(error)
    }
}

/// Checks the games and the files of the result of a lease.
pub(super) fn verify(
    queue: &Queue,
    acceptance: &Acceptance,
    lease: &LeaseRecord,
    games: &[StoredGame],
    files: &[(String, String)],
) -> Result<(), Rejected> {
    let rotations = acceptance.schedule().block_length();
    for stored in games {
        let (key, block) = (stored.key, lease.block.number);
        let is_leased = key.generation == lease.generation && key.block == block;
        if !is_leased || key.rotation >= rotations || stored.attempts == 0 {
            return Err(Rejected::Unacceptable(
                "other_game",
                format!(
                    "rotation {} of block {}, generation {}, is not a game of the lease, which is \
                     for block {block}, generation {}",
                    key.rotation, key.block, key.generation, lease.generation
                ),
            ));
        }
    }
    let mut digests: HashMap<&str, &str> = HashMap::new();
    for (name, digest) in files {
        if digests.insert(name, digest).is_some() {
            return Err(bad_name(name, "is there twice"));
        }
    }
    let content = |name: &str, digest: &str| -> Result<Vec<u8>, Rejected> {
        queue.get(digest)?.ok_or_else(|| {
            let message = format!("the content {digest} of {name} was not stored");
            Rejected::Unacceptable("no_content", message)
        })
    };
    let mut checked = 0;
    for stored in games {
        let id = acceptance.schedule().id(stored.key);
        let refused = |error: Unacceptable| {
            let message = format!("game {}: {error}", stored.key.rotation + 1);
            Rejected::Unacceptable(error.as_str(), message)
        };
        let mut own: Vec<(&str, &str, Part)> = Vec::new();
        for (name, digest) in &digests {
            if let Some(part) = Part::of(name, &id) {
                own.push((name, digest, part));
            }
        }
        checked += own.len();
        check_new(queue, lease, &id, &own)?;
        let mut replay = None;
        for (name, digest, Part { attempt, is_replay }) in own {
            let is_last = attempt == stored.attempts;
            let is_near = stored.attempts.saturating_sub(attempt) <= MOST_REPEATS;
            if attempt > stored.attempts || !is_near {
                return Err(bad_name(name, "is of another attempt"));
            }
            match (is_replay, is_last) {
                (false, _) => {}
                (true, true) if stored.game.replay.as_deref() == Some(name) => {
                    replay = Some(content(name, digest)?);
                }
                (true, true) => {
                    return Err(bad_name(name, "is not the replay that the game names"));
                }
                (true, false) => {
                    let earlier = content(name, digest)?;
                    acceptance
                        .check_earlier(&lease.block, stored.key, attempt, &earlier)
                        .map_err(refused)?;
                }
            }
        }
        acceptance.check(&lease.block, stored, replay.as_deref()).map_err(refused)?;
    }
    match checked == files.len() {
        true => Ok(()),
        false => {
            let ids: Vec<String> =
                games.iter().map(|stored| acceptance.schedule().id(stored.key)).collect();
            let is_strange = |name: &&&str| ids.iter().all(|id| Part::of(name, id).is_none());
            let strange = digests.keys().find(is_strange).copied().unwrap_or_default();
            Err(bad_name(strange, "is not that of a file of a game of this result"))
        }
    }
}

/// What a file of a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    attempt: u32,
    is_replay: bool,
}

impl Part {
    /// Reads the name of a file of the game with this id: its replay, or what is beside it.
    fn of(name: &str, id: &str) -> Option<Part> {
        if name.len() > NAME || name.chars().any(char::is_control) {
            return None;
        }
        let replay = replay_name(id, 1);
        let rest = name.strip_prefix(replay.strip_suffix(".ndjson")?)?.strip_prefix('.')?;
        // `GAME.2.ndjson` is the replay of the second attempt.
        let numbered = rest.split_once('.').and_then(|(number, ending)| {
            let attempt = number.parse().ok().filter(|&attempt: &u32| attempt >= 2)?;
            // No other way to write the number.
            (attempt.to_string() == number).then_some((attempt, ending))
        });
        let (attempt, ending) = numbered.unwrap_or((1, rest));
        let is_replay = ["ndjson", "ndjson.gz"].contains(&ending);
        let kind = ending.split('.').next().unwrap_or_default();
        let is_beside = !kind.is_empty()
            && kind.parse::<u32>().is_err()
            && !ending.contains('/')
            && !ending.ends_with(".ndjson")
            && !ending.ends_with(".ndjson.gz");
        (is_replay || is_beside).then_some(Part { attempt, is_replay })
    }
}

/// Checks that no file of the game would be replaced by other content.
fn check_new(
    queue: &Queue,
    lease: &LeaseRecord,
    id: &str,
    own: &[(&str, &str, Part)],
) -> Result<(), Rejected> {
    if own.is_empty() {
        return Ok(());
    }
    let replay = replay_name(id, 1);
    let stem = replay.strip_suffix("ndjson").unwrap_or(&replay);
    let stored = |name: &str| match lease.is_recheck {
        true => recheck_file(name),
        false => name.to_string(),
    };
    let known = queue.files(&lease.tournament, &stored(stem))?;
    let replaced = own.iter().find(|(name, digest, _)| {
        let name = stored(name);
        known.iter().any(|file| file.name == name && file.digest != *digest)
    });
    match replaced {
        Some((name, ..)) => Err(bad_name(name, "is that of a file that is stored already")),
        None => Ok(()),
    }
}

fn bad_name(name: &str, what: &str) -> Rejected {
    let shown: String = name.chars().take(NAME).collect();
    Rejected::Unacceptable("other_file", format!("the name {shown:?} of a file {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_those_of_their_game_and_attempt() {
        let id = "dice-0b1b";
        let of = |rest: &str| Part::of(&format!("replays/0b/{rest}"), id);
        let part = |attempt, is_replay| Some(Part { attempt, is_replay });
        for (rest, expected) in [
            ("dice-0b1b.ndjson", part(1, true)),
            ("dice-0b1b.ndjson.gz", part(1, true)),
            ("dice-0b1b.2.ndjson.gz", part(2, true)),
            ("dice-0b1b.bot1-a.stderr.txt", part(1, false)),
            ("dice-0b1b.12.bot1-a.2.stderr.txt", part(12, false)),
            ("dice-0b1b.1.ndjson", None),
            ("dice-0b1b.02.ndjson", None),
            ("dice-0b1b.2.3.ndjson", None),
            ("dice-0b1b.x.ndjson", None),
            ("dice-0b1b.", None),
            ("dice-0b1b./../x", None),
            ("dice-0b1c.ndjson", None),
            ("dice-0b1bx.ndjson", None),
            ("dice-0b1b.bot1-\n.txt", None),
        ] {
            assert_eq!(of(rest), expected, "{rest:?}");
        }
        assert_eq!(Part::of("bundles/dice-0b1b.ndjson", id), None);
    }
}
