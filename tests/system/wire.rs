//! What passes between the referee and a bot, shown while a game is played and afterwards, and a
//! bot prepared for a debugger.

use crate::command::{Desk, GENEROUS, events, misbehaving};
use std::fs;

const GAME: [&str; 6] = ["scotland-yard", "--rules", "grid-5x5-2", "--seed", "1", "random"];

/// A bot with a log line, `info`, and noise on standard error.
const TALKER: &str = r#"
import json, sys, time
def say(message): print(json.dumps(message), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "hello", "protocol": 1, "name": "talker", "version": "2"})
    if message["type"] == "start":
        print("warming up", file=sys.stderr, flush=True)
        say({"type": "ready"})
    if message["type"] == "turn":
        say({"type": "log", "text": "hm"})
        info = {"score": 0.25, "depth": 3, "pv": ["a", "b"], "text": "good"}
        say({"type": "move", "turn": message["turn"], "action": message["legal"][0], "info": info})
"#;

fn talker(desk: &Desk) -> String {
    fs::create_dir_all(desk.path("talker")).unwrap();
    fs::write(desk.path("talker/bot.py"), TALKER).unwrap();
    "talker=python3 talker/bot.py".into()
}

fn args<'a>(bot: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let args: [&[&str]; 4] = [&["match", GAME[0], bot], &GAME[1..], more, &GENEROUS];
    args.concat()
}

/// Returns the lines of the bot's dialogue.
fn lines_of<'a>(text: &'a str, bot: &str) -> Vec<&'a str> {
    let starts = ["> ", "< "].map(|mark| format!("{mark}{bot}: "));
    text.lines().filter(|line| starts.iter().any(|start| line.starts_with(start))).collect()
}

