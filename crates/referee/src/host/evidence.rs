//! The rule for excused time. From measurements of the host, it computes how much of the elapsed
//! time the host took; that time is not charged to the bot.
//!
//! Only what was measured as waiting is excused: that the kernel kept a thread of the bot from a core
//! that it wanted, that the referee itself was late, that the hypervisor took the cores, or that the
//! whole host stood still. A thread that sleeps or is blocked waits for nothing. A bot that makes
//! itself wait gains nothing: by child processes that take its cores, because their CPU time is its
//! own; by a low priority or by waking up for a moment, because such waits do not count
//! ([`CoreWaits`](botyard_sandbox::CoreWaits)). `docs/understand/time.md` states the rule in full.

use botyard_replay::HostEvidence;
use std::time::Duration;

/// The longest wait for an answer is this many times the allowance plus [`LONGEST_MORE_US`],
/// however much time is excused. A host that gives a bot less than a hundredth of a core cannot
/// time it.
pub(crate) const LONGEST_TIMES: u64 = 100;

/// The constant part of the longest wait, in microseconds. See [`LONGEST_TIMES`].
pub(crate) const LONGEST_MORE_US: u64 = 250_000;

/// The host is watched once a decision has taken this long, in microseconds, or a quarter of its
/// allowance, whichever is shorter. Quick answers therefore cost no measurement.
pub(crate) const BEFORE_WATCHING_US: u64 = 20_000;

/// After a wall-clock deadline has passed, the shortest pause between two checks, in microseconds.
/// The pause is also at least an eighth ([`LOOK_SHARE`]) of the time since the deadline, because a
/// check has a cost, but not for that reason longer than [`LONGEST_PAUSE_US`].
pub(crate) const LOOK_US: u64 = 200;

/// See [`LOOK_US`]. No verdict is later than this because of a pause.
pub(crate) const LONGEST_PAUSE_US: u64 = 50_000;

/// See [`LOOK_US`]. The pause is also this many times what the last check took, but not for that reason
/// longer than [`COSTLY_US`]. A pause gives no time: an answer is judged by when it came.
pub(crate) const LOOK_SHARE: u64 = 8;

/// See [`LOOK_SHARE`]. A bot with many threads must not put its deadline off.
pub(crate) const COSTLY_US: u64 = 20_000;

/// When a game becomes void, how long the host is measured while no bot of the game runs: many ticks
/// of the kernel's clock, in which it counts idle time.
pub(crate) const AFTERWARDS: Duration = Duration::from_millis(500);

/// The host counts as free afterwards if no core was idle for less than 1 / `FREE` of that time.
const FREE: u64 = 10;

/// The other bots of a game count as idle if they used less than 1 / `AT_REST` of the time.
const AT_REST: u64 = 20;

/// Returns the excused time in microseconds: the largest amount that a measurement says the host
/// took, where the waits of the bot and the lateness of the referee count together, because one
/// follows the other. It is at most the time in which the bot's processes together did not use a
/// core. A bot whose own processes keep the cores busy gets no excused time.
pub(crate) fn excuse(evidence: &HostEvidence) -> u64 {
    let not_used = evidence.watched_us.saturating_sub(evidence.cpu_us.unwrap_or(0));
    let waited = evidence.waited_us.unwrap_or(0).saturating_add(evidence.late_us);
    let stolen = evidence.stolen_us.unwrap_or(0);
    let stood_still = evidence.canary_us.unwrap_or(0);
    waited.max(stolen).max(stood_still).min(not_used)
}

/// Returns whether the bot itself made the host look busy: the other bots of the game were idle,
/// and the host was free as soon as this bot was gone.
pub(crate) fn is_against_the_bot(evidence: &HostEvidence) -> bool {
    let rested = evidence.others_us.is_some_and(|us| us <= evidence.watched_us / AT_REST);
    let allowed = AFTERWARDS.as_micros() as u64 / FREE;
    rested && evidence.afterwards_us.is_some_and(|us| us <= allowed)
}

