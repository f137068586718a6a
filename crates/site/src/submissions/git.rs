//! The files of a branch of a git repository, fetched by the program `git`: the newest commit alone, from
//! hosts that a teacher has allowed, under limits of time and size.
//!
//! Neither the repository nor its server is trusted. Nothing of either is run: there are no hooks, no
//! configuration but that of the command, no filters and no submodules, and the files leave the
//! repository as a zip archive, which is then unpacked like an upload. Redirects are not followed, so a
//! server cannot lead to another host.

use crate::files::{Statements, now};
use botyard_protocol::printable;
use rusqlite::{OptionalExtension, Transaction, params};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The longest address, in bytes.
const ADDRESS: usize = 300;

/// The longest name of a branch, in bytes.
const BRANCH: usize = 100;

/// The most bytes of git's error output that are shown.
const SHOWN: u64 = 1000;

/// What the entry of a submodule in a list of files begins with: its mode.
const SUBMODULE: &[u8] = b"160000 ";

/// How often a running command is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// The limits of a fetch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The wall-clock time of both commands together.
    pub time: Duration,
    /// The size of any file that they write, in bytes.
    pub bytes: u64,
    /// The CPU time of each process, in seconds.
    pub cpu_seconds: u64,
    /// The address space of each process, in KiB.
    pub memory_kib: u64,
}

/// The limits of a submission.
pub(crate) const LIMITS: Limits = Limits {
    time: Duration::from_secs(60),
    bytes: crate::files::unpack::ARCHIVE,
    cpu_seconds: 30,
    memory_kib: 2 << 20,
};

/// The address of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    url: String,
    host: String,
}

/// Why nothing was fetched.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GitError {
    /// The text says why, for the team.
    #[error("{0}")]
    Refused(String),
    /// The host failed, or has no `git`.
    #[error("git cannot be used: {0}")]
    Host(#[from] io::Error),
}

/// The files of a commit.
#[derive(Debug)]
pub(crate) struct Fetched {
    /// The commit, as hexadecimal digits.
    pub commit: String,
    /// Its files, as a zip archive.
    pub archive: File,
}

impl Address {
    /// Parses `https://HOST/PATH`.
    ///
    /// # Errors
    ///
    /// What was expected.
    pub(crate) fn parse(text: &str) -> Result<Address, String> {
        let shown = printable(text, 100);
        let wrong = |why: &str| Err(format!("Expected https://HOST/PATH, got {shown:?}{why}."));
        if text.len() > ADDRESS || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return wrong("");
        }
        let Some((host, path)) = text.strip_prefix("https://").and_then(|it| it.split_once('/'))
        else {
            return wrong("");
        };
        if host.contains('@') {
            return wrong(": a name or password in an address would be stored");
        }
        if path.is_empty() || path.contains(['?', '#', '\\']) {
            return wrong("");
        }
        match host_of(host) {
            Some(host) => Ok(Address { url: text.to_string(), host }),
            None => wrong(""),
        }
    }

    /// Returns the host, with its port if it is not that of HTTPS.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// Returns the address as text.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Returns the protocol of `git` that is allowed for it.
    fn protocol(&self) -> &str {
        self.url.split_once("://").map_or("", |(protocol, _)| protocol)
    }

    /// Returns the address of a directory, for tests.
    #[cfg(test)]
    fn local(path: &Path) -> Address {
        Address { url: format!("file://{}", path.display()), host: String::new() }
    }
}

/// Returns a host in lower case; `None` if it cannot be one.
fn host_of(text: &str) -> Option<String> {
    let (name, port) = match text.split_once(':') {
        Some((name, port)) => (name, Some(port.parse::<u16>().ok()?)),
        None => (text, None),
    };
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
    if name.is_empty() || name.starts_with(['-', '.']) || !name.chars().all(is_letter) {
        return None;
    }
    let name = name.to_ascii_lowercase();
    Some(match port {
        None | Some(443) => name,
        Some(port) => format!("{name}:{port}"),
    })
}

