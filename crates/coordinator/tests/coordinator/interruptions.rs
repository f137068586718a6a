//! Connections that are lost, and a coordinator that is stopped and started.

use crate::setup::{Cup, LONG, Place, options};
use botyard_coordinator::{Client, ClientOptions, Limits, Token};
use botyard_league::store::StoreError;
use botyard_queue::{Completed, Work};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

#[test]
fn a_coordinator_that_is_started_again_is_found_by_its_clients() {
    let mut place = Place::new(Limits::default());
    let cup = Cup::add(&place, "cup");
    let client = Arc::new(place.client("anna"));
    let lease = client.claim(&cup.request("anna", 1)).unwrap().remove(0);
    let games: Vec<_> = (0..2).map(|index| cup.play(&lease, index)).collect();
    let stored: Vec<_> = games.iter().map(|game| game.stored.clone()).collect();
    let mut files = Vec::new();
    for game in &games {
        // A restart before every call.
        place.stop();
        let (client, replay) = (Arc::clone(&client), game.replay.clone());
        let put = thread::spawn(move || client.put(&replay).unwrap());
        place.start();
        files.push((game.name.clone(), put.join().unwrap()));
    }
    place.stop();
    let token = lease.token.clone();
    let waiting = Arc::clone(&client);
    let beat = thread::spawn(move || waiting.heartbeat("anna", &[token], LONG).unwrap());
    place.start();
    assert_eq!(beat.join().unwrap(), std::slice::from_ref(&lease.token));
    let complete = || client.complete("anna", &lease.token, &stored, &files).unwrap();
    assert_eq!(complete(), Completed::Accepted);
    place.stop();
    place.start();
    assert_eq!(complete(), Completed::Duplicate);
    assert_eq!(place.events("stopped").len(), 4);
}

/// Passes requests to a coordinator, and loses the answers to the first ones to a path.
struct Relay {
    address: SocketAddr,
    lost: Arc<AtomicUsize>,
}

impl Relay {
    fn start(to: SocketAddr, path: &'static str, to_lose: usize) -> Relay {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let lost = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&lost);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(stream) = stream else { return };
                let count = Arc::clone(&count);
                thread::spawn(move || Relay::pass(stream, to, path, to_lose, &count));
            }
        });
        Relay { address, lost }
    }

    fn pass(
        mut stream: TcpStream,
        to: SocketAddr,
        path: &str,
        to_lose: usize,
        count: &AtomicUsize,
    ) -> Option<()> {
        let mut server = TcpStream::connect(to).ok()?;
        loop {
            let request = message(&mut stream)?;
            server.write_all(&request).ok()?;
            let answer = message(&mut server)?;
            let begin = format!("POST {path} ");
            if request.starts_with(begin.as_bytes()) && count.load(Ordering::SeqCst) < to_lose {
                count.fetch_add(1, Ordering::SeqCst);
                // Closed without the answer.
                return None;
            }
            stream.write_all(&answer).ok()?;
        }
    }

    fn client(&self, token: &Token, options: &ClientOptions) -> Client {
        Client::connect(&format!("http://{}", self.address), token, options).unwrap()
    }
}

/// Reads one request or answer, whose head has its length.
fn message(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut byte = [0];
    while !bytes.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).ok()?;
        bytes.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&bytes).to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
    let length: usize = length.map_or(0, |length| length.trim().parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    bytes.extend(body);
    Some(bytes)
}

#[test]
fn a_claim_whose_answer_is_lost_is_made_once() {
    let place = Place::new(Limits::default());
    let cup = Cup::add(&place, "cup");
    let relay = Relay::start(place.address(), "/v1/claim", 3);
    let client = relay.client(&place.token("anna"), &options());
    let leases = client.claim(&cup.request("anna", 2)).unwrap();
    assert_eq!((leases.len(), relay.lost.load(Ordering::SeqCst)), (2, 3));
    let status = place.queue.status("cup").unwrap();
    assert_eq!((status.blocks.leased, status.blocks.ready), (2, 4));
}

