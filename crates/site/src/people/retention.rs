//! Personal data: until when they are kept, and their deletion. What stays are the conditions, the games as
//! numbers, ratings, and who did what without names; the administrators stay as well.

use crate::files::Statements;
use crate::files::database::{self, Database, now};
use crate::files::directory::{self, ClassDirectory};
use botyard_runner::Error;
use rusqlite::{OptionalExtension, Transaction, params};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The directories with what students submitted and what their bots did.
const FILES: [&str; 5] = ["sources", "bundles", "replays", "uploads", "builds"];

/// What is deleted, or would be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forgotten {
    /// Until when the data are kept, in seconds since 1970. `None`: nothing is stated.
    pub until: Option<i64>,
    /// People whose names, IDs, addresses, groups and passwords are deleted.
    pub people: u64,
    /// Teams whose names and aliases are deleted.
    pub teams: u64,
    /// Submissions whose names, logs and reasons are deleted.
    pub submissions: u64,
    /// Frozen copies of grades, which are deleted.
    pub grades: u64,
    /// Entries of the audit whose names and details are deleted.
    pub audit: u64,
    /// Files that are deleted: submissions, built bots, replays.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// Sets until when the data are kept.
pub(crate) fn set(
    transaction: &Transaction<'_>,
    until: Option<i64>,
    reason: &str,
    person: i64,
) -> rusqlite::Result<()> {
    transaction.change(
        "INSERT INTO retention(until, reason, person, at) VALUES (?1, ?2, ?3, ?4)",
        params![until, reason, person, now()],
    )
}

/// Returns until when the data are kept, in seconds since 1970; `None` if nothing is stated.
pub(crate) fn until(transaction: &Transaction<'_>) -> rusqlite::Result<Option<i64>> {
    let last =
        transaction.value("SELECT until FROM retention ORDER BY id DESC LIMIT 1", []).optional()?;
    Ok(last.flatten())
}

/// Returns what [`forget`] would delete. No site may serve the class.
///
/// # Errors
///
/// There is no class in the directory, a site serves it, or the host fails.
pub fn preview(class: &Path) -> Result<Forgotten, Error> {
    let (directory, database) = open(class)?;
    counted(&directory, &database)
}

/// Deletes the personal data of a class. May be repeated if it was interrupted. No site may serve the class.
///
/// # Errors
///
/// The stated time has not passed, unless `is_early` is set; those of [`preview`].
pub fn forget(class: &Path, is_early: bool) -> Result<Forgotten, Error> {
    let (directory, database) = open(class)?;
    let forgotten = counted(&directory, &database)?;
    if !is_early && forgotten.until.is_none_or(|until| until > now()) {
        return Err(Error::usage(match forgotten.until {
            Some(_) => "the data are kept for longer: state another time on the page Personal data",
            None => "no time is stated: state one on the page Personal data",
        }));
    }
    let kept = database.write(bundles_of_games)?;
    database.write(delete)?;
    // After the database names none of them.
    for name in FILES {
        let path = directory.path().join(name);
        for entry in fs::read_dir(&path).into_iter().flatten().flatten() {
            if kept.iter().any(|bundle| entry.file_name() == bundle.as_str()) {
                continue;
            }
            directory::remove(&entry.path()).map_err(|error| {
                Error::host(format!("{} cannot be deleted: {error}", entry.path().display()))
            })?;
        }
    }
    database.compact()?;
    Ok(forgotten)
}

/// Returns the names of the copies of the games that events were played with, which have no data of a person.
fn bundles_of_games(transaction: &Transaction<'_>) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT kept ->> '$.bundle.files' FROM event_games WHERE kept ->> '$.bundle.files' IS NOT NULL";
    transaction.rows(sql, [], |row| row.get(0))
}