/// Checks the name of a branch; empty for the branch that a repository names itself.
fn is_branch(name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '+');
    let has = |text: &str| name.contains(text);
    name.is_empty()
        || name.len() <= BRANCH
            && name.chars().all(is_letter)
            && !name.starts_with(['-', '.', '/'])
            && !name.ends_with(['.', '/'])
            && !(has("..") || has("//") || has("/.") || name.ends_with(".lock"))
}

/// Parses the hosts that a teacher allows, separated by spaces or commas.
///
/// # Errors
///
/// What was expected.
pub(crate) fn parse_hosts(text: &str) -> Result<Vec<String>, String> {
    let words = text.split([' ', ',', '\n', '\r', '\t']).filter(|word| !word.is_empty());
    let hosts = words.map(|word| {
        host_of(word).ok_or_else(|| {
            format!("Expected hosts, as in git.example.org, got {:?}.", printable(word, 100))
        })
    });
    let mut hosts = hosts.collect::<Result<Vec<String>, String>>()?;
    hosts.sort();
    hosts.dedup();
    Ok(hosts)
}

/// Returns the hosts from which teams may submit.
pub(crate) fn hosts(transaction: &Transaction<'_>) -> rusqlite::Result<Vec<String>> {
    let last: Option<String> =
        transaction.value("SELECT hosts FROM git_hosts ORDER BY id DESC LIMIT 1", []).optional()?;
    Ok(last.unwrap_or_default().split_whitespace().map(String::from).collect())
}

/// Sets the hosts from which teams may submit.
pub(crate) fn set_hosts(
    transaction: &Transaction<'_>,
    hosts: &[String],
    reason: &str,
    person: i64,
) -> rusqlite::Result<()> {
    transaction.change(
        "INSERT INTO git_hosts(hosts, reason, person, at) VALUES (?1, ?2, ?3, ?4)",
        params![hosts.join(" "), reason, person, now()],
    )
}

/// Fetches the newest commit of a branch into the directory `place`, which is empty.
///
/// # Errors
///
/// There is no such repository or branch, it exceeds a limit, or the host fails.
pub(crate) fn fetch(
    address: &Address,
    branch: &str,
    place: &Path,
    limits: Limits,
) -> Result<Fetched, GitError> {
    let certificates = std::env::var_os("SSL_CERT_FILE");
    fetch_trusting(address, branch, place, limits, certificates.as_deref())
}

/// The same; the server's certificate is checked by those in a file, if there is one, else by those of
/// the system.
fn fetch_trusting(
    address: &Address,
    branch: &str,
    place: &Path,
    limits: Limits,
    certificates: Option<&OsStr>,
) -> Result<Fetched, GitError> {
    if !is_branch(branch) {
        let shown = printable(branch, 100);
        return Err(GitError::Refused(format!("Expected the name of a branch, got {shown:?}.")));
    }
    let until = Instant::now() + limits.time;
    let protocol = format!("protocol.{}.allow=always", address.protocol());
    let git = Git { place, limits, until, protocol: &protocol, certificates };
    git.run(&["init", "--quiet", "--bare", "--template=", "repository"])?;
    let from = if branch.is_empty() { "HEAD".into() } else { format!("refs/heads/{branch}") };
    let refs = format!("+{from}:refs/heads/submitted");
    let fetch = ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules"];
    git.run_in(&[&fetch[..], &["--", &address.url, &refs]].concat())?;
    git.refuse_submodules()?;
    git.run_in(&["archive", "--format=zip", "--output=../archive.zip", "refs/heads/submitted"])?;
    let commit = fs::read_to_string(place.join("repository/refs/heads/submitted"))?;
    Ok(Fetched {
        commit: commit.trim().to_string(),
        archive: File::open(place.join("archive.zip"))?,
    })
}

