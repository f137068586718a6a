//! The boards: all standings of a class and what is shown beside them, in one place. A thread computes them together
//! from the results of one moment, which is their generation, because that takes longer than a page may; pages read a
//! copy.

use super::event::Event;
use super::finals::{self, FinalRound, FinalState};
use super::freezes::{self, Freeze};
use super::hosts;
use super::ladder::{self, Design, Inputs, Standing};
use super::preview::Preview;
use super::rounds::Rounds;
use super::{Competition, Competitions};
use crate::files::now;
use crate::people::Role;
use botyard_queue::{Difference, SeenWorker};
use botyard_runner::Error;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

/// The least time between two computations.
const EVERY: Duration = Duration::from_secs(2);

/// Starts the thread that computes the boards whenever something has happened.
///
/// # Errors
///
/// The host cannot start a thread.
pub(crate) fn start(competitions: Arc<Competitions>) -> Result<Rounds, Error> {
    Rounds::start("standings", Duration::ZERO, move |_| {
        let begun = Instant::now();
        for competition in competitions.shown().iter().filter(|it| !it.is_current()) {
            if let Err(error) = competition.compute_boards() {
                competition.class.report(&error);
            }
        }
        // Most of the host's time belongs to games.
        EVERY.max(5 * begun.elapsed())
    })
}

/// Standings that are computed again only if what they follow from has changed.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    /// The standings.
    pub(crate) standing: Arc<Standing>,
    /// What they were computed from. `None`: they are those that were shown before.
    inputs: Option<Inputs>,
}

impl Board {
    /// Returns a board of these standings.
    pub(crate) fn of(standing: Standing) -> Board {
        Board { standing: Arc::new(standing), inputs: None }
    }
}

/// What is shown.
#[derive(Clone, Debug)]
pub(crate) struct Boards {
    /// The number of [`Competition::results`] from which the standings were computed. `None`: they were not since the
    /// site started.
    generation: Option<u64>,
    /// The standings of the ladder.
    pub(crate) ladder: Arc<Standing>,
    /// The standings of the ladder that students see while the board is frozen.
    frozen: Option<(Freeze, Board)>,
    /// The final.
    pub(crate) round: Option<Arc<FinalRound>>,
    /// The hosts that differ from their peers.
    pub(crate) hosts: Arc<Vec<Difference>>,
    /// What the rejudge with this number would change.
    preview: Option<(i64, Arc<Preview>)>,
    /// The workers on other hosts that are alive.
    pub(crate) workers: Arc<Vec<SeenWorker>>,
}

impl Boards {
    /// Returns the boards before anything was computed.
    pub(super) fn new(ladder: Standing) -> Boards {
        Boards {
            generation: None,
            ladder: Arc::new(ladder),
            frozen: None,
            round: None,
            hosts: Arc::default(),
            preview: None,
            workers: Arc::default(),
        }
    }

    /// Returns whether the standings were computed since the site started.
    pub(crate) fn is_computed(&self) -> bool {
        self.generation.is_some()
    }

    /// Returns whether the board is frozen.
    pub(crate) fn is_frozen(&self) -> bool {
        self.frozen.is_some()
    }

    /// Returns the standings that a role sees, and whether they are frozen.
    pub(crate) fn ladder_for(&self, role: Role) -> (Arc<Standing>, bool) {
        match &self.frozen {
            Some((_, frozen)) if !role.is_staff() => (Arc::clone(&frozen.standing), true),
            _ => (Arc::clone(&self.ladder), false),
        }
    }

    /// Returns what a rejudge would change, if it was computed.
    pub(crate) fn preview(&self, rejudge: i64) -> Option<Arc<Preview>> {
        let (_, preview) = self.preview.as_ref().filter(|(its, _)| *its == rejudge)?;
        Some(Arc::clone(preview))
    }

    /// Shows the freeze and the final that are in force: with the standings that were computed for them, or else with
    /// those that were shown. A new freeze begins with the live board, and a new final is empty.
    fn show(
        &mut self,
        freeze: Option<Freeze>,
        state: Option<FinalState>,
        computed: Computed,
    ) -> Result<(), Error> {
        let live = Board { standing: Arc::clone(&self.ladder), inputs: None };
        let kept = self.frozen.take();
        self.frozen = freeze.map(|freeze| {
            let its = |(of, _): &(Freeze, Board)| *of == freeze;
            let board = computed.frozen.filter(its).or(kept.filter(its)).map(|(_, board)| board);
            (freeze, board.unwrap_or(live))
        });
        let kept = self.round.take();
        self.round = match state {
            None => None,
            Some(state) => {
                let event = state.event.id;
                let computed = computed.round.filter(|(of, _)| *of == event);
                let kept = kept.filter(|round| round.state.event.id == event);
                let board = computed.map(|(_, board)| board).or(kept.map(|it| it.board.clone()));
                let none = || Standing::of_none(&state.event, Vec::new()).map(Board::of);
                let board = board.map_or_else(none, Ok)?;
                Some(Arc::new(FinalRound { state, board }))
            }
        };
        Ok(())
    }
}

/// The boards beside the ladder that were computed.
#[derive(Default)]
struct Computed {
    frozen: Option<(Freeze, Board)>,
    /// That of the final with this event.
    round: Option<(i64, Board)>,
}

