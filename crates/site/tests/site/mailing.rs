//! Email, to a small server of the test.

use crate::client::{Class, PASSWORD, ROSTER, Visitor};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

/// The messages that a server has taken: the recipient and the text.
#[derive(Default)]
struct Taken {
    messages: Mutex<Vec<(String, String)>>,
    more: Condvar,
}

impl Taken {
    /// Waits until there is this number of messages. Returns them.
    fn wait(&self, number: usize) -> Vec<(String, String)> {
        let messages = self.messages.lock().expect("a lock");
        let patience = Duration::from_secs(120);
        let (messages, waited) = self
            .more
            .wait_timeout_while(messages, patience, |messages| messages.len() < number)
            .expect("a lock");
        assert!(!waited.timed_out(), "{messages:?}");
        messages.clone()
    }
}

/// Starts a server that refuses the address `cy@x.org`. Returns its port.
fn start() -> (u16, Arc<Taken>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let (port, taken) = (listener.local_addr().expect("a port").port(), Arc::new(Taken::default()));
    let own = Arc::clone(&taken);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A client that goes away ends its connection alone.
            let _ = receive(stream, &own);
        }
    });
    (port, taken)
}

fn receive(mut stream: TcpStream, taken: &Taken) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?);
    let mut to = String::new();
    stream.write_all(b"220 test\r\n")?;
    loop {
        let mut line = String::new();
        if lines.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let answer = match line.get(..4).unwrap_or_default() {
            "RCPT" if line.contains("cy@x.org") => "550 no such person",
            "RCPT" => {
                to = line.split(['<', '>']).nth(1).unwrap_or_default().to_string();
                "250 ok"
            }
            "DATA" => {
                stream.write_all(b"354 go\r\n")?;
                let mut text = String::new();
                while !text.ends_with("\r\n.\r\n") {
                    lines.read_line(&mut text)?;
                }
                let text = text.replace("=\r\n", "").replace("=3D", "=");
                taken.messages.lock().expect("a lock").push((to.clone(), text));
                taken.more.notify_all();
                "250 taken"
            }
            "QUIT" => "221 bye",
            _ => "250 ok",
        };
        stream.write_all(format!("{answer}\r\n").as_bytes())?;
    }
}

/// Restarts a class that sends email by a server.
fn with_server(class: Class, port: u16) -> Class {
    class.with_rows(|_, directory| {
        let path = directory.join("site.toml");
        let text = format!(
            "address = \"https://bots.example.org\"\n[email]\nserver = \"127.0.0.1\"\nport = {port}\ntls = \"none\"\n\
             from = \"Bots <bots@example.org>\"\n"
        );
        fs::write(&path, text).expect("it is ours");
        #[cfg(unix)]
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).expect("it is ours");
    })
}

/// Returns what follows a text to the end of its line.
fn after<'a>(text: &'a str, mark: &str) -> &'a str {
    text.split_once(mark).and_then(|(_, rest)| rest.lines().next()).expect("it is there").trim()
}

#[test]
fn join_codes_are_sent_once_and_the_desk_names_what_was_not_sent() {
    let (port, taken) = start();
    let class = Class::new();
    class.admin().import_roster(ROSTER);
    let class = with_server(class, port);
    let mut admin = class.signed_in("root@x.org");
    for _ in 0..2 {
        assert_eq!(admin.post("/mail/codes", &[]).status, 303);
    }
    let messages = taken.wait(5);
    let anna = messages.iter().find(|(to, _)| to == "anna@x.org").expect("hers");
    assert!(
        anna.1.contains("Hello Anna <b>,") && anna.1.contains("https://bots.example.org/join"),
        "{}",
        anna.1
    );
    let code = anna.1.lines().find(|line| line.starts_with("    ")).expect("a code").trim();
    let joined = class.visitor().post("/join", &[("code", code), ("password", PASSWORD)]);
    assert_eq!(joined.status, 303, "{}", joined.text);
    let desk = shown(&mut admin, "/desk", "Email that was not sent");
    assert!(desk.contains("no such person"), "{desk}");
    let page = admin.get("/mail").text;
    assert!(page.contains(">Cy<") && page.contains("Send again"), "{page}");
    assert_eq!(taken.wait(5).len(), 5, "each code is sent once");
    assert!(admin.get("/audit").text.contains("join codes to Anna"));
}

