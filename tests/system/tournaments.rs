//! `botyard tournament`: small tournaments with real bots: killed, resumed, and shown.

use crate::command::{BOTYARD, Desk, events, events_of, finish, misbehaving, repository, script};
use crate::processes::{Processes, kill_with_all, pid_of};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rustix::process::{Signal, kill_process};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::time::Duration;

/// Three quick bots with reproducible games.
pub const SMALL: &str = r#"
game = "scotland-yard"
rules = "grid-5x5-2"
format = "round-robin"
blocks = 4
seed = 7

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

fn desk(text: &str) -> Desk {
    let desk = Desk::new();
    std::fs::write(desk.path("small.toml"), text).unwrap();
    desk
}

pub fn csv(desk: &Desk, directory: &str) -> String {
    of_games(&desk.done(&["tournament", "standings", directory, "--format", "csv"]))
}

/// Returns the columns of standings that follow from the games: all but the last two, which say how much time
/// the host took.
pub fn of_games(csv: &str) -> String {
    let columns = |line: &str| line.rsplitn(3, ',').last().unwrap_or_default().to_string() + "\n";
    csv.lines().map(columns).collect()
}

/// Returns every game of a tournament with its bots and points, from the output of its runs.
pub fn games(runs: &[String]) -> BTreeMap<String, String> {
    let mut games = BTreeMap::new();
    for run in runs {
        // The last line of a killed run may be incomplete.
        let lines = run.lines().filter_map(|line| serde_json::from_str(line).ok());
        let lines: Vec<serde_json::Value> = lines.collect();
        for game in events_of(&lines, "game_ended") {
            let id = game["game_id"].as_str().unwrap().to_string();
            let result = format!("{} {}", game["seats"], game["outcome"]["scores"]);
            assert_eq!(games.insert(id.clone(), result), None, "{id} was played twice");
        }
    }
    games
}

