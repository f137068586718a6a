//! A tournament opened to be played: its directory is locked, and its setup, schedule and bots are
//! read.

use crate::changes::changes;
use crate::directory::Directory;
use crate::rejudge::{Choice, generation};
use crate::results::{Results, reveal_secret};
use crate::resume::{check_programs, check_starts, stored_setup};
use crate::setup::Setup;
use crate::tournament_games::{Ended, TournamentGames};
use botyard_league::schedule::{BLOCKS_TOGETHER, TournamentSchedule};
use botyard_league::store::{Generation, SqliteStore, Store};
use botyard_referee::{BotCommand, Interrupt};
use botyard_runner::bots::bundle::Copies;
use botyard_runner::{Error, Message, PendingGames, Plan, Programs, Replays};
use std::path::Path;

/// A tournament whose directory is locked by this program.
pub struct Tournament {
    /// Its file, with everything that the file names.
    pub setup: Setup,
    /// Its games.
    pub schedule: TournamentSchedule,
    /// Its directory.
    pub directory: Directory,
    /// Its store.
    pub store: SqliteStore,
    /// The bots that play, in the order of the store's entrants.
    bots: Vec<BotCommand>,
    programs: Programs,
}

impl Tournament {
    /// Makes a tournament between these of the setup's bots.
    pub(super) fn new(
        setup: Setup,
        entrants: &[usize],
        schedule: TournamentSchedule,
        directory: Directory,
        store: SqliteStore,
        programs: Programs,
    ) -> Tournament {
        let bots = entrants.iter().map(|&index| setup.bots[index].clone()).collect();
        Tournament { setup, schedule, directory, store, bots, programs }
    }

    /// Makes a tournament from its store.
    ///
    /// # Errors
    ///
    /// This version cannot read the file, the file names something that no longer exists, or an
    /// interrupt.
    pub(super) fn of_store(
        directory: Directory,
        store: SqliteStore,
        programs: Programs,
        interrupt: Option<&Interrupt>,
    ) -> Result<Tournament, Error> {
        let (setup, entrants, schedule) = stored_setup(&store, &directory, &programs, interrupt)?;
        Ok(Tournament::new(setup, &entrants, schedule, directory, store, programs))
    }

    /// Opens a started tournament to resume it, and notes that in its store. Also returns what a
    /// user should know, as sentences without a full stop.
    ///
    /// # Errors
    ///
    /// The directory contains no tournament, the tournament is being played, or its bots, openings
    /// or rules have changed and `accept_changes` is not set.
    pub fn resume(
        path: &Path,
        accept_changes: bool,
        programs: Programs,
    ) -> Result<(Tournament, Vec<Message>), Error> {
        let directory = Directory::open(path)?;
        let mut store = directory.store()?;
        let (setup, entrants, schedule) = stored_setup(&store, &directory, &programs, None)?;
        let mut warnings = Vec::new();
        if !accept_changes {
            check_starts(&setup, store.definition())?;
            check_programs(&setup, &entrants, store.definition(), &programs, &mut warnings)?;
        }
        if let Some(kept) = &store.definition().kept {
            warnings.extend(changes(&directory, store.definition(), kept, &programs));
        }
        let accepted = if accept_changes { ", changed programs accepted" } else { "" };
        store.note("resumed", &format!("botyard {}{accepted}", env!("CARGO_PKG_VERSION")))?;
        let all = Tournament::new(setup, &entrants, schedule, directory, store, programs);
        Ok((all, warnings))
    }

    /// Opens a started tournament to rejudge games, and returns the generation to play: the pending
    /// one if nothing is selected, else a new one of the selected games.
    ///
    /// # Errors
    ///
    /// Those of [`Tournament::resume`]; games of the tournament cannot be rejudged, the selection
    /// has no games, or a generation is pending already.
    pub fn rejudge(
        path: &Path,
        choice: &Choice,
        reason: &str,
        programs: Programs,
    ) -> Result<(Tournament, Generation), Error> {
        let directory = Directory::open(path)?;
        let store = directory.store()?;
        let mut all = Tournament::of_store(directory, store, programs, None)?;
        check_starts(&all.setup, all.store.definition())?;
        let generation = generation(choice, reason, &all.setup, &mut all.store, &all.schedule)?;
        Ok((all, generation))
    }

    /// Removes the tournament with its directory: it was submitted elsewhere.
    ///
    /// # Errors
    ///
    /// A failure of the host.
    pub fn remove(self) -> std::io::Result<()> {
        let Tournament { directory, store, .. } = self;
        drop(store);
        Copies::make_removable(&directory.bundles());
        std::fs::remove_dir_all(directory.path())
    }

    /// Returns the plan of this many games, with `concurrency` in place of the file's value.
    ///
    /// # Errors
    ///
    /// A failure of the host.
    pub fn plan(&self, games: u64, concurrency: Option<u16>) -> Result<Plan, Error> {
        let replays = match self.setup.file.run.replays {
            true => Replays::Tournament(self.directory.path().to_path_buf()),
            false => Replays::None,
        };
        self.setup.plan(self.bots.clone(), games, replays, concurrency, &self.programs)
    }

    /// Prepares the remaining games.
    ///
    /// # Errors
    ///
    /// The store cannot be read, or the directory is not writable.
    pub fn remaining_games<'a>(&'a mut self, plan: &'a Plan) -> Result<TournamentGames<'a>, Error> {
        self.directory.keep_definition(self.store.definition())?;
        let depends = self.setup.file.format.value.depends_on_results();
        let together = if plan.has_secrets { BLOCKS_TOGETHER } else { 1 };
        let pending =
            PendingGames::new(&self.schedule, depends, 0).scaled(plan.scale).together(together);
        TournamentGames::new(plan, &self.schedule, &mut self.store, pending, 0)
    }

    /// Prepares the remaining games of a generation.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn rejudge_games<'a>(
        &'a mut self,
        plan: &'a Plan,
        generation: &Generation,
    ) -> Result<TournamentGames<'a>, Error> {
        let number = generation.number;
        let pending = PendingGames::new(&self.schedule, false, number).only(&generation.games);
        TournamentGames::new(plan, &self.schedule, &mut self.store, pending, number)
    }

    /// Saves the results after a session, and returns them. Publishes the secret that the games
    /// were drawn from if every game has a result.
    ///
    /// # Errors
    ///
    /// A failure of the host.
    pub fn finish(&mut self, ended: &Ended) -> Result<Results, Error> {
        if ended.missing == 0 && self.store.definition().commitment.is_some() {
            reveal_secret(&mut self.store)?;
        }
        Results::saved(&self.store, &self.directory)
    }
}
