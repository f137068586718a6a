//! The files that people and other programs write, in all encodings and damaged: a tournament's own, openings, the map
//! of a rule, the manifests of a bot and of a game, and recorded games. Each is read as it was meant, or refused with a
//! message that names its place.

use botyard_replay::compress;
use botyard_runner::game_manifest::GameManifest;
use botyard_runner::{Import, NotImported, Programs};
use botyard_sandbox::Launcher;
use botyard_testkit::cases;
use botyard_testkit::mutations::{damaged, encodings};
use botyard_tournament::Setup;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Files, and of each the tournament that is opened with it.
const FILES: [(&str, &str, &str); 7] = [
    (
        "draughts.toml",
        "# English draughts\ngame = \"draughts\"\nformat = \"round-robin\"\nblocks = 1\nseed = 7\nopenings = \
         \"openings.jsonl\"\n\n[time]\nmove_ms = 1000\n\n[[bot]]\nname = \"anna\"\ncommand = \"./anna\"\n\n[[bot]]\nname = \
         \"ben\"\ncommand = \"./ben/bot\"\n",
        "draughts.toml",
    ),
    ("openings.jsonl", "{\"ballot\":12}\n{\"moves\":[\"11-15\",\"22-18\"]}\n", "draughts.toml"),
    ("anna/bot.toml", "name = \"Anna's bot\"\nrun = \"./bot --depth 3\"\n", "draughts.toml"),
    (
        "list.txt",
        "# a ballot, positions, moves\n7\n\nB:W18,K10:BK5,1-4\n11-15 23-19\nW:W22,K30:B11,18,K1\n",
        "list.txt.toml",
    ),
    (
        "archive.pdn",
        "[Event \"an opening\"]\n[White \"B\u{00e9}la\"]\n1. 11-15 {usual} 23-19 2. 8-11 22-17 *\n\n[Event \"a \
         position\"]\n[SetUp \"1\"]\n[FEN \"W:W18,21:B15\"]\n1. 18x11 0-1\n",
        "archive.pdn.toml",
    ),
    (
        "dice-wars.toml",
        "game = \"dice-wars\"\nformat = \"round-robin\"\nblocks = 1\nseed = 7\n\n[rule]\nplayers = 2\nmap = \
         \"map.json\"\n\n[[bot]]\nname = \"anna\"\ncommand = \"./anna\"\n\n[[bot]]\nname = \"ben\"\ncommand = \
         \"./ben/bot\"\n",
        "dice-wars.toml",
    ),
    (
        "map.json",
        "{\"areas\": [\n  {\"id\": 1, \"adjacent\": [2, 3]},\n  {\"id\": 2, \"adjacent\": [1, 4]},\n  {\"id\": 3, \
         \"adjacent\": [1, 4]},\n  {\"id\": 4, \"adjacent\": [2, 3]}\n]}\n",
        "dice-wars.toml",
    ),
];

/// Returns what a tournament's files say.
fn read(place: &Path, tournament: &str) -> Result<String, String> {
    let programs =
        Programs::new(Launcher { program: "/no/such/launcher".into(), args: Vec::new() });
    let setup =
        Setup::of_file(&place.join(tournament), &programs).map_err(|error| error.to_string())?;
    let bots: Vec<_> = setup.bots.iter().map(|bot| (&bot.name, &bot.program, &bot.args)).collect();
    Ok(format!("{:?} {:?} {:?} {bots:?}", setup.file, setup.rules, setup.openings))
}

