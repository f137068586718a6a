//! Where Mr. X can be, as far as the public log tells: the start set less the detectives' starts;
//! at each of his steps everything that the shown ticket leads to, less the stations where a
//! detective stood then; a reveal makes one of it; and a detective's arrival that does not catch
//! him removes its station.

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

/// The stations at which Mr. X can be, kept up to date move by move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidates {
    set: StationSet,
    scratch: StationSet,
}

impl Candidates {
    /// Before Mr. X's first step: these stations, less those of the detectives.
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

    /// The stations.
    pub const fn set(&self) -> &StationSet {
        &self.set
    }

    /// The detectives stand here and have not caught him: he is nowhere of these.
    pub fn detectives_at(&mut self, detectives: &Pawns) {
        for station in detectives.stations() {
            self.set.remove(station);
        }
    }

    /// Mr. X made a step with this ticket while the detectives stood here.
    pub fn mr_x_moved(&mut self, board: &Board, ticket: Ticket, detectives: &Pawns) {
        // Arrivals since his last step.
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

    /// Mr. X was seen here.
    pub fn seen_at(&mut self, station: Station) {
        self.set.clear();
        self.set.insert(station);
    }
}

/// A step of Mr. X's as everybody saw it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PublicStep {
    pub(super) ticket: Ticket,
    pub(super) shown: Option<Station>,
    pub(super) detectives: Pawns,
}

/// The steps in a state's log as everybody saw them.
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

/// The steps in a view's log as everybody saw them, whoever the view is for.
pub(super) fn public_log_of_view(view: &View) -> impl Iterator<Item = PublicStep> + '_ {
    view.log.iter().map(|entry| PublicStep {
        ticket: entry.ticket,
        shown: entry.station.filter(|_| entry.reveal),
        detectives: entry.detectives,
    })
}

/// Follows the public log from the start; `after` is called with what is possible before the first
/// step and after each.
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
    /// The stations at which Mr. X can be before his first step, where no detective stands.
    pub(super) fn start_stations<'a>(&'a self, starts: &'a StartSet) -> Cow<'a, [Station]> {
        match starts {
            StartSet::Cards => Cow::Borrowed(self.mr_x_cards()),
            StartSet::Anywhere => Cow::Owned(self.board().stations().collect()),
            StartSet::Among(stations) => Cow::Borrowed(stations),
        }
    }

    /// Where Mr. X can be in this state as far as the detectives can know. His station is always
    /// among them; when he has been caught it is the only one.
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

    /// Where Mr. X can be as far as the detectives can know, from a view of either side.
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
