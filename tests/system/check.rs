//! `botyard check`: what is wrong with a bot is found by the check that is named after it, and bots
//! that are right pass.

use crate::command::{Desk, Ran, events, events_of, misbehaving, repository, script};
use crate::kits::rust_examples;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::{LazyLock, Mutex};
use std::time::Duration;

/// Each mode of `tests/bots/misbehave.py` with the checks that fail, and options of the run.
const TABLE: &str = include_str!("data/check.tsv");

/// How many bots are checked at the same time: most of them wait most of the time.
const AT_ONCE: usize = 4;

/// How often a run is repeated in which the host was too busy for a check.
const ATTEMPTS: u32 = 5;

fn check(desk: &Desk, bot: &str, options: &[&str]) -> Ran {
    desk.run(&[&["check", bot, "--json"], options].concat())
}

/// Returns the status of each check of a run.
fn statuses(ran: &Ran) -> BTreeMap<String, String> {
    let events = events(&ran.stdout);
    let text = |value: &Value| value.as_str().expect("a text").to_string();
    let results = events_of(&events, "check_result");
    results.iter().map(|event| (text(&event["check"]), text(&event["status"]))).collect()
}

fn with_status<'a>(statuses: &'a BTreeMap<String, String>, status: &str) -> Vec<&'a str> {
    let with = statuses.iter().filter(|(_, found)| *found == status);
    with.map(|(check, _)| check.as_str()).collect()
}

/// Checks a bot until the host has decided every check, or has been asked often enough.
fn decided(bot: &str, options: &[&str]) -> (Ran, BTreeMap<String, String>) {
    decided_in(&Desk::new(), bot, options, |_| false)
}

/// The same, or until what was found is `enough`.
fn decided_in(
    desk: &Desk,
    bot: &str,
    options: &[&str],
    enough: impl Fn(&BTreeMap<String, String>) -> bool,
) -> (Ran, BTreeMap<String, String>) {
    let is_contained = is_contained() && !options.contains(&"none");
    let mut attempt = 1;
    loop {
        let ran = check(desk, bot, options);
        let found = statuses(&ran);
        let is_open = !enough(&found) && !with_status(&found, "not_decided").is_empty();
        if !is_open || attempt == ATTEMPTS || !is_contained {
            return (ran, found);
        }
        std::thread::sleep(Duration::from_secs(attempt.into()));
        attempt += 1;
    }
}

/// Returns whether this host contains bots: without a sandbox two checks cannot be decided.
fn is_contained() -> bool {
    static IS_CONTAINED: LazyLock<bool> =
        LazyLock::new(|| Desk::new().run(&["sandbox"]).code == Some(0));
    *IS_CONTAINED
}

/// Returns whether the host has had more to do than its cores can.
fn is_busy() -> bool {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: f64 = load.split(' ').next().and_then(|load| load.parse().ok()).unwrap_or(0.0);
    load > std::thread::available_parallelism().map_or(1, usize::from) as f64
}

/// Returns whether the referee may excuse all of a bot's time: a bot that sleeps too long passes such
/// a check while the host has more to do than its cores can.
fn excuses(expected: &[&str]) -> bool {
    matches!(expected, ["deadline" | "slow_start" | "quit_time"]) && is_busy()
}

/// Returns whether all was decided but the check of the deadline, which a busy host cannot judge.
fn is_decided_but_for_time(found: &BTreeMap<String, String>) -> bool {
    let open = with_status(found, "not_decided");
    with_status(found, "failed").is_empty() && open == ["deadline"] && is_busy()
}

/// Checks that a bot has no finding, and that all checks were made, as far as the host can.
fn passes(bot: &str, options: &[&str]) {
    passes_in(&Desk::new(), bot, options);
}

