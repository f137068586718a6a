//! The contract of every store, and tests of the file.

use super::*;
use crate::played_game::SeatUse;
use crate::schedule::Stage;
use botyard_protocol::FaultKind;
use std::path::{Path, PathBuf};

pub(super) fn definition() -> Definition {
    let entrant = |name: &str, gate_passed| Entrant {
        name: name.into(),
        team: "7b".into(),
        version: "1.0".into(),
        digest: "ab".repeat(32),
        gate_passed,
    };
    Definition {
        name: "class".into(),
        game: "draughts".into(),
        draws: Draws::numbered(u64::MAX, "class"),
        commitment: None,
        file: "name = \"class\"\n".into(),
        directory: "/home/class".into(),
        digest: "cd".repeat(32),
        version: "0.1.0".into(),
        entrants: vec![entrant("anna", Some(true)), entrant("'; DROP TABLE games; --", None)],
        rejected: vec![Rejected {
            entrant: entrant("carl", Some(false)),
            reason: "it crashed".into(),
        }],
        kept: Some(StoredCopies {
            path: "/home/class/class.toml".into(),
            rules: vec![("map".into(), "{}".into())],
            openings: vec!["[1]".into()],
            bots: vec![kept_bot("anna"), kept_bot("ben")],
            gate: Vec::new(),
            stages: vec![Stage { bots: vec![0, 1], blocks: 3, ..Stage::default() }],
            endgame_pieces: Some(4),
        }),
    }
}

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

fn kept_bot(entry: &str) -> KeptBot {
    KeptBot { entry: entry.into(), bundle: serde_json::json!({"digest": "ab"}), replaced_by: None }
}

pub(super) fn game(block: u32, rotation: u32, points: Option<[f64; 2]>) -> StoredGame {
    let id = u64::from(block) << 60 | u64::from(rotation);
    let verdict = match points {
        Some(points) => Verdict::Scored { points: points.to_vec(), places: vec![1, 2] },
        None => Verdict::Void,
    };
    let seat = |wall_us, cpu_us| SeatUse { decisions: 30, wall_us, longest_us: 9, cpu_us };
    StoredGame {
        key: GameKey { generation: 0, block, rotation },
        id,
        attempts: 1,
        game: PlayedGame {
            block,
            seats: vec![rotation as usize, 1 - rotation as usize],
            void_at: points.is_none().then_some(1),
            verdict,
            turns: 61,
            uses: vec![seat(u64::from(u32::MAX) * 9, None), seat(7, Some(5))],
            faults: vec![(1, FaultKind::IllegalAction), (0, FaultKind::StartFailed)],
            replay: (rotation == 0).then(|| {
                let attempt = 1 + (block - 1) % 3;
                replay_name(&crate::schedule::game_id("draughts", id), attempt)
            }),
        },
    }
}

fn all(store: &dyn Store) -> Vec<StoredGame> {
    let mut games = Vec::new();
    store.games(0, &mut |game| games.push(game)).unwrap();
    games
}

