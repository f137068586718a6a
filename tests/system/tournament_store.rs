//! The store of a tournament: standings rank by the competition, damage is detected and never shown
//! as a result, and the store can be rebuilt from the replays.

use crate::command::{Desk, replays_below};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use serde_json::Value;
use std::fs;
use std::io::Read;
use std::path::PathBuf;

const CUP: &str = r#"
game = "scotland-yard"
rules = "grid-5x5-2"
format = "round-robin"
blocks = 3
seed = 5

[time]
move_ms = 30000

[[bot]]
name = "anna"
command = "random:seed=1"

[[bot]]
name = "ben"
command = "greedy:seed=2"

[[bot]]
name = "carl"
command = "random:seed=3"
"#;

const DIRECTORY: &str = "cup.tournament";

fn played(text: &str) -> Desk {
    let desk = Desk::new();
    fs::write(desk.path("cup.toml"), text).unwrap();
    desk.done(&["tournament", "run", "cup.toml"]);
    desk
}

fn csv(desk: &Desk) -> String {
    crate::tournaments::csv(desk, DIRECTORY)
}

fn store(desk: &Desk) -> PathBuf {
    desk.path(DIRECTORY).join("tournament.db")
}

fn replays(desk: &Desk) -> Vec<PathBuf> {
    replays_below(&desk.path(DIRECTORY).join("replays"))
}

/// Replaces the first occurrence by bytes of the same length.
fn replace(bytes: &mut [u8], from: &[u8], to: &[u8]) {
    let at = bytes.windows(from.len()).position(|window| window == from).expect("it is there");
    bytes[at..at + to.len()].copy_from_slice(to);
}

