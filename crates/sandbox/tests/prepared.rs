//! A program that is contained but may not run yet: what it does when it may run, when it is not
//! wanted any more, and when its referee ends first.

use crate::host::{CHECKER, TIERS, can, launch, launcher, place};
use botyard_sandbox::{Contained, Exit, Launcher, SpawnError, Tier};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pipe::pipe;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::os::fd::AsFd;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Returns the children of a thread of this process or of another one.
fn children(of: &str) -> Vec<i32> {
    let list = fs::read_to_string(format!("/proc/{of}/children")).unwrap_or_default();
    list.split_whitespace().map(|pid| pid.parse().unwrap()).collect()
}

/// Returns the children of this thread but its launcher, and theirs.
fn descendants(launcher: i32) -> Vec<i32> {
    let mut found = children("thread-self");
    found.retain(|&pid| pid != launcher);
    let inner = found.iter().flat_map(|pid| children(&format!("{pid}/task/{pid}")));
    let inner: Vec<i32> = inner.collect();
    found.into_iter().chain(inner).collect()
}

/// Returns the launcher of this thread, while no program runs.
fn running_launcher() -> i32 {
    let found = children("thread-self");
    assert_eq!(found.len(), 1, "{found:?}");
    found[0]
}

/// Waits until a prepared program is contained and its process sleeps, as it does when it waits.
fn await_containment(tier: Tier, launcher: i32) {
    let deadline = Instant::now() + Duration::from_secs(60);
    let waits = |pid: &i32| {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let signals = status.lines().find_map(|line| line.strip_prefix("SigIgn:\t"));
        status.contains("NoNewPrivs:\t1\n")
            && status.contains("State:\tS")
            && signals == Some("0000000000000000")
    };
    loop {
        let found = descendants(launcher);
        // In tiers B and C the init process comes first.
        if found.last().is_some_and(waits) {
            return;
        }
        assert!(Instant::now() < deadline, "tier {tier}: {found:?} are not contained");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Waits until a process that was sent a signal to stop does so. Returns whether it has not ended
/// instead.
fn await_stop(pid: Pid) -> bool {
    loop {
        let status = fs::read_to_string(format!("/proc/{}/status", pid.as_raw_pid()));
        match status.unwrap_or_default().lines().find_map(|line| line.strip_prefix("State:\t")) {
            Some(state) if state.starts_with('T') => return true,
            Some(state) if !state.starts_with(['Z', 'X']) => std::thread::yield_now(),
            _ => return false,
        }
    }
}

/// Waits until a program has ended, and returns what it has written.
fn ending(
    contained: &Contained,
    stdout: impl Into<std::os::fd::OwnedFd>,
) -> (Option<Exit>, String) {
    let exit = contained.wait_until(Instant::now() + Duration::from_secs(600));
    let mut text = String::new();
    File::from(stdout.into()).read_to_string(&mut text).expect("no open write end");
    (exit, text)
}

#[test]
fn a_prepared_program_is_executed_only_when_it_may_run() {
    for tier in TIERS.into_iter().filter(|&tier| can(tier, "prepared programs")) {
        let place = place();
        let late = place.path().join("own/late");
        let mut late_program = launch(tier, place.path(), &late, &[]);
        // A directory with a hidden file in it is granted entry by entry, as it is now.
        late_program.hidden = Vec::new();
        let running = running_launcher();
        let prepared = Contained::prepare(&launcher(), &late_program, &[]).unwrap();
        await_containment(tier, running);
        // Executed before, it would not exist.
        fs::write(&late, "#!/bin/sh\necho late\n").unwrap();
        fs::set_permissions(&late, fs::Permissions::from_mode(0o755)).unwrap();
        let (mut program, pipes) = prepared.run().unwrap_or_else(|error| panic!("{tier}: {error}"));
        let ended = ending(&program, pipes.stdout);
        assert_eq!(ended, (Some(Exit::Code(0)), "late\n".to_string()), "tier {tier}");
        program.tear_down().unwrap();
    }
}

#[test]
fn a_prepared_program_that_is_not_wanted_any_more_is_killed() {
    for tier in TIERS.into_iter().filter(|&tier| can(tier, "prepared programs")) {
        let place = place();
        let sleeper = launch(tier, place.path(), "/usr/bin/sleep", &["1000"]);
        let running = running_launcher();
        let prepared = Contained::prepare(&launcher(), &sleeper, &[]).unwrap();
        await_containment(tier, running);
        let open = |&pid: &i32| pidfd_open(Pid::from_raw(pid).unwrap(), PidfdFlags::empty());
        let pidfds: Vec<_> =
            descendants(running).iter().map(|pid| open(pid).expect("it runs")).collect();
        drop(prepared);
        assert!(descendants(running).is_empty(), "tier {tier}: all are reaped");
        for pidfd in pidfds {
            let now = Timespec::default();
            let ended = poll(&mut [PollFd::new(&pidfd, PollFlags::IN)], Some(&now));
            assert_eq!(ended, Ok(1), "tier {tier}: it has ended");
        }
    }
}

#[test]
fn a_prepared_program_does_not_outlive_a_referee_that_is_killed() {
    for tier in TIERS.into_iter().filter(|&tier| can(tier, "a referee that is killed")) {
        let place = place();
        let mut referee = Command::new(CHECKER)
            .args(["referee-that-prepares", tier.as_str()])
            .arg(place.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(referee.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let open = |pid: &str| {
            let pid = Pid::from_raw(pid.parse().unwrap()).unwrap();
            pidfd_open(pid, PidfdFlags::empty()).expect("it runs")
        };
        let pidfds: Vec<_> = line.split_whitespace().map(open).collect();
        assert!(!pidfds.is_empty(), "tier {tier}");
        referee.kill().unwrap();
        referee.wait().unwrap();
        for pidfd in pidfds {
            let minute = Timespec { tv_sec: 60, tv_nsec: 0 };
            let ended = poll(&mut [PollFd::new(&pidfd, PollFlags::IN)], Some(&minute));
            assert_eq!(ended, Ok(1), "tier {tier}: it is still alive");
        }
    }
}

#[test]
fn a_launcher_that_cannot_contain_its_program_says_so_when_the_program_is_to_run() {
    for tier in TIERS.into_iter().filter(|&tier| can(tier, "prepared programs")) {
        let place = place();
        let mut elsewhere = launch(tier, place.path(), "/bin/sh", &["-c", "echo ran"]);
        // This link leads out of the directory of the bot's author.
        elsewhere.own.push(place.path().join("own/link-to-another"));
        let prepared = Contained::prepare(&launcher(), &elsewhere, &[]).unwrap();
        match prepared.run() {
            Err(SpawnError::Files(message)) => {
                assert!(message.contains("link-to-another"), "tier {tier}: {message}");
            }
            other => panic!("tier {tier}: {other:?}"),
        }
        let sh = launch(tier, place.path(), "/bin/sh", &["-c", "echo ran"]);
        // A program that is no launcher, and ends before it is asked to run anything.
        let other = Launcher { program: "/bin/true".into(), args: Vec::new() };
        let prepared = Contained::prepare(&other, &sh, &[]).unwrap();
        let running = running_launcher();
        let pidfd = pidfd_open(Pid::from_raw(running).unwrap(), PidfdFlags::empty()).unwrap();
        let minute = Timespec { tv_sec: 60, tv_nsec: 0 };
        poll(&mut [PollFd::new(&pidfd, PollFlags::IN)], Some(&minute)).unwrap();
        let ran = prepared.run();
        assert!(matches!(ran, Err(SpawnError::Setup { .. })), "tier {tier}: {ran:?}");
        assert!(descendants(running).is_empty(), "tier {tier}");
        let missing = Launcher { program: place.path().join("missing"), args: Vec::new() };
        let ran = Contained::prepare(&missing, &sh, &[]);
        assert!(matches!(ran, Err(SpawnError::Setup { .. })), "tier {tier}: {ran:?}");
    }
}

#[test]
fn a_stalled_launcher_is_waited_for_unless_the_start_is_cancelled() {
    for tier in TIERS.into_iter().filter(|&tier| can(tier, "prepared programs")) {
        let place = place();
        let sh = launch(tier, place.path(), "/bin/sh", &["-c", "echo ran"]);
        let stalled = || {
            let pid = Pid::from_raw(running_launcher()).unwrap();
            kill_process(pid, Signal::STOP).unwrap();
            assert!(await_stop(pid), "tier {tier}");
            (Contained::prepare(&launcher(), &sh, &[]).unwrap(), pid)
        };
        let (prepared, pid) = stalled();
        let resumes = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            kill_process(pid, Signal::CONT)
        });
        let (program, pipes) = prepared.run().unwrap_or_else(|error| panic!("{tier}: {error}"));
        let ended = ending(&program, pipes.stdout);
        assert_eq!(ended, (Some(Exit::Code(0)), "ran\n".to_string()), "tier {tier}");
        resumes.join().unwrap().unwrap();
        drop(program);

        let (prepared, pid) = stalled();
        let (interrupt, write) = pipe().unwrap();
        rustix::io::write(write, b"!").unwrap();
        let ran = prepared.run_unless(interrupt.as_fd());
        assert!(matches!(ran, Err(SpawnError::Cancelled)), "tier {tier}: {ran:?}");
        assert!(descendants(pid.as_raw_pid()).is_empty(), "tier {tier}");
        // The next start has another launcher.
        let (mut program, _pipes) = Contained::spawn(&launcher(), &sh, &[]).unwrap();
        program.tear_down().unwrap();
    }
}
