//! Processor time as the clock, and bots that are stopped when it is not their turn.

mod fixtures;

use botyard_protocol::{ClockKind, Fault, FaultKind, OutcomeKind, TimeControl};
use botyard_referee::replay::ReplayWriter;
use botyard_referee::{Bot, GameReport, GameSpec, Progress, play, start_all};
use fixtures::{dice, misbehaving, move_time, no_interrupt, spec};
use std::fs;
use std::time::{Duration, Instant};

fn processor_time(move_ms: u64) -> TimeControl {
    TimeControl { kind: ClockKind::Cpu, ..move_time(move_ms) }
}

/// Plays the dice race and keeps its replay; `observer` is told every step.
fn played(
    bots: &mut [Bot],
    spec: &GameSpec<'_>,
    observer: &mut dyn FnMut(&Progress<'_>),
) -> (GameReport, String) {
    let interrupt = no_interrupt();
    let mut table = dice(20, 20);
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
        // It sleeps 0.8 s, which costs nothing but must stay within five times 2 s and 250 ms.
        ("slow", 2000, None),
        ("never", 100, Some("within 750 ms on the wall, none came; of 100 ms of processor time")),
        ("ignore_signals", 150, Some("within 150 ms of processor time, none came after 1")),
        ("good", 30_000, None),
    ] {
        let game = GameSpec { time: processor_time(move_ms), ..spec(&all_seats) };
        let (report, replay) = played(&mut [misbehaving("a", mode, 1)], &game, &mut |_| {});
        match (expected, &report.faults[..]) {
            (None, []) => {}
            // On a machine that is busy with other things it does not get a fifth of a core.
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
    // Three seats of one bot, each with a bank that a second of sleep would empty.
    let bank = TimeControl { move_ms: None, bank_ms: Some(900), ..processor_time(1) };
    let all_seats = [0, 0, 0];
    let game = GameSpec { time: bank, ..spec(&all_seats) };
    let (report, replay) = played(&mut [misbehaving("a", "slow", 1)], &game, &mut |_| {});
    assert_eq!(report.faults, [], "{replay}");
    assert!(report.seats.iter().all(|seat| seat.cpu_us.is_some()), "{report:?}");
    assert!(report.seats.iter().any(|seat| seat.wall_us > 900_000), "they sleep: {report:?}");
}

/// The state of a process: `T` is stopped.
fn state(id: i32) -> char {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).expect("it runs");
    stat.rsplit(") ").next().and_then(|fields| fields.chars().next()).expect("it has a state")
}

#[test]
fn a_bot_is_stopped_whenever_nothing_is_expected_of_it() {
    let seats = [0, 1, 2];
    let mut bots: Vec<Bot> =
        ["a", "b", "c"].map(|name| misbehaving(name, "good", 1).frozen(true)).into();
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
            // The one that has moved, and the others since they were ready.
            all_are_stopped(&format!("after {seat:?} moved"));
        }
    });
    all_are_stopped("after the game");
    assert_eq!(report.faults, []);
    assert!(moves > 5 && replay.contains("\"frozen\":true"), "{replay}");
    Bot::dismiss(&mut bots, &spec(&seats).limits).expect("they wake up and leave");
}
