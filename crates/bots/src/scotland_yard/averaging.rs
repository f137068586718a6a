//! Averaging over determinizations: some of Mr. X's candidates are drawn, each is searched as if it
//! were known, and the move with the best mean value is played.

use super::belief::Belief;
use super::simulation_state::SimulationState;
use botyard_agent::AgentRng;
use botyard_engine::scotland_yard::{Action, Position, Station};

/// The move with the best mean value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Average {
    /// The move.
    pub action: Action,
    /// Its mean value.
    pub value: i32,
    /// The depth to which all states were searched.
    pub depth: u32,
}

/// Searches all states with increasing depth, up to `depth`, and returns the result of the deepest
/// complete depth; `None` if there is none. All states have these moves. `values` fills in the
/// value of each move in a state at a depth, or returns false at a limit.
pub(super) fn deepest_average(
    moves: &[Action],
    states: &[(SimulationState, f64)],
    depth: u32,
    mut values: impl FnMut(&SimulationState, u32, &mut Vec<i32>) -> bool,
) -> Option<Average> {
    let mut found = None;
    let mut of_scene = Vec::new();
    for depth in 1..=depth {
        let mut means = vec![0.0; moves.len()];
        for (state, weight) in states {
            if !values(state, depth, &mut of_scene) {
                return found;
            }
            for (mean, value) in means.iter_mut().zip(&of_scene) {
                *mean += weight * f64::from(*value);
            }
        }
        // The first of equal ones.
        let best = (0..moves.len()).reduce(|a, b| if means[b] > means[a] { b } else { a })?;
        found = Some(Average { action: moves[best], value: means[best].round() as i32, depth });
    }
    found
}

/// Returns the position with Mr. X at each of at most this many stations, with weights that sum to
/// 1.
pub(super) fn drawn_states(
    belief: &Belief,
    position: &Position,
    count: usize,
    rng: &mut AgentRng,
) -> Vec<(SimulationState, f64)> {
    let state =
        |(station, weight)| (SimulationState::untracked(position.with_mr_x(station)), weight);
    drawn(belief, count, rng).into_iter().map(state).collect()
}

/// Returns stations with weights that sum to 1: all of them, or a random sample of this size.
fn drawn(belief: &Belief, count: usize, rng: &mut AgentRng) -> Vec<(Station, f64)> {
    if belief.stations().len() <= count {
        return belief.stations().to_vec();
    }
    let mut stations: Vec<(Station, f64)> = Vec::new();
    for station in (0..count).filter_map(|_| belief.draw(rng)) {
        let share = 1.0 / count as f64;
        match stations.iter_mut().find(|(known, _)| *known == station) {
            Some((_, weight)) => *weight += share,
            None => stations.push((station, share)),
        }
    }
    stations
}
