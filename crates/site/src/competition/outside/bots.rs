//! The bots of a batch or a gate as workers get them: bundles of versions, and copies of the references and the bots of
//! the gate, which are in the event's file.

use crate::competition::Competition;
use crate::competition::ladder::{LadderEntrant, bundle};
use botyard_league::store::KeptBot;
use botyard_queue::Queue;
use botyard_referee::BotCommand;
use botyard_runner::Error;
use botyard_runner::bots::bundle::{Bundle, Copies, Surroundings};
use botyard_tournament::Candidate;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The directory of the copies of references in that of a class.
const REFERENCES: &str = "references";

/// A bot of a batch or a gate.
#[derive(Clone, Copy, Debug)]
pub(super) enum Handed<'a> {
    /// An entrant of the event.
    Entrant(&'a LadderEntrant),
    /// The version whose gate is played.
    Candidate(&'a Candidate),
    /// A bot of the gate.
    OfGate(&'a BotCommand),
}

impl Handed<'_> {
    /// Returns its name in games.
    pub(super) fn name(&self) -> String {
        match self {
            Handed::Entrant(entrant) => entrant.name_in_games(),
            Handed::Candidate(candidate) => candidate.command.name.clone(),
            Handed::OfGate(command) => command.name.clone(),
        }
    }
}

/// A bot as it is stored, and the digest of its files with that of their archive in the queue. Bots without files have
/// none.
pub(super) type Kept = (KeptBot, Option<(String, String)>);

/// The bundles that the queue has.
#[derive(Debug, Default)]
pub(crate) struct Bots {
    /// The digests of archives by those of their files.
    archives: HashMap<String, String>,
    /// The bundles of references and bots of the gate, by name. Their files do not change while the site runs.
    references: HashMap<String, Bundle>,
}

impl Bots {
    /// Returns a bot. The archive of its files is stored in the queue.
    ///
    /// # Errors
    ///
    /// Its bundle cannot be read; errors of the queue.
    pub(super) fn of(
        &mut self,
        competition: &Competition,
        queue: &Queue,
        bot: Handed<'_>,
    ) -> Result<Kept, Error> {
        let own = competition.class.directory.bundles();
        let (read, copies) = match bot {
            Handed::Entrant(entrant) => match entrant.submission {
                Some(submission) => (bundle(&competition.class.database, submission), own),
                None => (self.reference(competition, &entrant.name), references(competition)),
            },
            Handed::Candidate(candidate) => (Ok(candidate.bundle.clone()), own),
            Handed::OfGate(command) => (self.copied(competition, command), references(competition)),
        };
        let bundle = usable(competition, bot, read)?;
        let packed = |packed| usable(competition, bot, packed);
        let archive = self.archive_of(queue, &copies, &bundle, packed)?;
        let json = serde_json::to_value(&bundle).map_err(Error::host)?;
        Ok((KeptBot { entry: bot.name(), bundle: json, replaced_by: None }, archive))
    }

    /// Returns the digest of the archive of the game's files, which is stored in the queue, with that of the files.
    ///
    /// # Errors
    ///
    /// Its copy cannot be read; errors of the queue.
    pub(super) fn of_game(
        &mut self,
        competition: &Competition,
        queue: &Queue,
        bundle: &Bundle,
    ) -> Result<Option<(String, String)>, Error> {
        self.archive_of(queue, &competition.class.directory.bundles(), bundle, |packed| packed)
    }

    /// Returns the digest of the archive of a bundle's files, which is stored in the queue, with that of the files.
    /// `packed` receives what came of packing it.
    fn archive_of(
        &mut self,
        queue: &Queue,
        copies: &Path,
        bundle: &Bundle,
        packed: impl FnOnce(Result<Vec<u8>, Error>) -> Result<Vec<u8>, Error>,
    ) -> Result<Option<(String, String)>, Error> {
        let Some(files) = bundle.files.clone() else { return Ok(None) };
        let archive = match self.archives.get(&files) {
            Some(archive) => archive.clone(),
            None => queue.put(&packed(Copies::pack(copies, &files).map_err(Error::host))?)?,
        };
        self.archives.insert(files.clone(), archive.clone());
        Ok(Some((files, archive)))
    }

    /// Forgets which archives the queue has.
    pub(super) fn forget(&mut self) {
        self.archives.clear();
    }

    /// Returns the bundle of a reference.
    fn reference(&mut self, competition: &Competition, name: &str) -> Result<Bundle, Error> {
        let command = competition.event.setup.bots.iter().find(|bot| bot.name == name);
        let command =
            command.ok_or_else(|| Error::host(format!("there is no reference {name:?}")))?;
        self.copied(competition, command)
    }

    /// Returns the bundle of a bot of the event's file, which is copied at its first game.
    fn copied(&mut self, competition: &Competition, command: &BotCommand) -> Result<Bundle, Error> {
        let name = &command.name;
        if let Some(bundle) = self.references.get(name) {
            return Ok(bundle.clone());
        }
        let setup = &competition.event.setup;
        let readable = setup.readable()?;
        let without = [competition.class.directory.event()];
        let surroundings =
            Surroundings { readable: &readable, without: &without, sources_alone: false };
        let mut copies = Copies::create(&references(competition))?;
        let kept = copies.keep(command, surroundings, &competition.class.programs, None);
        let bundle = kept.map_err(|error| match error.of_author() {
            Ok(error) => {
                let error = error.in_words(&competition.class.programs.advice());
                Error::usage(format!("the reference {name} cannot be copied for workers: {error}"))
            }
            Err(error) => error,
        })?;
        self.references.insert(name.clone(), bundle.clone());
        Ok(bundle)
    }
}

/// Returns what came of reading a bot. An entrant that cannot be read is set aside.
fn usable<T>(
    competition: &Competition,
    bot: Handed<'_>,
    read: Result<T, Error>,
) -> Result<T, Error> {
    match bot {
        Handed::Entrant(entrant) => competition.usable(entrant, read),
        Handed::Candidate(_) | Handed::OfGate(_) => read,
    }
}

fn references(competition: &Competition) -> PathBuf {
    competition.class.directory.path().join(REFERENCES)
}
