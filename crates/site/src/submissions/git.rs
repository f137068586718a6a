//! The files of a branch of a git repository, fetched by the program `git`: the newest commit alone, from
//! hosts that a teacher has allowed, under limits of time and size.
//!
//! Neither the repository nor its server is trusted. Nothing of either is run: there are no hooks, no
//! configuration but that of the command, no filters and no submodules, and the files leave the
//! repository as a zip archive, which is then unpacked like an upload. Redirects are not followed, so a
//! server cannot lead to another host.

use crate::files::{Statements, now};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
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

/// The longest token or user, in bytes.
const SECRET: usize = 500;

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

/// What a team asks for, as it was typed.
#[derive(Clone, Copy, Default)]
pub(crate) struct Source<'a> {
    /// The address of the repository.
    pub address: &'a str,
    /// The branch; empty for the one that the repository names itself.
    pub branch: &'a str,
    /// The directory of the bot in it; empty for the whole repository.
    pub directory: &'a str,
    /// Who the token belongs to; most hosts accept any name.
    pub user: &'a str,
    /// A token that may read a private repository; empty for a public one. It is stored nowhere.
    pub token: &'a str,
}

impl Source<'_> {
    /// Returns the header that the server wants, if there is a token.
    ///
    /// # Errors
    ///
    /// What was expected.
    fn authorization(&self) -> Result<Option<String>, String> {
        if self.token.is_empty() {
            return Ok(None);
        }
        let is_plain =
            |text: &str| text.len() <= SECRET && text.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_plain(self.token) || !is_plain(self.user) || self.user.contains(':') {
            return Err(format!(
                "Expected a token and its user of at most {SECRET} letters, digits and signs, without spaces."
            ));
        }
        let user = if self.user.is_empty() { "x-access-token" } else { self.user };
        let encoded = BASE64_STANDARD.encode(format!("{user}:{}", self.token));
        Ok(Some(format!("Authorization: Basic {encoded}")))
    }
}

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

/// Checks the path of a directory in a repository; empty for the repository itself.
fn is_directory(path: &str) -> bool {
    let is_letter =
        |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '+' | ' ' | '(' | ')');
    path.len() <= ADDRESS
        && path.chars().all(is_letter)
        && (path.is_empty() || path.split('/').all(|part| !matches!(part, "" | "." | "..")))
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
    source: &Source<'_>,
    place: &Path,
    limits: Limits,
) -> Result<Fetched, GitError> {
    let certificates = std::env::var_os("SSL_CERT_FILE");
    fetch_trusting(address, source, place, limits, certificates.as_deref())
}

/// The same; the server's certificate is checked by those in a file, if there is one, else by those of
/// the system.
fn fetch_trusting(
    address: &Address,
    source: &Source<'_>,
    place: &Path,
    limits: Limits,
    certificates: Option<&OsStr>,
) -> Result<Fetched, GitError> {
    let Source { branch, directory, .. } = *source;
    if !is_branch(branch) {
        let shown = printable(branch, 100);
        return Err(GitError::Refused(format!("Expected the name of a branch, got {shown:?}.")));
    }
    if !is_directory(directory) {
        let shown = printable(directory, 100);
        return Err(GitError::Refused(format!(
            "Expected a directory in the repository, as in bots/mine, got {shown:?}."
        )));
    }
    let authorization = source.authorization().map_err(GitError::Refused)?;
    let until = Instant::now() + limits.time;
    let protocol = format!("protocol.{}.allow=always", address.protocol());
    let authorization = authorization.as_deref();
    let git = Git { place, limits, until, protocol: &protocol, certificates, authorization };
    git.run(&["init", "--quiet", "--bare", "--template=", "repository"])?;
    let from = if branch.is_empty() { "HEAD".into() } else { format!("refs/heads/{branch}") };
    let refs = format!("+{from}:refs/heads/submitted");
    let fetch = ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules"];
    git.run_in(&[&fetch[..], &["--", &address.url, &refs]].concat())?;
    git.refuse_submodules()?;
    let tree = match directory {
        "" => "refs/heads/submitted".to_string(),
        directory => format!("refs/heads/submitted:{directory}"),
    };
    git.run_in(&["archive", "--format=zip", "--output=../archive.zip", &tree])?;
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
    /// The header for a private repository.
    authorization: Option<&'a str>,
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
        if let Some(authorization) = self.authorization {
            // Not an argument, which every user of the host may read. There are no redirects that it could follow.
            command
                .env("GIT_CONFIG_COUNT", "1")
                .env("GIT_CONFIG_KEY_0", "http.extraHeader")
                .env("GIT_CONFIG_VALUE_0", authorization);
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
    } else if text.contains("could not read Username") || text.contains("Authentication failed") {
        "The repository is private or does not exist: state a token that may read it, and the user that the host \
         names with it. "
    } else if text.contains("not a valid object name") || text.contains("not a tree object") {
        "The branch has no such directory. "
    } else if text.contains("returned error: 30") {
        "Redirects are not followed: give the address that this one leads to. "
    } else {
        ""
    }
}

#[cfg(all(test, unix))]
mod tests;
