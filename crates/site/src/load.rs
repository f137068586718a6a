//! A simulated class of 100 teams with 3,000 uploads and 100,000 games of the ladder: how long pages take,
//! and how much memory and room on the disk the site needs.
//!
//! `cargo test --release -p botyard-site -- --ignored --nocapture a_large_class`

use crate::competition::event::Event;
use crate::competition::freezes;
use crate::competition::ladder::{self, Record};
use crate::files::directory::ClassDirectory;
use crate::pages;
use crate::people::shares::Shares;
use crate::people::{self, Role, roster, sessions};
use crate::site::Site;
use crate::submissions::built_ins::programs;
use crate::submissions::{self, Files};
use crate::web;
use botyard_connections::{Listening, Names, Server};
use botyard_league::schedule::GameKey;
use botyard_league::{PlayedGame, Verdict};
use botyard_testkit::http::Visitor;
use flate2::{Decompress, FlushDecompress};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rusqlite::Transaction;
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// The size of a class.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    pub teams: usize,
    /// The students of a team.
    pub members: usize,
    pub uploads: usize,
    pub games: u32,
}

const LARGE: Size = Size { teams: 100, members: 1, uploads: 3_000, games: 100_000 };

/// How often each page is loaded.
const LOADS: usize = 60;

/// Returns a roster with this number of teams.
fn roster_of_all(teams: usize, members: usize) -> String {
    let mut text = "student_id,name,email,group,team,role\n9,Tea,,,,teacher\n".to_string();
    for student in 0..teams * members {
        let (id, team) = (1000 + student, student / members);
        text += &format!("{id},Student {student},,group {},team {team},\n", team % 5);
    }
    text
}

/// Returns a game between two entrants, which the first wins with this chance.
fn game(random: &mut Xoshiro256PlusPlus, block: u32, seats: [usize; 2], chance: f64) -> PlayedGame {
    let first = random.random_bool(chance);
    let points = if first { vec![1.0, 0.0] } else { vec![0.0, 1.0] };
    let places = if first { vec![1, 2] } else { vec![2, 1] };
    PlayedGame {
        block,
        seats: seats.to_vec(),
        verdict: Verdict::Scored { points, places },
        void_at: None,
        turns: 20,
        uses: Vec::new(),
        faults: Vec::new(),
        replay: None,
    }
}

/// Writes a class of a size. Returns a token of a student and one of a teacher, and the student's team.
pub(crate) fn write(path: &Path, size: Size) -> (String, String, i64) {
    let site = Site::open(path, programs()).expect("a new class");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let competition = site.competition();
    let event = &competition.event;
    let written = site.class.database.transaction(|transaction| {
        let rows = roster::read(&roster_of_all(size.teams, size.members)).expect("a roster");
        roster::import(transaction, &rows, Role::Admin).expect("new people");
        let all = people::all(transaction)?;
        let students: Vec<_> = all.iter().filter(|it| it.role == Role::Student).collect();
        for upload in 0..size.uploads {
            let student = students[upload % students.len()];
            let team = student.team.expect("a team");
            let digest = format!("{upload:064x}");
            let id = submissions::add(
                transaction,
                (team, student.id),
                Files::uploaded("bot.zip", &digest),
            )?;
            for _ in 0..20 {
                submissions::log(transaction, id, "passed  a check with a line of words\n")?;
            }
            submissions::accept(transaction, id, event.id, "{}", "1.0")?;
        }
        let playing: Vec<usize> =
            ladder::of_event(transaction, event)?.iter().map(|one| one.id as usize).collect();
        let mut record = Record::default();
        for number in 1..=size.games / 2 {
            play(transaction, &mut record, event.id, (number, &playing), &mut random)?;
        }
        let last = students.last().expect("a student");
        let student = sessions::begin(transaction, last.id).expect("random numbers");
        let teacher = all.iter().find(|it| it.role == Role::Teacher).expect("a teacher");
        let teacher = sessions::begin(transaction, teacher.id).expect("random numbers");
        Ok::<_, rusqlite::Error>((student, teacher, last.team.expect("a team")))
    });
    written.expect("SQLite works")
}

