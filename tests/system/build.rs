//! Building submitted bots: in the sandbox, and played as directories.

use crate::command::{Desk, GENEROUS, finish, repository};
use botyard_referee::Interrupt;
use botyard_runner::bots::build::{BuildConfig, Outcome, build};
use botyard_runner::settings::Named;
use botyard_runner::{Error, Sandbox};
use botyard_sandbox::Launcher;
use rustix::process::{Pid, Signal, geteuid, kill_process};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Makes a submitted directory with a manifest, owned by the user who runs the tests.
fn handed_in(desk: &Desk, manifest: &str) {
    let directory = desk.path("ada");
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("bot.toml"), manifest).unwrap();
    fs::copy(repository("sdk/python/examples/first.py"), directory.join("first.py")).unwrap();
}

/// Gives a directory and its content to another user, if that is possible.
fn give(directory: &Path, user: u32) {
    if geteuid().is_root() {
        chown(directory, Some(user), Some(user)).unwrap();
        for entry in fs::read_dir(directory).unwrap() {
            chown(entry.unwrap().path(), Some(user), Some(user)).unwrap();
        }
    }
}

/// Returns the owners of a directory and of its content, each once.
fn owners(directory: &Path) -> Vec<u32> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let all = entries.chain([directory.to_path_buf()]);
    let mut owners: Vec<u32> = all.map(|path| path.symlink_metadata().unwrap().uid()).collect();
    owners.sort_unstable();
    owners.dedup();
    owners
}

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o7777
}

/// Returns whether this host can contain a build. Prints a note if not.
fn can_build(desk: &Desk) -> bool {
    let json: Value = serde_json::from_str(&desk.run(&["sandbox", "--json"]).stdout).unwrap();
    let works = json["tiers"][1]["obstacle"].is_null();
    if !works {
        eprintln!("NOT TESTED on this host: builds, which need tier B");
    }
    works
}

#[test]
fn a_bot_is_built_in_the_sandbox_and_played_as_a_directory() {
    let desk = Desk::new();
    if !can_build(&desk) {
        return;
    }
    // Two simultaneous processes, as compilers have; a file made in /tmp; the result in the
    // directory.
    handed_in(
        &desk,
        r#"
name = "ada"
build = ["sh -c 'cat first.py > /tmp/copy & wait; cp /tmp/copy built.py; echo \"built\tit\u001b[2J\"'"]
run = "python3 built.py"
"#,
    );
    fs::write(desk.path("beside"), "another's").unwrap();
    let shown = desk.done(&["build", "ada"]);
    assert!(shown.contains("built    it") && !shown.contains('\u{1b}'), "{shown}");
    assert!(shown.contains("built in sandbox tier B; to use the bot, write ./ada\n"), "{shown}");
    let shown = desk.done(
        &[&["match", "scotland-yard", "./ada", "random", "--seed", "1"][..], &GENEROUS].concat(),
    );
    assert!(shown.contains("mr-x        ada"), "{shown}");
    assert!(shown.contains("ada loses; ") || shown.contains("ada wins; "), "{shown}");
}

#[test]
fn a_build_is_held_like_a_bot_and_ended_when_it_takes_too_long() {
    let desk = Desk::new();
    if !can_build(&desk) {
        return;
    }
    fs::write(desk.path("beside"), "another's").unwrap();
    let spins = "while :; do :; done";
    for (build, printed) in [
        ("sh -c 'cat ../beside'", "it exited with code 1"),
        ("cat ../beside", "got \"../beside\", which leads out of it"),
        ("cat /etc/group", "it exited with code 1"),
        ("sh -c 'echo x > /made'", "it exited with code 2"),
        // A directory in /tmp has private surroundings.
        ("sh -c 'echo x > ../made; exit 1'", "it exited with code 1"),
        ("sh -c 'kill -9 $$'", "it was killed by signal 9"),
        (&format!("sh -c '{spins}'"), "build failed: "),
        (&format!("sh -c '({spins}) & ({spins}) & wait'"), "it was still running after"),
        ("no-such-compiler bot.c", "there is no program no-such-compiler in PATH"),
    ] {
        handed_in(&desk, &format!("run = 'true'\nbuild = [{build:?}]\n"));
        let ran = desk.run(&["build", "ada", "--cpu-time", "1"]);
        let is_usage = build.starts_with("no-such") || build.starts_with("cat ../");
        assert_eq!(ran.code, Some(if is_usage { 2 } else { 1 }), "{build}: {ran:#?}");
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(said.contains(printed), "{build}: {said}");
    }
    assert!(!desk.path("made").exists());
}

