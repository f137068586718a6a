//! The root moves that are nearly as good as the best one: the choice of a player that makes natural
//! mistakes.

use super::drivers::FirstMove;
use super::game::TwoSidedGame;
use super::searcher::{Root, TwoSidedSearcher};
use crate::limits::Limits;
use crate::report::Report;
use crate::window::Window;

impl<P: Copy, M: Copy + Eq> TwoSidedSearcher<P, M> {
    /// Returns the moves of `root` whose values are at most `margin` below that of `report`, searched
    /// to its depth, in the order of the game. `report` is that of a search of `root` by this searcher,
    /// whose table it uses. Its best move is always one of them; what `limits` cut off is not.
    pub fn moves_within<G: TwoSidedGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        root: &Root<'_, P>,
        report: &Report<M>,
        margin: i32,
        limits: &Limits,
    ) -> Vec<M> {
        self.begin(game, root, limits);
        let enough = Window::null(report.value.saturating_sub(margin));
        let below = report.depth.saturating_sub(1) as i32;
        let mut is_over = report.depth == 0;
        let mut near = Vec::new();
        for index in 0..self.first_moves.len() {
            let FirstMove { mv, after } = self.first_moves[index];
            if report.best == Some(mv) {
                near.push(mv);
                continue;
            }
            if is_over {
                continue;
            }
            self.line.push(game.key(&after), game.is_reversible(&root.position, mv));
            match self.negamax(game, &after, below, 1, enough.turned()) {
                Ok(value) if -value >= enough.high => near.push(mv),
                Ok(_) => {}
                Err(_) => is_over = true,
            }
            self.line.pop();
        }
        near
    }
}
