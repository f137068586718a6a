//! Void games: every verb repeats them, and each attempt keeps its replay.

use crate::command::{Desk, Ran, events, events_of, finish, free_port, replays_below};
use crate::processes::pid_of;
use rustix::process::{Signal, kill_process};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// A bot that never answers its first turn, but all others. It connects to a port when it is asked: a
/// file would wait for the disk, and others may write to it.
const HANGS_ONCE: &str = "
import json, socket, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'hello':
        print(json.dumps({'type': 'hello', 'protocol': 1, 'name': 'hangs once'}), flush=True)
    elif message['type'] == 'start':
        print(json.dumps({'type': 'ready'}), flush=True)
    elif message['type'] == 'turn':
        try:
            socket.create_connection(('127.0.0.1', PORT)).close()
            time.sleep(600)
        except ConnectionRefusedError:
            pass
        answer = {'type': 'move', 'turn': message['turn'], 'action': message['legal'][0]}
        print(json.dumps(answer), flush=True)
    elif message['type'] == 'quit':
        break
";

/// Waits for the bot that hangs once.
pub struct HangsOnce(TcpListener);

impl HangsOnce {
    /// Writes the bot as `bot.py`.
    pub fn write(desk: &Desk) -> HangsOnce {
        let bot = HangsOnce(TcpListener::bind((Ipv4Addr::LOCALHOST, free_port())).unwrap());
        fs::write(desk.path("bot.py"), bot.program()).unwrap();
        // A botyard that runs as root runs the bot as another user.
        fs::set_permissions(desk.path("."), fs::Permissions::from_mode(0o755)).unwrap();
        bot
    }

    /// The bot's program.
    fn program(&self) -> String {
        HANGS_ONCE.replace("PORT", &self.0.local_addr().expect("it is bound").port().to_string())
    }

    /// Stops a botyard for a while as soon as the bot is asked. The bot answers when it is asked again.
    pub fn stall(self, botyard: &Child, stall: Duration) {
        self.0.set_nonblocking(true).expect("a socket");
        let begun = Instant::now();
        while let Err(error) = self.0.accept() {
            assert_eq!(error.kind(), ErrorKind::WouldBlock);
            assert!(begun.elapsed() < Duration::from_secs(300), "the bot is not asked");
            std::thread::sleep(Duration::from_millis(1));
        }
        kill_process(pid_of(botyard), Signal::STOP).expect("botyard runs");
        drop(self);
        std::thread::sleep(stall);
        kill_process(pid_of(botyard), Signal::CONT).expect("botyard runs");
    }
}

/// Enough time for a bot that answers immediately, but so short that a stall of this host (a hundred
/// times as long and 250 ms) makes a game void.
const MOVE_MS: &str = "80";
const STALL: Duration = Duration::from_millis(8500);

/// How often a run is tried whose stall may begin too late.
const TRIES: usize = 12;

/// Runs a verb that writes its replays to a directory, and stops it for a while as soon as the bot
/// is asked. On a busy host the bot's time may be over before the stall begins; such a run proves
/// nothing, and another one is tried.
fn stalled(args: &[&str], replays: &str, prepare: impl Fn(&Desk, &HangsOnce)) -> (Desk, Ran) {
    stalled_typing("", args, replays, prepare)
}

/// Does the same with this text at standard input.
fn stalled_typing(
    typed: &str,
    args: &[&str],
    replays: &str,
    prepare: impl Fn(&Desk, &HangsOnce),
) -> (Desk, Ran) {
    for _ in 1..TRIES {
        let desk = Desk::new();
        let ran = stalled_once(&desk, args, typed, &prepare);
        let is_too_late = |replay: &PathBuf| kind(replay) == "bot_fault";
        if !replays_below(&desk.path(replays)).iter().any(is_too_late) {
            return (desk, ran);
        }
    }
    let desk = Desk::new();
    let ran = stalled_once(&desk, args, typed, &prepare);
    (desk, ran)
}

