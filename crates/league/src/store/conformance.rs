//! The contract of a store, as a test that every engine must pass.

// A test says where it fails.
#![allow(clippy::unwrap_used)]

use super::{
    Definition, Generation, GenerationState, KeptBot, Rejected, Store, StoreError, StoredCopies,
    StoredGame,
};
use crate::played_game::{Entrant, PlayedGame, SeatUse, Verdict};
use crate::replay_names::replay_name;
use crate::schedule::{Draws, GameKey, Stage};
use botyard_protocol::FaultKind;

/// Returns the definition of a tournament of two bots that is [checked](contract).
pub fn definition() -> Definition {
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
            game: None,
        }),
    }
}

fn kept_bot(entry: &str) -> KeptBot {
    KeptBot { entry: entry.into(), bundle: serde_json::json!({"digest": "ab"}), replaced_by: None }
}

/// Returns a game of that tournament; a void one without points.
pub fn game(block: u32, rotation: u32, points: Option<[f64; 2]>) -> StoredGame {
    let id = u64::from(block) << 60 | u64::from(rotation);
    let verdict = match points {
        Some(points) => Verdict::Scored { points: points.to_vec(), places: vec![1, 2] },
        None => Verdict::Void,
    };
    let seat = |wall_us, cpu_us| SeatUse {
        decisions: 30,
        wall_us,
        longest_us: 9,
        cpu_us,
        ..SeatUse::default()
    };
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

/// Returns all games of the first generation.
///
/// # Panics
///
/// They cannot be read.
pub fn all(store: &dyn Store) -> Vec<StoredGame> {
    let mut games = Vec::new();
    store.games(0, &mut |game| games.push(game)).unwrap();
    games
}

/// Checks the contract on a store of the tournament [`definition`] without games. `again` reopens the
/// store, as a later program would.
///
/// # Panics
///
/// The store breaks the contract.
pub fn contract(mut store: Box<dyn Store>, again: &dyn Fn(Box<dyn Store>) -> Box<dyn Store>) {
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