#[test]
fn a_changed_result_is_refused_named_and_recovered() {
    let desk = played(CUP);
    let before = csv(&desk);
    let sound = desk.done(&["tournament", "check", DIRECTORY]);
    assert_eq!(sound, "compared 18 games with 18 replays: no difference\n");

    let mut bytes = fs::read(store(&desk)).unwrap();
    replace(&mut bytes, b"[1,0][1,2]", b"[0,1][2,1]");
    fs::write(store(&desk), &bytes).unwrap();
    for form in ["table", "json", "csv", "md", "html"] {
        let ran = desk.run(&["tournament", "standings", DIRECTORY, "--format", form]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{ran:#?}");
        assert!(ran.stderr.contains("does not agree with its checksum"), "{ran:#?}");
        assert!(ran.stderr.contains("`botyard tournament check`"), "{ran:#?}");
    }
    let ran = desk.run(&["tournament", "check", DIRECTORY]);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    assert!(ran.stdout.contains("does not agree with its checksum"), "{ran:#?}");
    assert!(ran.stdout.contains("and the store has no result of it"), "{ran:#?}");

    let recovered = desk.done(&["tournament", "recover", DIRECTORY]);
    assert!(recovered.contains("18 games recovered, 1 of them from replays"), "{recovered}");
    assert_eq!(csv(&desk), before);
    desk.done(&["tournament", "check", DIRECTORY]);
    let kept = fs::read(desk.path(DIRECTORY).join("tournament.damaged-1.db")).unwrap();
    assert_eq!(kept, bytes, "the damaged store is kept as it was");
    // The tournament can be resumed: nothing is left to play.
    desk.done(&["tournament", "resume", DIRECTORY]);
    assert_eq!(csv(&desk), before);
}

#[test]
fn a_store_that_is_gone_is_rebuilt_from_the_replays() {
    let swiss = CUP.replace("\"round-robin\"", "\"swiss\"\nrounds = 2");
    for text in [CUP, &swiss] {
        let desk = played(text);
        let before = csv(&desk);
        fs::remove_file(store(&desk)).unwrap();
        let ran = desk.run(&["tournament", "standings", DIRECTORY]);
        assert_eq!(ran.code, Some(2), "{ran:#?}");
        // Every game has its replay, so nothing is missing.
        let recovered = desk.done(&["tournament", "recover", DIRECTORY]);
        assert!(recovered.contains("of them from replays"), "{recovered}");
        assert_eq!(csv(&desk), before);
        desk.done(&["tournament", "check", DIRECTORY]);
        // A file that is not a database any more.
        fs::write(store(&desk), [7; 9000]).unwrap();
        let ran = desk.run(&["tournament", "standings", DIRECTORY]);
        assert_eq!(ran.code, Some(2), "{ran:#?}");
        assert!(ran.stderr.contains("botyard tournament recover"), "{ran:#?}");
        desk.done(&["tournament", "recover", DIRECTORY]);
        assert_eq!(csv(&desk), before);
    }
}

/// Without the store, a game without a replay and a rejudged game are named as what they are.
#[test]
fn recovery_without_the_store_names_what_is_missing() {
    let desk = played(CUP);
    let before = csv(&desk);
    let first = replays(&desk);
    desk.done(&["tournament", "rejudge", DIRECTORY, "--bot", "anna", "--reason", "test"]);
    let rejudged: Vec<PathBuf> =
        replays(&desk).into_iter().filter(|path| !first.contains(path)).collect();
    assert!(!rejudged.is_empty());
    fs::remove_file(store(&desk)).unwrap();
    let ran = desk.run(&["tournament", "recover", DIRECTORY]);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    for path in &rejudged {
        let line = format!("{}: a rejudged game", path.file_stem().unwrap().to_string_lossy());
        assert!(ran.stdout.contains(&line), "{line}: {ran:#?}");
    }
    assert!(!ran.stdout.contains("no game with this id"), "{ran:#?}");
    assert!(ran.stdout.contains("the list of rejudged games"), "{ran:#?}");
    assert_eq!(csv(&desk), before);

    let desk = played(CUP);
    fs::remove_file(store(&desk)).unwrap();
    fs::remove_file(&replays(&desk)[0]).unwrap();
    let ran = desk.run(&["tournament", "recover", DIRECTORY]);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    assert!(
        ran.stdout.contains("1 game without a replay: not played, or its result is lost"),
        "{ran:#?}"
    );
    assert!(!ran.stdout.contains("rejudge"), "{ran:#?}");
}

/// A tournament with compressed replays is checked, resumed, rebuilt and shown like any other.
#[test]
fn a_tournament_with_compressed_replays_is_a_tournament() {
    let desk = played(&CUP.replace("[time]", "[run]\ncompress = true\n\n[time]"));
    let all = replays(&desk);
    assert!(all.len() == 18 && all.iter().all(|path| path.extension().unwrap() == "gz"), "{all:?}");
    desk.done(&["tournament", "check", DIRECTORY]);
    let page = desk.done(&["tournament", "standings", DIRECTORY, "--format", "html"]);
    let links = page.matches("href=\"./replays/").count();
    assert!(links > 0 && page.matches(".ndjson.gz\"").count() == links, "{page}");

    // Without the store, and with one game interrupted and one decompressed by hand.
    let before = csv(&desk);
    fs::remove_file(store(&desk)).unwrap();
    let verified = |path: &PathBuf| desk.done(&["replay", "verify", path.to_str().unwrap()]);
    all.iter().for_each(|path| drop(verified(path)));
    let archive = fs::read(&all[0]).unwrap();
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(&archive[..]).read_to_end(&mut plain).unwrap();
    fs::write(all[0].with_extension(""), plain).unwrap();
    fs::remove_file(&all[0]).unwrap();
    desk.run(&["tournament", "recover", DIRECTORY]);
    desk.done(&["tournament", "check", DIRECTORY]);
    assert_eq!(csv(&desk), before);

    // A game without a result is played again in the place of its archive.
    fs::remove_file(store(&desk)).unwrap();
    let cut = &fs::read(&all[1]).unwrap()[..40];
    fs::write(&all[1], cut).unwrap();
    desk.run(&["tournament", "recover", DIRECTORY]);
    desk.done(&["tournament", "resume", DIRECTORY]);
    desk.done(&["tournament", "check", DIRECTORY]);
    assert!(all[1].exists() && !all[1].with_extension("").exists());
    desk.done(&["tournament", "rejudge", DIRECTORY, "--bot", "anna", "--reason", "test"]);
    desk.done(&["tournament", "rejudge", DIRECTORY, "--drop"]);
    assert!(
        replays(&desk)
            .iter()
            .skip(1)
            .all(|path| path.extension().unwrap() == "gz" || *path == all[0].with_extension(""))
    );
}

#[test]
fn a_changed_or_missing_replay_is_named_by_the_id_of_its_game() {
    let desk = played(CUP);
    let before = csv(&desk);
    let files = replays(&desk);
    let text = fs::read_to_string(&files[0]).unwrap();
    let id = |file: &PathBuf| file.file_stem().unwrap().to_string_lossy().into_owned();
    // A result changed without its chain, a truncated replay, a missing replay.
    let changed = text.replace("\"scores\":[1.0,0.0]", "\"scores\":[0.0,1.0]");
    let changed = if changed == text {
        text.replace("\"scores\":[0.0,1.0]", "\"scores\":[1.0,0.0]")
    } else {
        changed
    };
    assert_ne!(changed, text);
    fs::write(&files[0], changed).unwrap();
    let cut = fs::read(&files[1]).unwrap();
    fs::write(&files[1], &cut[..cut.len() / 2]).unwrap();
    fs::remove_file(&files[2]).unwrap();
    let ran = desk.run(&["tournament", "check", DIRECTORY]);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    for (file, expected) in [
        (&files[0], "the replay is not sound"),
        (&files[1], "the replay"),
        (&files[2], "the replay is missing"),
    ] {
        let line = format!("{}: {expected}", id(file));
        assert!(ran.stdout.contains(&line), "{line}: {ran:#?}");
    }
    assert!(ran.stdout.contains("3 differences"), "{ran:#?}");
    // The rows are intact, so no result is lost.
    desk.run(&["tournament", "recover", DIRECTORY]);
    assert_eq!(csv(&desk), before);
}

#[test]
fn damaged_bytes_never_change_the_standings_in_silence() {
    let desk = played(CUP);
    let before = desk.done(&["tournament", "standings", DIRECTORY, "--format", "csv"]);
    let whole = fs::read(store(&desk)).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(29);
    let mut refused = 0;
    for _ in 0..24 {
        let mut bytes = whole.clone();
        let at = rng.random_range(..bytes.len() - 5);
        rng.fill(&mut bytes[at..at + 5]);
        fs::write(store(&desk), bytes).unwrap();
        let ran = desk.run(&["tournament", "standings", DIRECTORY, "--format", "csv"]);
        match ran.code {
            Some(0) => assert_eq!(ran.stdout, before, "byte {at}"),
            Some(2 | 3) => refused += 1,
            _ => panic!("byte {at}: {ran:#?}"),
        }
    }
    println!("{refused} of 24 refused");
}

/// The rank is the place in the competition, in every format; a bot that failed the gate has none.
#[test]
fn ranks_are_those_of_the_competition() {
    let gate = "[gate]\nagainst = [\"random:seed=9\"]\nblocks = 1\nscore = 0.0\n";
    let out = "[[bot]]\nname = \"dora\"\ncommand = \"sh -c 'exit 3'\"\n";
    let text = CUP.replace("\"round-robin\"", "\"knockout\"");
    let desk = played(&format!("{text}\n{gate}\n{out}"));
    let json: Value = serde_json::from_str(&desk.done(&[
        "tournament",
        "standings",
        DIRECTORY,
        "--format",
        "json",
    ]))
    .unwrap();
    assert_eq!(json["ranked_by"], "knockout");
    let last = json["knockout"]["rounds"].as_array().unwrap().last().unwrap()[0].clone();
    let winner = last["winner"].as_str().unwrap();
    let finalist = last["bots"].as_array().unwrap().iter().find(|bot| *bot != winner).unwrap();
    let bots = json["bots"].as_array().unwrap();
    let place = |name: &str| bots.iter().find(|bot| bot["name"] == name).unwrap()["rank"].clone();
    assert_eq!((place(winner), place(finalist.as_str().unwrap())), (1.into(), 2.into()));
    assert_eq!((place("dora"), bots[3]["rank_high"].clone()), (Value::Null, Value::Null));
    let rows = csv(&desk);
    let ranks: Vec<&str> = rows.lines().skip(1).map(|row| row.split(',').next().unwrap()).collect();
    assert_eq!(ranks, ["1", "2", "3", ""]);
}