#[test]
fn files_of_a_tournament_are_read_in_every_encoding_and_refused_with_their_place() {
    let place = tempfile::tempdir().unwrap();
    for bot in ["anna", "ben"] {
        fs::create_dir(place.path().join(bot)).unwrap();
        let program = place.path().join(bot).join("bot");
        fs::write(&program, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    }
    for (name, text, _) in FILES {
        fs::write(place.path().join(name), text).unwrap();
    }
    for openings in ["list.txt", "archive.pdn"] {
        let tournament = FILES[0].1.replace("openings.jsonl", openings);
        fs::write(place.path().join(format!("{openings}.toml")), tournament).unwrap();
    }
    for (name, text, tournament) in FILES {
        let file = place.path().join(name);
        let expected = read(place.path(), tournament).unwrap();
        for form in encodings(text) {
            fs::write(&file, &form.bytes).unwrap();
            assert_eq!(
                read(place.path(), tournament).as_ref(),
                Ok(&expected),
                "{name}, {}",
                form.what
            );
        }
        if ["openings.jsonl", "list.txt", "archive.pdn"].contains(&name) {
            fs::write(&file, compress(text.as_bytes()).unwrap()).unwrap();
            assert_eq!(read(place.path(), tournament).as_ref(), Ok(&expected), "{name}");
        }
        let mut refused = 0;
        for form in damaged(text.as_bytes(), cases(200, 2000), 1) {
            fs::write(&file, &form.bytes).unwrap();
            let Err(error) = read(place.path(), tournament) else { continue };
            refused += 1;
            let named = file.file_name().unwrap().to_str().unwrap();
            let has_place =
                ["line ", named, "[[bot]]", "map"].iter().any(|place| error.contains(place));
            assert!(has_place && error.len() > 20, "{name}, {}: {error}", form.what);
        }
        assert!(refused > 50, "{name}: only {refused} refused");
        fs::write(&file, text).unwrap();
    }
}

#[test]
fn the_manifest_of_a_game_is_read_in_every_encoding_and_refused_with_its_place() {
    const TEXT: &str = "# A game\nname = \"nim\"\nabout = \"Takes the last match\"\nrun = \"python3 nim.py\"\nbuild = \
                        [\"make all\"]\nmodel = true\n\n[presets.big]\nabout = \"More heaps\"\nrules = { heaps = [5, 7] \
                        }\n\n[limits]\nmemory_mib = 200\nanswer_ms = 500\n";
    let place = tempfile::tempdir().unwrap();
    let read = |bytes: &[u8]| {
        fs::write(place.path().join("game.toml"), bytes).unwrap();
        GameManifest::read(place.path()).map_err(|error| error.to_string())
    };
    let expected = read(TEXT.as_bytes()).unwrap();
    for form in encodings(TEXT) {
        assert_eq!(read(&form.bytes).as_ref(), Ok(&expected), "{}", form.what);
    }
    let mut refused = 0;
    for form in damaged(TEXT.as_bytes(), cases(200, 2000), 1) {
        let Err(error) = read(&form.bytes) else { continue };
        refused += 1;
        let what = error.split_once("game.toml").map(|(_, what)| what);
        assert!(what.is_some_and(|what| what.len() > 10), "{}: {error}", form.what);
    }
    assert!(refused > 50, "only {refused} refused");
}

/// Returns the facts of each game of a file of records that agrees with the rules, and the messages about the others.
fn imported(game: &str, file: &Path) -> Result<(Vec<u64>, Vec<String>), String> {
    let (mut agreed, mut messages) = (Vec::new(), Vec::new());
    for game in Import::read(game, file).map_err(|error| error.to_string())? {
        match game {
            Ok(game) => {
                agreed.push(game.facts);
                messages.extend(game.notes);
            }
            Err(NotImported::Differs(difference)) => messages.push(difference),
            Err(NotImported::Failed(error)) => panic!("{error}"),
        }
    }
    Ok((agreed, messages))
}

#[test]
fn recorded_games_are_read_in_every_encoding_and_damage_is_reported_with_its_place() {
    let draughts = "[Event \"first\"]\n[White \"B\u{00e9}la\"]\n[Result \"1-0\"]\n1. 11-15 {usual} 23-19 2. 8-11 22-17 \
                    1-0\n\n[Event \"second\"]\n[SetUp \"1\"]\n[FEN \"W:W18,21:B15\"]\n1. 18x11 *\n";
    let dice_wars = include_str!("../../engine/tests/data/dice-wars/sui2021_games.jsonl");
    let dice_wars: String = dice_wars.split_inclusive('\n').take(2).collect();
    let yard = include_str!("../../engine/tests/data/scotland-yard/reference_playouts.jsonl");
    let of_two =
        |line: &&str| ["{\"game\":0,", "{\"game\":1,"].iter().any(|id| line.starts_with(id));
    let yard: String = yard.split_inclusive('\n').filter(of_two).collect();
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("records");
    for (game, text) in
        [("draughts", draughts), ("dice-wars", &dice_wars), ("scotland-yard", &yard)]
    {
        let read = |bytes: &[u8]| {
            fs::write(&file, bytes).unwrap();
            imported(game, &file)
        };
        let expected = read(text.as_bytes()).unwrap();
        assert_eq!((expected.0.len(), expected.1.len()), (2, 0), "{game}: {expected:?}");
        for form in encodings(text) {
            assert_eq!(read(&form.bytes).as_ref(), Ok(&expected), "{game}, {}", form.what);
            assert_eq!(read(&compress(&form.bytes).unwrap()).as_ref(), Ok(&expected), "{game}");
        }
        let mut reported = 0;
        for form in damaged(text.as_bytes(), cases(200, 2000), 1) {
            let what = &form.what;
            let (agreed, messages) = match read(&form.bytes) {
                Ok(read) => read,
                Err(error) => (Vec::new(), vec![error]),
            };
            // These records state what follows from an action: what differs from it disagrees.
            let is_known = |facts| game == "draughts" || expected.0.contains(facts);
            assert!(agreed.iter().all(is_known), "{game}, {what}: {agreed:?}");
            reported += usize::from(!messages.is_empty());
            for message in messages {
                let has_place =
                    ["line ", "game ", "records"].iter().any(|place| message.contains(place));
                assert!(has_place && message.len() > 20, "{game}, {what}: {message}");
            }
        }
        assert!(reported > 50, "{game}: only {reported} reported");
    }
}