fn stalled_once(
    desk: &Desk,
    args: &[&str],
    typed: &str,
    prepare: &impl Fn(&Desk, &HangsOnce),
) -> Ran {
    let bot = HangsOnce::write(desk);
    prepare(desk, &bot);
    let mut child = desk.command(args).stdin(Stdio::piped()).spawn().expect("botyard starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(typed.as_bytes()).expect("it fits into the pipe");
    drop(stdin);
    bot.stall(&child, STALL);
    finish(child)
}

/// Returns the way in which the game of a replay ended.
fn kind(replay: &Path) -> String {
    let text = fs::read_to_string(replay).expect("a replay");
    let last: Value = serde_json::from_str(text.lines().last().expect("an end")).expect("JSON");
    last["outcome"]["kind"].as_str().expect("a kind").to_string()
}

/// Returns the replays of a game that has a second attempt.
fn attempts(replays: &[PathBuf]) -> (PathBuf, PathBuf) {
    let is_second = |path: &&PathBuf| path.to_string_lossy().ends_with(".2.ndjson");
    let second = replays.iter().find(is_second).unwrap_or_else(|| panic!("{replays:?}")).clone();
    let first = PathBuf::from(second.to_string_lossy().replace(".2.ndjson", ".ndjson"));
    (first, second)
}

fn check(desk: &Desk, replays: &[PathBuf]) {
    let (first, second) = attempts(replays);
    assert_eq!(kind(&first), "void");
    for replay in [first, second] {
        let ran = desk.run(&["replay", "verify", replay.to_str().unwrap()]);
        assert_eq!(ran.code, Some(0), "{ran:#?}");
    }
}

#[test]
fn a_test_repeats_a_void_game_and_keeps_both_replays() {
    let args = ["test", "new=python3 bot.py", "random:seed=2", "--game", "draughts", "--seed", "7"];
    let more = ["--max-games", "2", "--sandbox", "none", "--out", "out", "--move-time", MOVE_MS];
    let args = [&args[..], &more, &["--json", "-j", "1"]].concat();
    let (desk, ran) = stalled(&args, "out", |_, _| {});
    assert!(matches!(ran.code, Some(0 | 1)), "{ran:#?}");
    let printed = events(&ran.stdout);
    let [ended] = events_of(&printed, "test_ended")[..] else { panic!("one end: {ran:#?}") };
    assert_eq!((&ended["interrupted"], &ended["pairs_without_result"]), (&false.into(), &0.into()));
    check(&desk, &desk.replays("out"));
}

#[test]
fn a_match_repeats_a_void_game_and_keeps_both_replays() {
    let args = ["match", "draughts", "python3 bot.py", "random:seed=2", "--seed", "7", "-j", "1"];
    let more = ["--games", "2", "--sandbox", "none", "--out", "out", "--move-time", MOVE_MS];
    let (desk, ran) = stalled(&[&args[..], &more, &["--json"]].concat(), "out", |_, _| {});
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let printed = events(&ran.stdout);
    assert_eq!(events_of(&printed, "game_started").len(), 2, "{ran:#?}");
    let games = events_of(&printed, "game_ended");
    assert_eq!(games.len(), 2, "{ran:#?}");
    assert!(games.iter().all(|game| game["outcome"]["kind"] != "void"), "{ran:#?}");
    let (_, second) = attempts(&desk.replays("out"));
    let name = second.file_name().unwrap().to_str().unwrap();
    assert!(games.iter().any(|game| game["replay"].as_str().unwrap().ends_with(name)), "{ran:#?}");
    check(&desk, &desk.replays("out"));
}

#[test]
fn a_tournament_repeats_a_void_game_and_its_store_names_the_attempt() {
    let text = format!(
        "game = \"draughts\"\nformat = \"round-robin\"\nblocks = 1\nseed = 7\n[time]\nmove_ms = {MOVE_MS}\n\
         [run]\nconcurrency = 1\n[sandbox]\nmode = \"none\"\n\
         [[bot]]\nname = \"anna\"\ncommand = \"python3 bot.py\"\n\
         [[bot]]\nname = \"ben\"\ncommand = \"random:seed=2\"\n"
    );
    let args = ["tournament", "run", "small.toml", "--json"];
    let (desk, ran) = stalled(&args, "small.tournament/replays", |desk, _| {
        fs::write(desk.path("small.toml"), &text).unwrap();
    });
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let printed = events(&ran.stdout);
    let void = events_of(&printed, "game_void");
    assert_eq!((&void[0]["attempt"], &void[0]["played_again"]), (&1.into(), &true.into()));
    let id = void[0]["game_id"].as_str().unwrap();
    let of_game = |game: &&&Value| game["game_id"] == id;
    let games = events_of(&printed, "game_ended");
    let game = games.iter().find(of_game).unwrap_or_else(|| panic!("{ran:#?}"));
    let attempt = game["attempt"].as_u64().unwrap();
    assert!(attempt >= 2, "{ran:#?}");
    let replay = game["replay"].as_str().unwrap();
    assert!(replay.ends_with(&format!("{id}.{attempt}.ndjson")), "{replay}");
    let place = desk.path("small.tournament");
    assert_eq!(kind(&place.join(void[0]["replay"].as_str().unwrap())), "void");
    assert_ne!(kind(&place.join(replay)), "void");

    // The store and the replays agree, and the store can be rebuilt from them.
    desk.done(&["tournament", "check", "small.tournament"]);
    fs::remove_file(place.join("tournament.db")).unwrap();
    let recovered = desk.done(&["tournament", "recover", "small.tournament"]);
    assert!(recovered.contains("2 games recovered, 2 of them from replays"), "{recovered}");
    desk.done(&["tournament", "check", "small.tournament"]);
}

/// A game of Black that ends with the answer to its first move.
const SHORT: [&str; 10] = [
    "play",
    "draughts",
    "--as",
    "black",
    "--rule",
    "ballots=none",
    "--rule",
    "max_plies=2",
    "--seed",
    "1",
];

#[test]
fn a_game_with_a_person_is_resumed_where_it_was_void_and_keeps_both_replays() {
    let more = ["--against", "python3 bot.py", "--sandbox", "none", "--out", "out"];
    let args = [&SHORT[..], &more, &["--move-time", MOVE_MS]].concat();
    let (desk, ran) = stalled_typing("11-15\n", &args, "out", |_, _| {});
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let void = "the game is void, because the host failed: host_overloaded";
    assert!(ran.stdout.contains(void), "{ran:#?}");
    assert_eq!(ran.stdout.matches("1  black: 11-15").count(), 1, "{ran:#?}");
    assert!(ran.stdout.contains("max_plies after 2 moves"), "{ran:#?}");
    let replays = desk.replays("out");
    check(&desk, &replays);
    let (_, second) = attempts(&replays);
    let last = replays.len();
    let text = fs::read_to_string(if last == 2 { &second } else { &replays[last - 1] }).unwrap();
    assert!(text.contains("\"action\":\"11-15\""), "{text}");
    let name = format!("replay: {}", Path::new("out").join(second.file_name().unwrap()).display());
    assert!(last > 2 || ran.stdout.contains(&name), "{ran:#?}");
    // None of them can be resumed: the game is over.
    assert_eq!(fs::read_dir(desk.path("out")).unwrap().count(), last);
}

/// A Python that every user can start. One in a home directory is not accessible to the UIDs that bots
/// of root run as.
pub fn python() -> &'static str {
    let system = "/usr/bin/python3";
    if Path::new(system).exists() { system } else { "python3" }
}

