//! Every route by every role, against a table that is kept beside the test.

use crate::client::{Class, Visitor};
use crate::games::{GAMES, HOSTILE, class_with_games};
use std::collections::BTreeMap;

const TABLE: &str = include_str!("access.txt");

const ROLES: [&str; 6] = ["stranger", "guest", "student", "assistant", "teacher", "admin"];

/// Returns the rows of the table by method and path.
fn table() -> BTreeMap<(String, String), Vec<bool>> {
    let rows = TABLE.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut words = line.split_whitespace().map(String::from);
        let (method, path) = (words.next().expect("a method"), words.next().expect("a path"));
        let cells: Vec<bool> = words.map(|cell| cell == "x").collect();
        assert_eq!(cells.len(), ROLES.len(), "{line}");
        ((method, path), cells)
    });
    rows.collect()
}

/// Returns a class in which there is something at every address, its administrator, and the parts of
/// addresses by their names.
fn furnished() -> (Class, Visitor, BTreeMap<&'static str, String>) {
    let (class, mut admin) = class_with_games();
    let rules = [("cap", "10"), ("gate", "5"), ("reference", "1"), ("places", "4")];
    let frozen = admin.post("/grades", &rules);
    let copy = frozen.header("location").rsplit('/').next().unwrap_or_default().to_string();
    let again = [("event", "ladder"), ("reason", "a test")];
    let rejudge = admin
        .post("/rejudges", &again)
        .header("location")
        .rsplit('/')
        .next()
        .unwrap_or_default()
        .to_string();
    admin.post("/announcements", &[("title", "Room"), ("text", "It is **another** one.")]);
    class.signed_in("1").post("/questions", &[("text", "Why?")]);
    // A person whom no test signs in.
    let roster = admin.get("/roster").text;
    let row = roster.split("<tr").find(|row| row.contains(">Dee<")).expect("a row");
    let person = row.split("/people/").nth(1).and_then(|rest| rest.split('/').next());
    let parts = [
        ("{person}", person.expect("a form").to_string()),
        ("{submission}", "1".into()),
        ("{team}", "1".into()),
        ("{game}", GAMES[0].into()),
        ("{copy}", copy),
        ("{rejudge}", rejudge),
        ("{points}", "1".into()),
        ("{announcement}", "1".into()),
        ("{question}", "1".into()),
        ("{mail}", "1".into()),
        ("{event}", "1".into()),
        ("{slug}", "event".into()),
        // None, because the tokens of the tests have to last.
        ("{token}", "999".into()),
    ];
    (class, admin, parts.into())
}

/// Returns the path of a route with these parts in place of the named ones.
fn address(path: &str, parts: &BTreeMap<&str, String>) -> String {
    let real = |part| match parts.get(part) {
        Some(real) => real.clone(),
        None if str::starts_with(part, "{") => panic!("{path} needs a part"),
        None => part.to_string(),
    };
    path.split('/').map(real).collect::<Vec<String>>().join("/")
}

/// Makes a token for programs.
pub fn made_token(student: &mut Visitor) -> String {
    let page = student.post("/team/tokens", &[("name", "test")]).text;
    let token = page.split_once("<code id=\"token\">").and_then(|(_, rest)| rest.split('<').next());
    token.unwrap_or_else(|| panic!("no token: {page}")).to_string()
}

fn visitor(class: &Class, role: &str) -> Visitor {
    match role {
        "stranger" => class.visitor(),
        "guest" => class.signed_in("7"),
        "student" => {
            let mut student = class.signed_in("1");
            let token = made_token(&mut student);
            student.headers = format!("Authorization: Bearer {token}\r\n");
            student
        }
        "assistant" => class.signed_in("8"),
        "teacher" => class.signed_in("9"),
        _ => class.signed_in("root@x.org"),
    }
}

/// Sends a request to a route as a browser does: a form with a file or without.
fn request(visitor: &mut Visitor, method: &str, path: &str) -> crate::client::Reply {
    match (method, path) {
        ("GET", _) => visitor.get(path),
        (_, path) if path.starts_with("/api/") => visitor.send_file(path, b""),
        (_, "/roster" | "/team/submissions") => visitor.upload(path, "x.csv", b""),
        _ => visitor.post(path, &[]),
    }
}

#[test]
fn every_route_has_a_row_and_every_role_may_what_the_row_says() {
    let (class, _, parts) = furnished();
    let mut table = table();
    for (column, role) in ROLES.iter().enumerate() {
        let mut one = visitor(&class, role);
        for (method, path, _) in botyard_site::routes() {
            let row = table.get(&(method.clone(), path.to_string()));
            let row = row.unwrap_or_else(|| panic!("{method} {path} has no row in access.txt"));
            let reply = request(&mut one, &method, &address(path, &parts));
            let shown = format!("{method} {path} as {role}: {} {}", reply.status, reply.text);
            // Who signs out is sent to the page on which strangers sign in.
            let signed_out = path == "/logout" && reply.header("set-cookie").contains("Max-Age=0");
            assert_eq!(!reply.is_denied() || signed_out, row[column], "{shown}");
            // Nothing may fail because of an empty form.
            assert!((200..500).contains(&reply.status), "{shown}");
            if *role == "admin" && method == "GET" && row[column] {
                assert!(reply.status < 400, "there is such a page: {shown}");
            }
            if path == "/logout" && row[column] {
                one = visitor(&class, role);
            }
        }
    }
    for (method, path, _) in botyard_site::routes() {
        table.remove(&(method, path.to_string()));
    }
    assert!(table.is_empty(), "rows without a route: {:?}", table.keys());
}

