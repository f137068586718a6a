//! The copy of an event's game: made when the event begins, from the directory that its file names. From then on the
//! event is played with the copy, because another digest is another game.

use super::EventGame;
use crate::files::directory::ClassDirectory;
use crate::files::{Database, Json, Statements, now};
use crate::submissions::trial::{copy_tree, limits_of_builds, unusual_name};
use botyard_league::store::KeptGame;
use botyard_league::tournament_file::TournamentFile;
use botyard_referee::Interrupt;
use botyard_runner::bots::build::{BuildConfig, Outcome, build};
use botyard_runner::bots::bundle::{Bundle, BundleError, Copies};
use botyard_runner::game_manifest::{GAME_FILE, GameManifest};
use botyard_runner::game_programs::{directory_of, load_named};
use botyard_runner::{ContainmentConfig, Error, Programs};
use botyard_tournament::{Setup, containment, copy_game, directory_of_copy, kept_game};
use rusqlite::{OptionalExtension, Transaction, params};
use std::fs;
use std::path::{Path, PathBuf};

/// A directory that the file of an event names as its game.
pub(in crate::competition) struct Named {
    directory: PathBuf,
    /// The sandbox of the event.
    containment: ContainmentConfig,
    /// The place in the file, for errors.
    place: String,
}

/// Returns the directory that the file of an event names as its game; `None` if it names a built-in game or is wrong,
/// which is found elsewhere.
pub(in crate::competition) fn named_by(shown: &str, text: &str, base: &Path) -> Option<Named> {
    let file = TournamentFile::read(shown, "event", text).ok()?;
    Some(Named {
        directory: directory_of(&file.game.value, base).ok()??,
        containment: containment(&file, base),
        place: format!("{shown}, line {}: ", file.game.line),
    })
}

/// The copy with which an event is played.
pub(in crate::competition) struct Adopted {
    /// Whether it is that of the last event, which continues.
    pub(in crate::competition) is_same: bool,
    /// The name in the registry that it must have.
    name: Option<String>,
    bundle: Bundle,
    source: String,
    note: Option<String>,
    /// Its directory.
    directory: PathBuf,
}

/// Returns the copy with which an event is played: that of the event `last`, whose file has not changed, or a new one.
/// A game that was changed is adopted if none was played in that event.
///
/// # Errors
///
/// There is no game in the directory, it cannot be built or copied, or the host fails.
pub(in crate::competition) fn adopt(
    named: &Named,
    last: Option<i64>,
    directory: &ClassDirectory,
    database: &Database,
    programs: &Programs,
) -> Result<Adopted, Error> {
    let last = match last {
        Some(event) => database.write(|transaction| stored_row(transaction, event))?,
        None => None,
    };
    let placed =
        |error: Error| error.map(|message| botyard_runner::message![named.place.clone(), message]);
    let source = match named.directory.join(GAME_FILE).is_file() {
        true => {
            let source = source_of(&named.directory, last.as_ref());
            Some(source.map_err(|error| placed(Error::usage(error)))?)
        }
        false => None,
    };
    let copies = directory.bundles();
    match (last, source) {
        (Some(last), source)
            if source.as_ref().is_none_or(|its| *its == last.source) || last.is_played =>
        {
            let is_changed = source.is_some_and(|its| its != last.source);
            let note = is_changed.then(|| {
                format!(
                    "The game in {} has changed. This event continues with its own copy, because another digest is \
                     another game. A teacher begins a new event with the changed game on the page of the event.",
                    named.directory.display()
                )
            });
            let directory = directory_of_copy(&last.kept, &copies, programs)?;
            let bundle = bundle_of(&last.kept)?;
            let Row { name, source, .. } = last;
            Ok(Adopted { is_same: true, name: Some(name), bundle, source, note, directory })
        }
        (_, None) => Err(placed(Error::usage(format!(
            "expected a directory with a {GAME_FILE} as the game, but {} is none",
            named.directory.display()
        )))),
        (_, Some(source)) => {
            let bundle = copied(named, directory, programs).map_err(placed)?;
            let command = bundle.command("the game", &copies, programs);
            let directory =
                command.directory.ok_or_else(|| Error::host("the game has no directory"))?;
            Ok(Adopted { is_same: false, name: None, bundle, source, note: None, directory })
        }
    }
}

impl Adopted {
    /// Returns whether the directory has another game than the copy, with which games were played.
    pub(in crate::competition) fn is_changed(&self) -> bool {
        self.note.is_some()
    }

    /// Returns what the file of an event names to be played with the copy: its directory, or the name that the
    /// game had when the event began, under which it is loaded. The file has this name, stem and text.
    ///
    /// # Errors
    ///
    /// The copy has changed, or its program fails.
    pub(in crate::competition) fn to_load(
        &self,
        (shown, stem, text): (&str, &str, &str),
        base: &Path,
        programs: &Programs,
    ) -> Result<String, Error> {
        let directory = || self.directory.to_string_lossy().into_owned();
        let file = TournamentFile::read(shown, stem, text);
        // What is wrong with the file is found when it is set up.
        let (Some(name), Ok(file)) = (&self.name, file) else { return Ok(directory()) };
        load_named(name, &self.directory, &containment(&file, base), programs)?;
        Ok(name.clone())
    }

    /// Returns how the file of an event names the game at home, where its directory has the game's name.
    ///
    /// # Errors
    ///
    /// The copy has no manifest.
    pub(in crate::competition) fn named(&self) -> Result<String, Error> {
        Ok(format!("./{}", GameManifest::read(&self.directory)?.name))
    }

