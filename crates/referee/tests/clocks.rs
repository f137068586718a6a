//! The CPU clock, excused time, and frozen bots.

use crate::fixtures::{command, dice, misbehaving, move_time, no_interrupt, spec};
use botyard_engine::Table;
use botyard_protocol::{ClockKind, Fault, FaultKind, Limits, OutcomeKind, TimeControl};
use botyard_referee::{
    Backend, Bot, CanaryReading, GameReport, GameSpec, HostGauge, Notice, Progress, ThisHost, play,
    start_all,
};
use botyard_replay::{MoveTime, ReplayReader, ReplayWriter, verify};
use botyard_sandbox::{CoreWait, CoreWaits, HostLoad};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::sync::Mutex;
use std::time::{Duration, Instant};

fn processor_time(move_ms: u64) -> TimeControl {
    TimeControl { kind: ClockKind::Cpu, ..move_time(move_ms) }
}

/// Plays the dice race. Returns its report and its replay; `observer` is called at every step.
fn played(
    bots: &mut [Bot],
    spec: &GameSpec<'_>,
    observer: &mut dyn FnMut(&Progress<'_>),
) -> (GameReport, String) {
    played_on(dice(20, 20), bots, spec, observer)
}

/// Does the same on a table of the dice race.
fn played_on(
    mut table: Box<dyn Table>,
    bots: &mut [Bot],
    spec: &GameSpec<'_>,
    observer: &mut dyn FnMut(&Progress<'_>),
) -> (GameReport, String) {
    let interrupt = no_interrupt();
    start_all(bots, &spec.limits, &interrupt).expect("the bots can be started");
    let mut replay = Vec::new();
    let mut writer = ReplayWriter::new(&mut replay, &spec.header(&*table, bots)).unwrap();
    let report = play(&mut *table, bots, spec, &interrupt, Some(&mut writer), observer)
        .expect("the host can play");
    drop(writer);
    (report, String::from_utf8(replay).expect("a replay is JSON"))
}

#[test]
fn processor_time_is_what_a_bot_used_and_the_wall_is_a_backstop() {
    let all_seats = [0, 0, 0];
    for (mode, move_ms, expected) in [
        // It sleeps for 0.8 s, which uses no CPU time but must stay within the wall-clock limit of
        // five times 2 s plus 250 ms.
        ("slow", 2000, None),
        ("never", 100, Some("within 750 ms of wall-clock time, none came; it used")),
        ("ignore_signals", 150, Some("within 150 ms of CPU time, none came after 1")),
        ("good", 30_000, None),
    ] {
        // A bot that computes needs a core, which a busy host gives it later: that is excused only if
        // the host is measured. The others sleep, whatever the host does.
        let gauge: &dyn HostGauge =
            if mode == "ignore_signals" { &ThisHost } else { spec(&all_seats).gauge };
        let game = GameSpec { time: processor_time(move_ms), gauge, ..spec(&all_seats) };
        let (report, replay) = played(&mut [misbehaving("a", mode, 1)], &game, &mut |_| {});
        match (expected, &report.faults[..]) {
            (None, []) => {}
            // On a busy host the bot may not get a fifth of a core.
            (Some(_), []) if report.host.is_some() => {
                assert_eq!(report.outcome.kind, OutcomeKind::Void, "{mode}");
            }
            (Some(words), [Fault { kind: FaultKind::Timeout, message, .. }]) => {
                assert!(message.contains(words), "{mode}: {message}");
            }
            (_, faults) => panic!("{mode}: {faults:?}"),
        }
        for line in replay.lines().filter(|line| line.contains("\"type\":\"move\"")) {
            let is_measured = line.contains("\"cpu_us\":") || line.contains("\"by\":");
            assert!(is_measured, "{mode}: {line}");
        }
    }
}

#[test]
fn a_bank_of_processor_time_is_charged_what_was_used() {
    // Three seats of one bot, each with a bank that two seconds of CPU time would use up.
    let bank = TimeControl { move_ms: None, bank_ms: Some(2000), ..processor_time(1) };
    let all_seats = [0, 0, 0];
    let game = GameSpec { time: bank, ..spec(&all_seats) };
    let (report, replay) = played(&mut [misbehaving("a", "slow", 1)], &game, &mut |_| {});
    assert_eq!(report.faults, [], "{replay}");
    assert!(report.seats.iter().all(|seat| seat.cpu_us.is_some()), "{report:?}");
    assert!(report.seats.iter().any(|seat| seat.wall_us > 2_000_000), "they sleep: {report:?}");
}

/// It sleeps for 0.8 s in each decision, and has 1.75 s of wall-clock time beside its CPU time for all
/// of them.
#[test]
fn a_bot_that_sleeps_uses_up_the_wall_clock_time_of_its_bank() {
    let bank = TimeControl { move_ms: None, bank_ms: Some(300), ..processor_time(1) };
    let all_seats = [0, 0, 0];
    let game = GameSpec { time: bank, ..spec(&all_seats) };
    let (report, _) = played(&mut [misbehaving("a", "slow", 1)], &game, &mut |_| {});
    let [fault, ..] = &report.faults[..] else { panic!("{report:?}") };
    assert_eq!(fault.kind, FaultKind::Timeout, "{fault:?}");
    let is_of_game = fault.message.contains("ms that were left for its game, none came");
    // On a busy host a single decision may take that long.
    assert!(is_of_game || fault.message.contains("ms of wall-clock time"), "{fault:?}");
}

/// Computes while the referee reads log lines of it, and says how much CPU time it used.
const COMPUTES_BETWEEN_LINES: &str = r#"
import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    answer = {"type": "hello", "protocol": 1, "name": "talker", "games": []}
    if message["type"] == "start":
        answer = {"type": "ready"}
    elif message["type"] == "turn":
        begun = time.process_time()
        for _ in range(60):
            sys.stdout.write('{"type":"log","text":"a"}\n' * 2)
            sys.stdout.flush()
            end = time.process_time() + 0.001
            while time.process_time() < end:
                pass
        used = int(1e6 * (time.process_time() - begun))
        legal = message["legal"]
        answer = {"type": "move", "turn": message["turn"], "action": legal[0], "info": {"used": used}}
    elif message["type"] != "hello":
        continue
    print(json.dumps(answer), flush=True)
"#;

/// While the referee reads several lines, the bot is stopped and so is its clock, but not before it has
/// stopped.
#[test]
fn cpu_time_beside_log_lines_is_charged() {
    let talker = command("a", "python3", &["-S", "-c", COMPUTES_BETWEEN_LINES]).with_freeze(true);
    let all_seats = [0, 0, 0];
    let (report, replay) = played(&mut [talker], &spec(&all_seats), &mut |_| {});
    assert_eq!(report.faults, []);
    let lines = replay.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    for line in lines.filter(|line| line["type"] == "move") {
        let (used, wall) = (line["info"]["used"].as_u64(), line["time"]["wall_us"].as_u64());
        assert!(wall.expect("a time") >= used.expect("its time") * 9 / 10, "{line}");
    }
}

/// Returns the state of a process: `T` means stopped.
fn state(id: i32) -> char {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).expect("it runs");
    stat.rsplit(") ").next().and_then(|fields| fields.chars().next()).expect("it has a state")
}

#[test]
fn a_bot_is_stopped_whenever_nothing_is_expected_of_it() {
    let seats = [0, 1, 2];
    let mut bots: Vec<Bot> =
        ["a", "b", "c"].map(|name| misbehaving(name, "good", 1).with_freeze(true)).into();
    start_all(&mut bots, &spec(&seats).limits, &no_interrupt()).expect("the bots can be started");
    let processes: Vec<i32> = bots.iter().map(|bot| bot.process_group().unwrap()).collect();
    let all_are_stopped = |when: &str| {
        for &process in &processes {
            let patience = Instant::now() + Duration::from_secs(60);
            while state(process) != 'T' {
                assert!(Instant::now() < patience, "{when}: {}", state(process));
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    };
    all_are_stopped("before the game");
    let mut moves = 0;
    let (report, replay) = played(&mut bots, &spec(&seats), &mut |progress| {
        if let Progress::Moved { seat, .. } = progress {
            moves += 1;
            // The bot that has moved is stopped, and the others are stopped since they were ready.
            all_are_stopped(&format!("after {seat:?} moved"));
        }
    });
    all_are_stopped("after the game");
    assert_eq!(report.faults, []);
    assert!(moves > 5 && replay.contains("\"frozen\":true"), "{replay}");
    Bot::quit_all(&mut bots, &spec(&seats).limits).expect("they wake up and leave");
}

/// Log lines that arrive together with an answer do not keep the bot running. It is stopped as soon
/// as they are read, and continues if the answer was not among them.
#[test]
fn a_bot_is_stopped_before_the_lines_beside_its_answer_are_looked_at() {
    let seats = [0, 1, 1];
    let mut bots = [misbehaving("a", "many_lines", 1), misbehaving("b", "good", 1)]
        .map(|bot| bot.with_freeze(true));
    start_all(&mut bots, &spec(&seats).limits, &no_interrupt()).expect("the bots can be started");
    let talker = bots[0].process_group().unwrap();
    let mut lines = 0;
    let (report, _) = played(&mut bots, &spec(&seats), &mut |progress| {
        if let Progress::Logged { .. } = progress {
            lines += 1;
            let patience = Instant::now() + Duration::from_secs(60);
            while state(talker) != 'T' {
                assert!(Instant::now() < patience, "line {lines}: {}", state(talker));
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    });
    assert_eq!(report.faults, []);
    assert!(lines >= 90, "{lines} lines");
}

/// A bot that cannot be stopped takes no time from the others: it is ended before they are asked. On
/// a busy host it is ended after several turns: what it used after each of them adds up.
#[test]
fn a_bot_that_does_not_stand_still_has_failed_when_it_is_its_turn_again() {
    let long_game = || dice(1000, 15);
    let seats = [0, 1, 1];
    let mut bots = [misbehaving("a", "leave_its_group", 1), misbehaving("b", "good", 1)]
        .map(|bot| bot.with_freeze(true));
    let spec = spec(&seats);
    start_all(&mut bots, &spec.limits, &no_interrupt()).expect("the bots can be started");
    let runner = bots[0].process_group().unwrap();
    let mut moves = Vec::new();
    let (report, replay) = played_on(long_game(), &mut bots, &spec, &mut |progress| {
        if let Progress::Moved { seat, .. } = progress {
            moves.push(seat.index());
        }
    });
    let [fault] = &report.faults[..] else { panic!("{report:?}") };
    assert_eq!((fault.kind, &*fault.seat), (FaultKind::Timeout, "north"), "{fault:?}");
    assert!(fault.turn > 1, "{fault:?}");
    assert!(fault.message.contains("its processes to stop when its turn was over"), "{fault:?}");
    assert!(moves.contains(&1) && moves.contains(&2), "the others continue");
    assert!(!fs::exists(format!("/proc/{runner}")).unwrap(), "it was ended");
    let replay = ReplayReader::new(replay.as_bytes()).expect("it has a header");
    verify(replay, &|_, _| Ok(long_game())).expect("a fault is allowed there");
}

/// A host that reports that a thread of the bot waits for a core for this share of its time, in
/// percent.
#[derive(Debug)]
struct BusyHost(Instant, u32);

impl HostGauge for BusyHost {
    fn canary(&self) -> CanaryReading {
        CanaryReading::default()
    }

    fn load(&self) -> HostLoad {
        HostLoad::default()
    }

    fn longest_core_wait(&self, _waits: &mut CoreWaits, _id: i32) -> Option<CoreWait> {
        let known = self.0.elapsed() * self.1 / 100;
        Some(CoreWait { known, possible: known })
    }
}

/// A host that takes three quarters of the time puts the ruling off for 1.2 s, and not the likely cause.
#[test]
fn a_silent_bot_is_announced_when_its_time_is_over_and_not_at_the_ruling() {
    static HEARD: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let notice: Notice = |words| HEARD.lock().unwrap().push(words.to_string());
    let seats = [0, 1, 1];
    let mut bots = [misbehaving("a", "never_ready", 1), misbehaving("b", "good", 1)]
        .map(|bot| bot.announcing_silence(notice));
    let spec = spec(&seats);
    start_all(&mut bots, &spec.limits, &no_interrupt()).expect("the bots can be started");
    let host = BusyHost(Instant::now(), 75);
    let limits = Limits { setup_ms: 400, ..spec.limits };
    let (report, _) =
        played(&mut bots[..], &GameSpec { gauge: &host, limits, ..spec }, &mut |_| {});
    let heard = HEARD.lock().unwrap().clone();
    let [words] = &heard[..] else { panic!("one notice: {heard:?}, {report:?}") };
    let expected = "a has not answered \"start\" within 400 ms; most likely the output was not flushed: \
                    in Python, print(..., flush=True)";
    assert_eq!(words, expected);
    assert!(report.faults[0].message.contains("taken by the host"), "{report:?}");
}

/// Returns the `time` of moves or faults with their seats, in order.
fn times(replay: &str, kind: &str) -> Vec<(String, MoveTime)> {
    let lines = replay.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let of_kind = lines.filter(|line| line["type"] == kind && !line["time"].is_null());
    of_kind
        .map(|line| {
            let seat = line["seat"].as_str().expect("a seat").to_string();
            (seat, serde_json::from_value(line["time"].clone()).expect("a time"))
        })
        .collect()
}

#[test]
fn a_bank_is_not_charged_for_what_the_host_took() {
    const BANK_MS: u64 = 600_000;
    let host = BusyHost(Instant::now(), 99);
    let bank = TimeControl { move_ms: None, bank_ms: Some(BANK_MS), ..move_time(1) };
    let all_seats = [0, 0, 0];
    let game = GameSpec { time: bank, gauge: &host, ..spec(&all_seats) };
    let (report, replay) = played(&mut [misbehaving("a", "slow", 1)], &game, &mut |_| {});
    assert_eq!(report.faults, [], "{replay}");
    let mut banks_us = BTreeMap::new();
    for (seat, time) in times(&replay, "move") {
        let bank_us = banks_us.entry(seat).or_insert(BANK_MS * 1000);
        assert_eq!(time.bank_ms, Some(*bank_us / 1000), "{time:?}");
        // The bot sleeps for 0.8 s in each decision, and the host took nearly all of that.
        let excused_us = time.excused_us.expect("some of the time is excused");
        assert!(excused_us >= time.wall_us / 2 && excused_us <= time.wall_us, "{time:?}");
        *bank_us -= time.wall_us - excused_us;
    }
    assert_eq!(banks_us.len(), 3, "every seat has moved: {replay}");
}

#[test]
fn a_fault_has_on_record_what_the_host_took() {
    let host = BusyHost(Instant::now(), 50);
    let all_seats = [0, 0, 0];
    let game = GameSpec { time: move_time(300), gauge: &host, ..spec(&all_seats) };
    let (report, replay) = played(&mut [misbehaving("a", "never", 1)], &game, &mut |_| {});
    assert_eq!(report.faults.len(), 1, "{report:?}");
    let [(_, time)] = &times(&replay, "fault")[..] else { panic!("{replay}") };
    let excused_us = time.excused_us.expect("the host took half of it");
    assert!(time.wall_us - excused_us > 300_000, "it was late without that: {time:?}");
}

/// Its CPU time is not known, so its own processes may be what it waits for.
#[test]
fn the_waits_of_a_bot_of_the_portable_back_end_do_not_count() {
    let host = BusyHost(Instant::now(), 99);
    let all_seats = [0, 0, 0];
    let game = GameSpec { time: move_time(2000), gauge: &host, ..spec(&all_seats) };
    let mut bots = [misbehaving("a", "never", 1).run_by(Backend::Portable)];
    let (report, replay) = played(&mut bots, &game, &mut |_| {});
    assert_eq!(report.faults.len(), 1, "{report:?}");
    let [(_, time)] = &times(&replay, "fault")[..] else { panic!("{replay}") };
    assert!(time.excused_us.unwrap_or(0) < time.wall_us / 2, "{time:?}");
}
