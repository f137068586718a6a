//! Benchmark of workers over a PostgreSQL server that it starts, as ratios and times:
//!
//! * games per second of `botyard worker` over those of `botyard tournament run` with the same number of
//!   games at once (goal: 0.90 or more), with instant bots and with bots that think; both in turns;
//! * the time of a claim while 100 workers claim, send results and renew leases (goal: 5 ms or less in
//!   the mean), and the time of each request alone;
//! * the growth of the database per game, and the time of `botyard tournament standings` over all games
//!   (goal: less than 2 s).
//!
//! The time of a worker is that of the whole command, including its start and the pause in which it
//! finds that no game is left, some 0.2 s: tournaments are long enough that this matters little.
//!
//! `cargo build --profile bench --workspace` for the companion that is the worker, then
//! `cargo bench -p botyard-cli --bench workers [GAMES]`, where GAMES is the number of games in the
//! database of the last part (default 100,000).

use botyard_league::scale::Scale;
use botyard_league::schedule::{Draws, GameKey, Stage, TournamentSchedule};
use botyard_league::store::{Definition, StoredCopies, StoredGame};
use botyard_league::{Entrant, PlayedGame, SeatUse, Verdict};
use botyard_queue::{Lease, Queue, Request, Schedule};
use botyard_tournament::schedule_of;
use botyard_worker::measurement::measure;
use server::Server;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

#[allow(dead_code)] // Tests use more of it.
#[path = "../../queue/tests/queue/server.rs"]
mod server;

/// The default number of games of the last part.
const GAMES: u32 = 100_000;

/// How often tournaments are played alone and with a worker.
const TURNS: u32 = 5;

/// The workers whose claims are timed, and the time that each has between two claims: as with games of
/// a second, of which each worker plays two at once in blocks of two.
const WORKERS: u32 = 100;
const BETWEEN: Duration = Duration::from_secs(1);
const ROUNDS: u32 = 5;

fn main() {
    let asked = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let Some(server) = Server::start() else {
        println!("PostgreSQL is not installed");
        return;
    };
    throughput(&server);
    requests(&server);
    claims(&server);
    size(&server, asked.unwrap_or(GAMES));
}

/// Times tournaments alone and with a worker, in turns: what else the host does concerns both.
fn throughput(server: &Server) {
    for (what, bots, games, at_once) in [
        ("instant bots", ["random:seed=1", "random:seed=2"], 4000, 1),
        ("instant bots", ["random:seed=1", "random:seed=2"], 10_000, 2),
        (
            "bots that think",
            ["mcts:iterations=1000,seed=1", "mcts:iterations=1000,seed=2"],
            1000,
            2,
        ),
    ] {
        let place = tempfile::tempdir().expect("a temporary directory");
        let file = file(bots, games, at_once);
        fs::write(place.path().join("cup.toml"), file).expect("it is ours");
        let store = server.database();
        let at_once = at_once.to_string();
        let alone = |round: u32| {
            let out = format!("alone-{round}");
            let args = ["tournament", "run", "cup.toml", "--out", &out, "--json"];
            timed(place.path(), &store, &args)
        };
        let worker = |round: u32| {
            let id = format!("cup-{round}");
            timed(
                place.path(),
                &store,
                &["tournament", "submit", "cup.toml", "--id", &id, "--json"],
            );
            let args =
                ["worker", "--drain", "-j", &at_once, "--calibrate", "0", "--cache", "cache"];
            timed(place.path(), &store, &args)
        };
        let mut rounds: Vec<(Duration, Duration)> = (1..=TURNS)
            .map(|round| match round % 2 {
                0 => {
                    let time = worker(round);
                    (alone(round), time)
                }
                _ => (alone(round), worker(round)),
            })
            .collect();
        let ratio =
            |(alone, worker): &(Duration, Duration)| alone.as_secs_f64() / worker.as_secs_f64();
        rounds.sort_by(|one, other| ratio(one).total_cmp(&ratio(other)));
        let median = &rounds[rounds.len() / 2];
        let rate = |time: Duration| f64::from(games) / time.as_secs_f64();
        println!(
            "{games} games of {what}, {at_once} at once: alone {:.1} games/s, worker {:.1} games/s; ratio \
             {:.2} in the median of {TURNS} turns, {:.2} to {:.2}",
            rate(median.0),
            rate(median.1),
            ratio(median),
            ratio(&rounds[0]),
            ratio(&rounds[rounds.len() - 1]),
        );
    }
}

