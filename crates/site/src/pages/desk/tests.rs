use super::*;
use crate::competition::{Competition, Competitions, ladder};
use crate::files::Class;
use crate::people::access::People;
use crate::people::{self, sessions};
use crate::site::Site;
use crate::submissions::built_ins::programs;
use crate::submissions::copies::Submissions;
use crate::web;
use botyard_connections::{Listening, Names, Server};
use botyard_league::schedule::GameKey;
use botyard_league::{SeatUse, Verdict};
use botyard_protocol::ClockKind;
use botyard_queue::{RecheckedGame, Rechecks};
use botyard_runner::ConcurrencyLimit;
use botyard_testkit::http::Visitor;
use std::sync::Arc;

/// Two references, and games of two seats.
const EVENT: &str = "game = \"connect-four\"\n[time]\nmove_ms = 30000\n\
                     [[bot]]\nname = \"one\"\ncommand = \"random\"\n\
                     [[bot]]\nname = \"two\"\ncommand = \"greedy\"\n";

/// Makes a class whose limit on games at once is this one.
fn class(limit: ConcurrencyLimit) -> (tempfile::TempDir, Arc<Site>) {
    let place = tempfile::tempdir().expect("a directory");
    let directory = place.path().join("class");
    fs::create_dir(&directory).expect("it is ours");
    fs::write(directory.join("event.toml"), EVENT).expect("it is ours");
    let class = Arc::new(Class::open(&directory, programs()).expect("a class"));
    let submissions = Arc::new(Submissions::open(&class).expect("a directory"));
    let mut competition = Competition::open(&class, &submissions).expect("an event");
    competition.limit = Arc::new(limit);
    let competitions = Competitions::of(competition);
    let (people, competitions) = (People::new(Names::Loopback), Arc::new(competitions));
    (place, Arc::new(Site { class, people, submissions, competitions }))
}

/// Returns the desk as the administrator sees it.
fn shown(site: &Arc<Site>) -> String {
    let router = web::router(site, crate::pages::routes(), None);
    let server = Server::start(Listening::on_loopback(0), router);
    let server = server.expect("a server");
    let mut visitor = Visitor::new(&format!("http://{}/", server.address()));
    let token = site.class.database.transaction(|transaction| {
        let admin = people::first_admin(transaction)?;
        sessions::begin(transaction, admin)
    });
    visitor.cookie = token.expect("SQLite works");
    let reply = visitor.get("/desk");
    assert_eq!(reply.status, 200, "{}", reply.text);
    reply.text
}

/// Returns the limit of a host on which bots waited for four fifths of the time in which they wanted a core.
fn overloaded() -> ConcurrencyLimit {
    let limit = ConcurrencyLimit::new(4);
    let change = limit.add(limit.now(), (1_600_000, 400_000), ClockKind::Wall);
    assert!(change.is_some(), "it is lowered");
    limit
}

#[test]
fn a_host_that_is_overloaded_is_named_with_the_games_that_it_plays() {
    let (_place, site) = class(ConcurrencyLimit::new(4));
    let text = shown(&site);
    assert!(!text.contains("Fewer games") && !text.contains("waits for a core"), "{text}");

    let (_place, site) = class(overloaded());
    let about = serde_json::json!({ "concurrency": 8, "allowed": 3 });
    site.competition().show_workers(vec![SeenWorker {
        name: "lab/anna".into(),
        about,
        silent_ms: 2000,
        leases: 1,
    }]);
    let text = shown(&site);
    for part in [
        "Fewer games are played: this host is overloaded: 4 games at once became 1 (bots waited for 80% of \
         the time in which they wanted a core).",
        "80% of the time in which bots of this host wanted one",
        "3 of 8: its host is overloaded",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn excused_time_is_shown_by_version() {
    let (_place, site) = class(ConcurrencyLimit::new(4));
    assert!(!shown(&site).contains("Time that hosts took"));
    let event = site.competition().event.id;
    let stored = site.class.database.transaction(|transaction| {
        let entrants = ladder::of_event(transaction, &site.competition().event)?;
        let line_up: Vec<i64> = entrants.iter().map(|entrant| entrant.id).collect();
        let block =
            site.competition().record().begin(transaction, event, &ladder::choice_of(&line_up))?;
        let number = block.number;
        let excused =
            SeatUse { excused_us: 2_500_000, longest_excused_us: 1_200_000, ..SeatUse::default() };
        let game = botyard_league::PlayedGame {
            block: number,
            seats: line_up.iter().map(|&id| id as usize).collect(),
            verdict: Verdict::Scored { points: vec![1.0, 0.0], places: vec![1, 2] },
            void_at: None,
            turns: 7,
            uses: vec![excused, SeatUse::default()],
            faults: Vec::new(),
            replay: None,
        };
        let key = GameKey { generation: 0, block: number, rotation: 0 };
        ladder::add_game(transaction, event, key, ("g1", 1), &game, "here")
    });
    stored.expect("SQLite works");
    site.competition().reload_record().expect("a record");
    site.competition().compute_boards().expect("standings");
    let text = shown(&site);
    let table = text.split_once("Time that hosts took from bots").expect("a section").1;
    let table = table.split_once("</section>").expect("its end").0;
    assert!(table.contains("2500 ms, longest 1200 ms"), "{table}");
    assert!(table.contains("one") && !table.contains("two"), "{table}");
}

#[test]
fn games_that_a_second_worker_played_otherwise_name_both() {
    let (_place, site) = class(ConcurrencyLimit::new(4));
    assert!(!shown(&site).contains("played again"));
    let one = |worker: &str, points: [f64; 2], turns| Recheck {
        worker: worker.into(),
        points: points.into(),
        turns,
    };
    let mut rechecks = Rechecks::default();
    (rechecks.done, rechecks.same, rechecks.other_course) = (2, 2, 1);
    rechecks.differing = vec![RecheckedGame {
        block: 41,
        game: 2,
        first: one("lab/<b>anna", [1.0, 0.0], 61),
        again: one("other/ben", [0.5, 0.5], 1),
    }];
    let added = site.class.database.transaction(|transaction| {
        rechecks::add(transaction, site.competition().event.id, &rechecks)?;
        rechecks::add(transaction, site.competition().event.id, &Rechecks::default())
    });
    added.expect("SQLite works");
    let text = shown(&site);
    for part in [
        "2 blocks: 3 games with the same result, 1 with another.",
        "ladder, block 41, game 2",
        "1:0 on lab/&lt;b&gt;anna after 61 decisions",
        "0.5:0.5 on other/ben after 1 decision",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}
