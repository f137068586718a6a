//! Files of endgame tables: a build can be read, damage is detected and named, a stopped build can be
//! resumed, and the bot plays by a file.

use botyard_agent::{ServeError, Session};
use botyard_bots::alpha_beta;
use botyard_bots::draughts::endgames::{DamagedBlock, FormatError, VERSION, decode, probe, read};
use botyard_engine::draughts::endgame::{Endgames, Material, solve};
use botyard_engine::endgame_tables::EndgameResult;
use botyard_training::Digest;
use botyard_training::endgames::{self, Build, Built, Counts};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

fn endgames() -> &'static Endgames {
    static ENDGAMES: OnceLock<Endgames> = OnceLock::new();
    ENDGAMES.get_or_init(|| {
        let mut endgames = Endgames::default();
        solve(&mut endgames, 3, 2, &|| false, |_, _| ControlFlow::Continue(())).unwrap();
        endgames
    })
}

/// Adds this number of classes to the file, and finishes it after the last one.
fn build(path: &Path, classes: usize) -> usize {
    let (mut build, done) = Build::begin(path, 3).unwrap();
    let all = Material::up_to(3);
    let begun = done.classes().len();
    assert_eq!(done.classes(), all[..begun]);
    for &class in all[begun..].iter().take(classes) {
        build.add(class, endgames().values(class).unwrap()).unwrap();
    }
    if begun + classes >= all.len() {
        build.finish().unwrap();
    }
    begun
}

fn file() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("made as needed").join("tables");
        build(&path, 16);
        std::fs::read(path).unwrap()
    })
}

fn part_of(path: &Path) -> PathBuf {
    path.with_file_name(format!("{}.part", path.file_name().unwrap().to_str().unwrap()))
}

/// What `sha256sum` says of tables of three pieces, on any machine.
const THREE_PIECES: &str = "072b1f60e4c3127488fbc6f0304e11ea6ad00bcba1188dbf727e9eb8969782d1";

#[test]
fn the_file_does_not_depend_on_the_number_of_threads() {
    let directory = tempfile::tempdir().unwrap();
    for threads in [1, 2, 5] {
        let path = directory.path().join(threads.to_string());
        let threads = NonZero::new(threads).unwrap();
        let built = endgames::build(&path, 3, threads, &|| false, |_| {}).unwrap();
        assert!(matches!(built, Built::Whole { .. }), "{built:?}");
        let bytes = std::fs::read(path).unwrap();
        assert_eq!(Digest::of(&bytes).to_string(), THREE_PIECES, "{threads} threads");
    }
}

#[test]
fn what_was_built_is_read() {
    let found = decode(file()).unwrap();
    assert_eq!(found.classes(), Material::up_to(3));
    for class in found.classes() {
        assert_eq!(found.values(class), endgames().values(class), "{class}");
    }
}

#[test]
fn every_damaged_byte_is_found() {
    // In steps through the long data, and byte by byte through the first headers.
    let places = (0..60).chain((60..file().len()).step_by(997)).chain([file().len() - 1]);
    for place in places {
        let mut bytes = file().to_vec();
        bytes[place] ^= 0x10;
        let error = decode(&bytes).expect_err("damaged");
        let expected = match place {
            0..8 => FormatError::NotTables,
            8..16 => FormatError::Header,
            _ => {
                let FormatError::Class { damage, of: 16, .. } = error else { panic!("{error}") };
                let in_first_header = (16..36).contains(&place);
                assert!(
                    match damage {
                        DamagedBlock::Header => in_first_header || place >= 60,
                        DamagedBlock::Checksum => !in_first_header,
                        _ => false,
                    },
                    "{place}: {damage}"
                );
                continue;
            }
        };
        assert_eq!(error, expected, "byte {place}");
    }
}

#[test]
fn every_length_but_the_right_one_is_refused() {
    for length in (0..file().len()).step_by(613).chain([7, 8, 15, 16, 17, 35, 36, 37]) {
        let error = decode(&file()[..length]).expect_err("truncated");
        match length {
            0..8 => assert_eq!(error, FormatError::NotTables),
            8..16 => assert_eq!(error, FormatError::Header),
            _ => assert!(
                matches!(
                    error,
                    FormatError::Class { damage: DamagedBlock::Truncated { missing: 1.. }, .. }
                ),
                "{length}: {error}"
            ),
        }
    }
    let longer = [file(), b"!"].concat();
    assert_eq!(decode(&longer).unwrap_err(), FormatError::TooLong(1));
}

#[test]
fn another_version_is_named() {
    let mut bytes = file()[..12].to_vec();
    bytes[8] = 7;
    let mut crc = flate2::Crc::new();
    crc.update(&bytes);
    bytes.extend(crc.sum().to_le_bytes());
    let error = decode(&bytes).unwrap_err();
    assert_eq!(error, FormatError::Version(7));
    assert!(error.to_string().contains(&format!("versions 1 to {VERSION}")), "{error}");
}

#[test]
fn a_stopped_build_goes_on_and_makes_the_same_file() {
    for (first, torn) in [(0, 0), (1, 0), (5, 0), (5, 1), (15, 300), (3, 100_000)] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("tables");
        assert_eq!(build(&path, first), 0);
        assert!(!path.exists(), "only whole files have the name");
        // A killed build may have left half a class.
        let part = std::fs::read(part_of(&path)).unwrap();
        std::fs::write(part_of(&path), &part[..part.len().saturating_sub(torn)]).unwrap();
        let begun = build(&path, 16);
        assert!(begun <= first && (torn > 0 || begun == first), "{begun} of {first}");
        assert_eq!(std::fs::read(&path).unwrap(), file(), "{first} {torn}");
        assert!(!part_of(&path).exists());
    }
}

