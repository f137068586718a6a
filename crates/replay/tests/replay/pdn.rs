//! Replays as PDN: names that need escapes, and results that are no win.

use crate::adjudication::play;
use crate::recorded_game::{lines, rechained};
use botyard_engine::Notation;
use botyard_engine::draughts::{Draughts, PdnGame, PdnResult, read_pdn};
use botyard_protocol::Adjudication;
use botyard_replay::{ReplayReader, imported_replay, pdn};

fn written(text: &str) -> String {
    let replay = rechained(&lines(text));
    pdn(ReplayReader::new(&replay[..]).unwrap()).unwrap()
}

#[test]
fn names_are_escaped() {
    let replay = play("draughts", None, &Adjudication::default(), None, |_| None).replay;
    let text = String::from_utf8(replay).unwrap();
    for name in ["a\"b", "back\\slash", "[Event \"x\"]", "{comment}", "\u{fc}n\u{ef}c\u{f6}de"] {
        let json = serde_json::to_string(name).unwrap();
        let written = written(&text.replace("\"first\"", &json));
        let games = read_pdn(&written);
        let [Ok(game)] = &games[..] else { panic!("{games:?} in {written}") };
        assert_eq!(game.tag("Black"), Some(name));
        assert_eq!(game.tag("White"), Some("rest"));
    }
    // A line break would end the tag.
    let written = written(&text.replace("\"first\"", "\"two\\nlines\""));
    assert!(written.contains("[Black \"two lines\"]"), "{written}");
}

#[test]
fn a_game_without_an_end_has_no_result() {
    let replay = play("draughts", None, &Adjudication::default(), None, |_| None).replay;
    let text = String::from_utf8(replay).unwrap();
    let first: String = text.lines().take(5).map(|line| format!("{line}\n")).collect();
    let games = read_pdn(&written(&first));
    let [Ok(game)] = &games[..] else { panic!("{games:?}") };
    assert_eq!(
        (game.result, game.moves.len(), game.tag("Termination")),
        (PdnResult::Unknown, 3, None)
    );
}

const ARCHIVES: [&str; 2] = [
    include_str!("../../../engine/tests/data/draughts/corpus/plain.pdn"),
    include_str!("../../../engine/tests/data/draughts/corpus/nasty.pdn"),
];

const NAMES: &str = "\
[White \"M\u{fc}ller\"]
[Event \"5th \"City\" Cup\"]
[Site \"Town\"]
[Date \"1999.05.01\"]
[Round \"3\"]
[Black \"Player A\"]
[Annotator-Elo \"2000\"]
[FEN \"B:W18,K10:BK5,1-4\"]
[Result \"2-0\"]

1. 4-8 2-0

[Black \"A\"]
[White \"A\"]
1-0

[Black \"A\"]
[White \"?\"]
1-0

[White \"Event\"]
[GameType \"21\"]
1-0
";

/// Imports the games of an archive, as far as they agree with the rules. Returns their replays.
fn replays(archive: &str) -> Vec<Vec<u8>> {
    let records = Draughts::import(archive).expect("a format").expect("English draughts");
    records
        .iter()
        .flatten()
        .map(|record| imported_replay("draughts", record, "archive").expect("a legal game"))
        .collect()
}

#[test]
fn the_tags_of_an_archive_survive_its_import() {
    let mut count = 0;
    for archive in ARCHIVES.into_iter().chain([NAMES]) {
        let originals: Vec<PdnGame> = read_pdn(archive)
            .into_iter()
            .zip(Draughts::import(archive).expect("a format").expect("English draughts"))
            .filter_map(|(game, record)| record.ok().and(game.ok()))
            .collect();
        let replays = replays(archive);
        assert_eq!(replays.len(), originals.len());
        for (original, replay) in originals.iter().zip(&replays) {
            let written = pdn(ReplayReader::new(&replay[..]).unwrap()).unwrap();
            let games = read_pdn(&written);
            let [Ok(game)] = &games[..] else { panic!("{games:?} in {written}") };
            let (kept, added) = game.tags.split_at(original.tags.len());
            if original.tags.is_empty() {
                assert_eq!(game.tag("Event"), Some("archive"), "{written}");
            } else {
                assert_eq!(kept, original.tags, "{written}");
                let is_needed = |tag: &(String, String)| tag.0 == "GameType" || tag.0 == "Result";
                assert!(added.iter().all(is_needed), "{written}");
            }
            assert_eq!(game.result, original.result);
            count += 1;
        }
    }
    assert!(count >= 8, "{count} games");
}

#[test]
fn an_imported_game_has_the_names_of_its_players() {
    let players = replays(NAMES)
        .iter()
        .map(|replay| {
            let reader = ReplayReader::new(&replay[..]).unwrap();
            let seats = reader.header().seats.iter();
            seats
                .map(|seat| format!("{} {}", seat.seat, seat.player))
                .collect::<Vec<_>>()
                .join(", ")
        })
        .collect::<Vec<_>>();
    let expected = [
        "black Player A, white M\u{fc}ller",
        "black A, white A",
        "black A, white ?",
        "black ?, white Event",
    ];
    assert_eq!(players, expected);
    // Tags that contradict the game are corrected.
    let text = String::from_utf8(replays(NAMES).remove(0)).unwrap();
    let forged = text.replacen(
        "[\"FEN\",\"B:W18,K10:BK5,1-4\"]",
        "[\"FEN\",\"W:W1:B2\"],[\"a \\\"b\",\"c\"]",
        1,
    );
    assert_ne!(forged, text);
    let forged = written(&forged);
    assert!(forged.contains("[FEN \"B:WK10,18:B1,2,3,4,K5\"]\n[Result"), "{forged}");
}