#[test]
fn what_is_no_bot_to_build_is_answered_with_what_to_do() {
    let desk = Desk::new();
    fs::create_dir(desk.path("empty")).unwrap();
    fs::create_dir(desk.path("wrong")).unwrap();
    fs::write(desk.path("wrong/bot.toml"), "build = []").unwrap();
    for (directory, expected) in [
        ("none", "the directory none: "),
        ("empty", "there is no file bot.toml in "),
        ("wrong", "missing field `run`"),
    ] {
        let ran = desk.run(&["build", directory]);
        assert_eq!(ran.code, Some(2), "{directory}: {ran:#?}");
        assert!(ran.stderr.contains(expected), "{directory}: {ran:#?}");
    }
    let ran = desk.run(&["match", "scotland-yard", "./wrong", "random"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("missing field `run`"), "{ran:#?}");
}

#[test]
fn a_build_that_is_trusted_needs_no_sandbox() {
    let desk = Desk::new();
    handed_in(&desk, "run = 'true'\nbuild = [\"sh -c 'echo made > made'\"]\n");
    let shown = desk.done(&["build", "ada", "--sandbox", "none"]);
    assert!(shown.contains("built without a sandbox"), "{shown}");
    assert_eq!(fs::read_to_string(desk.path("ada/made")).unwrap(), "made\n");
}

#[test]
fn a_directory_belongs_to_the_same_users_after_a_build() {
    let desk = Desk::new();
    if !can_build(&desk) {
        return;
    }
    const NOBODY: u32 = 65534;
    let own = geteuid().as_raw();
    // A build never runs as root.
    let builds =
        "sh -c 'test $(id -u) != 0 && mkdir -p made/in && echo x > made/in/file && chmod 0 made'";
    handed_in(&desk, &format!("run = 'true'\nbuild = [{builds:?}, \"ln -sf /etc/passwd link\"]\n"));
    for user in [own, if own == 0 { NOBODY } else { own }] {
        give(&desk.path("ada"), user);
        let _ = fs::set_permissions(desk.path("ada/made"), PermissionsExt::from_mode(0o755));
        let _ = fs::remove_dir_all(desk.path("ada/made"));
        // A link that leads out of the directory is refused before the next build.
        let _ = fs::remove_file(desk.path("ada/link"));
        let passwd = Path::new("/etc/passwd").metadata().unwrap();
        let shown = desk.done(&["build", "ada"]);
        assert!(shown.contains("built in sandbox tier"), "{shown}");
        assert_eq!(owners(&desk.path("ada")), [user], "{shown}");
        let made = desk.path("ada/made");
        fs::set_permissions(&made, PermissionsExt::from_mode(0o755)).unwrap();
        assert_eq!((owners(&made), owners(&made.join("in"))), (vec![user], vec![user]));
        assert_eq!(Path::new("/etc/passwd").metadata().unwrap().uid(), passwd.uid());
    }
}

#[test]
fn an_interrupted_build_leaves_the_directory_to_its_owner() {
    let desk = Desk::new();
    if !can_build(&desk) {
        return;
    }
    handed_in(&desk, "run = 'true'\nbuild = [\"sh -c 'echo x > made; sleep 60'\"]\n");
    let child = desk.command(&["build", "ada"]).spawn().expect("botyard starts");
    let begun = Instant::now();
    while !desk.path("ada/made").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "the build does not begin");
        std::thread::sleep(Duration::from_millis(5));
    }
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("a process id");
    kill_process(pid, Signal::INT).expect("botyard runs");
    let ran = finish(child);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    assert!(ran.stderr.contains("interrupted") && !ran.stdout.contains("failed"), "{ran:#?}");
    assert_eq!(owners(&desk.path("ada")), [geteuid().as_raw()], "{ran:#?}");
}

