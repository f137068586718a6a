//! Moves with a score, and selection of the best of them one at a time: a cutoff often comes before
//! the rest needs an order.

/// A move and how early it should be tried.
#[derive(Clone, Copy)]
pub(crate) struct Scored<M> {
    pub(crate) mv: M,
    pub(crate) score: i32,
}

/// Brings the best of the moves from `from` on to that place.
#[inline]
pub(crate) fn best_first<M: Copy>(moves: &mut [Scored<M>], from: usize) {
    let mut best = from;
    for index in from + 1..moves.len() {
        if moves[index].score > moves[best].score {
            best = index;
        }
    }
    // Moving the others up keeps their order, so that equal scores are tried as generated.
    moves[from..=best].rotate_right(1);
}
