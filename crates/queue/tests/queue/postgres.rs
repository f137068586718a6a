//! PostgreSQL: a server of each test's own.

use crate::server::Server;
use botyard_league::scale::Scale;
use botyard_league::schedule::{Draws, Format, TournamentSchedule};
use botyard_queue::{Address, Queue, Request, Schedule, conformance};
use std::sync::Arc;
use std::time::Duration;

#[test]
fn a_server_keeps_the_contract() {
    let Some(server) = Server::start() else { return };
    let address: Address = server.address().parse().unwrap();
    conformance::check_all(&|| Arc::new(Queue::open(&address).unwrap()));
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
    let status = queue.status("class").unwrap();
    assert_eq!((status.blocks.ready, status.blocks.leased), (1, 2));
}

#[test]
fn a_server_that_is_not_there_is_named_without_the_password() {
    let address: Address = "postgres://anna:secret@127.0.0.1:1/class".parse().unwrap();
    assert_eq!(address.to_string(), "postgres://anna@127.0.0.1:1/class");
    assert_eq!(format!("{address:?}"), address.to_string());
    let error = Queue::open(&address).unwrap_err().to_string();
    assert!(error.contains("the PostgreSQL server cannot be reached"), "{error}");
    assert!(!error.contains("secret"), "{error}");
    let address: Address = "postgres://anna@host:port/class".parse().unwrap();
    let error = Queue::open(&address).unwrap_err().to_string();
    assert!(error.contains("expected postgres://USER@HOST/DATABASE"), "{error}");
}
