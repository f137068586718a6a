//! Hostile input for the FEN and PDN readers: a corpus of valid and invalid texts, damaged at
//! random, and plain noise. No reader panics, and accepted input round-trips.
//!
//! `PROPTEST_CASES` is the number of texts that each test tries.

use botyard_engine::Notation;
use botyard_engine::draughts::{Draughts, Move, MoveText, Movement, PdnGame, Position, read_pdn};
use botyard_engine::record::RecordedEvent;
use botyard_engine::{GameEvent, registry};
use proptest::prelude::*;
use proptest::sample::Index;

const FENS: &str = include_str!("data/draughts/corpus/positions.fen");
const ARCHIVES: [&str; 3] = [
    include_str!("data/draughts/corpus/plain.pdn"),
    include_str!("data/draughts/corpus/nasty.pdn"),
    FENS,
];

/// The number of cases without `PROPTEST_CASES`.
const CASES: u32 = 1_000;

fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { default.cases } else { CASES };
    ProptestConfig { cases, failure_persistence: None, ..default }
}

/// One kind of damage to a text.
#[derive(Clone, Debug)]
enum Damage {
    /// Flips a bit.
    Flip(Index, u8),
    /// Ends the text here.
    Truncate(Index),
    /// Removes a part.
    Cut(Index, Index),
    /// Repeats a part elsewhere.
    Splice(Index, Index, Index),
    /// Inserts a byte.
    Insert(Index, u8),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<Index>;
    let telling = prop::sample::select(b"[](){}\"\\;%*.:x-,0123456789KBWkbw \n\r\t\0\xff".to_vec());
    prop_oneof![
        (at(), 0u8..8).prop_map(|(at, bit)| Damage::Flip(at, bit)),
        at().prop_map(Damage::Truncate),
        (at(), at()).prop_map(|(from, to)| Damage::Cut(from, to)),
        (at(), at(), at()).prop_map(|(from, to, into)| Damage::Splice(from, to, into)),
        (at(), telling).prop_map(|(at, byte)| Damage::Insert(at, byte)),
    ]
}

fn damaged(text: &str, damages: &[Damage]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for damage in damages {
        let place = |index: &Index| index.index(bytes.len() + 1);
        let range = |from: &Index, to: &Index| {
            let (from, to) = (place(from), place(to));
            from.min(to)..from.max(to)
        };
        match damage {
            Damage::Flip(at, bit) => {
                let at = place(at);
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << bit;
                }
            }
            Damage::Truncate(at) => bytes.truncate(place(at)),
            Damage::Cut(from, to) => drop(bytes.drain(range(from, to))),
            Damage::Splice(from, to, into) => {
                let (piece, into) = (bytes[range(from, to)].to_vec(), place(into));
                bytes.splice(into..into, piece);
            }
            Damage::Insert(at, byte) => bytes.insert(place(at), *byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn damaged_one_of(texts: Vec<&'static str>) -> impl Strategy<Value = String> {
    (prop::sample::select(texts), prop::collection::vec(damage(), 0..6))
        .prop_map(|(text, damages)| damaged(text, &damages))
}

fn noise() -> impl Strategy<Value = String> {
    prop::collection::vec(any::<u8>(), 0..300)
        .prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

fn any_fen() -> impl Strategy<Value = String> {
    prop_oneof![9 => damaged_one_of(FENS.lines().collect()), 1 => noise()]
}

fn any_archive() -> impl Strategy<Value = String> {
    prop_oneof![9 => damaged_one_of(ARCHIVES.to_vec()), 1 => noise()]
}

#[test]
fn the_corpus_is_good_and_bad() {
    let good = FENS.lines().filter(|fen| fen.parse::<Position>().is_ok()).count();
    assert!((5..FENS.lines().count() - 4).contains(&good), "{good} positions");
    for (archive, expected) in ARCHIVES.iter().zip([3..=3, 1..=9]) {
        let read = read_pdn(archive);
        let good = read.iter().filter(|game| game.is_ok()).count();
        assert!(expected.contains(&read.len()), "{read:?}");
        assert_eq!(good == read.len(), expected == (3..=3), "{read:?}");
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_fen_that_is_read_comes_back(text in any_fen()) {
        match text.parse::<Position>() {
            Ok(position) => {
                let written = position.to_string();
                prop_assert_eq!(written.parse(), Ok(position));
                // Every accepted position can be played.
                for mv in position.moves(Movement::ENGLISH) {
                    let after = position.make(mv);
                    prop_assert_eq!(after.to_string().parse(), Ok(after));
                }
            }
            Err(error) => prop_assert!(error.to_string().len() > 20, "{}", error),
        }
    }

    #[test]
    fn a_move_that_is_read_comes_back(text in any_fen()) {
        for word in text.split([':', ',', ' ']) {
            if let Ok(mv) = word.parse::<Move>() {
                prop_assert_eq!(mv.to_string().parse(), Ok(mv));
            }
            if let Ok(mv) = word.parse::<MoveText>() {
                prop_assert_eq!(mv.to_string().parse(), Ok(mv));
            }
        }
    }

    #[test]
    fn a_game_that_is_read_is_written_for_good(text in any_archive()) {
        for game in read_pdn(&text) {
            match game {
                Ok(game) => {
                    let written = game.to_string();
                    let again: Result<Vec<PdnGame>, _> = read_pdn(&written).into_iter().collect();
                    let [again] = &again.map_err(|error| {
                        TestCaseError::fail(format!("{error} in what was written:\n{written}"))
                    })?[..] else {
                        return Err(TestCaseError::fail(format!("not one game:\n{written}")));
                    };
                    prop_assert_eq!(&again.moves, &game.moves);
                    prop_assert_eq!(again.result, game.result);
                    prop_assert_eq!(again.to_string(), written);
                }
                Err(error) => prop_assert!(error.to_string().starts_with("game "), "{}", error),
            }
        }
    }

    #[test]
    fn what_is_imported_can_be_played(text in any_archive()) {
        for record in Draughts::import(&text).expect("a format").into_iter().flatten().flatten() {
            let tables = registry::tables_with_rules("draughts", &record.rules);
            let mut table = tables.expect("the rules of the records")();
            if table.open_with(&record.opening.to_string()).is_err() {
                // A position in which the game is over: there is nothing to play.
                prop_assert!(record.events.is_empty());
                continue;
            }
            let mut game_event = GameEvent::default();
            for event in &record.events {
                let RecordedEvent::Action(action) = event else { panic!("{event:?}") };
                table.play(&action.to_string(), &mut game_event)
                    .map_err(|error| TestCaseError::fail(error.to_string()))?;
            }
        }
    }

    #[test]
    fn an_opening_that_is_read_can_be_played(text in any_archive()) {
        let mut table = registry::tables("draughts", None, &[]).expect("the default rules")();
        if let Ok(openings) = table.read_openings(&text).expect("a notation") {
            for opening in openings {
                table.open_with(&opening).map_err(|error| TestCaseError::fail(error.to_string()))?;
            }
        }
    }
}