/// How `git` is run.
struct Git<'a> {
    place: &'a Path,
    limits: Limits,
    until: Instant,
    /// The setting that allows the protocol of the address.
    protocol: &'a str,
    certificates: Option<&'a OsStr>,
}

impl Git<'_> {
    fn run(&self, args: &[&str]) -> Result<(), GitError> {
        self.run_at(self.place, args)
    }

    /// Refuses a commit with a submodule: in the archive, its directory would be empty.
    fn refuse_submodules(&self) -> Result<(), GitError> {
        let list = self.place.join("list");
        let args = ["ls-tree", "-r", "-z", "refs/heads/submitted"];
        let directory = self.place.join("repository");
        self.run_to(&directory, &args, File::create(&list)?.into())?;
        let entries = fs::read(&list)?;
        let found = entries.split(|&byte| byte == 0).find(|it| it.starts_with(SUBMODULE));
        let Some(entry) = found else { return Ok(()) };
        let path = String::from_utf8_lossy(entry);
        let path = path.split_once('\t').map_or("", |(_, path)| path);
        Err(GitError::Refused(format!(
            "{:?} is a git submodule, and submodules are not fetched. Add its files to the repository \
             itself.",
            printable(path, 100)
        )))
    }

    /// Runs a command in the repository.
    fn run_in(&self, args: &[&str]) -> Result<(), GitError> {
        self.run_at(&self.place.join("repository"), args)
    }

    fn run_at(&self, directory: &Path, args: &[&str]) -> Result<(), GitError> {
        self.run_to(directory, args, Stdio::null())
    }

    fn run_to(&self, directory: &Path, args: &[&str], output: Stdio) -> Result<(), GitError> {
        let Limits { bytes, cpu_seconds, memory_kib, .. } = self.limits;
        let errors = self.place.join("errors");
        // Limits are set before the first program of git runs, and its own programs inherit them.
        let script = format!(
            "ulimit -f {} && ulimit -t {cpu_seconds} && ulimit -v {memory_kib} && exec git \"$@\"",
            bytes.div_ceil(512)
        );
        let mut command = Command::new("sh");
        command.args(["-c", &script, "sh"]);
        for setting in [
            "protocol.allow=never",
            self.protocol,
            "core.hooksPath=/dev/null",
            "core.fsmonitor=false",
            "credential.helper=",
            "http.followRedirects=false",
            // A pack is one file, which the limit of size holds for.
            "fetch.unpackLimit=1",
            "fetch.fsckObjects=true",
            "fetch.recurseSubmodules=false",
            "gc.auto=0",
            "maintenance.auto=false",
            "pack.threads=1",
        ] {
            command.args(["-c", setting]);
        }
        command.args(args).current_dir(directory).env_clear();
        for name in ["PATH", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        if let Some(certificates) = self.certificates {
            // Some builds of git read the one, and some the other.
            command.env("GIT_SSL_CAINFO", certificates).env("SSL_CERT_FILE", certificates);
        }
        command
            .env("HOME", self.place)
            .env("LC_ALL", "C")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CEILING_DIRECTORIES", self.place)
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_NO_LAZY_FETCH", "1")
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(File::create(&errors)?);
        let status = finished(&mut command, self.until)?;
        match status {
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(GitError::Refused(failure(status, &errors)?)),
            None => Err(GitError::Refused(format!(
                "The repository took longer than {} s.",
                self.limits.time.as_secs()
            ))),
        }
    }
}

/// Waits for a command until a moment, and ends it then with all its processes. Returns its status,
/// `None` if it was ended.
#[cfg(unix)]
fn finished(command: &mut Command, until: Instant) -> io::Result<Option<ExitStatus>> {
    use rustix::process::{Pid, Signal, kill_process_group};
    let mut child = std::os::unix::process::CommandExt::process_group(command, 0).spawn()?;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() > until {
            // Before it is waited for: its PID still names its group.
            let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(LOOK);
    }
}