/// Builds the submitted directory in this process, as a server does.
fn built_here(desk: &Desk, seconds: Option<u64>) -> Result<Outcome, Error> {
    let config = BuildConfig {
        sandbox: Sandbox::Strict,
        cpu_seconds: 600,
        seconds,
        memory_mib: 1024,
        processes: 256,
        scratch_mib: 256,
        output_mib: 256,
        read: Vec::new(),
        name: Named::field,
    };
    let program = PathBuf::from(env!("CARGO_BIN_EXE_botyard"));
    let launcher = Launcher { program, args: vec!["sandbox-launcher".into()] };
    let interrupt = Interrupt::new().unwrap();
    let directory = desk.path("ada").canonicalize().unwrap();
    build(&directory, &config, &launcher, &interrupt, &mut |_| Ok(()))
}

/// A server builds many bots, and decides itself what a signal does.
#[test]
fn a_build_leaves_the_signals_of_its_process_alone() {
    let desk = Desk::new();
    if !can_build(&desk) {
        return;
    }
    handed_in(&desk, "run = 'true'\nbuild = ['true']\n");
    assert!(matches!(built_here(&desk, None), Ok(Outcome::Built(_))));
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    let caught = u64::from_str_radix(caught.trim(), 16).unwrap();
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        assert_eq!(caught >> (signal.as_raw() - 1) & 1, 0, "{signal:?}: {caught:x}");
    }
}

#[test]
fn all_commands_of_a_contained_build_have_one_deadline() {
    let desk = Desk::new();
    if !can_build(&desk) {
        return;
    }
    handed_in(&desk, "run = 'true'\nbuild = ['sleep 500']\n");
    let built = built_here(&desk, Some(1));
    let Ok(Outcome::Failed(why)) = built else { panic!("{built:?}") };
    assert!(why.plain().contains("which is the limit for all its commands together"), "{why:?}");
}

#[test]
fn nothing_that_was_built_runs_as_its_owner() {
    let desk = Desk::new();
    if !can_build(&desk) {
        return;
    }
    // Each way to make such a file is refused; the same way without these bits works.
    for (makes, works) in [
        ("chmod u+s bot", false),
        ("chmod g+s bot", false),
        ("chmod 4755 bot", false),
        ("install -m 6755 /bin/true other", false),
        ("python3 -c 'import os; os.open(\"other\", os.O_CREAT | os.O_WRONLY, 0o4755)'", false),
        ("python3 -c 'import os; os.mknod(\"other\", 0o102755)'", false),
        ("chmod 755 bot", true),
        ("install -m 755 /bin/true other", true),
    ] {
        handed_in(&desk, &format!("run = 'true'\nbuild = [{makes:?}]\n"));
        fs::copy("/bin/true", desk.path("ada/bot")).unwrap();
        let ran = desk.run(&["build", "ada"]);
        assert_eq!(ran.code == Some(0), works, "{makes}: {ran:#?}");
        for file in ["bot", "other"] {
            let path = desk.path("ada").join(file);
            assert!(!path.exists() || mode(&path) & 0o6000 == 0, "{makes}: {file}");
            let _ = fs::remove_file(path);
        }
    }
    // Existing files have lost the bits afterwards, also in unreadable directories.
    handed_in(&desk, "run = 'true'\nbuild = [\"chmod 0 closed\"]\n");
    fs::create_dir(desk.path("ada/closed")).unwrap();
    for file in ["ada/bot", "ada/closed/bot"] {
        fs::copy("/bin/true", desk.path(file)).unwrap();
        fs::set_permissions(desk.path(file), PermissionsExt::from_mode(0o6711)).unwrap();
    }
    // Another user's file keeps them if only its directory is lent.
    give(&desk.path("ada"), 65534);
    if geteuid().is_root() {
        chown(desk.path("ada/closed/bot"), Some(65534), Some(65534)).unwrap();
        for file in ["ada/bot", "ada/closed/bot"] {
            fs::set_permissions(desk.path(file), PermissionsExt::from_mode(0o6711)).unwrap();
        }
    }
    let shown = desk.done(&["build", "ada"]);
    assert!(shown.contains("bot: setuid and setgid bits removed"), "{shown}");
    fs::set_permissions(desk.path("ada/closed"), PermissionsExt::from_mode(0o755)).unwrap();
    for file in ["ada/bot", "ada/closed/bot"] {
        assert_eq!(mode(&desk.path(file)), 0o711, "{file}");
    }
}

