use super::*;
use crate::files::unpack::{LIMITS as UNPACKED, unpack};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Child;
use tempfile::TempDir;

/// Returns a repository with these files, in two commits on the branch `main`.
fn repository(files: &[(&str, &[u8])]) -> (TempDir, PathBuf) {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("theirs");
    fs::create_dir(&path).expect("it is ours");
    let git = |args: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(args);
        let done = command.current_dir(&path).env("HOME", &path).output().expect("git runs");
        assert!(done.status.success(), "{args:?}: {done:?}");
        String::from_utf8_lossy(&done.stdout).into_owned()
    };
    git(&["init", "--quiet", "--initial-branch=main"]);
    git(&["commit", "--quiet", "--allow-empty", "-m", "first"]);
    for (name, content) in files {
        let file = path.join(name);
        fs::create_dir_all(file.parent().expect("a directory")).expect("it is ours");
        fs::write(file, content).expect("it is ours");
    }
    git(&["add", "--all", "--force"]);
    git(&["commit", "--quiet", "--allow-empty", "-m", "second"]);
    (place, path)
}

fn fetched(path: &Path, branch: &str, limits: Limits) -> Result<Vec<String>, String> {
    fetched_from(path, &Source { branch, ..Source::default() }, limits)
}

fn fetched_from(path: &Path, source: &Source<'_>, limits: Limits) -> Result<Vec<String>, String> {
    let place = tempfile::tempdir().expect("a directory");
    let got = fetch(&Address::local(path), source, place.path(), limits);
    let got = got.map_err(|error| error.to_string())?;
    assert!(got.commit.len() == 40, "{}", got.commit);
    let history = Command::new("git")
        .args(["rev-list", "--count", "refs/heads/submitted"])
        .current_dir(place.path().join("repository"))
        .output()
        .expect("git runs");
    assert_eq!(history.stdout, b"1\n", "the newest commit alone");
    let into = place.path().join("in");
    fs::create_dir(&into).expect("it is ours");
    unpack(got.archive, &into, UNPACKED).map_err(|error| error.to_string())?;
    let mut names: Vec<String> = fs::read_dir(&into)
        .expect("a directory")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    Ok(names)
}

#[test]
fn the_files_of_the_newest_commit_are_fetched() {
    let (_place, path) = repository(&[("bot.toml", b"run = 'a'\n"), ("src/bot.py", b"1\n")]);
    let expected = Ok(vec!["bot.toml".to_string(), "src".to_string()]);
    assert_eq!(fetched(&path, "main", LIMITS), expected);
    assert_eq!(fetched(&path, "", LIMITS), expected, "the branch that it names itself");
    let of = |directory| fetched_from(&path, &Source { directory, ..Source::default() }, LIMITS);
    assert_eq!(of("src"), Ok(vec!["bot.py".to_string()]));
    assert!(of("lib").is_err_and(|it| it.contains("The branch has no such directory")));
    for directory in ["../x", "/src", "src/", "a//b", "a:b", "--output=x/../y"] {
        assert!(of(directory).is_err_and(|it| it.contains("Expected a directory")), "{directory}");
    }
    let refused = fetched(&path, "other", LIMITS).expect_err("no such branch");
    assert!(refused.contains("couldn't find remote ref"), "{refused}");
    let refused = fetched(&path.join("none"), "main", LIMITS).expect_err("no repository");
    assert!(refused.starts_with("git: "), "{refused}");
}

#[test]
fn links_are_refused_and_no_filter_or_hook_runs() {
    let (_place, path) = repository(&[("bot.toml", b"run = 'a'\n")]);
    std::os::unix::fs::symlink("/etc/passwd", path.join("key")).expect("a link");
    let commit = "git add -A && git -c user.name=a -c user.email=a@b commit --quiet -m link";
    let done = Command::new("sh").args(["-c", commit]).current_dir(&path).status();
    assert!(done.expect("git runs").success());
    let refused = fetched(&path, "main", LIMITS).expect_err("a link");
    assert!(refused.contains("is a link or a device"), "{refused}");

    let marker = path.join("ran");
    let hook = path.join(".git/hooks/post-checkout");
    fs::create_dir_all(hook.parent().expect("a directory")).expect("it is ours");
    let touch = format!("#!/bin/sh\ntouch {}\n", marker.display());
    fs::write(&hook, &touch).expect("it is ours");
    fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .expect("it is ours");
    let (_place, filtered) =
        repository(&[(".gitattributes", b"* filter=evil\n"), ("bot.toml", b"run = 'a'\n")]);
    assert!(fetched(&filtered, "main", LIMITS).is_ok());
    assert!(!marker.exists());
}

#[test]
fn a_submodule_is_named() {
    let (_other, other) = repository(&[("lib.py", b"1\n")]);
    let (_place, path) = repository(&[("bot.toml", b"run = 'a'\n")]);
    let add = format!(
        "git -c protocol.file.allow=always submodule --quiet add {} 'deep/a lib' && \
         git -c user.name=a -c user.email=a@b commit --quiet -m module",
        other.display()
    );
    let mut command = Command::new("sh");
    command.args(["-c", &add]).current_dir(&path).env("HOME", &path);
    assert!(command.status().expect("git runs").success());
    let refused = fetched(&path, "main", LIMITS).expect_err("a submodule");
    assert!(refused.contains(r#""deep/a lib" is a git submodule"#), "{refused}");
}

#[test]
fn a_large_repository_is_refused() {
    let mut state = 1u64;
    let noise = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 56) as u8
    });
    let noise: Vec<u8> = noise.take(3 << 20).collect();
    let (_place, path) = repository(&[("bot.toml", b"run = 'a'\n"), ("noise", &noise)]);
    assert!(fetched(&path, "main", LIMITS).is_ok());
    // A shell counts in blocks of 512 or of 1024 bytes.
    let refused = fetched(&path, "main", Limits { bytes: 1 << 20, ..LIMITS });
    assert!(refused.is_err(), "{refused:?}");
}

