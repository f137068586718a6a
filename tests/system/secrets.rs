//! Secrets: a bot must not know the start and the dice of a game from another game with the same
//! start, or anything that the seed could be found from.

use crate::command::{Desk, GENEROUS, events};
use crate::sandbox::tier_here;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const MATCH: [&str; 2] = ["match", "scotland-yard"];

/// A game as recorded in its replay.
struct Recorded {
    id: String,
    /// Equal in games that begin alike.
    opening: String,
    /// The rememberer's log.
    logged: Vec<String>,
    /// Mr. X's start.
    mr_x: Option<u64>,
}

impl Recorded {
    fn read(path: &Path) -> Recorded {
        let lines = events(&std::fs::read_to_string(path).expect("a replay"));
        let of = |kind: &str| lines.iter().filter(|line| line["type"] == kind).collect::<Vec<_>>();
        Recorded {
            id: lines[0]["game_id"].as_str().expect("an id").to_string(),
            opening: of("chance")[0]["outcome"].to_string(),
            logged: of("log").iter().filter_map(|log| Some(log["text"].as_str()?.into())).collect(),
            mr_x: of("chance")[0]["outcome"]["mr_x"].as_u64(),
        }
    }

    /// Returns whether the rememberer knew Mr. X's start.
    fn is_known(&self) -> bool {
        let station = self.logged.iter().find_map(|text| text.strip_prefix("Mr. X began at "));
        station.is_some_and(|station| station.parse().ok() == self.mr_x)
    }

    fn process(&self) -> &str {
        self.logged.iter().find_map(|text| text.strip_prefix("process ")).expect("it says")
    }
}

/// Returns all replays below a directory.
fn recorded(directory: &Path) -> Vec<Recorded> {
    let (mut games, mut directories) = (Vec::new(), vec![directory.to_path_buf()]);
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(&directory).expect("a directory of replays") {
            let path: PathBuf = entry.expect("an entry").path();
            match path.extension() {
                _ if path.is_dir() => directories.push(path),
                Some(extension) if extension == "ndjson" => games.push(Recorded::read(&path)),
                _ => {}
            }
        }
    }
    games.sort_by(|one, other| one.id.cmp(&other.id));
    games
}

/// Checks that no process plays two games with the same start, and so nothing is known.
fn assert_secret(games: &[Recorded], expected: usize) {
    assert_eq!(games.len(), expected);
    assert_eq!(games.iter().filter(|game| game.is_known()).count(), 0, "known starts");
    let mut played: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for game in games {
        played.entry(game.process()).or_default().push(&game.opening);
    }
    for (process, openings) in &played {
        let different: BTreeSet<_> = openings.iter().collect();
        assert_eq!(different.len(), openings.len(), "the process {process} played a start twice");
    }
}

fn desk() -> (Desk, String) {
    let desk = Desk::new();
    std::fs::write(desk.path("bot.py"), include_str!("../bots/rememberer.py")).unwrap();
    // Every place where a bot could keep something; without a sandbox it can.
    let directories = if tier_here(&desk) == "none" { "" } else { " . /tmp /dev/shm /var/tmp" };
    (desk, format!("python3 bot.py{directories}"))
}

#[test]
fn no_process_plays_two_games_of_a_block() {
    for (sandbox, bot) in [("auto", desk().1), ("none", "python3 bot.py".to_string())] {
        let (desk, _) = desk();
        let args = [&MATCH[..], &[&bot, "random", "-n", "40", "-j", "1", "--out", "r"]].concat();
        desk.done(&[&args[..], &["--sandbox", sandbox], &GENEROUS].concat());
        assert_secret(&recorded(&desk.path("r")), 40);
    }
}

#[test]
fn what_was_given_to_begin_from_is_not_known_in_later_blocks() {
    let (desk, bot) = desk();
    let opening = r#"{"mr_x": 45, "detectives": [26, 29, 50, 53, 91]}"#;
    std::fs::write(desk.path("starts.json"), opening).unwrap();
    let args = [&MATCH[..], &[&bot, "random", "-n", "6", "-j", "1", "--out", "r"]].concat();
    desk.done(&[&args[..], &["--fixed-seats", "--opening", "starts.json"], &GENEROUS].concat());
    assert_secret(&recorded(&desk.path("r")), 6);
}

