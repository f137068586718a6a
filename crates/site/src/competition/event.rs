//! The event: the conditions of all games of a competition, from its file, and the secret that they are drawn from.
//! A file whose settings have changed begins no event by itself once something was played: a teacher decides.

#[cfg(test)]
use super::about;
use super::about::About;
use super::difference::{self, Difference};
use super::game::{self, Adopted, EventGame};
use super::history::{self, Stored, Why};
use crate::files::directory::{ClassDirectory, EVENT};
use crate::files::{Class, Database, Json, Statements, now};
use crate::people::audit;
#[cfg(test)]
use crate::submissions::FIRST;
use botyard_league::schedule::Draws;
use botyard_replay::text_file;
use botyard_runner::settings::{Named, OUTPUT};
use botyard_runner::{Error, MOST_GAMES, Programs, Replays, secret_draws};
use botyard_tournament::Setup;
use rusqlite::{OptionalExtension, Transaction, params};
use std::fs;
use std::path::{Path, PathBuf};

/// The file of a new class.
pub(crate) const NEW: &str = include_str!("../../assets/event.toml");

/// The name of an event whose file gives none.
const STEM: &str = "event";

/// The largest file, in bytes.
const LARGEST: u64 = 1 << 20;

/// An event.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    /// Its number.
    pub id: i64,
    /// The competition.
    pub competition: i64,
    /// Its conditions.
    pub setup: Setup,
    /// The hash of the secret of its games. `None`: they are drawn from the seed in the file.
    pub commitment: Option<String>,
    /// Its game, if the rules are a program.
    pub game: Option<EventGame>,
}

/// Where the files and the events of a class are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    /// The files.
    pub(crate) directory: &'a ClassDirectory,
    /// The database.
    pub(crate) database: &'a Database,
    /// The programs that come with the front end.
    pub(crate) programs: &'a Programs,
}

impl Place<'_> {
    /// Returns the place of an open class.
    pub(crate) fn of(class: &Class) -> Place<'_> {
        let Class { directory, database, programs, .. } = class;
        Place { directory, database, programs }
    }
}

/// The file of a competition as it is now.
#[derive(Clone, Debug)]
pub(crate) struct EventFile {
    /// How messages call it.
    pub(crate) shown: String,
    /// What it has.
    pub(crate) text: String,
}

impl EventFile {
    /// Reads the file of a competition. That of a new class is made first.
    ///
    /// # Errors
    ///
    /// It cannot be read, or is too large.
    pub(crate) fn read(directory: &ClassDirectory, about: &About) -> Result<EventFile, Error> {
        let path = directory.path().join(&about.file);
        let shown = path.display();
        let unusable =
            |error: std::io::Error| Error::host(format!("{shown} cannot be used: {error}"));
        if !path.exists() && about.file == EVENT {
            botyard_league::atomic_file::create(&path, NEW.as_bytes()).map_err(unusable)?;
        }
        if fs::metadata(&path).map_err(unusable)?.len() > LARGEST {
            return Err(Error::usage(format!("{shown} has more than {LARGEST} bytes")));
        }
        let text = text_file::read(&path).map_err(|error| match error.kind() {
            std::io::ErrorKind::InvalidData => Error::usage(format!("{shown}, {error}")),
            _ => unusable(error),
        })?;
        Ok(EventFile { shown: shown.to_string(), text })
    }
}

/// A file whose event is not in force: it is taken up when a teacher says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pending {
    /// What differs, in words, with lines.
    pub(crate) changes: Vec<String>,
    /// Whether the games stay as they are, so that the event continues with them.
    pub(crate) keeps_games: bool,
    /// What is wrong with the file, so that it cannot be taken up.
    pub(crate) problem: Option<String>,
    /// The earlier event with these settings, which is resumed; `None`: a new one begins.
    pub(crate) resumes: Option<i64>,
    /// The event in force, which ends.
    pub(crate) event: i64,
    /// What has happened in it, in words.
    pub(crate) played: String,
    /// The text of the file.
    pub(crate) text: String,
}

impl Pending {
    /// Returns it as a question, in one paragraph.
    pub(crate) fn question(&self, file: &str) -> String {
        if let Some(problem) = &self.problem {
            return format!("{file} has errors, and event {} continues.\n{problem}", self.event);
        }
        let next = match self.resumes {
            Some(event) => format!("resume event {event}, which has these settings"),
            None => "begin a new one".to_string(),
        };
        let changes = self.changes.join("; ");
        if self.keeps_games {
            return format!("{file} differs, without other games: {changes}. Apply it?");
        }
        format!(
            "{file} differs: {changes}. This ends event {} with {}; {next}?",
            self.event, self.played
        )
    }
}

