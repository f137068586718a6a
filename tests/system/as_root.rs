//! Root on a host that cannot contain bots, as in many containers: no bot runs as root unless the sandbox is
//! turned off, and bots of others do not run at all. The kernel refuses what a sandbox needs by a seccomp
//! filter. Another user plays there with a warning, as ever.

use crate::command::{BOTYARD, Desk, Ran, finish};
use rustix::process::geteuid;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, apply_filter,
};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

/// Returns the script of a bot that writes its UID to standard error, and then is the built-in one.
fn bot() -> String {
    format!("echo uid $(id -u) >&2\nexec '{BOTYARD}' bot random\n")
}

const CUP: &str = "game = \"connect-four\"\nblocks = 1\n[time]\nmove_ms = 30000\n\
                   [[bot]]\ncommand = \"greedy\"\n[[bot]]\ncommand = \"random\"\n";

/// Returns a filter that refuses these system calls, all of them or those under a condition.
fn refusing(calls: Vec<(i64, Vec<SeccompRule>)>, error: i32) -> BpfProgram {
    let rules: BTreeMap<i64, Vec<SeccompRule>> = calls.into_iter().collect();
    let refused = SeccompAction::Errno(error.unsigned_abs());
    let here = std::env::consts::ARCH.try_into().expect("an architecture with filters");
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refused, here);
    filter.expect("rules").try_into().expect("a program")
}

/// Returns the filters of a kernel without namespaces, and perhaps without Landlock.
fn filters(has_landlock: bool) -> [BpfProgram; 2] {
    let with = |flag: i32| {
        let flag = u64::from(flag.unsigned_abs());
        let operator = SeccompCmpOp::MaskedEq(flag);
        let condition = SeccompCondition::new(0, SeccompCmpArgLen::Qword, operator, flag);
        SeccompRule::new(vec![condition.expect("argument 0")]).expect("a rule")
    };
    let namespaces = [
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWNS,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWCGROUP,
    ];
    let mut refused = vec![
        (libc::SYS_unshare, Vec::new()),
        (libc::SYS_setns, Vec::new()),
        (libc::SYS_mount, Vec::new()),
        (libc::SYS_clone, namespaces.map(with).to_vec()),
    ];
    if !has_landlock {
        refused.push((libc::SYS_landlock_create_ruleset, Vec::new()));
    }
    // Its flags are in memory, which no filter reads. The C library falls back to `clone`.
    let newer = vec![(libc::SYS_clone3, Vec::new())];
    [refusing(refused, libc::EPERM), refusing(newer, libc::ENOSYS)]
}

/// Runs a command on such a kernel. A filter is one of a thread, and of the programs that it starts.
fn run(mut command: Command, filters: &[BpfProgram]) -> Ran {
    let child = std::thread::scope(|scope| {
        let started = scope.spawn(|| {
            filters.iter().for_each(|filter| apply_filter(filter).expect("a filter"));
            command.spawn().expect("botyard starts")
        });
        started.join().expect("it starts")
    });
    finish(child)
}

/// Returns the UIDs that bots have written.
fn uids(ran: &Ran) -> Vec<u32> {
    let lines = ran.stderr.lines().chain(ran.stdout.lines());
    lines.filter_map(|line| line.split_once(": uid ")?.1.trim().parse().ok()).collect()
}

fn desk() -> Desk {
    let desk = Desk::new();
    fs::create_dir(desk.path("mine")).unwrap();
    fs::write(desk.path("mine/bot.sh"), bot()).unwrap();
    fs::write(desk.path("cup.toml"), CUP).unwrap();
    desk
}

const MATCH: [&str; 5] = ["match", "connect-four", "sh mine/bot.sh", "random", "--stderr"];

#[test]
fn bots_do_not_run_as_root_where_nothing_contains_them() {
    let (desk, filters) = (desk(), filters(false));
    let run = |args: &[&str]| run(desk.command(args), &filters);
    let ran = run(&MATCH);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stderr.contains("bots are not contained"), "{ran:#?}");
    let own = geteuid().as_raw();
    if own != 0 {
        assert_eq!(uids(&ran), [own], "{ran:#?}");
        let ran = run(&["tournament", "run", "cup.toml"]);
        assert_eq!(ran.code, Some(0), "another user plays tournaments too: {ran:#?}");
        return;
    }
    let portable = run(&[&MATCH[..], &["--backend", "portable"]].concat());
    for ran in [ran, portable] {
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        assert!(ran.stderr.contains("bots run under unused UIDs and not as root"), "{ran:#?}");
        assert!(matches!(uids(&ran)[..], [uid] if uid > 1000), "{ran:#?}");
    }

    // Bots of others do not run at all.
    desk.done(&["tournament", "submit", "cup.toml", "--store", "lab.db"]);
    fs::write(desk.path("mine/bot.toml"), "run = 'sh bot.sh'\nbuild = ['true']\n").unwrap();
    for args in [
        &["tournament", "run", "cup.toml"][..],
        &["worker", "--store", "lab.db", "--drain", "-j", "1", "--cache", "cache"],
        &["build", "mine"],
        &["serve", "class", "--port", "0"],
    ] {
        let ran = run(args);
        assert_eq!(ran.code, Some(3), "{args:?}: {ran:#?}");
        let remedy = "botyard sandbox` says what to do";
        assert!(ran.stderr.contains(remedy) || ran.stdout.contains(remedy), "{args:?}: {ran:#?}");
    }
    fs::write(desk.path("trusted.toml"), format!("{CUP}[sandbox]\nmode = \"none\"\n")).unwrap();
    let ran = run(&["tournament", "run", "trusted.toml"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
}

#[test]
fn only_a_sandbox_that_is_turned_off_lets_bots_run_as_root() {
    for has_landlock in [false, true] {
        let (desk, filters) = (desk(), filters(has_landlock));
        fs::set_permissions(desk.path("mine"), fs::Permissions::from_mode(0o700)).unwrap();
        let run = |args: &[&str]| run(desk.command(args), &filters);
        let auto = run(&MATCH);
        let none = run(&[&MATCH[..], &["--sandbox", "none"]].concat());
        assert_eq!(none.code, Some(0), "{none:#?}");
        assert_eq!(uids(&none), [geteuid().as_raw()], "{none:#?}");
        if geteuid().is_root() {
            assert_eq!(auto.code, Some(3), "{auto:#?}");
            assert!(auto.stderr.contains("mine is closed to all others"), "{auto:#?}");
            assert!(none.stderr.contains("bots run as root"), "{none:#?}");
        } else if !has_landlock {
            assert_eq!(auto.code, Some(0), "{auto:#?}");
        }
    }
}
