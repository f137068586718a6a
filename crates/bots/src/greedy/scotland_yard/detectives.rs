//! The detectives' rule of thumb. Each step is chosen on its own: a detective that can step onto a
//! station where Mr. X can be does so, onto the likeliest; otherwise the one that can come nearest
//! to such a station by its tickets does. There is no plan for the detectives together, except that
//! a station found empty is no longer a goal of the next.

use super::{actions_of, best_by, distance};
use crate::scotland_yard::{LIKELIHOOD, category};
use botyard_engine::scotland_yard::{
    Action, Allowance, Pawns, ScotlandYard, State, Station, Ticket, View,
};

/// The steps that are best by the rule, equally so.
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

/// How likely Mr. X is at `station`, as far as the distance to the nearest detective tells.
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

/// The tickets that are left when one is used.
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