fn open(class: &Path) -> Result<(ClassDirectory, Database), Error> {
    if !class.join(database::FILE).is_file() {
        let (shown, file) = (class.display(), database::FILE);
        return Err(Error::usage(format!("there is no class in {shown}: it has no {file}")));
    }
    // First, because it clears what an ended process has left.
    let database = Database::open(&class.join(database::FILE))?;
    Ok((ClassDirectory::open(class)?, database))
}

fn counted(directory: &ClassDirectory, database: &Database) -> Result<Forgotten, Error> {
    let mut forgotten = database.write(|transaction| {
        let number = |sql: &str| {
            let count = transaction.query_row(sql, [], |row| row.get::<_, i64>(0));
            count.map(i64::unsigned_abs)
        };
        Ok(Forgotten {
            until: until(transaction)?,
            people: number(
                "SELECT COUNT(*) FROM people WHERE role <> 'admin' AND name <> 'Person ' || id",
            )?,
            teams: number("SELECT COUNT(*) FROM teams WHERE name <> 'Team ' || id")?,
            submissions: number("SELECT COUNT(*) FROM submissions WHERE source <> ''")?,
            grades: number("SELECT COUNT(*) FROM grades")?,
            audit: number("SELECT COUNT(*) FROM audit WHERE person IS NOT NULL OR detail <> '' OR subject <> ''")?,
            ..Forgotten::default()
        })
    })?;
    let add = |path: PathBuf, forgotten: &mut Forgotten| {
        add_size(&path, forgotten)
            .map_err(|error| Error::host(format!("{} cannot be read: {error}", path.display())))
    };
    for name in FILES {
        add(directory.path().join(name), &mut forgotten)?;
    }
    let mut kept = Forgotten::default();
    for bundle in database.write(bundles_of_games)? {
        add(directory.bundles().join(bundle), &mut kept)?;
    }
    forgotten.files = forgotten.files.saturating_sub(kept.files);
    forgotten.bytes = forgotten.bytes.saturating_sub(kept.bytes);
    Ok(forgotten)
}

/// Adds the files in a directory, if it exists. Links are not followed.
fn add_size(path: &Path, forgotten: &mut Forgotten) -> io::Result<()> {
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            add_size(&entry.path(), forgotten)?;
        } else {
            forgotten.files += 1;
            forgotten.bytes += entry.metadata()?.len();
        }
    }
    Ok(())
}

