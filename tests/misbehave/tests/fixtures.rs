//! Every mode of the misbehaving bot, in a game against a good bot, uncontained and in each tier:
//! which bot loses, by which fault, how long the verdict takes, and that nothing is left behind.
//! Neither a process nor a descriptor, a file, an IPC object or additional memory of the referee.
//!
//! `BOTYARD_REPEATS=20` plays every game 20 times; `--nocapture` prints the times.

use crate::arena::{self, Arena, Played};
use crate::ran_alone;
use botyard_protocol::{Fault, FaultKind, OutcomeKind};
use botyard_sandbox::{Contained, Tier};
use std::io::Write;
use std::time::Duration;

/// One row per mode, with these columns:
///
/// * The mode.
/// * The question at which it misbehaves.
/// * A short time limit in milliseconds, for what the bot will not do in time: a move or, before
///   the first question, the start or the set-up.
/// * The expected result uncontained and in each tier: the fault's name, `fine` for a game without
///   a fault, or `-` for not tried, because nothing would contain it. Of two results, the first
///   holds where child processes are counted, and the second where they are refused because they
///   cannot be counted.
/// * Text that the message or the evidence must contain.
///
/// A limit with a `+` is the first one that is tried: in it the bot, or the good one beside it,
/// must do something first. If a busy host gives them too little CPU time for that, the test
/// retries with [`LONGER`] times the limit.
const TABLE: &str = include_str!("data/fixtures.tsv");

/// The operations of the sandbox's own test, with their results in tiers A to C.
const OPERATIONS: &str = include_str!("../../../crates/sandbox/tests/data/tiers.tsv");

/// The most memory that the referee may use for a game, in KiB.
const REFEREE_KIB: u64 = 16 * 1024;

/// How many times a void game is repeated.
const VOID: u32 = 10;

/// See [`TABLE`].
const LONGER: u64 = 4;

/// The longest time limit, in milliseconds: shorter than any bot of these tests keeps running.
const LONGEST_MS: u64 = 19_200;

struct Row {
    mode: String,
    at: u32,
    /// In milliseconds.
    short: Option<u64>,
    /// Whether to retry with a longer limit.
    grows: bool,
    expected: String,
    text: String,
}

/// Returns the column of a tier in [`TABLE`].
fn column(tier: Tier) -> usize {
    match tier {
        Tier::None => 3,
        Tier::A => 4,
        Tier::B => 5,
        _ => 6,
    }
}

fn modes(tier: Tier) -> Vec<Row> {
    let column = column(tier);
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        assert_eq!(cells.len(), 8, "eight cells expected: {line:?}");
        Row {
            mode: cells[0].into(),
            at: cells[1].parse().expect("a number"),
            short: cells[2].trim_end_matches('+').parse().ok(),
            grows: cells[2].ends_with('+'),
            expected: match cells[column].split_once('/') {
                Some((counted, _)) if Contained::counts_children(tier) => counted.into(),
                Some((_, refused)) => refused.into(),
                None => cells[column].into(),
            },
            text: cells[7].into(),
        }
    };
    let mut rows: Vec<Row> = TABLE.lines().skip(1).map(row).collect();
    rows.retain(|row| row.expected != "-");
    rows
}

/// The operations that the sandbox refuses in this tier.
fn refused_operations(tier: Tier) -> Vec<Row> {
    let lines = OPERATIONS.lines().skip(1);
    let rows = lines.filter_map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        (cells[column(tier) - 3] == "refused").then(|| Row {
            mode: format!("tries: {}", cells[0]),
            at: 1,
            short: None,
            grows: false,
            expected: "fine".into(),
            text: String::new(),
        })
    });
    rows.collect()
}