#[test]
fn no_form_works_without_the_token_of_its_session_or_from_another_site() {
    let (class, mut admin, parts) = furnished();
    admin.get("/account");
    let mut stranger = class.visitor();
    for (method, path, _) in botyard_site::routes().into_iter().filter(|(its, ..)| its == "POST") {
        let address = address(path, &parts);
        for token in ["", "0123", &"0".repeat(64)] {
            let reply = match path {
                "/roster" | "/team/submissions" => {
                    admin.upload_with(&address, token, "x.csv", b"x")
                }
                _ => admin.post_with(&address, token, &[]),
            };
            // Programs have a token of their own in place of a session.
            let expected = if path.starts_with("/api/") { 401 } else { 403 };
            assert_eq!(reply.status, expected, "{method} {path}: {}", reply.text);
        }
        for visitor in [&mut admin, &mut stranger] {
            let mut elsewhere = visitor.clone();
            elsewhere.origin = Some("http://127.0.0.1:1".into());
            let reply = request(&mut elsewhere, &method, &address);
            assert!(reply.is_denied(), "{method} {path}: {} {}", reply.status, reply.text);
        }
    }
    assert!(admin.get("/account").text.contains("root@x.org"), "the session continues");
}

#[test]
fn every_page_forbids_scripts_in_it_and_has_none() {
    let (class, mut admin, parts) = furnished();
    let mut anna = class.signed_in("1");
    for (method, path, _) in botyard_site::routes() {
        // Programs are answered in JSON.
        if method != "GET" || path.starts_with("/api/") {
            continue;
        }
        let address = address(path, &parts);
        let mut reply = admin.get(&address);
        if reply.status == 403 {
            reply = anna.get(&address);
        }
        assert!(reply.status < 400, "{address}: {} {}", reply.status, reply.text);
        if !reply.header("content-type").starts_with("text/html") {
            continue;
        }
        let policy = reply.header("content-security-policy");
        assert!(policy.contains("frame-ancestors 'none'"), "{path}: {policy}");
        assert_eq!(reply.header("cache-control"), "no-store");
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
        if path == "/games/{game}" {
            // A page of the viewer: its policy allows its own script and style by their hashes.
            let own = reply.text.split("http-equiv=\"Content-Security-Policy\" content=\"").nth(1);
            let own = own.and_then(|rest| rest.split('"').next()).expect("a policy");
            assert!(own.starts_with("default-src 'none'; script-src 'sha256-"), "{own}");
            assert!(!own.contains("unsafe") && !own.contains("*"), "{own}");
            continue;
        }
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"),
            "{path}: {policy}"
        );
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        for word in
            ["<script>", "<style", " style=", " onclick", "javascript:", "http://", "https://"]
        {
            assert!(!reply.text.contains(word), "{path}: {word}");
        }
    }
    // The name of a student is text.
    assert!(admin.get("/roster").text.contains("<bdi>Anna &lt;b&gt;</bdi>"));
}

/// The columns with what people, repositories and hosts write. A sign-in needs the others.
const WRITTEN: [(&str, &str); 23] = [
    ("teams", "name"),
    ("teams", "alias"),
    ("people", "name"),
    ("people", "section"),
    ("submissions", "file"),
    ("submissions", "reason"),
    ("submissions", "declared"),
    ("submissions", "commit_id"),
    ("log", "text"),
    ("games", "host"),
    ("tokens", "name"),
    ("rejudges", "reason"),
    ("audit", "what"),
    ("audit", "detail"),
    ("decisions", "reason"),
    ("deadlines", "reason"),
    ("freezes", "reason"),
    ("steps", "reason"),
    ("undone_steps", "reason"),
    ("undone_steps", "taken_reason"),
    ("course", "name"),
    ("competitions", "title"),
    ("git_hosts", "reason"),
];

#[test]
fn markup_in_what_anyone_writes_is_text_on_every_page() {
    let (class, mut admin, parts) = furnished();
    admin.post("/event/freeze", &[("reason", "a test")]);
    admin.post("/event/git", &[("hosts", "git.example.org"), ("reason", "a test")]);
    admin.post("/submissions/1/decision", &[("decision", "hold"), ("reason", "a test")]);
    made_token(&mut class.signed_in("1"));
    let class = class.with_rows(|database, _| {
        for (table, column) in WRITTEN {
            let sql = format!("UPDATE {table} SET {column} = ?1 || random()");
            database.execute(&sql, [HOSTILE]).expect("rows");
        }
        let one = serde_json::json!({ "worker": HOSTILE, "points": [1.0, 0.0], "turns": 7 });
        let game = serde_json::json!([{ "block": 1, "game": 1, "first": one, "again": one }]);
        let sql =
            "INSERT INTO rechecks(event, blocks, same, differing, at) VALUES (1, 1, 1, ?1, 0)";
        database.execute(sql, [game.to_string()]).expect("a row");
    });
    let mut shown = BTreeMap::new();
    for account in ["7", "1", "8", "9", "root@x.org"] {
        let mut visitor = class.signed_in(account);
        for (method, path, _) in botyard_site::routes() {
            if method != "GET" || path.ends_with("/events") {
                continue;
            }
            let reply = visitor.get(&address(path, &parts));
            assert!(reply.status < 500, "{path} as {account}: {}", reply.text);
            if !reply.header("content-type").starts_with("text/html") {
                continue;
            }
            for markup in ["<script>alert", "</script><script", "<img src=x"] {
                assert!(!reply.text.contains(markup), "{path} as {account}: {markup}");
            }
            if reply.text.contains("alert(7)") {
                *shown.entry(path).or_insert(0) += 1;
            }
        }
    }
    for path in
        ["/roster", "/submissions", "/standings", "/team", "/teams/{team}", "/audit", "/desk"]
    {
        assert!(shown.contains_key(path), "the text is on {path}: {shown:?}");
    }
}