impl Event {
    /// Opens the event of a competition. One without an event begins its first; a file whose settings are those of
    /// the event in force continues it. Other settings begin another event, or resume an earlier one, if nothing was
    /// played or this was `wanted`; else the event in force continues.
    ///
    /// # Errors
    ///
    /// The file has errors and there is no event; the host fails.
    pub(crate) fn open_of(
        place: Place<'_>,
        about: &About,
        wanted: Option<Why<'_>>,
    ) -> Result<Event, Error> {
        let file = EventFile::read(place.directory, about)?;
        let why = wanted.unwrap_or(Why { person: None, reason: "" });
        let last = place.database.write(|transaction| history::in_force(transaction, about.id))?;
        let Some(last) = last else { return begin(place, about, file, None, why) };
        match difference::between(&file.shown, &last.text, &file.text) {
            Difference::None => {}
            Difference::Harmless(changes) => place.database.write(|transaction| {
                history::adopt_text(transaction, last.id, &file.text)?;
                let detail = format!("{}: {}", about.shown(), changes.join("; "));
                audit::note(
                    transaction,
                    why.person,
                    "adopted settings without a new event",
                    &detail,
                )
            })?,
            other => {
                let (played, equal) = place.database.write(|transaction| {
                    let equal = history::equal_to(transaction, about, (last.id, &file.text))?;
                    Ok((history::played(transaction, last.id)?, equal))
                })?;
                let is_broken = matches!(other, Difference::Broken(_));
                if (wanted.is_none() && !played.is_nothing()) || (is_broken && wanted.is_none()) {
                    return Event::of_stored(place, about, last);
                }
                return match equal {
                    Some(earlier) => {
                        place.database.write(|transaction| {
                            history::resume(transaction, about, &earlier, why)
                        })?;
                        Event::of_stored(place, about, earlier)
                    }
                    None => begin(place, about, file, None, why),
                };
            }
        }
        // The directory of a game may have changed, too.
        let is_wanted = wanted.is_some();
        begin(place, about, file, Some((last, is_wanted)), why)
    }

    /// Returns what of the file of a competition waits for a teacher; `None`: its event is in force.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or the database cannot be used.
    pub(crate) fn pending(
        &self,
        place: Place<'_>,
        about: &About,
    ) -> Result<Option<Pending>, Error> {
        let file = EventFile::read(place.directory, about)?;
        let (last, played) = place.database.write(|transaction| {
            Ok((
                history::in_force(transaction, about.id)?,
                history::played(transaction, self.id)?.in_words(),
            ))
        })?;
        let Some(last) = last else { return Ok(None) };
        let note = self.game.as_ref().and_then(|game| game.note.clone());
        let difference = difference::between(&file.shown, &last.text, &file.text);
        let keeps_games = matches!(difference, Difference::Harmless(_)) && note.is_none();
        let (changes, problem) = match difference {
            Difference::Games(changes) => (changes, None),
            Difference::Broken(problem) => (Vec::new(), Some(problem)),
            Difference::Harmless(changes) if keeps_games => (changes, None),
            _ => match note {
                Some(_) => (vec!["the files of the game have changed".to_string()], None),
                None => return Ok(None),
            },
        };
        let equal = place
            .database
            .write(|transaction| history::equal_to(transaction, about, (last.id, &file.text)))?;
        let resumes = equal.filter(|_| problem.is_none()).map(|one| one.id);
        let (event, text) = (self.id, file.text);
        Ok(Some(Pending { changes, keeps_games, problem, resumes, event, played, text }))
    }

    /// Opens the event of the first competition of a class.
    ///
    /// # Errors
    ///
    /// Those of [`Event::open_of`].
    #[cfg(test)]
    pub(crate) fn open(
        directory: &ClassDirectory,
        database: &Database,
        programs: &Programs,
    ) -> Result<Event, Error> {
        let about = database.write(|transaction| about::find(transaction, FIRST))?;
        Event::open_of(Place { directory, database, programs }, &about, None)
    }

    /// Checks that this host can play its games, as many at once as the file says.
    ///
    /// # Errors
    ///
    /// It cannot. If that follows from a setting of the file, the message has its line.
    pub(crate) fn check(&self, programs: &Programs) -> Result<(), Error> {
        let bots = self.setup.bots.clone();
        self.setup.plan(bots, u64::from(MOST_GAMES), Replays::None, None, programs).map(drop)
    }

