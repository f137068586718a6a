//! The rule for which failed starts of a bot are retried, and when: those that the host may have
//! caused.
//!
//! A program on a disk to which others write may take seconds to run its first instruction, which
//! is not the program's fault. A game that has not begun can wait, so the start is repeated a few
//! times, after increasing pauses, before the bot is blamed.

use crate::failure::HostFailure;
use botyard_sandbox::Shortage;
#[cfg(unix)]
use rustix::io::Errno;
use std::fs;
use std::io;
use std::time::{Duration, Instant};

/// The pauses between the attempts. There is one more attempt than pauses.
pub(crate) const PAUSES: [Duration; 3] =
    [Duration::from_millis(250), Duration::from_secs(1), Duration::from_secs(4)];

/// How long a program's file may be open for writing before this is a failure of the bot.
const WRITING: Duration = Duration::from_secs(3);

/// The host's counters at the beginning of a start.
#[derive(Debug)]
pub(crate) struct StartWatch {
    begun: Instant,
    waited: Option<Duration>,
}

impl StartWatch {
    pub(super) fn begin() -> StartWatch {
        StartWatch { begun: Instant::now(), waited: waited_for_disk_or_memory() }
    }

    /// Returns whether programs of this host have waited for a disk or for memory for a quarter of
    /// the time since the start began, or whether this program is waiting for a disk now. A program
    /// can cause both itself, so they justify another attempt and nothing more.
    pub(super) fn was_held_up(&self, process: i32) -> bool {
        let waited = waited_for_disk_or_memory().zip(self.waited);
        let waited = waited.map(|(now, then)| now.saturating_sub(then));
        waited.is_some_and(|waited| waited >= self.begun.elapsed() / 4) || waits_for_disk(process)
    }
}

/// Returns whether a failure of the host may be temporary: a time-out, or a lack of a resource that
/// may become available again.
pub(crate) fn may_pass(failure: &HostFailure) -> bool {
    #[cfg(unix)]
    let errors = [Errno::NFILE, Errno::MFILE, Errno::NOBUFS, Errno::NOSPC].map(Errno::raw_os_error);
    #[cfg(not(unix))]
    let errors = [];
    let kinds = [io::ErrorKind::TimedOut, io::ErrorKind::WouldBlock, io::ErrorKind::OutOfMemory];
    kinds.contains(&failure.error.kind())
        || failure.error.get_ref().is_some_and(|error| error.is::<Shortage>())
        || failure.error.raw_os_error().is_some_and(|error| errors.contains(&error))
}

/// Returns how long some program of this host has waited for a disk or for memory since boot;
/// `None` where the kernel does not count it (pressure stall information).
fn waited_for_disk_or_memory() -> Option<Duration> {
    let total =
        |resource| total_of(&fs::read_to_string(format!("/proc/pressure/{resource}")).ok()?);
    total("io").into_iter().chain(total("memory")).reduce(|one, other| one + other)
}

/// Returns the time for which at least one program had to wait, from a file of `/proc/pressure`.
fn total_of(pressure: &str) -> Option<Duration> {
    let some = pressure.lines().find(|line| line.starts_with("some "))?;
    some.rsplit_once("total=")?.1.trim().parse().ok().map(Duration::from_micros)
}

/// Returns whether the main thread of a process is in uninterruptible sleep, as while it waits for
/// a disk.
fn waits_for_disk(process: i32) -> bool {
    fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|stat| sleeps_unwakeably(&stat))
}

/// The same, from the contents of `/proc/PID/stat`.
fn sleeps_unwakeably(stat: &str) -> bool {
    // The state follows the name in parentheses.
    stat.rsplit(')').next().is_some_and(|fields| fields.trim_start().starts_with('D'))
}

/// Starts a program, and retries while its file is open for writing. The descriptor through which a
/// program was just written is also open in every process that was forked meanwhile, until that
/// process executes another program.
pub(crate) fn unless_being_written<T, E>(
    is_being_written: impl Fn(&E) -> bool,
    mut spawn: impl FnMut() -> Result<T, E>,
) -> Result<T, E> {
    let deadline = Instant::now() + WRITING;
    loop {
        match spawn() {
            Err(error) if is_being_written(&error) && Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(10));
            }
            spawned => return spawned,
        }
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn what_may_pass_is_what_is_too_little_or_too_late() {
        for (error, expected) in [
            (Errno::TIMEDOUT, true),
            (Errno::AGAIN, true),
            (Errno::NOMEM, true),
            (Errno::MFILE, true),
            (Errno::PERM, false),
            (Errno::NOSYS, false),
        ] {
            assert_eq!(may_pass(&HostFailure::new("starting a bot", error)), expected, "{error}");
        }
    }

    #[test]
    fn the_states_and_totals_of_the_kernel_are_read() {
        // A thread that asks about itself runs.
        assert!(!waits_for_disk(rustix::thread::gettid().as_raw_nonzero().get()));
        assert!(sleeps_unwakeably("12 (a D) (b) D 1 12 12 0"));
        assert!(!sleeps_unwakeably("12 (a) D) S 1 12 12 0"));
        let pressure = "some avg10=0.00 avg60=0.18 avg300=0.55 total=7176531\n\
                        full avg10=0.00 avg60=0.13 avg300=0.43 total=5897734\n";
        assert_eq!(total_of(pressure), Some(Duration::from_micros(7_176_531)));
        assert_eq!(total_of(""), None);
    }

    #[test]
    fn a_program_that_is_being_written_is_tried_again() {
        let mut attempts = 0;
        let spawned = unless_being_written(
            |&busy: &bool| busy,
            || {
                attempts += 1;
                if attempts < 3 { Err(true) } else { Ok(attempts) }
            },
        );
        assert_eq!(spawned, Ok(3));
        assert_eq!(unless_being_written(|&busy: &bool| busy, || Err::<(), _>(false)), Err(false));
    }
}