/// Plays a block of two games between two of these entrants.
pub(crate) fn play(
    transaction: &Transaction<'_>,
    record: &mut Record,
    event: i64,
    (number, playing): (u32, &[usize]),
    random: &mut Xoshiro256PlusPlus,
) -> rusqlite::Result<()> {
    let one = random.random_range(0..playing.len());
    let other = (one + random.random_range(1..playing.len())) % playing.len();
    let (a, b) = (playing[one], playing[other]);
    record.begin(transaction, event, &ladder::choice_of(&[a as i64, b as i64]))?;
    let chance = 1.0 / (1.0 + (-(one as f64 - other as f64) / 20.0).exp());
    for (rotation, seats, chance) in [(0, [a, b], chance), (1, [b, a], 1.0 - chance)] {
        let key = GameKey { generation: 0, block: number, rotation };
        let played = game(random, number, seats, chance);
        let id = format!("g{number}-{rotation}");
        ladder::add_game(transaction, event, key, (&id, 1), &played, "here")?;
    }
    Ok(())
}

/// Ends the computations when it is dropped.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// Returns the resident memory of this process, in MiB.
fn memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
    let kib = line.split_whitespace().nth(1).and_then(|number| number.parse::<u64>().ok());
    kib.unwrap_or(0) / 1024
}

#[test]
#[ignore = "writes 100,000 games"]
fn a_large_class() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("class");
    let begun = Instant::now();
    let (student, teacher, team) = write(&path, LARGE);
    println!("written in {:.1} s", begun.elapsed().as_secs_f64());
    let begun = Instant::now();
    let site = Arc::new(Site::open(&path, programs()).expect("the class"));
    println!("opened in {:.1} s", begun.elapsed().as_secs_f64());
    for what in ["standings", "standings again"] {
        let begun = Instant::now();
        site.competition().compute_boards().expect("standings");
        println!("{what}: {:.2} s", begun.elapsed().as_secs_f64());
    }
    // Students see a frozen board, whose standings are computed once.
    let frozen = site.class.database.transaction(|transaction| {
        let playing = ladder::of_event(transaction, &site.competition().event)?;
        let ids: Vec<i64> = playing.iter().map(|entrant| entrant.id).collect();
        let person = people::first_admin(transaction)?;
        freezes::set(transaction, site.competition().event.id, Some(&ids[..]), "a test", person)
    });
    frozen.expect("SQLite works");
    let begun = Instant::now();
    site.competition().reload_course().expect("a freeze");
    println!("frozen in {:.3} s", begun.elapsed().as_secs_f64());
    let size = fs::metadata(path.join("site.db")).expect("a file").len() >> 20;
    println!("database: {size} MiB; memory: {} MiB", memory());
    let listen = ([127, 0, 0, 1], 0).into();
    let router = web::router(&site, pages::routes(), None);
    // Pages are loaded while the standings are computed again and again.
    let is_over = AtomicBool::new(false);
    let computed = || {
        let mut number = 0;
        while !is_over.load(Ordering::Acquire) {
            site.competition().compute_boards().expect("standings");
            number += 1;
        }
        println!("standings computed {number} times meanwhile");
    };
    let server = Server::start(Listening::at(listen, Names::Loopback), router).expect("a server");
    let address = format!("http://{}/", server.address());
    std::thread::scope(|scope| {
        scope.spawn(computed);
        let _over = Over(&is_over);
        for (token, pages) in [
            (
                &student,
                vec![
                    "/".to_string(),
                    "/standings".into(),
                    "/team".into(),
                    format!("/teams/{team}"),
                ],
            ),
            (
                &teacher,
                vec![
                    "/standings".into(),
                    "/submissions".into(),
                    "/grades".into(),
                    "/roster".into(),
                ],
            ),
        ] {
            for page in pages {
                let mut visitor = Visitor::new(&address);
                visitor.cookie.clone_from(token);
                let mut times: Vec<Duration> = (0..LOADS)
                    .map(|_| {
                        let begun = Instant::now();
                        let reply = visitor.get(&page);
                        assert_eq!(reply.status, 200, "{page}: {}", reply.text);
                        begun.elapsed()
                    })
                    .collect();
                times.sort();
                let (median, last) = (times[LOADS / 2], times[LOADS - 1 - LOADS / 100]);
                println!("{page}: median {median:.1?}, 99th percentile {last:.1?}");
            }
        }
    });
    println!("memory: {} MiB", memory());
    // Nothing was lost or counted twice.
    assert_eq!(site.competition().boards().ladder.clone().standings.games, u64::from(LARGE.games));
    let directory = ClassDirectory::open(&path).expect("the class");
    drop((server, site));
    let database =
        crate::files::database::Database::open(&directory.database()).expect("the class");
    let event = Event::open(&directory, &database, &programs()).expect("the event");
    assert_eq!(event.id, 1);
}

