//! Golden files: output recorded when it was last verified. A person decides whether a difference
//! is progress or a mistake, and has the files rewritten.

use std::path::Path;

/// Compares a text with the golden file of its name, line by line. With `UPDATE_GOLDEN` set in the
/// environment it writes the file instead, and the change then shows in the diff.
///
/// # Panics
///
/// At the first line that differs, or if the file cannot be read or written.
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