/// The host stalls, and then the bot's files are gone.
#[test]
fn a_game_with_a_person_that_stays_void_is_left_and_can_be_resumed_from_its_replay() {
    let write = |desk: &Desk, bot: &str| {
        let ada = desk.path("ada");
        fs::create_dir(&ada).unwrap();
        fs::write(ada.join("bot.py"), bot).unwrap();
        fs::write(ada.join("bot.toml"), format!("run = '{} bot.py'\n", python())).unwrap();
        // The bot of a botyard that runs as root removes them as another user.
        for changed in [ada, desk.path(".")] {
            fs::set_permissions(changed, fs::Permissions::from_mode(0o777)).unwrap();
        }
    };
    let more = ["--against", "./ada", "--sandbox", "none", "--out", "out"];
    let args = [&SHORT[..], &more, &["--move-time", MOVE_MS]].concat();
    let (desk, ran) = stalled_typing("11-15\n", &args, "out", |desk, bot| {
        let vanishes =
            "import os, shutil; shutil.rmtree(os.path.dirname(os.path.abspath(__file__)))";
        write(desk, &bot.program().replace("try:", &format!("{vanishes}\n        try:")));
    });
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    assert!(ran.stderr.contains("was void 4 times, the last time because"), "{ran:#?}");
    assert!(ran.stderr.contains("a file of ada: "), "{ran:#?}");
    let replays = desk.replays("out");
    assert_eq!(replays.len(), 4, "{replays:?}");
    check_four_attempts(&desk, &replays, "");

    write(&desk, PLAYS);
    let first = replays.iter().min_by_key(|path| path.as_os_str().len()).expect("four");
    let name = format!("out/{}", first.file_name().unwrap().to_str().unwrap());
    let ran = desk.run(&["play", "--resume", &name]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stdout.contains("resumed after 1 move; `log` lists them"), "{ran:#?}");
    assert!(ran.stdout.contains("max_plies after 2 moves"), "{ran:#?}");
    assert_eq!(kind(first), "completed");
}

