//! The event: the conditions of all games, from the file `event.toml`, and the secret that they are
//! drawn from. A changed file begins a new event.

use super::game::{self, Adopted, EventGame};
use crate::files::directory::{ClassDirectory, EVENT};
use crate::files::{Database, Json, Statements, now};
use crate::people::audit;
use botyard_league::schedule::Draws;
use botyard_runner::settings::{Named, OUTPUT};
use botyard_runner::{Error, MOST_GAMES, Programs, Replays, secret_draws};
use botyard_tournament::Setup;
use rusqlite::{OptionalExtension, Transaction, params};
use std::fs;
use std::path::{Path, PathBuf};

/// The file of a new class.
const NEW: &str = include_str!("../../assets/event.toml");

/// The largest file, in bytes.
const LARGEST: u64 = 1 << 20;

/// An event.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    /// Its number.
    pub id: i64,
    /// Its conditions.
    pub setup: Setup,
    /// The hash of the secret of its games. `None`: they are drawn from the seed in the file.
    pub commitment: Option<String>,
    /// Its game, if the rules are a program.
    pub game: Option<EventGame>,
}

impl Event {
    /// Opens the event of a class. A class without a file gets one; a file that has changed begins a
    /// new event, whose conditions every active version has to pass again. So does another game in the directory
    /// that the file names, if none was played.
    ///
    /// # Errors
    ///
    /// The file has errors; the host fails.
    pub(crate) fn open(
        directory: &ClassDirectory,
        database: &Database,
        programs: &Programs,
    ) -> Result<Event, Error> {
        let path = directory.event();
        let shown = path.display();
        let unusable =
            |error: std::io::Error| Error::host(format!("{shown} cannot be used: {error}"));
        if !path.exists() {
            botyard_league::atomic_file::create(&path, NEW.as_bytes()).map_err(unusable)?;
        }
        if fs::metadata(&path).map_err(unusable)?.len() > LARGEST {
            return Err(Error::usage(format!("{shown} has more than {LARGEST} bytes")));
        }
        let text = fs::read_to_string(&path).map_err(unusable)?;
        let last = database.write(last)?;
        let base = directory.path().to_path_buf();
        let shown = shown.to_string();
        let mut last = last.filter(|last| last.text == text);
        let named = game::named_by(&shown, &text, &base);
        let adopted = named.map(|named| {
            let last = last.as_ref().map(|last| last.id);
            game::adopt(&named, last, directory, database, programs)
        });
        let adopted = adopted.transpose()?;
        last = last.filter(|_| adopted.as_ref().is_none_or(|adopted| adopted.is_same));
        let draws = last.as_ref().map(|last| last.draws);
        let mut setup = setup_of(&shown, text, base, draws, adopted.as_ref(), programs)?;
        if draws.is_none() {
            // The IDs of games have to differ between events, and the tag of a seed in the file is always
            // the same.
            setup.draws.tag = secret_draws()?.tag;
        }
        let commitment = setup.draws.commitment();
        let of_last = last.as_ref().map_or(0, |last| last.id);
        let game = adopted.as_ref().map(|adopted| adopted.game(of_last, &setup)).transpose()?;
        let (id, game) = match last {
            Some(last) => (last.id, game),
            None => database.write(|transaction| {
                let id = begin(transaction, &setup)?;
                let game = game.map(|game| EventGame { event: id, ..game });
                if let (Some(adopted), Some(game)) = (&adopted, &game) {
                    adopted.store(transaction, game, &setup.file.game.value)?;
                }
                Ok((id, game))
            })?,
        };
        Ok(Event { id, setup, commitment, game })
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

    /// Returns the newest event of a class, whatever its file has now.
    ///
    /// # Errors
    ///
    /// There is none, or a bot of its file is missing.
    pub(crate) fn stored(
        class: &Path,
        database: &Database,
        programs: &Programs,
    ) -> Result<Event, Error> {
        let last = database.write(last)?;
        let shown = class.join(EVENT).display().to_string();
        let last = last.ok_or_else(|| Error::usage(format!("{shown} has begun no event yet")))?;
        let base = class.to_path_buf();
        let adopted = game::stored(class, last.id, database, programs)?;
        let (text, draws) = (last.text, Some(last.draws));
        let setup = setup_of(&shown, text, base, draws, adopted.as_ref(), programs)?;
        let game = adopted.map(|adopted| adopted.game(last.id, &setup)).transpose()?;
        Ok(Event { id: last.id, commitment: setup.draws.commitment(), setup, game })
    }

    /// Returns an event under the same conditions whose games are drawn from another secret: a final, or
    /// practice.
    #[must_use]
    pub(crate) fn with_draws(&self, id: i64, draws: Draws) -> Event {
        let setup = Setup { draws, ..self.setup.clone() };
        Event { id, commitment: draws.commitment(), setup, game: self.game.clone() }
    }

    /// Returns the secret of its games; `None` if they are drawn from the seed in the file.
    pub(crate) fn secret(&self) -> Option<String> {
        self.setup.draws.secret_digits()
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
    let named = adopted.map(|adopted| Ok::<_, Error>((adopted.named()?, adopted.directory())));
    let named = named.transpose()?;
    let named = named.as_ref().map(|(named, directory)| (named.as_str(), *directory));
    Setup::with_game((shown, "event"), text, base, draws, named, programs)
}

/// Returns how pages and logs call a setting.
pub(crate) fn name(named: &Named) -> String {
    match named.key() {
        Some(key) => format!("{key} in {EVENT}"),
        None if named.setting == OUTPUT => "the site".into(),
        None => named.option(),
    }
}

/// An event as it is stored.
struct Stored {
    id: i64,
    text: String,
    draws: Draws,
}

/// Returns the newest event.
fn last(transaction: &Transaction<'_>) -> rusqlite::Result<Option<Stored>> {
    let stored = |row: &rusqlite::Row<'_>| {
        let Json(draws) = row.get(2)?;
        Ok(Stored { id: row.get(0)?, text: row.get(1)?, draws })
    };
    transaction
        .row(
            "SELECT id, text, draws FROM events WHERE kind = 'ladder' ORDER BY id DESC LIMIT 1",
            [],
            stored,
        )
        .optional()
}

/// Begins a final or the practice of an event. Returns it.
pub(crate) fn begin_part(
    transaction: &Transaction<'_>,
    event: &Event,
    kind: &str,
    draws: Draws,
) -> rusqlite::Result<Event> {
    transaction.execute(
        "INSERT INTO events(text, draws, commitment, began_at, kind, of) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![event.setup.text, Json(&draws), draws.commitment(), now(), kind, event.id],
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

/// Begins an event: the active versions are queued again.
fn begin(transaction: &Transaction<'_>, setup: &Setup) -> rusqlite::Result<i64> {
    transaction.execute(
        "INSERT INTO events(text, draws, commitment, began_at) VALUES (?1, ?2, ?3, ?4)",
        params![setup.text, Json(&setup.draws), setup.draws.commitment(), now()],
    )?;
    let id = transaction.last_insert_rowid();
    let again = transaction.execute(
        "UPDATE submissions SET state = 'queued', attempts = 0, reason = '', ended_at = NULL \
         WHERE id IN (SELECT active FROM teams)",
        [],
    )?;
    // A version that is queued already is newer.
    transaction.execute(
        "UPDATE submissions SET state = 'superseded' WHERE state = 'queued' AND EXISTS \
         (SELECT 1 FROM submissions AS newer WHERE newer.team = submissions.team \
         AND newer.state IN ('queued', 'working') AND newer.version > submissions.version)",
        [],
    )?;
    transaction.execute("UPDATE teams SET active = NULL", [])?;
    let detail = format!("event {id}: {again} active versions pass the gate again");
    audit::note(transaction, None, "began an event", &detail)?;
    Ok(id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::submissions::built_ins::programs;

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
        let (first, again, second) =
            (open(&text), open(&text), open(&format!("{text}# a better game\n")));
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
}
