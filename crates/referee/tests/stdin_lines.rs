//! `replay stdin` and `replay wire` compared with a live game: real bots record every line that a
//! real referee sends them, and a tap records both sides.

use crate::fixtures::backend;
use botyard_engine::registry;
use botyard_protocol::{BotTime, ClockKind, Limits, OnFault, TimeControl};
use botyard_referee::{
    Bot, BotCommand, GameSpec, Interrupt, Stream, ThisHost, Wiretap, play, start_all,
};
use botyard_replay::{ReplayReader, ReplayWriter, dialogue, registered_table, write_stdin};
use serde_json::Value;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// A bot that plays the first legal action and writes every line that it receives to the file named
/// by its first argument. Its second argument names the fault that it commits when it is asked the
/// fourth time.
const RECORDER: &str = r#"
import json, sys
kept, trouble, asked = open(sys.argv[1], "w"), sys.argv[2], 0
for line in sys.stdin:
    kept.write(line)
    kept.flush()
    message = json.loads(line)
    kind, answer = message["type"], None
    if kind == "hello":
        answer = {"type": "hello", "protocol": 1, "name": "recorder"}
    elif kind == "start":
        answer = {"type": "ready"}
        if trouble == "unready":
            answer = {"type": "hello", "protocol": 1, "name": "recorder"}
    elif kind == "turn":
        asked += 1
        print(json.dumps({"type": "log", "text": "hm"}), flush=True)
        answer = {"type": "move", "turn": message["turn"], "action": message["legal"][0]}
        if asked == 4 and trouble == "illegal":
            answer["action"] = {"ticket": "taxi", "to": 199}
        if asked == 4 and trouble == "crash":
            sys.exit(3)
    elif kind == "quit":
        break
    if answer:
        print(json.dumps(answer), flush=True)
"#;

/// A line as it is compared: of the bot's `hello` the replay has only a part.
fn comparable(stream: Stream, line: &[u8]) -> (Stream, Value) {
    let message: Value = serde_json::from_slice(line).expect("both sides write JSON");
    match message["type"] == "hello" && stream == Stream::Stdout {
        true => (stream, message["name"].clone()),
        false => (stream, message),
    }
}

