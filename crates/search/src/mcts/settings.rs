//! How a tree is searched: constants of the algorithm and which variant of it.

/// How many trees there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trees {
    /// One, whose nodes are what the deciding player has seen.
    Single,
    /// One per player, whose nodes are what that player itself has chosen; an iteration goes as
    /// deep in each of them as the one that ends first (Belej 2015).
    PerPlayer,
}

impl Trees {
    /// All of them, by the names used in options.
    pub const ALL: [(&'static str, Trees); 2] =
        [("single", Trees::Single), ("per-seat", Trees::PerPlayer)];
}

/// Which action is played in the end (Chaslot et al. 2008).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Final {
    /// The one that was visited most.
    Visits,
    /// The one with the highest mean reward.
    Value,
    /// The one whose mean reward less one over the root of its visits is highest.
    Secure,
}

impl Final {
    /// All of them, by the names used in options.
    pub const ALL: [(&'static str, Final); 3] =
        [("visits", Final::Visits), ("value", Final::Value), ("secure", Final::Secure)];
}

/// The settings of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How much is explored: the constant C of UCB1, against rewards of 0 to 1.
    pub exploration: f32,
    /// How many visits a node needs before UCB1 applies in it; below that playouts' actions are
    /// taken. 0 or 1 for none.
    pub min_visits: u32,
    /// At which visit a node gets its first child; at least 1.
    pub expand_at: u32,
    /// How much the prior of an action counts; it fades as one over the visits.
    pub prior_weight: f32,
    /// How many trees there are.
    pub trees: Trees,
    /// Which action is played.
    pub final_choice: Final,
    /// How many nodes there may be in all trees of all threads; with more the trees stop growing.
    pub max_nodes: usize,
    /// How many threads search, each on trees of its own which are added up in the end; at least
    /// 1.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            exploration: 0.7,
            min_visits: 0,
            expand_at: 2,
            prior_weight: 0.0,
            trees: Trees::Single,
            final_choice: Final::Visits,
            max_nodes: 1 << 20,
            threads: 1,
        }
    }
}
