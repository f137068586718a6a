//! A coordinator behind the reverse proxies whose files are in `packaging/workers/proxy`, with a
//! certificate of an authority of one's own.

use crate::setup::{Cup, Place, options};
use botyard_coordinator::{Client, ClientError, ClientOptions, Limits};
use botyard_queue::{Completed, Work};
use std::fs;
use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A program that must be there if the tests of the proxies are required.
fn is_there(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places = std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]);
    let found = places.any(|place| place.join(program).is_file());
    let is_required = std::env::var_os("BOTYARD_REQUIRE_PROXIES").is_some();
    assert!(found || !is_required, "{program} is required");
    if !found {
        let _ = writeln!(io::stderr(), "NOT TESTED on this host: {program} is not installed");
    }
    found
}

fn run(directory: &Path, program: &str, arguments: &[&str]) {
    let output = Command::new(program).args(arguments).current_dir(directory).output().unwrap();
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Makes an authority, and a certificate for `localhost`: the commands of the documentation.
fn certificates(directory: &Path) {
    run(
        directory,
        "openssl",
        &[
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-days",
            "365",
            "-subj",
            "/CN=Lab",
            "-addext",
            "basicConstraints=critical,CA:TRUE",
            "-keyout",
            "lab-ca.key",
            "-out",
            "lab-ca.pem",
        ],
    );
    run(
        directory,
        "openssl",
        &[
            "req",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-subj",
            "/CN=localhost",
            "-keyout",
            "botyard.key",
            "-out",
            "botyard.csr",
        ],
    );
    fs::write(
        directory.join("botyard.ext"),
        "subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n",
    )
    .unwrap();
    run(
        directory,
        "openssl",
        &[
            "x509",
            "-req",
            "-in",
            "botyard.csr",
            "-CA",
            "lab-ca.pem",
            "-CAkey",
            "lab-ca.key",
            "-days",
            "90",
            "-extfile",
            "botyard.ext",
            "-out",
            "coordinator.pem",
        ],
    );
}

/// A proxy in front of a coordinator.
struct Proxy {
    process: Child,
    url: String,
    directory: tempfile::TempDir,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Proxy {
    /// Starts `program` with one of the files, in which names and paths are replaced.
    fn start(
        place: &Place,
        file: &str,
        replaced: &dyn Fn(&str, &Path, u16) -> String,
        command: &dyn Fn(&Path) -> Command,
    ) -> Proxy {
        let directory = tempfile::tempdir().unwrap();
        certificates(directory.path());
        let text = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/workers/proxy");
        let text = fs::read_to_string(text.join(file)).unwrap();
        let text = text.replace("127.0.0.1:7700", &place.address().to_string());
        // A port that was free a moment ago may be taken, though hardly twice.
        for _ in 0..10 {
            let port = free_port();
            let text = replaced(&text, directory.path(), port);
            fs::write(directory.path().join("config"), text).unwrap();
            let mut process = command(directory.path())
                .stdout(Stdio::null())
                .stderr(fs::File::create(directory.path().join("log")).unwrap())
                .spawn()
                .unwrap();
            let answers = || TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok();
            while !answers() && process.try_wait().unwrap().is_none() {
                std::thread::sleep(Duration::from_millis(20));
            }
            if process.try_wait().unwrap().is_none() {
                return Proxy { process, url: format!("https://localhost:{port}"), directory };
            }
        }
        panic!("{}", fs::read_to_string(directory.path().join("log")).unwrap());
    }

    fn options(&self) -> ClientOptions {
        ClientOptions { ca_file: Some(self.directory.path().join("lab-ca.pem")), ..options() }
    }
}

fn free_port() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port()
}

fn nginx(place: &Place) -> Proxy {
    let replaced = |text: &str, directory: &Path, port: u16| {
        let at = directory.display();
        let text = text
            .replace("listen 443 ssl;", &format!("listen 127.0.0.1:{port} ssl;"))
            .replace("    listen [::]:443 ssl;\n", "")
            .replace("coordinator.example", "localhost")
            .replace("/etc/ssl/botyard/coordinator.pem", &format!("{at}/coordinator.pem"))
            .replace("/etc/ssl/private/botyard.key", &format!("{at}/botyard.key"));
        let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|name| format!("    {name}_temp_path {at}/{name};\n"))
            .concat();
        format!(
            "daemon off;\nmaster_process off;\npid {at}/pid;\nerror_log {at}/error.log;\n\
             events {{}}\nhttp {{\n    access_log off;\n{temporary}{text}\n}}\n"
        )
    };
    let command = |directory: &Path| {
        let mut command = Command::new("nginx");
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{path}:/usr/sbin"));
        command.arg("-e").arg(directory.join("error.log"));
        command.arg("-c").arg(directory.join("config"));
        command
    };
    Proxy::start(place, "nginx.conf", &replaced, &command)
}

