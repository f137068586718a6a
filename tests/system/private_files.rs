//! What another user of the host can read of the files that the verbs write, whatever the umask: nothing of
//! a store, a replay, a bundle or a token; and what is for others, as far as the umask lets them.

use crate::closed_pipes::EXPERIMENT;
use crate::command::{BOTYARD, Desk, Ran, events, finish};
use crate::postgresql::Server;
use crate::serve::{EVENT, Served, good, join, submit, wait_for};
use botyard_sandbox::bots_group;
use rustix::process::geteuid;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A bot with a file of its own. It writes to standard error, which is kept beside a replay.
const BOT: &str = "
import json, sys
print('here', file=sys.stderr)
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'hello':
        answer = {'type': 'hello', 'protocol': 1, 'name': 'mine', 'games': []}
    elif message['type'] == 'start': answer = {'type': 'ready'}
    elif message['type'] == 'turn':
        answer = {'type': 'move', 'turn': message['turn'], 'action': message['legal'][0]}
    else: continue
    print(json.dumps(answer), flush=True)
";

const CUP: &str = "game = \"connect-four\"\nblocks = 1\n[time]\nmove_ms = 30000\n\
                   [[bot]]\nname = \"mine\"\ndirectory = \"mine\"\ncommand = \"python3 bot.py\"\n\
                   [[bot]]\ncommand = \"random\"\n";

/// The replay of a match, in arguments.
const REPLAY: &str = "REPLAY";

/// A user who is neither root nor a bot.
const STRANGER: u32 = 65_534;

/// Returns `botyard` under an umask.
fn under(desk: &Desk, umask: &str, args: &[&str]) -> Command {
    let plain = desk.command(args);
    let mut command = Command::new("sh");
    command.args(["-c", "umask \"$0\" && exec \"$@\"", umask, BOTYARD]).args(plain.get_args());
    command.current_dir(desk.path("")).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
}

fn mode(path: &Path) -> u32 {
    path.symlink_metadata().expect("it exists").permissions().mode() & 0o7777
}

/// Returns everything below a directory.
fn all_below(directory: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(directory).expect("a directory").map(|entry| entry.expect("an entry"))
    {
        if entry.file_type().expect("a type").is_dir() {
            found.extend(all_below(&entry.path()));
        }
        found.insert(entry.path());
    }
    found
}

/// Returns what others can read, write or list below a directory that all may enter. Bots of a referee that is
/// root are no others: they pass through the directories of their copies by a group of their own.
fn exposed(directory: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(directory).expect("a directory").map(|entry| entry.expect("an entry"))
    {
        let (path, mut mode) = (entry.path(), mode(&entry.path()));
        let kind = entry.file_type().expect("a type");
        if kind.is_symlink() {
            continue;
        }
        if Some(path.metadata().expect("it exists").gid()) == bots_group() {
            mode &= !0o010;
        }
        if mode & 0o066 != 0 {
            found.insert(path.clone());
        }
        if kind.is_dir() && mode & 0o011 != 0 {
            found.extend(exposed(&path));
        }
    }
    found
}

/// An own file and a bot, which others can read.
fn desk() -> Desk {
    let desk = Desk::new();
    fs::create_dir(desk.path("mine")).expect("it is ours");
    fs::write(desk.path("mine/bot.py"), BOT).expect("it is ours");
    fs::write(desk.path("cup.toml"), CUP).expect("it is ours");
    desk
}

fn done(ran: &Ran) {
    assert_eq!(ran.code, Some(0), "{ran:#?}");
}

