//! Golden files: texts exactly as they were when they were last known to be right. Whether a
//! difference is progress or a mistake is for a person to say, who has them written anew.

use std::path::Path;

/// Compares a text with the golden file of its name, line by line; with `UPDATE_GOLDEN` set in the
/// environment it writes the file instead, and the change then shows in the diff.
///
/// # Panics
///
/// At the first line that differs, and where the file cannot be read or written.
pub fn compare(file: &Path, now: &str) {
    let name = file.display();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let folder = file.parent().expect("a file is in a folder");
        std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(file, now))
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        return;
    }
    let then = std::fs::read_to_string(file)
        .unwrap_or_else(|error| panic!("{name}: {error}; UPDATE_GOLDEN=1 writes it"));
    for (number, (now, then)) in (1..).zip(now.lines().zip(then.lines())) {
        assert_eq!(now, then, "{name}, line {number}");
    }
    assert_eq!(now.lines().count(), then.lines().count(), "{name}: its length");
}
