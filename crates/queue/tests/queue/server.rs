//! A PostgreSQL server of a test's own, on a socket in a private directory.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::time::Duration;

/// Returns the user that the server runs as if the test is root, which PostgreSQL refuses: one that has
/// a name on this host.
fn user() -> u32 {
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let of = |name: &str| {
        let line = users.lines().find(|line| line.split(':').next() == Some(name))?;
        line.split(':').nth(2)?.parse().ok()
    };
    of("postgres").or_else(|| of("daemon")).expect("a user called postgres or daemon")
}

/// A server. It ends with this value.
pub struct Server {
    directory: tempfile::TempDir,
    programs: PathBuf,
    process: Option<Child>,
}

impl Server {
    /// Starts a server with an empty database; `None` if PostgreSQL is not installed and need not be.
    pub fn start() -> Option<Server> {
        let Some(programs) = programs() else {
            let is_required = std::env::var_os("BOTYARD_REQUIRE_POSTGRESQL").is_some();
            assert!(!is_required, "PostgreSQL is required: install Debian's package postgresql");
            // Not captured, unlike what `eprintln` prints.
            let _ = writeln!(io::stderr(), "NOT TESTED on this host: PostgreSQL is not installed");
            return None;
        };
        // The path of a socket has at most 107 bytes.
        let directory = tempfile::Builder::new().prefix("pg-").tempdir_in("/tmp").unwrap();
        if is_root() {
            chown(directory.path(), Some(user()), None).unwrap();
        }
        fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o700)).unwrap();
        let mut server = Server { directory, programs, process: None };
        let made = server
            .program("initdb")
            .args(["--auth=trust", "--username=botyard", "--no-sync", "--encoding=UTF8"])
            .arg("-D")
            .arg(server.data())
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        server.run();
        Some(server)
    }

    /// Makes an empty database, and returns its address.
    pub fn database(&self) -> String {
        static NUMBER: AtomicU32 = AtomicU32::new(1);
        let name = format!("lab{}", NUMBER.fetch_add(1, SeqCst));
        let address = self.address();
        let config: postgres::Config = address.parse().unwrap();
        let mut client = config.connect(postgres::NoTls).unwrap();
        client.batch_execute(&format!("CREATE DATABASE {name}")).unwrap();
        address.replace("/postgres", &format!("/{name}"))
    }

    /// Ends the connections of all clients.
    pub fn cut_connections(&self) {
        let config: postgres::Config = self.address().parse().unwrap();
        let mut client = config.connect(postgres::NoTls).unwrap();
        let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                   WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";
        client.batch_execute(sql).unwrap();
    }

    /// The address of the database that every server has.
    pub fn address(&self) -> String {
        let socket = self.directory.path().to_string_lossy().replace('/', "%2F");
        format!("postgres://botyard@{socket}/postgres")
    }

    /// The directory that all its processes work in or below.
    #[allow(dead_code)] // Not every test looks for its processes.
    pub fn directory(&self) -> PathBuf {
        self.directory.path().into()
    }

    /// Runs the server, and waits until it answers. Processes of a server that was killed may hold its
    /// memory for a moment, longer on a busy host: it is then run again.
    pub fn run(&mut self) {
        let log = self.directory.path().join("log");
        let length = || fs::metadata(&log).map_or(0, |about| about.len() as usize);
        let mut begun = length();
        self.process = Some(self.spawn(&log));
        while !self.answers() {
            std::thread::sleep(Duration::from_millis(20));
            let ended = self.process.as_mut().and_then(|process| process.try_wait().unwrap());
            let Some(status) = ended else { continue };
            let text = fs::read_to_string(&log).unwrap();
            let is_held = text.get(begun..).is_some_and(|its| its.contains("is still in use"));
            assert!(is_held, "PostgreSQL ended: {status}\n{text}");
            let _ = fs::remove_file(self.data().join("postmaster.pid"));
            begun = length();
            self.process = Some(self.spawn(&log));
        }
    }

    fn spawn(&self, log: &Path) -> Child {
        let log = fs::File::options().create(true).append(true).open(log).unwrap();
        let socket = self.directory.path().to_string_lossy().into_owned();
        self.program("postgres")
            .arg("-D")
            .arg(self.data())
            .args(["-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=300"])
            .arg("-c")
            .arg(format!("unix_socket_directories={socket}"))
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap()
    }

    fn answers(&self) -> bool {
        let config: postgres::Config = self.address().parse().unwrap();
        config.connect(postgres::NoTls).is_ok()
    }

    /// Kills the server and all its processes at once, as a power failure does.
    pub fn kill(&mut self) {
        let Some(mut process) = self.process.take() else { return };
        // The server's processes end when its first one is gone.
        process.kill().unwrap();
        process.wait().unwrap();
        let _ = fs::remove_file(self.data().join("postmaster.pid"));
    }

    fn data(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    fn program(&self, name: &str) -> Command {
        use std::os::unix::process::CommandExt;
        let mut command = Command::new(self.programs.join(name));
        if is_root() {
            command.uid(user());
        }
        command.env("LC_ALL", "C").current_dir(self.directory.path());
        command
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

/// Returns the directory of the server's programs, which Debian does not put in the path.
fn programs() -> Option<PathBuf> {
    let in_path = std::env::var_os("PATH").unwrap_or_default();
    let in_path = std::env::split_paths(&in_path).collect::<Vec<_>>();
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let debian = versions.map(|version| version.path().join("bin"));
    let has_server = |directory: &Path| {
        directory.join("postgres").is_file() && directory.join("initdb").is_file()
    };
    in_path.into_iter().chain(debian).find(|directory| has_server(directory))
}