/// A bot that plays the first legal action.
const PLAYS: &str = "
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'hello':
        print(json.dumps({'type': 'hello', 'protocol': 1, 'name': 'plays'}), flush=True)
    elif message['type'] == 'start':
        print(json.dumps({'type': 'ready'}), flush=True)
    elif message['type'] == 'turn':
        answer = {'type': 'move', 'turn': message['turn'], 'action': message['legal'][0]}
        print(json.dumps(answer), flush=True)
    elif message['type'] == 'quit':
        break
";

/// Runs a verb, and calls `act` as soon as a game has ended.
fn after_a_game(desk: &Desk, args: &[&str], act: impl FnOnce()) -> (Ran, String) {
    let mut child = desk.command(args).spawn().expect("botyard starts");
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let mut printed = String::new();
    let mut act = Some(act);
    while let Some(Ok(line)) = lines.next() {
        printed.push_str(&line);
        printed.push('\n');
        if line.contains("\"type\":\"game_ended\"")
            && let Some(act) = act.take()
        {
            act();
        }
    }
    (finish(child), printed)
}

/// Checks that all four attempts at the game that ended the run kept their replays, and no bot lost
/// it.
fn check_four_attempts(desk: &Desk, replays: &[PathBuf], printed: &str) {
    let is_fourth = |path: &&PathBuf| path.to_string_lossy().ends_with(".4.ndjson");
    let fourth = replays.iter().find(is_fourth).unwrap_or_else(|| panic!("{replays:?}"));
    let fourth = fourth.to_string_lossy();
    for attempt in ["", ".2", ".3", ".4"] {
        let replay = PathBuf::from(fourth.replace(".4.ndjson", &format!("{attempt}.ndjson")));
        assert_eq!(kind(&replay), "void", "{replay:?}");
        desk.done(&["replay", "verify", replay.to_str().unwrap()]);
    }
    for game in events_of(&events(printed), "game_ended") {
        assert!(
            ["completed", "void"].contains(&game["outcome"]["kind"].as_str().unwrap()),
            "{game}"
        );
    }
}

#[test]
fn a_bot_whose_files_vanish_loses_no_game_and_the_match_ends_with_code_3() {
    for sandbox in ["auto", "none"] {
        let desk = Desk::new();
        let ada = desk.path("ada");
        fs::create_dir(&ada).unwrap();
        fs::write(ada.join("bot.py"), PLAYS).unwrap();
        fs::write(ada.join("bot.toml"), format!("run = '{} bot.py'\n", python())).unwrap();
        let args = ["match", "scotland-yard", "./ada", "random:seed=2", "--rules", "grid-5x5-2"];
        let more = ["--seed", "1", "-n", "5000", "-j", "1", "--restart", "--out", "out", "--json"];
        let args = [&args[..], &more, &["--sandbox", sandbox, "--move-time", "30000"]].concat();
        let (ran, printed) = after_a_game(&desk, &args, || fs::remove_dir_all(&ada).unwrap());
        assert_eq!(ran.code, Some(3), "{sandbox}: {ran:#?}");
        assert!(ran.stderr.contains("was void 4 times"), "{ran:#?}");
        assert!(ran.stderr.contains("a file of ada: "), "{ran:#?}");
        check_four_attempts(&desk, &desk.replays("out"), &printed);
    }
}