#[test]
fn a_bot_of_a_game_without_secrets_runs_on() {
    let (desk, bot) = desk();
    let args = ["match", "draughts", &bot, "random", "-n", "6", "-j", "1", "--out", "r"];
    desk.done(&[&args[..], &GENEROUS].concat());
    let games = recorded(&desk.path("r"));
    let processes: BTreeSet<&str> = games.iter().map(Recorded::process).collect();
    assert_eq!((games.len(), processes.len()), (6, 1));
}

#[test]
fn dice_are_not_known_from_another_game_either() {
    let (desk, bot) = desk();
    let args = ["match", "dice-wars", &bot, "random", "random", "--rule", "areas=16"];
    let more = ["--rule", "max_turns=40", "-n", "9", "-j", "2", "--out", "r"];
    desk.done(&[&args[..], &more, &GENEROUS].concat());
    assert_secret(&recorded(&desk.path("r")), 9);
}

#[test]
fn tournaments_and_tests_keep_secrets_as_well() {
    let (desk, bot) = desk();
    let file = format!(
        "game = \"scotland-yard\"\nblocks = 4\n[time]\nmove_ms = 30000\n\
         [gate]\nagainst = [\"random\"]\nblocks = 1\nscore = 0.0\n\
         [[bot]]\nname = \"one\"\ncommand = \"{bot}\"\n[[bot]]\ncommand = \"random\"\n"
    );
    std::fs::write(desk.path("cup.toml"), file).unwrap();
    let shown = desk.done(&["tournament", "run", "cup.toml", "-j", "1"]);
    let hash = "the games are drawn from a secret whose SHA-256 is\n";
    assert!(shown.starts_with(hash), "the games of the gate are drawn from it as well: {shown}");
    let games = recorded(&desk.path("cup.tournament/replays"));
    assert_secret(&games, 8);
    // A rejudged game begins as before, in a new process.
    let rejudge = ["tournament", "rejudge", "cup.tournament", "--bot", "one", "--reason", "a test"];
    desk.done(&[&rejudge[..], &["-j", "1"]].concat());
    let again = recorded(&desk.path("cup.tournament/replays"));
    assert_eq!((again.len(), again.iter().filter(|game| game.is_known()).count()), (16, 0));

    let test = ["test", &bot, "random", "--game", "scotland-yard", "--max-games", "8", "-j", "1"];
    desk.run(&[&test[..], &["--out", "t", "--elo0", "0", "--elo1", "400"], &GENEROUS].concat());
    let games = recorded(&desk.path("t"));
    assert_secret(&games, games.len());
}

/// Everything that is sent to a bot, as one text.
fn sent(desk: &Desk, directory: &str, replay: &Path) -> String {
    let replay = replay.to_str().unwrap();
    assert!(replay.contains(directory));
    desk.done(&["replay", "stdin", replay, "--seat", "detectives"])
}

#[test]
fn an_id_is_the_same_for_every_seed_and_another_without_one() {
    let desk = Desk::new();
    let play = |out: &str, more: &[&str]| {
        let args = [&MATCH[..], &["random", "random", "--out", out], more, &GENEROUS].concat();
        desk.done(&args);
        recorded(&desk.path(out)).remove(0)
    };
    let seeded = ["1", "2026"].map(|seed| play(seed, &["--seed", seed]));
    assert_eq!(seeded[0].id, seeded[1].id);
    assert_ne!(seeded[0].opening, seeded[1].opening);
    let secret = ["a", "b"].map(|out| play(out, &[]));
    assert_ne!(secret[0].id, secret[1].id);
    assert_ne!(secret[0].id, seeded[0].id);
    // No line to a bot, and no copy for a seat, contains the key.
    let replay = &desk.replays("a")[0];
    let header = events(&std::fs::read_to_string(replay).unwrap()).remove(0);
    let key = header["seed"].as_str().expect("a seed").strip_prefix("key:").expect("a key");
    assert_eq!(key.len(), 64);
    assert!(!sent(&desk, "a", replay).contains(key));
    let name = replay.to_str().unwrap();
    for seat in ["mr-x", "detectives"] {
        let copy = desk.done(&["replay", "export", name, "--seat", seat]);
        assert!(!copy.contains(key) && !copy.contains("\"seed\""), "{copy}");
    }
    assert!(desk.done(&["replay", "verify", name]).contains("sound"));
}

