//! Files of endgame tables: a build can be read, damage is detected and named, a stopped build can be
//! resumed, and the bot plays by a file.

use botyard_agent::{ServeError, Session};
use botyard_bots::alpha_beta;
use botyard_bots::draughts::endgames::format::{HEADER, Header, class_bytes};
use botyard_bots::draughts::endgames::{
    DamagedBlock, FormatError, Source, VERSION, decode, load, probe, read,
};
use botyard_engine::draughts::Position;
use botyard_engine::draughts::endgame::{Endgames, Material, solve};
use botyard_training::Digest;
use botyard_training::endgames::{self, Build, Built};
use std::cell::Cell;
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
    let (mut build, done) = Build::begin(path, 3, &|| false).unwrap();
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
        let (_, done) = Build::begin(&path, 2, &|| false).unwrap();
        assert!(done.classes().is_empty());
    }
    std::fs::write(part_of(&path), &file()[..file().len() - 1]).unwrap();
    assert_eq!(Build::begin(&path, 3, &|| false).unwrap().1.classes().len(), 15);
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

/// The table of a class as if five pieces had one result a block, and fewer were drawn: solving takes
/// too long for a test.
fn invented(class: Material) -> Vec<u8> {
    if class.has_plies() {
        return vec![255; Endgames::bytes(class)];
    }
    let mut table: Vec<u8> =
        (0..Endgames::bytes(class)).map(|at| [0x55, 0xaa, 0x92][at / 4096 % 3]).collect();
    // The bits after the last position are 0.
    let over = table.len() * 4 - Endgames::positions(class) as usize;
    *table.last_mut().unwrap() &= 0xff >> (2 * over);
    table
}

/// Positions with five pieces and fewer.
fn positions() -> Vec<Position> {
    let mut state = 1_u64;
    let mut draw = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut found = Vec::new();
    while found.len() < 3000 {
        let mut piece = || format!("{}{}", ["K", ""][draw(2) as usize], draw(32) + 1);
        let pieces: Vec<String> = (0..5).map(|_| piece()).collect();
        let fen = format!("B:W{}:B{}", pieces[..2].join(","), pieces[2..].join(","));
        found.extend(fen.parse::<Position>());
    }
    found
}

#[test]
fn five_pieces_are_in_blocks_that_are_read_when_they_are_needed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("tables");
    let all = Material::up_to(5);
    let (mut build, _) = Build::begin(&path, 5, &|| false).unwrap();
    all[..43].iter().for_each(|&class| build.add(class, &invented(class)).unwrap());
    drop(build);
    let (mut build, done) = Build::begin(&path, 5, &|| false).unwrap();
    assert_eq!(done.classes(), all[..43], "two classes of five pieces");
    all[43..].iter().for_each(|&class| build.add(class, &invented(class)).unwrap());
    build.finish().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(bytes[8..12], [4, 0, 5, 85], "version, pieces, classes");
    // The classes of a file of six have 607 MB: only its header is checked.
    let (build, _) = Build::begin(&directory.path().join("six"), 6, &|| false).unwrap();
    let header = std::fs::read(build.part()).unwrap();
    assert_eq!(header[8..12], [4, 0, 6, 155], "version, pieces, classes");

    let source = Source::File(path.clone());
    let loaded = load(&source, 64).unwrap().unwrap();
    // Room for one set of blocks in each part of the cache.
    let cached = load(&source, 1).unwrap().unwrap();
    assert_eq!((cached.classes(), cached.most_pieces()), (all.clone(), 5));
    for &class in &all {
        assert_eq!(loaded.values(class), Some(&invented(class)[..]), "{class}");
        assert_eq!(cached.values(class), None, "{class}");
    }
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for position in positions() {
                    let expected = loaded.probe_result(&position);
                    assert!(expected.is_some(), "{position}");
                    assert_eq!(cached.probe_result(&position), expected, "{position}");
                    assert_eq!(cached.probe(&position), loaded.probe(&position), "{position}");
                }
            });
        }
    });
    for (fen, has_plies) in [("B:WK1,K2:BK31,K32", true), ("B:W28,K2:BK31,K32,5", false)] {
        let position = fen.parse().unwrap();
        assert_eq!(cached.probe(&position).is_some(), has_plies, "{fen}");
        assert!(probe(&cached, &position).is_some(), "{fen}");
    }

    // A damaged block makes its positions unknown; a damaged directory is found at once.
    let damage = |place: usize| {
        let mut bytes = bytes.clone();
        bytes[place] ^= 0x10;
        let path = directory.path().join(format!("damaged-{place}"));
        std::fs::write(&path, bytes).unwrap();
        assert!(read(&path).is_err(), "{place}");
        load(&Source::File(path), 1)
    };
    // The first class is that of two kings, in one block.
    let directory_of_kings = HEADER + 20;
    let damaged = damage(directory_of_kings + 8 + 4).unwrap().unwrap();
    for (fen, is_known) in [("B:WK1:BK19", false), ("B:WK1,K2:BK31,K32", true)] {
        assert_eq!(damaged.probe(&fen.parse().unwrap()).is_some(), is_known, "{fen}");
    }
    for (place, expected) in
        [(directory_of_kings, "checksum of its data"), (HEADER, "checksum of its header")]
    {
        let error = damage(place).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let error = load(&Source::File(path.clone()), 2).unwrap_err().to_string();
    assert!(error.contains("the file ends 1 bytes too early"), "{error}");

    // A file of the earlier form is read, and a build writes it in today's.
    let earlier = Header { version: 2, pieces: 5 };
    let classes = all.iter().map(|&class| class_bytes(earlier, class, &invented(class)));
    let earlier = [vec![earlier.bytes()], classes.collect()].concat().concat();
    std::fs::write(&path, &earlier).unwrap();
    let whole = load(&Source::File(path.clone()), 3).unwrap().unwrap();
    assert_eq!(whole.values(all[84]), loaded.values(all[84]));
    // It is stopped after two classes, and resumed.
    let polls = Cell::new(0);
    let is_stopped = || polls.replace(polls.get() + 1) == 2;
    assert_eq!(Build::begin(&path, 5, &is_stopped).unwrap().1.classes(), all[..2]);
    let (build, done) = Build::begin(&path, 5, &|| false).unwrap();
    assert_eq!(done.classes(), all);
    build.finish().unwrap();
    assert!(std::fs::read(&path).unwrap() == bytes);

    // So is a stopped build of the earlier form.
    let left = directory.path().join("left");
    std::fs::write(part_of(&left), &earlier[..earlier.len() - 1]).unwrap();
    let (build, done) = Build::begin(&left, 5, &|| true).unwrap();
    assert_eq!(done.classes(), all[..84]);
    assert!(bytes.starts_with(&std::fs::read(build.part()).unwrap()));
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
