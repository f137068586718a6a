//! Browsers of a simulated class that follow the standings, while the cores are busy with games: how long pages take,
//! and how many a second the site sends to classes of 100, 300 and 1,000 people, whose data are in SQLite.
//!
//! `cargo test --release --workspace --lib -- --ignored --nocapture three_hundred_browsers`
//! `cargo test --release --workspace --lib -- --ignored --nocapture a_hundred_to_a_thousand_people`

use crate::competition::ladder;
use crate::load::{Size, listen, play, served, write};
use crate::people::{self, Role, sessions};
use crate::site::Site;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// The most browsers that follow the standings.
const STREAMS: usize = 300;

/// How long pages are loaded, and by how many browsers at once.
const LOADED: Duration = Duration::from_secs(30);
const AT_ONCE: usize = 6;

/// How often a block of the ladder ends.
const BLOCK: Duration = Duration::from_secs(1);

/// Returns tokens of this number of sessions of the students, and the number of students.
fn sessions_of(site: &Site, number: usize) -> (Vec<String>, usize) {
    let begun = site.class.database.transaction(|transaction| {
        let all = people::all(transaction)?;
        let students: Vec<_> = all.iter().filter(|it| it.role == Role::Student).collect();
        let one = |number: usize| {
            sessions::begin(transaction, students[number % students.len()].id)
                .expect("random numbers")
        };
        Ok::<_, rusqlite::Error>(((0..number).map(one).collect(), students.len()))
    });
    begun.expect("SQLite works")
}

/// Plays a block of the ladder, whose standings are computed.
fn end_block(site: &Site, number: u32, random: &mut Xoshiro256PlusPlus) {
    let competition = site.competition();
    let played = site.class.database.transaction(|transaction| {
        let playing = ladder::of_event(transaction, &competition.event)?;
        let playing: Vec<usize> = playing.iter().map(|it| it.id as usize).collect();
        play(
            transaction,
            &mut competition.record(),
            competition.event.id,
            (number, &playing),
            random,
        )
    });
    played.expect("SQLite works");
    competition.reload_record().expect("a record");
    competition.compute_boards().expect("standings");
    competition.announce_result();
    site.class.announce();
}

#[test]
#[ignore = "a measurement"]
fn three_hundred_browsers_follow_a_ladder_on_all_cores() {
    let size = Size { teams: 100, members: 1, uploads: 1_000, games: 20_000 };
    measure(size, 300, Duration::from_millis(200));
}

#[test]
#[ignore = "a measurement"]
fn a_hundred_to_a_thousand_people() {
    for people in [100, 300, 1_000_usize] {
        let teams = people.div_ceil(3);
        let size = Size { teams, members: 3, uploads: 10 * teams, games: 20_000 };
        // As many pages as the site can send.
        measure(size, people, Duration::ZERO);
    }
}

/// Loads pages of a class by this number of sessions, with pauses of up to this long.
fn measure(size: Size, sessions: usize, pause: Duration) {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("class");
    let (_, _, team) = write(&path, size);
    let (site, server, visitor) = served(&path);
    let (tokens, students) = sessions_of(&site, sessions);
    let follows = &tokens[..sessions.min(STREAMS)];
    let as_one = |token: &String| {
        let mut visitor = visitor.clone();
        visitor.cookie.clone_from(token);
        visitor
    };
    let (report, reports) = mpsc::channel();
    for token in follows {
        let (visitor, report) = (as_one(token), report.clone());
        // It ends with this process.
        thread::spawn(move || listen(&visitor, true, usize::MAX, &report));
    }
    for _ in follows {
        reports.recv_timeout(Duration::from_secs(300)).expect("an event");
    }
    let pages = [
        "/".to_string(),
        "/standings".into(),
        "/team".into(),
        format!("/teams/{team}"),
        "/event".into(),
    ];
    let (is_over, loaded) = (AtomicBool::new(false), mpsc::channel());
    let (loaded, times) = loaded;
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
    let begun = Instant::now();
    let mut blocks = 0;
    thread::scope(|scope| {
        for _ in 0..cores {
            // What bots of the ladder do.
            scope.spawn(|| {
                let mut number = 0_u64;
                while !is_over.load(Ordering::Relaxed) {
                    number = black_box(number.wrapping_mul(31).wrapping_add(1));
                }
            });
        }
        for browser in 0..AT_ONCE {
            let (loaded, pages, tokens, as_one) = (loaded.clone(), &pages, &tokens, &as_one);
            scope.spawn(move || {
                let mut random = Xoshiro256PlusPlus::seed_from_u64(browser as u64);
                while begun.elapsed() < LOADED {
                    let page = &pages[random.random_range(0..pages.len())];
                    let own = format!("/teams/{team}");
                    // The page of a team is for its members.
                    let index = if *page == own {
                        students - 1
                    } else {
                        random.random_range(0..tokens.len())
                    };
                    let mut visitor = as_one(&tokens[index]);
                    let begun = Instant::now();
                    let reply = visitor.get(page);
                    assert_eq!(reply.status, 200, "{page}: {}", reply.text);
                    loaded.send((page.clone(), begun.elapsed())).expect("it waits");
                    thread::sleep(pause.mul_f64(random.random()));
                }
            });
        }
        let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
        while begun.elapsed() < LOADED {
            blocks += 1;
            end_block(&site, size.games / 2 + blocks, &mut random);
            thread::sleep(BLOCK);
        }
        is_over.store(true, Ordering::Relaxed);
    });
    // Browsers that follow would read the end of their streams.
    std::mem::forget(server);
    drop(loaded);
    let took = begun.elapsed().as_secs_f64();
    let mut by_page: BTreeMap<String, Vec<Duration>> = BTreeMap::new();
    for (page, time) in times {
        by_page.entry(page).or_default().push(time);
        by_page.entry("all pages".into()).or_default().push(time);
    }
    println!(
        "{cores} cores, {students} people, {} streams, {blocks} blocks ended; {} events",
        follows.len(),
        reports.try_iter().count()
    );
    for (page, mut times) in by_page {
        times.sort();
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
        let (median, last, most) = (at(0.5), at(0.99), at(1.0));
        println!(
            "{page}: {} loads, {:.0} a second, median {median:.1?}, 99th percentile {last:.1?}, longest {most:.1?}",
            times.len(),
            times.len() as f64 / took
        );
    }
}
