//! The start of a tournament: its bots are copied and admitted, and its store is created.

use crate::admission::admission;
use crate::bot_copies::KeptBots;
use crate::directory::{Directory, FILE, store_file};
use crate::gate::{Admission, GateGames};
use crate::setup::Setup;
use crate::tournament::Tournament;
use botyard_league::schedule::FormatError;
use botyard_league::store::{Definition, SqliteStore, Store};
use botyard_referee::Interrupt;
use botyard_runner::{Error, Message, Observer, Programs};
use std::path::{Path, PathBuf};

/// A tournament before its first game: its file is checked, and its directory is locked.
pub struct NewTournament {
    setup: Setup,
    file: PathBuf,
    directory: Directory,
    programs: Programs,
    /// Files that belong to no bot, wherever they are.
    apart: Vec<PathBuf>,
}

/// A tournament after the admission of its bots.
pub enum StartOutcome {
    /// It can be played.
    Ready(Box<Tournament>),
    /// Too few bots passed the gate. Nothing is left of the tournament.
    TooFew {
        /// Why the admitted bots cannot play the format.
        error: FormatError,
        /// The definition that the tournament would have had, with the rejected bots.
        definition: Box<Definition>,
    },
}

impl NewTournament {
    /// Checks a tournament file, and creates the directory of the tournament.
    ///
    /// # Errors
    ///
    /// The file has errors, or the directory is not empty or not writable.
    pub fn new(file: &Path, directory: &Path, programs: Programs) -> Result<NewTournament, Error> {
        let setup = Setup::of_file(file, &programs)?;
        let directory = Directory::create(directory)?;
        Ok(NewTournament {
            setup,
            file: file.to_path_buf(),
            directory,
            programs,
            apart: Vec::new(),
        })
    }

    /// Keeps files from being copied with a bot whose directory has them: a store of tournaments.
    #[must_use]
    pub fn leaving_out(self, apart: Vec<PathBuf>) -> NewTournament {
        NewTournament { apart, ..self }
    }

    /// Returns the name of the tournament.
    pub fn name(&self) -> &str {
        &self.setup.file.name
    }

    /// Returns the commitment to the secret that the games of the gate are drawn from. `None` if
    /// there is no gate, or the games are drawn from a seed.
    pub fn commitment_of_gate(&self) -> Option<String> {
        self.setup.file.gate.as_ref().and_then(|_| self.setup.draws.commitment())
    }

    /// Copies the bots, starts each once, plays the gate and creates the store. `warnings` gets
    /// what a user should know. Removes everything if the tournament cannot begin.
    ///
    /// # Errors
    ///
    /// An interrupt, bots that cannot play, or a failure of the host.
    pub fn admit(
        self,
        concurrency: Option<u16>,
        observer: &mut dyn for<'a> Observer<GateGames<'a>>,
        warnings: &mut Vec<Message>,
        interrupt: &Interrupt,
    ) -> Result<StartOutcome, Error> {
        let NewTournament { mut setup, file, directory, programs, apart } = self;
        let kept = match KeptBots::copy(&mut setup, &directory, &apart, &programs, Some(interrupt))
        {
            Ok(kept) => kept,
            Err(error) => {
                directory.discard();
                return Err(error);
            }
        };
        let admitted =
            admission(&setup, &file, &kept, concurrency, &programs, observer, warnings, interrupt);
        let Admission { admitted, rejected } = match admitted {
            Ok(admission) => admission,
            Err(error) => {
                kept.discard();
                directory.discard();
                return Err(error);
            }
        };
        let (indices, entrants): (Vec<usize>, Vec<_>) = admitted.into_iter().unzip();
        let copies = kept.kept(&setup, &indices);
        let definition = Definition { rejected, ..setup.definition(entrants, copies) };
        let schedule = match setup.schedule(&indices) {
            Ok(schedule) => schedule,
            Err(error) => {
                kept.discard();
                directory.discard();
                return match definition.rejected.is_empty() {
                    true => Err(Error::usage(error)),
                    false => Ok(StartOutcome::TooFew { error, definition: Box::new(definition) }),
                };
            }
        };
        let mut store = SqliteStore::create(&store_file(directory.path()), definition)?;
        directory.save(FILE, &setup.text)?;
        store.note("began", &format!("botyard {}", env!("CARGO_PKG_VERSION")))?;
        let all = Tournament::new(setup, &indices, schedule, directory, store, programs);
        Ok(StartOutcome::Ready(Box::new(all)))
    }
}
