//! How people come in: the administrator's link, codes, passwords, sessions and limits.

use crate::client::{Class, PASSWORD, ROSTER, codes};
use std::thread;

#[test]
fn the_link_of_the_administrator_works_once_and_a_new_one_can_be_made() {
    let class = Class::new();
    let link = class.server.admin_link().expect("a link");
    let token = link.split_once("link=").expect("a link").1.to_string();
    let mut admin = class.admin();
    assert!(admin.get("/").text.contains("Import the roster"));
    let again = [("link", token.as_str()), ("email", "eve@x.org"), ("password", PASSWORD)];
    let refused = class.visitor().post("/enter", &again);
    assert_eq!(refused.status, 400);
    assert!(refused.text.contains("This link was used"), "{}", refused.text);

    let class = class.restarted(false);
    assert_eq!(class.server.admin_link(), None, "the administrator has a password");
    class.signed_in("ROOT@x.org");
    let class = class.restarted(true);
    class.admin();
}

#[test]
fn people_join_with_their_codes_and_choose_their_passwords() {
    let class = Class::new();
    let mut admin = class.admin();
    admin.import_roster(ROSTER);
    let page = admin.get("/roster/codes").text;
    let all = codes(&page);
    assert_eq!(all.len(), 6, "{page}");
    let mut person = class.visitor();
    let short = person.post("/join", &[("code", &all[0]), ("password", "short")]);
    assert!(short.status == 400 && short.text.contains("this one has 5"), "{}", short.text);
    let typed = all[0].to_lowercase().replace('-', "");
    let joined = person.post("/join", &[("code", &typed), ("password", PASSWORD)]);
    assert_eq!((joined.status, joined.header("location")), (303, "/"));
    let cookie = joined.header("set-cookie");
    assert!(cookie.contains("; HttpOnly; SameSite=Lax; Max-Age="), "{cookie}");
    let again = class.visitor().post("/join", &[("code", &all[0]), ("password", PASSWORD)]);
    assert!(again.status == 400 && again.text.contains("No such code is open"), "{}", again.text);
    assert_eq!(codes(&admin.get("/roster/codes").text).len(), 5);

    // A new code takes the password and the sessions away.
    assert_eq!(person.get("/").status, 200);
    let roster = admin.get("/roster").text;
    let forms = roster.split("action=\"/people/").skip(1);
    let numbers: Vec<&str> = forms.filter_map(|rest| rest.split('/').next()).collect();
    for number in numbers {
        assert_eq!(admin.post(&format!("/people/{number}/code"), &[]).status, 200);
    }
    assert_eq!(person.get("/").header("location"), "/login");
    assert_eq!(codes(&admin.get("/roster/codes").text).len(), 6);
}

#[test]
fn a_session_ends_when_its_person_signs_out_or_changes_the_password() {
    let (class, _) = Class::joined();
    let (mut one, mut other) = (class.signed_in("1"), class.signed_in("anna@x.org"));
    let before = one.clone();
    one.post("/logout", &[]);
    assert_eq!(before.clone().get("/").header("location"), "/login", "the token is worth nothing");
    assert_eq!(other.get("/").status, 200);
    let wrong =
        other.post("/account/password", &[("current", "x"), ("password", "another password")]);
    assert_eq!(wrong.status, 400);
    let mut third = class.signed_in("1");
    let fields = [("current", PASSWORD), ("password", "another password")];
    assert_eq!(other.post("/account/password", &fields).status, 303);
    assert_eq!(other.get("/").status, 200);
    assert_eq!(third.get("/").header("location"), "/login");
}

#[test]
fn after_ten_wrong_passwords_the_right_one_has_to_wait() {
    let (class, _) = Class::joined();
    let mut visitor = class.visitor();
    for _ in 0..10 {
        let reply = visitor.post("/login", &[("account", "2"), ("password", "wrong password")]);
        assert_eq!(reply.status, 400);
    }
    let reply = visitor.post("/login", &[("account", "2"), ("password", PASSWORD)]);
    assert_eq!(reply.status, 429);
    assert!(reply.text.contains("Try again in"), "{}", reply.text);
    class.signed_in("1");
}

#[test]
fn attempts_that_are_made_at_once_are_limited_as_others_are() {
    let (class, _) = Class::joined();
    let attempts: Vec<_> = (0..40)
        .map(|_| {
            let mut visitor = class.visitor();
            let fields = [("account", "2"), ("password", "wrong password")];
            thread::spawn(move || visitor.post("/login", &fields).status)
        })
        .collect();
    let statuses: Vec<u16> =
        attempts.into_iter().map(|attempt| attempt.join().expect("a reply")).collect();
    let of = |status: u16| statuses.iter().filter(|its| **its == status).count();
    assert_eq!((of(400), of(429)), (10, 30), "{statuses:?}");
}

#[test]
fn a_teacher_cannot_take_over_an_account_of_the_staff() {
    let (class, mut admin) = Class::joined();
    let mut teacher = class.signed_in("9");
    let roster = admin.get("/roster").text;
    let row = roster.split("<tr").find(|row| row.contains(">Tea<")).expect("a row").to_string();
    let number =
        row.split("/people/").nth(1).and_then(|rest| rest.split('/').next()).expect("a form");
    let reply = teacher.post(&format!("/people/{number}/code"), &[]);
    assert_eq!(reply.status, 403, "{}", reply.text);
    assert!(!teacher.get("/roster").text.contains(&format!("/people/{number}/code")));
}

#[test]
fn a_roster_with_errors_changes_nothing() {
    let (class, mut admin) = Class::joined();
    let wrong = "student_id,name,email,group,team\n21,New,,,\n22,,,,\n";
    let reply = admin.upload("/roster", "roster.csv", wrong.as_bytes());
    assert!(
        reply.status == 400 && reply.text.contains("row 3, column &quot;name&quot;: it is empty"),
        "{}",
        reply.text
    );
    assert!(!admin.get("/roster").text.contains(">New<"));
    let large = vec![b'x'; 5 << 20];
    let reply = admin.upload("/roster", "roster.csv", &large);
    assert_eq!(reply.status, 413, "{}", reply.text);
    drop(class);
}
