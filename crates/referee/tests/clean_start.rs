//! The state in which a bot's program starts: its own process group, no ignored signals, and no
//! environment variables but the documented ones.

use crate::fixtures::{backend, command, no_interrupt};
use botyard_protocol::Limits;
use botyard_referee::{Bot, BotCommand, INHERITED_VARIABLES};
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// Runs a shell command as a bot. Returns what it wrote to standard error.
fn told_by_shell(script: &str) -> String {
    let mut bot = command("shell", "sh", &["-c", &format!("exec >&2; {script}")]);
    bot.start(&Limits::default(), &no_interrupt()).expect_err("it says no hello");
    bot.stderr_at_start().to_string()
}

#[test]
fn a_bot_sees_only_the_promised_variables() {
    const NOT_FOR_BOTS: &str = "BOTYARD_TEST_NOT_FOR_BOTS";
    if std::env::var_os(NOT_FOR_BOTS).is_none() {
        // Run this test again in a program with a variable that bots must not see.
        let this = std::env::current_exe().unwrap();
        let mut again = std::process::Command::new(this);
        again
            .args(["--exact", "clean_start::a_bot_sees_only_the_promised_variables"])
            .env(NOT_FOR_BOTS, "1");
        assert!(again.status().unwrap().success());
        return;
    }
    let environment = told_by_shell("tr '\\0' '\\n' </proc/self/environ");
    let names: Vec<&str> =
        environment.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
    assert!(names.contains(&"PATH"), "{environment}");
    assert!(names.iter().all(|name| INHERITED_VARIABLES.contains(name)), "{environment}");
}

#[test]
fn a_bot_starts_with_no_signal_ignored_or_blocked() {
    // A shell that waits for a child process blocks signals, so `exec` replaces it by the program
    // that reads the status.
    let status = told_by_shell("exec cat /proc/self/status");
    let mask = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).expect(name);
        u64::from_str_radix(line.trim(), 16).expect("hexadecimal digits")
    };
    // SIGPIPE is number 13. The test program itself ignores it, as every Rust program does.
    assert_eq!(mask("SigIgn:") & (1 << 12), 0, "{status}");
    assert_eq!(mask("SigBlk:"), 0, "{status}");
}

#[test]
fn a_bot_leads_its_own_process_group() {
    let shell_output = told_by_shell("echo $$; cat /proc/$$/stat");
    let (id, stat) = shell_output.split_once('\n').expect("two lines");
    let fields: Vec<&str> =
        stat.rsplit(')').next().expect("a name in parentheses").split_whitespace().collect();
    assert_eq!(fields[2], id, "{shell_output}");
}

#[test]
fn a_bot_that_is_not_contained_is_not_root_and_two_are_not_the_same_user() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let bot = |directory: &str, may_be_root: bool| {
        let bot = command("shell", "sh", &["-c", "exec cat /proc/self/status >&2"]);
        let directory = Some(directory.into());
        Bot::new(BotCommand { directory, may_be_root, ..bot.command().clone() }).run_by(backend())
    };
    let user = |directory: &str| {
        let mut bot = bot(directory, true);
        bot.start(&Limits::default(), &no_interrupt()).expect_err("it says no hello");
        let status = bot.stderr_at_start();
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).expect(name);
            line.split_whitespace().map(|id| id.parse().unwrap()).collect::<Vec<u32>>()
        };
        (
            field("Uid:"),
            field("Gid:"),
            field("Groups:"),
            status.contains("CapEff:\t0000000000000000"),
        )
    };
    let ((uids, gids, groups, is_powerless), other) = (user("/"), user("/"));
    assert!(uids.iter().chain(&gids).all(|&id| id >= 1000), "{uids:?} {gids:?}");
    assert_eq!((groups, is_powerless), (vec![], true));
    assert_ne!(uids, other.0);
    assert!(rustix::process::geteuid().is_root(), "the referee itself stays root");

    let closed = tempfile::tempdir().unwrap();
    fs::set_permissions(closed.path(), fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(user(closed.path().to_str().unwrap()).0, [0; 4], "only root may enter there");
    let mut other = bot(closed.path().to_str().unwrap(), false);
    other.start(&Limits::default(), &no_interrupt()).expect_err("no other user enters there");
    assert_eq!(other.stderr_at_start(), "", "it does not run as root");
}

#[test]
fn a_bot_inherits_no_descriptor_but_its_standard_streams() {
    // A descriptor that this process was started with has no flag that closes it.
    let inherited = tempfile::NamedTempFile::new().unwrap();
    rustix::io::fcntl_setfd(&inherited, rustix::io::FdFlags::empty()).unwrap();
    let open = told_by_shell("for it in /proc/$$/fd/*; do readlink $it; done");
    // The shell opens the directory itself.
    assert!(open.contains("pipe:"), "{open}");
    assert!(!open.contains(inherited.path().to_str().unwrap()), "{open}");
}
