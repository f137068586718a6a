//! Bots on a core that other programs keep busy, with the real measurements of the host: a bot that
//! needs less than its time never loses, and one that sleeps, hangs or computes too long always does.
//!
//! `BOTYARD_BUSY_CORE=all` plays every kind of bot beside 0, 4, 16 and 32 busy programs, and checks
//! when each verdict falls; that needs a host on which nothing else runs. `BOTYARD_BUSY_CORE=32`
//! plays them beside 32.

use crate::arena::{Arena, Circumstances, MISBEHAVE};
use crate::ran_alone_on_the_host;
use botyard_protocol::FaultKind;
use botyard_referee::ThisHost;
use botyard_sandbox::Tier;
use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::process::{Child, Command, Stdio};

/// An argument of the busy programs, which are not what a game left behind.
const BUSY: &str = "keeps-a-core-busy";

/// Programs that keep one core busy until this is dropped.
struct BusyCore {
    core: usize,
    programs: Vec<Child>,
}

impl BusyCore {
    fn with(programs: usize) -> BusyCore {
        let own = sched_getaffinity(None).unwrap();
        let core = (0..CpuSet::MAX_CPU).find(|&core| own.is_set(core)).unwrap();
        let mut only = CpuSet::new();
        only.set(core);
        let mut busy = BusyCore { core, programs: Vec::new() };
        for _ in 0..programs {
            let mut command = Command::new(MISBEHAVE);
            command.args(["spin", "600", BUSY]).stdin(Stdio::null());
            let program = command.spawn().unwrap();
            sched_setaffinity(Some(Pid::from_child(&program)), &only).unwrap();
            busy.programs.push(program);
        }
        busy
    }
}

impl Drop for BusyCore {
    fn drop(&mut self) {
        for program in &mut self.programs {
            let _ = program.kill();
            let _ = program.wait();
        }
    }
}

/// How much later a verdict may be than the time per move and what the kernel measured, in
/// milliseconds.
const LATER_MS: u64 = 100;

/// A game on the busy core.
struct OnBusyCore {
    is_in_time: bool,
    /// By how much the verdict was later than the time per move and all measured waits, of the bot and
    /// of the referee, in milliseconds.
    later_ms: u64,
    /// What happened.
    line: String,
}

/// Plays a game of a bot on the busy core.
fn play(arena: &Arena, busy: &BusyCore, mode: &str, move_ms: u64) -> OnBusyCore {
    let circumstances =
        Circumstances { gauge: &ThisHost, core: Some(busy.core), ..Circumstances::default() };
    let mut played = arena.play_under(mode, 1, Some(move_ms), circumstances);
    // A game that was void before a bot was asked is repeated, as in a match.
    for _ in 0..3 {
        if played.report.host.is_none() || !played.verdict.is_zero() {
            break;
        }
        played = arena.play_under(mode, 1, Some(move_ms), circumstances);
    }
    played.left.retain(|left| !left.contains(BUSY));
    assert_eq!(played.left, [""; 0], "{mode}: left behind");
    let seat = played.report.seats[0];
    let verdict_us = u64::try_from(played.verdict.as_micros()).unwrap();
    let referee_us = u64::try_from(played.referee_waited.as_micros()).unwrap();
    let measured_us = seat.longest_excused_us.max(seat.waited_us) + referee_us;
    let later_ms = (verdict_us / 1000).saturating_sub(move_ms + measured_us / 1000);
    let line = format!(
        "tier {}, {} busy: {mode} with {move_ms} ms: verdict after {} ms, excused {} ms, waited {} ms, \
         the referee {} ms, {later_ms} ms more: {:?} {:?}",
        arena.tier(),
        busy.programs.len(),
        verdict_us / 1000,
        seat.longest_excused_us / 1000,
        seat.waited_us / 1000,
        referee_us / 1000,
        played.report.outcome.kind,
        played.report.faults,
    );
    assert!(played.report.host.is_none(), "void: {line}");
    let is_in_time = match &played.report.faults[..] {
        [] => true,
        [fault] => {
            assert_eq!((fault.kind, &fault.seat), (FaultKind::Timeout, &played.seat), "{line}");
            false
        }
        _ => panic!("{line}"),
    };
    OnBusyCore { is_in_time, later_ms, line }
}

/// The kinds of bots: a mode, whether it is in time with [`MOVE_MS`] on any host, and with which limit
/// it is played while other tests run.
const KINDS: &[(&str, bool, Option<u64>)] = &[
    ("answers_a_little_late", false, None),
    ("answers_late", false, Some(200)),
    ("never_answers", false, None),
    ("reads_what_never_comes", false, Some(200)),
    ("thinks_too_long", false, Some(200)),
    ("thinks_longer", true, Some(700)),
    ("threads_that_wake", false, Some(200)),
    ("child_that_spins", false, Some(200)),
    ("starves_itself", false, Some(200)),
];

/// Of this, `thinks_longer` needs 0.6 in CPU time and `thinks_too_long` 1.5; the others sleep for 1.2
/// and 3 times as long, or never answer.
const MOVE_MS: u64 = 333;

#[test]
fn bots_on_a_busy_core_are_judged_by_what_they_do() {
    if ran_alone_on_the_host("busy_core::bots_on_a_busy_core_are_judged_by_what_they_do") {
        return;
    }
    if let Ok(set) = std::env::var("BOTYARD_BUSY_CORE") {
        return match set.parse() {
            Ok(programs) => play_all(&[programs]),
            Err(_) => play_all(&[0, 4, 16, 32]),
        };
    }
    let busy = BusyCore::with(4);
    for arena in [Tier::None, Tier::B].into_iter().filter_map(Arena::new) {
        for &(mode, in_time, move_ms) in KINDS {
            let Some(move_ms) = move_ms else { continue };
            let OnBusyCore { is_in_time, line, .. } = play(&arena, &busy, mode, move_ms);
            assert_eq!(is_in_time, in_time, "{line}");
        }
    }
}

fn play_all(numbers: &[usize]) {
    let mut wrong = Vec::new();
    for arena in [Tier::None, Tier::A, Tier::B, Tier::C].into_iter().filter_map(Arena::new) {
        for &programs in numbers {
            let busy = BusyCore::with(programs);
            for &(mode, in_time, _) in KINDS {
                let OnBusyCore { is_in_time, later_ms, line } = play(&arena, &busy, mode, MOVE_MS);
                println!("{line}");
                if is_in_time != in_time || later_ms > LATER_MS {
                    wrong.push(line);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
