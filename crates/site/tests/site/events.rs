//! Several events in a course, what a changed file waits for, and several courses on a host.

use crate::access::made_token;
use crate::client::{Class, PASSWORD, programs};
use crate::uploads::bot;
use botyard_site::{Options, Outside, ServedClass, Server};
use botyard_testkit::http::Visitor;
use std::fs;

/// Returns the text between two others.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let rest = text.split_once(before).unwrap_or_else(|| panic!("{before}: {text}")).1;
    rest.split_once(after).unwrap_or_else(|| panic!("{after}: {text}")).0
}

/// Has a teacher make and open an event with the name `cup`.
fn open_cup(teacher: &mut Visitor) {
    let made = teacher.post("/events", &[("title", "The cup"), ("slug", "cup"), ("from", "event")]);
    assert_eq!((made.status, made.header("location")), (303, "/events/cup"), "{}", made.text);
    assert_eq!(teacher.post("/events/cup/state", &[("do", "open")]).status, 303);
}

#[test]
fn an_event_is_a_draft_until_it_is_opened_and_errors_keep_what_was_typed() {
    let (class, mut admin) = Class::joined();
    let mut anna = class.signed_in("1");
    let refused = admin.post("/events", &[("title", "The cup"), ("slug", "The Cup")]);
    assert_eq!(refused.status, 400);
    assert!(refused.text.contains("small letters") && refused.text.contains("value=\"The cup\""));
    let made = admin.post("/events", &[("title", "The cup"), ("slug", "cup"), ("from", "event")]);
    assert_eq!(made.header("location"), "/events/cup");
    assert!(admin.get("/events").text.contains("The cup"));
    assert!(!anna.get("/events").text.contains("The cup"), "drafts are the teachers'");
    assert_eq!(anna.get("/e/cup/standings").status, 404);

    let text =
        fs::read_to_string(class.place.path().join("class/events/cup.toml")).expect("a file");
    let wrong = text.replace("move_ms = 1000", "move_ms = \"soon\"");
    let reply = admin.post("/events/cup/file", &[("text", &wrong)]);
    let line = 1 + text.lines().position(|line| line == "move_ms = 1000").expect("a line");
    assert_eq!(reply.status, 400);
    assert!(reply.text.contains(&format!("line {line}")), "{}", reply.text);
    assert!(reply.text.contains("&quot;soon&quot;"), "what was typed stays");
    let settings = [
        ("game", "connect-four"),
        ("time.move_ms", "500"),
        ("gate.blocks", "5"),
        ("gate.score", "0.5"),
    ];
    let reply = admin.post("/events/cup/settings", &settings);
    assert_eq!(reply.status, 303, "{}", reply.text);
    let saved =
        fs::read_to_string(class.place.path().join("class/events/cup.toml")).expect("a file");
    assert_eq!(saved, text.replace("1000", "500"), "all else stays as it is");
    assert!(admin.get("/audit").text.contains("time.move_ms 1000 became 500"));

    assert_eq!(admin.post("/events/cup/state", &[("do", "open")]).status, 303);
    let page = anna.get("/e/cup/event");
    assert!(page.status == 200 && page.text.contains("href=\"/e/cup/standings\""), "{}", page.text);
    assert!(page.text.contains("href=\"/assets/site.css\""));
    assert!(anna.get("/event").text.contains("href=\"/e/cup/event\""), "the navigation has both");
}

