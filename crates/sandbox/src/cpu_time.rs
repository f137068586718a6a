//! CPU time of a contained program: the fair clock when games share cores, because it counts what a
//! program did, not how long it waited for a core.
//!
//! The CPU clock of the program's main process, all threads included, has nanosecond resolution.
//! The CPU time of its other processes comes from the `/proc` of its namespaces, in ticks of
//! usually 10 ms.

use rustix::fs::{Mode, OFlags, RawDir, openat};
use rustix::process::Pid;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::time::Duration;

/// The most processes of a tree that are looked at.
const MOST_PROCESSES: usize = 1000;

/// The PIDs of the init process of a PID namespace, and of the program, which it starts first.
const INIT: &[u8] = b"1";
const PROGRAM: &[u8] = b"2";

/// Returns the CPU time of a process so far, all threads included. Also works for a process that
/// has ended, until its parent reaps it.
#[allow(unsafe_code)]
pub(crate) fn of_process(pid: Pid) -> Option<Duration> {
    // As in <linux/posix-timers.h>: the complement of the PID, and 2 for the time that the
    // scheduler has counted.
    let clock = (!pid.as_raw_pid() << 3) | 2;
    let mut time = MaybeUninit::<libc::timespec>::uninit();
    // SAFETY: the call fills the structure if it succeeds, and the structure is not read otherwise.
    let time = unsafe {
        if libc::clock_gettime(clock, time.as_mut_ptr()) != 0 {
            return None;
        }
        time.assume_init()
    };
    Some(Duration::new(time.tv_sec.try_into().ok()?, time.tv_nsec.try_into().ok()?))
}

/// Opens the directory of the threads of a process.
pub(crate) fn threads_of(pid: Pid) -> Option<OwnedFd> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    rustix::fs::open(format!("/proc/{}/task", pid.as_raw_pid()), flags, Mode::empty()).ok()
}

/// Returns whether the process whose threads are in this directory has exactly one.
pub(crate) fn has_one_thread(threads: &OwnedFd) -> bool {
    // Each of them is a directory, and counts as a link beside the two of every directory.
    rustix::fs::fstat(threads).is_ok_and(|stat| stat.st_nlink == 3)
}

/// Returns the CPU time of an uncontained program so far: of its main process, and of the children
/// that it has reaped. `id` is the PID of the main process, which must not have been reaped.
pub fn of_program(id: i32) -> Option<Duration> {
    let own = of_process(Pid::from_raw(id)?)?;
    let stat = std::fs::read(format!("/proc/{id}/stat")).ok()?;
    let (_, waited_for) = parse_stat(&stat)?;
    Some(own + ticks(waited_for))
}

/// Returns the CPU time of an uncontained program and of all its descendants so far, with the
/// children that they have reaped. Processes whose parent has ended are missing: compare
/// [`tree_of_program`]. Takes a few microseconds per thread.
pub fn of_program_tree(id: i32) -> Option<Duration> {
    let tree = tree_of_program(id);
    // A process that ends meanwhile is counted by its parent from then on.
    let others = tree.iter().skip(1).filter_map(|&process| of_program(process));
    Some(of_program(id)? + others.sum())
}

/// Returns the PIDs of an uncontained program and of its descendants, as far as the kernel lists the
/// children of a thread (`CONFIG_PROC_CHILDREN`); otherwise the program alone.
pub fn tree_of_program(id: i32) -> Vec<i32> {
    let mut tree = vec![id];
    let mut at = 0;
    while let Some(process) = tree.get(at).copied()
        && tree.len() < MOST_PROCESSES
    {
        at += 1;
        let threads = std::fs::read_dir(format!("/proc/{process}/task"));
        for thread in threads.into_iter().flatten().flatten() {
            let children = std::fs::read_to_string(thread.path().join("children"));
            let children = children.unwrap_or_default();
            tree.extend(
                children.split_ascii_whitespace().filter_map(|pid| pid.parse::<i32>().ok()),
            );
        }
    }
    tree
}

fn ticks(count: u64) -> Duration {
    Duration::from_micros(count * 1_000_000 / rustix::param::clock_ticks_per_second())
}

/// Returns the CPU time of the other processes of its namespaces, including those that have ended
/// and were reaped.
pub(crate) fn of_others(processes: &OwnedFd) -> Duration {
    let names = numbered(processes);
    ticks(names.iter().filter_map(|name| ticks_of(processes, name.as_bytes())).sum())
}

/// Returns the PIDs in a `/proc`.
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

/// Returns the ticks of one process and of the children that it has reaped. For the main process,
/// returns only those of its children, because its own clock is finer. Likewise for the init
/// process, which is not part of the program.
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

/// Returns the ticks of a process and of the children it has reaped, from its `stat` file.
fn parse_stat(text: &[u8]) -> Option<(u64, u64)> {
    // The fields after the name, which is in parentheses and may contain any character.
    let end = text.iter().rposition(|&byte| byte == b')')?;
    let mut fields = std::str::from_utf8(&text[end + 1..]).ok()?.split_ascii_whitespace();
    // `utime` is field 14 of all, the 12th of these.
    let mut next = fields.by_ref().skip(11);
    let mut number = || next.next()?.parse::<u64>().ok();
    Some((number()? + number()?, number()? + number()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stat_line_is_parsed_for_any_process_name() {
        let line = b"7 (a) b (c)) S 1 7 7 0 -1 4194304 90 0 0 0 12 3 40 5 20 0 1 0 100 0 0";
        assert_eq!(parse_stat(line), Some((15, 45)));
        assert_eq!(parse_stat(b"7 (a"), None);
        assert_eq!(parse_stat(b"7 (a) S 1 2"), None);
    }

    #[test]
    fn a_tree_has_the_time_of_its_descendants_alive_or_reaped() {
        // The innermost process works until it is killed; the shells wait.
        let script = "sh -c 'while :; do :; done & echo $!; wait' & wait";
        let mut outer = std::process::Command::new("sh")
            .args(["-c", script])
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let stdout = outer.stdout.take().unwrap();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(stdout), &mut line).unwrap();
        let worker: i32 = line.trim().parse().unwrap();
        let id = outer.id().cast_signed();
        let tree = tree_of_program(id);
        if tree.len() > 1 {
            assert_eq!((tree.len(), tree[0], tree[2]), (3, id, worker));
            let before = of_program_tree(id).unwrap();
            let some = Duration::from_millis(30);
            while of_program_tree(id).unwrap() < before + some {
                std::thread::yield_now();
            }
            assert!(of_program(id).unwrap() < some, "the program itself waits");
        }
        let worker = Pid::from_raw(worker).unwrap();
        rustix::process::kill_process(worker, rustix::process::Signal::KILL).unwrap();
        outer.wait().unwrap();
    }

    #[test]
    fn cpu_time_of_a_process_grows_with_its_work() {
        let own = rustix::process::getpid();
        let before = of_process(own).unwrap();
        while of_process(own).unwrap() < before + Duration::from_millis(5) {
            std::hint::black_box((0..1000).sum::<u64>());
        }
    }
}
