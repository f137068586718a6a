//! The contract of the stores of this crate, and tests of the file.

use super::conformance::{all, contract, definition, game};
use super::*;
use crate::played_game::SeatUse;
use std::path::{Path, PathBuf};

/// What a version stored that knew no endgame tables.
#[test]
fn copies_of_an_earlier_version_are_read() {
    let kept = definition().kept.unwrap();
    let mut json = serde_json::to_value(&kept).unwrap();
    json.as_object_mut().unwrap().remove("endgame_pieces").unwrap();
    let earlier: StoredCopies = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(earlier, StoredCopies { endgame_pieces: None, ..kept });
    assert_eq!(serde_json::to_value(earlier).unwrap(), json);
}

#[test]
fn memory_keeps_the_contract() {
    contract(Box::new(MemoryStore::new(definition())), &|store| store);
}

pub(super) fn file() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("tournament.db");
    (directory, path)
}

#[test]
fn a_file_keeps_the_contract() {
    let (_directory, path) = file();
    let store = SqliteStore::create(&path, definition()).unwrap();
    contract(Box::new(store), &|store| {
        drop(store);
        Box::new(SqliteStore::open(&path).unwrap())
    });
}

#[test]
fn a_file_can_be_read_while_it_is_written() {
    let (_directory, path) = file();
    let mut store = SqliteStore::create(&path, definition()).unwrap();
    store.record(&[game(1, 0, None)]).unwrap();
    let reader = SqliteStore::open_to_read(&path).unwrap();
    assert_eq!(all(&reader).len(), 1);
    store.record(&[game(2, 0, None)]).unwrap();
    assert_eq!(all(&reader).len(), 2);
}

#[test]
fn a_result_waits_for_another_program_that_has_the_file_locked() {
    let (_directory, path) = file();
    let mut store = SqliteStore::create(&path, definition()).unwrap();
    store.record(&[game(1, 0, None)]).unwrap();
    let mut other = rusqlite::Connection::open(&path).unwrap();
    let lock = other.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).unwrap();
    std::thread::scope(|scope| {
        let recorded = scope.spawn(|| store.record(&[game(1, 0, Some([1.0, 0.0]))]));
        // Long enough for a store that does not wait to be refused.
        std::thread::sleep(std::time::Duration::from_millis(300));
        lock.rollback().unwrap();
        recorded.join().unwrap().unwrap();
    });
    assert_eq!(all(&store), [game(1, 0, Some([1.0, 0.0]))]);
}

#[test]
fn what_is_no_tournament_is_refused_in_words() {
    let (directory, path) = file();
    let found = |path: &Path| SqliteStore::open(path).unwrap_err().to_string();
    assert!(found(&path).contains("there is no tournament in"), "{}", found(&path));
    std::fs::write(&path, "nonsense, and more of it than a header of SQLite is long".repeat(9))
        .unwrap();
    assert!(found(&path).contains("is not a tournament store of Botyard"), "{}", found(&path));
    let other = directory.path().join("other.db");
    rusqlite::Connection::open(&other).unwrap().execute_batch("CREATE TABLE x(y)").unwrap();
    assert!(found(&other).contains("another program's"), "{}", found(&other));
    let later = directory.path().join("later.db");
    drop(SqliteStore::create(&later, definition()).unwrap());
    let connection = rusqlite::Connection::open(&later).unwrap();
    connection.pragma_update(None, "user_version", SCHEMA_VERSION + 1).unwrap();
    drop(connection);
    assert!(found(&later).contains("a later version of Botyard"), "{}", found(&later));
    let exists = SqliteStore::create(&later, definition()).unwrap_err();
    assert!(exists.to_string().contains("already contains a tournament"), "{exists}");
}