#[test]
fn each_event_has_its_own_versions_and_deadline() {
    let (class, mut admin) = Class::joined();
    open_cup(&mut admin);
    let mut anna = class.signed_in("1");
    let taken = anna.upload("/e/cup/team/submissions", "bot.zip", &bot("1"));
    assert_eq!(taken.status, 303, "{}", taken.text);
    assert!(taken.header("location").starts_with("/e/cup/submissions/"));
    assert!(anna.get("/e/cup/team").text.contains("version 1"));
    assert!(!anna.get("/team").text.contains("version 1"));

    let past = [("until", "2020-01-01T00:00"), ("reason", "a test")];
    assert_eq!(admin.post("/e/cup/deadline", &past).status, 303);
    let late = anna.upload("/e/cup/team/submissions", "bot.zip", &bot("2"));
    assert!(late.text.contains("submissions ended"), "{}", late.text);
    assert_eq!(anna.upload("/team/submissions", "bot.zip", &bot("2")).status, 303);

    // A program names the event if several are open.
    let token = made_token(&mut anna);
    let mut program = class.visitor();
    program.headers = format!("Authorization: Bearer {token}\r\n");
    let refused = program.send_file("/api/submissions?name=bot.zip", &bot("3"));
    assert!(refused.text.contains("--event SLUG: event, cup"), "{}", refused.text);
    let taken = program.send_file("/api/submissions?name=bot.zip&event=event", &bot("3"));
    assert_eq!(taken.status, 201, "{}", taken.text);

    assert_eq!(admin.post("/events/cup/state", &[("do", "close")]).status, 303);
    assert!(
        anna.upload("/e/cup/team/submissions", "bot.zip", &bot("4")).text.contains("is closed")
    );
    assert_eq!(anna.get("/e/cup/standings").status, 200, "it is shown");
    // The events are there after a restart.
    let class = class.restarted(false);
    assert_eq!(class.signed_in("1").get("/e/cup/standings").status, 200);
}

#[test]
fn a_changed_file_ends_no_event_with_games_until_a_teacher_says_so() {
    let (class, _) = Class::joined();
    let path = class.place.path().join("class/event.toml");
    let text = fs::read_to_string(&path).expect("a file");
    let class = class.with_rows(|database, _| {
        let game = "{\"block\":1,\"seats\":[1,2],\"verdict\":{\"scored\":{\"points\":[1,0],\"places\":[1,2]}},\
                    \"turns\":7,\"uses\":[],\"faults\":[]}";
        database
            .execute_batch(&format!(
                "INSERT OR IGNORE INTO entrants(id, event, reference)
                 VALUES (1, 1, 'reference random'), (2, 1, 'reference greedy');
                 INSERT INTO blocks(event, number, line_up, entrant, reason, state, at)
                 VALUES (1, 1001, '[1, 2]', 1, '', 'played', 0);
                 INSERT INTO games(event, block, rotation, id, attempts, game, at)
                 VALUES (1, 1001, 0, 'one', 1, '{game}', 0);"
            ))
            .expect("a game");
        fs::write(&path, text.replace("1000", "500")).expect("it is ours");
    });
    let questions = class.server.questions().expect("the file can be read");
    assert!(questions[0].contains("time.move_ms 1000 became 500"), "{questions:?}");
    let (mut tea, mut anna) = (class.signed_in("9"), class.signed_in("1"));
    let page = tea.get("/event").text;
    assert!(page.contains("time.move_ms 1000 became 500") && page.contains("1 game"), "{page}");
    assert!(tea.get("/desk").text.contains("time.move_ms 1000 became 500"));
    assert!(!anna.get("/event").text.contains("became 500"), "it is the staff's");
    assert!(anna.get("/event.toml").text.contains("move_ms = 1000"));

    let file = between(&page, "name=\"file\" value=\"", "\"").to_string();
    let changed = tea.post("/event/take-up", &[("file", "other"), ("reason", "faster")]);
    assert!(changed.text.contains("has changed since"), "{}", changed.text);
    let begun = tea.post("/event/take-up", &[("file", &file), ("reason", "faster")]);
    assert_eq!(begun.status, 303, "{}", begun.text);
    assert!(anna.get("/event.toml").text.contains("move_ms = 500"));
    let page = tea.get("/event").text;
    assert!(page.contains("/event/past/1") && !page.contains("became 500"), "{page}");
    let past = anna.get("/event/past/1");
    assert!(past.status == 200 && past.text.contains("reference random"), "{}", past.text);
    assert!(tea.get("/audit").text.contains("event 1 ended with 1 game: faster"));

    // The file as it was resumes the first event: nothing was played in the second.
    fs::write(&path, format!("# As before.\n{text}")).expect("it is ours");
    let page = tea.get("/event").text;
    assert!(page.contains("Event 1 has these settings"), "{page}");
    let class = class.restarted(false);
    let page = class.signed_in("9").get("/event").text;
    assert!(page.contains("/event/past/2") && !page.contains("has these settings"), "{page}");

    // What changes no games is applied without another event.
    fs::write(&path, format!("{text}\n[run]\nconcurrency = 1\n")).expect("it is ours");
    let mut tea = class.signed_in("9");
    let page = tea.get("/event").text;
    assert!(page.contains("has settings that are not in force"), "{page}");
    let file = between(&page, "name=\"file\" value=\"", "\"").to_string();
    let applied = tea.post("/event/take-up", &[("file", &file), ("reason", "no games change")]);
    assert_eq!(applied.status, 303, "{}", applied.text);
    let page = tea.get("/event").text;
    assert!(!page.contains("not in force") && !page.contains("/event/past/1"), "{page}");
    assert!(tea.get("/event.toml").text.contains("concurrency = 1"));
    assert!(tea.get("/audit").text.contains("adopted settings without a new event"));
}