#[test]
fn nobody_else_reads_what_the_verbs_write() {
    for umask in ["022", "000"] {
        let desk = desk();
        let given = all_below(&desk.path(""));
        let mut replay = String::new();
        for args in [
            &["match", "connect-four", "python3 mine/bot.py", "random", "-n", "2", "--out", "r"][..],
            &[
                "test",
                "random",
                "random",
                "--game",
                "connect-four",
                "--max-games",
                "2",
                "--out",
                "t",
            ],
            &["play", "connect-four", "--as", "yellow", "--against", "random", "--out", "p"],
            &["analyze", REPLAY, "--with", "alpha-beta:depth=1", "--move-time", "60000"],
            &["tournament", "run", "cup.toml"],
            &["tournament", "standings", "cup.tournament"],
            &["tournament", "submit", "cup.toml", "--store", "lab.db"],
            &["worker", "--store", "lab.db", "--drain", "-j", "1", "--cache", "caches/lab"],
            &["tournament", "export", "cup", "--store", "lab.db", "--out", "exported"],
            &["store", "copy", "lab.db", "copy.db"],
            &["coordinator", "token", "add", "lab", "--store", "lab.db", "--out", "lab.token"],
        ] {
            let played = replay.clone();
            let args: Vec<&str> =
                args.iter().map(|&it| if it == REPLAY { played.as_str() } else { it }).collect();
            let ran = finish(under(&desk, umask, &args).spawn().expect("sh starts"));
            // A test of two games proves nothing, and the person at the table says nothing.
            let is_undecided = ["test", "play"].contains(&args[0]);
            assert!(ran.code == Some(0) || is_undecided, "{args:?}: {ran:#?}");
            if args[0] == "match" {
                replay = desk.replays("r")[0].to_string_lossy().into_owned();
            }
            assert!(!ran.stderr.contains("other users"), "{args:?}: {ran:#?}");
            let exposed: Vec<_> = exposed(&desk.path("")).difference(&given).cloned().collect();
            assert!(exposed.is_empty(), "umask {umask}, {args:?}: {exposed:#?}");
        }
        for written in
            ["r", "t", "p", "cup.tournament/replays", "caches/lab/bundles", "exported", "lab.token"]
        {
            assert!(desk.path(written).exists(), "{written}");
        }
        let analysis = |path: &PathBuf| path.to_string_lossy().ends_with(".analysis.json");
        assert!(all_below(&desk.path("r")).iter().any(analysis));
    }
}

/// Under root, a copy is readable for bots of any UID. No other user gets to it, not even by its digest.
#[test]
fn nobody_but_bots_gets_to_a_copy_of_root() {
    if !geteuid().is_root() {
        return;
    }
    let desk = desk();
    desk.done(&["tournament", "run", "cup.toml"]);
    desk.done(&["tournament", "submit", "cup.toml", "--store", "lab.db"]);
    let worker = ["worker", "--store", "lab.db", "--drain", "-j", "1", "--cache", "cache"];
    desk.done(&worker);
    for (bundles, id) in [("cup.tournament/bundles", "second"), ("cache/bundles", "third")] {
        let bundles = desk.path(bundles);
        let is_copy = |path: &PathBuf| path.ends_with("run/bot.py");
        let read = |group: u32| {
            let copy = all_below(&bundles).into_iter().find(is_copy).expect("a copy");
            let mut cat = Command::new("cat");
            cat.arg(copy).uid(STRANGER).gid(group).stderr(Stdio::null());
            cat.output().expect("cat starts").stdout
        };
        assert_eq!(read(STRANGER), b"", "{}", bundles.display());
        let group = bots_group().expect("a group of bots");
        assert_eq!(String::from_utf8_lossy(&read(group)), BOT, "{}", bundles.display());
        // An earlier version let all users pass.
        fs::set_permissions(&bundles, PermissionsExt::from_mode(0o711)).expect("ours");
        fs::set_permissions(bundles.parent().expect("around"), PermissionsExt::from_mode(0o711))
            .expect("ours");
        assert_eq!(String::from_utf8_lossy(&read(STRANGER)), BOT);
        desk.done(&["tournament", "resume", "cup.tournament"]);
        desk.done(&["tournament", "submit", "cup.toml", "--store", "lab.db", "--id", id]);
        desk.done(&worker);
        assert_eq!(read(STRANGER), b"", "{}", bundles.display());
    }
}