/// Returns the longest time that the referee waits for an answer, in microseconds of wall-clock
/// time.
pub(crate) fn longest_us(allowed_us: u64) -> u64 {
    allowed_us.saturating_mul(LONGEST_TIMES).saturating_add(LONGEST_MORE_US)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One second of a bot that sleeps on a quiet host.
    const QUIET: HostEvidence = HostEvidence {
        allowed_us: 1_000_000,
        late_us: 0,
        watched_us: 1_000_000,
        cpu_us: Some(0),
        waited_us: Some(0),
        stolen_us: Some(0),
        pressure_us: Some(2_000),
        idle_us: None,
        denied_us: None,
        canary_us: Some(0),
        referee_us: None,
        others_us: Some(0),
        excused_us: None,
        afterwards_us: Some(0),
    };

    #[test]
    fn time_is_excused_that_the_host_took_and_the_bot_did_not() {
        let busy = HostEvidence { pressure_us: Some(1_000_000), ..QUIET };
        for (what, evidence, excused) in [
            ("a bot that sleeps on a quiet host", QUIET, 0),
            (
                "an infinite loop on a quiet host",
                HostEvidence { cpu_us: Some(999_900), waited_us: Some(80), ..QUIET },
                80,
            ),
            ("a bot that sleeps on a busy host", busy, 0),
            (
                "an infinite loop on a busy host",
                HostEvidence { cpu_us: Some(400_000), waited_us: Some(599_000), ..busy },
                599_000,
            ),
            (
                "a bot whose children take all cores",
                HostEvidence { cpu_us: Some(1_990_000), waited_us: Some(970_000), ..busy },
                0,
            ),
            (
                "a bot that waited for a core, and then the referee did",
                HostEvidence {
                    cpu_us: Some(50_000),
                    waited_us: Some(700_000),
                    late_us: 200_000,
                    ..busy
                },
                900_000,
            ),
            (
                "a bot whose two threads wait for each other",
                HostEvidence { cpu_us: Some(1_000_000), waited_us: Some(500_000), ..busy },
                0,
            ),
            (
                "a virtual machine whose cores the hypervisor took away",
                HostEvidence { stolen_us: Some(700_000), cpu_us: Some(300_000), ..QUIET },
                700_000,
            ),
            (
                "a referee that was stopped for 0.6 s while the answer was in the pipe",
                HostEvidence { late_us: 600_000, canary_us: Some(590_000), ..QUIET },
                600_000,
            ),
            (
                "a program that was stopped for 0.6 s with its bot",
                HostEvidence { canary_us: Some(590_000), cpu_us: Some(300_000), ..QUIET },
                590_000,
            ),
            (
                "a host that does not count waits",
                HostEvidence { waited_us: None, canary_us: Some(60_000), ..busy },
                60_000,
            ),
            ("nothing is known", HostEvidence { allowed_us: 1, ..HostEvidence::default() }, 0),
        ] {
            assert_eq!(excuse(&evidence), excused, "{what}");
        }
    }

    /// A bot that shares a core with `busy` other programs: the time that it runs and that its threads
    /// wait in `elapsed` microseconds.
    struct Kind {
        name: &'static str,
        measured: fn(elapsed: u64, busy: u64) -> (u64, u64),
        /// The CPU time after which it answers; `None` if it does not compute.
        needs_us: Option<u64>,
        /// When it answers if it does not compute; `None` if it never does.
        answers_us: Option<u64>,
    }

    const ALLOWED_US: u64 = 100_000;

    const fn nothing(_: u64, _: u64) -> (u64, u64) {
        (0, 0)
    }

    /// One thread that always wants the core gets its share.
    const fn computes(elapsed: u64, busy: u64) -> (u64, u64) {
        (elapsed / (busy + 1), elapsed * busy / (busy + 1))
    }

    /// Sixty threads that run for 10 us and sleep for 10 ms; what counts of their waits is little.
    const fn wakes(elapsed: u64, busy: u64) -> (u64, u64) {
        (elapsed * 6 / 100, if busy == 0 { 0 } else { elapsed / 100 })
    }

    const KINDS: &[Kind] = &[
        Kind {
            name: "sleeps 1.2x",
            measured: nothing,
            needs_us: None,
            answers_us: Some(ALLOWED_US * 12 / 10),
        },
        Kind {
            name: "sleeps 3x",
            measured: nothing,
            needs_us: None,
            answers_us: Some(ALLOWED_US * 3),
        },
        Kind { name: "hangs", measured: nothing, needs_us: None, answers_us: None },
        Kind { name: "is blocked in a read", measured: nothing, needs_us: None, answers_us: None },
        Kind {
            name: "spins 1.5x",
            measured: computes,
            needs_us: Some(ALLOWED_US * 15 / 10),
            answers_us: None,
        },
        Kind {
            name: "needs 0.6",
            measured: computes,
            needs_us: Some(ALLOWED_US * 6 / 10),
            answers_us: None,
        },
        Kind { name: "many threads wake", measured: wakes, needs_us: None, answers_us: None },
        Kind { name: "a child spins", measured: computes, needs_us: None, answers_us: None },
    ];

    /// Returns whether an answer comes in time, and when that is clear, by the referee's looks every
    /// 100 us.
    fn outcome(kind: &Kind, busy: u64) -> (bool, u64) {
        let mut elapsed = 0;
        loop {
            elapsed += 100;
            let (cpu, waited) = (kind.measured)(elapsed, busy);
            let evidence = HostEvidence {
                watched_us: elapsed,
                cpu_us: Some(cpu),
                waited_us: Some(waited),
                ..QUIET
            };
            if elapsed - excuse(&evidence) > ALLOWED_US {
                return (false, elapsed);
            }
            let answers = kind.answers_us.is_some_and(|us| elapsed >= us);
            if answers || kind.needs_us.is_some_and(|us| cpu >= us) {
                return (true, elapsed);
            }
            assert!(elapsed < longest_us(ALLOWED_US), "{}: {busy}", kind.name);
        }
    }

    #[test]
    fn the_honest_bot_is_in_time_on_any_host_and_nobody_else() {
        for kind in KINDS {
            for busy in [0, 4, 16, 32] {
                let (in_time, at_us) = outcome(kind, busy);
                assert_eq!(in_time, kind.name == "needs 0.6", "{}, {busy} busy", kind.name);
                let (_, waited) = (kind.measured)(at_us, busy);
                assert!(at_us <= ALLOWED_US + waited + 200, "{}, {busy} busy: {at_us}", kind.name);
            }
        }
    }

    #[test]
    fn a_bot_is_blamed_where_the_load_comes_and_goes_with_it() {
        for (what, evidence, is_against) in [
            ("the host is free without it", QUIET, true),
            (
                "the host is busy without it",
                HostEvidence { afterwards_us: Some(60_000), ..QUIET },
                false,
            ),
            ("another bot ran", HostEvidence { others_us: Some(400_000), ..QUIET }, false),
            ("the others are unknown", HostEvidence { others_us: None, ..QUIET }, false),
            ("the host was not measured", HostEvidence { afterwards_us: None, ..QUIET }, false),
        ] {
            assert_eq!(is_against_the_bot(&evidence), is_against, "{what}");
        }
    }
}
