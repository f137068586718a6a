//! Damaged stores: reading returns what was written, or an error; it never returns anything else,
//! and never panics.

use super::conformance::{definition, game};
use super::tests::file;
use super::*;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// Returns a store of 60 blocks with two rejudged games, as bytes, and its content.
fn whole() -> (Vec<u8>, Definition, Vec<StoredGame>, Vec<Generation>) {
    let (_directory, path) = file();
    let mut store = SqliteStore::create(&path, definition()).unwrap();
    for block in 1..=60 {
        let won = if block % 3 == 0 { [0.5, 0.5] } else { [1.0, 0.0] };
        let void = (block % 20 == 0).then_some(won);
        store
            .record(&[game(block, 0, Some(won)), game(block, 1, void.or(Some([0.0, 1.0])))])
            .unwrap();
    }
    store.record(&[game(61, 0, None)]).unwrap();
    store.begin_rejudge("a reason", &[(2, 0), (2, 1)]).unwrap();
    for rotation in 0..2 {
        let mut rejudged = game(2, rotation, Some([0.0, 1.0]));
        rejudged.key.generation = 1;
        store.record(&[rejudged]).unwrap();
    }
    store.finish_rejudge(true).unwrap();
    let found = (store.current_games(None).unwrap(), store.generations().unwrap());
    drop(store);
    (std::fs::read(&path).unwrap(), definition(), found.0, found.1)
}

/// Damages the bytes in one of several ways, at a random place.
fn damage(bytes: &mut Vec<u8>, kind: u32, rng: &mut Xoshiro256PlusPlus) {
    let length = bytes.len();
    let at = |rng: &mut Xoshiro256PlusPlus, room: usize| rng.random_range(..length - room);
    match kind % 6 {
        // Five bytes of noise, one byte, one bit.
        0 => {
            let at = at(rng, 5);
            rng.fill(&mut bytes[at..at + 5]);
        }
        1 => {
            let at = at(rng, 1);
            bytes[at] = rng.random();
        }
        2 => {
            let at = at(rng, 1);
            bytes[at] ^= 1 << rng.random_range(..8u32);
        }
        // A sector that was never written, a truncated file, two pages exchanged.
        3 => {
            let at = at(rng, 512) / 512 * 512;
            bytes[at..at + 512].fill(0);
        }
        4 => {
            let kept = at(rng, 1);
            bytes.truncate(kept);
        }
        _ => {
            let pages = length / 4096;
            let [one, other] = [(); 2].map(|()| rng.random_range(..pages) * 4096);
            for offset in 0..4096 {
                bytes.swap(one + offset, other + offset);
            }
        }
    }
}

#[test]
fn damaged_bytes_are_an_error_and_never_another_result() {
    let (bytes, definition, games, generations) = whole();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("tournament.db");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(13);
    let (mut refused, mut harmless) = (0, 0);
    for kind in 0..1800 {
        let mut damaged = bytes.clone();
        damage(&mut damaged, kind, &mut rng);
        std::fs::write(&path, &damaged).unwrap();
        let found = SqliteStore::open_to_read(&path).and_then(|store| {
            let read =
                (store.definition().clone(), store.current_games(None)?, store.generations()?);
            store.audit().map(|_| read)
        });
        match found {
            Ok(found) => {
                assert_eq!(
                    found,
                    (definition.clone(), games.clone(), generations.clone()),
                    "{kind}"
                );
                harmless += 1;
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                refused += 1;
            }
        }
        // The examination lists the problems, or finds the same content.
        let examined = examine(&path);
        let Ok(examined) = examined else { continue };
        if examined.problems.is_empty() {
            assert_eq!(examined.definition.as_ref(), Some(&definition), "{kind}");
            assert_eq!(examined.generations.as_ref(), Some(&generations), "{kind}");
            assert_eq!(examined.games.len(), games.len() + 2, "{kind}");
        }
        // Without the definition the name of the game is not known, nor that of a replay.
        for read in examined.games.iter().filter(|_| examined.definition.is_some()) {
            let same = |game: &&StoredGame| game.key == read.key;
            let expected = games.iter().find(same);
            assert!(expected.is_none_or(|game| game == read), "{kind}: {read:?}");
        }
    }
    // Much of a file is free space.
    assert!(refused > 600 && harmless > 100, "{refused} refused, {harmless} harmless");
}

#[test]
fn every_value_of_a_row_is_covered_by_its_checksum() {
    for (table, change) in [
        ("games", "block = 77 WHERE block = 7 AND rotation = 0"),
        ("games", "rotation = 5 WHERE block = 7 AND rotation = 0"),
        ("games", "id = id + 1 WHERE block = 7"),
        ("games", "seats = '[1,0]' WHERE block = 7 AND rotation = 0"),
        ("games", "points = '[0,1]' WHERE block = 7 AND rotation = 0"),
        ("games", "points = NULL WHERE block = 7 AND rotation = 0"),
        ("games", "places = '[2,1]' WHERE block = 7"),
        ("games", "turns = 62 WHERE block = 7"),
        ("games", "uses = '[]' WHERE block = 7"),
        ("games", "faults = NULL WHERE block = 7"),
        ("games", "replay = 1 - replay WHERE block = 7"),
        ("games", "attempts = 2 WHERE block = 7"),
        ("games", "generation = 1 WHERE block = 7"),
        ("generations", "state = 'dropped'"),
        ("judged_anew", "block = 3 WHERE rotation = 0"),
        ("bots", "name = 'bert' WHERE position = 0"),
        ("bots", "rejected = NULL"),
        ("tournament", "value = '1' WHERE key = 'seed'"),
        ("tournament", "value = 'other' WHERE key = 'name'"),
        ("seals", "value = '120 5' WHERE name = 'games 0'"),
    ] {
        let (bytes, ..) = whole();
        let (_directory, path) = file();
        std::fs::write(&path, bytes).unwrap();
        let connection = rusqlite::Connection::open(&path).unwrap();
        let changed = connection.execute(&format!("UPDATE {table} SET {change}"), []).unwrap();
        drop(connection);
        assert!(changed > 0, "{table}: {change}");
        let found = SqliteStore::open_to_read(&path)
            .and_then(|store| Ok((store.current_games(None)?, store.generations()?)));
        let error = found.expect_err(change);
        assert!(matches!(error, StoreError::Damaged(_)), "{change}: {error}");
        assert!(!examine(&path).unwrap().problems.is_empty(), "{change}");
    }
}

#[test]
fn a_row_that_is_missing_is_noticed_and_one_that_is_damaged_is_named() {
    let (bytes, definition, games, _) = whole();
    let (_directory, path) = file();
    std::fs::write(&path, bytes).unwrap();
    assert_eq!(examine(&path).unwrap().problems, []);
    let change = |sql: &str| {
        rusqlite::Connection::open(&path).unwrap().execute(sql, []).unwrap();
    };
    change("DELETE FROM games WHERE block = 9 AND rotation = 1");
    let error = SqliteStore::open_to_read(&path).unwrap().current_games(None).unwrap_err();
    assert!(error.to_string().contains("has 120 games where 121 were recorded"), "{error}");
    change("UPDATE games SET points = '[0.5,0.5]' WHERE block = 7 AND rotation = 1");
    let examined = examine(&path).unwrap();
    assert_eq!(examined.definition, Some(definition));
    assert_eq!(examined.games.len(), games.len() + 2 - 2);
    let key = GameKey { generation: 0, block: 7, rotation: 1 };
    let named = examined.problems.iter().find(|problem| problem.key == Some(key)).unwrap();
    assert!(named.what.contains("game 2 of block 7: it does not agree"), "{named:?}");
}