#[test]
fn a_game_that_is_damaged_is_told_and_no_panic() {
    for damage in ["block = 0", "points = 'won'", "seats = '[-1]'", "uses = '{}'"] {
        let (_directory, path) = file();
        let mut store = SqliteStore::create(&path, definition()).unwrap();
        store.record(&[game(7, 1, Some([1.0, 0.0]))]).unwrap();
        drop(store);
        let connection = rusqlite::Connection::open(&path).unwrap();
        connection.execute(&format!("UPDATE games SET {damage}"), []).unwrap();
        drop(connection);
        let found = SqliteStore::open(&path).unwrap().current_games(None);
        let error = found.expect_err(damage).to_string();
        assert!(error.contains("is damaged"), "{damage}: {error}");
    }
}

#[test]
fn a_secret_is_kept_with_its_hash_and_without_a_seed() {
    let (_directory, path) = file();
    let draws = Draws::secret([0xab; 32], 1 << 63);
    let commitment = draws.commitment();
    let definition = Definition { draws, commitment, ..definition() };
    let store = SqliteStore::create(&path, definition.clone()).unwrap();
    assert_eq!(store.definition(), &definition);
    drop(store);
    for damage in [
        "DELETE FROM tournament WHERE key = 'secret'",
        "DELETE FROM tournament WHERE key = 'tag'",
        "INSERT INTO tournament VALUES ('seed', '7')",
        "UPDATE tournament SET value = 'x' WHERE key = 'tag'",
        "UPDATE tournament SET value = substr(value, 2) WHERE key = 'secret'",
    ] {
        let copy = path.with_extension("copy");
        std::fs::copy(&path, &copy).unwrap();
        rusqlite::Connection::open(&copy).unwrap().execute(damage, []).unwrap();
        assert!(
            matches!(SqliteStore::open(&copy), Err(StoreError::NoTournament { .. })),
            "{damage}"
        );
    }
}

/// A file of the first format, as dumped by SQLite: two bots, a game, a void game.
const FORMAT_1: &str = include_str!("../../tests/data/store_format_1.sql");

#[test]
fn a_file_of_an_earlier_version_is_read_as_it_is_and_brought_up_to_date_when_it_is_played() {
    let (_directory, path) = file();
    rusqlite::Connection::open(&path).unwrap().execute_batch(FORMAT_1).unwrap();
    let mut expected = [game(1, 0, Some([1.0, 0.0])), game(1, 1, None)];
    // That format does not record whose turn it was when a game became void.
    expected[1].game.void_at = None;
    let format = || {
        let connection = rusqlite::Connection::open(&path).unwrap();
        connection.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0)).unwrap()
    };
    let reader = SqliteStore::open_to_read(&path).unwrap();
    assert_eq!(reader.current_games(None).unwrap(), expected);
    let draws = Draws::without_tag(u64::MAX, "class");
    let begun = Definition { digest: String::new(), draws, kept: None, ..definition() };
    assert_eq!((reader.definition(), format()), (&begun, 1));
    let store = SqliteStore::open(&path).unwrap();
    assert_eq!(store.current_games(None).unwrap(), expected);
    assert_eq!((store.definition(), format()), (&begun, SCHEMA_VERSION));
    let audit = store.audit().unwrap();
    assert_eq!(
        audit.iter().map(|entry| entry.what.as_str()).collect::<Vec<_>>(),
        ["began", "format brought up to date"]
    );
}

/// Two seats, thousands of microseconds: a quick game.
#[test]
fn a_game_takes_less_than_100_bytes() {
    let (_directory, path) = file();
    let mut store = SqliteStore::create(&path, definition()).unwrap();
    let size = || std::fs::metadata(&path).unwrap().len();
    let before = size();
    let games: Vec<StoredGame> = (0..20_000)
        .map(|number| {
            let seat = SeatUse {
                decisions: 35,
                wall_us: 123_456,
                longest_us: 12_345,
                cpu_us: None,
                ..SeatUse::default()
            };
            let mut game = game(number / 2 + 1, number % 2, Some([1.0, 0.0]));
            game.game.uses = vec![seat; 2];
            game.game.faults = Vec::new();
            game
        })
        .collect();
    for games in games.chunks(100) {
        store.record(games).unwrap();
    }
    drop(store);
    let each = (size() - before) as f64 / games.len() as f64;
    assert!(each < 100.0, "{each} bytes a game");
}
