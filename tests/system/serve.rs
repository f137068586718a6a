//! The site of a class, as one process with real bots: who joins, what becomes of submissions, and what
//! a killed process loses.

use crate::command::Desk;
use botyard_testkit::http::Visitor;
use std::io::{BufRead, BufReader, Cursor, Write};
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The limit of any wait, longer than the busiest machine takes.
const PATIENCE: Duration = Duration::from_secs(900);

const PASSWORD: &str = "correct horse battery";

/// The conditions: fast, with all the time that a busy machine may need.
pub const EVENT: &str = "game = \"connect-four\"\n[time]\nmove_ms = 30000\n[gate]\nagainst = [\"random\"]\n\
                     [[bot]]\nname = \"reference one\"\ncommand = \"random:seed=1\"\n\
                     [[bot]]\nname = \"reference two\"\ncommand = \"random:seed=2\"\n";

const ROSTER: &str = "student_id,name,email,group,team,role\n1,Anna,,a,red,\n2,Ben,,a,blue,\n\
                      3,Cy,,b,green,\n9,Tea,,,,teacher\n";

/// A bot that answers a turn with this expression.
fn bot(answer: &str) -> String {
    format!(
        "import json, sys\nfor line in sys.stdin:\n    m = json.loads(line)\n    if m['type'] == 'hello': a = \
         {{'type': 'hello', 'protocol': 1, 'name': 'it', 'version': '7'}}\n    elif m['type'] == 'start': a = \
         {{'type': 'ready'}}\n    elif m['type'] == 'turn': a = {{'type': 'move', 'turn': m['turn'], \
         'action': {answer}}}\n    elif m['type'] == 'quit': break\n    else: continue\n    \
         print(json.dumps(a), flush=True)\n"
    )
}

/// Returns an archive of a bot: its manifest, its program and other files.
pub fn archive(manifest: &str, program: &str, others: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in [("bot.toml", manifest), ("bot.py", program)].iter().chain(others) {
        let name = format!("mine/{name}");
        writer.start_file(name, SimpleFileOptions::default()).expect("an entry");
        writer.write_all(text.as_bytes()).expect("memory");
    }
    writer.finish().expect("an archive").into_inner()
}

pub fn good(answer: &str) -> Vec<u8> {
    archive("run = 'python3 -u bot.py'\n", &bot(answer), &[])
}

/// A running `botyard serve`.
pub struct Served {
    pub child: Child,
    address: String,
    link: Option<String>,
}

impl Served {
    pub fn start(desk: &Desk) -> Served {
        Served::start_with(desk, &[]).0
    }

    /// Starts it with more options. Returns the line after its address too, if they have it print one.
    pub fn start_with(desk: &Desk, more: &[&str]) -> (Served, Option<String>) {
        let all = [&["serve", "class", "--port", "0"], more].concat();
        Served::of(desk, desk.command(&all), !more.is_empty())
    }

    /// The same for a command, which prints a line and its second half after its address if it `has_more`.
    pub fn of(desk: &Desk, mut command: Command, has_more: bool) -> (Served, Option<String>) {
        let mut child = command.spawn().expect("botyard starts");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let mut line = || lines.next().and_then(Result::ok).unwrap_or_default();
        let address = line();
        assert!(address.starts_with("http://127.0.0.1:"), "{address:?}");
        let next = has_more.then(|| {
            let next = line();
            // Its second half.
            line();
            next
        });
        let is_new = !desk.path("class/joined").exists();
        let link = is_new.then(|| {
            assert!(line().contains("works once"));
            line()
        });
        (Served { child, address, link }, next)
    }

    fn visitor(&self) -> Visitor {
        Visitor::new(&self.address)
    }

    pub fn signed_in(&self, account: &str) -> Visitor {
        self.signed_in_with(account, PASSWORD)
    }

    pub fn signed_in_with(&self, account: &str, password: &str) -> Visitor {
        let mut visitor = self.visitor();
        let reply = visitor.post("/login", &[("account", account), ("password", password)]);
        assert_eq!(reply.status, 303, "{}", reply.text);
        visitor
    }