/// The same, for a bot that is written by a path on this desk.
pub fn passes_in(desk: &Desk, bot: &str, options: &[&str]) {
    // A bot that is late while the host has more to do than its cores can is checked again: the time
    // that a host takes is excused only as far as it can be measured.
    let mut checked = decided_in(desk, bot, options, is_decided_but_for_time);
    for _ in 1..ATTEMPTS {
        if !excuses(&with_status(&checked.1, "failed")) {
            break;
        }
        checked = decided_in(desk, bot, options, is_decided_but_for_time);
    }
    let (ran, found) = checked;
    let open = with_status(&found, "not_decided");
    assert_eq!(found.len(), 20, "{bot}: {ran:#?}");
    assert_eq!(with_status(&found, "failed"), [""; 0], "{bot}: {ran:#?}");
    assert_eq!(with_status(&found, "skipped"), [""; 0], "{bot}: {ran:#?}");
    if open == ["deadline"] && is_busy() {
        eprintln!("NOT TESTED on this host, which is too busy: the deadline of {bot}");
        assert_eq!(ran.code, Some(3), "{bot}: {ran:#?}");
    } else if is_contained() {
        assert_eq!(open, [""; 0], "{bot}: {ran:#?}");
        assert_eq!(ran.code, Some(0), "{bot}: {ran:#?}");
    }
}

#[test]
fn every_fault_is_named_by_the_check_that_is_for_it() {
    let rows: Vec<Vec<&str>> =
        TABLE.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    let source = std::fs::read_to_string(repository("tests/bots/misbehave.py")).unwrap();
    let next = Mutex::new(rows.iter());
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let Some(row) = next.lock().unwrap().next() else { return };
                    let [mode, expected, options] = row[..] else { panic!("three cells: {row:?}") };
                    if expected == "memory" && !is_contained() {
                        eprintln!("NOT TESTED on this host, which contains no bots: {mode}");
                        continue;
                    }
                    let mut arguments = vec!["--game", "connect-four"];
                    arguments.extend(options.split_whitespace());
                    let mut expected: Vec<&str> =
                        expected.split(',').filter(|check| !check.is_empty()).collect();
                    expected.sort_unstable();
                    // A busy host need not decide the checks that no fault is expected of.
                    let (ran, found) =
                        decided_in(&Desk::new(), &misbehaving(mode), &arguments, |found| {
                            !expected.is_empty() && with_status(found, "failed") == expected
                        });
                    if with_status(&found, "failed").is_empty() && excuses(&expected) {
                        eprintln!("NOT TESTED on this host, which is too busy: {mode}");
                        continue;
                    }
                    let code = match expected.is_empty() {
                        true if is_decided_but_for_time(&found) => 3,
                        true => 0,
                        false => 1,
                    };
                    let is_known = source.contains(&format!("def {mode}("))
                        || source.contains(&format!("\"{mode}\""));
                    let is_right = with_status(&found, "failed") == expected
                        && is_known
                        && (!is_contained() || ran.code == Some(code));
                    if !is_right {
                        let found = with_status(&found, "failed");
                        wrong.lock().unwrap().push(format!(
                            "{mode}: expected {expected:?}, found {found:?}: {ran:#?}"
                        ));
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn marks_that_no_page_shows_are_noted() {
    let (ran, found) = decided(&misbehaving("draw_nonsense"), &["--game", "connect-four"]);
    assert_eq!(found["messages"], "noted", "{ran:#?}");
    let note =
        "draws what is not shown: info.draw[0]: expected one of point, line and arrow, got circle";
    assert!(ran.stdout.contains(note), "{ran:#?}");
    // A column alone is a place, and so is its highest cell.
    let (ran, _) = decided(&misbehaving("draw_off_the_board"), &["--game", "connect-four"]);
    let note = "draws what is not shown: expected places of the board, got 8";
    assert!(ran.stdout.contains(note), "{ran:#?}");
}

#[test]
fn the_built_in_bots_pass() {
    let desk = Desk::new();
    let listed: Value = serde_json::from_str(&desk.done(&["bots", "--json"])).unwrap();
    let names: Vec<String> = listed
        .as_array()
        .expect("a list")
        .iter()
        .map(|bot| bot["name"].as_str().expect("a name").to_string())
        .collect();
    assert!(names.len() > 10, "{names:?}");
    let next = Mutex::new(names.iter());
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let Some(name) = next.lock().unwrap().next() else { return };
                    passes(name, &["--move-time", "100"]);
                }
            });
        }
    });
}

