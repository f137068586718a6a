//! Bots that cheat the clock, uncontained and in each tier. The assertions hold on a busy host too:
//! host measurements are simulated where a verdict depends on them, no time limit can be too short,
//! and nothing depends on scheduling order.

use crate::arena::{Arena, Circumstances, Played};
use crate::{ran_alone, ran_alone_on_the_host};
use botyard_protocol::{FaultKind, OutcomeKind};
use botyard_referee::{CanaryReading, HostGauge, ThisHost};
use botyard_sandbox::{CoreWait, CoreWaits, HostLoad, Tier};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

const TIERS: [Tier; 4] = [Tier::None, Tier::A, Tier::B, Tier::C];

fn arenas() -> impl Iterator<Item = Arena> {
    TIERS.into_iter().filter_map(Arena::new)
}

/// A simulated host on which a thread of the bot waits for a core most of the time.
#[derive(Debug)]
struct BusyHost {
    begun: Instant,
    /// The share of its time that the thread waits, in percent.
    waits: u32,
    /// Whether the cores are idle when no bot of the game runs.
    is_free_afterwards: bool,
}

impl BusyHost {
    fn new(waits: u32, is_free_afterwards: bool) -> BusyHost {
        BusyHost { begun: Instant::now(), waits, is_free_afterwards }
    }
}

impl HostGauge for BusyHost {
    fn canary(&self) -> CanaryReading {
        CanaryReading::default()
    }

    fn load(&self) -> HostLoad {
        let idle = if self.is_free_afterwards { self.begun.elapsed() } else { Duration::ZERO };
        HostLoad { idle: Some(idle), ..HostLoad::default() }
    }

    fn longest_core_wait(&self, _waits: &mut CoreWaits, _id: i32) -> Option<CoreWait> {
        let known = self.begun.elapsed() * self.waits / 100;
        Some(CoreWait { known, possible: known })
    }
}

fn play_on(arena: &Arena, host: &BusyHost, mode: &str, move_ms: u64, at: Option<usize>) -> Played {
    let circumstances = Circumstances { gauge: host, void_at: at, ..Circumstances::default() };
    let played = arena.play_under(mode, 1, Some(move_ms), circumstances);
    assert_eq!(played.left, [""; 0], "{mode}: left behind");
    played
}

/// Half of the time for which the bot leaves its standard input full, in microseconds.
const SOME_OF_IT_US: u64 = 200_000;

/// The clock starts when the referee first tries to write the question, not when the bot has made
/// room for it. A busy referee may write only after the bot has made room; such a game proves
/// nothing.
#[test]
fn a_bot_that_fills_its_own_input_is_charged_for_the_wait() {
    if ran_alone("clocks::a_bot_that_fills_its_own_input_is_charged_for_the_wait") {
        return;
    }
    for arena in arenas() {
        let is_charged = (0..10).any(|_| {
            let played = arena.play("fills_its_stdin", 1, None);
            assert_eq!(played.report.faults, [], "{played:?}");
            played.report.seats[0].longest_us >= SOME_OF_IT_US
        });
        assert!(is_charged, "the wait for room is not charged");
    }
}

/// The time per move of a bot that never answers. On a busy host the referee waits a hundred times as
/// long plus a quarter of a second.
const SHORT_MS: u64 = 5;

/// A bot that makes its host look busy and never answers: the first game is void, the second is
/// lost.
#[test]
fn a_bot_cannot_make_its_loss_void_twice() {
    if ran_alone("clocks::a_bot_cannot_make_its_loss_void_twice") {
        return;
    }
    for arena in arenas() {
        let first = play_on(&arena, &BusyHost::new(100, true), "never_answers", SHORT_MS, None);
        assert_eq!(first.report.outcome.kind, OutcomeKind::Void, "{first:?}");
        let evidence = first.report.host.as_ref().expect("evidence").clone();
        assert_eq!(evidence.seat.as_deref(), Some(first.seat.as_str()), "{evidence:?}");
        assert_eq!(evidence.evidence.afterwards_us, Some(0), "{evidence:?}");

        let second = play_on(&arena, &BusyHost::new(100, true), "never_answers", SHORT_MS, Some(0));
        let [fault] = &second.report.faults[..] else { panic!("{second:?}") };
        assert_eq!((fault.kind, &fault.seat), (FaultKind::Timeout, &second.seat), "{fault:?}");
        assert!(fault.message.contains("the host was free as soon as this bot had ended"));
        assert_eq!(second.report.outcome.scores, [0.0, 1.0]);
        assert!(second.report.host.is_some(), "the evidence is kept: {second:?}");
    }
}

