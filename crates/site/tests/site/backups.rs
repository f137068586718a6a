//! Backups while the site runs, and what is made of them.

use crate::client::{Class, PASSWORD, Visitor, serve};
use botyard_site::{backup, restore};
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
