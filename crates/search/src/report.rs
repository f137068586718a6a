//! The result of a search, the same type for all algorithms.

use crate::deadline::Stall;
use crate::player::Values;

/// The result of a search. Equal searches have equal reports, except for `stall`.
///
/// `V` is the type of a value: `i32` in the units of the evaluation, or in Monte Carlo tree search
/// `f64`, a mean reward from 0 to 1. Counters that an algorithm does not keep are 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M, V = i32> {
    /// The best move of the last finished iteration, or a better one that an abandoned iteration
    /// found ([`crate::two_sided::Settings::unfinished`]); `None` only if there is no legal move, or if
    /// Monte Carlo tree search ran no iteration.
    pub best: Option<M>,
    /// Its value for the side to move: an evaluation, a win or loss in a number of plies
    /// ([`crate::value::decided_in`]), or a mean reward.
    pub value: V,
    /// Its value to each player, if the algorithm computes it: max-n does.
    pub values: Option<Values>,
    /// The depth of the last finished iteration, in plies or the unit of the settings; 0 if none
    /// finished. In Monte Carlo tree search: the length of the longest path.
    pub depth: u32,
    /// The nodes visited, including those of quiescence search and of an abandoned iteration. In
    /// Monte Carlo tree search: the nodes of the trees.
    pub nodes: u64,
    /// The nodes visited by helper threads, which `nodes` does not include.
    pub helper_nodes: u64,
    /// The number of static evaluations; counted by multi-player search.
    pub evaluated: u64,
    /// The cumulative number of nodes at the end of each iteration, by its depth.
    pub iterations: Vec<(u32, u64)>,
    /// Whether the search reached the end of the game on every line, without an evaluation at the
    /// horizon. Set by multi-player search.
    pub is_complete: bool,
    /// The number of transposition table lookups.
    pub probes: u64,
    /// The number of transposition table hits.
    pub hits: u64,
    /// The number of positions with a result known to the game
    /// ([`crate::two_sided::TwoSidedGame::known`]).
    pub known: u64,
    /// The longest interval between two clock reads, zero without a deadline: how far a search on
    /// this machine may overrun it.
    pub stall: Stall,
    /// The principal variation, starting with `best`. It may be truncated by a table hit.
    pub line: Vec<M>,
    /// Monte Carlo tree search: every move tried at the root, the best first, the others by visits.
    pub root: Vec<RootMove<M>>,
    /// Monte Carlo tree search: the number of playouts.
    pub playouts: u64,
    /// Monte Carlo tree search: the best first move of each player that has a tree of its own and
    /// chose in it.
    pub plan: Vec<M>,
}

/// A root move in Monte Carlo tree search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// The number of visits.
    pub visits: u64,
    /// The mean reward of the deciding player, from 0 to 1.
    pub value: f64,
}

impl<M, V: Default> Report<M, V> {
    /// Returns the report of a search that has not started, with a fallback move.
    #[must_use]
    pub fn before_search(best: Option<M>) -> Report<M, V> {
        Report {
            best,
            value: V::default(),
            values: None,
            depth: 0,
            nodes: 0,
            helper_nodes: 0,
            evaluated: 0,
            iterations: Vec::new(),
            is_complete: false,
            probes: 0,
            hits: 0,
            known: 0,
            stall: Stall::NONE,
            line: Vec::new(),
            root: Vec::new(),
            playouts: 0,
            plan: Vec::new(),
        }
    }
}

impl<M, V> Report<M, V> {
    /// Returns the effective branching factor: the ratio of the nodes of the last two finished
    /// iterations (each counted alone), per ply between them. `None` with fewer than two.
    pub fn growth(&self) -> Option<f64> {
        let [.., (_, start), (shallow, middle), (deep, end)] = self.iterations[..] else {
            return None;
        };
        let (last, before) = ((end - middle) as f64, (middle - start) as f64);
        (before > 0.0).then(|| (last / before).powf(1.0 / f64::from(deep - shallow)))
    }
}