    /// Returns the game of an event with this setup, which was made with the copy.
    ///
    /// # Errors
    ///
    /// The copy has changed.
    pub(in crate::competition) fn game(
        &self,
        event: i64,
        setup: &Setup,
    ) -> Result<EventGame, Error> {
        let found = &setup.file.game.value;
        if let Some(name) = self.name.as_ref().filter(|name| *name != found) {
            return Err(Error::host(format!(
                "the copy of the game in {} has changed: expected {name}, found {found}\nRestore it from a backup",
                self.directory.display()
            )));
        }
        let (bundle, note) = (self.bundle.clone(), self.note.clone());
        Ok(EventGame {
            event,
            kept: kept_game(found, (&setup.seats, setup.scores), &bundle)?,
            bundle,
            note,
        })
    }

    /// Stores the game of a new event, which waits for its checks.
    pub(in crate::competition) fn store(
        &self,
        transaction: &Transaction<'_>,
        game: &EventGame,
        name: &str,
    ) -> rusqlite::Result<()> {
        transaction.change(
            "INSERT INTO event_games(event, name, kept, source, at) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![game.event, name, Json(&game.kept), self.source, now()],
        )
    }
}

/// Returns the digest of a game's directory. Earlier versions counted all files: it is theirs if that is stored.
fn source_of(directory: &Path, last: Option<&Row>) -> Result<String, BundleError> {
    if let Some(last) = last
        && Copies::whole_digest_of_directory(directory, None).is_ok_and(|its| its == last.source)
    {
        return Ok(last.source.clone());
    }
    Copies::digest_of_directory(directory, None)
}

/// The copy of an event's game as it is stored.
struct Row {
    name: String,
    kept: KeptGame,
    source: String,
    /// Whether a game was played with it.
    is_played: bool,
}

fn stored_row(transaction: &Transaction<'_>, event: i64) -> rusqlite::Result<Option<Row>> {
    let row = transaction.row(
        "SELECT name, kept, source, EXISTS (SELECT 1 FROM games JOIN events ON events.id = games.event \
         WHERE events.id = ?1 OR events.of = ?1) FROM event_games WHERE event = ?1",
        [event],
        |row| {
            let Json(kept) = row.get(1)?;
            Ok(Row { name: row.get(0)?, kept, source: row.get(2)?, is_played: row.get(3)? })
        },
    );
    row.optional()
}

/// Returns the copy with which a stored event was played, if its rules are a program.
///
/// # Errors
///
/// Its bundle cannot be read, or the database cannot be used.
pub(in crate::competition) fn stored(
    class: &Path,
    event: i64,
    database: &Database,
    programs: &Programs,
) -> Result<Option<Adopted>, Error> {
    let Some(row) = database.write(|transaction| stored_row(transaction, event))? else {
        return Ok(None);
    };
    let directory =
        directory_of_copy(&row.kept, &class.join(crate::files::directory::BUNDLES), programs)?;
    let bundle = bundle_of(&row.kept)?;
    let Row { name, source, .. } = row;
    Ok(Some(Adopted { is_same: true, name: Some(name), bundle, source, note: None, directory }))
}

fn bundle_of(kept: &KeptGame) -> Result<Bundle, Error> {
    serde_json::from_value(kept.bundle.clone()).map_err(|error| {
        Error::host(format!("the stored bundle of the game cannot be read: {error}"))
    })
}

/// Copies a game into the class, and builds it before if it has to be built.
fn copied(named: &Named, directory: &ClassDirectory, programs: &Programs) -> Result<Bundle, Error> {
    let interrupt = Interrupt::new().map_err(Error::host)?;
    let wrong =
        |why: String| Error::usage(format!("the game in {}: {why}", named.directory.display()));
    let manifest = GameManifest::read(&named.directory)?;
    let place = directory.new_build().map_err(Error::host)?;
    let mut from = named.directory.clone();
    if !manifest.build.is_empty() {
        from = place.path().join("game");
        if let Some(link) = link_in(&named.directory) {
            let link = link.display();
            return Err(wrong(format!(
                "{link} is a link, and a game that is built must have none: copy the file"
            )));
        }
        copy_tree(&named.directory, &from).map_err(Error::host)?;
        let config = BuildConfig {
            read: named.containment.readable()?,
            ..limits_of_builds(&named.containment, programs)
        };
        let mut output = String::new();
        let mut show = |text: &str| {
            output.push_str(text);
            Ok(())
        };
        match build(&from, &config, &programs.launcher, &interrupt, &mut show)? {
            Outcome::NothingToDo | Outcome::Built(_) => {}
            Outcome::Failed(why) => {
                let why = why.text(programs.name);
                return Err(wrong(format!("its build failed: {why}\n{}", output.trim_end())));
            }
        }
    }
    if let Some(path) = unusual_name(&from) {
        return Err(wrong(format!(
            "expected names and targets of links in UTF-8, without backslashes or control characters, got {path:?}"
        )));
    }
    let mut copies = Copies::create(&directory.bundles())?;
    copy_game(&from, &mut copies, &named.containment, programs, &interrupt)
}

/// Returns a link in a directory.
fn link_in(directory: &Path) -> Option<PathBuf> {
    fs::read_dir(directory).into_iter().flatten().flatten().find_map(|entry| {
        let (path, kind) = (entry.path(), entry.file_type().ok()?);
        match kind.is_dir() {
            true => link_in(&path),
            false => kind.is_symlink().then_some(path),
        }
    })
}
