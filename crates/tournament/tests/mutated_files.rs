//! The files that people write for a tournament, in all encodings and damaged: its own, openings, the map of a rule, and
//! a bot's manifest. Each is read as it was meant, or refused with a message that names its place.

use botyard_runner::Programs;
use botyard_sandbox::Launcher;
use botyard_testkit::cases;
use botyard_testkit::mutations::{damaged, encodings};
use botyard_tournament::Setup;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Each file of a tournament at draughts, and of one at Dice Wars.
const FILES: [(&str, &str); 5] = [
    (
        "draughts.toml",
        "# English draughts\ngame = \"draughts\"\nformat = \"round-robin\"\nblocks = 1\nseed = 7\nopenings = \
         \"openings.jsonl\"\n\n[time]\nmove_ms = 1000\n\n[[bot]]\nname = \"anna\"\ncommand = \"./anna\"\n\n[[bot]]\nname = \
         \"ben\"\ncommand = \"./ben/bot\"\n",
    ),
    ("openings.jsonl", "{\"ballot\":12}\n{\"moves\":[\"11-15\",\"22-18\"]}\n"),
    ("anna/bot.toml", "name = \"Anna's bot\"\nrun = \"./bot --depth 3\"\n"),
    (
        "dice-wars.toml",
        "game = \"dice-wars\"\nformat = \"round-robin\"\nblocks = 1\nseed = 7\n\n[rule]\nplayers = 2\nmap = \
         \"map.json\"\n\n[[bot]]\nname = \"anna\"\ncommand = \"./anna\"\n\n[[bot]]\nname = \"ben\"\ncommand = \
         \"./ben/bot\"\n",
    ),
    (
        "map.json",
        "{\"areas\": [\n  {\"id\": 1, \"adjacent\": [2, 3]},\n  {\"id\": 2, \"adjacent\": [1, 4]},\n  {\"id\": 3, \
         \"adjacent\": [1, 4]},\n  {\"id\": 4, \"adjacent\": [2, 3]}\n]}\n",
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
    for (name, text) in FILES {
        fs::write(place.path().join(name), text).unwrap();
    }
    for (name, text) in FILES {
        let tournament =
            if ["dice-wars.toml", "map.json"].contains(&name) { FILES[3].0 } else { FILES[0].0 };
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
