//! What a bot's program finds when it starts: a process group of its own, no signal ignored, and
//! of the environment nothing but what is promised.

mod fixtures;

use botyard_protocol::Limits;
use botyard_referee::INHERITED_VARIABLES;
use fixtures::{command, no_interrupt};

/// Runs a shell command as if it were a bot; what it wrote to standard error.
fn told_by_shell(script: &str) -> String {
    let mut bot = command("shell", "sh", &["-c", &format!("exec >&2; {script}")]);
    bot.start(&Limits::default(), &no_interrupt()).expect_err("it says no hello");
    bot.stderr_at_start().to_string()
}

#[test]
fn a_bot_sees_only_the_promised_variables() {
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some(), "cargo sets more than a bot sees");
    let environment = told_by_shell("tr '\\0' '\\n' </proc/self/environ");
    let names: Vec<&str> =
        environment.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
    assert!(names.contains(&"PATH"), "{environment}");
    assert!(names.iter().all(|name| INHERITED_VARIABLES.contains(name)), "{environment}");
}

#[test]
fn a_bot_starts_with_no_signal_ignored_or_blocked() {
    // A shell that waits for a program blocks signals, so it gives way to the one that looks.
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
    let told = told_by_shell("echo $$; cat /proc/$$/stat");
    let (id, stat) = told.split_once('\n').expect("two lines");
    let fields: Vec<&str> =
        stat.rsplit(')').next().expect("a name in parentheses").split_whitespace().collect();
    assert_eq!(fields[2], id, "{told}");
}
