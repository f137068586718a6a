//! The site of a class with workers on other hosts, which are processes here: both may be killed at any
//! time, and every game is stored once.

use crate::command::{Desk, free_port, repository};
use crate::coordinator::remote;
use crate::postgresql::Server;
use crate::serve::{EVENT, Served, class_of, good, submit, wait_for};
use crate::workers::worker;
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The limit of any wait, longer than the busiest machine takes.
const PATIENCE: Duration = Duration::from_secs(900);

/// Returns a number from the database of the class.
fn count(desk: &Desk, sql: &str) -> i64 {
    let database = rusqlite::Connection::open(desk.path("class/site.db")).expect("a database");
    database.busy_timeout(Duration::from_secs(60)).expect("a time");
    database.query_row(sql, [], |row| row.get(0)).expect("a number")
}

/// The number of games that workers have played.
fn by_workers(desk: &Desk) -> i64 {
    count(desk, "SELECT COUNT(*) FROM games WHERE host LIKE 'lab/%'")
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what}: not yet");
        thread::sleep(Duration::from_millis(100));
    }
}

/// Starts the site at a port of its own for workers. A connection may have the port for a moment.
fn serve(desk: &Desk, workers: &str, more: &[&str]) -> Served {
    let begun = Instant::now();
    loop {
        let probe = TcpListener::bind(workers);
        if probe.is_ok() {
            drop(probe);
            let all = [&["--workers", workers], more].concat();
            let (served, line) = Served::start_with(desk, &all);
            let line = line.expect("a line");
            assert!(line.starts_with(&format!("workers: botyard worker --url http://{workers}")));
            return served;
        }
        assert!(begun.elapsed() < PATIENCE, "{workers}: {probe:?}");
        thread::sleep(Duration::from_millis(100));
    }
}

/// A worker that is killed when it is dropped.
struct Worker(Child);

