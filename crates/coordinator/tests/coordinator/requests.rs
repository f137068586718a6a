//! Requests that are no calls, are too large, or do not arrive.

use crate::setup::{Cup, Place, rest, status};
use botyard_coordinator::{Client, ClientOptions, Limits};
use botyard_queue::Work;
use serde_json::Value;
use std::io::Write;
use std::time::Duration;

fn code_of(body: &str) -> String {
    let body: Value = serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {body}"));
    body["error"]["code"].as_str().unwrap().to_string()
}

#[test]
fn what_is_no_call_is_answered_in_json() {
    let place = Place::new(Limits::default());
    let token = place.token("anna").reveal();
    let digest = format!("/v1/blobs/{}", "0".repeat(64));
    for (method, path, body, expected) in [
        ("POST", "/v1/claim", "", (400, "malformed")),
        ("POST", "/v1/claim", "{", (400, "malformed")),
        ("POST", "/v1/claim", "[]", (400, "malformed")),
        ("POST", "/v1/claim", r#"{"request":{},"tokens":[]}"#, (400, "malformed")),
        ("POST", "/v1/heartbeat", "{\"worker\":\"\u{0}", (400, "malformed")),
        ("POST", "/v1/release", r#"{"worker":"anna","tokens":[],"more":1}"#, (400, "malformed")),
        ("POST", "/v1/release", r#"{"worker":"anna","tokens":[1e999]}"#, (400, "malformed")),
        ("POST", "/v1/introduce", r#"{"worker":"anna","about":[]}"#, (409, "refused")),
        ("GET", "/v1/definition", "", (400, "malformed")),
        ("GET", "/v1/definition?tournament=none", "", (409, "refused")),
        ("GET", "/v1/files?tournament=cup", "", (400, "malformed")),
        ("GET", "/v1/claim", "", (404, "unknown_call")),
        ("POST", "/v2/claim", "{}", (404, "unknown_call")),
        ("DELETE", &digest, "", (404, "unknown_call")),
        ("GET", &digest, "", (404, "no_content")),
        ("GET", "/v1/blobs/..%2F..%2Fetc", "", (404, "no_content")),
    ] {
        let (code, body) = place.call(method, path, &token, body.as_bytes());
        assert_eq!((code, code_of(&body).as_str()), expected, "{method} {path}");
    }
    let deep = format!(r#"{{"worker":"anna","about":{}1{}}}"#, "[".repeat(9999), "]".repeat(9999));
    assert_eq!(place.call("POST", "/v1/introduce", &token, deep.as_bytes()).0, 400);
    let many: Vec<String> = vec!["0".repeat(32); 1001];
    let many = serde_json::json!({ "worker": "anna", "tokens": many }).to_string();
    assert_eq!(place.call("POST", "/v1/release", &token, many.as_bytes()).0, 409);
    for nonsense in ["\r\n\r\n", "hello\r\n\r\n", "GET / HTTP/1.1\r\nx y z\r\n\r\n"] {
        let answer = place.raw(nonsense.as_bytes());
        assert!(answer.is_empty() || status(&answer) == 400, "{answer}");
    }
    assert!(place.client("ben").introduce("ben", &serde_json::json!({})).is_ok(), "it still runs");
}

#[test]
fn content_is_stored_under_the_digest_that_it_has() {
    let place = Place::new(Limits::default());
    let token = place.token("anna").reveal();
    let client = place.client("ben");
    let digest = client.put(b"content").unwrap();
    let other = format!("/v1/blobs/{}", "ab".repeat(32));
    for path in [other.as_str(), "/v1/blobs/x"] {
        let (code, body) = place.call("PUT", path, &token, b"other content");
        assert_eq!((code, code_of(&body).as_str()), (409, "refused"), "{body}");
    }
    assert_eq!(client.get(&"ab".repeat(32)).unwrap(), None);
    let path = format!("/v1/blobs/{digest}");
    assert_eq!(place.call("PUT", &path, &token, b"Content").0, 409);
    assert_eq!(client.get(&digest).unwrap().as_deref(), Some(&b"content"[..]));
    assert_eq!(place.call("PUT", &path, &token, b"content").0, 200);
    assert_eq!(place.events("refused").len(), 3);
}

#[test]
fn what_is_too_large_is_refused_before_it_is_read() {
    let limits = Limits { upload_bytes: 10_000, call_bytes: 10_000, ..Limits::default() };
    let place = Place::new(limits);
    let token = place.token("anna").reveal();
    let client = Client::connect(&place.url(), &place.token("ben"), &ClientOptions::default());
    let client = client.unwrap();
    assert!(client.put(&[7; 10_000]).is_ok());
    let error = client.put(&[8; 10_001]).unwrap_err().to_string();
    assert!(error.contains("at most 10000"), "{error}");
    let digest = format!("/v1/blobs/{}", "0".repeat(64));
    assert_eq!(place.call("PUT", &digest, &token, &[8; 10_001]).0, 413);
    for path in ["/v1/complete", "/v1/claim"] {
        let (code, body) = place.call("POST", path, &token, &[b' '; 10_001]);
        assert_eq!((code, code_of(&body).as_str()), (413, "too_large"));
    }
    // The answer comes although nothing of the body does.
    let mut stream = place.connect();
    let head = format!(
        "PUT /v1/blobs/{} HTTP/1.1\r\nhost: h\r\nauthorization: Bearer {token}\r\n\
         connection: close\r\ncontent-length: 99999999999\r\n\r\n",
        "0".repeat(64)
    );
    stream.write_all(head.as_bytes()).unwrap();
    assert_eq!(status(&rest(&mut stream)), 413);
    // Without a length it is counted.
    let chunk = format!("2000\r\n{}\r\n", "x".repeat(0x2000));
    let chunked = head.replace("content-length: 99999999999", "transfer-encoding: chunked");
    let answer = place.raw(format!("{chunked}{chunk}{chunk}0\r\n\r\n").as_bytes());
    assert_eq!(status(&answer), 413);
    let long = format!("GET /{} HTTP/1.1\r\nhost: h\r\n\r\n", "x".repeat(100_000));
    let answer = place.raw(long.as_bytes());
    assert!(answer.is_empty() || [414, 431].contains(&status(&answer)), "{answer}");
}

/// A time that no test waits for by itself.
const QUICK: Duration = Duration::from_millis(200);

#[test]
fn a_body_that_does_not_come_is_answered() {
    let place = Place::new(Limits { part: QUICK, ..Limits::default() });
    let token = place.token("anna").reveal();
    let head = format!(
        "POST /v1/release HTTP/1.1\r\nhost: h\r\nauthorization: Bearer {token}\r\n\
         content-length: 100\r\n\r\n{{"
    );
    let mut stream = place.connect();
    stream.write_all(head.as_bytes()).unwrap();
    assert_eq!(status(&rest(&mut stream)), 408);
    // So is one of which a part comes now and then, once the whole has taken too long.
    let place = Place::new(Limits { body: QUICK, ..Limits::default() });
    let token = place.token("anna").reveal();
    let mut stream = place.connect();
    let head = format!("PUT /v1/blobs/x HTTP/1.1\r\nhost: h\r\nauthorization: Bearer {token}\r\n");
    stream.write_all(format!("{head}content-length: 60000000\r\n\r\n").as_bytes()).unwrap();
    let mut drops = stream.try_clone().unwrap();
    let dripping = std::thread::spawn(move || while drops.write_all(b"x").is_ok() {});
    assert_eq!(status(&rest(&mut stream)), 408);
    drop(stream);
    dripping.join().unwrap();
}

#[test]
fn connections_that_stand_still_make_room_for_others() {
    let place = Place::new(Limits { head: QUICK, connections: 2, ..Limits::default() });
    // As many as there may be: one says nothing, one half a head.
    let mut slow = ["", "GET /healthz HT"].map(|beginning| {
        let mut stream = place.connect();
        stream.write_all(beginning.as_bytes()).unwrap();
        stream
    });
    // On a busy host the head of this one may be late as well.
    while !place
        .raw(b"GET /healthz HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n")
        .contains("200 OK")
    {}
    for stream in &mut slow {
        let answer = rest(stream);
        assert!(answer.is_empty() || status(&answer) == 408, "{answer:?}");
    }
}

#[test]
fn one_token_leaves_connections_memory_and_requests_to_others() {
    let limits =
        Limits { connections: 16, upload_bytes: 1 << 20, uploads_bytes: 0, ..Limits::default() };
    let place = Place::new(Limits { queued: QUICK, ..limits });
    let [anna, ben] = ["anna", "ben"].map(|name| place.token(name).reveal());
    let begin = |token: &str, bytes: usize| {
        let mut stream = place.connect();
        let head = format!(
            "PUT /v1/blobs/x HTTP/1.1\r\nhost: h\r\nauthorization: Bearer {token}\r\n\
             connection: close\r\ncontent-length: {bytes}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream
    };
    // More uploads that do not come than there are connections.
    let slow: Vec<_> = (0..40).map(|_| begin(&anna, 1000)).collect();
    let digest = botyard_queue::content_digest(b"content");
    let (code, body) = place.call("PUT", &format!("/v1/blobs/{digest}"), &ben, b"content");
    assert_eq!(code, 200, "{body}");
    drop(slow);
    // One of the size that is allowed takes all of the memory, which is less than that of one by its limit.
    let content = vec![7; 1 << 20];
    let digest = botyard_queue::content_digest(&content);
    loop {
        let (code, body) = place.call("PUT", &format!("/v1/blobs/{digest}"), &ben, &content);
        match code {
            200 => break,
            // What the others had is not given back yet.
            _ => assert_eq!((code, code_of(&body).as_str()), (503, "busy")),
        }
    }
}

#[test]
fn calls_that_find_no_thread_are_refused_for_the_moment() {
    let limits = Limits { calls: 0, queued: Duration::ZERO, ..Limits::default() };
    let place = Place::new(limits);
    let cup = Cup::add(&place, "cup");
    let token = place.token("anna");
    let (code, body) =
        place.call("POST", "/v1/release", &token.reveal(), br#"{"worker":"anna","tokens":[]}"#);
    assert_eq!((code, code_of(&body).as_str()), (503, "busy"));
    let patience = Duration::ZERO;
    let options = ClientOptions { patience, ..ClientOptions::default() };
    let client = Client::connect(&place.url(), &token, &options).unwrap();
    let error = client.claim(&cup.request("anna", 1)).unwrap_err().to_string();
    assert!(error.contains("is busy"), "{error}");
}
