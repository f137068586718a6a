//! What students send: why it is refused, that nothing of another team can be seen, and the limits.

use crate::client::{Class, Visitor};
use std::io::{Cursor, Write};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const MANIFEST: &str = "run = \"python3 bot.py\"\n";

type Written = ZipWriter<Cursor<Vec<u8>>>;

fn archive(write: impl FnOnce(&mut Written)) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    write(&mut writer);
    writer.finish().expect("an archive").into_inner()
}

fn with(files: &[(&str, &[u8])]) -> Vec<u8> {
    archive(|writer| {
        for (name, content) in files {
            writer.start_file(*name, SimpleFileOptions::default()).expect("an entry");
            writer.write_all(content).expect("memory");
        }
    })
}

/// Returns an archive of a bot with this program.
pub fn bot(text: &str) -> Vec<u8> {
    with(&[("bot.toml", MANIFEST.as_bytes()), ("bot.py", text.as_bytes())])
}

fn submit(visitor: &mut Visitor, file: &[u8]) -> (u16, String, String) {
    let reply = visitor.upload("/team/submissions", "bot.zip", file);
    (reply.status, reply.header("location").to_string(), reply.text)
}

#[test]
fn a_refused_archive_says_why() {
    let (class, _) = Class::joined();
    let mut anna = class.signed_in("1");
    let link = archive(|writer| {
        let options = SimpleFileOptions::default();
        writer.add_symlink("key", "/etc/passwd", options).expect("an entry");
    });
    let zeros = vec![0; 101 << 20];
    let many: Vec<String> = (0..2001).map(|number| format!("f{number}")).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|name| (name.as_str(), &b""[..])).collect();
    let deep = format!("{}bot.toml", "a/".repeat(40));
    for (file, expected) in [
        (b"#!/bin/sh\n".to_vec(), "the file is no zip archive"),
        (with(&[("readme", b"x")]), "bot.toml"),
        (with(&[("../bot.toml", b"x")]), "which leads out of the directory of the bot"),
        (with(&[("/etc/bot.toml", b"x")]), "which does not begin in the directory of the bot"),
        (with(&[(&deep, b"x")]), "directories deep"),
        (with(&many), "2001 entries, and may have 2000"),
        (with(&[("zeros", &zeros)]), "unpacks to more than 100 MiB"),
        (link, "is a link or a device: send files and directories alone"),
        (with(&[("bot.toml", b"command = 7")]), "bot.toml"),
        (
            with(&[
                ("bot.toml", MANIFEST.as_bytes()),
                ("bot.py", b"1"),
                (
                    "net/w.bin",
                    b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n",
                ),
            ]),
            "net/w.bin&quot; is a pointer of Git LFS",
        ),
    ] {
        let (status, _, text) = submit(&mut anna, &file);
        assert!(status == 400 && text.contains(expected), "{expected}: {status} {text}");
        assert!(!text.contains(&class.place.path().display().to_string()), "{text}");
    }
    let (status, _, text) = submit(&mut anna, &vec![b'x'; 21 << 20]);
    assert!(status == 413 && text.contains("The file has more than 20 MiB"), "{status} {text}");
    assert!(anna.get("/team").text.contains("None yet."), "nothing was accepted");
    let left = std::fs::read_dir(class.place.path().join("class/uploads")).expect("a directory");
    assert_eq!(left.count(), 0, "nothing is left");
}

#[test]
fn nothing_of_another_team_is_seen_by_guessing() {
    let (class, mut admin) = Class::joined();
    let mut anna = class.signed_in("1");
    let (status, page, text) = submit(&mut anna, &bot("print('<script>alert(1)</script>')"));
    assert_eq!(status, 303, "{text}");
    let own = anna.get(&page);
    assert!(own.status == 200 && own.text.contains("Version 1"), "{}", own.text);
    assert_eq!(class.signed_in("2").get(&page).status, 200, "a member of the team");
    assert_eq!(class.signed_in("8").get(&page).status, 200, "an assistant");
    let mut cy = class.signed_in("3");
    let team = admin.get("/roster").text;
    assert!(team.contains("red"), "{team}");
    for address in [page.clone(), format!("{page}/events"), "/teams/1".into()] {
        let reply = cy.get(&address);
        assert_eq!(reply.status, 404, "{address}: {}", reply.text);
    }
    for address in [&page, "/teams/1"] {
        assert_ne!(class.signed_in("7").get(address).status, 200, "a guest: {address}");
    }

    // Equal files are flagged for the staff, and the student hears nothing of it.
    let (status, same, _) = submit(&mut cy, &bot("print('<script>alert(1)</script>')"));
    assert_eq!(status, 303);
    assert!(!cy.get(&same).text.contains("same files"));
    assert!(admin.get(&same).text.contains("The same files were submitted by: red"));
    assert!(admin.get("/audit").text.contains("equal sources"));
    let (status, _, text) = submit(&mut cy, &bot("print('<script>alert(1)</script>')"));
    assert!(status == 400 && text.contains("the files of version 1, the newest one"), "{text}");
}