fn caddy(place: &Place) -> Proxy {
    let replaced = |text: &str, directory: &Path, port: u16| {
        let at = directory.display();
        let site = format!(
            "https://localhost:{port} {{\n\tbind 127.0.0.1\n\ttls {at}/coordinator.pem {at}/botyard.key"
        );
        let text = text.replace("coordinator.example {", &site);
        format!("{{\n\tadmin off\n\tauto_https disable_redirects\n}}\n{text}")
    };
    let command = |directory: &Path| {
        let mut command = Command::new("caddy");
        command.args(["run", "--adapter", "caddyfile", "--config"]).arg(directory.join("config"));
        command.env("HOME", directory).env("XDG_DATA_HOME", directory);
        command.env("XDG_CONFIG_HOME", directory);
        command
    };
    Proxy::start(place, "Caddyfile", &replaced, &command)
}

/// Checks what every proxy must do.
fn check(mut place: Place, start: fn(&Place) -> Proxy) {
    let cup = Cup::add(&place, "cup");
    let token = place.token("anna");
    let proxy = start(&place);
    let client = Client::connect(&proxy.url, &token, &proxy.options()).unwrap();
    let lease = client.claim(&cup.request("anna", 1)).unwrap().remove(0);
    let games: Vec<_> = (0..2).map(|index| cup.play(&lease, index)).collect();
    let stored: Vec<_> = games.iter().map(|game| game.stored.clone()).collect();
    let files: Vec<_> =
        (games.iter()).map(|game| (game.name.clone(), client.put(&game.replay).unwrap())).collect();
    let completed = client.complete("anna", &lease.token, &stored, &files).unwrap();
    assert_eq!(completed, Completed::Accepted);
    // As large as the coordinator accepts, in both directions.
    let large: Vec<u8> = (0..20_000_000u32).map(|number| (number % 251) as u8).collect();
    let digest = client.put(&large).unwrap();
    assert!(client.get(&digest).unwrap().as_deref() == Some(&large[..]));
    // A certificate is trusted by name, not by default.
    let hasty = ClientOptions { patience: Duration::ZERO, ..options() };
    let error = Client::connect(&proxy.url, &token, &hasty).unwrap_err();
    let words = error.to_string();
    let is_certificate = words.contains("certificate") || words.contains("UnknownIssuer");
    assert!(is_certificate && !matches!(error, ClientError::Unreachable(_)), "{words}");
    // The other end of the connection to the proxy is in the log.
    let wrong = botyard_coordinator::Token::draw("anna").unwrap();
    let stranger = Client::connect(&proxy.url, &wrong, &proxy.options()).unwrap();
    stranger.get(&digest).unwrap_err();
    assert_eq!(place.events("unauthorized")[0].fields["peer"], "127.0.0.1");
    // The proxy answers for a coordinator that is stopped, and the client waits.
    place.stop();
    let short = ClientOptions { patience: Duration::ZERO, ..proxy.options() };
    let error = Client::connect(&proxy.url, &token, &short).unwrap_err().to_string();
    assert!(error.contains("502"), "{error}");
    let waiting = std::thread::spawn(move || client.get(&digest).unwrap());
    place.start();
    assert!(waiting.join().unwrap().is_some());
}

#[test]
fn nginx_passes_everything_on() {
    if is_there("openssl") && is_there("nginx") {
        check(Place::new(Limits::default()), nginx);
    }
}

#[test]
fn caddy_passes_everything_on() {
    if is_there("openssl") && is_there("caddy") {
        check(Place::new(Limits::default()), caddy);
    }
}