    /// Returns a stored event of a class.
    ///
    /// # Errors
    ///
    /// A bot of its file is missing.
    pub(crate) fn of_class(
        class: &Path,
        database: &Database,
        programs: &Programs,
        (shown, last): (&str, Stored),
    ) -> Result<Event, Error> {
        let base = class.to_path_buf();
        let adopted = game::stored(class, last.id, database, programs)?;
        let (text, draws) = (last.text, Some(last.draws));
        let setup = setup_of(shown, text, base, draws, adopted.as_ref(), programs)?;
        let game = adopted.map(|adopted| adopted.game(last.id, &setup)).transpose()?;
        let (id, competition) = (last.id, last.competition);
        Ok(Event { id, competition, commitment: setup.draws.commitment(), setup, game })
    }

    /// Returns a stored event of a competition, whatever its file has now.
    ///
    /// # Errors
    ///
    /// A bot of its file is missing.
    pub(crate) fn of_stored(
        place: Place<'_>,
        about: &About,
        stored: Stored,
    ) -> Result<Event, Error> {
        let class = place.directory.path();
        let shown = class.join(&about.file).display().to_string();
        Event::of_class(class, place.database, place.programs, (&shown, stored))
    }

    /// Returns an event under the same conditions whose games are drawn from another secret: a final, or
    /// practice.
    #[must_use]
    pub(crate) fn with_draws(&self, id: i64, draws: Draws) -> Event {
        let setup = Setup { draws, ..self.setup.clone() };
        Event {
            id,
            competition: self.competition,
            commitment: draws.commitment(),
            setup,
            game: self.game.clone(),
        }
    }

    /// Returns the secret of its games; `None` if they are drawn from the seed in the file.
    pub(crate) fn secret(&self) -> Option<String> {
        self.setup.draws.secret_digits()
    }

    /// Returns the name that the file gives.
    pub(crate) fn name(&self) -> Option<&str> {
        Some(self.setup.file.name.as_str()).filter(|name| *name != STEM)
    }

    /// Returns the name of the game.
    pub(crate) fn game(&self) -> &str {
        &self.setup.file.game.value
    }
}

/// Makes the setup of an event, with the copy of its game if the rules are a program.
fn setup_of(
    shown: &str,
    text: String,
    base: PathBuf,
    draws: Option<Draws>,
    adopted: Option<&Adopted>,
    programs: &Programs,
) -> Result<Setup, Error> {
    let named = adopted.map(|adopted| {
        let copy = adopted.to_load((shown, STEM, &text), &base, programs)?;
        Ok::<_, Error>((adopted.named()?, copy))
    });
    let named = named.transpose()?;
    let named = named.as_ref().map(|(named, copy)| (named.as_str(), copy.as_str()));
    Setup::with_game((shown, STEM), text, base, draws, named, programs)
}

/// Checks the text of a file of a competition. Whether a game in a directory can be built is found when its event
/// begins.
///
/// # Errors
///
/// All problems, with their lines.
pub(crate) fn check_text(place: Place<'_>, about: &About, text: &str) -> Result<(), Error> {
    if text.len() as u64 > LARGEST {
        return Err(Error::usage(format!("{} has more than {LARGEST} bytes", about.file)));
    }
    if let Difference::Broken(problems) = difference::between(&about.file, "", text) {
        return Err(Error::usage(problems));
    }
    let base = place.directory.path().to_path_buf();
    if game::named_by(&about.file, text, &base).is_some() {
        return Ok(());
    }
    setup_of(&about.file, text.to_string(), base, None, None, place.programs).map(drop)
}

/// Returns what differs between two texts of a file, in words.
pub(crate) fn changes_in_words(before: &str, after: &str) -> String {
    match difference::between(EVENT, before, after) {
        Difference::None => "comments and layout".to_string(),
        Difference::Harmless(changes) | Difference::Games(changes) => changes.join("; "),
        Difference::Broken(problems) => problems,
    }
}

/// Returns how pages and logs call a setting.
pub(crate) fn name(named: &Named) -> String {
    match named.key() {
        Some(key) => format!("{key} in {EVENT}"),
        None if named.setting == OUTPUT => "the site".into(),
        None => named.option(),
    }
}

/// Begins a final or the practice of an event. Returns it.
pub(crate) fn begin_part(
    transaction: &Transaction<'_>,
    event: &Event,
    kind: &str,
    draws: Draws,
) -> rusqlite::Result<Event> {
    transaction.execute(
        "INSERT INTO events(text, draws, commitment, began_at, kind, of, competition) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            event.setup.text,
            Json(&draws),
            draws.commitment(),
            now(),
            kind,
            event.id,
            event.competition
        ],
    )?;
    Ok(event.with_draws(transaction.last_insert_rowid(), draws))
}

