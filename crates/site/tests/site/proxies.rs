//! A site behind a proxy: who is believed, and what follows for cookies and for signing in.

use crate::client::{Class, PASSWORD, codes};
use botyard_site::Proxy;
use rusqlite::{Connection, params};
use std::time::Duration;

fn proxy(address: &str) -> Proxy {
    Proxy {
        addresses: vec![address.parse().expect("an address")],
        account_header: Some("x-remote-user".into()),
    }
}

#[test]
fn a_proxy_signs_people_in_and_cookies_are_for_tls_alone() {
    let (class, _) = Class::joined();
    let class = class.behind(proxy("127.0.0.1"));
    let mut anna = class.visitor();
    anna.headers = "X-Remote-User: anna@x.org\r\nX-Forwarded-Proto: https\r\n".into();
    let reply = anna.get("/login");
    assert_eq!((reply.status, reply.header("location")), (303, "/"), "{}", reply.text);
    let cookie = reply.header("set-cookie");
    assert!(
        cookie.contains("; HttpOnly; SameSite=Lax;") && cookie.ends_with("; Secure"),
        "{cookie}"
    );
    assert!(anna.get("/").text.contains("Anna"));
    let mut eve = class.visitor();
    eve.headers = "X-Remote-User: eve@x.org\r\n".into();
    let reply = eve.get("/login");
    assert!(reply.status == 403 && reply.text.contains("not in this class"), "{}", reply.text);
    // Without the header there is the form.
    assert!(class.visitor().get("/login").text.contains("current-password"));
}

#[test]
fn what_one_address_tries_keeps_no_other_out() {
    let (class, mut admin) = Class::joined();
    // A new code for Ben.
    let roster = admin.get("/roster").text;
    let row = roster.split("<tr").find(|row| row.contains(">Ben<")).expect("a row");
    let number =
        row.split("/people/").nth(1).and_then(|rest| rest.split('/').next()).expect("a form");
    assert_eq!(admin.post(&format!("/people/{number}/code"), &[]).status, 200);
    let code = codes(&admin.get("/roster/codes").text).pop().expect("a code");
    let class = class.behind(proxy("127.0.0.1"));
    let from = |address: &str| {
        let mut visitor = class.visitor();
        visitor.headers = format!("X-Forwarded-For: {address}\r\n");
        visitor
    };
    let (mut eve, mut anna) = (from("10.0.0.6"), from("10.0.0.7"));

    let wrong = [("account", "1"), ("password", "wrong password")];
    let right = [("account", "1"), ("password", PASSWORD)];
    let statuses: Vec<u16> = (0..11).map(|_| eve.post("/login", &wrong).status).collect();
    assert!(statuses[..10].iter().all(|status| *status == 400) && statuses[10] == 429);
    assert_eq!(eve.post("/login", &right).status, 429);
    // Nor by an account whose name looks like a limit of another address.
    for account in ["from 10.0.0.7", "from 10.0.0.7: 1", "1 from 10.0.0.7"] {
        for _ in 0..10 {
            from("10.0.0.5").post("/login", &[("account", account), ("password", "wrong one")]);
        }
    }
    assert_eq!(anna.post("/login", &right).status, 303);

    let guess = [("code", "AAAA-AAAA-AAAA"), ("password", PASSWORD)];
    for _ in 0..200 {
        assert_eq!(eve.post("/join", &guess).status, 400);
    }
    assert_eq!(eve.post("/join", &guess).status, 429);
    let link = [("link", "wrong"), ("email", "eve@x.org"), ("password", PASSWORD)];
    assert_eq!(eve.post("/enter", &link).status, 429);
    assert_eq!(from("10.0.0.8").post("/enter", &link).status, 400);
    // A right code is accepted from there too: a class may share the address.
    let own = [("code", code.as_str()), ("password", PASSWORD)];
    assert_eq!(from("10.0.0.6").post("/join", &own).status, 303);
}

