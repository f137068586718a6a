//! The settings of two-sided search: the algorithm and its refinements. Some refinements change the
//! value of a position, others only the time to find it.

use super::line::DrawRules;

/// The algorithm: how it chooses windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// The whole tree, without windows: the reference for the others, if it has no table.
    Minimax,
    /// Alpha-beta: one full window (Knuth and Moore 1975).
    AlphaBeta,
    /// Principal variation search (Marsland and Campbell 1982): only the first move gets the full
    /// window; the others are tested by a null window.
    Pvs,
    /// MTD(f) (Plaat, Schaeffer, Pijls and de Bruin 1996): null windows alone, around a first
    /// guess.
    Mtdf,
}

impl Algorithm {
    /// All four, by their names in options.
    pub const ALL: [(&'static str, Algorithm); 4] = [
        ("minimax", Algorithm::Minimax),
        ("alpha-beta", Algorithm::AlphaBeta),
        ("pvs", Algorithm::Pvs),
        ("mtdf", Algorithm::Mtdf),
    ];
}

/// The first guess of MTD(f) in an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstGuess {
    /// The value of the last iteration whose depth has the same parity; 0 before there is one.
    SameParity,
    /// The value of the iteration before; 0 in the first one.
    Previous,
    /// The static evaluation of the root.
    Static,
    /// 0.
    Zero,
}

impl FirstGuess {
    /// All four, by their names in options.
    pub const ALL: [(&'static str, FirstGuess); 4] = [
        ("same-parity", FirstGuess::SameParity),
        ("previous", FirstGuess::Previous),
        ("static", FirstGuess::Static),
        ("zero", FirstGuess::Zero),
    ];
}

/// The settings of a search.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The size of the transposition table in MiB; 0 for none.
    pub table_mebibytes: usize,
    /// Whether table entries of a greater depth are used; changes values.
    pub deeper_entries: bool,
    /// The depth increase per iteration, in plies; at least 1.
    pub step: u32,
    /// The first guess of MTD(f).
    pub first_guess: FirstGuess,
    /// Added to the first guess of MTD(f).
    pub guess_offset: i32,
    /// Killer and history heuristics; without them, moves are tried as generated.
    pub ordering: bool,
    /// Quiescence search at the horizon; changes values.
    pub quiescence: bool,
    /// Extends a forced move (the only legal one) by a ply; changes values.
    pub extensions: bool,
    /// Late move reductions: searches late quiet moves to a smaller depth; changes values.
    pub reductions: bool,
    /// Forward pruning of nodes that are most likely outside the window; changes values.
    pub pruning: bool,
    /// Whether the better move of an iteration that a limit cut off is kept: one that was proved
    /// better than the best move of the iteration before. Without it, only finished iterations
    /// count.
    pub unfinished: bool,
    /// By how much an iteration of MTD(f) must be worse than the one before for a search to use its
    /// reserve ([`super::TwoSidedSearcher::search_with_reserve`]).
    pub fall: i32,
    /// The draw rules; changes values.
    pub draws: DrawRules,
    /// Contempt: by how much a draw is worse than an even position for the side to move at the
    /// root. Against a weaker opponent it pays to play on. Changes values.
    pub contempt: i32,
}

impl Settings {
    /// Returns the best settings of an algorithm: everything on, a table of 64 MiB, no draw rules.
    /// Minimax has no table.
    pub const fn new(algorithm: Algorithm) -> Settings {
        Settings {
            algorithm,
            table_mebibytes: if matches!(algorithm, Algorithm::Minimax) { 0 } else { 64 },
            deeper_entries: true,
            // Two plies, because the value swings between odd and even depths, and MTD(f) is only
            // as fast as its first guess is good.
            step: if matches!(algorithm, Algorithm::Mtdf) { 2 } else { 1 },
            first_guess: FirstGuess::SameParity,
            guess_offset: 0,
            ordering: true,
            quiescence: true,
            extensions: true,
            reductions: true,
            pruning: true,
            unfinished: true,
            fall: 20,
            draws: DrawRules { repetition: false, quiet_plies: 0 },
            contempt: 0,
        }
    }

    /// Returns whether a searcher with these settings has a transposition table.
    pub(super) fn has_table(&self) -> bool {
        self.table_mebibytes > 0
    }

    /// Only the refinements that keep the minimax value at a fixed depth; with quiescence search, and
    /// a table of 1 MiB except for minimax.
    pub const fn exact(algorithm: Algorithm) -> Settings {
        Settings {
            table_mebibytes: if matches!(algorithm, Algorithm::Minimax) { 0 } else { 1 },
            deeper_entries: false,
            extensions: false,
            reductions: false,
            pruning: false,
            ..Settings::new(algorithm)
        }
    }
}