fn file(bots: [&str; 2], games: u32, at_once: u32) -> String {
    let mut file = format!(
        "name = \"cup\"\ngame = \"scotland-yard\"\nrules = \"grid-5x5-2\"\nseed = 7\nblocks = {}\n\
         [time]\nmove_ms = 30000\n[run]\nconcurrency = {at_once}\ncompress = true\n\
         [sandbox]\nmode = \"none\"\n",
        games / 2
    );
    for (name, bot) in ["anna", "ben"].iter().zip(bots) {
        file.push_str(&format!("[[bot]]\nname = \"{name}\"\ncommand = \"{bot}\"\n"));
    }
    file
}

/// Returns the time of a command, which must succeed.
fn timed(place: &Path, store: &str, args: &[&str]) -> Duration {
    let begun = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_botyard"));
    command.args(args).current_dir(place).env("BOTYARD_STORE", store).stdout(Stdio::null());
    let status = command.status().expect("botyard starts");
    assert!(status.success(), "botyard {}: {status}", args.join(" "));
    begun.elapsed()
}

/// Prints the time of each request alone.
fn requests(server: &Server) {
    let queue = Queue::open(&server.database().parse().expect("an address")).expect("a store");
    let times = measure(&Arc::new(queue), 200, 8 << 10).expect("the store works");
    let ms = |seconds: f64| seconds * 1000.0;
    println!(
        "alone: claim {:.2} ms, upload of 8 KiB {:.2} ms, result {:.2} ms, heartbeat {:.2} ms",
        ms(times.claim),
        ms(times.upload),
        ms(times.result),
        ms(times.heartbeat)
    );
}

fn definition(blocks: u32) -> Definition {
    let entrant = |name: &str| Entrant { name: name.into(), ..Entrant::default() };
    let bots: Vec<Entrant> = (0..20).map(|number| entrant(&format!("bot {number}"))).collect();
    let entries: String = bots
        .iter()
        .map(|bot| format!("[[bot]]\nname = \"{}\"\ncommand = \"random\"\n", bot.name))
        .collect();
    let stage = Stage { bots: (0..bots.len()).collect(), blocks, ..Stage::default() };
    Definition {
        name: "cup".into(),
        game: "draughts".into(),
        draws: Draws::numbered(1, "cup"),
        commitment: None,
        file: format!("game = \"draughts\"\nblocks = {blocks}\n{entries}"),
        directory: "/".into(),
        digest: String::new(),
        version: env!("CARGO_PKG_VERSION").into(),
        entrants: bots,
        rejected: Vec::new(),
        kept: Some(StoredCopies { stages: vec![stage], ..StoredCopies::default() }),
    }
}

/// The games of a lease, as if they had been played.
fn results(games: &TournamentSchedule, lease: &Lease) -> Vec<StoredGame> {
    let result = |rotation: u32| {
        let key = GameKey { generation: 0, block: lease.block, rotation };
        let seats = games.game(&lease.block(), rotation, 0).seats;
        let wins = !(lease.block + rotation).is_multiple_of(3);
        let points = if wins { vec![1.0, 0.0] } else { vec![0.0, 1.0] };
        let places = if wins { vec![1, 2] } else { vec![2, 1] };
        let used = SeatUse {
            decisions: 30,
            wall_us: 912_345,
            longest_us: 98_765,
            cpu_us: Some(812_345),
            ..SeatUse::default()
        };
        StoredGame {
            key,
            id: games.hash(key),
            attempts: 1,
            game: PlayedGame {
                block: lease.block,
                seats,
                verdict: Verdict::Scored { points, places },
                void_at: None,
                turns: 60,
                uses: vec![used; 2],
                faults: Vec::new(),
                replay: None,
            },
        }
    };
    lease.games.iter().map(|game| result(game.rotation)).collect()
}