impl Worker {
    fn start(desk: &Desk, url: &str, name: &str) -> Worker {
        let mut command = remote(desk, url, "lab.token", name, &["-j", "1", "--lease", "5"]);
        Worker(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts"))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Makes a class in which a team has a bot, and which is not served. Returns an address for workers.
fn ready(desk: &Desk) -> String {
    ready_for(desk, EVENT)
}

/// The same with an event of these conditions.
fn ready_for(desk: &Desk, event: &str) -> String {
    let served = class_of(desk, event);
    fs::write(desk.path("class/joined"), "").expect("it is ours");
    let mut anna = served.signed_in("1");
    let page = submit(&mut anna, &good("m['legal'][0]"));
    wait_for(&mut anna, &page, &[">plays<"]);
    served.kill();
    format!("127.0.0.1:{}", free_port())
}

#[test]
fn workers_open_a_store_in_postgresql_themselves() {
    let Some(server) = Server::start() else { return };
    let desk = Desk::new();
    let workers = ready(&desk);
    let store = server.database();
    let served = serve(&desk, &workers, &["--store", &store]);
    let mut command = worker(&desk, "trusted", &["-j", "1"]);
    command.env("BOTYARD_STORE", &store).stdout(Stdio::null()).stderr(Stdio::null());
    let its = Worker(command.spawn().expect("it starts"));
    let of_it = "SELECT COUNT(*) FROM games WHERE host = 'trusted'";
    wait_until("games of a worker", || count(&desk, of_it) >= 10);
    wait_for(&mut served.signed_in("9"), "/desk", &["trusted"]);
    assert!(!desk.path("class/workers.db").exists(), "the other store is used");
    drop(its);
    served.kill();
}

/// The game is fetched like a bot, and the coordinator, which is a part of the site, verifies replays with the
/// site's copy.
#[test]
fn a_worker_plays_a_game_whose_rules_are_a_program() {
    let desk = Desk::new();
    let from = repository("examples/games/tic-tac-toe");
    fs::create_dir(desk.path("tic-tac-toe")).expect("it is ours");
    for file in ["game.toml", "game.py"] {
        fs::copy(from.join(file), desk.path("tic-tac-toe").join(file)).expect("a copy");
    }
    let event = EVENT.replace("\"connect-four\"", "\"../tic-tac-toe\"");
    let workers = ready_for(&desk, &event);
    let served = serve(&desk, &workers, &[]);
    let token = ["coordinator", "token", "add", "lab", "--token-file", "class/workers.tokens"];
    fs::write(desk.path("lab.token"), desk.done(&token)).expect("it is ours");
    let worker = Worker::start(&desk, &format!("http://{workers}"), "one");
    wait_until("games of a worker", || by_workers(&desk) >= 4);
    drop(worker);
    // The site plays on with its copy.
    let before = count(&desk, "SELECT COUNT(*) FROM games WHERE host NOT LIKE 'lab/%'");
    wait_until("games of the site", || {
        count(&desk, "SELECT COUNT(*) FROM games WHERE host NOT LIKE 'lab/%'") >= before + 2
    });
    assert_eq!(count(&desk, "SELECT COUNT(*) FROM event_games WHERE state = 'open'"), 1);
    served.kill();
    check_replays(&desk, 4);
}

#[test]
fn workers_and_the_site_play_one_ladder_and_each_may_be_killed() {
    let desk = Desk::new();
    let workers = ready(&desk);
    let served = serve(&desk, &workers, &[]);
    // A token that is added while the site runs is good at once.
    let token = ["coordinator", "token", "add", "lab", "--token-file", "class/workers.tokens"];
    fs::write(desk.path("lab.token"), desk.done(&token)).expect("it is ours");
    let url = format!("http://{workers}");
    let one = Worker::start(&desk, &url, "one");
    wait_until("games of a worker", || by_workers(&desk) >= 10);
    let text = wait_for(&mut served.signed_in("9"), "/desk", &["lab/one"]);
    assert!(text.contains("Workers on other hosts"), "{text}");
    let mut cy = served.signed_in("3");
    let page = submit(&mut cy, &good("m['legal'][0]"));
    wait_for(&mut cy, &page, &[">plays<", "played by workers on other hosts: 2 games"]);

    // The site is killed while blocks are out. The worker serves the next one.
    served.kill();
    let before = by_workers(&desk);
    let served = serve(&desk, &workers, &[]);
    wait_until("games after the site was killed", || by_workers(&desk) >= before + 10);

    // A worker is killed with blocks: another plays them when its leases have expired.
    drop(one);
    let two = Worker::start(&desk, &url, "two");
    let of_two = "SELECT COUNT(*) FROM games WHERE host = 'lab/two'";
    wait_until("games of another worker", || count(&desk, of_two) >= 10);
    drop(two);
    served.kill();

    // Without workers, the site plays what was out.
    let served = Served::start_with(&desk, &[]).0;
    wait_until("batches that were taken back", || {
        count(&desk, "SELECT COUNT(*) FROM batches") == 0
    });
    // A new version has games to play, however many the other one had.
    let mut ben = served.signed_in("2");
    let page = submit(&mut ben, &good("m['legal'][-1]"));
    wait_for(&mut ben, &page, &[">plays<"]);
    wait_for(&mut ben, "/teams/2", &["/games/"]);
    served.kill();

    // Every block that is played has its two games, and no game is there twice: the keys say so.
    let odd = "SELECT COUNT(*) FROM blocks WHERE state = 'played' AND 2 <> \
               (SELECT COUNT(*) FROM games WHERE games.event = blocks.event AND block = number)";
    assert_eq!(count(&desk, odd), 0);
    check_replays(&desk, 30);
}

/// Checks that every game that a worker has played has a sound replay.
fn check_replays(desk: &Desk, least: usize) {
    let database = rusqlite::Connection::open(desk.path("class/site.db")).expect("a database");
    let sql = "SELECT game ->> '$.replay' FROM games WHERE host LIKE 'lab/%'";
    let mut statement = database.prepare(sql).expect("a statement");
    let names: Vec<String> = statement
        .query_map([], |row| row.get(0))
        .expect("rows")
        .collect::<Result<_, _>>()
        .expect("every game has a replay");
    let path_of = |name: &String| {
        let plain = Path::new("class").join(name).to_string_lossy().into_owned();
        let compressed = format!("{plain}.gz");
        if desk.path(&compressed).is_file() { compressed } else { plain }
    };
    let paths: Vec<String> = names.iter().map(path_of).collect();
    assert!(paths.len() >= least, "{}", paths.len());
    let mut all = vec!["replay", "verify"];
    all.extend(paths.iter().map(String::as_str));
    let verified = desk.run(&all);
    assert_eq!(verified.code, Some(0), "{verified:#?}");
}
