//! Stores of tournaments that earlier versions wrote: every later version reads and resumes them.
//!
//! `data/stores` has one for each format, as dumped by SQLite. All are of one tournament of three
//! bots and a rejected one, interrupted after 13 of 24 games, of which 10 were rejudged: two or three
//! of these have another result, which was applied. Formats 4 and 5 were written by `botyard` of
//! their time, 2 and 3 by the store of their time from games of the same tournament, and that of
//! format 3 draws from a secret.

use crate::command::{Desk, Ran};
use rusqlite::Connection;
use std::fs;

const DIRECTORY: &str = "cup.tournament";

/// The format that this version writes.
const LATEST: i64 = 5;

/// Name, games, wins and losses of a bot.
type Row<'a> = (&'a str, u32, u32, u32);

/// The standings of every store, as it is.
const INTERRUPTED: [Row<'static>; 4] =
    [("ben", 10, 9, 1), ("anna", 8, 2, 6), ("carl", 8, 2, 6), ("dora", 0, 0, 0)];

/// Writes the store of a format into the directory of a tournament.
fn store_of_format(format: i64) -> Desk {
    let desk = Desk::new();
    fs::create_dir(desk.path(DIRECTORY)).unwrap();
    let name = format!("tests/system/data/stores/format_{format}.sql");
    let text = fs::read_to_string(crate::command::repository(&name)).unwrap();
    let store = open(&desk);
    store.execute_batch(&text).unwrap();
    let file: String = value(&store, "SELECT value FROM tournament WHERE key = 'file'");
    fs::write(desk.path(DIRECTORY).join("tournament.toml"), file).unwrap();
    assert_eq!(format_of(&desk), format);
    desk
}

fn open(desk: &Desk) -> Connection {
    Connection::open(desk.path(DIRECTORY).join("tournament.db")).unwrap()
}

fn value<T: rusqlite::types::FromSql>(store: &Connection, query: &str) -> T {
    store.query_row(query, [], |row| row.get(0)).unwrap()
}

fn format_of(desk: &Desk) -> i64 {
    value(&open(desk), "PRAGMA user_version")
}

/// Returns the games of each generation that have a result.
fn games_of(desk: &Desk) -> [i64; 2] {
    [0, 1].map(|generation| {
        let query = format!(
            "SELECT count(*) FROM games WHERE generation = {generation} AND points IS NOT NULL"
        );
        value(&open(desk), &query)
    })
}

/// Returns the rows of the standings, without what a later version may calculate in another way.
fn standings(desk: &Desk) -> Vec<(String, u32, u32, u32)> {
    let csv = desk.done(&["tournament", "standings", DIRECTORY, "--format", "csv"]);
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    let column = |name: &str| header.iter().position(|column| *column == name).expect(name);
    let [bot, games, won, lost] = ["bot", "games", "won", "lost"].map(column);
    let number = |text: &str| text.parse::<u32>().expect("a number");
    lines
        .map(|row| (row[bot].to_string(), number(row[games]), number(row[won]), number(row[lost])))
        .collect()
}

fn is(found: &[(String, u32, u32, u32)], expected: &[Row<'_>]) -> bool {
    let found = found.iter().map(|(name, games, won, lost)| (name.as_str(), *games, *won, *lost));
    found.eq(expected.iter().copied())
}

#[test]
fn stores_of_every_format_have_the_same_standings_and_are_resumed() {
    for format in 2..=LATEST {
        let desk = store_of_format(format);
        let before = standings(&desk);
        assert!(is(&before, &INTERRUPTED), "format {format}: {before:?}");
        let table = desk.done(&["tournament", "standings", DIRECTORY]);
        assert!(
            table.contains("dora was rejected by the gate: it could not be started"),
            "{table}"
        );
        desk.done(&["tournament", "check", DIRECTORY]);
        assert_eq!(format_of(&desk), format, "reading changes no store");
        assert_eq!(games_of(&desk), [13, 10], "format {format}");

        desk.done(&["tournament", "resume", DIRECTORY]);
        assert_eq!(format_of(&desk), LATEST);
        assert_eq!(games_of(&desk), [24, 10], "format {format}");
        desk.done(&["tournament", "check", DIRECTORY]);
        for (name, games, won, lost) in standings(&desk) {
            let expected = if name == "dora" { 0 } else { 16 };
            assert_eq!((games, won + lost), (expected, expected), "format {format}: {name}");
        }
        let notes: i64 = value(&open(&desk), "SELECT count(*) FROM audit WHERE what = 'resumed'");
        assert_eq!(notes, 1, "format {format}");
    }
}

/// A tournament whose bots were not copied at its start is played, but not changed.
#[test]
fn a_store_without_copies_of_its_bots_is_not_extended() {
    let desk = store_of_format(4);
    for args in [&["update", DIRECTORY, "anna"][..], &["extend", DIRECTORY]] {
        let ran = desk.run(&[&["tournament"], args].concat());
        assert_eq!(ran.code, Some(2), "{ran:#?}");
        assert!(ran.stderr.contains("kept no copies of its bots: it can be resumed"), "{ran:#?}");
    }
}

#[test]
fn a_store_of_a_later_format_is_refused_by_every_verb() {
    let desk = store_of_format(LATEST);
    open(&desk).pragma_update(None, "user_version", LATEST + 1).unwrap();
    let whole = fs::read(desk.path(DIRECTORY).join("tournament.db")).unwrap();
    for verb in ["standings", "resume", "check", "recover", "rejudge", "page", "extend"] {
        let Ran { code, stdout, stderr } = desk.run(&["tournament", verb, DIRECTORY]);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{verb}: {stderr}");
        for part in [
            "tournament.db was written by a later version of Botyard",
            "its format is 6, this version knows formats up to 5",
            "use that version or a later one",
        ] {
            assert!(stderr.contains(part), "{verb}: {stderr}");
        }
    }
    assert_eq!(fs::read(desk.path(DIRECTORY).join("tournament.db")).unwrap(), whole);
}