#[cfg(not(unix))]
fn finished(_: &mut Command, _: Instant) -> io::Result<Option<ExitStatus>> {
    let _ = (LOOK, thread::sleep);
    Err(io::Error::other("this system does not limit what git writes"))
}

/// Returns why a command failed, for the team.
fn failure(status: ExitStatus, errors: &Path) -> io::Result<String> {
    let mut file = File::open(errors)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(SHOWN)))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let lines: Vec<String> = lines.map(|line| printable(line, 300)).collect();
    Ok(match lines.is_empty() {
        // Ended by a limit.
        true => format!("The repository exceeds a limit of size or time: git ended with {status}."),
        false => format!("{}git: {}", hint(&text), lines.join("\n")),
    })
}

/// Returns what git's words mean here.
fn hint(text: &str) -> &'static str {
    if text.contains("index-pack") {
        // Its own program was ended by a limit.
        "The repository exceeds a limit of size, time or memory. "
    } else if text.contains("returned error: 30") {
        "Redirects are not followed: give the address that this one leads to. "
    } else {
        ""
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::files::unpack::{LIMITS as UNPACKED, unpack};
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpListener;
    use std::path::PathBuf;
    use std::process::Child;
    use tempfile::TempDir;

    /// Returns a repository with these files, in two commits on the branch `main`.
    fn repository(files: &[(&str, &[u8])]) -> (TempDir, PathBuf) {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join("theirs");
        fs::create_dir(&path).expect("it is ours");
        let git = |args: &[&str]| {
            let mut command = Command::new("git");
            command.args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(args);
            let done = command.current_dir(&path).env("HOME", &path).output().expect("git runs");
            assert!(done.status.success(), "{args:?}: {done:?}");
            String::from_utf8_lossy(&done.stdout).into_owned()
        };
        git(&["init", "--quiet", "--initial-branch=main"]);
        git(&["commit", "--quiet", "--allow-empty", "-m", "first"]);
        for (name, content) in files {
            let file = path.join(name);
            fs::create_dir_all(file.parent().expect("a directory")).expect("it is ours");
            fs::write(file, content).expect("it is ours");
        }
        git(&["add", "--all", "--force"]);
        git(&["commit", "--quiet", "--allow-empty", "-m", "second"]);
        (place, path)
    }

    fn fetched(path: &Path, branch: &str, limits: Limits) -> Result<Vec<String>, String> {
        let place = tempfile::tempdir().expect("a directory");
        let got = fetch(&Address::local(path), branch, place.path(), limits);
        let got = got.map_err(|error| error.to_string())?;
        assert!(got.commit.len() == 40, "{}", got.commit);
        let history = Command::new("git")
            .args(["rev-list", "--count", "refs/heads/submitted"])
            .current_dir(place.path().join("repository"))
            .output()
            .expect("git runs");
        assert_eq!(history.stdout, b"1\n", "the newest commit alone");
        let into = place.path().join("in");
        fs::create_dir(&into).expect("it is ours");
        unpack(got.archive, &into, UNPACKED).map_err(|error| error.to_string())?;
        let mut names: Vec<String> = fs::read_dir(&into)
            .expect("a directory")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        Ok(names)
    }

    #[test]
    fn the_files_of_the_newest_commit_are_fetched() {
        let (_place, path) = repository(&[("bot.toml", b"run = 'a'\n"), ("src/bot.py", b"1\n")]);
        let expected = Ok(vec!["bot.toml".to_string(), "src".to_string()]);
        assert_eq!(fetched(&path, "main", LIMITS), expected);
        assert_eq!(fetched(&path, "", LIMITS), expected, "the branch that it names itself");
        let refused = fetched(&path, "other", LIMITS).expect_err("no such branch");
        assert!(refused.contains("couldn't find remote ref"), "{refused}");
        let refused = fetched(&path.join("none"), "main", LIMITS).expect_err("no repository");
        assert!(refused.starts_with("git: "), "{refused}");
    }

    #[test]
    fn links_are_refused_and_no_filter_or_hook_runs() {
        let (_place, path) = repository(&[("bot.toml", b"run = 'a'\n")]);
        std::os::unix::fs::symlink("/etc/passwd", path.join("key")).expect("a link");
        let commit = "git add -A && git -c user.name=a -c user.email=a@b commit --quiet -m link";
        let done = Command::new("sh").args(["-c", commit]).current_dir(&path).status();
        assert!(done.expect("git runs").success());
        let refused = fetched(&path, "main", LIMITS).expect_err("a link");
        assert!(refused.contains("is a link or a device"), "{refused}");

        let marker = path.join("ran");
        let hook = path.join(".git/hooks/post-checkout");
        fs::create_dir_all(hook.parent().expect("a directory")).expect("it is ours");
        let touch = format!("#!/bin/sh\ntouch {}\n", marker.display());
        fs::write(&hook, &touch).expect("it is ours");
        fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .expect("it is ours");
        let (_place, filtered) =
            repository(&[(".gitattributes", b"* filter=evil\n"), ("bot.toml", b"run = 'a'\n")]);
        assert!(fetched(&filtered, "main", LIMITS).is_ok());
        assert!(!marker.exists());
    }

    #[test]
    fn a_submodule_is_named() {
        let (_other, other) = repository(&[("lib.py", b"1\n")]);
        let (_place, path) = repository(&[("bot.toml", b"run = 'a'\n")]);
        let add = format!(
            "git -c protocol.file.allow=always submodule --quiet add {} 'deep/a lib' && \
             git -c user.name=a -c user.email=a@b commit --quiet -m module",
            other.display()
        );
        let mut command = Command::new("sh");
        command.args(["-c", &add]).current_dir(&path).env("HOME", &path);
        assert!(command.status().expect("git runs").success());
        let refused = fetched(&path, "main", LIMITS).expect_err("a submodule");
        assert!(refused.contains(r#""deep/a lib" is a git submodule"#), "{refused}");
    }

    #[test]
    fn a_large_repository_is_refused() {
        let mut state = 1u64;
        let noise = std::iter::repeat_with(|| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 56) as u8
        });
        let noise: Vec<u8> = noise.take(3 << 20).collect();
        let (_place, path) = repository(&[("bot.toml", b"run = 'a'\n"), ("noise", &noise)]);
        assert!(fetched(&path, "main", LIMITS).is_ok());
        // A shell counts in blocks of 512 or of 1024 bytes.
        let refused = fetched(&path, "main", Limits { bytes: 1 << 20, ..LIMITS });
        assert!(refused.is_err(), "{refused:?}");
    }

    /// A server of repositories on the loopback, with a certificate. It ends with this value.
    struct Server(Child, u16);

    impl Server {
        fn start(place: &Path) -> Option<Server> {
            let made = Command::new("openssl")
                .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"])
                .args(["-nodes", "-days", "2", "-subj", "/CN=localhost"])
                .args(["-addext", "subjectAltName=DNS:localhost"])
                .args(["-keyout", "key.pem", "-out", "cert.pem"])
                .current_dir(place)
                .output();
            let programs = Command::new("git").arg("--exec-path").output().expect("git runs");
            let programs = String::from_utf8_lossy(&programs.stdout);
            let has_backend = Path::new(programs.trim()).join("git-http-backend").is_file();
            if !has_backend || !made.is_ok_and(|made| made.status.success()) {
                let missing = "openssl or git-http-backend is missing";
                let _ = writeln!(io::stderr(), "NOT TESTED on this host: {missing}");
                return None;
            }
            let mut child = Command::new("python3")
                .args([
                    "-c",
                    include_str!("../../tests/data/git_server.py"),
                    ".",
                    "cert.pem",
                    "key.pem",
                ])
                .current_dir(place)
                .stdout(Stdio::piped())
                .spawn()
                .expect("Python runs");
            let mut line = String::new();
            let output = child.stdout.take().expect("a pipe");
            BufReader::new(output).read_line(&mut line).expect("its port");
            let port = line.trim().parse().expect("its port");
            Some(Server(child, port))
        }
    }

    impl Drop for Server {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    #[test]
    fn a_server_is_trusted_in_nothing() {
        let noise: Vec<u8> = (0..1u32 << 19)
            .flat_map(|number| number.wrapping_mul(2_654_435_761).to_le_bytes())
            .collect();
        let (place, _) = repository(&[("bot.toml", b"run = 'a'\n"), ("noise", &noise)]);
        let Some(server) = Server::start(place.path()) else { return };
        let certificate = place.path().join("cert.pem");
        let certificate = Some(certificate.as_os_str());
        let get = |path: &str, limits: Limits, certificates: Option<&OsStr>| {
            let url = format!("https://localhost:{}/{path}", server.1);
            let address = Address::parse(&url).expect("an address");
            let place = tempfile::tempdir().expect("a directory");
            let fetched = fetch_trusting(&address, "main", place.path(), limits, certificates);
            fetched.map(|it| it.commit.len()).map_err(|error| error.to_string())
        };
        assert_eq!(get("theirs/.git", LIMITS, certificate), Ok(40));
        let small = Limits { bytes: 1 << 18, ..LIMITS };
        for (path, limits, certificates, expected) in [
            ("theirs/.git", LIMITS, None, "certificate"),
            ("away/theirs/.git", LIMITS, certificate, "Redirects are not followed"),
            ("none/.git", LIMITS, certificate, "not found"),
            ("theirs/.git", small, certificate, "exceeds a limit of size"),
        ] {
            let refused = get(path, limits, certificates).expect_err(expected);
            assert!(refused.contains(expected), "{expected}: {refused}");
        }
    }

    #[test]
    fn a_server_that_does_not_answer_is_left() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let address = Address::parse(&format!("https://127.0.0.1:{port}/a.git")).expect("one");
        let place = tempfile::tempdir().expect("a directory");
        let limits = Limits { time: Duration::from_millis(500), ..LIMITS };
        let refused = fetch(&address, "main", place.path(), limits).expect_err("no answer");
        assert!(refused.to_string().contains("took longer than"), "{refused}");
    }

    #[test]
    fn addresses_and_branches_are_checked() {
        let host = |text: &str| Address::parse(text).map(|address| address.host().to_string());
        assert_eq!(host("https://Git.Example.org/a/b.git"), Ok("git.example.org".into()));
        assert_eq!(host("https://x:8443/a"), Ok("x:8443".into()));
        assert_eq!(host("https://x:443/a"), Ok("x".into()));
        for text in [
            "",
            "http://x/a",
            "file:///etc",
            "ssh://x/a",
            "git@x:a",
            "https://x",
            "https://x/",
            "https:///a",
            "https://a:b@x/c",
            "https://x/a?b",
            "https://x:port/a",
            "https://-x/a",
            "https://x/a b",
            "ext::sh -c id",
            "--upload-pack=id",
        ] {
            assert!(Address::parse(text).is_err(), "{text}");
        }
        assert!(is_branch("") && is_branch("main") && is_branch("team/red-2"));
        for name in ["-x", "a..b", "a b", "a:b", "/a", "a/", ".a", "a/.b", "a.lock", "a~1", "é"] {
            assert!(!is_branch(name), "{name}");
        }
        assert_eq!(parse_hosts(" B.org, a.org\nb.org "), Ok(vec!["a.org".into(), "b.org".into()]));
        assert!(
            parse_hosts("https://a.org").is_err() && parse_hosts("").is_ok_and(|it| it.is_empty())
        );
    }
}
