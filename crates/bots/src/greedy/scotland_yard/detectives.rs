//! The detectives' rule of thumb. Each step is chosen independently: a detective that can step onto
//! a station where Mr. X can be does so, onto the likeliest; otherwise the detective that can come
//! nearest to such a station with its tickets does that. There is no joint plan, except that a
//! station found empty is not a goal of the next detective.

use super::{actions_of, best_by, distance};
use crate::scotland_yard::{LIKELIHOOD, category};
use botyard_engine::scotland_yard::{
    Action, Allowance, Pawns, ScotlandYard, State, Station, Ticket, View,
};

/// Returns the steps that are equally best by the rule.
pub(super) fn best(game: &ScotlandYard, view: &View, state: &State) -> Vec<Action> {
    let position = state.position();
    let candidates = game.candidates_in(view);
    let goals: Vec<Station> = candidates.set().iter().collect();
    let pawns_then = view.log.last().map_or(*position.pawns(), |last| last.detectives);
    best_by(&actions_of(game, state), |action| {
        let Action::Detective { detective, ticket, to } = action else { return (0.0, 0.0) };
        if candidates.set().contains(to) {
            return (f64::INFINITY, likelihood(game, &pawns_then, state, to));
        }
        let left = without(position.tickets_of(detective), ticket);
        let nearest = goals.iter().filter_map(|&goal| distance(game, left, to, goal)).min();
        (nearest.map_or(f64::NEG_INFINITY, |moves| -f64::from(moves)), 0.0)
    })
}

/// Returns the likelihood of Mr. X at `station`, by the distance to the nearest detective.
fn likelihood(game: &ScotlandYard, pawns: &Pawns, state: &State, station: Station) -> f64 {
    let position = state.position();
    let nearest = position
        .all_detectives()
        .filter_map(|detective| {
            let kinds = position.tickets_of(detective).kinds();
            game.distances().with_kinds(kinds, pawns.get(detective)?, station)
        })
        .min();
    LIKELIHOOD[category(nearest.unwrap_or(u16::MAX))]
}

/// Returns the tickets left after one is used.
fn without(tickets: Allowance, used: Ticket) -> Allowance {
    let Some(mut left) = tickets.tickets() else { return tickets };
    match used {
        Ticket::Taxi => left.taxi = left.taxi.saturating_sub(1),
        Ticket::Bus => left.bus = left.bus.saturating_sub(1),
        Ticket::Underground => left.underground = left.underground.saturating_sub(1),
        Ticket::Black => {}
    }
    Allowance::Limited(left)
}