/// Tests the contract. `again` reopens the store, as a later program would.
fn contract(mut store: Box<dyn Store>, again: &dyn Fn(Box<dyn Store>) -> Box<dyn Store>) {
    assert_eq!(store.definition(), &definition());
    assert_eq!(all(&*store), []);

    // Games are read in the order of their keys, whatever the order in which they were stored.
    let third = 1.0 / 3.0;
    let games = [
        game(1, 0, Some([1.0, 0.0])),
        game(1, 1, None),
        game(2, 0, Some([third, 1.0 - third])),
        game(300, 1, Some([0.5, 0.5])),
    ];
    store.record(&[games[3].clone(), games[0].clone()]).unwrap();
    store.record(&[games[2].clone(), games[1].clone()]).unwrap();
    store.note("began", "with two bots").unwrap();
    let mut store = again(store);
    assert_eq!(store.definition(), &definition());
    assert_eq!(all(&*store), games);

    // A result is final; if one game is refused, so are all stored with it.
    let error = store.record(&[game(5, 0, None), game(2, 0, None)]).unwrap_err();
    assert!(matches!(error, StoreError::Twice { block: 2, rotation: 1 }), "{error}");
    assert!(store.record(&[game(1, 0, Some([0.0, 1.0]))]).is_err());
    let won = game(5, 0, Some([1.0, 0.0]));
    assert!(store.record(&[won.clone(), won]).is_err(), "twice at once");
    assert_eq!(all(&*store), games);

    // Bots may be added; existing ones do not change.
    let mut extended = definition();
    extended.entrants.swap(0, 1);
    assert!(store.redefine(extended).is_err());
    let mut extended = definition();
    let late = Entrant { name: "dora".into(), ..Entrant::default() };
    extended.entrants.push(late);
    extended.rejected.clear();
    store.redefine(extended.clone()).unwrap();
    let mut store = again(store);
    assert_eq!((store.definition(), all(&*store)), (&extended, games.to_vec()));

    // A void game may be played again, and may be void again.
    store.record(&[StoredGame { attempts: 2, ..game(1, 1, None) }]).unwrap();
    assert_eq!(all(&*store)[1].attempts, 2);
    store.record(&[StoredGame { attempts: 3, ..game(1, 1, Some([0.0, 1.0])) }]).unwrap();
    let store = again(store);
    assert_eq!(all(&*store)[1], StoredGame { attempts: 3, ..game(1, 1, Some([0.0, 1.0])) });
    assert!(all(&*store).iter().all(StoredGame::is_scored));

    judged_anew(store, again);
}

/// Rejudged games count once they are applied, and the old results are kept.
fn judged_anew(mut store: Box<dyn Store>, again: &dyn Fn(Box<dyn Store>) -> Box<dyn Store>) {
    let before = all(&*store);
    assert!(matches!(store.finish_rejudge(true), Err(StoreError::NonePending)));
    assert_eq!(store.begin_rejudge("the clock was wrong", &[(2, 0), (1, 0)]).unwrap(), 1);
    let error = store.begin_rejudge("again", &[(1, 0)]).unwrap_err();
    assert!(matches!(error, StoreError::Pending), "{error}");
    let rejudged = |block, points| {
        let mut rejudged = game(block, 0, points);
        rejudged.key.generation = 1;
        rejudged
    };
    store.record(&[rejudged(1, Some([0.0, 1.0])), rejudged(2, None)]).unwrap();
    let mut store = again(store);
    assert_eq!(store.current_games(None).unwrap(), before, "pending games count for nothing");
    let generation = Generation {
        number: 1,
        reason: "the clock was wrong".into(),
        state: GenerationState::Pending,
        games: vec![(1, 0), (2, 0)],
    };
    assert_eq!(store.generations().unwrap(), [generation]);
    let expected = {
        let mut expected = before.clone();
        // A game that was void in the rejudge keeps its old result.
        expected[0] = rejudged(1, Some([0.0, 1.0]));
        expected
    };
    assert_eq!(store.current_games(Some(1)).unwrap(), expected);
    assert_eq!(store.finish_rejudge(true).unwrap(), 1);
    assert_eq!(store.begin_rejudge("a mistake", &[(2, 0)]).unwrap(), 2);
    assert_eq!(store.finish_rejudge(false).unwrap(), 2);
    let store = again(store);
    assert_eq!(store.current_games(None).unwrap(), expected);
    assert_eq!(all(&*store), before, "the old results are kept");

    let audit = store.audit().unwrap();
    assert_eq!(audit.len(), 1);
    assert_eq!((audit[0].what.as_str(), audit[0].detail.as_str()), ("began", "with two bots"));
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
const FORMAT_1: &str = include_str!("format_1.sql");

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
            let seat =
                SeatUse { decisions: 35, wall_us: 123_456, longest_us: 12_345, cpu_us: None };
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