#[test]
fn a_forgotten_password_is_chosen_again_by_a_link_that_works_once() {
    let (port, taken) = start();
    let (class, _) = Class::joined();
    let class = with_server(class, port);
    let mut before = class.signed_in("1");
    let mut visitor = class.visitor();
    let known = visitor.post("/forgotten", &[("account", "1")]);
    let unknown = visitor.post("/forgotten", &[("account", "99")]);
    assert_eq!((known.status, known.text), (200, unknown.text));
    let (to, text) = taken.wait(1).remove(0);
    assert_eq!(to, "anna@x.org");
    let link = after(&text, "/reset?link=").to_string();
    assert!(visitor.get(&format!("/reset?link={link}")).text.contains("New password"));
    let choose =
        |password: &str| class.visitor().post("/reset", &[("link", &link), ("password", password)]);
    let short = choose("short");
    assert!(
        short.status == 400 && short.text.contains(&link),
        "the form keeps the link: {}",
        short.text
    );
    assert_eq!(choose("another password").status, 303);
    assert!(choose("a third password").text.contains("This link was used"));
    assert_eq!(before.get("/").header("location"), "/login", "the session has ended");
    let signed =
        class.visitor().post("/login", &[("account", "1"), ("password", "another password")]);
    assert_eq!(signed.status, 303, "{}", signed.text);
    // Not too many for one person, with the same answer.
    for _ in 0..5 {
        assert_eq!(visitor.post("/forgotten", &[("account", "2")]).status, 200);
    }
    assert_eq!(taken.wait(4).len(), 4);
}

#[test]
fn teams_without_a_version_are_reminded_once_if_the_teacher_wants_it() {
    let (port, taken) = start();
    let (class, _) = Class::joined();
    let class = with_server(class, port).with_rows(|database, _| {
        let sql = "INSERT INTO deadlines(until, reason, person, at) VALUES (unixepoch() + 3600, 'x', 1, 0)";
        database.execute(sql, []).expect("a row");
    });
    let mut tea = class.signed_in("9");
    let fields = [("reminders", "on"), ("reason", "they forget")];
    assert_eq!(tea.post("/mail/reminders", &fields).status, 303);
    let messages = taken.wait(2);
    assert!(
        messages.iter().all(|(_, text)| text.contains("no accepted version yet")),
        "{messages:?}"
    );
    let class = class.restarted(false);
    let mut tea = class.signed_in("9");
    // Cy's was refused, and is not sent again.
    shown(&mut tea, "/mail", "no such person");
    tea.post("/mail/test", &[]);
    let messages = taken.wait(3);
    assert!(messages[2].1.contains("can send email"), "{messages:?}");
}

#[test]
fn without_a_server_nothing_is_sent() {
    let (class, mut admin) = Class::joined();
    assert!(class.visitor().get("/forgotten").text.contains("Ask your teacher"));
    assert_eq!(class.visitor().post("/forgotten", &[("account", "1")]).status, 400);
    assert_eq!(admin.post("/mail/codes", &[]).status, 400);
    assert!(admin.get("/mail").text.contains("names no server"));
}

/// Loads a page until it has a text.
fn shown(visitor: &mut Visitor, path: &str, text: &str) -> String {
    for _ in 0..1200 {
        let page = visitor.get(path).text;
        if page.contains(text) {
            return page;
        }
        thread::sleep(Duration::from_millis(100));
    }
    panic!("{path} never has {text}")
}
