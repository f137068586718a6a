//! The lifetime of a contained program, from its start to the end of its last process.

use crate::host::{CHECKER, TIERS, TREES, can, launch, launcher, place, run};
use botyard_sandbox::{Contained, Exit, Launch, SpawnError, Tier};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn shell(tier: Tier, place: &std::path::Path, script: &str) -> Launch {
    launch(tier, place, "/bin/sh", &["-c", script])
}

/// Waits for a descriptor to become readable.
fn readable_within(fd: &OwnedFd, seconds: i64) -> bool {
    let timeout = Timespec { tv_sec: seconds, tv_nsec: 0 };
    poll(&mut [PollFd::new(fd, PollFlags::IN)], Some(&timeout)) == Ok(1)
}

#[test]
fn the_exit_status_is_reported() {
    for tier in TIERS.into_iter().filter(|&tier| can(tier, "ways to end")) {
        let place = place();
        for (script, exit) in [
            ("exit 0", Exit::Code(0)),
            ("exit 7", Exit::Code(7)),
            ("kill -9 $$", Exit::Signal(9)),
            ("kill -SEGV $$", Exit::Signal(11)),
            ("kill -TERM $$", Exit::Signal(15)),
        ] {
            let ran = run(&shell(tier, place.path(), script));
            assert_eq!(ran.exit, Some(exit), "tier {tier}, {script}: {ran:?}");
        }
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn system_calls_of_other_architectures_kill_the_program() {
    const SIGSYS: i32 = 31;
    for tier in TIERS.into_iter().filter(|&tier| can(tier, "other architectures")) {
        let place = place();
        for name in ["make an x32 system call", "make a 32-bit system call"] {
            let args = [name, place.path().to_str().unwrap(), "1"];
            let ran = run(&launch(tier, place.path(), CHECKER, &args));
            assert_eq!(ran.exit, Some(Exit::Signal(SIGSYS)), "tier {tier}, {name}: {ran:?}");
        }
    }
}

#[test]
fn a_program_that_cannot_be_executed_is_the_programs_failure_and_not_the_hosts() {
    use rustix::io::Errno;
    for tier in TIERS.into_iter().filter(|&tier| can(tier, "programs that cannot be executed")) {
        let place = place();
        let file = |name: &str, mode: u32, text: &str| {
            let path = place.path().join("own").join(name);
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            path
        };
        for (program, errno) in [
            (place.path().join("own/missing"), Errno::NOENT),
            (file("notes.txt", 0o644, "#!/bin/sh\n"), Errno::ACCESS),
            (file("picture", 0o755, "\u{1}\u{2}\u{3}"), Errno::NOEXEC),
            (file("script", 0o755, "#!/no/such/python3\n"), Errno::NOENT),
            (place.path().join("own"), Errno::ACCESS),
        ] {
            let trial = launch(tier, place.path(), &program, &[]);
            match Contained::spawn(&launcher(), &trial, &[]) {
                Err(SpawnError::Program(error)) => {
                    let found = Errno::from_io_error(&error);
                    assert_eq!(found, Some(errno), "tier {tier}: {program:?}");
                }
                other => panic!("tier {tier}: {program:?}: {other:?}"),
            }
        }
    }
}

#[test]
fn a_program_inherits_its_environment_its_directory_and_no_descriptors() {
    for tier in TIERS.into_iter().filter(|&tier| can(tier, "what a program inherits")) {
        let place = place();
        // A script of builtin commands, because a program in tier A cannot start another.
        let script = "
            pwd
            while read line; do echo \"$line\"; done < /proc/self/status
            for fd in /proc/self/fd/*; do [ -e $fd ] && echo \"open ${fd##*/}\"; done";
        let launch = shell(tier, place.path(), script);
        let environment = [("LANG".into(), "C".into())];
        let (mut program, pipes) = Contained::spawn(&launcher(), &launch, &environment).unwrap();
        program.wait_until(Instant::now() + Duration::from_secs(60)).expect("it ends");
        let mut printed = String::new();
        File::from(pipes.stdout).read_to_string(&mut printed).unwrap();
        let own = place.path().join("own");
        assert_eq!(printed.lines().next(), Some(own.to_str().unwrap()), "tier {tier}: {printed}");
        let field = |name: &str| {
            let line = printed.lines().find_map(|line| line.strip_prefix(name)).expect(name);
            line.split_whitespace().map(String::from).collect::<Vec<_>>()
        };
        assert_eq!(field("SigIgn:"), ["0000000000000000"], "tier {tier}");
        assert_eq!(field("SigBlk:"), ["0000000000000000"], "tier {tier}");
        assert_eq!(field("NoNewPrivs:"), ["1"], "tier {tier}");
        assert_eq!(field("Seccomp:"), ["2"], "tier {tier}");
        assert!(field("Uid:").iter().all(|uid| uid != "0"), "tier {tier}: {printed}");
        assert!(field("Gid:").iter().all(|gid| gid != "0"), "tier {tier}: {printed}");
        // The shell opens descriptors above 9 for itself.
        let open: Vec<&str> =
            printed.lines().filter_map(|line| line.strip_prefix("open ")).collect();
        let others: Vec<_> = open.iter().filter(|fd| !matches!(**fd, "0" | "1" | "2")).collect();
        assert!(others.iter().all(|fd| fd.len() > 1), "tier {tier}: {open:?}");
        program.tear_down().unwrap();
    }
}

#[test]
fn tear_down_kills_the_whole_tree() {
    for tier in TREES.into_iter().filter(|&tier| can(tier, "trees of processes")) {
        let place = place();
        // Half of them are orphans: background processes of a subshell that has ended.
        let script = "
            for i in 1 2 3 4 5 6 7 8 9 10; do sleep 1000 & done
            (for i in 1 2 3 4 5 6 7 8 9 10; do (sleep 1000 &) & done)
            trap '' TERM HUP INT
            echo ready; while :; do sleep 1000; done";
        let tree = shell(tier, place.path(), script);
        let (mut program, pipes) = Contained::spawn(&launcher(), &tree, &[]).unwrap();
        assert!(readable_within(&pipes.stdout, 60), "tier {tier}: it starts");
        program.tear_down().unwrap();
        // Every process held the write end: the pipe is at its end only when all have ended.
        let mut printed = String::new();
        File::from(pipes.stdout).read_to_string(&mut printed).expect("no open write end");
        assert_eq!(printed, "ready\n", "tier {tier}");
    }
}

#[test]
fn all_processes_end_with_the_main_process() {
    for tier in TREES.into_iter().filter(|&tier| can(tier, "trees of processes")) {
        let place = place();
        let ran = run(&shell(tier, place.path(), "sleep 1000 & sleep 1000 & exit 3"));
        assert_eq!(ran.exit, Some(Exit::Code(3)), "tier {tier}: {ran:?}");
    }
}

#[test]
fn a_program_does_not_outlive_a_referee_that_is_killed() {
    for tier in TIERS.into_iter().filter(|&tier| can(tier, "a referee that is killed")) {
        let place = place();
        let mut referee = Command::new(CHECKER)
            .args(["referee", tier.as_str()])
            .arg(place.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(referee.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let id = Pid::from_raw(line.trim().parse().unwrap()).unwrap();
        let pidfd = pidfd_open(id, PidfdFlags::empty()).expect("it runs");
        assert!(!readable_within(&pidfd, 0), "tier {tier}: it runs");
        referee.kill().unwrap();
        referee.wait().unwrap();
        assert!(readable_within(&pidfd, 60), "tier {tier}: it is still alive");
    }
}

#[test]
fn a_program_ends_with_the_thread_that_started_it() {
    for tier in TIERS.into_iter().filter(|&tier| can(tier, "the end of a thread")) {
        let place = place();
        let sleeper = launch(tier, place.path(), "/usr/bin/sleep", &["1000"]);
        let start = move || Contained::spawn(&launcher(), &sleeper, &[]).unwrap();
        let (program, _pipes) = std::thread::spawn(start).join().unwrap();
        let exit = program.wait_until(Instant::now() + Duration::from_secs(900));
        // The init process was killed, and the program with it.
        assert_eq!(exit, Some(Exit::Signal(9)), "tier {tier}");
    }
}

#[test]
fn two_programs_run_under_different_uids_if_the_referee_is_root() {
    if !rustix::process::getuid().is_root() {
        return;
    }
    for tier in TIERS.into_iter().filter(|&tier| can(tier, "separate UIDs")) {
        let place = place();
        let start = || {
            let sleeper = launch(tier, place.path(), "/usr/bin/sleep", &["60"]);
            Contained::spawn(&launcher(), &sleeper, &[]).unwrap()
        };
        let ((one, _a), (other, _b)) = (start(), start());
        let user = |program: &Contained| {
            let status = fs::read_to_string(format!("/proc/{}/status", program.id())).unwrap();
            let line = status.lines().find_map(|line| line.strip_prefix("Uid:")).unwrap();
            line.split_whitespace().map(|uid| uid.parse().unwrap()).collect::<Vec<u32>>()
        };
        let (one, other) = (user(&one), user(&other));
        assert!(one.iter().chain(&other).all(|&uid| uid >= 1000), "tier {tier}: {one:?} {other:?}");
        assert_ne!(one, other, "tier {tier}");
    }
}

/// A network namespace may have been that of a program that has ended.
#[test]
fn two_programs_that_run_share_no_namespace() {
    if !rustix::process::getuid().is_root() {
        return;
    }
    for tier in TREES.into_iter().filter(|&tier| can(tier, "separate namespaces")) {
        let place = place();
        let start = || {
            let sleeper = launch(tier, place.path(), "/usr/bin/sleep", &["60"]);
            Contained::spawn(&launcher(), &sleeper, &[]).unwrap()
        };
        let namespaces = |process: &str| {
            ["cgroup", "ipc", "mnt", "net", "pid", "uts"]
                .map(|kind| fs::read_link(format!("/proc/{process}/ns/{kind}")).unwrap())
        };
        let mut running: Vec<_> = (0..4).map(|_| start()).collect();
        for round in 0..8 {
            let all = running.iter().map(|(program, _)| namespaces(&program.id().to_string()));
            let mut all: Vec<_> = all.chain([namespaces("self")]).flatten().collect();
            let before = all.len();
            all.sort();
            all.dedup();
            assert_eq!(all.len(), before, "tier {tier}: {all:?}");
            drop(running.remove(round % running.len()));
            running.push(start());
        }
    }
}