/// What a page received of the standings.
#[derive(Debug, Default)]
pub(crate) struct Received {
    /// The bytes on the connection.
    bytes: usize,
    /// The rows, as the script of the page keeps them.
    rows: HashMap<String, String>,
    order: Vec<String>,
}

impl Received {
    /// Does what the script does with an event.
    fn apply(&mut self, data: &Value) {
        for markup in data["rows"].as_str().expect("rows").split_inclusive("</tr>") {
            let key = markup.split("data-row=\"").nth(1).and_then(|rest| rest.split('"').next());
            self.rows.insert(key.expect("a key").to_string(), markup.to_string());
        }
        if let Some(order) = data["order"].as_array() {
            self.order = order.iter().filter_map(|key| key.as_str()).map(String::from).collect();
        }
    }

    fn shown(&self) -> String {
        self.order.iter().map(|key| self.rows[key].as_str()).collect()
    }
}

/// Counts what is read.
struct Counting<R>(R, Arc<AtomicUsize>);

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(into)?;
        self.1.fetch_add(read, Ordering::Relaxed);
        Ok(read)
    }
}

/// Follows the standings until this number of events have come, and reports each.
pub(crate) fn listen(
    visitor: &Visitor,
    gzip: bool,
    events: usize,
    report: &mpsc::Sender<()>,
) -> Received {
    let headers = if gzip { "Accept-Encoding: gzip\r\n" } else { "" };
    let stream = visitor.follow_as("/standings/events", headers).expect("events");
    let bytes = Arc::new(AtomicUsize::new(0));
    // The reply is chunked, and the lengths of chunks count.
    let chunks = Chunks { stream: Counting(stream, Arc::clone(&bytes)), left: 0 };
    let text: Box<dyn Read> = match gzip {
        true => Box::new(Inflated::new(chunks)),
        false => Box::new(chunks),
    };
    let mut received = Received::default();
    let data = BufReader::new(text).lines().filter_map(|line| {
        let line = line.expect("a connection");
        Some(line.strip_prefix("data: ")?.to_string())
    });
    for data in data.take(events) {
        received.apply(&serde_json::from_str(&data).expect("JSON"));
        report.send(()).expect("it waits");
    }
    received.bytes = bytes.load(Ordering::Relaxed);
    received
}

/// What was compressed, as soon as it can be read, as in a browser. The reader of `flate2` waits for the next event
/// while it has a part of this one.
struct Inflated<R> {
    stream: R,
    raw: Decompress,
    /// What was read and not inflated.
    input: Vec<u8>,
}

impl<R: Read> Inflated<R> {
    fn new(mut stream: R) -> Inflated<R> {
        // The head of the file, whose length is that of a file without a name.
        stream.read_exact(&mut [0; 10]).expect("a connection");
        Inflated { stream, raw: Decompress::new(false), input: Vec::new() }
    }
}

impl<R: Read> Read for Inflated<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let (read, written) = (self.raw.total_in(), self.raw.total_out());
            self.raw.decompress(&self.input, into, FlushDecompress::None)?;
            self.input.drain(..(self.raw.total_in() - read) as usize);
            match (self.raw.total_out() - written) as usize {
                0 => {}
                length => return Ok(length),
            }
            let mut part = [0; 4096];
            let length = self.stream.read(&mut part)?;
            if length == 0 {
                return Ok(0);
            }
            self.input.extend(&part[..length]);
        }
    }
}

/// The content of a chunked reply.
struct Chunks<R> {
    stream: R,
    left: usize,
}

impl<R: Read> Chunks<R> {
    /// Reads a line of the framing.
    fn line(&mut self) -> io::Result<String> {
        let (mut line, mut byte) = (Vec::new(), [0]);
        while self.stream.read(&mut byte)? == 1 && byte != *b"\n" {
            line.push(byte[0]);
        }
        Ok(String::from_utf8_lossy(&line).trim().to_string())
    }
}

