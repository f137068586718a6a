//! What a search found out.

use super::game::Values;
use crate::deadline::Stall;

/// What a search found out. Equal searches have equal reports, `stall` aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<M> {
    /// The best move of the last finished iteration; `None` only where no seat is to move.
    pub best: Option<M>,
    /// Its value to the seat that searched.
    pub value: i32,
    /// Its value to each seat, where the algorithm tells: Max-N does.
    pub values: Option<Values>,
    /// How deep the last finished iteration went, in the unit of the settings; 0 where none was
    /// finished.
    pub depth: u32,
    /// How many positions were visited: those before decisions, before chance and at the horizon.
    pub nodes: u64,
    /// How many of them were judged.
    pub judged: u64,
    /// How many nodes had been visited when each iteration was finished, by its depth.
    pub iterations: Vec<(u32, u64)>,
    /// Whether the whole game was searched: nothing was judged at the horizon.
    pub is_complete: bool,
    /// How often the table was asked.
    pub probes: u64,
    /// How often it knew the position.
    pub hits: u64,
    /// The longest time between two looks at the clock, zero where there is no deadline.
    pub stall: Stall,
    /// The principal variation: the moves of all seats, with the likeliest outcomes of chance in
    /// between; begins with `best`. It may end early where the table knew the rest.
    pub line: Vec<M>,
}

impl<M> Report<M> {
    /// What is known before anything was searched: a move to fall back on.
    pub(crate) fn before_search(best: Option<M>) -> Report<M>
    where
        M: Copy,
    {
        Report {
            best,
            value: 0,
            values: None,
            depth: 0,
            nodes: 0,
            judged: 0,
            iterations: Vec::new(),
            is_complete: false,
            probes: 0,
            hits: 0,
            stall: Stall::NONE,
            line: best.into_iter().collect(),
        }
    }
}