/// A server of repositories on the loopback, with a certificate. It ends with this value.
struct Server(Child, u16);

impl Server {
    fn start(place: &Path) -> Option<Server> {
        let made = Command::new("openssl")
            .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"])
            .args(["-nodes", "-days", "2", "-subj", "/CN=localhost"])
            .args(["-addext", "subjectAltName=DNS:localhost"])
            .args(["-keyout", "key.pem", "-out", "cert.pem"])
            .current_dir(place)
            .output();
        let programs = Command::new("git").arg("--exec-path").output().expect("git runs");
        let programs = String::from_utf8_lossy(&programs.stdout);
        let has_backend = Path::new(programs.trim()).join("git-http-backend").is_file();
        if !has_backend || !made.is_ok_and(|made| made.status.success()) {
            let missing = "openssl or git-http-backend is missing";
            let _ = writeln!(io::stderr(), "NOT TESTED on this host: {missing}");
            return None;
        }
        let mut child = Command::new("python3")
            .args([
                "-c",
                include_str!("../../../tests/data/git_server.py"),
                ".",
                "cert.pem",
                "key.pem",
            ])
            .current_dir(place)
            .stdout(Stdio::piped())
            .spawn()
            .expect("Python runs");
        let mut line = String::new();
        let output = child.stdout.take().expect("a pipe");
        BufReader::new(output).read_line(&mut line).expect("its port");
        let port = line.trim().parse().expect("its port");
        Some(Server(child, port))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_server_is_trusted_in_nothing() {
    let noise: Vec<u8> = (0..1u32 << 19)
        .flat_map(|number| number.wrapping_mul(2_654_435_761).to_le_bytes())
        .collect();
    let (place, _) = repository(&[("bot.toml", b"run = 'a'\n"), ("noise", &noise)]);
    let Some(server) = Server::start(place.path()) else { return };
    let certificate = place.path().join("cert.pem");
    let certificate = Some(certificate.as_os_str());
    let get_with = |path: &str, limits: Limits, certificates: Option<&OsStr>, token: &str| {
        let url = format!("https://localhost:{}/{path}", server.1);
        let address = Address::parse(&url).expect("an address");
        let place = tempfile::tempdir().expect("a directory");
        let source = Source { branch: "main", user: "red", token, ..Source::default() };
        let fetched = fetch_trusting(&address, &source, place.path(), limits, certificates);
        fetched.map(|it| it.commit.len()).map_err(|error| error.to_string())
    };
    let get = |path: &str, limits: Limits, certificates: Option<&OsStr>| {
        get_with(path, limits, certificates, "")
    };
    assert_eq!(get_with("private/theirs/.git", LIMITS, certificate, "s3cret"), Ok(40));
    for token in ["", "other"] {
        let refused = get_with("private/theirs/.git", LIMITS, certificate, token);
        let refused = refused.expect_err("it is private");
        assert!(refused.contains("The repository is private or does not exist"), "{refused}");
    }
    assert!(get_with("theirs/.git", LIMITS, certificate, "a\nb").is_err());
    assert_eq!(get("theirs/.git", LIMITS, certificate), Ok(40));
    let small = Limits { bytes: 1 << 18, ..LIMITS };
    for (path, limits, certificates, expected) in [
        ("theirs/.git", LIMITS, None, "certificate"),
        ("away/theirs/.git", LIMITS, certificate, "Redirects are not followed"),
        ("none/.git", LIMITS, certificate, "not found"),
        ("theirs/.git", small, certificate, "exceeds a limit of size"),
    ] {
        let refused = get(path, limits, certificates).expect_err(expected);
        assert!(refused.contains(expected), "{expected}: {refused}");
    }
}

#[test]
fn a_server_that_does_not_answer_is_left() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let address = Address::parse(&format!("https://127.0.0.1:{port}/a.git")).expect("one");
    let place = tempfile::tempdir().expect("a directory");
    let limits = Limits { time: Duration::from_millis(500), ..LIMITS };
    let refused = fetch(&address, &Source::default(), place.path(), limits).expect_err("no answer");
    assert!(refused.to_string().contains("took longer than"), "{refused}");
}

#[test]
fn addresses_and_branches_are_checked() {
    let host = |text: &str| Address::parse(text).map(|address| address.host().to_string());
    assert_eq!(host("https://Git.Example.org/a/b.git"), Ok("git.example.org".into()));
    assert_eq!(host("https://x:8443/a"), Ok("x:8443".into()));
    assert_eq!(host("https://x:443/a"), Ok("x".into()));
    for text in [
        "",
        "http://x/a",
        "file:///etc",
        "ssh://x/a",
        "git@x:a",
        "https://x",
        "https://x/",
        "https:///a",
        "https://a:b@x/c",
        "https://x/a?b",
        "https://x:port/a",
        "https://-x/a",
        "https://x/a b",
        "ext::sh -c id",
        "--upload-pack=id",
    ] {
        assert!(Address::parse(text).is_err(), "{text}");
    }
    assert!(is_branch("") && is_branch("main") && is_branch("team/red-2"));
    for name in ["-x", "a..b", "a b", "a:b", "/a", "a/", ".a", "a/.b", "a.lock", "a~1", "é"] {
        assert!(!is_branch(name), "{name}");
    }
    assert_eq!(parse_hosts(" B.org, a.org\nb.org "), Ok(vec!["a.org".into(), "b.org".into()]));
    assert!(parse_hosts("https://a.org").is_err() && parse_hosts("").is_ok_and(|it| it.is_empty()));
}
