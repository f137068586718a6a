//! The candidates: the stations at which Mr. X can be, by the public log. They start as the start
//! set without the detectives' starts. Each step of Mr. X replaces them by all stations that the
//! shown ticket leads to, without those where a detective stood at that time. A reveal leaves one
//! station. A detective's arrival that does not catch Mr. X removes its station.

use super::board::Board;
use super::detective::Pawns;
use super::opening::StartSet;
use super::position::{End, Stage};
use super::state::State;
use super::station::Station;
use super::station_set::StationSet;
use super::ticket::Ticket;
use super::view::View;
use super::{Arena, ScotlandYard};
use std::borrow::Cow;

/// The stations at which Mr. X can be, updated with every move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidates {
    set: StationSet,
    scratch: StationSet,
}

impl Candidates {
    /// Returns the candidates before Mr. X's first step: `starts` without the detectives' stations.
    pub fn new(
        board: &Board,
        starts: impl IntoIterator<Item = Station>,
        detectives: &Pawns,
    ) -> Candidates {
        let mut set = StationSet::empty(board.len());
        set.extend(starts);
        let mut candidates = Candidates { scratch: StationSet::empty(board.len()), set };
        candidates.detectives_at(detectives);
        candidates
    }

    /// Returns the candidate stations.
    pub const fn set(&self) -> &StationSet {
        &self.set
    }

    /// Removes the detectives' stations: Mr. X has not been caught there.
    pub fn detectives_at(&mut self, detectives: &Pawns) {
        for station in detectives.stations() {
            self.set.remove(station);
        }
    }

    /// Applies a step of Mr. X with this ticket while the detectives stood here.
    pub fn mr_x_moved(&mut self, board: &Board, ticket: Ticket, detectives: &Pawns) {
        // The detectives have moved since his last step.
        self.detectives_at(detectives);
        self.scratch.clear();
        let kinds = ticket.pays_for();
        for from in self.set.iter() {
            let steps = board.steps(from).iter().filter(|step| kinds.has(step.by));
            self.scratch.extend(steps.map(|step| step.to));
        }
        std::mem::swap(&mut self.set, &mut self.scratch);
        self.detectives_at(detectives);
    }

    /// Applies a reveal of Mr. X at this station.
    pub fn seen_at(&mut self, station: Station) {
        self.set.clear();
        self.set.insert(station);
    }
}

/// The public part of a step of Mr. X.
#[derive(Clone, Copy, Debug)]
pub(super) struct PublicStep {
    pub(super) ticket: Ticket,
    pub(super) shown: Option<Station>,
    pub(super) detectives: Pawns,
}

/// Returns the public part of the steps in a state's log.
pub(super) fn public_log<'a>(
    arena: &'a Arena,
    state: &'a State,
) -> impl Iterator<Item = PublicStep> + 'a {
    (1..).zip(state.log()).map(|(number, entry)| PublicStep {
        ticket: entry.ticket,
        shown: arena.reveals(number).then_some(entry.station),
        detectives: entry.detectives,
    })
}

/// Returns the public part of the steps in a view's log, whichever side the view is for.
pub(super) fn public_log_of_view(view: &View) -> impl Iterator<Item = PublicStep> + '_ {
    view.log.iter().map(|entry| PublicStep {
        ticket: entry.ticket,
        shown: entry.station.filter(|_| entry.reveal),
        detectives: entry.detectives,
    })
}

/// Follows the public log from the start. Calls `after` with the candidates before the first step
/// and after each step.
pub(super) fn follow(
    board: &Board,
    starts: &[Station],
    log: impl Iterator<Item = PublicStep>,
    now: &Pawns,
    mut after: impl FnMut(&Candidates),
) -> Candidates {
    let mut log = log.peekable();
    let first = log.peek().map_or(*now, |step| step.detectives);
    let mut candidates = Candidates::new(board, starts.iter().copied(), &first);
    after(&candidates);
    for step in log {
        candidates.mr_x_moved(board, step.ticket, &step.detectives);
        if let Some(station) = step.shown {
            candidates.seen_at(station);
        }
        after(&candidates);
    }
    candidates.detectives_at(now);
    candidates
}

impl ScotlandYard {
    /// Returns the candidates before Mr. X's first step. Detectives' stations are not removed.
    pub(super) fn start_stations<'a>(&'a self, starts: &'a StartSet) -> Cow<'a, [Station]> {
        match starts {
            StartSet::Cards => Cow::Borrowed(self.mr_x_cards()),
            StartSet::Anywhere => Cow::Owned(self.board().stations().collect()),
            StartSet::Among(stations) => Cow::Borrowed(stations),
        }
    }

    /// Returns Mr. X's possible stations in this state, as far as the detectives can know. His true
    /// station is always one of them, and the only one when he has been caught.
    pub fn candidates(&self, state: &State) -> Candidates {
        let position = state.position();
        let starts = self.start_stations(state.starts());
        let log = public_log(self.arena(), state);
        let mut candidates = follow(self.board(), &starts, log, position.pawns(), |_| {});
        if position.stage() == Stage::Over(End::Caught) {
            candidates.seen_at(position.mr_x());
        }
        candidates
    }

    /// Returns Mr. X's possible stations as far as the detectives can know, from either side's
    /// view.
    pub fn candidates_in(&self, view: &View) -> Candidates {
        let starts = self.start_stations(&view.mr_x_starts);
        let log = public_log_of_view(view);
        let mut candidates = follow(self.board(), &starts, log, &view.pawns(), |_| {});
        if let (Some(End::Caught), Some(station)) = (view.over, view.mr_x.station) {
            candidates.seen_at(station);
        }
        candidates
    }
}