fn repeats() -> usize {
    std::env::var("BOTYARD_REPEATS").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

fn play_all(tier: Tier, rows: &[Row]) {
    if let Some(arena) = Arena::new(tier) {
        play_all_in(&arena, rows);
    }
}

fn play_all_in(arena: &Arena, rows: &[Row]) {
    assert!(!rows.is_empty(), "tier {}: no rows", arena.tier());
    let tier = arena.tier();
    let (mut verdicts, mut teardowns, mut most_kib) = (Vec::new(), Vec::new(), 0);
    for round in 1..=repeats() {
        for row in rows {
            let Some((played, short)) = play_long_enough(arena, row) else { continue };
            check(tier, row, &played);
            let late = played.verdict.saturating_sub(Duration::from_millis(short.unwrap_or(0)));
            if short.is_some() {
                verdicts.push(late);
            }
            teardowns.push(played.teardown);
            most_kib = most_kib.max(played.memory_kib);
            println!(
                "{round}\ttier {tier}\t{:<40}\t{:<14}\tverdict {:8.2} ms\tgone {:6.2} ms\t+{} KiB",
                row.mode,
                row.expected,
                late.as_secs_f64() * 1e3,
                played.teardown.as_secs_f64() * 1e3,
                played.memory_kib
            );
        }
    }
    let _ = writeln!(
        std::io::stderr(),
        "tier {tier}: {} games, {} void and repeated; from a deadline to its verdict {}; from \
         the end of a game until no process is left {}; the referee's memory grew by at most \
         {most_kib} KiB",
        teardowns.len(),
        arena.void.get(),
        quantiles(verdicts),
        quantiles(teardowns)
    );
}

fn quantiles(mut times: Vec<Duration>) -> String {
    if times.is_empty() {
        return "nothing".into();
    }
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    format!("{:.2?} (median), {:.2?} (99 %), {:.2?} (most)", at(0.5), at(0.99), at(1.0))
}

/// Plays with the time limit of the row, or with a longer one in which the bot gets as far as it
/// must. Returns the limit too.
fn play_long_enough(arena: &Arena, row: &Row) -> Option<(Played, Option<u64>)> {
    let mut short = row.short;
    loop {
        let played = play_unless_void(arena, row, short)?;
        match short {
            Some(ms) if row.grows && ms < LONGEST_MS && !got_far_enough(row, &played) => {
                short = Some(ms * LONGER);
            }
            _ => return Some((played, short)),
        }
    }
}

/// Returns whether the bot got to the point at which it was to run out of time.
fn got_far_enough(row: &Row, played: &Played) -> bool {
    let [fault] = &played.report.faults[..] else { return false };
    // The tree is complete when the bot logs it.
    let is_ready = row.mode != "tree_of_64" || !played.log.is_empty();
    is_ready && fault.seat == played.seat && text_of(fault).contains(&row.text)
}

fn text_of(fault: &Fault) -> String {
    format!("{} {}", fault.message, fault.got.as_deref().unwrap_or_default())
}

/// Plays, and repeats a game that was void because the host kept the bot from running. A bot that
/// wants a core for itself does not get one while other programs want it too; if no game counts,
/// prints a note.
fn play_unless_void(arena: &Arena, row: &Row, short: Option<u64>) -> Option<Played> {
    for games in 1..=VOID {
        let played = arena.play(&row.mode, row.at, short);
        if played.report.outcome.kind != OutcomeKind::Void {
            return Some(played);
        }
        assert!(played.report.host.is_some(), "{}: void without evidence", row.mode);
        arena.void.set(arena.void.get() + 1);
        std::thread::sleep(Duration::from_millis(100) * games);
    }
    let mut stderr = std::io::stderr();
    let _ = writeln!(stderr, "NOT TESTED on this host: {}: the host is too busy", row.mode);
    None
}

#[track_caller]
fn check(tier: Tier, row: &Row, played: &Played) {
    let name = format!("tier {tier}, {}", row.mode);
    let report = &played.report;
    if row.expected == "fine" {
        assert_eq!(report.faults, [], "{name}");
        assert_eq!(report.outcome.kind, OutcomeKind::Completed, "{name}");
    } else {
        let [fault] = &report.faults[..] else { panic!("{name}: {:?}", report.faults) };
        assert_eq!(fault.kind.as_str(), row.expected, "{name}: {fault:?}");
        assert_eq!(fault.seat, played.seat, "{name}: {fault:?}");
        let text = text_of(fault);
        assert!(text.contains(&row.text), "{name}: {:?} is not in {text:?}", row.text);
        assert_eq!(report.outcome.kind, OutcomeKind::BotFault, "{name}");
        assert_eq!(report.outcome.scores, [0.0, 1.0], "{name}");
    }
    let escaped: Vec<_> = played.log.iter().filter(|text| text.starts_with("escaped:")).collect();
    assert!(tier == Tier::None || escaped.is_empty(), "{name}: {escaped:?}");
    assert_eq!(played.left, [""; 0], "{name}: left behind");
    assert!(played.memory_kib <= REFEREE_KIB, "{name}: {} KiB more", played.memory_kib);
}

#[test]
fn without_a_sandbox() {
    if ran_alone("fixtures::without_a_sandbox") {
        return;
    }
    play_all(Tier::None, &modes(Tier::None));
}

#[test]
fn with_the_portable_back_end() {
    if ran_alone("fixtures::with_the_portable_back_end") {
        return;
    }
    play_all_in(&Arena::portable(), &modes(Tier::None));
}

#[test]
fn in_tier_a() {
    if ran_alone("fixtures::in_tier_a") {
        return;
    }
    play_all(Tier::A, &modes(Tier::A));
}

#[test]
fn refused_operations_in_tier_a() {
    if ran_alone("fixtures::refused_operations_in_tier_a") {
        return;
    }
    play_all(Tier::A, &refused_operations(Tier::A));
}

#[test]
fn in_tier_b() {
    if ran_alone("fixtures::in_tier_b") {
        return;
    }
    play_all(Tier::B, &modes(Tier::B));
}

#[test]
fn refused_operations_in_tier_b() {
    if ran_alone("fixtures::refused_operations_in_tier_b") {
        return;
    }
    play_all(Tier::B, &refused_operations(Tier::B));
}

#[test]
fn in_tier_c() {
    if ran_alone("fixtures::in_tier_c") {
        return;
    }
    play_all(Tier::C, &modes(Tier::C));
}

#[test]
fn refused_operations_in_tier_c() {
    if ran_alone("fixtures::refused_operations_in_tier_c") {
        return;
    }
    play_all(Tier::C, &refused_operations(Tier::C));
}

#[test]
fn a_referee_that_is_killed_leaves_nothing() {
    if ran_alone("fixtures::a_referee_that_is_killed_leaves_nothing") {
        return;
    }
    for tier in [Tier::A, Tier::B, Tier::C] {
        if Arena::new(tier).is_none() {
            continue;
        }
        for _ in 0..repeats() {
            let gone = arena::kill_a_referee(tier, "tree_of_64");
            println!("tier {tier}: all gone {:.2} ms after it", gone.as_secs_f64() * 1e3);
        }
    }
}

/// The CPU time of children that the bot does not reap is charged to it. Where it cannot be
/// counted, and in tier A, the bot can have no children.
#[test]
fn cpu_time_of_unreaped_children_is_charged() {
    if ran_alone("fixtures::cpu_time_of_unreaped_children_is_charged") {
        return;
    }
    for tier in [Tier::A, Tier::B, Tier::C] {
        let Some(arena) = Arena::new(tier) else { continue };
        let report = (0..VOID)
            .map(|_| arena.play_on_cpu_clock(["burns_in_children", "good"], 100))
            .find(|report| report.outcome.kind != OutcomeKind::Void)
            .expect("a game that is not void");
        let kinds: Vec<FaultKind> = report.faults.iter().map(|fault| fault.kind).collect();
        match Contained::counts_children(tier) {
            true => assert_eq!(kinds, [FaultKind::Timeout], "tier {tier}: {:?}", report.faults),
            false => assert_eq!(report.faults, [], "tier {tier}"),
        }
    }
}
