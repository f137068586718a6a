//! The probing phase of Star2 (Ballard 1983; Hauk, Buro and Schaeffer 2004): before any outcome is
//! searched, the most promising move after each of them is. This bounds the value of the outcome:
//! from above where an opponent is to move, from below where the searching player is. Often these
//! bounds decide the whole chance node; otherwise Star1 continues with them.

use super::game::{Actor, MultiplayerGame};
use super::mean::Mean;
use super::searcher::{MultiplayerSearcher, Place};
use super::star1::cutoff;
use crate::limits::Stopped;
use crate::window::Window;

impl<P: Copy, M: Copy + Eq> MultiplayerSearcher<P, M> {
    /// Tightens the bounds of the outcomes from `first` on, and of their mean. Returns a bound of
    /// the mean if it proves to be outside the window.
    pub(super) fn probe_outcomes<G: MultiplayerGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        place: Place,
        first: usize,
        mean: &mut Mean,
        window: Window,
    ) -> Result<Option<i32>, Stopped> {
        let place = place.after_outcome();
        for index in first..self.outcomes.len() {
            let outcome = self.outcomes[index];
            let (low, high) = outcome.bounds;
            let (position, actor, settled) = self.settled(game, &outcome.after, place);
            let may_fail_low = mean.low() <= window.low;
            let may_fail_high = mean.high() >= window.high;
            let is_leaf = self.is_leaf(game, &position, actor, settled);
            let now = match actor {
                _ if is_leaf => {
                    self.meter.visit()?;
                    let value = self.judge(game, &position);
                    (value, value)
                }
                Actor::Player(player) if player == self.player && may_fail_high => {
                    let enough = mean.fails_high(window.high, outcome.weight, outcome.bounds);
                    let below = Window { low: low - 1, high: enough };
                    let value = self.probe(game, &outcome.after, place, below)?;
                    (value.clamp(low, high), high)
                }
                Actor::Player(player) if player != self.player && may_fail_low => {
                    let enough = mean.fails_low(window.low, outcome.weight, outcome.bounds);
                    let below = Window { low: enough, high: high + 1 };
                    let value = self.probe(game, &outcome.after, place, below)?;
                    (low, value.clamp(low, high))
                }
                _ => continue,
            };
            self.outcomes[index].bounds = now;
            mean.tighten(outcome.weight, now, outcome.bounds);
            if let Some(bound) = cutoff(mean, window) {
                return Ok(Some(bound));
            }
        }
        Ok(None)
    }

    fn probe<G: MultiplayerGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        position: &P,
        place: Place,
        window: Window,
    ) -> Result<i32, Stopped> {
        let most = self.settings.probes.max(1);
        self.first_moves(game, position, place, window, most)
    }
}
