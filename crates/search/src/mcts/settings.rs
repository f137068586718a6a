//! The settings of Monte Carlo tree search: variants and constants of the algorithm.

use super::simulation::Simulation;

/// The trees of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trees {
    /// One tree, whose nodes are information sets of the deciding player.
    Single,
    /// One tree per player, whose nodes are that player's own actions. An iteration stops in all of
    /// them at the depth of the first that ends (Belej 2015).
    PerPlayer,
}

impl Trees {
    /// All variants, by their names in options.
    pub const ALL: [(&'static str, Trees); 2] =
        [("single", Trees::Single), ("per-seat", Trees::PerPlayer)];
}

/// The final move selection (Chaslot et al. 2008).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Final {
    /// The action with the most visits.
    Visits,
    /// The action with the highest mean reward.
    Value,
    /// The action with the highest mean reward minus one over the square root of its visits.
    Secure,
}

impl Final {
    /// All rules, by their names in options.
    pub const ALL: [(&'static str, Final); 3] =
        [("visits", Final::Visits), ("value", Final::Value), ("secure", Final::Secure)];
}

/// The settings of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The exploration constant C of UCB1, for rewards from 0 to 1.
    pub exploration: f32,
    /// The visit at which a node gets its first child; at least 1.
    pub expand_at: u32,
    /// The weight of an action's prior (progressive bias); it decays as one over the visits.
    pub prior_weight: f32,
    /// One tree, or one per player.
    pub trees: Trees,
    /// The final move selection.
    pub final_choice: Final,
    /// The margin of mistakes, as a mean reward: the move is drawn among those whose mean reward is at
    /// most this much below that of the selected one; 0 for the selected one.
    pub margin: f32,
    /// The maximum number of nodes in all trees of all threads; then the trees stop growing.
    pub max_nodes: usize,
    /// The number of threads, at least 1. Each searches its own trees, which are summed at the end.
    pub threads: usize,
}

impl Settings {
    /// Returns what the owner of a tree sees of an action.
    pub(super) fn event<S: Simulation>(
        &self,
        simulation: &S,
        state: &S::State,
        action: S::Action,
    ) -> S::Event {
        match self.trees {
            Trees::Single => simulation.event(state, action),
            Trees::PerPlayer => simulation.own_event(state, action),
        }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            exploration: 0.7,
            expand_at: 2,
            prior_weight: 0.0,
            trees: Trees::Single,
            final_choice: Final::Visits,
            margin: 0.0,
            max_nodes: 1 << 20,
            threads: 1,
        }
    }
}