    pub fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts a class in which everyone has joined.
pub fn class(desk: &Desk) -> Served {
    class_of(desk, EVENT)
}

/// Starts a class with an event of these conditions in which everyone has joined.
pub fn class_of(desk: &Desk, event: &str) -> Served {
    std::fs::create_dir(desk.path("class")).expect("it is ours");
    std::fs::write(desk.path("class/event.toml"), event).expect("it is ours");
    let served = Served::start(desk);
    join(&served);
    served
}

/// Has everyone join a new class.
pub fn join(served: &Served) {
    let link = served.link.clone().expect("a new class has a link");
    let token = link.split_once("link=").expect("a link").1;
    let mut admin = served.visitor();
    let fields = [("link", token), ("email", "root@x.org"), ("password", PASSWORD)];
    assert_eq!(admin.post("/enter", &fields).status, 303);
    let imported = admin.import_roster(ROSTER);
    assert!(imported.text.contains("4 added"), "{}", imported.text);
    let page = admin.get("/roster/codes").text;
    for part in page.split("<p class=\"code\">").skip(1) {
        let code = part.split('<').next().unwrap_or_default();
        let reply = served.visitor().post("/join", &[("code", code), ("password", PASSWORD)]);
        assert_eq!(reply.status, 303, "{}", reply.text);
    }
}

/// Submits an archive. Returns the address of its page.
pub fn submit(visitor: &mut Visitor, archive: &[u8]) -> String {
    let reply = visitor.upload("/team/submissions", "bot.zip", archive);
    assert_eq!(reply.status, 303, "{}", reply.text);
    reply.header("location").to_string()
}

/// Loads a page until it has one of these texts.
pub fn wait_for(visitor: &mut Visitor, page: &str, texts: &[&str]) -> String {
    let begun = Instant::now();
    loop {
        let text = visitor.get(page).text;
        if texts.iter().any(|it| text.contains(it)) {
            return text;
        }
        assert!(begun.elapsed() < PATIENCE, "{page} never had {texts:?}: {text}");
        thread::sleep(Duration::from_millis(200));
    }
}

/// The states after which nothing follows, as the page of a submission shows them.
const OVER: [&str; 3] = [">plays<", ">rejected<", ">superseded by a newer version<"];

#[test]
fn submissions_are_built_checked_and_tried_and_say_why_they_are_rejected() {
    let desk = Desk::new();
    let served = class(&desk);
    let (mut anna, mut ben, mut cy) =
        (served.signed_in("1"), served.signed_in("2"), served.signed_in("3"));
    let mut tea = served.signed_in("9");

    // What is no submission is refused at the door.
    for (archive, expected) in [
        (b"no archive".to_vec(), "no zip archive"),
        (archive("build = []\n", "", &[]), "bot.toml: missing field `run`"),
        (archive("run = '../elsewhere/bot'\n", "", &[]), "leads out of it"),
    ] {
        let reply = anna.upload("/team/submissions", "bot.zip", &archive);
        assert!(reply.status == 400 && reply.text.contains(expected), "{expected}: {}", reply.text);
    }
    assert!(anna.get("/event.toml").text.contains("reference one"));

    let good_page = submit(&mut anna, &good("m['legal'][0]"));
    let broken_page =
        submit(&mut ben, &archive("build = ['sh missing.sh']\nrun = 'python3 bot.py'\n", "", &[]));
    let illegal_page = submit(&mut cy, &good("'nonsense'"));
    let accepted = wait_for(&mut anna, &good_page, &OVER);
    assert!(accepted.contains(">plays<"), "{accepted}");
    for line in ["nothing to build", "passed, 0 failed", "gate of the event", "declared version"] {
        assert!(accepted.contains(line), "{line}: {accepted}");
    }
    let broken = wait_for(&mut ben, &broken_page, &OVER);
    assert!(broken.contains(">rejected<") && broken.contains("build failed: "), "{broken}");
    let illegal = wait_for(&mut cy, &illegal_page, &OVER);
    assert!(illegal.contains(">rejected<") && illegal.contains("check"), "{illegal}");
    assert!(illegal.contains("FAILED  actions"), "{illegal}");

    // The same files of another team are noticed.
    submit(&mut ben, &good("m['legal'][0]"));
    assert!(tea.get("/audit").text.contains("has the same files as one of red"));

    // No student sees what belongs to another team.
    for page in [good_page.clone(), format!("{good_page}/events"), "/teams/1".into()] {
        assert_eq!(cy.get(&page).status, 404, "{page}");
        assert_eq!(served.signed_in("1").get("/submissions").status, 403);
    }

    // The ladder has begun: the team sees its own game as its seat saw it, and others do not see it.
    let results = wait_for(&mut anna, "/teams/1", &["/games/"]);
    let is_id = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let game = results.split("/games/").nth(1).and_then(|rest| rest.split(|c| !is_id(c)).next());
    let game = format!("/games/{}", game.expect("a link"));
    assert!(anna.get(&game).text.contains("connect-four"), "the page of the game");
    let copy = anna.get(&format!("{game}/replay"));
    assert!(copy.header("content-disposition").contains(".view.ndjson"), "{}", copy.head);
    assert!(copy.text.contains("\"view_of\"") && !copy.text.contains("\"seed\""), "{}", copy.text);
    assert_eq!(cy.get(&game).status, 404);
    assert!(tea.get(&game).text.contains("connect-four"));
    let standings = wait_for(&mut cy, "/standings", &["Team 1"]);
    assert!(!standings.contains(">red<"), "students see aliases: {standings}");
    assert!(tea.get("/standings").text.contains(">red<"));
}

#[test]
fn a_version_is_submitted_from_the_command_line_and_the_exit_code_is_the_verdict() {
    let desk = Desk::new();
    let served = class(&desk);
    let mut anna = served.signed_in("1");
    let page = anna.post("/team/tokens", &[("name", "laptop")]).text;
    let token = page.split_once("<code id=\"token\">").expect("a token").1;
    std::fs::write(desk.path("token"), token.split('<').next().expect("a token")).expect("ours");
    std::fs::create_dir_all(desk.path("mine/__pycache__")).expect("it is ours");
    std::fs::write(desk.path("mine/__pycache__/x.pyc"), "x").expect("it is ours");
    std::fs::write(desk.path("mine/bot.toml"), "run = 'python3 -u bot.py'\n").expect("ours");
    std::fs::write(desk.path("mine/bot.py"), bot("m['legal'][0]")).expect("it is ours");
    let site = served.address.trim().to_string();
    let submit = |args: &[&str]| {
        let all = [&["submit"], args, &["--site", &site, "--token-file", "token"]].concat();
        desk.run(&all)
    };
    let accepted = submit(&["mine"]);
    assert_eq!(accepted.code, Some(0), "{accepted:#?}");
    for line in [
        "packed 2 files, ",
        "left out: __pycache__",
        &format!("version 1: {site}submissions/1"),
        "$ botyard check version-1 --game connect-four",
        "gate of the event",
        "version 1: plays",
    ] {
        assert!(accepted.stdout.contains(line), "{line}: {accepted:#?}");
    }
    let log = wait_for(&mut anna, "/submissions/1", &[">plays<"]);
    assert!(log.contains("mine.zip"), "the name of the directory: {log}");

    // The same files are the same version.
    let again = submit(&["mine", "--no-wait"]);
    assert_eq!(again.code, Some(0), "{again:#?}");
    assert!(again.stdout.contains("version 1, the newest, has the same files"), "{again:#?}");

    std::fs::write(desk.path("bad.zip"), good("'nonsense'")).expect("it is ours");
    let rejected = submit(&["bad.zip"]);
    assert_eq!(rejected.code, Some(1), "{rejected:#?}");
    assert!(rejected.stdout.contains("FAILED  actions"), "{rejected:#?}");
    assert!(rejected.stdout.ends_with("version 2: rejected\n"), "{rejected:#?}");

    std::fs::write(desk.path("no.zip"), "no archive").expect("it is ours");
    let refused = submit(&["no.zip"]);
    assert_eq!(refused.code, Some(1), "{refused:#?}");
    assert!(refused.stderr.contains("no zip archive"), "{refused:#?}");

    // A token that is revoked is one of wrong usage, and so is none.
    let revoked = anna.post("/team/tokens/1/revoke", &[]);
    assert_eq!(revoked.status, 303, "{}", revoked.text);
    let refused = submit(&["mine"]);
    assert_eq!(refused.code, Some(2), "{refused:#?}");
    assert!(refused.stderr.contains("mistyped or revoked"), "{refused:#?}");
    let mut without = desk.command(&["submit", "mine", "--site", &site]);
    let without =
        crate::command::finish(without.env_remove("BOTYARD_TOKEN").spawn().expect("botyard"));
    assert_eq!(without.code, Some(2), "{without:#?}");
    assert!(without.stderr.contains("--token-file"), "{without:#?}");
}

#[test]
fn games_are_rejudged_with_a_preview_and_applied() {
    let desk = Desk::new();
    let served = class(&desk);
    let mut anna = served.signed_in("1");
    let page = submit(&mut anna, &good("m['legal'][0]"));
    wait_for(&mut anna, &page, &[">plays<"]);
    wait_for(&mut anna, "/teams/1", &["/games/"]);
    let mut tea = served.signed_in("9");
    let host = tea.get("/rejudges?event=ladder").text;
    assert!(host.contains("red, version 1"), "{host}");
    let until = "2100-01-01T00:00";
    let bot = host.split("<option value=\"").find(|part| part.contains("red, version 1"));
    let bot = bot.and_then(|part| part.split('"').next()).expect("an entrant").to_string();
    let chosen = tea.get(&format!("/rejudges?event=ladder&bot={bot}&until={until}")).text;
    assert!(chosen.contains("Play them again") && chosen.contains("ladder; red, version 1; until"));
    let fields = [("event", "ladder"), ("bot", &bot), ("host", ""), ("from", ""), ("until", until)];
    let begun = tea.post("/rejudges", &[&fields[..], &[("reason", "a test")]].concat());
    assert_eq!(begun.status, 303, "{}", begun.text);
    let page = begun.header("location").to_string();
    let preview = wait_for(&mut tea, &page, &["standings stay as they are", "Bots whose standing"]);
    // Bots that follow their seeds alone play the same games again.
    assert!(preview.contains("Apply the new results"), "{preview}");
    let decided = tea.post(&page, &[("decision", "apply"), ("reason", "it is right")]);
    assert_eq!(decided.status, 303, "{}", decided.text);
    assert!(tea.get(&page).text.contains(">applied<"));
    let audit = tea.get("/audit").text;
    assert!(audit.contains("began a rejudge") && audit.contains("applied a rejudge"), "{audit}");
    wait_for(&mut anna, "/teams/1", &["/games/"]);
}

#[test]
fn a_killed_site_loses_no_submission_and_no_game() {
    let desk = Desk::new();
    let mut served = class(&desk);
    std::fs::write(desk.path("class/joined"), "").expect("it is ours");
    let page = submit(&mut served.signed_in("1"), &good("m['legal'][-1]"));
    // Others are tried beside it, as far as the host has cores.
    let of_others = [("2", "m['legal'][0]"), ("3", "m['legal'][-1]")]
        .map(|(account, answer)| (account, submit(&mut served.signed_in(account), &good(answer))));
    for pause in [150, 900, 2500, 60, 400, 1700, 3100, 250, 1200, 700] {
        thread::sleep(Duration::from_millis(pause));
        served.kill();
        served = Served::start(&desk);
    }
    let mut anna = served.signed_in("1");
    let over = wait_for(&mut anna, &page, &OVER);
    assert!(over.contains(">plays<"), "{over}");
    for (account, page) in of_others {
        let over = wait_for(&mut served.signed_in(account), &page, &OVER);
        assert!(over.contains(">plays<"), "{over}");
    }
    wait_for(&mut anna, "/teams/1", &["/games/"]);
    let second = submit(&mut anna, &good("m['legal'][len(m['legal']) // 2]"));
    wait_for(&mut anna, &second, &[">plays<"]);
    served.kill();
    let served = Served::start(&desk);
    let mut anna = served.signed_in("1");
    let team = wait_for(&mut anna, "/teams/1", &["Version 2 in the ladder"]);
    assert!(team.contains("replaced"), "the first version is kept: {team}");
    // Every game is stored once, and no block has a rotation twice: the keys of the tables say so.
    drop(served);
    let database = rusqlite::Connection::open(desk.path("class/site.db")).expect("a database");
    let count =
        |sql: &str| database.query_row(sql, [], |row| row.get::<_, i64>(0)).expect("a number");
    assert!(count("SELECT COUNT(*) FROM games") > 0);
    assert_eq!(count("SELECT COUNT(*) FROM submissions WHERE state = 'working'"), 0);
    assert_eq!(
        count(
            "SELECT COUNT(*) FROM blocks WHERE state = 'played' AND 2 <> (SELECT COUNT(*) FROM games WHERE block = number)"
        ),
        0
    );
}

/// No file of the site may become larger: writing fails, as it does on a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_database_without_room_is_said_and_loses_nothing() {
    use rustix::process::{Resource, Rlimit, getrlimit, prlimit};
    let desk = Desk::new();
    let served = class(&desk);
    let mut admin = served.visitor();
    let sign_in = [("account", "root@x.org"), ("password", PASSWORD)];
    assert_eq!(admin.post("/login", &sign_in).status, 303);
    // The process has that of this one.
    let before = getrlimit(Resource::Fsize);
    let limit = |current| {
        let limit = Rlimit { current, ..before };
        prlimit(Some(crate::processes::pid_of(&served.child)), Resource::Fsize, limit)
            .expect("it is our process");
    };
    let mut allow = |hosts: &str, reason: &str| {
        admin.post("/event/git", &[("hosts", hosts), ("reason", reason)])
    };
    assert_eq!(allow("a.example.org", "before").status, 303);
    limit(Some(1024));
    for _ in 0..3 {
        let reply = allow("b.example.org", "while there is no room");
        assert_eq!(reply.status, 500, "{}", reply.text);
        assert!(reply.text.contains("The database cannot be used"), "{}", reply.text);
    }
    assert_eq!(served.visitor().get("/login").status, 200, "pages are answered");
    limit(before.current);
    assert_eq!(allow("c.example.org", "after").status, 303);
    let audit = served.signed_in("9").get("/audit").text;
    assert!(audit.contains("before") && audit.contains("after"), "{audit}");
    assert!(!audit.contains("while there is no room"), "{audit}");
    served.kill();
    std::fs::write(desk.path("class/joined"), "").expect("it is ours");
    let served = Served::start(&desk);
    let mut again = served.signed_in("9");
    assert!(again.get("/audit").text.contains("after"));
}
