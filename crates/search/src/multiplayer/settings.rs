//! How to search: the algorithm, what is pruned, what is made of chance.

use super::game::Unit;

/// Who is taken to want what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// The player that searches maximises its value and all others minimise it; every move and every
    /// outcome is searched, and there is no table: the reference for the others. With two players and chance
    /// it is expectiminimax (Michie 1966), with more it is what paranoid search must find.
    Expectiminimax,
    /// All others against the player that searches (Sturtevant and Korf 2000), which alpha-beta
    /// prunes; with [`Pruning::Star1`] or [`Pruning::Star2`] also at chance nodes.
    Paranoid,
    /// Only one of the others, whichever hurts most, answers each turn of the player that searches
    /// (Schadd and Winands 2011).
    BestReply,
    /// Every player maximises its own value (Luckhardt and Irani 1986); with chance it is
    /// expectimax-n.
    MaxN,
}

impl Algorithm {
    /// All of them, by the names used in options.
    pub const ALL: [(&'static str, Algorithm); 4] = [
        ("expectiminimax", Algorithm::Expectiminimax),
        ("paranoid", Algorithm::Paranoid),
        ("best-reply", Algorithm::BestReply),
        ("max-n", Algorithm::MaxN),
    ];
}

/// What is left out of the tree. None of it changes the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pruning {
    /// Nothing.
    None,
    /// Moves that cannot matter, as far as no chance node is in between: alpha-beta (Knuth and Moore
    /// 1975); in Max-N shallow pruning (Korf 1991), which needs
    /// [`super::MultiplayerGame::most_sum`].
    AlphaBeta,
    /// Also outcomes that cannot matter, by the bounds of what is still to come (Ballard 1983). In
    /// Max-N for the player above the chance node.
    Star1,
    /// Also a look at the most promising move after each outcome, to tighten these bounds first
    /// (Ballard 1983; Hauk, Buro and Schaeffer 2004). In Max-N the same as [`Pruning::Star1`].
    Star2,
}

impl Pruning {
    /// All of them, by the names used in options.
    pub const ALL: [(&'static str, Pruning); 4] = [
        ("none", Pruning::None),
        ("alpha-beta", Pruning::AlphaBeta),
        ("star1", Pruning::Star1),
        ("star2", Pruning::Star2),
    ];
}

/// What is made of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Luck {
    /// Outcomes count as likely as they are.
    Expected,
    /// What is likeliest happens; of many outcomes, the first one drawn.
    Likeliest,
}

impl Luck {
    /// Both, by the names used in options.
    pub const ALL: [(&'static str, Luck); 2] =
        [("expected", Luck::Expected), ("likeliest", Luck::Likeliest)];
}

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Who wants what.
    pub algorithm: Algorithm,
    /// What is left out.
    pub pruning: Pruning,
    /// How many moves Star2 looks at after each outcome, at least 1.
    pub probes: usize,
    /// What is made of chance.
    pub luck: Luck,
    /// How many outcomes are drawn where there are very many, at least 1.
    pub samples: u32,
    /// What is drawn depends on this and on the position, so that the same position has the same
    /// outcomes wherever the search meets it.
    pub seed: u64,
    /// What depth counts.
    pub unit: Unit,
    /// The memory of the transposition table in MiB; 0 for none. Max-n and expectiminimax have none.
    pub table_mebibytes: usize,
}

impl Settings {
    /// Everything on (table of 16 MiB, four samples), depth in decisions.
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