impl<R: Read> Read for Chunks<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            self.left = usize::from_str_radix(&self.line()?, 16).map_err(io::Error::other)?;
        }
        let most = into.len().min(self.left);
        let read = self.stream.read(&mut into[..most])?;
        self.left -= read;
        if self.left == 0 {
            self.line()?;
        }
        Ok(read)
    }
}

/// Serves a class to visitors who have no shares, because all are of one session or address. Returns one of them.
pub(crate) fn served(path: &Path) -> (Arc<Site>, Server, Visitor) {
    let mut site = Site::open(path, programs()).expect("the class");
    site.people.shares = Shares::unlimited();
    let site = Arc::new(site);
    site.competition().compute_boards().expect("standings");
    let router = web::router(&site, pages::routes(), None);
    let listening = Listening::at(([127, 0, 0, 1], 0).into(), Names::Any);
    let server = Server::start(listening, router).expect("a server");
    let visitor = Visitor::new(&format!("http://{}/", server.address()));
    (site, server, visitor)
}

/// Lets pages follow a number of updates of the standings of a class, each of some games. Returns the bytes that each
/// received, with gzip and without.
fn follow_updates(size: Size, listeners: usize, updates: usize, games: u32) -> (usize, usize) {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("class");
    let (_, teacher, _) = write(&path, size);
    let (site, _server, mut visitor) = served(&path);
    visitor.cookie = teacher;
    let (report, reports) = mpsc::channel();
    let followed: Vec<_> = (0..listeners)
        .map(|number| {
            let (visitor, report) = (visitor.clone(), report.clone());
            std::thread::spawn(move || listen(&visitor, number > 0, 1 + updates, &report))
        })
        .collect();
    let all_have_it = || {
        (0..listeners).for_each(|_| {
            reports.recv_timeout(Duration::from_secs(300)).expect("an event");
        });
    };
    all_have_it();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
    for update in 0..updates as u32 {
        let played = site.class.database.transaction(|transaction| {
            let playing: Vec<usize> = ladder::of_event(transaction, &site.competition().event)?
                .iter()
                .map(|it| it.id as usize)
                .collect();
            for game in 0..games / 2 {
                let number = size.games / 2 + update * games / 2 + game + 1;
                let competition = site.competition();
                let mut record = competition.record();
                play(
                    transaction,
                    &mut record,
                    site.competition().event.id,
                    (number, &playing),
                    &mut random,
                )?;
            }
            Ok::<_, rusqlite::Error>(())
        });
        played.expect("SQLite works");
        site.competition().reload_record().expect("a record");
        site.competition().compute_boards().expect("standings");
        all_have_it();
    }
    let page = visitor.get("/standings").text;
    let rows = page.split_once("<tbody").and_then(|(_, rest)| rest.split_once('>'));
    let rows = rows.and_then(|(_, rest)| rest.split_once("</tbody>")).expect("a table").0;
    let mut received: Vec<Received> =
        followed.into_iter().map(|thread| thread.join().expect("a listener")).collect();
    for its in &received {
        assert_eq!(its.shown(), rows, "a page that follows shows what a new one shows");
    }
    let plain = received.remove(0).bytes;
    let most = received.iter().map(|its| its.bytes).max().unwrap_or_default();
    (most, plain)
}

#[test]
fn pages_that_follow_the_standings_receive_what_changes() {
    let size = Size { teams: 40, members: 1, uploads: 40, games: 1_000 };
    let (gzip, plain) = follow_updates(size, 20, 4, 2);
    assert!(gzip * 3 < plain, "{gzip} bytes with gzip, {plain} without");
}

/// `cargo test --release -p botyard-site -- --ignored --nocapture a_hundred_pages`
#[test]
#[ignore = "a measurement"]
fn a_hundred_pages_follow_twenty_updates() {
    let size = Size { teams: 100, members: 1, uploads: 100, games: 10_000 };
    let (gzip, plain) = follow_updates(size, 100, 20, 4);
    println!("20 updates of 100 rows: {gzip} bytes for a page with gzip, {plain} without");
}
