//! `botyard coordinator`: its tokens, its address, its signals and its log, and workers that play
//! through it.

use crate::command::{Desk, Ran, events, events_of, finish};
use crate::processes::pid_of;
use crate::workers::{Lab, completed, files_below, slow, worker};
use rustix::process::{Signal, kill_process};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};

/// The time to wait for something that is certain to happen.
const PATIENCE: Duration = Duration::from_secs(120);

/// A coordinator that runs, with its log in a file of its desk.
pub struct Coordinator {
    child: Child,
    log: PathBuf,
    /// `127.0.0.1:PORT`.
    address: String,
}

impl Coordinator {
    /// Starts one for a store, on a free port.
    pub fn start(desk: &Desk, store: &str) -> Coordinator {
        Coordinator::start_at(desk, store, "127.0.0.1:0").unwrap_or_else(|log| panic!("{log}"))
    }

    /// Starts one for a store at this address.
    ///
    /// # Errors
    ///
    /// It ended: what it logged.
    fn start_at(desk: &Desk, store: &str, address: &str) -> Result<Coordinator, String> {
        let path = desk.path("coordinator.log");
        let log = fs::File::options().create(true).append(true).open(&path).unwrap();
        let all = ["coordinator", "--listen", address, "--token-file", "tokens"];
        let mut command = desk.command(&all);
        let mut child = command.env("BOTYARD_STORE", store).stderr(log).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        match line.trim().strip_prefix("http://").map(String::from) {
            Some(address) => Ok(Coordinator { child, log: path, address }),
            None => {
                child.wait().unwrap();
                Err(fs::read_to_string(path).unwrap())
            }
        }
    }