fn game(
    directory: &Path,
    name: &str,
    seats: &[usize],
    trouble: &str,
    on_fault: OnFault,
    bank: bool,
) {
    let script = directory.join("recorder.py");
    std::fs::write(&script, RECORDER).expect("a file in a temporary directory");
    let kept = |bot: usize| directory.join(format!("{name}-{bot}"));
    let interrupt = Interrupt::new().expect("a pipe");
    let count = seats.iter().max().expect("there are seats") + 1;
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hears = heard.clone();
    let wiretap = Wiretap::new(move |bot, stream, line| {
        let line = (bot.to_string(), stream, line.to_vec());
        hears.lock().expect("no thread panics").push(line);
    });
    let bot = |index: usize| {
        let trouble = if index == count - 1 { trouble } else { "none" };
        Bot::new(BotCommand {
            name: format!("bot-{index}"),
            program: "python3".into(),
            args: vec![script.clone().into(), kept(index).into(), trouble.into()],
            may_be_root: true,
            time: (index == 1).then_some(BotTime {
                move_ms: Some(40_000),
                bank_ms: Some(200_000),
                increment_ms: 9,
            }),
            ..BotCommand::default()
        })
        .run_by(backend())
        .tapped(wiretap.clone())
    };
    let mut bots: Vec<Bot> = (0..count).map(bot).collect();
    let pawns = if seats.len() > 2 { "pawns" } else { "sides" };
    let changes = [("seats".to_string(), pawns.to_string())];
    let maker = registry::tables("scotland-yard", Some("bristol"), &changes).expect("good rules");
    let mut table = maker();
    let spec = GameSpec {
        game_id: name,
        seed: 5.into(),
        time: TimeControl {
            kind: ClockKind::Wall,
            move_ms: Some(30_000),
            bank_ms: bank.then_some(100_000),
            // Without a bank, the increment would be all the time of the first decision.
            increment_ms: if bank { 7 } else { 0 },
            grace_ms: 0,
            on_fault,
        },
        // The bots get ample time to write their last lines to the file.
        limits: Limits { quit_ms: 60_000, ..Limits::default() },
        send_legal: true,
        opening: None,
        seats,
        gauge: &ThisHost,
        void_at: None,
        adjudicator: None,
    };
    start_all(&mut bots, &spec.limits, &interrupt).expect("python3 is needed for this test");
    let mut replay = Vec::new();
    let mut writer =
        ReplayWriter::new(&mut replay, &spec.header(&*table, &bots)).expect("memory does not fail");
    let report = play(&mut *table, &mut bots, &spec, &interrupt, Some(&mut writer), &mut |_| {})
        .expect("a game");
    drop(writer);
    Bot::quit_all(&mut bots, &spec.limits).expect("bots that leave");
    let faults = usize::from(trouble != "none");
    assert_eq!(report.faults.len(), faults, "{name}: {:?}", report.faults);
    let heard = std::mem::take(&mut *heard.lock().expect("no thread panics"));
    for (seat, &bot) in seats.iter().enumerate() {
        let mut rebuilt = Vec::new();
        let reader = ReplayReader::new(&replay[..]).expect("a replay");
        let number = (seat + 1).to_string();
        dialogue(reader, &registered_table, &number, None, &mut |stream, line| {
            rebuilt.push(comparable(stream, line));
            Ok(())
        })
        .expect("sound");
        let live: Vec<_> = (heard.iter())
            .filter(|(name, stream, line)| {
                let is_quit = line == b"{\"type\":\"quit\"}";
                *name == format!("bot-{bot}") && *stream != Stream::Stderr && !is_quit
            })
            .map(|(_, stream, line)| comparable(*stream, line))
            .collect();
        assert_eq!(rebuilt, live, "{name}: bot {bot}, seat {seat}");
        let sent = std::fs::read_to_string(kept(bot)).expect("the bot has kept its lines");
        let sent = sent.strip_suffix("{\"type\":\"quit\"}\n").unwrap_or(&sent);
        let to_seat = |until| {
            let mut to_seat = Vec::new();
            let reader = ReplayReader::new(&replay[..]).expect("a replay");
            let seat = (seat + 1).to_string();
            write_stdin(reader, &registered_table, &seat, until, &mut to_seat).expect("sound");
            String::from_utf8(to_seat).expect("messages are UTF-8")
        };
        let whole = to_seat(None);
        if report.faults.is_empty() || bot < count - 1 {
            assert_eq!(whole, sent, "{name}: bot {bot}, seat {seat}");
        } else {
            // A bot that has failed is ended soon, and may not have read the lines after that.
            let (kept, rest) =
                whole.split_at_checked(sent.len()).expect("no more than it was sent");
            assert_eq!(kept, sent, "{name}: bot {bot}, seat {seat}");
            let question = rest.lines().find(|line| line.contains("\"type\":\"turn\""));
            assert_eq!(question, None, "{name}: bot {bot}, seat {seat}");
        }
        // With a limit of turns, the output is a prefix of the whole without any later turn.
        let some = to_seat(Some(6));
        assert!(whole.starts_with(&some), "{name}: bot {bot}");
        let turn = |line: &str| {
            let message: Value = serde_json::from_str(line).expect("JSON");
            message["turn"].as_u64().filter(|_| message["type"] == "turn")
        };
        let wanted = whole.lines().filter(|line| turn(line).is_some_and(|turn| turn <= 6)).count();
        assert_eq!(some.lines().filter(|line| turn(line).is_some()).count(), wanted, "{name}");
        assert!(!some.lines().any(|line| turn(line).is_some_and(|turn| turn > 6)), "{name}");
    }
}

#[test]
fn a_bot_was_sent_exactly_these_lines() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    use OnFault::{Forfeit, Retry, Substitute};
    for (name, seats, trouble, on_fault, bank) in [
        ("clean", &[0, 1][..], "none", Forfeit, false),
        ("bank", &[0, 1], "none", Forfeit, true),
        ("illegal", &[0, 1], "illegal", Forfeit, true),
        ("again", &[0, 1], "illegal", Retry, true),
        ("substitute", &[0, 1], "illegal", Substitute, true),
        ("crash", &[0, 1], "crash", Forfeit, false),
        ("unready", &[0, 1], "unready", Forfeit, false),
        ("seats", &[0, 1, 1, 2, 2, 1], "none", Forfeit, true),
        ("dropped", &[0, 1, 1, 2, 2, 1], "illegal", Forfeit, true),
    ] {
        game(directory.path(), name, seats, trouble, on_fault, bank);
    }
}