/// The examples of a kit: the command, whose words that begin with `sdk/` or `built` are files, and
/// the game for those that play only one without saying so.
const EXAMPLES: &[(&str, &str)] = &[
    ("python", "python3 sdk/python/examples/first.py"),
    ("python", "python3 sdk/python/src/botyard sdk/python/examples/legal.py"),
    ("python", "python3 sdk/python/src/botyard sdk/python/examples/detective.py"),
    ("python", "python3 sdk/python/src/botyard sdk/python/examples/draughts_two_ply.py"),
    ("python", "python3 sdk/python/src/botyard sdk/python/examples/dice_wars_rule.py"),
    ("javascript", "node sdk/javascript/examples/first.js"),
    ("javascript", "node built/legal.mjs"),
    ("javascript", "node built/detective.mjs"),
    ("javascript", "node built/draughts_two_ply.mjs"),
    ("javascript", "node built/dice_wars_rule.mjs"),
    ("go", "built/legal"),
    ("go", "built/detective"),
    ("go", "built/draughts_two_ply"),
    ("go", "built/dice_wars_rule"),
    ("cpp", "built/legal"),
    ("cpp", "built/detective"),
    ("cpp", "built/draughts_two_ply"),
    ("cpp", "built/dice_wars_rule"),
    ("java", "java -cp built Legal"),
    ("java", "java -cp built Detective"),
    ("java", "java -cp built DraughtsTwoPly"),
    ("java", "java -cp built DiceWarsRule"),
    ("rust", "built/one_ply"),
    ("rust", "built/detective"),
    ("rust", "built/draughts_two_ply"),
    ("rust", "built/dice_wars_rule"),
];

fn examples_pass(language: &str) {
    let examples = EXAMPLES.iter().filter(|(of, _)| *of == language);
    let place = Desk::new();
    let built = if language == "rust" { rust_examples() } else { place.path("built") };
    if language == "javascript" {
        copy_beside_kit(&built);
    } else if language != "rust" && examples.clone().any(|(_, bot)| bot.contains("built")) {
        let script = repository(&format!("sdk/{language}/build"));
        let ran = Command::new("sh").arg(script).arg(&built).output().unwrap();
        assert!(ran.status.success(), "{language}: {}", String::from_utf8_lossy(&ran.stderr));
    }
    let mut checked = 0;
    for (_, bot) in examples {
        let word = |word: &str| match word.strip_prefix("built") {
            Some(file) => format!("'{}{file}'", built.display()),
            None if word.starts_with("sdk/") => format!("'{}'", repository(word).display()),
            None => word.to_string(),
        };
        passes(&bot.split(' ').map(word).collect::<Vec<_>>().join(" "), &[]);
        checked += 1;
    }
    assert!(checked >= 4, "no examples of {language}");
}

/// Copies the examples in JavaScript into a directory with a copy of the kit, as a bot is submitted: an
/// import relative to the file must not lead out of the bot's directory.
fn copy_beside_kit(place: &Path) {
    let kit = place.join("botyard");
    std::fs::create_dir_all(&kit).unwrap();
    let files =
        |path: &str| std::fs::read_dir(repository(path)).unwrap().map(|entry| entry.unwrap());
    for file in files("sdk/javascript/botyard") {
        std::fs::copy(file.path(), kit.join(file.file_name())).unwrap();
    }
    for file in files("sdk/javascript/examples") {
        let text = std::fs::read_to_string(file.path()).unwrap();
        let text = text.replace("\"../botyard/", "\"./botyard/");
        std::fs::write(place.join(file.file_name()), text).unwrap();
    }
}

#[test]
fn python_examples_pass() {
    examples_pass("python");
}

#[test]
#[ignore = "needs node, which not everybody has; `.ci/run` runs it"]
fn javascript_examples_pass() {
    examples_pass("javascript");
}

#[test]
#[ignore = "needs go, which not everybody has; `.ci/run` runs it"]
fn go_examples_pass() {
    examples_pass("go");
}

#[test]
#[ignore = "compiles the examples; `.ci/run` runs it"]
fn rust_examples_pass() {
    examples_pass("rust");
}

#[test]
#[ignore = "needs g++ and nlohmann/json, which not everybody has; `.ci/run` runs it"]
fn cpp_examples_pass() {
    examples_pass("cpp");
}

#[test]
#[ignore = "needs java and javac, which not everybody has; `.ci/run` runs it"]
fn java_examples_pass() {
    examples_pass("java");
}