    /// Kills it.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts it again at the same address.
    pub fn start_again(&mut self, desk: &Desk, store: &str) {
        let begun = Instant::now();
        // A connection of a client may have the port for a moment.
        *self = loop {
            match Coordinator::start_at(desk, store, &self.address) {
                Ok(coordinator) => break coordinator,
                Err(log) => assert!(begun.elapsed() < PATIENCE, "{log}"),
            }
        };
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the answer to a request.
    fn ask(&self, path: &str, token: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nhost: h\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\r\n"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Ends it with a signal, and returns its exit code and the log.
    pub fn end(mut self, signal: Signal) -> (Option<i32>, String) {
        kill_process(pid_of(&self.child), signal).unwrap();
        let status = self.child.wait().unwrap();
        (status.code(), fs::read_to_string(&self.log).unwrap())
    }
}

impl Drop for Coordinator {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Makes the token `lab`, in a file of this name.
pub fn add_token(desk: &Desk, file: &str) -> String {
    let token = desk.done(&["coordinator", "token", "add", "lab", "--token-file", "tokens"]);
    fs::write(desk.path(file), &token).unwrap();
    token.trim().to_string()
}

/// Returns the command of a worker that plays through a coordinator with the token in a file.
pub fn remote(desk: &Desk, url: &str, token_file: &str, name: &str, more: &[&str]) -> Command {
    worker(desk, name, &[&["--url", url, "--token-file", token_file], more].concat())
}

/// Returns the names of events in a log.
fn names(log: &str) -> Vec<String> {
    events(log).iter().map(|event| event["event"].as_str().unwrap().into()).collect()
}

#[test]
fn a_coordinator_serves_until_a_signal_ends_it() {
    for signal in [Signal::TERM, Signal::INT] {
        let desk = Desk::new();
        let token = add_token(&desk, "lab.token");
        let coordinator = Coordinator::start(&desk, "class.db");
        assert!(coordinator.ask("/healthz", "").contains("botyard-coordinator"));
        assert!(coordinator.ask("/metrics", "").contains("botyard_coordinator_connections"));
        let asked = coordinator.ask("/v1/definition?tournament=none", &token);
        assert!(asked.starts_with("HTTP/1.1 409 "), "{asked}");
        assert!(coordinator.ask("/v1/definition?tournament=x", "lab.0").contains("HTTP/1.1 401 "));
        // The store has one owner.
        let second = desk.run(&["coordinator", "--store", "class.db", "--token-file", "tokens"]);
        assert_eq!(second.code, Some(2), "{second:?}");
        assert!(second.stderr.contains("belongs to another process"), "{}", second.stderr);
        // Tokens are changed while it runs.
        desk.done(&["coordinator", "token", "revoke", "lab", "--token-file", "tokens"]);
        let asked = coordinator.ask("/v1/definition?tournament=none", &token);
        assert!(asked.starts_with("HTTP/1.1 401 "), "{asked}");
        let (code, log) = coordinator.end(signal);
        assert_eq!(code, Some(0), "{log}");
        let expected = ["started", "refused", "unauthorized", "unauthorized", "stopped"];
        assert_eq!(names(&log), expected, "{log}");
        assert!(!log.contains(&token), "no secret in the log");
    }
}

#[test]
fn two_workers_of_a_coordinator_play_what_one_process_plays() {
    for file in [slow("0", "format = \"round-robin\""), slow("0", "format = \"swiss\"\nrounds = 2")]
    {
        // An SQLite file, which the coordinator alone can open.
        let lab = Lab::with_file(&file);
        lab.submit();
        add_token(&lab.desk, "lab.token");
        let coordinator = Coordinator::start(&lab.desk, &lab.store);
        let spawn = |name: &str| {
            let more = ["--drain", "-j", "1"];
            remote(&lab.desk, &coordinator.url(), "lab.token", name, &more).spawn().unwrap()
        };
        let accepted: usize = ["one", "two"]
            .map(spawn)
            .into_iter()
            .map(|worker| {
                let ran = finish(worker);
                assert_eq!(ran.code, Some(0), "{ran:#?}");
                completed(&events(&ran.stdout)).len()
            })
            .sum();
        let (code, log) = coordinator.end(Signal::TERM);
        assert_eq!(
            (code, names(&log)),
            (Some(0), vec!["started".into(), "stopped".into()]),
            "{log}"
        );
        let status = lab.status();
        assert_eq!(status["blocks"]["done"].as_u64(), Some(accepted as u64), "{status:#}");
        let is_named = |worker: &Value| worker["name"].as_str().unwrap().starts_with("lab/");
        assert!(status["workers"].as_array().unwrap().iter().all(is_named), "{status:#}");
        lab.check();
        // Every replay is there, and verifies.
        lab.done(&["tournament", "export", "cup", "--out", "out"]);
        let checked = lab.desk.done(&["tournament", "check", "out"]);
        assert!(checked.contains("no difference"), "{checked}");
        for name in ["one", "two"] {
            for place in ["spool", "games"] {
                let cache = format!("cache-{name}/workers/lab%{name}/{place}");
                let files = files_below(&lab.desk.path(&cache));
                assert!(files.is_empty(), "{files:?}");
            }
        }
    }
}

#[test]
fn results_of_a_worker_whose_token_is_revoked_are_sent_with_the_next_token() {
    let lab = Lab::with_file(&slow("0.02", ""));
    lab.submit();
    add_token(&lab.desk, "lab.token");
    let coordinator = Coordinator::start(&lab.desk, &lab.store);
    let more = ["-j", "1", "--lease", "600"];
    let first = remote(&lab.desk, &coordinator.url(), "lab.token", "one", &more).spawn().unwrap();
    let begun = Instant::now();
    while !coordinator.ask("/metrics", "").contains("call=\"complete\",code=\"ok\"") {
        assert!(begun.elapsed() < PATIENCE, "no result arrives");
        std::thread::sleep(Duration::from_millis(20));
    }
    lab.desk.done(&["coordinator", "token", "revoke", "lab", "--token-file", "tokens"]);
    let ran = finish(first);
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    assert!(ran.stderr.contains("does not accept the token"), "{ran:#?}");
    assert!(events_of(&events(&ran.stdout), "result_refused").is_empty(), "{ran:#?}");
    let spool = lab.desk.path("cache-one/workers/lab%one/spool");
    let results = || {
        let files = files_below(&spool).into_iter();
        files.filter(|file| file.ends_with("result.json")).collect::<Vec<_>>()
    };
    // That of the block that was played when the token was revoked.
    let kept = results();
    let again = remote(&lab.desk, &coordinator.url(), "lab.token", "one", &more).spawn().unwrap();
    let refused = finish(again);
    assert_eq!(refused.code, Some(2), "a worker does not start: {refused:#?}");
    assert!(refused.stderr.contains("lab.token: "), "{refused:#?}");
    add_token(&lab.desk, "new.token");
    let next = remote(&lab.desk, &coordinator.url(), "new.token", "one", &more).spawn().unwrap();
    let begun = Instant::now();
    while results().iter().any(|result| kept.contains(result)) {
        assert!(begun.elapsed() < PATIENCE, "not sent: {kept:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
    kill_process(pid_of(&next), Signal::TERM).unwrap();
    let ran = finish(next);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let its = events(&ran.stdout);
    assert_eq!(events_of(&its, "worker_started")[0]["unsent"], kept.len(), "{ran:#?}");
    let accepted = completed(&its).into_iter().filter(|&it| it == "accepted").count();
    assert!(accepted >= kept.len(), "{ran:#?}");
    let (_, log) = coordinator.end(Signal::TERM);
    assert!(!names(&log).contains(&"refused".to_string()), "{log}");
}

/// Plays a tournament whose bundle was exchanged in the store by these statements, until a worker refuses
/// it, and then with the bundle restored. Returns the reason and the log.
fn with_another_bundle(exchange: &str) -> (String, String) {
    let lab = Lab::with_file(&slow("0", ""));
    lab.submit();
    add_token(&lab.desk, "lab.token");
    let store = lab.desk.path(&lab.store);
    fs::copy(&store, lab.desk.path("before.db")).unwrap();
    let database = rusqlite::Connection::open(&store).unwrap();
    database.execute_batch(exchange).unwrap();
    let changed: i64 = database.query_row("SELECT total_changes()", [], |row| row.get(0)).unwrap();
    assert!(changed > 0, "{exchange}");
    database.close().unwrap();
    let play = |name: &str| {
        let coordinator = Coordinator::start(&lab.desk, &lab.store);
        let more = ["-j", "1", "--drain"];
        let mut worker = remote(&lab.desk, &coordinator.url(), "lab.token", name, &more);
        let ran = finish(worker.spawn().unwrap());
        let (_, log) = coordinator.end(Signal::TERM);
        (ran, log)
    };
    let (ran, log) = play("one");
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    let its = events(&ran.stdout);
    let [refused] = events_of(&its, "tournament_refused")[..] else { panic!("{ran:#?}") };
    let status = lab.status();
    assert_eq!(
        (&status["games"], &status["blocks"]["leased"]),
        (&0.into(), &0.into()),
        "{status:#}"
    );
    fs::copy(lab.desk.path("before.db"), &store).unwrap();
    let (ran, _) = play("two");
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    lab.check();
    (refused["reason"].as_str().unwrap().to_string(), log)
}

#[test]
fn a_bundle_with_another_digest_is_refused_and_nothing_is_lost() {
    let bundles = "SELECT digest FROM files WHERE name LIKE 'bundles/%'";
    let damaged = format!("UPDATE blobs SET bytes = X'00' WHERE digest IN ({bundles})");
    let (reason, log) = with_another_bundle(&damaged);
    assert!(reason.contains("does not agree with its digest"), "{reason}");
    let logged = events(&log);
    let of_get = |event: &&Value| event["call"] == "get" && event["code"] == "damaged";
    assert!(logged.iter().any(|event| of_get(&event)), "{log}");
    // Content with the digest that it has, under the name of the bundle.
    let other = "982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1";
    let (reason, _) = with_another_bundle(&format!(
        "INSERT INTO contents(digest, size, added_at) VALUES ('{other}', 4, 0);
         INSERT INTO blobs(digest, part, bytes) VALUES ('{other}', 0, CAST('text' AS BLOB));
         UPDATE files SET digest = '{other}' WHERE name LIKE 'bundles/%'"
    ));
    assert!(reason.contains("the bundle of the bot"), "{reason}");
}

#[test]
fn a_worker_waits_for_a_coordinator_that_does_not_answer_yet() {
    let lab = Lab::with_file(&slow("0", ""));
    lab.submit();
    add_token(&lab.desk, "lab.token");
    let mut coordinator = Coordinator::start(&lab.desk, &lab.store);
    let url = coordinator.url();
    coordinator.kill();
    let more = ["-j", "1", "--drain"];
    let mut worker = remote(&lab.desk, &url, "lab.token", "one", &more).spawn().unwrap();
    let mut line = String::new();
    let mut said = BufReader::new(worker.stderr.take().unwrap());
    said.read_line(&mut line).unwrap();
    assert!(line.contains("cannot be reached") && line.contains("tried again"), "{line}");
    coordinator.start_again(&lab.desk, &lab.store);
    let ran = finish(worker);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    coordinator.end(Signal::TERM);
    lab.check();
}

/// Answers as a coordinator that ends before it has checked a token, until a line has been read that says
/// that the worker tries again.
fn dying_until_noticed(listener: &TcpListener, said: &mut impl BufRead) -> String {
    let has_noticed = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for stream in listener.incoming() {
                if has_noticed.load(SeqCst) {
                    return;
                }
                let Ok(mut stream) = stream else { continue };
                let mut request = String::new();
                let _ = BufReader::new(&stream).read_line(&mut request);
                if request.starts_with("GET /healthz ") {
                    let version = env!("CARGO_PKG_VERSION");
                    let health = format!(
                        r#"{{"service":"botyard-coordinator","version":"{version}","api":1,"upload_bytes":1000000}}"#
                    );
                    let length = health.len();
                    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json";
                    // The worker may have given up.
                    let _ = write!(
                        stream,
                        "{head}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{health}"
                    );
                }
            }
        });
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        has_noticed.store(true, SeqCst);
        // The thread waits for a connection.
        let _ = TcpStream::connect(listener.local_addr().unwrap());
        line
    })
}

#[test]
fn a_worker_waits_for_a_coordinator_that_ends_before_the_token_is_checked() {
    let lab = Lab::with_file(&slow("0", ""));
    lab.submit();
    add_token(&lab.desk, "lab.token");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let url = format!("http://{address}");
    let more = ["-j", "1", "--drain"];
    let mut worker = remote(&lab.desk, &url, "lab.token", "one", &more).spawn().unwrap();
    let mut said = BufReader::new(worker.stderr.take().unwrap());
    let line = dying_until_noticed(&listener, &mut said);
    assert!(line.contains("cannot be reached") && line.contains("tried again"), "{line}");
    drop(listener);
    let begun = Instant::now();
    // A connection of the worker may have the port for a moment.
    let coordinator = loop {
        match Coordinator::start_at(&lab.desk, &lab.store, &address) {
            Ok(coordinator) => break coordinator,
            Err(log) => assert!(begun.elapsed() < PATIENCE, "{log}"),
        }
    };
    let ran = finish(worker);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    coordinator.end(Signal::TERM);
    lab.check();
}

#[test]
fn a_worker_says_why_it_cannot_reach_a_coordinator() {
    let desk = Desk::new();
    add_token(&desk, "lab.token");
    fs::write(desk.path("empty.token"), "").unwrap();
    let coordinator = Coordinator::start(&desk, "class.db");
    let url = coordinator.url();
    let run = |arguments: &[&str]| -> Ran { desk.run(&[&["worker"], arguments].concat()) };
    for (arguments, expected) in [
        (&["--url", &url][..], "--token-file"),
        (&["--url", &url, "--token-file", "none.token"], "none.token cannot be read"),
        (&["--url", &url, "--token-file", "empty.token"], "empty.token has no token"),
        (&["--url", "lab:80", "--token-file", "lab.token"], "expected http://HOST:PORT"),
        (&["--url", &format!("{url}/x"), "--token-file", "lab.token"], "is not a coordinator"),
        (&["--url", &url, "--token-file", "lab.token", "--store", "a.db"], "--store"),
        (&["--url", &url, "--token-file", "lab.token", "--name", "a b"], "worker's name"),
    ] {
        let ran = run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {ran:?}");
        assert!(ran.stderr.contains(expected), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn tokens_are_added_listed_and_revoked() {
    let desk = Desk::new();
    let at = ["--token-file", "tokens"];
    let token =
        |arguments: &[&str]| desk.run(&[&["coordinator", "token"], arguments, &at[..]].concat());
    let added = token(&["add", "lab-1"]);
    assert!(added.stdout.starts_with("lab-1."), "{added:?}");
    assert!(added.stderr.contains("only its hash"), "{added:?}");
    token(&["add", "lab-2"]);
    let mode = fs::metadata(desk.path("tokens")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let listed = token(&["list"]);
    let names: Vec<&str> =
        listed.stdout.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(names, ["lab-1", "lab-2"]);
    let listed = events(&token(&["list", "--json"]).stdout);
    assert_eq!(listed[1]["name"], "lab-2");
    assert_eq!(token(&["revoke", "lab-1"]).code, Some(0));
    for (arguments, code, expected) in [
        (&["revoke", "lab-1"][..], 2, "there is no token"),
        (&["add", "lab-2"], 2, "there is a token"),
        (&["add", "lab 3"], 2, "letters, digits"),
    ] {
        let ran = token(arguments);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
    for (arguments, expected) in [
        (&["coordinator"][..], "--store"),
        (&["coordinator", "--store", "class.db"], "token add NAME"),
        (&["coordinator", "token", "list"], "--token-file"),
        (&["coordinator", "token", "list", "--store", "postgres://a@b/c"], "--token-file"),
    ] {
        let ran = desk.run(arguments);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
    fs::set_permissions(desk.path("tokens"), PermissionsExt::from_mode(0o644)).unwrap();
    let ran = token(&["list"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("chmod 600"), "{ran:?}");
}
