//! The result of a search, whichever it was.

use crate::deadline::Stall;
use crate::player::Values;

/// The result of a search. Equal searches have equal reports, `stall` aside.
///
/// `V` is the type of a value: `i32` in the units of the evaluation, or in Monte Carlo tree search
/// `f64`, a mean reward from 0 to 1. Counts that an algorithm does not keep are 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M, V = i32> {
    /// The best move of the last finished iteration; `None` only where there is no legal move, or
    /// where Monte Carlo tree search did not run one iteration.
    pub best: Option<M>,
    /// Its value for the side to move: of the evaluation, a win or loss in a number of plies
    /// ([`crate::value::decided_in`]), or a mean reward.
    pub value: V,
    /// Its value to each player, where the algorithm says: max-n does.
    pub values: Option<Values>,
    /// The depth of the last finished iteration, in plies or the unit of the settings; 0 where none
    /// was finished. In Monte Carlo tree search: the nodes of the longest path, without the root.
    pub depth: u32,
    /// The positions visited, those of quiescence search and of the abandoned iteration included.
    /// In Monte Carlo tree search: the nodes of the trees.
    pub nodes: u64,
    /// How many of them were evaluated; counted by multi-player search.
    pub evaluated: u64,
    /// How many nodes had been visited when each iteration was finished, by its depth.
    pub iterations: Vec<(u32, u64)>,
    /// Whether the whole game was searched: nothing was evaluated at the horizon. Multi-player
    /// search says so.
    pub is_complete: bool,
    /// How often the transposition table was asked.
    pub probes: u64,
    /// How often it knew the position.
    pub hits: u64,
    /// How often the game knew a position's result ([`crate::two_sided::TwoSidedGame::known`]).
    pub known: u64,
    /// The longest time between two looks at the clock, zero where there is no deadline: how much
    /// too late a search on this machine may end.
    pub stall: Stall,
    /// The principal variation, begins with `best`. It may end early where a table knew the rest.
    pub line: Vec<M>,
    /// Monte Carlo tree search: every move tried at the root, the best first, the others by their
    /// visits.
    pub root: Vec<RootMove<M>>,
    /// Monte Carlo tree search: the number of playouts.
    pub playouts: u64,
    /// Monte Carlo tree search: the best first move of each player that has a tree of its own and
    /// chose in it.
    pub plan: Vec<M>,
}

/// A move at the root of a Monte Carlo tree search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// The number of iterations through it.
    pub visits: u64,
    /// The mean reward of the deciding player in these, 0 to 1.
    pub value: f64,
}

impl<M, V: Default> Report<M, V> {
    /// The report before anything was searched: a move to fall back on.
    #[must_use]
    pub fn before_search(best: Option<M>) -> Report<M, V> {
        Report {
            best,
            value: V::default(),
            values: None,
            depth: 0,
            nodes: 0,
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
    /// The effective growth per ply: the factor between the nodes of the last two finished
    /// iterations (each taken alone), spread over the plies between them. `None` with fewer.
    pub fn growth(&self) -> Option<f64> {
        let [.., (_, start), (shallow, middle), (deep, end)] = self.iterations[..] else {
            return None;
        };
        let (last, before) = ((end - middle) as f64, (middle - start) as f64);
        (before > 0.0).then(|| (last / before).powf(1.0 / f64::from(deep - shallow)))
    }
}
