//! Perft of any game that has one: the number of sequences of N plies from a position. It finds
//! what is wrong with a move generator, and measures how fast it is. A game offers one by
//! [`Notation::perft`](crate::Notation::perft); [`crate::registry::perft`] sets it up by name.

use std::ops::ControlFlow;

/// [`count_in_parts`] reports progress, and can be stopped, between parts of this depth.
pub const PART_DEPTH: u32 = 8;

/// What counts as one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// Every path is a move of its own: the published convention (OEIS A133046 for draughts).
    Paths,
    /// Moves with the same effect are one: of captures those with the same start, end and set of captured
    /// pieces.
    Effects,
}

/// A position from which sequences are counted.
pub trait Perft {
    /// The position in the game's notation.
    fn position(&self) -> String;

    /// The number of sequences of `depth` plies; 1 for a depth of 0.
    fn count(&self, depth: u32) -> u64;

    /// Each legal move as it is written, with the position after it. What is counted as one move is one here.
    fn moves(&self) -> Vec<(String, Box<dyn Perft>)>;
}

/// [`Perft::count`] in parts. After each part, `on_part` gets the share of the whole that the part was, 0 to 1,
/// and says whether to continue. `None` where it says no.
pub fn count_in_parts(
    from: &dyn Perft,
    depth: u32,
    on_part: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Option<u64> {
    fn count(
        from: &dyn Perft,
        depth: u32,
        share: f64,
        on_part: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Option<u64> {
        if depth <= PART_DEPTH {
            let nodes = from.count(depth);
            return on_part(share).is_continue().then_some(nodes);
        }
        let moves = from.moves();
        let share = share / moves.len() as f64;
        moves.into_iter().map(|(_, after)| count(&*after, depth - 1, share, on_part)).sum()
    }
    count(from, depth, 1.0, on_part)
}