/// Claims, sends results and renews leases from many threads, each with a connection.
fn claims(server: &Server) {
    let address = server.database().parse().expect("an address");
    let definition = definition(10);
    let (games, scale) = schedule_of(&definition).expect("a schedule");
    let queue = Queue::open(&address).expect("a store");
    queue.add("cup", &definition, &Schedule { games: &games, scale }).expect("a new one");
    let mut times: Vec<Duration> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS)
            .map(|number| {
                let (address, games) = (&address, &games);
                scope.spawn(move || {
                    let queue = Queue::open(address).expect("a store");
                    // Workers do not claim at the same moment.
                    std::thread::sleep(BETWEEN * number / WORKERS);
                    (0..ROUNDS).map(|_| one_round(&queue, games, scale, number)).collect::<Vec<_>>()
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker")).collect()
    });
    times.sort_unstable();
    let mean = times.iter().sum::<Duration>() / times.len() as u32;
    println!(
        "{WORKERS} workers: claim {:.2} ms in the mean, {:.2} ms at 99%",
        mean.as_secs_f64() * 1000.0,
        times[times.len() * 99 / 100].as_secs_f64() * 1000.0
    );
}

/// Claims two blocks, waits as if they were played, and sends the results. Returns the time of the
/// claim.
fn one_round(queue: &Queue, games: &TournamentSchedule, scale: Scale, number: u32) -> Duration {
    let worker = format!("lab-{number}");
    let ttl = Duration::from_secs(120);
    let request =
        Request { worker: worker.clone(), blocks: 2, ttl, tournament: None, except: Vec::new() };
    let begun = Instant::now();
    let leases = queue.claim(&request).expect("a claim");
    let took = begun.elapsed();
    let tokens: Vec<String> = leases.iter().map(|lease| lease.token.clone()).collect();
    queue.heartbeat(&worker, &tokens, ttl).expect("a heartbeat");
    std::thread::sleep(BETWEEN);
    for lease in &leases {
        let schedule = Schedule { games, scale };
        queue
            .complete(&worker, &lease.token, &results(games, lease), &[], &schedule)
            .expect("a result");
    }
    took
}

/// Fills a database with games, and times the standings.
fn size(server: &Server, games: u32) {
    let store = server.database();
    let address = store.parse().expect("an address");
    // Twenty bots have 190 pairs, with two games in each block.
    let definition = definition(games.div_ceil(380));
    let (schedule, scale) = schedule_of(&definition).expect("a schedule");
    let queue = Queue::open(&address).expect("a store");
    queue.add("cup", &definition, &Schedule { games: &schedule, scale }).expect("a new one");
    let before = bytes(&store);
    let request = Request {
        worker: "one".into(),
        blocks: 200,
        ttl: Duration::from_secs(3600),
        tournament: None,
        except: Vec::new(),
    };
    let mut played = 0;
    let begun = Instant::now();
    loop {
        let leases = queue.claim(&request).expect("a claim");
        if leases.is_empty() {
            break;
        }
        for lease in leases {
            let results = results(&schedule, &lease);
            played += results.len();
            let schedule = Schedule { games: &schedule, scale };
            queue.complete("one", &lease.token, &results, &[], &schedule).expect("a result");
        }
    }
    let filled = begun.elapsed();
    drop(queue);
    let place = tempfile::tempdir().expect("a temporary directory");
    let standings = timed(place.path(), &store, &["tournament", "standings", "cup"]);
    let status = timed(place.path(), &store, &["tournament", "status", "cup"]);
    println!(
        "{played} games, stored by one connection in {:.1} s ({:.0} games/s): {:.0} bytes a game",
        filled.as_secs_f64(),
        played as f64 / filled.as_secs_f64(),
        (bytes(&store) - before) as f64 / played as f64
    );
    println!("standings {:.2} s, status {:.2} s", standings.as_secs_f64(), status.as_secs_f64());
}

/// Returns the size of a database.
fn bytes(address: &str) -> i64 {
    let config: postgres::Config = address.parse().expect("an address");
    let mut client = config.connect(postgres::NoTls).expect("the server runs");
    client.batch_execute("VACUUM FULL").expect("the tables are free");
    let row = client.query_one("SELECT pg_database_size(current_database())", &[]);
    row.expect("the size").get(0)
}