#[test]
fn nobody_else_reads_a_class() {
    let desk = Desk::new();
    fs::create_dir(desk.path("class")).expect("it is ours");
    fs::write(desk.path("class/event.toml"), EVENT).expect("it is ours");
    let args = ["serve", "class", "--port", "0", "--workers", "127.0.0.1:0"];
    let (served, _) = Served::of(&desk, under(&desk, "000", &args), true);
    join(&served);
    let mut anna = served.signed_in("1");
    let page = submit(&mut anna, &good("m['legal'][0]"));
    let text = wait_for(&mut anna, &page, &[">plays<", ">rejected<"]);
    assert!(text.contains(">plays<"), "{text}");
    let token = ["coordinator", "token", "add", "lab", "--token-file", "class/workers.tokens"];
    done(&finish(under(&desk, "000", &token).spawn().expect("sh starts")));
    done(&finish(
        under(&desk, "000", &["site", "backup", "class", "b.zip"]).spawn().expect("sh starts"),
    ));
    served.kill();
    for args in [["archive", "class", "--out=a.zip"], ["restore", "b.zip", "restored"]] {
        let args = [&["site"], &args[..]].concat();
        done(&finish(under(&desk, "000", &args).spawn().expect("sh starts")));
    }
    assert_eq!(exposed(&desk.path("")), BTreeSet::new());
    for written in ["class/workers.db", "class/bundles", "restored/sources", "a.zip"] {
        assert!(desk.path(written).exists(), "{written}");
    }
}

#[test]
fn what_is_for_others_is_as_readable_as_the_umask_says() {
    let desk = desk();
    desk.done(&["tournament", "run", "cup.toml"]);
    fs::write(desk.path("experiment.toml"), EXPERIMENT).expect("it is ours");
    for (umask, file, directory) in [("022", 0o644, 0o755), ("077", 0o600, 0o700)] {
        let (page, project) = (format!("pages{umask}"), format!("project{umask}"));
        let page_args = ["tournament", "page", "cup.tournament", "--out", &page];
        let new_args = ["new", &project, "--game", "connect-four", "--language", "python"];
        for args in [&page_args[..], &new_args] {
            done(&finish(under(&desk, umask, args).spawn().expect("sh starts")));
        }
        for path in [&page, &project] {
            assert_eq!(mode(&desk.path(path)), directory, "{path}");
        }
        let given = all_below(&desk.path(""));
        let made = |name: &str| format!("{name}{umask}");
        let (tables, samples, results) = (made("tables"), made("samples"), made("results"));
        for args in [
            &["egdb", "build", "--pieces", "2", "--out", &tables][..],
            &["train", "draughts", "generate", "--games", "1", "--nodes", "100", "--out", &samples],
            &["experiment", "run", "experiment.toml", "--out", &results],
        ] {
            done(&finish(under(&desk, umask, args).spawn().expect("sh starts")));
        }
        let all = all_below(&desk.path(""));
        let written: Vec<&PathBuf> = all.difference(&given).collect();
        assert!(written.len() >= 3, "{written:#?}");
        for path in written {
            let allowed = if path.is_dir() { directory } else { file };
            assert_eq!(mode(path) & !allowed, 0, "{}", path.display());
        }
        assert_eq!(mode(&desk.path(&format!("{page}/index.html"))), file);
        assert_eq!(mode(&desk.path(&format!("{project}/bot.toml"))), file);
    }
}

/// Lets others read everything, as an earlier version did.
fn open_all(path: &Path) {
    for path in all_below(path).into_iter().chain([path.to_path_buf()]) {
        let kind = path.symlink_metadata().expect("it exists").file_type();
        let more = if kind.is_dir() { 0o055 } else { 0o044 };
        if !kind.is_symlink() {
            fs::set_permissions(&path, PermissionsExt::from_mode(mode(&path) | more))
                .expect("ours");
        }
    }
}

