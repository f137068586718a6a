//! What the author of a failing bot is shown: the cause, where to find more, and what to write
//! instead of a command line that cannot work.

use crate::command::{Desk, GENEROUS, misbehaving, unless_void};
use crate::sandbox::tier_here;
use std::fs;

/// A bot in Python with this code in place of its first answer to `turn`, before `action` is sent.
fn bot(desk: &Desk, name: &str, at_turn: &str) -> String {
    let text = format!(
        r#"
import json, os, sys
def say(message): print(json.dumps(message), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello": say({{"type": "hello", "protocol": 1, "name": "x"}})
    if message["type"] == "start": say({{"type": "ready"}})
    if message["type"] == "turn":
        action = message["legal"][0]
        {at_turn}
        say({{"type": "move", "turn": message["turn"], "action": action}})
    if message["type"] in ["end", "error"]: print("AFTER THE RULING", file=sys.stderr, flush=True)
"#
    );
    fs::create_dir_all(desk.path(name)).unwrap();
    fs::write(desk.path(&format!("{name}/bot.py")), text).unwrap();
    format!("python3 {name}/bot.py")
}

const GAME: [&str; 6] = ["scotland-yard", "--rules", "grid-5x5-2", "--seed", "1", "random"];

/// Returns the last lines of a game that this bot loses: from the line with its reason.
fn ending(desk: &Desk, bot: &str, more: &[&str]) -> String {
    let args: [&[&str]; 4] = [&["match", GAME[0], bot], &GAME[1..], more, &GENEROUS];
    let shown = desk.done(&args.concat());
    shown[shown.find("\nforfeit_").unwrap_or_else(|| panic!("{shown}"))..].to_string()
}

#[test]
fn the_end_of_a_game_repeats_the_fault_and_says_where_the_standard_error_is() {
    let desk = Desk::new();
    let functions: Vec<String> = (1..8).map(|n| format!("def f{n}(): f{}()", n - 1)).collect();
    let code = format!("def f0(): [][1]\n{}\nf7()", functions.join("\n"));
    let bot = bot(&desk, "anna", &code.replace('\n', "\n        "));
    let end = ending(&desk, &bot, &["--out", "r"]);
    let fault = "mr-x fails at move 1: crash: expected an answer to \"turn\" 1, but the program";
    assert!(end.contains(&format!("bot: {fault} exited with code 1")), "{end}");
    // Nine frames and their code are more than the last ten lines.
    for line in ["Traceback (most recent call last):", "IndexError: list index out of range"] {
        assert!(end.contains(&format!("    | {line}\n")), "{end}");
    }
    assert_eq!(end.matches(", in f").count(), 8, "{end}");
    let kept = "r/scotland-yard-5a317b15-00001.bot1-bot.stderr.txt";
    assert!(end.contains(&format!("  all of its standard error: {kept}\n")), "{end}");
    assert!(fs::read_to_string(desk.path(kept)).unwrap().contains("IndexError"));
}

/// It has answered before, so its output is flushed: the cause is a loop or a wait, and is seen on the
/// recorded lines.
#[test]
fn a_bot_that_hangs_in_the_middle_of_a_game_is_run_on_its_lines() {
    let desk = Desk::new();
    let code = "while message[\"turn\"] > 1: pass";
    let bot = bot(&desk, "anna", code);
    let more = ["--out", "r", "--move-time", "1s", "--sandbox", "none"];
    let args: [&[&str]; 4] = [&["match", GAME[0], &bot], &GAME[1..], &more, &[]];
    let shown = unless_void(|| {
        let _ = fs::remove_dir_all(desk.path("r"));
        desk.run(&args.concat())
    });
    let end = &shown.stdout;
    let hint =
        "\n    botyard replay stdin r/scotland-yard-5a317b15-00001.ndjson --seat mr-x --until ";
    for expected in
        ["look for an endless loop or a wait", "press Ctrl-C", hint, " | python3 anna/bot.py\n"]
    {
        assert!(end.contains(expected), "{expected}: {shown:#?}");
    }
    assert!(!end.contains("flush"), "{shown:#?}");
    let turn = end[end.find(hint).unwrap() + hint.len()..].split(' ').next().unwrap();
    let replay = "r/scotland-yard-5a317b15-00001.ndjson";
    let lines = desk.done(&["replay", "stdin", replay, "--seat", "mr-x", "--until", turn]);
    let last = lines.lines().last().unwrap();
    assert!(last.contains(&format!("\"turn\":{turn},")), "{last}");
}

#[test]
fn what_a_bot_writes_because_its_game_is_lost_is_not_shown_as_the_cause() {
    let desk = Desk::new();
    let code = "action = 'nowhere'; print('BEFORE', file=sys.stderr, flush=True)";
    let bot = bot(&desk, "anna", code);
    let end = ending(&desk, &bot, &[]);
    assert!(end.contains("    | BEFORE\n") && !end.contains("AFTER THE RULING"), "{end}");
}

#[test]
fn a_contained_bot_that_misses_a_file_is_told_what_it_may_read() {
    let desk = Desk::new();
    let tier = tier_here(&desk);
    if tier == "none" {
        return;
    }
    fs::write(desk.path("weights.bin"), "w").unwrap();
    let file = desk.path("weights.bin");
    let bot = bot(&desk, "anna", &format!("open({:?})", file.to_str().unwrap()));
    let end = ending(&desk, &bot, &[]);
    for expected in [
        &format!("; the bot is contained (tier {tier}): it may read the system's programs"),
        "pass other paths to --read",
        "use --sandbox none",
    ] {
        assert!(end.contains(expected), "{expected:?} is missing: {end}");
    }
    // The advice works.
    for more in [["--read", file.to_str().unwrap()], ["--sandbox", "none"]] {
        let args: [&[&str]; 4] = [&["match", GAME[0], &bot], &GAME[1..], &more, &GENEROUS];
        let shown = desk.done(&args.concat());
        assert!(!shown.contains("fails at move"), "{shown}");
    }
}

#[test]
fn a_match_of_several_games_keeps_those_with_faults() {
    let desk = Desk::new();
    let bot = format!("culprit={}", misbehaving("garbage 2"));
    let args = ["match", "scotland-yard", &bot, "random", "-n", "2", "--seed", "1"];
    let shown = desk.done(&[&args[..], &GENEROUS].concat());
    let kept = "replays of games with faults, and the standard error of bots: replays; to keep all";
    assert!(shown.contains(kept), "{shown}");
    let replays = desk.replays("replays");
    assert_eq!(replays.len(), 2, "{shown}");
    for replay in &replays {
        desk.done(&["replay", "verify", replay.to_str().unwrap()]);
    }
    let shown = desk.done(&[&args[..], &GENEROUS, &["--out", "r"]].concat());
    assert!(!shown.contains(kept) && shown.contains("\nreplays: r\n"), "{shown}");
    assert_eq!(desk.replays("replays").len(), 2);
}

#[test]
fn games_without_faults_leave_no_directory_of_replays() {
    let desk = Desk::new();
    desk.done(&["match", "scotland-yard", "greedy", "random", "-n", "4", "--seed", "1"]);
    assert!(!desk.path("replays").exists());
}

#[test]
fn a_command_line_that_cannot_work_is_refused_with_one_that_does() {
    let desk = Desk::new();
    let plain = bot(&desk, "anna", "pass");
    let run = |bot: &str| {
        let args: [&[&str]; 3] = [&["match", GAME[0], bot], &GAME[1..], &GENEROUS];
        desk.run(&args.concat())
    };
    for (wrong, advice, right) in [
        (format!("A=1 {plain}"), "write: env A=1 python3 anna/bot.py", format!("env A=1 {plain}")),
        (
            format!("{plain} 2> /dev/null"),
            "write: sh -c 'python3 anna/bot.py 2> /dev/null' FILES",
            format!("sh -c 'exec {plain} 2> /dev/null' anna/bot.py"),
        ),
        ("python3 missing.py".into(), "there is no file missing.py for python3 to run", plain),
    ] {
        let ran = run(&wrong);
        assert_eq!(ran.code, Some(2), "{wrong}: {ran:#?}");
        assert!(ran.stderr.contains(advice), "{wrong}: {ran:#?}");
        let ran = run(&right);
        assert_eq!(ran.code, Some(0), "{right}: {ran:#?}");
        assert!(!ran.stdout.contains("fails at move"), "{right}: {ran:#?}");
        assert!(!ran.stdout.contains("start_failed"), "{right}: {ran:#?}");
    }
}

#[test]
fn two_bots_of_the_same_file_name_are_called_after_their_directories() {
    let desk = Desk::new();
    let bots = ["anna", "ben"].map(|name| bot(&desk, name, "pass"));
    let args = ["match", GAME[0], &bots[0], &bots[1], "--rules", "grid-5x5-2", "--seed", "1"];
    let shown = desk.done(&[&args[..], &GENEROUS].concat());
    assert!(shown.contains("mr-x        anna\n  detectives  ben\n"), "{shown}");
}
