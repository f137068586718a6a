//! Backups while the site runs, and what is made of them.

use crate::client::{Class, PASSWORD, Visitor, programs, serve};
use botyard_site::{archive, backup, forget, preview_forgetting, restore};
use std::fs;

#[test]
fn a_backup_of_a_running_site_has_everything() {
    let (class, _) = Class::joined();
    let place = class.place.path();
    let (from, file, to) = (place.join("class"), place.join("backup.zip"), place.join("restored"));
    let copied = backup(&from, &file).expect("a backup");
    assert!(copied.files >= 2 && copied.bytes > 0, "{copied:?}");
    let again = backup(&from, &file).expect_err("the file exists").to_string();
    assert!(again.contains("exists: name a new file"), "{again}");
    // What happens later is not in it.
    let mut anna = class.signed_in("1");
    let fields = [("current", PASSWORD), ("password", "another password")];
    assert_eq!(anna.post("/account/password", &fields).status, 303);

    let restored = restore(&file, &to).expect("a class");
    assert_eq!(restored.files, copied.files);
    let full = restore(&file, &to).expect_err("it has files").to_string();
    assert!(full.contains("has files"), "{full}");
    let server = serve(to, false, None);
    let mut visitor = Visitor::new(&server.address());
    let signed_in = visitor.post("/login", &[("account", "1"), ("password", PASSWORD)]);
    assert_eq!(signed_in.status, 303, "{}", signed_in.text);
    let left: Vec<_> = fs::read_dir(place).expect("it is ours").flatten().collect();
    assert_eq!(left.len(), 3, "nothing unfinished is left: {left:?}");
}

#[cfg(unix)]
#[test]
fn only_the_owner_reads_a_backup_and_what_is_made_of_it() {
    use std::os::unix::fs::PermissionsExt;
    let class = Class::new();
    let place = class.place.path();
    let (file, to) = (place.join("backup.zip"), place.join("restored"));
    backup(&place.join("class"), &file).expect("a backup");
    restore(&file, &to).expect("a class");
    for path in [file, to.join("site.db")] {
        let mode = fs::metadata(&path).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{}", path.display());
    }
}

#[test]
fn an_archive_has_pages_without_names_and_is_a_backup_too() {
    let (class, _) = Class::joined();
    let place = class.place.path();
    let (from, file, to) = (place.join("class"), place.join("archive.zip"), place.join("restored"));
    let archived = archive(&from, &file, &programs()).expect("an archive");
    assert_eq!(archived.pages, 2, "no final was played");
    let mut zip = zip::ZipArchive::new(fs::File::open(&file).expect("a file")).expect("a zip file");
    for page in ["pages/index.html", "pages/ladder.html"] {
        let text = std::io::read_to_string(zip.by_name(page).expect("a page")).expect("text");
        assert!(text.contains("reference greedy") || page.ends_with("index.html"), "{text}");
        for name in ["Anna", "anna@", "red"] {
            assert!(!text.contains(&format!(">{name}")), "{name}: {text}");
        }
        assert!(!text.contains("http://") && !text.contains("https://"), "{text}");
    }
    let restored = restore(&file, &to).expect("a class");
    assert_eq!(restored.files, archived.copied.files);
    assert!(!to.join("pages").exists());
}

#[test]
fn an_administrator_downloads_an_archive() {
    let (class, mut admin) = Class::joined();
    assert!(admin.get("/personal-data").text.contains("href=\"/class.zip\""));
    assert!(!class.signed_in("9").get("/personal-data").text.contains("/class.zip"));
    let reply = admin.get("/class.zip");
    assert_eq!(reply.header("content-disposition"), "attachment; filename=\"class.zip\"");
    let place = class.place.path();
    let (file, to) = (place.join("downloaded.zip"), place.join("restored"));
    fs::write(&file, &reply.body).expect("it is ours");
    restore(&file, &to).expect("a class");
    let server = serve(to, false, None);
    let mut visitor = Visitor::new(&server.address());
    let signed_in = visitor.post("/login", &[("account", "1"), ("password", PASSWORD)]);
    assert_eq!(signed_in.status, 303, "{}", signed_in.text);
    let left = fs::read_dir(place.join("class/uploads")).expect("it is ours").count();
    assert_eq!(left, 0, "nothing unfinished is left");
    assert!(admin.get("/audit").text.contains("downloaded an archive of the class"));
}

#[test]
fn personal_data_are_deleted_after_the_stated_time() {
    let (class, mut admin) = Class::joined();
    assert!(class.signed_in("1").get("/personal-data").text.contains("No time is stated"));
    let past = [("until", "2020-01-01T00:00"), ("reason", "the law")];
    assert_eq!(admin.post("/personal-data", &past).status, 303);
    assert!(class.signed_in("1").get("/personal-data").text.contains("2020-01-01"));
    assert!(admin.get("/desk").text.contains("botyard site forget"));
    let directory = class.place.path().join("class");
    let served = preview_forgetting(&directory).expect_err("it is served").to_string();
    assert!(served.contains("stop it first"), "{served}");
    let Class { place, server } = class;
    drop(server);
    assert_eq!(preview_forgetting(&directory).expect("a class").people, 6);
    assert_eq!(forget(&directory, false).expect("deleted").people, 6);
    let server = serve(directory, false, None);
    let mut admin = Visitor::new(&server.address());
    let fields = [("account", "root@x.org"), ("password", PASSWORD)];
    assert_eq!(admin.post("/login", &fields).status, 303, "administrators stay");
    let roster = admin.get("/roster").text;
    assert!(roster.contains("Person 2") && !roster.contains("Anna"), "{roster}");
    let mut anna = Visitor::new(&server.address());
    assert_ne!(anna.post("/login", &[("account", "1"), ("password", PASSWORD)]).status, 303);
    drop((server, place));
}

#[test]
fn what_is_no_class_is_refused() {
    let place = tempfile::tempdir().expect("a directory");
    let error =
        backup(place.path(), &place.path().join("b.zip")).expect_err("no class").to_string();
    assert!(error.contains("there is no class in"), "{error}");
    let file = place.path().join("text.zip");
    fs::write(&file, "text").expect("it is ours");
    let error = restore(&file, &place.path().join("new")).expect_err("no zip").to_string();
    assert!(error.contains("is no backup of a class"), "{error}");
}
