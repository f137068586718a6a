//! Shared parts of the sandbox tests: a directory with files of several owners, the checker as a
//! contained program, and the treatment of hosts that lack what a test needs.
#![allow(dead_code)] // Each test program uses only a part of this module.

use botyard_sandbox::{Contained, Exit, Launch, Launcher, MIB, Pipes, ResourceLimits, Tier};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The program that tries the operations and is also a launcher.
pub const CHECKER: &str = env!("CARGO_BIN_EXE_botyard-sandbox-checker");

/// Returns the launcher of the tests.
pub fn launcher() -> Launcher {
    Launcher { program: CHECKER.into(), args: vec!["launch".into()] }
}

/// The tiers to test.
pub const TIERS: [Tier; 3] = [Tier::A, Tier::B, Tier::C];

/// The tiers in which a program may start other processes.
pub const TREES: [Tier; 2] = [Tier::B, Tier::C];

/// Creates a directory with files of the program and files of others.
pub fn place() -> TempDir {
    let place = tempfile::tempdir().unwrap();
    // World-readable: only the sandbox keeps a program with an unused UID out.
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o755)).unwrap();
    for (file, text) in [
        ("own/file.txt", "its own"),
        ("own/beside.txt", "its own too"),
        ("own/hidden/replay.ndjson", "who is where"),
        ("other/bot.py", "another's idea"),
        ("home/.ssh/id_ed25519", "a key"),
        ("referee.txt", "the referee's"),
    ] {
        let path = place.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    // The last link is named like a command line option.
    for (target, link) in [
        ("hidden/replay.ndjson", "own/link-to-hidden"),
        ("../other/bot.py", "own/link-to-another"),
        ("../home/.ssh/id_ed25519", "own/-u"),
    ] {
        std::os::unix::fs::symlink(target, place.path().join(link)).unwrap();
    }
    place
}

/// Creates a launch of a program that sees its own directory in the place, with small limits.
pub fn launch(tier: Tier, place: &Path, program: impl Into<PathBuf>, args: &[&str]) -> Launch {
    Launch {
        tier,
        program: program.into(),
        args: args.iter().map(Into::into).collect(),
        directory: place.join("own"),
        readable: vec![CHECKER.into()],
        own: vec![place.join("own")],
        writable: Vec::new(),
        hidden: vec![place.join("own/hidden")],
        children: true,
        limits: ResourceLimits {
            memory: 64 * MIB,
            processes: 32,
            files: 32,
            scratch: MIB,
            cpu_seconds: None,
        },
    }
}

/// Returns whether this host can run a tier. If not, prints a note beside the results, or panics if
/// `BOTYARD_REQUIRE_TIERS` (`A,B`) names the tier: such a host must test everything.
pub fn can(tier: Tier, what: &str) -> bool {
    let place = place();
    // The checker with no operation: its file may also be in a directory that only root may enter.
    let args = ["nothing", place.path().to_str().unwrap(), "1"];
    let trial = launch(tier, place.path(), CHECKER, &args);
    let reason = match Contained::spawn(&launcher(), &trial, &[]) {
        Ok(_) => return true,
        Err(error) => error,
    };
    let required = std::env::var("BOTYARD_REQUIRE_TIERS").unwrap_or_default();
    assert!(!required.contains(tier.as_str()), "tier {tier} does not work here: {reason}");
    // Past the capture of test output, so that a skipped test does not look like a passed one.
    let _ = writeln!(io::stderr(), "NOT TESTED on this host: {what} in tier {tier}: {reason}");
    false
}

/// What a program wrote, and how it ended.
#[derive(Debug)]
pub struct Ran {
    pub stdout: String,
    pub stderr: String,
    pub exit: Option<Exit>,
}

/// Runs a program until it ends, for ten minutes at most.
pub fn run(launch: &Launch) -> Ran {
    let (mut contained, pipes) =
        Contained::spawn(&launcher(), launch, &[]).unwrap_or_else(|error| panic!("{error}"));
    let exit = contained.wait_until(Instant::now() + Duration::from_secs(600));
    contained.tear_down().unwrap();
    let Pipes { stdin: _, stdout, stderr } = pipes;
    Ran { stdout: all_of(stdout), stderr: all_of(stderr), exit }
}

fn all_of(pipe: std::os::fd::OwnedFd) -> String {
    let (mut pipe, mut bytes) = (File::from(pipe), Vec::new());
    let deadline = Instant::now() + Duration::from_secs(60);
    // A program that another thread starts has the write end until it is executed.
    while let Err(error) = pipe.read_to_end(&mut bytes) {
        assert_eq!(error.kind(), io::ErrorKind::WouldBlock, "{error}");
        assert!(Instant::now() < deadline, "an open write end");
        std::thread::sleep(Duration::from_millis(1));
    }
    String::from_utf8(bytes).expect("text")
}
