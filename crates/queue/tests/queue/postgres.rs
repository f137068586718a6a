//! PostgreSQL: a server of each test's own.

use crate::server::Server;
use crate::sqlite::{OF_FIRST_VERSION, check_of_first_version};
use botyard_league::scale::Scale;
use botyard_league::schedule::{Draws, Format, TournamentSchedule};
use botyard_queue::{Address, Queue, Request, Schedule, conformance};
use std::sync::Arc;
use std::time::Duration;

#[test]
fn a_server_keeps_the_contract() {
    let Some(server) = Server::start() else { return };
    let address: Address = server.database().parse().unwrap();
    conformance::check_all(&|| Arc::new(Queue::open(&address).unwrap()));
}

#[test]
fn tables_of_an_earlier_version_are_brought_up_to_date() {
    let Some(server) = Server::start() else { return };
    let address = server.database();
    let mut client = postgres::Client::connect(&address, postgres::NoTls).unwrap();
    let before = "CREATE SCHEMA botyard; SET search_path = botyard;
                  CREATE TABLE format(version BIGINT NOT NULL); INSERT INTO format VALUES (1);";
    client.batch_execute(before).unwrap();
    client.batch_execute(include_str!("../../migrations/1.sql")).unwrap();
    client.batch_execute(OF_FIRST_VERSION).unwrap();
    let queue = Queue::open(&address.parse().unwrap()).unwrap();
    check_of_first_version(&queue);
}

#[test]
fn a_server_that_was_killed_is_connected_again() {
    let Some(mut server) = Server::start() else { return };
    let address: Address = server.address().parse().unwrap();
    let queue = Queue::open(&address).unwrap();
    let definition = botyard_league::store::conformance::definition();
    let draws: Draws = definition.draws;
    let format = Format::RoundRobin { tables: None };
    let games = TournamentSchedule::new("draughts", draws, (2, 2), &format, 3).unwrap();
    let schedule = Schedule { games: &games, scale: Scale::POINT };
    queue.add("class", &definition, &schedule).unwrap();
    let request = Request {
        worker: "anna".into(),
        blocks: 1,
        ttl: Duration::from_secs(3600),
        tournament: None,
        except: Vec::new(),
    };
    let first = queue.claim(&request).unwrap();
    server.kill();
    std::thread::scope(|scope| {
        // The claim waits until the server is there again.
        let claimed = scope.spawn(|| queue.claim(&request).unwrap());
        server.run();
        let second = claimed.join().unwrap();
        assert_eq!((first.len(), second.len()), (1, 1));
        assert_ne!(first[0].block, second[0].block, "the first lease lasts");
    });
    server.cut_connections();
    let status = queue.status("class").unwrap();
    assert_eq!((status.blocks.ready, status.blocks.leased), (1, 2));
}

#[test]
fn a_queue_is_copied_to_another_engine_and_back() {
    let Some(server) = Server::start() else { return };
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| Address::File(directory.path().join(name));
    let [first, last] = ["first.db", "last.db"].map(|name| Queue::open(&file(name)).unwrap());
    let first = Arc::new(first);
    conformance::check_all(&|| Arc::clone(&first));
    let between = Queue::open(&server.database().parse().unwrap()).unwrap();
    let copied = first.copy_to(&between).unwrap();
    assert!(copied.tournaments > 5 && copied.games > 200 && copied.files > 0, "{copied:?}");
    assert_eq!(between.copy_to(&last).unwrap(), copied);
    assert_eq!(last.tournaments().unwrap(), first.tournaments().unwrap());
    for listed in first.tournaments().unwrap() {
        let id = listed.id.as_str();
        let [mut one, mut other] = [&*first, &last].map(|queue| queue.status(id).unwrap());
        // The clock runs.
        for status in [&mut one, &mut other] {
            status.oldest_lease_ms = None;
            status.workers.iter_mut().for_each(|worker| worker.silent_ms = 0);
        }
        assert_eq!(one.games, other.games, "{id}");
        assert_eq!((one.blocks, one.workers), (other.blocks, other.workers), "{id}");
        assert_eq!(first.conditions(id).unwrap(), last.conditions(id).unwrap(), "{id}");
        assert_eq!(first.definition(id).unwrap(), last.definition(id).unwrap(), "{id}");
    }
    let files = first.files("files", "").unwrap();
    assert_eq!(files, last.files("files", "").unwrap());
    for file in files {
        assert!(last.get(&file.digest).unwrap() == first.get(&file.digest).unwrap(), "{file:?}");
    }
    // It is not mixed with other tournaments.
    assert!(first.copy_to(&last).unwrap_err().to_string().contains("has tournaments already"));
}

#[test]
fn a_server_that_is_not_there_is_named_without_the_password() {
    let address: Address = "postgres://anna:secret@127.0.0.1:1/class".parse().unwrap();
    assert_eq!(address.to_string(), "postgres://anna@127.0.0.1:1/class");
    assert!(address.has_password());
    for (text, shown, has_password) in [
        ("postgres://anna@h/c?sslmode=require", "postgres://anna@h/c?sslmode=require", false),
        ("postgresql://h/c?user=a&password=b", "postgresql://h/c?...", true),
        ("class:secret@db", "class:secret@db", false),
    ] {
        let address: Address = text.parse().unwrap();
        assert_eq!((address.to_string().as_str(), address.has_password()), (shown, has_password));
    }
    assert_eq!(format!("{address:?}"), address.to_string());
    let error = Queue::open(&address).unwrap_err().to_string();
    assert!(error.contains("the PostgreSQL server cannot be reached"), "{error}");
    assert!(!error.contains("secret"), "{error}");
    let address: Address = "postgres://anna@host:port/class".parse().unwrap();
    let error = Queue::open(&address).unwrap_err().to_string();
    assert!(error.contains("expected postgres://USER@HOST/DATABASE"), "{error}");
}
