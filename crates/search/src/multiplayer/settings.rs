//! The settings of multi-player search: the algorithm, the pruning, and the handling of chance.

use super::game::Unit;

/// The model of the opponents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// The searching player maximises its value and all others minimise it. Every move and every
    /// outcome is searched, without a table: the reference for the other algorithms. With two
    /// players and chance it is expectiminimax (Michie 1966); with more it defines the value of
    /// paranoid search.
    Expectiminimax,
    /// All others against the searching player (Sturtevant and Korf 2000), pruned by alpha-beta;
    /// with [`Pruning::Star1`] or [`Pruning::Star2`] also at chance nodes.
    Paranoid,
    /// Only one opponent, the one that hurts most, replies to each turn of the searching player
    /// (Schadd and Winands 2011).
    BestReply,
    /// Every player maximises its own value (Luckhardt and Irani 1986); with chance it is
    /// expectimax-n.
    MaxN,
}

impl Algorithm {
    /// All algorithms, by their names in options.
    pub const ALL: [(&'static str, Algorithm); 4] = [
        ("expectiminimax", Algorithm::Expectiminimax),
        ("paranoid", Algorithm::Paranoid),
        ("best-reply", Algorithm::BestReply),
        ("max-n", Algorithm::MaxN),
    ];
}

/// The pruning. It never changes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pruning {
    /// Nothing.
    None,
    /// Prunes moves that cannot matter, between chance nodes: alpha-beta (Knuth and Moore 1975); in
    /// max-n, shallow pruning (Korf 1991), which needs [`super::MultiplayerGame::most_sum`].
    AlphaBeta,
    /// Also prunes outcomes that cannot matter, by the bounds of those not yet searched (Ballard
    /// 1983). In max-n, for the player above the chance node.
    Star1,
    /// Also probes the most promising move after each outcome, to tighten these bounds first
    /// (Ballard 1983; Hauk, Buro and Schaeffer 2004). In max-n the same as [`Pruning::Star1`].
    Star2,
}

impl Pruning {
    /// All levels, by their names in options.
    pub const ALL: [(&'static str, Pruning); 4] = [
        ("none", Pruning::None),
        ("alpha-beta", Pruning::AlphaBeta),
        ("star1", Pruning::Star1),
        ("star2", Pruning::Star2),
    ];
}

/// The handling of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Luck {
    /// Weights outcomes by their probability.
    Expected,
    /// Takes only the likeliest outcome; of sampled outcomes, the first.
    Likeliest,
}

impl Luck {
    /// Both, by their names in options.
    pub const ALL: [(&'static str, Luck); 2] =
        [("expected", Luck::Expected), ("likeliest", Luck::Likeliest)];
}

/// The settings of a search.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The pruning.
    pub pruning: Pruning,
    /// The number of moves that Star2 probes after each outcome, at least 1.
    pub probes: usize,
    /// The handling of chance.
    pub luck: Luck,
    /// The number of samples at a chance node with very many outcomes, at least 1.
    pub samples: u32,
    /// The seed of the samples. A sample depends on it and on the position, so that the same
    /// position has the same outcomes everywhere in the tree.
    pub seed: u64,
    /// The unit of depth.
    pub unit: Unit,
    /// The size of the transposition table in MiB; 0 for none. Max-n and expectiminimax use none.
    pub table_mebibytes: usize,
}

impl Settings {
    /// All pruning, a table of 16 MiB, four samples, depth in decisions.
    pub const fn new(algorithm: Algorithm) -> Settings {
        Settings {
            algorithm,
            pruning: Pruning::Star2,
            probes: 1,
            luck: Luck::Expected,
            samples: 4,
            seed: 0,
            unit: Unit::Decisions,
            table_mebibytes: 16,
        }
    }
}