impl Competition {
    /// Returns what is shown now.
    pub(crate) fn boards(&self) -> Arc<Boards> {
        Arc::clone(&self.boards.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Changes what is shown, and lets pages look again.
    fn change<T>(&self, change: impl FnOnce(&mut Boards) -> T) -> T {
        let mut boards = self.boards.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = change(Arc::make_mut(&mut boards));
        drop(boards);
        self.class.announce();
        changed
    }

    /// Returns whether the standings have everything that has happened.
    pub(crate) fn is_current(&self) -> bool {
        self.boards().generation == Some(self.results.load(Ordering::Acquire))
    }

    /// Shows what a rejudge would change.
    pub(super) fn show_preview(&self, rejudge: i64, preview: Preview) {
        self.change(|boards| boards.preview = Some((rejudge, Arc::new(preview))));
    }

    /// Shows the workers on other hosts that are alive.
    pub(crate) fn show_workers(&self, workers: Vec<SeenWorker>) {
        // Pages do not follow them.
        let mut boards = self.boards.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::make_mut(&mut boards).workers = Arc::new(workers);
    }

    /// Reads the freeze of the board and the final again, and lets their standings be computed. Until then
    /// the board shows what it showed, and a new final is empty.
    ///
    /// # Errors
    ///
    /// The database cannot be used.
    pub(crate) fn reload_course(&self) -> Result<(), Error> {
        self.show_course(Computed::default(), |_| {})?;
        self.announce_result();
        Ok(())
    }

    /// Computes all standings, and shows them.
    ///
    /// # Errors
    ///
    /// The database cannot be used.
    pub(crate) fn compute_boards(&self) -> Result<(), Error> {
        let (event, database) = (&self.event, &self.class.database);
        let generation = self.results.load(Ordering::Acquire);
        let mut ladder = Standing::compute(event, database, &self.record)?;
        database.write(|transaction| ladder::keep_ratings(transaction, &ladder))?;
        ladder.trends =
            database.read(|transaction| ladder::trends(transaction, event.id, ladder.at))?;
        let differing = database.read(hosts::differing)?;
        let computed = Computed { frozen: self.frozen_board()?, round: self.final_board()? };
        self.show_course(computed, |boards| {
            boards.generation = Some(generation);
            boards.ladder = Arc::new(ladder);
            boards.hosts = Arc::new(differing);
        })
    }

    /// Shows the freeze and the final that are in force, and what else has changed.
    fn show_course(
        &self,
        computed: Computed,
        change: impl FnOnce(&mut Boards),
    ) -> Result<(), Error> {
        // It may have changed while standings were computed.
        let (freeze, state) = self.class.database.write(|transaction| {
            let freeze = freezes::in_force(transaction, self.event.id)?;
            Ok((freeze, finals::state(transaction, &self.event)?))
        })?;
        self.change(|boards| {
            change(boards);
            boards.show(freeze, state, computed)
        })
    }

    /// Returns the standings of the frozen board, if it is frozen.
    fn frozen_board(&self) -> Result<Option<(Freeze, Board)>, Error> {
        let event = &self.event;
        let read = self.class.database.read(|transaction| {
            let Some(freeze) = freezes::in_force(transaction, event.id)? else { return Ok(None) };
            let mut entrants = ladder::all(transaction, event.id)?;
            entrants.retain(|entrant| freeze.entrants.contains(&entrant.id));
            let inputs = Inputs::read(transaction, event.id, Some(freeze.last_game), entrants)?;
            Ok(Some((freeze, inputs)))
        });
        let Some((freeze, inputs)) = read? else { return Ok(None) };
        let boards = self.boards();
        let known = boards.frozen.as_ref().filter(|(its, _)| *its == freeze);
        let (last, at) = (Some(freeze.last_game), freeze.at);
        let known = known.map(|(_, board)| board);
        let board = self.board(known, (event, Design::Ladder), inputs, last, at)?;
        Ok(Some((freeze, board)))
    }

    /// Returns the standings of the final with its event, if there is one.
    fn final_board(&self) -> Result<Option<(i64, Board)>, Error> {
        let read = self.class.database.read(|transaction| {
            let Some(state) = finals::state(transaction, &self.event)? else { return Ok(None) };
            let entrants = ladder::of_final(transaction, state.event.id)?;
            let inputs = Inputs::read(transaction, state.event.id, None, entrants)?;
            Ok(Some((state.event, inputs)))
        });
        let Some((event, inputs)) = read? else { return Ok(None) };
        let boards = self.boards();
        let known = boards.round.as_ref().map(|round| &round.board);
        let board = self.board(known, (&event, Design::Final), inputs, None, now())?;
        Ok(Some((event.id, board)))
    }

    /// Returns the known board if it follows from these inputs, or else computes the standings by the games of an
    /// event, up to this row if one is given.
    fn board(
        &self,
        known: Option<&Board>,
        (event, design): (&Event, Design),
        inputs: Inputs,
        last: Option<i64>,
        at: i64,
    ) -> Result<Board, Error> {
        if let Some(known) = known.filter(|board| board.inputs.as_ref() == Some(&inputs)) {
            return Ok(known.clone());
        }
        let games = self
            .class
            .database
            .read(|transaction| ladder::games_of_event(transaction, event.id, last))?;
        let mut standing = Standing::of_games(event, design, inputs.entrants.clone(), &games, at)?;
        if design == Design::Ladder {
            let database = &self.class.database;
            standing.trends =
                database.read(|transaction| ladder::trends(transaction, event.id, at))?;
        }
        Ok(Board { standing: Arc::new(standing), inputs: Some(inputs) })
    }
}
