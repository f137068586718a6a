//! `botyard` as a child process, in an empty directory, with all its output.

use rustix::fs::Mode;
use rustix::process::umask;
use serde_json::Value;
use std::io::Read;
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The limit of a run, longer than any test takes on the busiest machine.
const PATIENCE: Duration = Duration::from_secs(600);

/// Time enough for any move on a busy machine, the default of every game in these tests: see
/// [`Desk::command`].
pub const GENEROUS: [&str; 2] = ["--move-time", "30000"];

/// The program under test.
pub const BOTYARD: &str = env!("CARGO_BIN_EXE_botyard");

/// The output of a run of `botyard`, and its exit code.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// An empty directory to run `botyard` in, and an empty home; both are deleted on drop.
pub struct Desk {
    directory: tempfile::TempDir,
    home: tempfile::TempDir,
}

impl Desk {
    pub fn new() -> Desk {
        // If these tests run as root, bots run as an unused UID, which needs access.
        umask(Mode::from_raw_mode(0o022));
        let [directory, home] = [(); 2].map(|()| {
            let directory = tempfile::tempdir().expect("a temporary directory");
            let for_all = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(directory.path(), for_all).expect("it is ours");
            directory
        });
        Desk { directory, home }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Makes the command with these arguments, not yet started. A verb that plays games gives bots
    /// [`GENEROUS`] time unless the arguments or a saved game set it, because a machine may be busy. The user's own
    /// settings have no effect.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(BOTYARD);
        command.args(args).current_dir(self.directory.path()).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.env("HOME", self.home.path()).env("LC_ALL", "C.UTF-8");
        // A busy machine would make every test of a gate wait.
        command.env("BOTYARD_QUIET_WITHIN", "0");
        for name in ["COLUMNS", "LINES", "XDG_DATA_HOME", "NO_COLOR", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        let plays = matches!(args, ["match" | "test" | "play", ..]);
        if plays && !args.iter().any(|arg| ["--move-time", "--bank", "--resume"].contains(arg)) {
            command.args(GENEROUS);
        }
        command
    }

    /// Runs it to its end.
    pub fn run(&self, args: &[&str]) -> Ran {
        finish(self.command(args).spawn().expect("botyard starts"))
    }

    /// Runs it to its end, checks that it succeeded, and returns its standard output.
    pub fn done(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        assert_eq!(ran.code, Some(0), "botyard {}: {ran:#?}", args.join(" "));
        ran.stdout
    }

    /// Returns the replays in a directory, by name.
    pub fn replays(&self, directory: &str) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = std::fs::read_dir(self.path(directory))
            .expect("the directory of the replays")
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| is_replay(path))
            .collect();
        files.sort();
        files
    }
}

/// Returns the replays in a directory and the directories in it, sorted.
pub fn replays_below(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let found = entries.flat_map(|path| match path.is_dir() {
        true => replays_below(&path),
        false => vec![path],
    });
    let mut files: Vec<PathBuf> = found.filter(|path| is_replay(path)).collect();
    files.sort();
    files
}

/// Whether the name of a file is that of a replay, compressed or not.
fn is_replay(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".ndjson") || name.ends_with(".ndjson.gz")
}

/// Waits for a run of `botyard` to end, and returns its output.
pub fn finish(child: Child) -> Ran {
    finish_within(child, PATIENCE)
}

/// The same for a run that takes up to this time.
pub fn finish_within(mut child: Child, patience: Duration) -> Ran {
    let stdout = child.stdout.take().map(read_on_a_thread);
    let stderr = child.stderr.take().map(read_on_a_thread);
    let begun = Instant::now();
    let code = loop {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            break status.code();
        }
        if begun.elapsed() > patience {
            child.kill().expect("a child can be killed");
            panic!("botyard has not ended after {patience:?}");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let text = |reader: Option<std::thread::JoinHandle<String>>| {
        reader.map_or(String::new(), |reader| reader.join().expect("output is UTF-8"))
    };
    Ran { code, stdout: text(stdout), stderr: text(stderr) }
}

fn read_on_a_thread(mut from: impl Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut text = String::new();
        from.read_to_string(&mut text).expect("output is UTF-8");
        text
    })
}

/// Runs a game in which a bot is to be late. Repeats it if the game was void, because the referee
/// of a busy host could not decide.
pub fn unless_void(mut run: impl FnMut() -> Ran) -> Ran {
    for attempt in 1..=10 {
        let ran = run();
        if !ran.stdout.contains("the host failed") {
            return ran;
        }
        std::thread::sleep(Duration::from_secs(attempt));
    }
    panic!("void ten times: the host is too busy for any test of time");
}

/// Returns a port of the loopback that is free, and that no system gives to a connection or to a
/// listener that leaves the choice to it: those begin at 32768 (Linux) or above.
pub fn free_port() -> u16 {
    static TRIED: AtomicU16 = AtomicU16::new(0);
    let process = (std::process::id() % 499) as u16;
    loop {
        let tried = TRIED.fetch_add(1, Relaxed);
        let port = 20_000 + (process * 24 + tried) % 12_000;
        if TcpListener::bind((Ipv4Addr::UNSPECIFIED, port)).is_ok() {
            return port;
        }
    }
}

/// Returns a file of the repository.
pub fn repository(path: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    file.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Returns a bot of the repository as a command line.
pub fn script(language: &str, path: &str, arguments: &str) -> String {
    format!("{language} '{}' {arguments}", repository(path).display())
}

/// Returns the misbehaving bot in one of its modes. Without the module `site`, as Python starts in half the time.
pub fn misbehaving(mode: &str) -> String {
    script("python3 -S", "tests/bots/misbehave.py", mode)
}

/// Returns the lines of a run with `--json`.
pub fn events(stdout: &str) -> Vec<Value> {
    let parse = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    stdout.lines().map(parse).collect()
}

/// Returns the events of one type.
pub fn events_of<'a>(events: &'a [Value], kind: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["type"] == kind).collect()
}