#[test]
fn a_trace_shows_every_line_and_the_replay_the_same() {
    let desk = Desk::new();
    let bot = talker(&desk);
    let ran = desk.run(&args(&bot, &["--trace=full", "--out", "r"]));
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let live = lines_of(&ran.stderr, "talker");
    assert!(live[0].starts_with("> talker: {\"type\":\"hello\",\"protocol\":1,"), "{live:#?}");
    assert!(live[1].starts_with("< talker: {\"type\": \"hello\", \"protocol\": 1"), "{live:#?}");
    assert_eq!(live.last(), Some(&"> talker: {\"type\":\"quit\"}"), "{live:#?}");
    assert!(!lines_of(&ran.stderr, "random").is_empty(), "{ran:#?}");
    assert!(!ran.stderr.contains("warming up"), "{ran:#?}");

    let replay = "r/scotland-yard-5a317b15-00001.ndjson";
    let rebuilt = desk.done(&["replay", "wire", replay, "--seat", "mr-x", "--full"]);
    let rebuilt: Vec<&str> = rebuilt.lines().collect();
    // The bot's own spaces are not recorded, and it has no `quit`.
    let plain = |line: &&str| line.replace(": ", ":").replace(", ", ",");
    let expected: Vec<String> = live[..live.len() - 1].iter().map(plain).collect();
    assert_eq!(rebuilt.iter().map(plain).collect::<Vec<_>>().len(), expected.len());
    for (rebuilt, live) in rebuilt.iter().map(plain).zip(&expected) {
        let sort = |line: &str| {
            let mut letters: Vec<char> = line.chars().collect();
            letters.sort_unstable();
            letters
        };
        assert_eq!(sort(&rebuilt), sort(live), "{rebuilt}\n{live}");
    }

    // Standard output is no terminal.
    let some = desk.done(&["replay", "wire", replay, "--seat", "1", "--until", "1"]);
    assert_eq!(lines_of(&some, "talker").len(), 7, "{some}");
    for line in lines_of(&some, "talker") {
        let message = line.split_once(": ").unwrap().1;
        assert!(serde_json::from_str::<serde_json::Value>(message).is_ok(), "{line}");
    }
    let ran = desk.run(&["replay", "wire", replay, "--seat", "white"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
}

#[test]
fn a_trace_leaves_standard_output_to_the_events() {
    let desk = Desk::new();
    let bot = talker(&desk);
    let ran = desk.run(&args(&bot, &["--trace", "--stderr", "--json", "-n", "2"]));
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(events(&ran.stdout).last().unwrap()["type"], "match_ended");
    let starts = lines_of(&ran.stderr, "talker");
    let is_start = |line: &&&str| line.contains("\"type\":\"start\"");
    let start = starts.iter().find(is_start).expect("a start");
    assert!(start.len() < 450 && start.ends_with(" bytes)"), "a long line is short: {start}");
    assert!(start.contains("... ") && start.contains(" more"), "it says what is left out: {start}");
    assert!(ran.stderr.contains("! talker: warming up\n"), "{ran:#?}");
}

#[test]
fn what_a_bot_thinks_is_shown_behind_its_move() {
    let desk = Desk::new();
    let bot = talker(&desk);
    let shown = desk.done(&args(&bot, &["--out", "r"]));
    let info = "ms)  score 0.25, depth 3, pv a b, \"good\"\n";
    assert!(shown.contains(info), "{shown}");
    assert!(!shown.contains("warming up"), "only --stderr shows it: {shown}");
    let replay = "r/scotland-yard-5a317b15-00001.ndjson";
    assert!(desk.done(&["replay", "show", replay]).contains(info));
    assert!(desk.done(&["replay", "show", replay, "--seat", "mr-x"]).contains(info));
    let other = desk.done(&["replay", "show", replay, "--seat", "detectives"]);
    assert!(!other.contains("score 0.25"), "it is not for the other side: {other}");
}

#[test]
fn a_bot_for_a_debugger_has_no_clock_no_sandbox_and_its_standard_error_is_shown() {
    let desk = Desk::new();
    talker(&desk);
    fs::create_dir(desk.path("elsewhere")).unwrap();
    let secret = desk.path("elsewhere/secret");
    fs::write(&secret, "").unwrap();
    let pause = "time.sleep(1.2)";
    let text = TALKER
        .replace("import json, sys, time", &format!("import json, sys, time; {pause}"))
        .replace("say({\"type\": \"ready\"})", &format!("{pause}; say({{\"type\": \"ready\"}})"))
        .replace("say({\"type\": \"log\"", &format!("{pause}; say({{\"type\": \"log\""))
        .replace("print(\"warming up\"", &format!("open({secret:?}); print(\"warming up\""));
    fs::write(desk.path("talker/bot.py"), text).unwrap();
    let bot = "talker=python3 talker/bot.py";
    let times = ["--start-time", "300", "--setup-time", "300", "--move-time", "300"];
    let game: [&[&str]; 3] = [&["match", GAME[0], bot], &GAME[1..], &times];
    let game = game.concat();
    let ran = desk.run(&[&game[..], &["--debug", "talker", "--out", "r"]].concat());
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(!ran.stdout.contains("talker fails") && ran.stdout.contains("score 0.25"), "{ran:#?}");
    assert!(ran.stderr.contains("! talker: warming up\n"), "{ran:#?}");
    assert!(ran.stderr.contains("warning: talker has no clock and no sandbox"), "{ran:#?}");
    let conditions =
        "\ntalker: no clock; no sandbox\nother bots: 300 ms per move (wall-clock time);";
    assert!(ran.stdout.contains(conditions), "{ran:#?}");
    let replay = "r/scotland-yard-5a317b15-00001.ndjson";
    desk.done(&["replay", "verify", replay]);
    let header = fs::read_to_string(desk.path(replay)).unwrap();
    let header = header.lines().next().unwrap();
    assert!(
        header.contains("\"untimed\":true") && header.contains("\"sandbox\":\"none\""),
        "{header}"
    );

    let ran = desk.run(&[&game[..], &["--debug", "talkr"]].concat());
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("--debug talkr: no bot of this match is called"), "{ran:#?}");
    assert!(ran.stderr.contains("did you mean talker?"), "{ran:#?}");
}

#[test]
fn start_up_and_set_up_have_limits_of_their_own() {
    let desk = Desk::new();
    for (mode, option, asked) in
        [("silent", "--start-time", "\"hello\""), ("never_ready", "--setup-time", "\"start\"")]
    {
        let bot = format!("slow={}", misbehaving(mode));
        let ran = crate::command::unless_void(|| desk.run(&args(&bot, &[option, "700"])));
        for expected in [
            &format!("expected an answer to {asked} within 700 ms, none came"),
            "; most likely the output was not flushed: in Python, print(..., flush=True)\n",
        ] {
            assert!(ran.stdout.contains(expected), "{mode}: {ran:#?}");
        }
    }
    let text = format!(
        "game = \"scotland-yard\"\nrules = \"grid-5x5-2\"\nformat = \"round-robin\"\nblocks = 1\n\
         seed = 7\n[time]\nmove_ms = 30000\nsetup_ms = 700\n[sandbox]\nmode = \"none\"\n\
         [[bot]]\nname = \"anna\"\ncommand = {:?}\n[[bot]]\nname = \"ben\"\ncommand = \"random\"\n",
        misbehaving("never_ready")
    );
    fs::write(desk.path("small.toml"), text).unwrap();
    let ran = desk.run(&["tournament", "run", "small.toml", "--json"]);
    assert!(ran.stdout.contains("answer to \\\"start\\\" within 700 ms"), "{ran:#?}");
}
