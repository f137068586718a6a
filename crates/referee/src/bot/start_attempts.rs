//! Which failed starts of a bot are tried again, and when: those that the host may have caused.
//!
//! A program that is read from a disk on which others write takes seconds to run its first
//! instruction, and nothing of that is the program's doing. A game that has not begun can wait, so
//! the start is repeated, a few times and after longer and longer pauses, before anybody is blamed.

use crate::failure::HostFailure;
use botyard_sandbox::Shortage;
use rustix::io::Errno;
use std::fs;
use std::io;
use std::time::{Duration, Instant};

/// The pauses between the attempts; there is one attempt more.
pub(crate) const PAUSES: [Duration; 3] =
    [Duration::from_millis(250), Duration::from_secs(1), Duration::from_secs(4)];

/// How long a program's file may be open for writing before it is a failure of the program.
const WRITING: Duration = Duration::from_secs(3);

/// What the host has counted when a start begins.
#[derive(Debug)]
pub(crate) struct StartWatch {
    begun: Instant,
    waited: Option<Duration>,
}

impl StartWatch {
    pub fn begin() -> StartWatch {
        StartWatch { begun: Instant::now(), waited: waited_for_disk_or_memory() }
    }

    /// Whether programs of this host have waited for a disk or for memory for a quarter of the time
    /// since the start began, or this one is waiting now. A program can bring that about itself, so
    /// it is a reason for another attempt and for nothing else.
    pub fn was_held_up(&self, process: i32) -> bool {
        let waited = waited_for_disk_or_memory().zip(self.waited);
        let waited = waited.map(|(now, then)| now.saturating_sub(then));
        waited.is_some_and(|waited| waited >= self.begun.elapsed() / 4) || waits_for_disk(process)
    }
}

/// Whether a failure of the host may be gone in a moment: something did not happen in time, or
/// there was too little of something that comes back.
pub(crate) fn may_pass(failure: &HostFailure) -> bool {
    let errors = [Errno::NFILE, Errno::MFILE, Errno::NOBUFS, Errno::NOSPC].map(Errno::raw_os_error);
    let kinds = [io::ErrorKind::TimedOut, io::ErrorKind::WouldBlock, io::ErrorKind::OutOfMemory];
    kinds.contains(&failure.error.kind())
        || failure.error.get_ref().is_some_and(|error| error.is::<Shortage>())
        || failure.error.raw_os_error().is_some_and(|error| errors.contains(&error))
}

/// How long some program of this machine has waited for a disk or for memory since it was booted;
/// `None` where the kernel does not count that (pressure stall information).
fn waited_for_disk_or_memory() -> Option<Duration> {
    let total =
        |resource| total_of(&fs::read_to_string(format!("/proc/pressure/{resource}")).ok()?);
    total("io").into_iter().chain(total("memory")).reduce(|one, other| one + other)
}

/// The time for which at least one program had to wait, in a file of `/proc/pressure`.
fn total_of(pressure: &str) -> Option<Duration> {
    let some = pressure.lines().find(|line| line.starts_with("some "))?;
    some.rsplit_once("total=")?.1.trim().parse().ok().map(Duration::from_micros)
}

/// Whether the main thread of a process sleeps and cannot be woken, which is how one waits for a
/// disk.
fn waits_for_disk(process: i32) -> bool {
    fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|stat| sleeps_unwakeably(&stat))
}

/// The same by the process's `/proc/PID/stat`.
fn sleeps_unwakeably(stat: &str) -> bool {
    // The state stands behind the name, which stands in parentheses.
    stat.rsplit(')').next().is_some_and(|fields| fields.trim_start().starts_with('D'))
}

/// Starts a program, again where its file is open for writing. The descriptor with which a program
/// was just written is open in every process that was forked meanwhile, until that executes
/// something else.
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
        assert!(!waits_for_disk(std::process::id().cast_signed()));
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