/// Deletes what the database has of people.
fn delete(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch(
        "DELETE FROM sessions;
         DELETE FROM links;
         DELETE FROM attempts;
         DELETE FROM tokens;
         DELETE FROM log;
         DELETE FROM grade_releases;
         DELETE FROM grades;
         DELETE FROM points;
         DELETE FROM answers;
         DELETE FROM questions;
         DELETE FROM announcements;
         DELETE FROM sign_ins;
         DELETE FROM resets;
         DELETE FROM mail;
         DELETE FROM roster_previews;
         DELETE FROM imports;
         UPDATE rejudges SET state = 'dropped' WHERE state = 'open';
         UPDATE rejudges SET choice = '', reason = '', decided_reason = '';
         UPDATE people SET student_id = NULL, name = 'Person ' || id, email = '', section = '', join_code = NULL,
           password = NULL WHERE role <> 'admin';
         -- Another team may have the name that a team gets.
         UPDATE teams SET name = hex(randomblob(16)), alias = NULL;
         DELETE FROM active;
         UPDATE teams SET name = 'Team ' || id;
         UPDATE submissions SET state = 'superseded' WHERE state IN ('queued', 'working');
         UPDATE submissions SET file = '', source = '', commit_id = NULL, reason = '', bundle = NULL, declared = '';
         UPDATE blocks SET state = 'dropped' WHERE state = 'open';
         UPDATE decisions SET reason = '';
         UPDATE deadlines SET reason = '';
         UPDATE freezes SET reason = '';
         UPDATE steps SET reason = '';
         UPDATE undone_steps SET reason = '', taken_reason = '';
         UPDATE git_hosts SET reason = '';
         UPDATE time_zones SET reason = '';
         UPDATE reminders SET reason = '';
         UPDATE audit SET person = NULL, subject = '', detail = '';",
    )?;
    crate::people::audit::note(transaction, None, "deleted the personal data", "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::people::{self, Role, roster, tokens};
    use crate::submissions::{self, Files};

    #[test]
    fn nothing_about_a_student_is_left_and_the_games_are() {
        let place = tempfile::tempdir().expect("a directory");
        let class = place.path().join("class");
        let directory = ClassDirectory::open(&class).expect("a new one");
        let database = Database::open(&directory.database()).expect("a new one");
        let written = database.transaction(|transaction| {
            let admin = people::first_admin(transaction)?;
            let rows = "student_id,name,email,group,team\n4711,Zoe Secret,zoe@x.org,Monday,Team 2\n\
                        4712,Yan Secret,yan@x.org,Monday,blue\n";
            let rows = roster::read(rows).expect("a roster");
            roster::import(transaction, &rows, Role::Admin).expect("new people");
            let zoe = people::with_student_id(transaction, "4711")?.expect("imported");
            tokens::make(transaction, zoe.id, "Zoe's laptop").expect("random numbers");
            let team = zoe.team.expect("a team");
            let files =
                Files { name: "zoe.zip", source: "abc", commit: Some("f00"), competition: 1 };
            let id = submissions::add(transaction, (team, zoe.id), files)?;
            submissions::log(transaction, id, "Zoe's log\n")?;
            people::audit::note(transaction, Some(zoe.id), "did it", "Zoe's detail")?;
            people::set_alias(transaction, team, "Zoe's bot")?;
            transaction.execute_batch(
                r#"INSERT INTO events(id, text, draws, began_at) VALUES (1, '', '', 0);
                   INSERT INTO event_games(event, name, kept, source, at)
                   VALUES (1, 'nim', '{"bundle":{"files":"f00"}}', '', 0)"#,
            )?;
            set(transaction, Some(now() + 1000), "the law", admin)
        });
        written.expect("SQLite works");
        fs::create_dir_all(class.join("sources/abc")).expect("it is ours");
        fs::write(class.join("sources/abc/bot.py"), "# Zoe").expect("it is ours");
        // The game is no student's, and replays need it.
        fs::create_dir_all(class.join("bundles/f00")).expect("it is ours");
        fs::write(class.join("bundles/f00/game.py"), "rules").expect("it is ours");
        let served = preview(&class).expect_err("it is served").to_string();
        assert!(served.contains("another `botyard serve`"), "{served}");
        drop(database);

        let expected = preview(&class).expect("a class");
        assert_eq!((expected.people, expected.teams, expected.submissions), (2, 2, 1));
        assert_eq!((expected.files, expected.bytes), (1, 5));
        let refused = forget(&class, false).expect_err("too early").to_string();
        assert!(refused.contains("kept for longer"), "{refused}");
        assert_eq!(preview(&class).expect("a class"), expected, "nothing has changed");
        assert_eq!(forget(&class, true).expect("deleted"), expected);
        let after = preview(&class).expect("a class");
        assert_eq!((after.people, after.teams, after.submissions, after.files), (0, 0, 0, 0));
        assert!(class.join("bundles/f00/game.py").is_file());
        for entry in fs::read_dir(&class).expect("a directory").flatten() {
            if entry.path().is_file() {
                let bytes = fs::read(entry.path()).expect("a file");
                for text in ["Zoe", "zoe", "4711", "Monday", "Yan"] {
                    let is_there = bytes.windows(text.len()).any(|it| it == text.as_bytes());
                    assert!(!is_there, "{text} in {}", entry.path().display());
                }
            }
        }
        let database = Database::open(&directory.database()).expect("the class");
        let kept = database.transaction(|transaction| {
            transaction
                .query_row("SELECT COUNT(*) FROM submissions", [], |row| row.get::<_, i64>(0))
        });
        assert_eq!(kept.expect("a number"), 1, "versions stay as numbers");
    }
}
