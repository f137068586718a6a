//! The pictures of the book: those that can be made again byte for byte are what `docs/pictures/make`
//! makes now.

use crate::command::{BOTYARD, Desk, finish, repository};
use std::fs;
use std::process::{Command, Stdio};

#[test]
fn the_drawings_of_the_book_are_those_that_the_program_makes() {
    let desk = Desk::new();
    let make = repository("docs/pictures/make");
    let mut command = Command::new("sh");
    command.arg(&make).arg("svg").env("BOTYARD", BOTYARD).env("OUT", desk.path(""));
    // The user's own settings have no effect.
    command.env("HOME", desk.path(""));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let ran = finish(command.spawn().expect("sh starts"));
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let mut compared = 0;
    for entry in fs::read_dir(repository("docs/pictures")).expect("the pictures") {
        let kept = entry.expect("an entry").path();
        if kept.extension().is_none_or(|ending| ending != "svg") {
            continue;
        }
        let name = kept.file_name().expect("a file").to_string_lossy().into_owned();
        let made = fs::read(desk.path(&name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let is_same = made == fs::read(&kept).expect("a picture");
        assert!(is_same, "{name} has changed: run `just pictures`, and look at the difference");
        compared += 1;
    }
    assert_eq!(compared, 6);
}

#[test]
fn the_drawings_of_the_gallery_are_those_that_the_program_makes() {
    let desk = Desk::new();
    let mut command = Command::new("python3");
    command.arg(repository("docs/pictures/gallery/make")).arg("--pictures");
    command.env("BOTYARD", BOTYARD).env("OUT", desk.path("")).env("HOME", desk.path(""));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let ran = finish(command.spawn().expect("python3 starts"));
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let drawings = fs::read_dir(repository("docs/pictures/gallery")).expect("the drawings");
    let drawings = drawings.map(|entry| entry.expect("an entry").path());
    let kept: Vec<_> =
        drawings.filter(|path| path.extension().is_some_and(|ending| ending == "svg")).collect();
    assert_eq!(kept.len(), 10);
    for kept in kept {
        let name = kept.file_name().expect("a file").to_string_lossy().into_owned();
        let made = fs::read(desk.path(&name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let is_same = made == fs::read(&kept).expect("a drawing");
        assert!(
            is_same,
            "{name} has changed: run docs/pictures/gallery/make, and look at the difference"
        );
    }
}

/// Pictures are loaded with the pages that show them.
#[test]
fn the_pictures_of_the_book_are_small() {
    for entry in fs::read_dir(repository("docs/pictures")).expect("the pictures") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().to_string_lossy().into_owned();
        // Screenshots of pages have many colours at the edges of letters.
        let most = match name.as_str() {
            name if name.ends_with(".gif") => 600_000,
            name if name.starts_with("page-") => 300_000,
            _ => 150_000,
        };
        let bytes = entry.metadata().expect("a file").len();
        assert!(bytes <= most, "{name} has {bytes} bytes, expected at most {most}");
    }
}