#[test]
fn what_an_earlier_version_left_is_tightened_with_one_line() {
    let desk = desk();
    desk.done(&["tournament", "run", "cup.toml"]);
    desk.done(&["tournament", "submit", "cup.toml", "--store", "lab.db"]);
    fs::create_dir(desk.path("labs")).expect("it is ours");
    fs::rename(desk.path("lab.db"), desk.path("labs/lab.db")).expect("it is ours");
    for (args, opened) in [
        (&["tournament", "resume", "cup.tournament", "--json"][..], "cup.tournament"),
        (&["tournament", "standings", "cup.tournament", "--format", "json"], "cup.tournament"),
        (&["tournament", "list", "--store", "labs/lab.db", "--json"], "labs/lab.db"),
    ] {
        if desk.path(opened).is_dir() {
            open_all(&desk.path(opened));
        } else {
            fs::set_permissions(desk.path(opened), PermissionsExt::from_mode(0o644)).expect("ours");
        }
        let ran = desk.run(args);
        done(&ran);
        let line = format!("{opened}: other users could read files of it; now only its owner can");
        assert_eq!(ran.stderr.matches("other users").count(), 1, "{args:?}: {ran:#?}");
        assert!(ran.stderr.lines().any(|it| it == line), "{args:?}: {ran:#?}");
        if args.contains(&"--json") {
            assert!(!events(&ran.stdout).is_empty(), "{ran:#?}");
        }
        let opened = desk.path(opened);
        let left =
            exposed(&opened.parent().expect("a directory").canonicalize().expect("it exists"));
        let left: Vec<_> = left.iter().filter(|path| path.starts_with(&opened)).collect();
        assert!(left.is_empty(), "{args:?}: {left:#?}");
        let again = desk.run(args);
        assert!(!again.stderr.contains("other users"), "{again:#?}");
    }
}

/// The address of a store may have a password, which a list of processes would show.
#[test]
fn a_store_is_named_by_a_file_and_a_password_in_an_argument_is_warned_of() {
    let desk = desk();
    fs::write(desk.path("address"), "lab.db\n").expect("it is ours");
    fs::write(desk.path("empty"), "\n").expect("it is ours");
    let list = |store: &str| desk.run(&["tournament", "list", "--store", store]);
    desk.done(&["tournament", "submit", "cup.toml", "--store", "@address"]);
    assert!(desk.path("lab.db").exists());
    assert!(list("@address").stdout.contains("cup"));
    for (store, expected) in [("@missing", "cannot be read"), ("@empty", "has no address")] {
        let ran = list(store);
        assert_eq!(ran.code, Some(2), "{ran:#?}");
        assert!(ran.stderr.contains(expected), "{ran:#?}");
    }
    // A port on which nothing listens: the warning comes first.
    let secret = "postgres://anna:secret@127.0.0.1:1/class";
    fs::write(desk.path("address"), secret).expect("it is ours");
    for (store, warnings) in
        [(secret, 1), ("@address", 0), ("postgres://anna@127.0.0.1:1/class", 0)]
    {
        let ran = list(store);
        assert_eq!(ran.code, Some(3), "{ran:#?}");
        assert_eq!(ran.stderr.matches("list of processes").count(), warnings, "{ran:#?}");
        assert!(!ran.stderr.contains("secret"), "{ran:#?}");
    }
    let ran = desk.run(&["serve", "class", "--port", "0", "--store", "@missing"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("cannot be read"), "{ran:#?}");
    let Some(server) = Server::start() else { return };
    fs::write(desk.path("address"), server.database()).expect("it is ours");
    desk.done(&["store", "copy", "lab.db", "@address"]);
    assert!(list("@address").stdout.contains("cup"));
}

#[test]
fn a_token_is_written_for_its_owner_alone_or_not_added() {
    let desk = Desk::new();
    let add = |name: &str, out: &str| {
        desk.run(&["coordinator", "token", "add", name, "--token-file", "tokens", "--out", out])
    };
    let added = add("lab", "lab.token");
    assert!(added.code == Some(0) && added.stdout.is_empty(), "{added:#?}");
    assert_eq!(mode(&desk.path("lab.token")), 0o600);
    let token = fs::read_to_string(desk.path("lab.token")).expect("a token");
    assert!(token.starts_with("lab.") && token.ends_with('\n'), "{token}");
    for (out, code) in [("lab.token", 2), ("missing/lab.token", 3)] {
        let ran = add("other", out);
        assert_eq!(ran.code, Some(code), "{ran:#?}");
    }
    assert_eq!(fs::read_to_string(desk.path("lab.token")).expect("a token"), token);
    let listed = desk.done(&["coordinator", "token", "list", "--token-file", "tokens"]);
    assert!(listed.contains("lab") && !listed.contains("other"), "{listed}");
}