#[test]
fn a_thousand_wrong_passwords_from_the_address_of_a_class_lock_out_no_one_else() {
    let (class, _) = Class::joined();
    let class = class.behind(proxy("127.0.0.1"));
    let at_school = || {
        let mut visitor = class.visitor();
        visitor.headers = "X-Forwarded-For: 10.0.0.6\r\n".into();
        visitor
    };
    let right = |account: &'static str| [("account", account), ("password", PASSWORD)];
    // Anna has signed in there before.
    let head = at_school().post("/login", &right("1")).head;
    let cookies = head.lines().filter_map(|line| line.split_once(": ")?.1.split(';').next());
    let mark = cookies.into_iter().find(|cookie| cookie.starts_with("browser_")).expect("a mark");
    // A thousand for all accounts, of which ten for hers, as they are counted.
    let database = Connection::open(class.place.path().join("class/site.db")).expect("a database");
    database.busy_timeout(Duration::from_secs(60)).expect("a database");
    let count = |what: &str, times: u32| {
        let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2) \
                   INSERT INTO attempts(what, at) SELECT ?1, unixepoch() FROM n";
        database.execute(sql, params![what, times]).expect("rows");
    };
    count("sign-in from 10.0.0.6", 1000);
    count("account from 10.0.0.6: 1", 10);
    assert_eq!(at_school().post("/login", &right("1")).status, 429, "her account is guessed at");
    let mut anna = at_school();
    anna.headers.push_str(&format!("Cookie: {mark}\r\n"));
    assert_eq!(anna.post("/login", &right("1")).status, 303);
    // The mark is hers alone.
    let mut eve = at_school();
    eve.headers.clone_from(&anna.headers);
    let wrong = [("account", "2"), ("password", "wrong password")];
    let statuses: Vec<u16> = (0..4).map(|_| eve.post("/login", &wrong).status).collect();
    assert_eq!(statuses, [400, 400, 400, 429], "fewer are allowed to each account");
    assert_eq!(at_school().post("/login", &right("3")).status, 303);
    assert_eq!(at_school().post("/login", &right("asa@x.org")).status, 303);
}

#[test]
fn a_session_that_a_proxy_began_lasts_while_it_names_the_person() {
    let (class, _) = Class::joined();
    let class = class.behind(proxy("127.0.0.1"));
    let named = |account: &str| format!("X-Remote-User: {account}\r\n");
    let signed_in = || {
        let mut anna = class.visitor();
        anna.headers = named("anna@x.org");
        assert_eq!(anna.get("/login").status, 303);
        assert!(anna.get("/account").text.contains("anna@x.org"));
        anna
    };
    // Her student ID names her too.
    let mut anna = signed_in();
    anna.headers = named("1");
    assert_eq!(anna.get("/account").status, 200);
    // Another person at the same browser is that person.
    anna.headers = named("2");
    assert_eq!(anna.get("/account").header("location"), "/login");
    let mut before = anna.clone();
    assert_eq!(anna.get("/login").header("location"), "/");
    assert!(anna.get("/account").text.contains("ben@x.org"));
    before.headers = named("1");
    assert_eq!(before.get("/account").header("location"), "/login", "the session has ended");
    // Without a name, or with one that no one has, the session ends.
    for headers in ["", "X-Remote-User: eve@x.org\r\n"] {
        let mut anna = signed_in();
        anna.headers = headers.into();
        assert_eq!(anna.get("/nowhere").status, 404);
        anna.headers = named("1");
        assert_eq!(anna.get("/account").header("location"), "/login", "{headers:?}");
    }
    // A session with a password is the person's own; the header does not matter.
    let mut tea = class.signed_in("9");
    for headers in [named("1"), String::new()] {
        tea.headers = headers;
        assert!(tea.get("/account").text.contains("tea@x.org"));
    }
}

#[test]
fn nobody_else_is_believed() {
    let (class, _) = Class::joined();
    let class = class.behind(proxy("192.0.2.1"));
    let mut eve = class.visitor();
    eve.headers = "X-Remote-User: anna@x.org\r\nX-Forwarded-Proto: https\r\n".into();
    let reply = eve.get("/login");
    assert!(reply.status == 200 && reply.text.contains("current-password"), "{}", reply.text);
    let fields = [("account", "1"), ("password", PASSWORD)];
    let signed_in = eve.post("/login", &fields);
    assert!(!signed_in.header("set-cookie").contains("Secure"));
}