/// Returns the newest part of this kind of an event that was not discarded, and when it began.
pub(crate) fn newest_part(
    transaction: &Transaction<'_>,
    event: &Event,
    kind: &str,
) -> rusqlite::Result<Option<(Event, i64)>> {
    let found = transaction
        .row(
            "SELECT id, draws, began_at FROM events WHERE of = ?1 AND kind = ?2 \
             AND NOT EXISTS (SELECT 1 FROM steps WHERE event = events.id AND step = 'discarded') \
             ORDER BY id DESC LIMIT 1",
            params![event.id, kind],
            |row| {
                let Json(draws) = row.get(1)?;
                Ok((row.get(0)?, draws, row.get(2)?))
            },
        )
        .optional()?;
    Ok(found.map(|(id, draws, began_at)| (event.with_draws(id, draws), began_at)))
}

/// Begins an event of a competition with its file, or continues the last one, whose games are the same. A game in the
/// directory that the file names begins another if it has changed and none was played, or `last` says that this is
/// wanted.
fn begin(
    place: Place<'_>,
    about: &About,
    file: EventFile,
    last: Option<(Stored, bool)>,
    why: Why<'_>,
) -> Result<Event, Error> {
    let Place { directory, database, programs } = place;
    let EventFile { shown, text } = file;
    let base = directory.path().to_path_buf();
    let named = game::named_by(&shown, &text, &base);
    let adopt = |last: Option<i64>| {
        let adopted =
            named.as_ref().map(|named| game::adopt(named, last, directory, database, programs));
        adopted.transpose()
    };
    let mut adopted = adopt(last.as_ref().map(|(last, _)| last.id))?;
    let is_changed = adopted.as_ref().is_some_and(|adopted| adopted.is_changed());
    if is_changed && last.as_ref().is_some_and(|(_, is_wanted)| *is_wanted) {
        adopted = adopt(None)?;
    }
    let last = last.map(|(last, _)| last);
    let last = last.filter(|_| adopted.as_ref().is_none_or(|adopted| adopted.is_same));
    let draws = last.as_ref().map(|last| last.draws);
    let mut setup = setup_of(&shown, text, base, draws, adopted.as_ref(), programs)?;
    if draws.is_none() {
        // The IDs of games have to differ between events, and the tag of a seed in the file is always
        // the same.
        setup.draws.tag = secret_draws()?.tag;
    }
    if why.person.is_some() {
        // Before the event in force ends.
        let bots = setup.bots.clone();
        setup.plan(bots, u64::from(MOST_GAMES), Replays::None, None, programs)?;
    }
    let commitment = setup.draws.commitment();
    let of_last = last.as_ref().map_or(0, |last| last.id);
    let game = adopted.as_ref().map(|adopted| adopted.game(of_last, &setup)).transpose()?;
    let (id, game) = match last {
        Some(last) => (last.id, game),
        None => database.write(|transaction| {
            let id = history::begin(transaction, about, &setup, why)?;
            let game = game.map(|game| EventGame { event: id, ..game });
            if let (Some(adopted), Some(game)) = (&adopted, &game) {
                adopted.store(transaction, game, &setup.file.game.value)?;
            }
            Ok((id, game))
        })?,
    };
    Ok(Event { id, competition: about.id, setup, commitment, game })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::submissions::built_ins::programs;
    use botyard_testkit::cases;
    use botyard_testkit::mutations::{damaged, encodings};

    #[test]
    fn events_of_the_same_seed_have_games_of_different_ids() {
        let place = tempfile::tempdir().expect("a directory");
        let directory = ClassDirectory::open(place.path()).expect("a class");
        let database = Database::open(&directory.database()).expect("it is new");
        let text = format!("seed = 7\n{NEW}");
        let open = |text: &str| {
            fs::write(directory.event(), text).expect("it is ours");
            Event::open(&directory, &database, &programs()).expect("an event")
        };
        let (first, again, second) = (open(&text), open(&text), open(&text.replace("1000", "500")));
        assert_eq!((first.id, again.id, second.id), (1, 1, 2));
        assert_eq!(first.setup.draws, again.setup.draws);
        assert_eq!(first.setup.draws.seed, second.setup.draws.seed);
        let id = |event: &Event| {
            let schedule = event.setup.full_schedule().expect("two references");
            let none = std::collections::BTreeMap::new();
            let block = schedule.known_blocks(&none).next().expect("a block");
            schedule.game(&block, 0, 0).id
        };
        assert_ne!(id(&first), id(&second));
    }

    /// Has an event begin with the text of a new class, and returns what opens it again with another text.
    fn reopened(
        is_played: bool,
        check: impl FnOnce(&dyn Fn(&str) -> Event, &dyn Fn(&Event) -> Option<Pending>, &Database),
    ) {
        let place = tempfile::tempdir().expect("a directory");
        let directory = ClassDirectory::open(place.path()).expect("a class");
        let database = Database::open(&directory.database()).expect("it is new");
        let programs = programs();
        let open = |text: &str| {
            fs::write(directory.event(), text).expect("it is ours");
            Event::open(&directory, &database, &programs).expect("an event")
        };
        let pending = |event: &Event| {
            let about = database.write(|it| about::find(it, FIRST)).expect("it is there");
            let place = Place { directory: &directory, database: &database, programs: &programs };
            event.pending(place, &about).expect("the file can be read")
        };
        open(NEW);
        if is_played {
            let played = "INSERT INTO entrants(id, event, reference) VALUES (1, 1, 'a');
                INSERT INTO blocks(event, number, line_up, entrant, reason, state, at)
                VALUES (1, 1, '[1]', 1, '', 'played', 0);
                INSERT INTO games(event, block, rotation, id, attempts, game, at)
                VALUES (1, 1, 0, 'g', 1, '{}', 0)";
            database.write(|transaction| transaction.execute_batch(played)).expect("a game");
        }
        check(&open, &pending, &database);
    }

    #[test]
    fn an_event_with_games_ends_by_no_restart() {
        reopened(true, |open, pending, database| {
            let faster = NEW.replace("1000", "500");
            let event = open(&faster);
            assert_eq!((event.id, event.setup.text.as_str()), (1, NEW), "it continues");
            let found = pending(&event).expect("the file differs");
            let line = 1 + NEW.lines().position(|line| line == "move_ms = 1000").expect("a line");
            assert_eq!(found.changes, [format!("line {line}: time.move_ms 1000 became 500")]);
            assert_eq!(
                found.question("event.toml"),
                format!(
                    "event.toml differs: line {line}: time.move_ms 1000 became 500. This ends event 1 with \
                     1 game; begin a new one?"
                )
            );
            let commented = open(&format!("# Ours.\n{NEW}[run]\nconcurrency = 1\n"));
            assert_eq!((commented.id, pending(&commented)), (1, None), "the games are the same");
            assert_eq!(commented.setup.file.run.concurrency, Some(1));
            assert!(pending(&open("game = ")).expect("it is wrong").problem.is_some());
            let events: i64 = database
                .write(|transaction| transaction.value("SELECT COUNT(*) FROM events", []))
                .expect("a number");
            assert_eq!(events, 1);
        });
    }

    #[test]
    fn the_file_is_read_in_every_encoding_and_damage_is_reported_with_its_place() {
        reopened(true, |_, _, database| {
            let place = tempfile::tempdir().expect("a directory");
            let directory = ClassDirectory::open(place.path()).expect("a class");
            let about = database.write(|it| about::find(it, FIRST)).expect("it is there");
            let programs = programs();
            let read = |bytes: &[u8]| {
                fs::write(directory.event(), bytes).expect("it is ours");
                let place = Place { directory: &directory, database, programs: &programs };
                let file = EventFile::read(&directory, &about)?;
                check_text(place, &about, &file.text)?;
                Ok::<_, Error>(file.text)
            };
            for form in encodings(NEW) {
                let text =
                    read(&form.bytes).unwrap_or_else(|error| panic!("{}: {error}", form.what));
                assert_eq!(
                    difference::between(EVENT, NEW, &text),
                    Difference::None,
                    "{}",
                    form.what
                );
            }
            let mut refused = 0;
            for form in damaged(NEW.as_bytes(), cases(200, 2000), 1) {
                let Err(error) = read(&form.bytes) else { continue };
                let error = error.to_string();
                refused += 1;
                assert!(error.contains(EVENT), "{}: {error}", form.what);
                let has_place =
                    ["line ", "[[bot]]", "[time]"].iter().any(|place| error.contains(place));
                assert!(has_place && error.len() > 20, "{}: {error}", form.what);
            }
            assert!(refused > 20, "only {refused} refused");
        });
    }

    #[test]
    fn equal_settings_resume_the_event_that_had_them() {
        reopened(false, |open, pending, _| {
            let faster = NEW.replace("1000", "500");
            assert_eq!(open(&faster).id, 2, "nothing was played in the first");
            let first = open(&format!("{NEW}\n# As it was."));
            assert_eq!((first.id, pending(&first)), (1, None));
            assert_eq!(open(&faster).id, 2);
        });
    }
}
