//! The bots of a batch as workers get them: bundles of the admitted versions, and copies of the
//! references, which are in the event's file.

use crate::competition::Competition;
use crate::competition::ladder::{LadderEntrant, bundle};
use botyard_league::store::KeptBot;
use botyard_queue::Queue;
use botyard_runner::Error;
use botyard_runner::bots::bundle::{Bundle, Copies, Surroundings};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The directory of the copies of references in that of a class.
const REFERENCES: &str = "references";

/// The bundles that the queue has.
#[derive(Debug, Default)]
pub(super) struct Bots {
    /// The digests of archives by those of their files.
    archives: HashMap<String, String>,
    /// The bundles of references, by name. Their files do not change while the site runs.
    references: HashMap<String, Bundle>,
}

impl Bots {
    /// Returns the bot of an entrant, and the digest of the archive of its files, which is stored in the
    /// queue, with that of the files. Bots without files have none.
    ///
    /// # Errors
    ///
    /// Its bundle cannot be read; errors of the queue.
    pub(super) fn of(
        &mut self,
        competition: &Competition,
        queue: &Queue,
        entrant: &LadderEntrant,
    ) -> Result<(KeptBot, Option<(String, String)>), Error> {
        let (read, copies) = match entrant.submission {
            Some(submission) => (
                bundle(&competition.class.database, submission),
                competition.class.directory.bundles(),
            ),
            None => (self.reference(competition, &entrant.name), references(competition)),
        };
        let bundle = competition.usable(entrant, read)?;
        let packed = |packed| competition.usable(entrant, packed);
        let archive = self.archive_of(queue, &copies, &bundle, packed)?;
        let json = serde_json::to_value(&bundle).map_err(Error::host)?;
        Ok((KeptBot { entry: entrant.name_in_games(), bundle: json, replaced_by: None }, archive))
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

    /// Returns the bundle of a reference, which is copied at its first game.
    fn reference(&mut self, competition: &Competition, name: &str) -> Result<Bundle, Error> {
        if let Some(bundle) = self.references.get(name) {
            return Ok(bundle.clone());
        }
        let setup = &competition.event.setup;
        let command = setup.bots.iter().find(|bot| bot.name == name);
        let command =
            command.ok_or_else(|| Error::host(format!("there is no reference {name:?}")))?;
        let readable = setup.readable()?;
        let without = [competition.class.directory.event()];
        let surroundings = Surroundings { readable: &readable, without: &without };
        let mut copies = Copies::create(&references(competition))?;
        let kept = copies.keep(command, surroundings, &competition.class.programs, None);
        let bundle = kept.map_err(|error| match error.of_author() {
            Ok(error) => {
                let error = error.in_words(&competition.class.programs.advice());
                Error::usage(format!("the reference {name} cannot be copied for workers: {error}"))
            }
            Err(error) => error,
        })?;
        self.references.insert(name.to_string(), bundle.clone());
        Ok(bundle)
    }
}

fn references(competition: &Competition) -> PathBuf {
    competition.class.directory.path().join(REFERENCES)
}
