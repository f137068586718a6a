//! Moves with an ordering score, and incremental selection of the best: a cutoff often comes before
//! the rest needs to be sorted.

/// A move and its ordering score.
#[derive(Clone, Copy)]
pub(crate) struct Scored<M> {
    pub(crate) mv: M,
    pub(crate) score: i32,
}

/// Moves the best of the moves from `from` on to index `from`.
#[inline]
pub(crate) fn best_first<M: Copy>(moves: &mut [Scored<M>], from: usize) {
    let mut best = from;
    for index in from + 1..moves.len() {
        if moves[index].score > moves[best].score {
            best = index;
        }
    }
    // Rotating keeps the order of the others, so that ties are tried as generated.
    moves[from..=best].rotate_right(1);
}