#[test]
fn a_host_that_is_also_busy_without_the_bot_makes_a_game_void_again() {
    if ran_alone("clocks::a_host_that_is_also_busy_without_the_bot_makes_a_game_void_again") {
        return;
    }
    for arena in arenas() {
        for (is_free, void_at) in [(false, Some(0)), (true, Some(1))] {
            let host = BusyHost::new(100, is_free);
            let played = play_on(&arena, &host, "never_answers", SHORT_MS, void_at);
            assert_eq!(played.report.outcome.kind, OutcomeKind::Void, "{played:?}");
            assert_eq!(played.report.faults, []);
        }
    }
}

/// On a host where each thread gets half a core, an endless loop takes twice as long to lose.
#[test]
fn a_bot_that_never_answers_loses_on_a_busy_host_too() {
    if ran_alone("clocks::a_bot_that_never_answers_loses_on_a_busy_host_too") {
        return;
    }
    for arena in arenas() {
        for mode in ["spins", "never_answers"] {
            let played = play_on(&arena, &BusyHost::new(50, false), mode, 100, None);
            let [fault] = &played.report.faults[..] else { panic!("{mode}: {played:?}") };
            assert_eq!((fault.kind, &fault.seat), (FaultKind::Timeout, &played.seat), "{fault:?}");
            assert!(fault.message.contains("within 100 ms, none came"), "{fault:?}");
        }
    }
}

/// The bot answers after 1 s of 0.4 s allowed, but the host shows that it took the rest.
#[test]
fn a_bot_that_the_host_made_late_does_not_lose() {
    if ran_alone("clocks::a_bot_that_the_host_made_late_does_not_lose") {
        return;
    }
    for arena in arenas() {
        let played = play_on(&arena, &BusyHost::new(100, false), "answers_late", 400, None);
        assert_eq!(played.report.faults, [], "{played:?}");
        assert_eq!(played.report.outcome.kind, OutcomeKind::Completed);
        assert!(played.report.seats[0].longest_us >= 1_000_000, "{played:?}");
    }
}

/// Returns the CPU time of the spinning processes of a game, in ticks, and their number.
fn spinning(token: &str) -> (u64, usize) {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let ticks = processes.filter_map(|process| {
        let words = fs::read_to_string(process.path().join("cmdline")).ok()?;
        let spins = words.contains("\0spin\0") && words.contains(token);
        let stat = fs::read_to_string(process.path().join("stat")).ok().filter(|_| spins)?;
        let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
        Some(fields[11].parse::<u64>().ok()? + fields[12].parse::<u64>().ok()?)
    });
    ticks.fold((0, 0), |(sum, count), ticks| (sum + ticks, count + 1))
}

/// Sixty children that each want a core take none from the opponent: they are stopped outside the
/// turn of the bot that started them.
#[test]
fn spinning_children_are_stopped_outside_their_turn() {
    if ran_alone("clocks::spinning_children_are_stopped_outside_their_turn") {
        return;
    }
    for arena in arenas() {
        let look = |token: &str| {
            let deadline = Instant::now() + Duration::from_secs(60);
            loop {
                // The last of them stops with a short delay.
                let before = spinning(token);
                std::thread::sleep(Duration::from_millis(200));
                if spinning(token) == before {
                    break;
                }
                assert!(Instant::now() < deadline, "they keep running: {before:?}");
            }
        };
        let frozen = Circumstances { frozen: true, look: &look, ..Circumstances::default() };
        let played = arena.play_under("spinning_children", 1, None, frozen);
        assert_eq!(played.report.faults, [], "{played:?}");
        assert_eq!(played.left, [""; 0], "left behind");
    }
}

/// Records the CPU time of all processes with a token when the referee first reads the host's load
/// in a turn, at the beginning of the turn.
#[derive(Debug, Default)]
struct UsedByThen {
    /// The token, once it is known.
    token: Mutex<String>,
    /// CPU time at the beginning of the turn, in nanoseconds by thread.
    at_question: Mutex<Option<BTreeMap<PathBuf, u64>>>,
}

impl HostGauge for UsedByThen {
    fn canary(&self) -> CanaryReading {
        let token = self.token.lock().unwrap();
        if !token.is_empty() {
            self.at_question.lock().unwrap().get_or_insert_with(|| {
                // A thread is reported as stopped some microseconds before it leaves its core, and
                // only then the kernel counts what it has used since the last tick.
                std::thread::sleep(Duration::from_micros(200));
                used_by_threads(&token)
            });
        }
        CanaryReading::default()
    }

