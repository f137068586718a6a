//! Mr. X's rule of thumb: go where the detectives are farthest. Stations are compared by the
//! distance of the nearest detective by its tickets; if that is equal, by the second nearest, and
//! so on to the fifth. Among tickets that lead to the same station he shows the one that leaves the
//! detectives the most candidates.
//!
//! Black tickets are reserved for the step after a reveal (unless it is a reveal itself), and for
//! situations in which every other step ends beside a detective. Double tickets are reserved for
//! situations in which every single step ends beside a detective, and used if two steps lead
//! farther.

use super::{actions_of, best_by, distance};
use botyard_engine::Game;
use botyard_engine::scotland_yard::{
    Action, Candidates, MAX_DETECTIVES, ScotlandYard, State, Station, Ticket, View,
};

/// The number of moves that each detective needs to a station, in ascending order.
type DistancesToMrX = [u16; MAX_DETECTIVES];

/// A detective that is at most this far away can catch him in the next round.
const BESIDE: u16 = 1;

/// Returns the steps that are equally best by the rule.
pub(super) fn best(game: &ScotlandYard, view: &View, state: &State) -> Vec<Action> {
    let (doubles, singles): (Vec<Action>, Vec<Action>) =
        actions_of(game, state).into_iter().partition(|&action| is_double(action));
    let (blacks, fares): (Vec<Action>, Vec<Action>) =
        singles.iter().partition(|&&action| is_black(action));
    let seen_just_now = view.log.last().is_some_and(|last| last.reveal);
    let seen_next = game.arena().reveals(state.position().x_moves() + 1);
    let hide = seen_just_now && !seen_next;
    let usual = if fares.is_empty() || hide && !blacks.is_empty() { blacks } else { fares };
    let mut best = farthest(game, view, state, &usual);
    if pursuit_after(game, state, &best)[0] <= BESIDE {
        best = farthest(game, view, state, &singles);
    }
    let single = pursuit_after(game, state, &best);
    if single[0] <= BESIDE {
        let both_steps = |double| after_both_steps(game, state, double);
        let doubles = best_by(&doubles, both_steps);
        if doubles.first().is_some_and(|&double| both_steps(double) > single) {
            return doubles;
        }
    }
    best
}

pub(super) fn is_double(action: Action) -> bool {
    matches!(action, Action::MrX { double: true, .. })
}

pub(super) fn is_black(action: Action) -> bool {
    matches!(action, Action::MrX { ticket: Ticket::Black, .. })
}

/// Returns the steps after which the detectives are farthest; among these the ones that hide most.
fn farthest(game: &ScotlandYard, view: &View, state: &State, steps: &[Action]) -> Vec<Action> {
    let best = best_by(steps, |action| pursuit_of(game, state, action));
    if best.len() < 2 {
        return best;
    }
    let candidates = game.candidates_in(view);
    best_by(&best, |action| match action {
        Action::MrX { ticket, .. } => hidden_among(game, state, candidates.clone(), ticket),
        Action::Detective { .. } => 0,
    })
}

/// Returns the number of candidates after he has shown this ticket.
fn hidden_among(
    game: &ScotlandYard,
    state: &State,
    mut candidates: Candidates,
    ticket: Ticket,
) -> usize {
    candidates.mr_x_moved(game.board(), ticket, state.position().pawns());
    candidates.set().len()
}

/// Returns the distances after equally good steps; the shortest possible if there are none.
fn pursuit_after(game: &ScotlandYard, state: &State, steps: &[Action]) -> DistancesToMrX {
    steps.first().map_or([0; MAX_DETECTIVES], |&step| pursuit_of(game, state, step))
}

fn pursuit_of(game: &ScotlandYard, state: &State, step: Action) -> DistancesToMrX {
    match step {
        Action::MrX { to, .. } => distances(game, state, to),
        Action::Detective { .. } => [0; MAX_DETECTIVES],
    }
}

/// Returns the best distances after a double move that begins with this step.
fn after_both_steps(game: &ScotlandYard, state: &State, first: Action) -> DistancesToMrX {
    let mut between = state.clone();
    game.apply(&mut between, first);
    let second = actions_of(game, &between).into_iter();
    second.map(|step| pursuit_of(game, &between, step)).max().unwrap_or([0; MAX_DETECTIVES])
}

/// Returns the number of moves that each detective needs to `station`.
fn distances(game: &ScotlandYard, state: &State, station: Station) -> DistancesToMrX {
    let position = state.position();
    let mut distances = [u16::MAX; MAX_DETECTIVES];
    for detective in position.all_detectives() {
        let Some(from) = position.pawns().get(detective) else { continue };
        let moves = distance(game, position.tickets_of(detective), from, station);
        distances[detective.index()] = moves.unwrap_or(u16::MAX);
    }
    distances.sort_unstable();
    distances
}