/// Openings alone are no secret: a bot that knows them only has more time to prepare.
#[test]
fn a_game_without_secrets_is_extended_after_its_draws_were_published() {
    let desk = Desk::new();
    let file = "game = \"connect-four\"\nblocks = 1\n[time]\nmove_ms = 30000\n\
                [[bot]]\ncommand = \"random\"\n[[bot]]\ncommand = \"random\"\nname = \"two\"\n";
    std::fs::write(desk.path("cup.toml"), file).unwrap();
    desk.done(&["tournament", "run", "cup.toml"]);
    std::fs::write(desk.path("cup.toml"), file.replace("blocks = 1", "blocks = 2")).unwrap();
    let ran = desk.run(&["tournament", "extend", "cup.tournament"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stderr.contains("anyone can compute the openings of the new games"), "{ran:#?}");
}

#[test]
fn a_tournament_tells_the_hash_of_its_secret_first_and_the_secret_last() {
    let desk = Desk::new();
    let file = "game = \"scotland-yard\"\nrules = \"grid-5x5-2\"\nblocks = 2\n\
                [time]\nmove_ms = 30000\n[[bot]]\ncommand = \"random\"\n[[bot]]\ncommand = \"greedy\"\n";
    std::fs::write(desk.path("cup.toml"), file).unwrap();
    let printed = events(&desk.done(&["tournament", "run", "cup.toml", "--json"]));
    let hash = printed[0]["secret_sha256"].as_str().expect("a hash").to_string();
    assert_eq!((printed[0]["type"].as_str(), hash.len()), (Some("tournament_started"), 64));
    assert!(printed.iter().all(|event| event["seed"].is_null()), "{printed:?}");
    let standings = &printed.last().expect("an end")["standings"];
    assert_eq!(standings["secret_sha256"], Value::from(hash.as_str()));
    let secret = standings["secret"].as_str().expect("it is over").to_string();
    assert!(secret.len() == 64 && secret != hash);
    for form in ["table", "json", "md", "html"] {
        let page = desk.done(&["tournament", "standings", "cup.tournament", "--format", form]);
        assert!(page.contains(&secret) && page.contains(&hash), "{form}: {page}");
    }
    // No game is drawn from a published secret.
    std::fs::write(desk.path("cup.toml"), file.replace("blocks = 2", "blocks = 3")).unwrap();
    let before = desk.done(&["tournament", "standings", "cup.tournament"]);
    for verb in [&["extend", "cup.tournament"][..], &["update", "cup.tournament", "greedy"]] {
        let ran = desk.run(&[&["tournament"], verb].concat());
        assert_eq!(ran.code, Some(2), "{ran:#?}");
        assert!(ran.stderr.contains("the secret that the games are drawn from was published"));
    }
    assert_eq!(desk.done(&["tournament", "standings", "cup.tournament"]), before);
    // The hash is that of the digits as text, and every game's key follows from the secret.
    let check = format!(
        "import hashlib, glob, json, sys\n\
         secret = '{secret}'\n\
         assert hashlib.sha256(secret.encode()).hexdigest() == '{hash}'\n\
         block = lambda n: hashlib.sha256(b'botyard key 1\\0' + bytes.fromhex(secret) + b'block %d' % n)\n\
         keys = {{'key:' + block(n).hexdigest() for n in (1, 2)}}\n\
         replays = glob.glob('cup.tournament/replays/*/*.ndjson')\n\
         assert {{json.loads(open(name).readline())['seed'] for name in replays}} == keys\n"
    );
    let mut python = std::process::Command::new("python3");
    let ran = python.args(["-c", &check]).current_dir(desk.path("")).output().expect("python3");
    assert!(ran.status.success(), "{ran:?}");
}