#[test]
fn a_build_that_writes_too_much_is_ended_and_told() {
    let desk = Desk::new();
    if !can_build(&desk) {
        return;
    }
    for (writes, works) in [
        ("sh -c 'for n in 1 2 3; do head -c 1000000 /dev/urandom > $n; done'", false),
        ("sh -c 'for n in $(seq 1000); do : > $n; done'", false),
        // It would never end on its own.
        ("sh -c 'while :; do head -c 500000 /dev/urandom >> $$; sleep 0.01; done'", false),
        ("sh -c 'head -c 1000000 /dev/urandom > a; cp a b; rm b; ln a c'", true),
    ] {
        handed_in(&desk, &format!("run = 'true'\nbuild = [{writes:?}]\n"));
        let ran = desk.run(&["build", "ada", "--output", "2"]);
        assert_eq!(ran.code, Some(if works { 0 } else { 1 }), "{writes}: {ran:#?}");
        let printed = ran.stdout.contains("it wrote more than 2 MiB in its directory");
        assert_eq!(printed, !works, "{writes}: {ran:#?}");
        fs::remove_dir_all(desk.path("ada")).unwrap();
    }
}

#[test]
fn root_lends_no_file_that_has_a_name_elsewhere() {
    let desk = Desk::new();
    if !can_build(&desk) || !geteuid().is_root() {
        eprintln!("NOT TESTED on this host: a build that is started by root");
        return;
    }
    handed_in(&desk, "run = 'true'\nbuild = [\"sh -c 'echo x > shadow'\"]\n");
    fs::write(desk.path("shadow"), "a secret").unwrap();
    fs::hard_link(desk.path("shadow"), desk.path("ada/shadow")).unwrap();
    let ran = desk.run(&["build", "ada"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("ada/shadow has a hard link outside"), "{ran:#?}");
    assert_eq!(fs::read_to_string(desk.path("shadow")).unwrap(), "a secret");
    assert_eq!(owners(&desk.path("ada")), [0]);
}

#[test]
fn a_build_that_leaves_what_cannot_be_walked_has_failed() {
    let desk = Desk::new();
    if !can_build(&desk) {
        return;
    }
    let nests = "import os
for _ in range(300): os.mkdir('d'); os.chdir('d')";
    handed_in(&desk, "run = 'true'\nbuild = [\"python3 nests.py\"]\n");
    fs::write(desk.path("ada/nests.py"), nests).unwrap();
    let ran = desk.run(&["build", "ada"]);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    assert!(ran.stdout.contains("nested more than 200 deep"), "{ran:#?}");
}

#[test]
fn another_directory_at_the_same_path_is_neither_built_in_nor_changed() {
    let desk = Desk::new();
    if !can_build(&desk) {
        return;
    }
    let waits = "sh -c 'touch begun; while ! test -e go; do sleep 0.01; done'";
    handed_in(&desk, &format!("run = 'true'\nbuild = [{waits:?}, 'touch made']\n"));
    let before = owners(&desk.path("ada"));
    let child = desk.command(&["build", "ada"]).spawn().expect("botyard starts");
    let begun = Instant::now();
    while !desk.path("ada/begun").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "the build does not begin");
        std::thread::sleep(Duration::from_millis(5));
    }
    fs::rename(desk.path("ada"), desk.path("first")).unwrap();
    fs::create_dir(desk.path("ada")).unwrap();
    fs::write(desk.path("ada/tool"), "").unwrap();
    fs::set_permissions(desk.path("ada/tool"), fs::Permissions::from_mode(0o4755)).unwrap();
    fs::write(desk.path("first/go"), "").unwrap();
    let ran = finish(child);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    assert!(ran.stdout.contains("expected the directory that was there before"), "{ran:#?}");
    for place in ["ada/made", "first/made"] {
        assert!(!desk.path(place).exists(), "{place}");
    }
    assert_eq!(mode(&desk.path("ada/tool")), 0o4755, "no build has run there");
    assert_eq!(owners(&desk.path("first")), before, "what was lent is given back");
}
