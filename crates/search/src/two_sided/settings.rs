//! How to search: the algorithm, and which of the refinements are on. Some refinements change the
//! value of a position and some only the time it takes to find it.

use super::line::DrawRules;

/// How the windows are chosen in which the tree is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// The whole tree, no windows at all, no table: the reference for the others.
    Minimax,
    /// One full window (Knuth and Moore 1975).
    AlphaBeta,
    /// Principal variation search (Marsland and Campbell 1982): only the first move gets the full
    /// window, the others must prove that they are better.
    Pvs,
    /// MTD(f) (Plaat, Schaeffer, Pijls and de Bruin 1996): null windows alone, around a first guess.
    Mtdf,
}

impl Algorithm {
    /// All four, with the names that options have for them.
    pub const ALL: [(&'static str, Algorithm); 4] = [
        ("minimax", Algorithm::Minimax),
        ("alpha-beta", Algorithm::AlphaBeta),
        ("pvs", Algorithm::Pvs),
        ("mtdf", Algorithm::Mtdf),
    ];
}

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The driver.
    pub algorithm: Algorithm,
    /// The memory of the transposition table in MiB; 0 for none.
    pub table_mebibytes: usize,
    /// Whether what the table knows from deeper searches counts as well; changes values.
    pub deeper_entries: bool,
    /// By how many plies an iteration is deeper than the one before; at least 1.
    pub step: u32,
    /// Killer and history heuristics; without them, moves are tried as generated.
    pub ordering: bool,
    /// Search on at the horizon until the position is quiet; changes values.
    pub quiescence: bool,
    /// A ply more for a move without alternative; changes values.
    pub extensions: bool,
    /// A ply or more less for quiet moves that are tried late; changes values.
    pub reductions: bool,
    /// Nodes that are most likely outside the window are not searched; changes values.
    pub pruning: bool,
    /// Which draws there are; changes values.
    pub draws: DrawRules,
    /// By how much a draw is worse than an even position for the side to move at the root: against a
    /// weaker side it pays to play on. Changes values.
    pub contempt: i32,
}

impl Settings {
    /// Everything on (table of 64 MiB, no draw rules), as is good for the algorithm.
    pub const fn new(algorithm: Algorithm) -> Settings {
        Settings {
            algorithm,
            table_mebibytes: 64,
            deeper_entries: true,
            // Two plies, because the value swings between odd and even depths, and MTD(f) is only
            // as fast as its first guess is good.
            step: if matches!(algorithm, Algorithm::Mtdf) { 2 } else { 1 },
            ordering: true,
            quiescence: true,
            extensions: true,
            reductions: true,
            pruning: true,
            draws: DrawRules { repetition: false, quiet_plies: 0 },
            contempt: 0,
        }
    }

    /// Only what leaves a position's value at a fixed depth as minimax has it; with quiescence.
    pub const fn exact(algorithm: Algorithm) -> Settings {
        Settings {
            table_mebibytes: 1,
            deeper_entries: false,
            extensions: false,
            reductions: false,
            pruning: false,
            ..Settings::new(algorithm)
        }
    }
}