#[test]
fn what_a_lost_claim_got_is_given_back_with_the_next() {
    let place = Place::new(Limits::default());
    let cup = Cup::add(&place, "cup");
    let relay = Relay::start(place.address(), "/v1/claim", 1);
    let hasty = ClientOptions { patience: Duration::ZERO, ..ClientOptions::default() };
    let client = relay.client(&place.token("anna"), &hasty);
    let error = client.claim(&cup.request("anna", 4)).unwrap_err().to_string();
    assert!(error.contains("cannot be reached"), "{error}");
    assert_eq!(place.queue.status("cup").unwrap().blocks.leased, 4, "leases without a worker");
    let leases = client.claim(&cup.request("anna", 1)).unwrap();
    assert_eq!(leases.len(), 1);
    let status = place.queue.status("cup").unwrap();
    assert_eq!((status.blocks.leased, status.blocks.ready), (1, 5));
}

#[test]
fn a_result_whose_answer_is_lost_is_stored_once() {
    let place = Place::new(Limits::default());
    let cup = Cup::add(&place, "cup");
    let relay = Relay::start(place.address(), "/v1/complete", 2);
    let client = relay.client(&place.token("anna"), &options());
    let lease = client.claim(&cup.request("anna", 1)).unwrap().remove(0);
    let games: Vec<_> = (0..2).map(|index| cup.play(&lease, index)).collect();
    let stored: Vec<_> = games.iter().map(|game| game.stored.clone()).collect();
    let files: Vec<_> =
        (games.iter()).map(|game| (game.name.clone(), client.put(&game.replay).unwrap())).collect();
    let completed = client.complete("anna", &lease.token, &stored, &files).unwrap();
    assert_eq!(completed, Completed::Duplicate, "it was stored by the first attempt");
    assert_eq!(place.queue.status("cup").unwrap().games, 2);
}

/// Answers every request with this status and body.
fn answering(status: &'static str, body: &'static str) -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n", body.len());
            while message(&mut stream).is_some() {
                let _ = stream.write_all(format!("{head}{body}").as_bytes());
            }
        }
    });
    format!("http://{address}")
}

#[test]
fn a_result_is_kept_until_a_coordinator_answers() {
    let token = Token::draw("anna").unwrap();
    let page = "<html>Sign in</html>";
    for (status, body) in [
        ("200 OK", page),
        ("200 OK", "{}"),
        ("403 Forbidden", page),
        ("404 Not Found", page),
        ("404 Not Found", "{\"error\": 404}"),
    ] {
        let client = Client::new(&answering(status, body), &token, &options()).unwrap();
        let put = client.put(b"content").unwrap_err();
        let complete = client.complete("anna", "0123", &[], &[]).unwrap_err();
        for error in [put, complete] {
            assert!(matches!(error, StoreError::Host(_)), "{status} {body}: {error:?}");
        }
    }
    // It would never pass, and others may.
    let client = Client::new(&answering("413 Too Large", page), &token, &options()).unwrap();
    let error = client.put(b"content").unwrap_err();
    assert!(matches!(error, StoreError::Refused(_)), "{error:?}");
}

#[test]
fn many_workers_at_once_play_every_game_once() {
    let place = Place::new(Limits { calls: 3, ..Limits::default() });
    let cup = Cup::add(&place, "cup");
    let token = place.token("lab");
    thread::scope(|scope| {
        for number in 0..8 {
            let (place, cup, token) = (&place, &cup, &token);
            scope.spawn(move || {
                let client = Client::connect(&place.url(), token, &options()).unwrap();
                let worker = format!("lab/{number}");
                loop {
                    let leases = client.claim(&cup.request(&worker, 1)).unwrap();
                    let Some(lease) = leases.first() else { break };
                    let games: Vec<_> = (0..2).map(|index| cup.play(lease, index)).collect();
                    let stored: Vec<_> = games.iter().map(|it| it.stored.clone()).collect();
                    let put = |it: &crate::setup::Played| {
                        (it.name.clone(), client.put(&it.replay).unwrap())
                    };
                    let files: Vec<_> = games.iter().map(put).collect();
                    let done = client.complete(&worker, &lease.token, &stored, &files).unwrap();
                    assert_eq!(done, Completed::Accepted);
                }
            });
        }
    });
    let status = place.queue.status("cup").unwrap();
    assert!(status.is_complete());
    assert_eq!((status.games, status.blocks.done), (12, 6));
    assert!(place.events("refused").is_empty());
}
