//! A simulated class of 100 teams with 3,000 uploads and 100,000 games of the ladder: how long pages take,
//! and how much memory and room on the disk the site needs.
//!
//! `cargo test --release -p botyard-site -- --ignored --nocapture a_large_class`

use crate::built_ins::programs;
use crate::directory::ClassDirectory;
use crate::event::Event;
use crate::ladder::{self, Record};
use crate::role::Role;
use crate::site::Site;
use crate::submissions::Files;
use crate::{freezes, pages, people, roster, sessions, submissions, web};
use botyard_league::schedule::GameKey;
use botyard_league::{PlayedGame, Verdict};
use botyard_live::{Loopback, Names};
use botyard_testkit::http::Visitor;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const TEAMS: usize = 100;
const UPLOADS: usize = 3_000;
const GAMES: u32 = 100_000;

/// How often each page is loaded.
const LOADS: usize = 60;

/// Returns a roster with a student and a team for each number.
fn roster_of_all() -> String {
    let mut text = "student_id,name,email,group,team,role\n9,Tea,,,,teacher\n".to_string();
    for team in 0..TEAMS {
        text += &format!("{},Student {team},,group {},team {team},\n", 1000 + team, team % 5);
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

/// Writes a class of the size. Returns a token of a student and one of a teacher, and the student's team.
fn write(path: &Path) -> (String, String, i64) {
    let site = Site::open(path, programs(), str::to_string).expect("a new class");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let event = &site.event;
    let written = site.database.transaction(|transaction| {
        let rows = roster::read(&roster_of_all()).expect("a roster");
        roster::import(transaction, &rows, Role::Admin).expect("new people");
        let all = people::all(transaction)?;
        let students: Vec<_> = all.iter().filter(|it| it.role == Role::Student).collect();
        for upload in 0..UPLOADS {
            let student = students[upload % TEAMS];
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
        for number in 1..=GAMES / 2 {
            let one = random.random_range(0..playing.len());
            let other = (one + random.random_range(1..playing.len())) % playing.len();
            let (a, b) = (playing[one], playing[other]);
            let block = ladder::choice_of(&[a as i64, b as i64]);
            record.begin(transaction, event.id, &block)?;
            let chance = 1.0 / (1.0 + (-(one as f64 - other as f64) / 20.0).exp());
            for (rotation, seats, chance) in [(0, [a, b], chance), (1, [b, a], 1.0 - chance)] {
                let key = GameKey { generation: 0, block: number, rotation };
                let played = game(&mut random, number, seats, chance);
                let id = format!("g{number}-{rotation}");
                ladder::add_game(transaction, event.id, key, (&id, 1), &played, "here")?;
            }
        }
        let student = sessions::begin(transaction, students[7].id).expect("random numbers");
        let teacher = all.iter().find(|it| it.role == Role::Teacher).expect("a teacher");
        let teacher = sessions::begin(transaction, teacher.id).expect("random numbers");
        Ok::<_, rusqlite::Error>((student, teacher, students[7].team.expect("a team")))
    });
    written.expect("SQLite works")
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
    let (student, teacher, team) = write(&path);
    println!("written in {:.1} s", begun.elapsed().as_secs_f64());
    let begun = Instant::now();
    let site = Arc::new(Site::open(&path, programs(), str::to_string).expect("the class"));
    println!("opened in {:.1} s", begun.elapsed().as_secs_f64());
    for what in ["standings", "standings again"] {
        let begun = Instant::now();
        site.compute_standing().expect("standings");
        println!("{what}: {:.2} s", begun.elapsed().as_secs_f64());
    }
    // Students see a frozen board, whose standings are computed once.
    let frozen = site.database.transaction(|transaction| {
        let playing = ladder::of_event(transaction, &site.event)?;
        let ids: Vec<i64> = playing.iter().map(|entrant| entrant.id).collect();
        let person = people::first_admin(transaction)?;
        freezes::set(transaction, site.event.id, Some(&ids[..]), "a test", person)
    });
    frozen.expect("SQLite works");
    let begun = Instant::now();
    site.reload_course().expect("a freeze");
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
            site.compute_standing().expect("standings");
            number += 1;
        }
        println!("standings computed {number} times meanwhile");
    };
    let server = Loopback::listen(listen, Names::Loopback, router).expect("a server");
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
    assert_eq!(site.standing().standings.games, u64::from(GAMES));
    let directory = ClassDirectory::open(&path).expect("the class");
    drop((server, site));
    let database = crate::database::Database::open(&directory.database()).expect("the class");
    let event = Event::open(&directory, &database, &programs()).expect("the event");
    assert_eq!(event.id, 1);
}
