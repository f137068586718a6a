//! The rule for excused time. From measurements of the host, it computes how much of the elapsed
//! time the host took; that time is not charged to the bot.
//!
//! The referee measures how long it waited *itself*, how many threads of the host wanted a core,
//! how long cores were idle, how much CPU time the bot's processes used, and for how long the kernel
//! let one of the bot's threads wait for a core. Of the time in which the bot's processes could have
//! used a core and did not, the rule excuses as much as the host demonstrably took. A bot that makes
//! itself wait gains nothing: by child processes that take its cores, because their CPU time is its
//! own; by sleeping, because it asks for no core; by a low priority, because every microsecond on a
//! core counts. It could only make its game void, so its waits do not count there.
//! `docs/understand/time.md` states the rule in full.

use botyard_replay::HostEvidence;
use std::time::Duration;

/// The longest wait for an answer is this many times the allowance plus [`LONGEST_MORE_US`],
/// however much time is excused. A host that gives a bot less than a twentieth of a core cannot
/// time it.
pub const LONGEST_TIMES: u64 = 20;

/// The constant part of the longest wait, in microseconds. See [`LONGEST_TIMES`].
pub const LONGEST_MORE_US: u64 = 250_000;

/// The host is watched once a decision has taken this long, in microseconds, or a quarter of its
/// allowance, whichever is shorter. Quick answers therefore cost no measurement.
pub const BEFORE_WATCHING_US: u64 = 20_000;

/// After a wall-clock deadline has passed, the shortest pause between two checks, in microseconds.
/// The pause is also at least an eighth ([`LOOK_SHARE`]) of the time since the deadline, because a
/// check has a cost.
pub const LOOK_US: u64 = 200;

/// See [`LOOK_US`].
pub const LOOK_SHARE: u64 = 8;

/// When a game becomes void, how long the host is measured while no bot of the game runs: several
/// times as long as the canary needs to notice that the bot is gone.
pub const AFTERWARDS: Duration = Duration::from_millis(500);

/// The host counts as free afterwards if a thread would have waited for less than 1 / `FREE` of
/// that time.
const FREE: u64 = 10;

/// The other bots of a game count as idle if they used less than 1 / `AT_REST` of the time.
const AT_REST: u64 = 20;

/// Returns the excused time in microseconds: the largest amount that a measurement says the host
/// took, where the waits of the bot and the lateness of the referee count together, because one
/// follows the other. It is at most the time in which the bot's processes together did not use a
/// core. A bot whose own processes keep the cores busy gets no excused time.
pub fn excuse(evidence: &HostEvidence) -> u64 {
    let not_used = evidence.watched_us.saturating_sub(evidence.cpu_us.unwrap_or(0));
    // While a core was idle, no thread had to wait for one.
    let not_idle = evidence.idle_us.map(|idle| not_used.saturating_sub(idle));
    let crowded = match (not_idle, evidence.denied_us) {
        (Some(not_idle), Some(denied)) => not_idle.min(denied),
        (not_idle, denied) => not_idle.or(denied).unwrap_or(0),
    };
    // A thread may wait for longer than its fair share. After it has answered, the referee may wait.
    let late = evidence.late_us.max(evidence.referee_us.unwrap_or(0));
    let waited = evidence.waited_us.unwrap_or(0).min(not_idle.unwrap_or(not_used));
    let most = [evidence.canary_us, evidence.stolen_us]
        .into_iter()
        .flatten()
        .fold(crowded.max(waited.saturating_add(late)), u64::max);
    most.min(not_used)
}

/// Returns how much of the excused time counts for a void game, in microseconds. The waits of the
/// bot's threads do not: without a sandbox, a bot can lower its own priority on a busy host.
pub fn excuse_for_void(evidence: &HostEvidence) -> u64 {
    excuse(&HostEvidence { waited_us: None, ..*evidence })
}

/// Returns whether the bot itself made the host look busy: the other bots of the game were idle,
/// and the host was free as soon as this bot was gone.
pub fn is_against_the_bot(evidence: &HostEvidence) -> bool {
    let rested = evidence.others_us.is_some_and(|us| us <= evidence.watched_us / AT_REST);
    let allowed = AFTERWARDS.as_micros() as u64 / FREE;
    rested && evidence.afterwards_us.is_some_and(|us| us <= allowed)
}