#[test]
fn branches_are_fetched_from_allowed_hosts_alone() {
    let (class, mut admin) = Class::joined();
    let mut anna = class.signed_in("1");
    let submit = |visitor: &mut Visitor, address: &str, branch: &str| {
        let reply = visitor.post("/team/git", &[("address", address), ("branch", branch)]);
        assert!(reply.status >= 400, "{}", reply.text);
        reply.text
    };
    assert!(!anna.get("/team").text.contains("Submit from a git repository"), "off by default");
    let text = submit(&mut anna, "https://git.example.org/a.git", "");
    assert!(text.contains("git.example.org is not an allowed host"), "{text}");
    // Nothing listens on this port of the host.
    let hosts = [("hosts", "git.example.org, 127.0.0.1:1"), ("reason", "for the test")];
    assert_eq!(admin.post("/event/git", &hosts).status, 303);
    assert!(anna.get("/team").text.contains("127.0.0.1:1, git.example.org"));
    for (address, branch, expected) in [
        ("http://git.example.org/a", "", "Expected https://HOST/PATH"),
        ("file:///etc", "", "Expected https://HOST/PATH"),
        ("https://me:secret@git.example.org/a", "", "would be stored"),
        ("https://127.0.0.1/a", "", "127.0.0.1 is not an allowed host"),
        ("https://127.0.0.1:1/a", "--upload-pack=x", "Expected the name of a branch"),
        ("https://127.0.0.1:1/a", "main", "Not accepted: git: fatal: unable to access"),
    ] {
        let text = submit(&mut anna, address, branch);
        assert!(text.contains(expected), "{address} {branch}: {text}");
        assert!(!text.contains(&class.place.path().display().to_string()), "{text}");
    }
    assert_eq!(admin.post("/event/git", &[("hosts", "a b/c"), ("reason", "x")]).status, 400);
    assert_eq!(admin.post("/event/git", &[("hosts", ""), ("reason", "off again")]).status, 303);
    assert!(submit(&mut anna, "https://git.example.org/a", "").contains("not an allowed host"));
    assert!(admin.get("/audit").text.contains("set the git hosts"));
    let left = std::fs::read_dir(class.place.path().join("class/uploads")).expect("a directory");
    assert_eq!(left.count(), 0, "nothing is left");
}

#[test]
fn files_in_a_short_time_and_in_a_day_are_limited() {
    let (class, mut admin) = Class::joined();
    let mut anna = class.signed_in("1");
    for _ in 0..20 {
        assert_eq!(submit(&mut anna, b"x").0, 400);
    }
    let (status, _, text) = submit(&mut anna, b"x");
    assert!(status == 429 && text.contains("You sent 20 files in a short time"), "{text}");
    let mut ben = class.signed_in("2");
    assert_eq!(submit(&mut ben, &bot("1")).0, 303, "the limit is a person's");

    // After the deadline nothing is accepted, but for a team with an extension.
    let past = [("until", "2020-01-01T00:00"), ("reason", "the end")];
    assert_eq!(admin.post("/deadline", &past).status, 303);
    let (status, _, text) = submit(&mut ben, &bot("2"));
    assert!(status == 400 && text.contains("submissions ended at 2020-01-01"), "{text}");
    let longer = [("team", "1"), ("until", "2120-01-01T00:00"), ("reason", "ill")];
    assert_eq!(admin.post("/deadline/extensions", &longer).status, 303);
    assert_eq!(submit(&mut ben, &bot("3")).0, 303);
    assert!(admin.get("/audit").text.contains("changed the deadline"));
}