#[test]
fn what_another_build_left_is_not_used() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("tables");
    for left in [&file()[..1000], b"something else", &[]] {
        std::fs::write(part_of(&path), left).unwrap();
        let (_, done) = Build::begin(&path, 2).unwrap();
        assert!(done.classes().is_empty());
    }
    std::fs::write(part_of(&path), &file()[..file().len() - 1]).unwrap();
    assert_eq!(Build::begin(&path, 3).unwrap().1.classes().len(), 15);
}

#[test]
fn messages_say_what_to_do() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("tables");
    for (bytes, expected) in [
        (None, "there is no file"),
        (Some(&b"PDN"[..]), "not a file of endgame tables"),
        (
            Some(&file()[..file().len() - 9]),
            "the class MM v M (16 of 16) is damaged: the file ends 9",
        ),
    ] {
        if let Some(bytes) = bytes {
            std::fs::write(&path, bytes).unwrap();
        }
        let message = read(&path).unwrap_err().to_string();
        assert!(message.contains("`botyard egdb build --out "), "{message}");
        assert!(message.contains(expected), "{message}");
    }
}
/// The results of positions with these bytes, four a byte.
fn results(values: &[u8]) -> Vec<u8> {
    let code = |value: &u8| match value {
        255 => 2,
        plies => plies % 2,
    };
    let four = |four: &[u8]| four.iter().rev().fold(0, |bits, value| bits << 2 | code(value));
    values.chunks(4).map(four).collect()
}

/// A file of five pieces, as if every position were a draw: solving takes too long for a test.
#[test]
fn a_file_of_five_pieces_has_results_of_the_last_one() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("tables");
    let all = Material::up_to(5);
    let add = |build: &mut Build, class: Material| {
        let draws = vec![255; Endgames::positions(class) as usize];
        let table = if class.has_plies() { draws } else { results(&draws) };
        assert_eq!(table.len(), Endgames::bytes(class));
        build.add(class, &table).unwrap();
    };
    let (mut build, _) = Build::begin(&path, 5).unwrap();
    all[..43].iter().for_each(|&class| add(&mut build, class));
    drop(build);
    let (mut build, done) = Build::begin(&path, 5).unwrap();
    assert_eq!(done.classes(), all[..43], "two classes of five pieces");
    all[43..].iter().for_each(|&class| add(&mut build, class));
    build.finish().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(bytes[8..12], [2, 0, 5, 85], "version, pieces, classes");
    // The classes of a file of six have 607 MB: only its header is checked.
    let (build, _) = Build::begin(&directory.path().join("six"), 6).unwrap();
    let header = std::fs::read(build.part()).unwrap();
    assert_eq!(header[8..12], [3, 0, 6, 155], "version, pieces, classes");
    let tables = decode(&bytes).unwrap();
    assert_eq!((tables.classes(), tables.most_pieces()), (all, 5));
    for (fen, has_plies) in [("B:WK1,K2:BK31,K32", true), ("B:W28,K2:BK31,K32,5", false)] {
        let position = fen.parse().unwrap();
        assert_eq!(tables.probe_result(&position), Some(EndgameResult::Draw), "{fen}");
        assert_eq!(tables.probe(&position).is_some(), has_plies, "{fen}");
        let probed = probe(&tables, &position).unwrap();
        assert!(probed.to_text(&position).contains("draws"), "{fen}");
    }
    assert_eq!(Counts::of(&tables).totals[3].tally.draws, 139_450_808);
}

#[test]
fn the_bot_takes_a_file_and_refuses_a_bad_one() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("tables");
    std::fs::write(&path, file()).unwrap();
    let bad = directory.path().join("bad");
    std::fs::write(&bad, &file()[..100]).unwrap();
    let missing = directory.path().join("missing");
    let bot = alpha_beta::bot();
    let start = |egdb: &Path| {
        let rules = &botyard_engine::registry::info("draughts").unwrap().presets[0].1;
        let line = serde_json::json!({
            "type": "start", "game_id": "g", "game": "draughts", "rules": rules,
            "seats": ["black", "white"], "you": ["white"], "players": [],
            "time": {"kind": "wall", "move_ms": 1000, "bank_ms": null, "increment_ms": 0,
                     "grace_ms": 0, "on_fault": "forfeit"},
            "options": {"egdb": egdb, "depth": 2}, "setup": {"fen": "W:WK32,K31:BK1"},
        });
        let mut session = Session::new(&bot);
        let mut answer = Vec::new();
        let _ = session.answer(format!("{line}\n").as_bytes(), &mut answer)?;
        let turn = serde_json::json!({
            "type": "turn", "turn": 1, "seat": "white",
            "view": {"to_move": "white", "fen": "W:WK31,K32:BK1",
                     "board": "B.............................WW", "ply": 0, "quiet_plies": 0,
                     "quiet_moves": [], "repetitions": 1},
            "clock": {"kind": "wall", "move_ms": 1000, "bank_ms": null, "increment_ms": 0},
        });
        let _ = session.answer(format!("{turn}\n").as_bytes(), &mut answer)?;
        Ok::<_, ServeError>(String::from_utf8(answer).unwrap())
    };
    let answers = start(&path).unwrap();
    assert!(answers.contains("endgame tables knew"), "{answers}");
    assert!(!start(Path::new("none")).unwrap().contains("endgame tables"));
    for (file, expected) in [(&bad, "is damaged"), (&missing, "there is no file")] {
        let error = start(file).unwrap_err().to_string();
        assert!(error.starts_with("option egdb: ") && error.contains(expected), "{error}");
        assert!(error.contains("egdb build"), "{error}");
    }
}
