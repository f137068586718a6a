//! A site in a temporary directory, and visitors who keep their cookie as a browser does.

use botyard_runner::{BuiltIn, Programs};
use botyard_sandbox::Launcher;
use botyard_site::{Options, Proxy, ServedClass, Server};
pub use botyard_testkit::http::{Reply, Visitor};
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The roster of the tests: a person of every role but the admin. Anna and Ben are a team.
pub const ROSTER: &str = "student_id,name,email,group,team,role\n\
    1,Anna <b>,anna@x.org,a,red,\n2,Ben,ben@x.org,a,red,\n3,Cy,cy@x.org,b,,\n\
    7,Gus,gus@x.org,,,guest\n8,Asa,asa@x.org,,,assistant\n9,Tea,tea@x.org,,,teacher\n";

/// The event of a new class.
const EVENT: &str = include_str!("../../assets/event.toml");

pub const PASSWORD: &str = "correct horse battery";

/// A running site.
pub struct Class {
    pub place: TempDir,
    pub server: Server,
}

impl Class {
    /// Starts a new class.
    pub fn new() -> Class {
        let place = tempfile::tempdir().expect("a directory");
        let server = serve(place.path().join("class"), false, None);
        Class { place, server }
    }

    /// Starts a class with an administrator and the roster, of whom everyone has joined.
    pub fn joined() -> (Class, Visitor) {
        let class = Class::new();
        let mut admin = class.admin();
        let imported = admin.import_roster(ROSTER);
        assert!(imported.text.contains("6 added"), "{}", imported.text);
        for code in codes(&admin.get("/roster/codes").text) {
            let mut person = class.visitor();
            let joined = person.post("/join", &[("code", &code), ("password", PASSWORD)]);
            assert_eq!(joined.status, 303, "{}", joined.text);
        }
        (class, admin)
    }

    /// Ends the server, lets rows and files be written into the directory of the class, and starts it again.
    pub fn with_rows(self, write: impl FnOnce(&Connection, &Path)) -> Class {
        let Class { place, server } = self;
        drop(server);
        let directory = place.path().join("class");
        write(&Connection::open(directory.join("site.db")).expect("a database"), &directory);
        let server = serve(directory, false, None);
        Class { place, server }
    }

    /// Ends the server and starts it again behind proxies.
    pub fn behind(self, proxy: Proxy) -> Class {
        let Class { place, server } = self;
        drop(server);
        let server = serve(place.path().join("class"), false, Some(proxy));
        Class { place, server }
    }

    /// Ends the server and starts it again.
    pub fn restarted(self, admin_link: bool) -> Class {
        let Class { place, server } = self;
        drop(server);
        let server = serve(place.path().join("class"), admin_link, None);
        Class { place, server }
    }

    /// Returns the administrator, who enters by the link.
    pub fn admin(&self) -> Visitor {
        let link = self.server.admin_link().expect("a new class has a link");
        let mut admin = self.visitor();
        let token = link.split_once("link=").expect("a link").1.to_string();
        assert!(admin.get(&format!("/enter?link={token}")).text.contains("administrator"));
        let fields = [("link", token.as_str()), ("email", "Root@x.org"), ("password", PASSWORD)];
        assert_eq!(admin.post("/enter", &fields).status, 303);
        admin
    }

    /// Returns somebody who is not signed in.
    pub fn visitor(&self) -> Visitor {
        Visitor::new(&self.server.address())
    }

    /// Returns the person with this ID or email address, signed in.
    pub fn signed_in(&self, account: &str) -> Visitor {
        let mut visitor = self.visitor();
        let reply = visitor.post("/login", &[("account", account), ("password", PASSWORD)]);
        assert_eq!(reply.status, 303, "{}", reply.text);
        visitor
    }
}

/// Serves the class in a directory.
pub fn serve(directory: PathBuf, admin_link: bool, proxy: Option<Proxy>) -> Server {
    let event = directory.join("event.toml");
    if !event.exists() {
        fs::create_dir_all(&directory).expect("it is ours");
        // The launcher of these programs contains nothing.
        let uncontained = format!("{EVENT}\n[sandbox]\nmode = \"none\"\n");
        fs::write(event, uncontained).expect("it is ours");
    }
    Server::start(Options {
        classes: vec![ServedClass::alone(directory)],
        listen: ([127, 0, 0, 1], 0).into(),
        proxy,
        programs: programs(),
        admin_link,
        demo: false,
        new_event: false,
        outside: None,
    })
    .expect("a server")
}

/// Returns programs of which none runs.
pub fn programs() -> Programs {
    let built_in = |name: &str| BuiltIn {
        name: name.into(),
        games: vec!["connect-four".into()],
        options: BTreeMap::new(),
        options_of_games: Vec::new(),
        has_program: false,
        other_games: false,
        needs_model: false,
    };
    let launcher = Launcher { program: "false".into(), args: Vec::new() };
    let built_ins = ["random", "greedy"].map(built_in).to_vec();
    Programs { built_ins, ..Programs::new(launcher) }
}

/// Returns the join codes of the page on which they are printed.
pub fn codes(page: &str) -> Vec<String> {
    let parts = page.split("<p class=\"code\">").skip(1);
    parts.map(|part| part.split('<').next().unwrap_or_default().to_string()).collect()
}
