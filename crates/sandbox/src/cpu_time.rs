//! Processor time of a contained program: the fair clock where games share cores, because it
//! counts what a program did and not how long it had to wait for a core.
//!
//! The program's own process, threads and all, is measured to the nanosecond by its clock. What it
//! starts is told by the `/proc` of its namespaces, in ticks of usually 10 ms.

use rustix::fs::{Mode, OFlags, RawDir, openat};
use rustix::process::Pid;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::time::Duration;

/// The number of the first process of a pid namespace, and of the program, which it starts first.
const INIT: &[u8] = b"1";
const PROGRAM: &[u8] = b"2";

/// What a process has used up to now, all its threads together; also one that has ended, until
/// its parent looks for it.
#[allow(unsafe_code)]
pub(crate) fn of_process(pid: Pid) -> Option<Duration> {
    // As <linux/posix-timers.h> has it: the complement of the number, and 2 for the time that the
    // scheduler has counted.
    let clock = (!pid.as_raw_pid() << 3) | 2;
    let mut time = MaybeUninit::<libc::timespec>::uninit();
    // SAFETY: the call fills the structure where it succeeds, and is not looked at otherwise.
    let time = unsafe {
        if libc::clock_gettime(clock, time.as_mut_ptr()) != 0 {
            return None;
        }
        time.assume_init()
    };
    Some(Duration::new(time.tv_sec.try_into().ok()?, time.tv_nsec.try_into().ok()?))
}

/// What a program that is not contained has used up to now: its own process, and of those that it
/// started the ones that have ended and that it has waited for. `id` is the number of its process,
/// which must not have been waited for.
pub fn of_program(id: i32) -> Option<Duration> {
    let own = of_process(Pid::from_raw(id)?)?;
    let stat = std::fs::read(format!("/proc/{id}/stat")).ok()?;
    let (_, waited_for) = parse_stat(&stat)?;
    Some(own + ticks(waited_for))
}

fn ticks(count: u64) -> Duration {
    Duration::from_micros(count * 1_000_000 / rustix::param::clock_ticks_per_second())
}

/// What the other processes of its namespaces have used, those that have ended included as far as
/// somebody has waited for them.
pub(crate) fn of_others(processes: &OwnedFd) -> Duration {
    let names = numbered(processes);
    ticks(names.iter().filter_map(|name| ticks_of(processes, name.as_bytes())).sum())
}

/// The numbers of the processes in a `/proc`.
pub(crate) fn numbered(processes: &OwnedFd) -> Vec<String> {
    let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
    let Ok(directory) = openat(processes, ".", flags, Mode::empty()) else { return Vec::new() };
    let mut found = Vec::new();
    let mut buffer = [MaybeUninit::uninit(); 8192];
    let mut entries = RawDir::new(&directory, &mut buffer);
    while let Some(Ok(entry)) = entries.next() {
        let name = entry.file_name().to_bytes();
        if name.iter().all(u8::is_ascii_digit) {
            found.push(String::from_utf8_lossy(name).into_owned());
        }
    }
    found
}

/// The ticks of one process and of those that it has waited for. Of the program's own process only
/// the latter, because its clock is finer; likewise of the first process, which is none of the
/// program's.
fn ticks_of(processes: &OwnedFd, name: &[u8]) -> Option<u64> {
    let path = [name, b"/stat"].concat();
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    let file = openat(processes, path.as_slice(), flags, Mode::empty()).ok()?;
    let mut text = [0; 1024];
    let length = rustix::io::read(&file, &mut text).ok()?;
    let (own, waited_for) = parse_stat(&text[..length])?;
    let is_measured = name == INIT || name == PROGRAM;
    Some(if is_measured { waited_for } else { own + waited_for })
}

/// Ticks of a process and of the children it has waited for, from its `stat`.
fn parse_stat(text: &[u8]) -> Option<(u64, u64)> {
    // The fields behind the name, which stands in parentheses and may hold anything.
    let end = text.iter().rposition(|&byte| byte == b')')?;
    let mut fields = std::str::from_utf8(&text[end + 1..]).ok()?.split_ascii_whitespace();
    // utime is the 14th field of all, the 12th of these.
    let mut next = fields.by_ref().skip(11);
    let mut number = || next.next()?.parse::<u64>().ok();
    Some((number()? + number()?, number()? + number()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stat_line_is_read_whatever_the_name() {
        let line = b"7 (a) b (c)) S 1 7 7 0 -1 4194304 90 0 0 0 12 3 40 5 20 0 1 0 100 0 0";
        assert_eq!(parse_stat(line), Some((15, 45)));
        assert_eq!(parse_stat(b"7 (a"), None);
        assert_eq!(parse_stat(b"7 (a) S 1 2"), None);
    }

    #[test]
    fn time_of_a_process_grows_with_its_work() {
        let own = rustix::process::getpid();
        let before = of_process(own).unwrap();
        while of_process(own).unwrap() < before + Duration::from_millis(5) {
            std::hint::black_box((0..1000).sum::<u64>());
        }
    }
}