#[test]
fn courses_on_a_host_have_paths_names_and_cookies_of_their_own() {
    let place = tempfile::tempdir().expect("a directory");
    let class = |name: &str| ServedClass {
        name: Some(name.to_string()),
        directory: place.path().join(name),
    };
    for name in ["ai", "games"] {
        fs::create_dir(place.path().join(name)).expect("it is ours");
        let event = include_str!("../../assets/event.toml");
        let event = format!("name = \"Course {name}\"\n{event}\n[sandbox]\nmode = \"none\"\n");
        fs::write(place.path().join(name).join("event.toml"), event).expect("it is ours");
    }
    let server = Server::start(Options {
        classes: vec![class("ai"), class("games")],
        listen: ([127, 0, 0, 1], 0).into(),
        proxy: None,
        programs: programs(),
        admin_link: false,
        demo: false,
        new_event: false,
        outside: Some(Outside {
            store: None,
            listen: Some(([127, 0, 0, 1], 0).into()),
            recheck: 0.0,
            log: |_| {},
        }),
    });
    let server = server.expect("a server");
    assert!(server.workers_address().is_some());
    let has_queue = |name: &str| place.path().join(name).join("workers.db").is_file();
    assert!(has_queue("ai") && !has_queue("games"), "all share the workers of the first");
    let list = Visitor::new(&server.address()).get("/");
    assert!(
        list.text.contains("href=\"/ai/\"") && list.text.contains("Course games"),
        "{}",
        list.text
    );
    let links = server.admin_links();
    assert_eq!(links.len(), 2);
    let mut cookies = Vec::new();
    for (name, link) in ["ai", "games"].into_iter().zip(&links) {
        let mut admin = Visitor::new(&server.address());
        let token = link.split_once("link=").expect("a link").1.to_string();
        assert!(link.contains(&format!("/{name}/enter?")), "{link}");
        let fields = [("link", token.as_str()), ("email", "root@x.org"), ("password", PASSWORD)];
        let entered = admin.post(&format!("/{name}/enter"), &fields);
        assert_eq!(entered.header("location"), format!("/{name}/"), "{}", entered.text);
        let cookie = entered.header("set-cookie").to_string();
        assert!(cookie.contains(&format!("; Path=/{name}/;")), "{cookie}");
        cookies.push(cookie.split('=').next().unwrap_or_default().to_string());
        let home = admin.get(&format!("/{name}/"));
        assert!(home.text.contains(&format!("href=\"/{name}/standings\"")), "{}", home.text);
        assert!(home.text.contains(&format!("Course {name}")));
        assert_eq!(admin.get(&format!("/{name}/assets/site.css")).status, 200);
        assert_eq!(admin.get("/standings").status, 404);
        let renamed = admin.post(&format!("/{name}/course"), &[("name", &format!("New {name}"))]);
        assert_eq!(renamed.status, 303);
        assert!(admin.get(&format!("/{name}/account")).text.contains(&format!("New {name}")));
    }
    assert_ne!(cookies[0], cookies[1]);
}
