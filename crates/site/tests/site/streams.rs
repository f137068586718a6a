//! Pages that follow something: no one takes the connections of others, and who may not see it any more receives
//! nothing more.

use crate::client::{Class, PASSWORD, Visitor};
use rusqlite::Connection;
use std::io::{BufReader, ErrorKind, Read};
use std::net::TcpStream;
use std::time::Duration;

const STANDINGS: &str = "/standings/events";

type Stream = BufReader<TcpStream>;

/// Reads a stream until the server ends it.
fn ends(stream: &mut Stream) {
    let mut text = Vec::new();
    match stream.read_to_end(&mut text) {
        Err(error) if error.kind() != ErrorKind::ConnectionReset => panic!("it lasts: {error}"),
        _ => {}
    }
}

/// Returns whether a stream lasts, after what it has sent.
fn lasts(stream: &mut Stream) -> bool {
    stream.get_ref().set_nonblocking(true).expect("a connection");
    let mut text = Vec::new();
    let lasts = stream.read_to_end(&mut text).is_err_and(|it| it.kind() == ErrorKind::WouldBlock);
    stream.get_ref().set_nonblocking(false).expect("a connection");
    lasts
}

#[test]
fn however_many_streams_a_person_opens_others_get_their_pages() {
    let (class, _) = Class::joined();
    let anna = class.signed_in("1");
    let mut ben = class.signed_in("2");
    // As many as the server has connections.
    let mut streams: Vec<Stream> = (0..256).map(|_| anna.follow(STANDINGS)).collect();
    assert_eq!(ben.get("/standings").status, 200);
    assert_eq!(class.visitor().get("/login").status, 200);
    let last = streams.split_off(250);
    streams.iter_mut().for_each(ends);
    let mut last = last;
    assert!(last.iter_mut().all(lasts), "a session has six");
    // Another session of hers has six more, and no third one.
    let again = class.signed_in("1");
    let mut others: Vec<Stream> = (0..6).map(|_| again.follow(STANDINGS)).collect();
    assert!(last.iter_mut().all(lasts));
    let third = class.signed_in("1");
    let mut more = third.follow(STANDINGS);
    ends(&mut last[0]);
    assert!(last[1..].iter_mut().all(lasts) && others.iter_mut().all(lasts) && lasts(&mut more));
    assert!(lasts(&mut ben.follow(STANDINGS)));
}

#[test]
fn what_a_person_follows_ends_when_the_session_does_or_the_role_changes() {
    let (class, mut admin) = Class::joined();
    let follow = |visitor: &Visitor| visitor.follow(STANDINGS);
    let (mut anna, mut ben, cy) =
        (class.signed_in("1"), class.signed_in("2"), class.signed_in("3"));
    let (mut of_anna, mut of_ben, mut of_cy) = (follow(&anna), follow(&ben), follow(&cy));
    assert_eq!(anna.post("/logout", &[]).status, 303);
    ends(&mut of_anna);
    assert!(lasts(&mut of_ben) && lasts(&mut of_cy));

    // A new password ends the other sessions of the person.
    let other = class.signed_in("2");
    let mut of_other = follow(&other);
    let fields = [("current", PASSWORD), ("password", "another password")];
    assert_eq!(ben.post("/account/password", &fields).status, 303);
    ends(&mut of_ben);
    ends(&mut of_other);

    // Who has a new code is locked out until it is used.
    let roster = admin.get("/roster").text;
    let row = roster.split("<tr").find(|row| row.contains(">Cy<")).expect("a row");
    let number = row.split("/people/").nth(1).and_then(|rest| rest.split('/').next());
    let path = format!("/people/{}/code", number.expect("a form"));
    assert_eq!(admin.post(&path, &[]).status, 200);
    ends(&mut of_cy);

    let ben = {
        let mut visitor = class.visitor();
        let fields = [("account", "2"), ("password", "another password")];
        assert_eq!(visitor.post("/login", &fields).status, 303);
        visitor
    };
    let mut of_ben = follow(&ben);
    let moved = "student_id,name,email,group,team,role\n2,Ben,ben@x.org,a,blue,\n";
    assert_eq!(admin.import_roster(moved).status, 200);
    ends(&mut of_ben);
}

#[test]
fn what_a_person_follows_ends_with_the_week_of_the_session() {
    let (class, _) = Class::joined();
    let anna = class.signed_in("1");
    let database = Connection::open(class.place.path().join("class/site.db")).expect("a database");
    database.busy_timeout(Duration::from_secs(60)).expect("a database");
    // On a busy host the session may end before the stream begins.
    let mut left = 2;
    let mut stream = loop {
        let sql = "UPDATE sessions SET created_at = unixepoch() - 7 * 24 * 3600 + ?1, seen_at = unixepoch()";
        database.execute(sql, [left]).expect("a row");
        match anna.follow_as(STANDINGS, "") {
            Ok(stream) => break stream,
            Err(_) => left *= 2,
        }
        assert!(left < 1000, "it does not begin");
    };
    ends(&mut stream);
}