    fn load(&self) -> HostLoad {
        HostLoad::default()
    }
}

/// The most CPU time that dozens of threads use together between the moment at which the kernel
/// reports each as stopped and the moment at which it leaves its core.
const TO_STAND_STILL_NS: u64 = 1_000_000;

/// Returns the CPU time of each thread of the processes in mode `reads_on` with this token.
fn used_by_threads(token: &str) -> BTreeMap<PathBuf, u64> {
    let mut used = BTreeMap::new();
    for process in fs::read_dir("/proc").unwrap().flatten() {
        let words = fs::read_to_string(process.path().join("cmdline")).unwrap_or_default();
        if !(words.contains("\0reads_on\0") && words.contains(token)) {
            continue;
        }
        let threads = fs::read_dir(process.path().join("task")).into_iter().flatten().flatten();
        used.extend(threads.filter_map(|thread| {
            let counted = fs::read_to_string(thread.path().join("schedstat")).ok()?;
            Some((thread.path(), counted.split_whitespace().next()?.parse().ok()?))
        }));
    }
    used
}

/// Dozens of threads are inside long system calls when their bot answers. None of them runs once
/// the opponent's clock has started.
#[test]
fn threads_in_long_system_calls_use_none_of_the_opponents_time() {
    if ran_alone("clocks::threads_in_long_system_calls_use_none_of_the_opponents_time") {
        return;
    }
    for arena in arenas().filter(|arena| arena.tier() != Tier::None) {
        let host = UsedByThen::default();
        let turns = Cell::new(0);
        let moved = |seat: usize, token: &str| {
            *host.token.lock().unwrap() = token.to_string();
            let at_question = host.at_question.lock().unwrap().take();
            if seat == 0 {
                return;
            }
            let at_question = at_question.expect("its clock has started");
            let number = at_question.len();
            assert!(turns.get() > 0 || number >= 20, "{number} threads");
            let used: u64 = used_by_threads(token)
                .iter()
                .map(|(thread, now)| now - at_question.get(thread).unwrap_or(now))
                .sum();
            assert!(used <= TO_STAND_STILL_NS, "turn {}: they used {used} ns", turns.get());
            turns.set(turns.get() + 1);
        };
        let circumstances =
            Circumstances { gauge: &host, frozen: true, moved: &moved, ..Circumstances::default() };
        let played = arena.play_under("reads_on", 1, None, circumstances);
        assert_eq!(played.report.faults, [], "{played:?}");
        assert_eq!(played.left, [""; 0], "left behind");
        assert!(turns.get() > 5, "{} turns", turns.get());
    }
}

/// How many games are void at most before the host counts as too busy for the test.
const VOID: usize = 6;

/// If no core was idle for more than a tenth of the half second after a void game, other programs than
/// the bot kept it from running.
const BUSY_AFTERWARDS_US: u64 = 50_000;

/// Sixty children that spin make the real host busy, and the time that they take from each other
/// is not excused: the bot loses by timeout. Other programs may make a game void, and then the host
/// is also busy without the bot.
#[test]
fn a_bot_that_makes_the_real_host_busy_loses() {
    if ran_alone_on_the_host("clocks::a_bot_that_makes_the_real_host_busy_loses") {
        return;
    }
    for arena in arenas() {
        let mut unexplained = 0;
        let lost = (0..VOID).any(|_| {
            let circumstances = Circumstances { gauge: &ThisHost, ..Circumstances::default() };
            let played = arena.play_under("starves_itself", 1, Some(300), circumstances);
            assert_eq!(played.left, [""; 0], "left behind");
            if played.report.outcome.kind == OutcomeKind::Void {
                let evidence = played.report.host.expect("evidence").evidence;
                let is_busy = evidence.afterwards_us.is_none_or(|us| us > BUSY_AFTERWARDS_US);
                unexplained += usize::from(!is_busy);
                return false;
            }
            let [fault] = &played.report.faults[..] else { panic!("{played:?}") };
            assert_eq!((fault.kind, &fault.seat), (FaultKind::Timeout, &played.seat), "{fault:?}");
            true
        });
        if !lost {
            assert!(unexplained < VOID / 2, "tier {}: the bot made its loss void", arena.tier());
            let mut stderr = std::io::stderr();
            let _ = writeln!(
                stderr,
                "NOT TESTED on this host: a bot that makes it busy in tier {}: it is too busy already",
                arena.tier()
            );
        }
    }
}