#[test]
fn a_finding_says_what_was_sent_what_came_and_what_to_do() {
    let desk = Desk::new();
    let bot = misbehaving("garbage");
    let ran = desk.run(&["check", &bot, "--game", "connect-four"]);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    let line = ran.stdout.lines().find(|line| line.starts_with("FAILED")).expect("a finding");
    for words in [
        "messages",
        "connect-four: `turn` 1 was sent; it failed as",
        "this is not JSON (byte 1)",
        "it wrote: I would rather not say -> print debug output to standard error",
    ] {
        assert!(line.contains(words), "{words:?} is not in {line}");
    }
    assert!(ran.stdout.contains("1 failed"), "{}", ran.stdout);
}

#[test]
fn a_bot_that_needs_the_legal_actions_passes_unless_they_are_never_listed() {
    let bot = script("python3", "sdk/python/examples/first.py", "");
    let (ran, found) = decided(&bot, &["--game", "connect-four"]);
    assert_eq!(with_status(&found, "noted"), ["no_legal"], "{ran:#?}");
    let (ran, found) = decided(&bot, &["--game", "connect-four", "--no-legal"]);
    assert_eq!(with_status(&found, "failed"), ["running"], "{ran:#?}");
    assert_eq!(ran.code, Some(1));
}

/// As one that writes a PID file, or takes a port.
const STARTS_ONCE: &str = r#"
import os, sys
try:
    os.close(os.open("pid", os.O_CREAT | os.O_EXCL))
except FileExistsError:
    sys.exit("already running")
for line in sys.stdin:
    if '"type":"hello"' in line:
        print('{"type":"hello","protocol":1,"name":"once"}', flush=True)
    if '"type":"quit"' in line:
        break
"#;

#[test]
fn a_bot_that_starts_once_and_not_again_is_named() {
    let desk = Desk::new();
    std::fs::write(desk.path("once.py"), STARTS_ONCE).unwrap();
    let ran = check(&desk, "python3 once.py", &["--game", "connect-four", "--sandbox", "none"]);
    let found = statuses(&ran);
    assert_eq!(with_status(&found, "failed"), ["quit", "setup"], "{ran:#?}");
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    let printed = events(&ran.stdout);
    let results = events_of(&printed, "check_result");
    for finding in results.iter().filter_map(|event| event["findings"].get(0)) {
        let message = finding["message"].as_str().unwrap();
        assert!(message.starts_with("`hello` was sent"), "{message}");
        assert!(finding["stderr"].as_str().unwrap().contains("already running"), "{finding}");
        assert!(finding["remedy"].as_str().unwrap().contains("between its processes"), "{finding}");
    }
}

/// Plays one game as it should, and uses too much memory in another one.
const LARGE_IN_DRAUGHTS: &str = r#"
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    match message["type"]:
        case "hello": answer = {"type": "hello", "protocol": 1, "name": "large"}
        case "start":
            if message["game"] == "draughts":
                large = b"1" * (1 << 30)
            answer = {"type": "ready"}
        case "turn": answer = {"type": "move", "turn": message["turn"], "action": message["legal"][0]}
        case "quit": break
        case _: continue
    print(json.dumps(answer), flush=True)
"#;

#[test]
fn each_check_has_one_result() {
    if !is_contained() {
        eprintln!("NOT TESTED on this host, which contains no bots: memory in one of two games");
        return;
    }
    let desk = Desk::new();
    std::fs::write(desk.path("large.py"), LARGE_IN_DRAUGHTS).unwrap();
    let games = ["--game", "connect-four", "--game", "draughts", "--memory", "256"];
    let ran = check(&desk, "python3 large.py", &games);
    let printed = events(&ran.stdout);
    let results = events_of(&printed, "check_result");
    let memory: Vec<_> = results.iter().filter(|event| event["check"] == "memory").collect();
    assert_eq!(memory.len(), 1, "{ran:#?}");
    assert_eq!(memory[0]["status"], "failed", "{ran:#?}");
    assert_eq!(results.len(), statuses(&ran).len(), "{ran:#?}");
}