/// Returns the longest time that the referee waits for an answer, in microseconds of wall-clock
/// time.
pub fn longest_us(allowed_us: u64) -> u64 {
    allowed_us.saturating_mul(LONGEST_TIMES).saturating_add(LONGEST_MORE_US)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One second of an idle bot on a host with two cores where nothing else runs.
    const QUIET: HostEvidence = HostEvidence {
        allowed_us: 1_000_000,
        late_us: 60,
        watched_us: 1_000_000,
        cpu_us: Some(0),
        waited_us: None,
        stolen_us: Some(0),
        pressure_us: Some(2_000),
        idle_us: Some(1_990_000),
        denied_us: Some(0),
        canary_us: Some(0),
        referee_us: Some(70),
        others_us: Some(0),
        excused_us: None,
        afterwards_us: Some(0),
    };

    #[test]
    fn time_is_excused_that_the_host_took_and_the_bot_did_not() {
        // Four other busy programs on two cores: each of five runnable threads gets 2/5 of a core.
        let busy = HostEvidence {
            idle_us: Some(0),
            denied_us: Some(600_000),
            pressure_us: Some(1_000_000),
            ..QUIET
        };
        let short = HostEvidence { watched_us: 100_000, idle_us: Some(0), ..QUIET };
        for (what, evidence, excused) in [
            ("a bot that sleeps on a quiet host", QUIET, 70),
            (
                "an infinite loop on a quiet host",
                HostEvidence { cpu_us: Some(999_900), idle_us: Some(990_000), ..QUIET },
                70,
            ),
            (
                "an infinite loop on a busy host",
                HostEvidence { cpu_us: Some(400_000), ..busy },
                600_000,
            ),
            ("a bot that sleeps on a busy host", busy, 600_000),
            (
                "a bot whose children take both cores",
                HostEvidence {
                    cpu_us: Some(1_990_000),
                    idle_us: Some(0),
                    denied_us: Some(970_000),
                    referee_us: Some(50_000),
                    canary_us: Some(80_000),
                    ..QUIET
                },
                0,
            ),
            (
                "a bot whose children take the cores that other programs leave free",
                HostEvidence { cpu_us: Some(1_200_000), denied_us: Some(970_000), ..busy },
                0,
            ),
            (
                "102.9 ms of wall-clock time with 62.4 ms of CPU time, four games on two cores",
                HostEvidence {
                    watched_us: 82_900,
                    cpu_us: Some(50_000),
                    denied_us: Some(41_000),
                    ..short
                },
                32_900,
            ),
            (
                "a bot that got a twentieth of a core, where its fair share was two fifths",
                HostEvidence { cpu_us: Some(50_000), waited_us: Some(940_000), ..busy },
                940_070,
            ),
            (
                "a bot that waited for a core, and then the referee did",
                HostEvidence {
                    cpu_us: Some(50_000),
                    waited_us: Some(700_000),
                    referee_us: Some(200_000),
                    ..busy
                },
                900_000,
            ),
            (
                "a bot whose thread waited while another core was idle",
                HostEvidence { cpu_us: Some(400_000), waited_us: Some(590_000), ..QUIET },
                70,
            ),
            (
                "a bot whose two threads wait for each other",
                HostEvidence { cpu_us: Some(1_000_000), waited_us: Some(500_000), ..busy },
                0,
            ),
            (
                "a bot that sleeps and seldom asks for a core",
                HostEvidence {
                    cpu_us: Some(1_000),
                    waited_us: Some(3_000),
                    denied_us: Some(0),
                    ..busy
                },
                3_070,
            ),
            (
                "a virtual machine whose cores the hypervisor took away",
                HostEvidence {
                    stolen_us: Some(700_000),
                    cpu_us: Some(300_000),
                    idle_us: Some(900_000),
                    ..QUIET
                },
                700_000,
            ),
            (
                "a referee that was stopped for 0.6 s while the answer was in the pipe",
                HostEvidence { late_us: 600_000, canary_us: Some(590_000), ..QUIET },
                600_000,
            ),
            (
                "a throttled control group: cores are idle, but no thread of it may use them",
                HostEvidence { canary_us: Some(450_000), cpu_us: Some(500_000), ..QUIET },
                450_000,
            ),
            (
                "the referee waited for a core",
                HostEvidence { referee_us: Some(3_500), cpu_us: Some(996_000), ..QUIET },
                3_500,
            ),
            (
                "a host of which only the idle time is known",
                HostEvidence { denied_us: None, idle_us: Some(0), cpu_us: Some(300_000), ..QUIET },
                700_000,
            ),
            ("nothing is known", HostEvidence { allowed_us: 1, ..HostEvidence::default() }, 0),
        ] {
            assert_eq!(excuse(&evidence), excused, "{what}");
        }
    }

    #[test]
    fn the_waits_of_a_bot_make_no_game_void() {
        let starved = HostEvidence {
            idle_us: Some(0),
            cpu_us: Some(20_000),
            waited_us: Some(980_000),
            denied_us: Some(600_000),
            ..QUIET
        };
        assert_eq!((excuse(&starved), excuse_for_void(&starved)), (980_000, 600_000));
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