#[test]
fn a_tournament_is_played_kept_and_shown() {
    let desk = desk(SMALL);
    let printed = desk.done(&["tournament", "run", "small.toml", "-j", "2"]);
    assert!(printed.contains("small: 24 games of scotland-yard between 3 bots"), "{printed}");
    assert!(printed.contains("2 games at a time"), "{printed}");
    assert_eq!(csv(&desk, "small.tournament").lines().count(), 4);
    let mut replays = Vec::new();
    for entry in std::fs::read_dir(desk.path("small.tournament/replays")).unwrap() {
        let entry = entry.unwrap().path();
        replays.extend(std::fs::read_dir(entry).unwrap().map(|file| file.unwrap().path()));
    }
    assert_eq!(replays.len(), 24);
    let replays: Vec<String> =
        replays.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    let mut verify = vec!["replay", "verify"];
    verify.extend(replays.iter().map(String::as_str));
    desk.done(&verify);
    for form in ["table", "json", "csv", "md", "html"] {
        let name = if form == "table" { "txt" } else { form };
        let saved = desk.path(&format!("small.tournament/standings.{name}"));
        let shown = desk.done(&["tournament", "standings", "small.tournament", "--format", form]);
        assert!(shown.contains("anna") && shown.contains("carl"), "{form}: {shown}");
        assert_eq!(std::fs::read_to_string(saved).unwrap(), shown, "{form}");
    }
    // Nothing is left to play, and nothing is overwritten.
    let before = csv(&desk, "small.tournament");
    let events = events(&desk.done(&["tournament", "resume", "small.tournament", "--json"]));
    assert_eq!(events_of(&events, "game_ended").len(), 0);
    assert_eq!(csv(&desk, "small.tournament"), before);
    let ran = desk.run(&["tournament", "run", "small.toml"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(
        ran.stderr.contains("small.tournament already contains a tournament: resume it"),
        "{ran:#?}"
    );
    // The order in which the games end makes no difference.
    desk.done(&["tournament", "run", "small.toml", "-j", "1", "--out", "again"]);
    assert_eq!(csv(&desk, "again"), before);
}

#[test]
fn replays_are_named_among_what_is_saved_only_if_they_are_kept() {
    let kept = "standings.html, .csv, .md, .json, and all replays\n";
    let none = "standings.html, .csv, .md and .json; no replays, as the tournament file says\n";
    for (replays, expected) in [(true, kept), (false, none)] {
        let desk = desk(&format!("{SMALL}\n[run]\nreplays = {replays}\n"));
        let of_run = desk.done(&["tournament", "run", "small.toml", "-j", "2"]);
        let of_resume = desk.done(&["tournament", "resume", "small.tournament", "-j", "2"]);
        for printed in [of_run, of_resume] {
            let expected = format!("saved in small.tournament: {expected}");
            assert!(printed.ends_with(&expected), "{replays}: {printed}");
        }
    }
}

#[test]
fn how_it_stands_is_told_when_its_bots_are_gone() {
    for format in ["\"round-robin\"", "\"swiss\"\nrounds = 2", "\"knockout\""] {
        let text = format!(
            r#"
game = "draughts"
format = {format}
seed = 4
openings = "starts.txt"
[time]
move_ms = 30000
[[bot]]
name = "anna"
command = "python3 anna.py"
directory = "class"
[[bot]]
command = "random:seed=1"
[[bot]]
command = "random:seed=2"
"#
        );
        let desk = desk(&text);
        std::fs::create_dir(desk.path("class")).unwrap();
        let bot = repository("sdk/python/examples/first.py");
        std::fs::copy(bot, desk.path("class/anna.py")).unwrap();
        std::fs::write(desk.path("starts.txt"), "9-13 21-17\n12-16 24-20\n").unwrap();
        desk.done(&["tournament", "run", "small.toml"]);
        let printed =
            |form| desk.done(&["tournament", "standings", "small.tournament", "--format", form]);
        let before = [printed("table"), printed("json")];
        std::fs::remove_dir_all(desk.path("class")).unwrap();
        std::fs::remove_file(desk.path("starts.txt")).unwrap();
        assert_eq!([printed("table"), printed("json")], before, "{format}");
        // Resuming does not need them either.
        desk.done(&["tournament", "resume", "small.tournament"]);
    }
}

/// Kills a tournament after a number of games of each run, and resumes it.
fn killed_and_resumed(text: &str, after: impl Fn(usize) -> usize) -> usize {
    let desk = desk(text);
    let whole = desk.done(&["tournament", "run", "small.toml", "--json", "--out", "whole"]);
    let expected = games(&[whole]);
    let mut runs = Vec::new();
    for number in 0.. {
        let args: &[&str] = match number {
            0 => &["tournament", "run", "small.toml", "--json", "--out", "killed", "-j", "2"],
            _ => &["tournament", "resume", "killed", "--json", "-j", "2"],
        };
        let mut child = desk.command(args).spawn().expect("botyard starts");
        let stdout = child.stdout.take().expect("its output");
        let mut printed = String::new();
        let mut lines = BufReader::new(stdout).lines();
        let mut ended = 0;
        let mut killed = None;
        while let Some(Ok(line)) = lines.next() {
            ended += usize::from(line.contains("\"type\":\"game_ended\""));
            printed.push_str(&line);
            printed.push('\n');
            if ended > after(number) && killed.is_none() {
                // Stopped first, so that it cannot start a process that is missed here.
                kill_process(pid_of(&child), Signal::STOP).expect("botyard runs");
                killed = Some(Processes::started_by(&child));
                child.kill().expect("botyard can be killed");
            }
        }
        let ran = finish(child);
        runs.push(printed);
        match killed {
            Some(started) => started.wait_until_gone(),
            None => {
                assert_eq!(ran.code, Some(0), "{ran:#?}");
                break;
            }
        }
    }
    // A killed run stores games that it does not report: all those of its last transaction. The standings
    // count every game, so they show whether one is missing.
    let printed = games(&runs);
    assert!(printed.iter().all(|(id, result)| expected.get(id) == Some(result)));
    assert_eq!(csv(&desk, "killed"), csv(&desk, "whole"));
    runs.len()
}

#[test]
fn a_tournament_that_is_killed_goes_on_as_if_it_had_not_been() {
    let first = script("python3", "tests/bots/recorder.py", "/dev/null");
    let text = SMALL.replace("random:seed=3", &first);
    let runs = killed_and_resumed(&text, |number| [0, 3, 1, 5][number % 4]);
    assert!(runs > 3, "{runs} runs");
}

#[test]
fn formats_with_later_rounds_go_on_as_well() {
    for format in ["format = \"swiss\"\nrounds = 2", "format = \"knockout\""] {
        let text = SMALL.replace("format = \"round-robin\"", format);
        let first = script("python3", "tests/bots/recorder.py", "/dev/null");
        let slow = text.replace("random:seed=3", &first);
        let runs = killed_and_resumed(&slow, |number| [1, 6][number % 2]);
        assert!(runs > 1, "{format}: {runs} runs");
        let desk = desk(&text);
        let printed = desk.done(&["tournament", "run", "small.toml"]);
        let of_format = if format.contains("swiss") { "Sonneborn-Berger" } else { "winner: " };
        assert!(printed.contains(of_format), "{printed}");
        let page = std::fs::read_to_string(desk.path("small.tournament/standings.html")).unwrap();
        assert!(page.contains(of_format), "{page}");
    }
}

#[test]
fn one_program_at_a_time_plays_a_tournament() {
    let never = misbehaving("never");
    let desk = desk(&SMALL.replace("random:seed=3", &never));
    let mut args = vec!["tournament", "run", "small.toml", "--json"];
    let mut child = desk.command(&args).spawn().expect("botyard starts");
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let started = lines.find(|line| line.as_ref().is_ok_and(|line| line.contains("game_started")));
    assert!(started.is_some());
    args = vec!["tournament", "resume", "small.tournament"];
    let ran = desk.run(&args);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("is being played by another botyard"), "{ran:#?}");
    // It can be shown while it runs.
    csv(&desk, "small.tournament");
    kill_with_all(child);
}

#[test]
fn everything_that_is_wrong_is_told_before_the_first_game() {
    let text = SMALL.replace("blocks = 4", "block = 4").replace("move_ms = 30000", "move_ms = 0");
    let ran = desk(&text).run(&["tournament", "run", "small.toml"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(
        ran.stderr
            .contains("small.toml, line 5: the file has no key \"block\" (did you mean blocks?)"),
        "{ran:#?}"
    );
    assert!(ran.stderr.contains("small.toml, line 9: time.move_ms: expected"), "{ran:#?}");

    let text = SMALL
        .replace("random:seed=1", "./no-such-bot")
        .replace("greedy:seed=2", "dw-sdc")
        .replace("grid-5x5-2", "grid-5x5");
    let desk = desk(&text);
    let ran = desk.run(&["tournament", "run", "small.toml"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    for expected in [
        "line 11: bot \"./no-such-bot\": there is no file",
        "line 15: bot \"dw-sdc\" does not play",
        "line 3: ",
    ] {
        assert!(ran.stderr.contains(expected), "{expected}: {ran:#?}");
    }
    assert!(!desk.path("small.tournament").exists());

    let many = SMALL.replace("blocks = 4", "blocks = 4000");
    for (section, expected) in [
        (
            "[run]\npin = true\noversubscribe = true\nconcurrency = 1024\n",
            "small.toml, line 9: run.pin needs a core for each game",
        ),
        (
            "[gate]\nagainst = [\"random\", \"greedy\"]\nblocks = 1000000\n",
            "line 8: expected at most 10000000 games, got 12000000",
        ),
    ] {
        let text = many.replace("[time]", &format!("{section}\n[time]"));
        std::fs::write(desk.path("small.toml"), text).unwrap();
        let ran = desk.run(&["tournament", "run", "small.toml"]);
        assert_eq!(ran.code, Some(2), "{ran:#?}");
        assert!(ran.stderr.contains(expected), "{ran:#?}");
        assert!(!desk.path("small.tournament").exists(), "{section}");
    }
}

#[test]
fn a_bot_that_cannot_play_is_an_error_without_a_gate_and_left_out_with_one() {
    let text = SMALL.replace("random:seed=3", "sh -c 'echo oh >&2; exit 3'");
    let desk = desk(&text);
    let ran = desk.run(&["tournament", "run", "small.toml"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("line 19: carl: it could not be started"), "{ran:#?}");
    assert!(ran.stderr.contains("| oh") && ran.stderr.contains("With a [gate]"), "{ran:#?}");
    assert!(!desk.path("small.tournament").exists());

    let gate = "[gate]\nagainst = [\"random:seed=9\"]\nblocks = 2\nscore = 0.25\n[[bot]]\nname = \"dora\"\n";
    let crash = misbehaving("exit_seven");
    let text = format!("{text}\n{gate}command = \"{crash}\"\n");
    std::fs::write(desk.path("small.toml"), text).unwrap();
    let ran = desk.run(&["tournament", "run", "small.toml", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let events = events(&ran.stdout);
    let rejected: Vec<(&str, &str)> = events_of(&events, "bot_rejected")
        .iter()
        .map(|event| (event["bot"]["name"].as_str().unwrap(), event["reason"].as_str().unwrap()))
        .collect();
    assert_eq!(rejected.len(), 2, "{rejected:?}");
    assert!(
        rejected.iter().any(|(bot, why)| *bot == "carl" && why.contains("could not be started"))
    );
    assert!(
        rejected.iter().any(|(bot, why)| *bot == "dora" && why.contains("it failed as")),
        "{rejected:?}"
    );
    let players: BTreeSet<String> = events_of(&events, "game_ended")
        .iter()
        .flat_map(|game| game["seats"].as_object().unwrap().values().map(|bot| bot.to_string()))
        .collect();
    assert_eq!(players.len(), 2, "{players:?}");
}

#[test]
fn the_gate_plays_no_more_games_of_a_bot_that_has_failed() {
    let gate = "[run]\nconcurrency = 1\n[sandbox]\nmode = \"none\"\n\
                [gate]\nagainst = [\"random:seed=9\"]\nblocks = 3\n";
    let desk = desk("");
    let record = format!("illegal 1 {}", desk.path("seen/record").display());
    let recorder = script("python3", "tests/bots/misbehave.py", &record);
    let text = SMALL.replace("random:seed=3", &recorder).replace("blocks = 4", "blocks = 1");
    std::fs::write(desk.path("small.toml"), format!("{text}\n{gate}")).unwrap();
    std::fs::create_dir(desk.path("seen")).unwrap();
    // It must be able to write there, whichever user it is.
    let for_all = std::fs::Permissions::from_mode(0o777);
    std::fs::set_permissions(desk.path("seen"), for_all).unwrap();
    let printed = desk.done(&["tournament", "run", "small.toml"]);
    assert!(printed.contains("carl was rejected by the gate: it failed as"), "{printed}");
    let record = std::fs::read_to_string(desk.path("seen/record")).unwrap();
    let started = record.lines().filter(|line| line.contains("\"type\":\"start\""));
    assert_eq!(started.count(), 1, "{record}");
}

#[test]
fn openings_that_change_change_nothing_in_a_tournament_that_was_begun() {
    let desk = desk(&SMALL.replace("seed = 7", "seed = 7\nopenings = \"starts.jsonl\""));
    let start = |detectives: &str| {
        let line = format!("{{\"mr_x\":1,\"detectives\":[{detectives}]}}\n");
        std::fs::write(desk.path("starts.jsonl"), line).unwrap();
    };
    start("7,25");
    desk.done(&["tournament", "run", "small.toml"]);
    start("13,25");
    let ran = desk.run(&["tournament", "resume", "small.tournament"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stderr.contains("the openings or rules have changed"), "{ran:#?}");
    // Games played after this have the same start.
    desk.done(&["tournament", "rejudge", "small.tournament", "--bot", "ben"]);
    let mut replays = 0;
    for entry in std::fs::read_dir(desk.path("small.tournament/replays")).unwrap() {
        for file in std::fs::read_dir(entry.unwrap().path()).unwrap() {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            assert!(text.contains("[7,25]") && !text.contains("[13,25]"), "{text}");
            replays += 1;
        }
    }
    assert_eq!(replays, 24 + 16);
    std::fs::remove_file(desk.path("starts.jsonl")).unwrap();
    desk.done(&["tournament", "resume", "small.tournament"]);
}

#[test]
fn a_disk_that_is_full_ends_a_run_and_not_the_tournament() {
    // Enough games for the store itself to exceed the limit, however often its journal is emptied.
    let text = SMALL.replace("blocks = 4", "blocks = 48");
    let desk = desk(&text.replace("[time]", "[sandbox]\nmode = \"none\"\n\n[time]"));
    desk.done(&["tournament", "run", "small.toml", "--out", "whole"]);
    // No file may become larger than 50 KiB: writing more fails, as it does on a full disk.
    let limited = format!("ulimit -f 100; exec '{}' tournament run small.toml --out full", BOTYARD);
    let mut shell = Command::new("sh");
    let ran = shell.args(["-c", &limited]).current_dir(desk.path("")).output().expect("sh runs");
    let stderr = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("run `botyard tournament resume`"), "{stderr}");
    desk.done(&["tournament", "resume", "full"]);
    assert_eq!(csv(&desk, "full"), csv(&desk, "whole"));
}

#[test]
fn a_limit_of_file_sizes_is_a_full_disk_and_bots_know_nothing_of_it() {
    let desk = Desk::new();
    // A replay is larger than this, but smaller than one write.
    let limited = format!(
        "ulimit -f 4; exec '{BOTYARD}' match scotland-yard random random --seed 1 --move-time 30000 \
         --out replays"
    );
    let mut shell = Command::new("sh");
    let ran = shell.args(["-c", &limited]).current_dir(desk.path("")).output().expect("sh runs");
    let stderr = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(3), "{ran:?}");
    assert!(stderr.contains("writing the replay: File too large"), "{stderr}");
    // A bot must find the default action of the signal, number 25. It uses builtin commands, because
    // tier A starts no other program.
    let bot = "sh -c 'while read line; do case $line in SigIgn*) echo $line >&2;; esac; done </proc/$$/status'";
    for sandbox in ["none", "auto"] {
        let args = ["match", "scotland-yard", bot, "random", "--sandbox", sandbox, "--seed", "1"];
        let ran = desk.run(&args);
        let mask = ran.stdout.split("| SigIgn: ").nth(1).and_then(|rest| rest.split('\n').next());
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        assert_eq!(mask.expect("its mask") & (1 << 24), 0, "{sandbox}: {ran:#?}");
    }
}

#[test]
fn a_place_that_cannot_be_written_to_is_refused() {
    let desk = desk(SMALL);
    std::fs::write(desk.path("file"), "").unwrap();
    for (out, code) in [("file", 2), ("file/below", 3), ("/proc/none", 3)] {
        let ran = desk.run(&["tournament", "run", "small.toml", "--out", out]);
        assert_eq!(ran.code, Some(code), "{out}: {ran:#?}");
        assert!(ran.stderr.contains(out), "{ran:#?}");
    }
}

/// Runs the whole of [`a_tournament_that_is_killed_goes_on_as_if_it_had_not_been`] on a small
/// scale. Run it with `cargo test --test system fifty -- --ignored --nocapture`.
#[test]
#[ignore = "takes some minutes"]
fn two_thousand_games_survive_fifty_kills() {
    let first = script("python3", "tests/bots/recorder.py", "/dev/null");
    let text = SMALL.replace("random:seed=3", &first).replace("blocks = 4", "blocks = 334");
    let desk = desk(&text);
    let whole = desk.command(&["tournament", "run", "small.toml", "--out", "whole", "-j", "2"]);
    assert!({ whole }.output().unwrap().status.success());
    let mut moments = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut kills = 0;
    while kills < 50 {
        let args: &[&str] = match desk.path("killed/tournament.db").exists() {
            false => &["tournament", "run", "small.toml", "--out", "killed", "-j", "2"],
            true => &["tournament", "resume", "killed", "-j", "2"],
        };
        let child = desk.command(args).spawn().expect("botyard starts");
        std::thread::sleep(Duration::from_millis(moments.random_range(..2500)));
        kill_with_all(child);
        kills += 1;
    }
    // However long that takes.
    let rest = desk.command(&["tournament", "resume", "killed", "--json"]).output().unwrap();
    assert!(rest.status.success(), "{rest:?}");
    let events = events(&String::from_utf8(rest.stdout).unwrap());
    let left = events_of(&events, "game_ended").len();
    let [started] = events_of(&events, "tournament_started")[..] else { panic!("one start") };
    let before = started["played_before"].as_u64().unwrap();
    println!("{kills} kills; {before} games were kept through them, {left} were left to play");
    assert_eq!((before + left as u64, &started["games"]), (2004, &2004.into()));
    assert!(before > 0, "the kills left something to be kept");
    assert_eq!(csv(&desk, "killed"), csv(&desk, "whole"));
    let mut replays = 0;
    for entry in std::fs::read_dir(desk.path("killed/replays")).unwrap() {
        let files: Vec<String> = std::fs::read_dir(entry.unwrap().path())
            .unwrap()
            .map(|file| file.unwrap().path().to_string_lossy().into_owned())
            .collect();
        let mut verify = vec!["replay", "verify"];
        verify.extend(files.iter().map(String::as_str));
        desk.done(&verify);
        replays += files.len();
    }
    assert_eq!(replays, 2004);
}

/// A bot whose actions are illegal until a file exists.
const WRONG_UNTIL_MENDED: &str = r#"
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    match message["type"]:
        case "hello": answer = {"type": "hello", "protocol": 1, "name": "carl", "games": []}
        case "start": answer = {"type": "ready"}
        case "turn":
            action = message["legal"][0] if os.path.exists("HERE/mended") else "east"
            answer = {"type": "move", "turn": message["turn"], "action": action}
        case "quit": break
        case _: continue
    print(json.dumps(answer), flush=True)
"#;

#[test]
fn games_that_are_judged_anew_change_nothing_until_they_are_applied() {
    let read = "[sandbox]\nread = [\"state\"]\n";
    let desk = desk(&format!("{}{read}", SMALL.replace("random:seed=3", "python3 carl.py")));
    // Files that all bots may read are used in place.
    std::fs::create_dir(desk.path("state")).unwrap();
    let state = desk.path("state").canonicalize().unwrap();
    let bot = WRONG_UNTIL_MENDED.replace("HERE", state.to_str().unwrap());
    std::fs::write(desk.path("carl.py"), bot).unwrap();
    desk.done(&["tournament", "run", "small.toml"]);
    let before = csv(&desk, "small.tournament");
    std::fs::write(desk.path("state/mended"), "").unwrap();
    let rejudge =
        |more: &[&str]| desk.run(&[&["tournament", "rejudge", "small.tournament"], more].concat());
    for (more, expected) in [
        (&[][..], "no games selected"),
        (&["--bot", "carll"], "no bot is called \"carll\" (did you mean carl?)"),
        (&["--game", "x"], "no game of the tournament has the ID x"),
        (&["--apply"], "no rejudge is pending"),
    ] {
        let ran = rejudge(more);
        assert_eq!(ran.code, Some(2), "{ran:#?}");
        assert!(ran.stderr.contains(expected), "{ran:#?}");
    }
    // An interrupted rejudge is not a set that could be applied.
    let choice = ["--bot", "carl", "--reason", "no buses", "--json", "-j", "1"];
    let args = [&["tournament", "rejudge", "small.tournament"], &choice[..]].concat();
    let mut child = desk.command(&args).spawn().expect("botyard starts");
    let lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let ended = |line: &std::io::Result<String>| line.as_ref().unwrap().contains("game_ended");
    assert_eq!(lines.filter(ended).take(1).count(), 1);
    kill_with_all(child);
    let ran = rejudge(&["--apply"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("to rejudge without a result"), "{ran:#?}");
    let rejudged = rejudge(&[]);
    assert_eq!(rejudged.code, Some(0), "{rejudged:#?}");
    assert!(
        rejudged.stdout.contains("of 16 games rejudged with a different result"),
        "{rejudged:#?}"
    );
    assert_eq!(csv(&desk, "small.tournament"), before);
    let ran = rejudge(&["--bot", "ben"]);
    assert!(ran.stderr.contains("a rejudge of 16 games is pending"), "{ran:#?}");
    let applied = rejudge(&["--apply"]);
    assert_eq!(applied.code, Some(0), "{applied:#?}");
    assert_ne!(csv(&desk, "small.tournament"), before);
    // No game is left to rejudge by its faults.
    let ran = rejudge(&["--faults"]);
    assert!(ran.stderr.contains("no game matches the selection"), "{ran:#?}");
    let events = events(&desk.done(&["tournament", "resume", "small.tournament", "--json"]));
    assert_eq!(events_of(&events, "game_ended").len(), 0);
}