#[test]
fn a_gate_rejects_a_bot_in_the_words_of_its_check() {
    let desk = Desk::new();
    let bot = misbehaving("garbage");
    let file = format!(
        "game = 'connect-four'\nformat = 'round-robin'\nblocks = 1\nseed = 7\n[time]\nmove_ms = 30000\n\
         [gate]\nagainst = ['random:seed=9']\nblocks = 1\nscore = 0.0\n\
         [[bot]]\nname = 'mine'\ncommand = {bot:?}\n\
         [[bot]]\nname = 'anna'\ncommand = 'random'\n[[bot]]\nname = 'ben'\ncommand = 'greedy'\n"
    );
    std::fs::write(desk.path("cup.toml"), file).unwrap();
    let ran = desk.run(&["tournament", "run", "cup.toml", "--out", "cup", "--json"]);
    let printed = events(&ran.stdout);
    let rejected = events_of(&printed, "bot_rejected");
    let reason = rejected.first().unwrap_or_else(|| panic!("{ran:#?}"))["reason"].as_str().unwrap();
    let first = reason.lines().next().unwrap();
    let (checked, _) = decided(&bot, &["--game", "connect-four"]);
    let checked = events(&checked.stdout);
    let found = events_of(&checked, "check_result");
    let failed = found.iter().find(|event| event["status"] == "failed").expect("a finding");
    let message = failed["findings"][0]["message"].as_str().unwrap();
    // The seat and the opponent may be others.
    let of_fault = |text: &str| {
        let (_, failed) = text.split_once("it failed as ").unwrap_or_else(|| panic!("{text}"));
        failed.split_once(" forfeits ").unwrap().1.to_string()
    };
    let (gate, check) = (of_fault(first), of_fault(message));
    assert!(check.starts_with(&gate), "{check} does not begin with {gate}");
}

/// What a game does not show: a bot that needs a new process for every game.
#[test]
fn a_gate_with_checks_rejects_what_its_games_do_not_show() {
    let desk = Desk::new();
    let bot = misbehaving("one_game_only");
    let file = |checks: &str| {
        format!(
            "game = 'connect-four'\nformat = 'round-robin'\nblocks = 1\nseed = 7\n\
             [time]\nmove_ms = 30000\n[run]\nrestart = true\n\
             [gate]\nagainst = ['random:seed=9']\n{checks}\n\
             [[bot]]\nname = 'mine'\ncommand = {bot:?}\n\
             [[bot]]\nname = 'anna'\ncommand = 'random'\n[[bot]]\nname = 'ben'\ncommand = 'greedy'\n"
        )
    };
    for (name, checks, expected) in [("plain", "", 0), ("checked", "checks = true", 1)] {
        std::fs::write(desk.path("cup.toml"), file(checks)).unwrap();
        let ran = desk.run(&["tournament", "run", "cup.toml", "--out", name, "--json"]);
        let printed = events(&ran.stdout);
        let rejected = events_of(&printed, "bot_rejected");
        assert_eq!(rejected.len(), expected, "{name}: {ran:#?}");
        for event in rejected {
            let reason = event["reason"].as_str().unwrap();
            assert_eq!(event["bot"]["name"], "mine", "{ran:#?}");
            assert!(reason.starts_with("it failed in `botyard check`:\n  two_games: "), "{reason}");
        }
    }
}

#[test]
fn wrong_arguments_are_refused_and_an_interrupt_ends_a_check_in_order() {
    let desk = Desk::new();
    for (arguments, expected) in [
        (&["check", "gredy"][..], "did you mean greedy?"),
        (&["check", "random", "--game", "chess"], "chess"),
        (&["check", "./none"], "there is no file ./none"),
    ] {
        let ran = desk.run(arguments);
        assert_eq!(ran.code, Some(2), "{ran:#?}");
        assert!(ran.stderr.contains(expected), "{ran:#?}");
    }
    let bot = misbehaving("never");
    let arguments = ["check", &bot, "--game", "connect-four", "--json", "--move-time", "30000"];
    let mut child = desk.command(&arguments).spawn().unwrap();
    let stdout = child.stdout.take().unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(stdout));
    // The bot never answers its first turn, five minutes long.
    let until = |lines: &mut dyn Iterator<Item = std::io::Result<String>>, words: &str| {
        lines.map(|line| line.unwrap()).find(|line| line.contains(words)).expect("the line")
    };
    until(&mut lines, "quit_time");
    let process = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(process, rustix::process::Signal::TERM).unwrap();
    let ended: Value = serde_json::from_str(&until(&mut lines, "check_ended")).unwrap();
    assert_eq!(ended["interrupted"], true);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}
