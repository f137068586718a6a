//! Tokens: who is let in, and who is not.

use crate::setup::{Cup, LONG, Place, options, status};
use botyard_coordinator::{Client, ClientError, Limits, Token};
use botyard_league::store::StoreError;
use botyard_queue::Work;
use serde_json::json;

fn message<T: std::fmt::Debug>(result: Result<T, StoreError>) -> String {
    match result {
        Err(StoreError::Refused(message)) => message,
        other => panic!("it was not refused: {other:?}"),
    }
}

/// The same for a result, which a worker keeps.
fn kept<T: std::fmt::Debug>(result: Result<T, StoreError>) -> String {
    match result {
        Err(StoreError::Host(message)) => message,
        other => panic!("it is not kept: {other:?}"),
    }
}

#[test]
fn a_wrong_token_is_refused_for_every_call_and_logged() {
    let place = Place::new(Limits { failures: 1000, ..Limits::default() });
    let cup = Cup::add(&place, "cup");
    place.token("anna");
    // The right name with another secret.
    let forged = Token::draw("anna").unwrap();
    let client = Client::connect(&place.url(), &forged, &options()).unwrap();
    let digest = "00".repeat(32);
    for refused in [
        message(client.check_token()),
        message(client.introduce("anna", &json!({}))),
        message(client.claim(&cup.request("anna", 1))),
        message(client.heartbeat("anna", &[], LONG)),
        message(client.release("anna", &[])),
        kept(client.complete("anna", "0123", &[], &[])),
        message(client.definition("cup")),
        message(client.files("cup", "")),
        kept(client.put(b"content")),
        message(client.get(&digest)),
    ] {
        assert!(refused.contains("does not accept the token"), "{refused}");
    }
    let events = place.events("unauthorized");
    assert_eq!(events.len(), 10);
    assert!(events.iter().all(|event| event.fields["peer"] == "127.0.0.1"));
    assert!(!format!("{events:?}").contains(&forged.reveal()), "no secret in the log");
    for token in ["", "anna", "anna.0", "Basic"] {
        assert_eq!(place.call("POST", "/v1/claim", token, b"{}").0, 401, "{token:?}");
    }
    let without = place.raw(b"POST /v1/claim HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n");
    assert_eq!(status(&without), 401);
    assert!(without.to_lowercase().contains("www-authenticate: bearer"), "{without}");
    let claimed = place.client("ben").claim(&cup.request("ben", 9)).unwrap();
    assert_eq!(claimed.len(), 6, "nothing was leased before");
}

#[test]
fn a_revoked_token_is_refused_from_the_next_call_on() {
    let place = Place::new(Limits::default());
    let cup = Cup::add(&place, "cup");
    let client = place.client("anna");
    client.check_token().unwrap();
    client.claim(&cup.request("anna", 1)).unwrap();
    place.tokens.revoke("anna").unwrap();
    message(client.claim(&cup.request("anna", 1)));
    let again = place.client("anna");
    assert_eq!(again.claim(&cup.request("anna", 1)).unwrap().len(), 1);
}

#[test]
fn a_token_is_for_the_workers_of_its_name_alone() {
    let place = Place::new(Limits::default());
    let cup = Cup::add(&place, "cup");
    let client = place.client("lab");
    for worker in ["lab", "lab/1", "lab/host 2/core 3"] {
        client.introduce(worker, &json!({ "cores": 2 })).unwrap();
        assert_eq!(client.claim(&cup.request(worker, 1)).unwrap().len(), 1);
    }
    for worker in ["anna", "lab2", ""] {
        for refused in [
            message(client.introduce(worker, &json!({}))),
            message(client.claim(&cup.request(worker, 1))),
            message(client.heartbeat(worker, &[], LONG)),
            message(client.release(worker, &[])),
            message(client.complete(worker, "0123", &[], &[])),
        ] {
            assert!(refused.contains(r#"for workers called "lab" or "lab/...""#), "{refused}");
        }
    }
    let status = place.queue.status("cup").unwrap();
    let workers: Vec<&str> = status.workers.iter().map(|worker| worker.name.as_str()).collect();
    assert_eq!(workers, ["lab", "lab/1", "lab/host 2/core 3"]);
}

#[test]
fn failures_are_limited_and_valid_tokens_are_not() {
    let place = Place::new(Limits { failures: 3, ..Limits::default() });
    let cup = Cup::add(&place, "cup");
    let client = place.client("anna");
    let codes: Vec<u16> =
        (0..6).map(|_| place.call("POST", "/v1/claim", "anna.wrong", b"{}").0).collect();
    assert_eq!(codes, [401, 401, 401, 429, 429, 429]);
    assert_eq!(place.events("unauthorized").len(), 3);
    assert_eq!(place.events("too_many_failures").len(), 1, "one line, however many follow");
    assert_eq!(client.claim(&cup.request("anna", 1)).unwrap().len(), 1);
}

#[test]
fn what_answers_at_an_address_is_checked() {
    let place = Place::new(Limits::default());
    let token = place.token("anna");
    let connect = |url: &str| Client::connect(url, &token, &options());
    let error = connect(&format!("{}/other", place.url())).unwrap_err();
    assert!(matches!(error, ClientError::Other { .. }), "{error}");
    let error = connect("lab:80").unwrap_err().to_string();
    assert!(error.contains("expected http://HOST:PORT or https://HOST"), "{error}");
    let quick =
        botyard_coordinator::ClientOptions { patience: std::time::Duration::ZERO, ..options() };
    let error = Client::connect("http://127.0.0.1:1", &token, &quick).unwrap_err().to_string();
    assert!(error.contains("http://127.0.0.1:1 cannot be reached"), "{error}");
    // The coordinator itself has no TLS.
    let secure = place.url().replace("http", "https");
    let error = Client::connect(&secure, &token, &quick).unwrap_err().to_string();
    assert!(error.contains("cannot be"), "{error}");
    for (file, expected) in [("/nowhere/ca.pem", "No such file"), ("/dev/null", "no certificate")] {
        let with = botyard_coordinator::ClientOptions { ca_file: Some(file.into()), ..options() };
        let error = Client::connect(&secure, &token, &with).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn health_and_metrics_need_no_token() {
    let place = Place::new(Limits::default());
    Cup::add(&place, "cup");
    place.client("anna").introduce("anna", &json!({})).unwrap();
    let (code, health) = place.call("GET", "/healthz", "", b"");
    let health: serde_json::Value = serde_json::from_str(&health).unwrap();
    assert_eq!((code, &health["service"]), (200, &"botyard-coordinator".into()));
    let (code, metrics) = place.call("GET", "/metrics", "", b"");
    assert_eq!(code, 200);
    let line = r#"botyard_coordinator_calls_total{call="introduce",code="ok"} 1"#;
    assert!(metrics.lines().any(|found| found == line), "{metrics}");
    assert!(metrics.contains("botyard_coordinator_store_up 1\n"), "{metrics}");
    assert!(metrics.contains("tournament=\"cup\""), "the state of the queue: {metrics}");
}
