//! Chance nodes in two-sided search. Star1 (Ballard 1983) stops at a chance node as soon as the
//! values of the searched outcomes and the bounds of the others prove that its value is outside the
//! window. It searches each outcome in the window in which its value can still matter.

use super::game::MultiplayerGame;
use super::mean::Mean;
use super::searcher::{MultiplayerSearcher, Place};
use super::settings::Pruning;
use crate::limits::Stopped;
use crate::sorting::sort_falling;
use crate::window::Window;

impl<P: Copy, M: Copy + Eq> MultiplayerSearcher<P, M> {
    /// Returns the value of a chance node if it lies in the window, otherwise a bound.
    pub(super) fn chance<G: MultiplayerGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        position: &P,
        place: Place,
        window: Window,
    ) -> Result<i32, Stopped> {
        let first = self.outcomes.len();
        self.push_outcomes(game, position);
        // The heaviest outcomes decide soonest; ties keep the order of the game.
        sort_falling(&mut self.outcomes[first..], |outcome| outcome.weight.into());
        let value = match self.settings.pruning {
            Pruning::None | Pruning::AlphaBeta => self.all_outcomes(game, place, first)?,
            Pruning::Star1 | Pruning::Star2 => {
                let mut mean = self.static_bounds(game, place, first);
                let cut = cutoff(&mean, window);
                let cut = match cut {
                    None if self.settings.pruning == Pruning::Star2 => {
                        self.probe_outcomes(game, place, first, &mut mean, window)?
                    }
                    cut => cut,
                };
                match cut {
                    Some(bound) => bound,
                    None => self.star1(game, place, first, &mut mean, window)?,
                }
            }
        };
        self.outcomes.truncate(first);
        Ok(value)
    }

    /// Returns the mean over all outcomes from `first` on.
    fn all_outcomes<G: MultiplayerGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        place: Place,
        first: usize,
    ) -> Result<i32, Stopped> {
        let (worst, best) = game.range().into_inner();
        let window = Window { low: worst - 1, high: best + 1 };
        let mut mean = Mean::new();
        for index in first..self.outcomes.len() {
            let outcome = self.outcomes[index];
            let value = self.node(game, &outcome.after, place.after_outcome(), window)?;
            mean.add(outcome.weight, value, value);
            if index == first {
                self.follow(place);
            }
        }
        Ok(mean.low())
    }

    /// Records the game's bounds of each outcome.
    fn static_bounds<G: MultiplayerGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        place: Place,
        first: usize,
    ) -> Mean {
        let mut mean = Mean::new();
        for index in first..self.outcomes.len() {
            let outcome = self.outcomes[index];
            let bounds = self.bounds(game, &outcome.after, self.player, place.after_outcome());
            mean.add(outcome.weight, bounds.0, bounds.1);
            self.outcomes[index].bounds = bounds;
        }
        mean
    }

    /// Returns the mean over the outcomes from `first` on, whose bounds are in `mean`, if it lies
    /// in the window, otherwise a bound.
    fn star1<G: MultiplayerGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        place: Place,
        first: usize,
        mean: &mut Mean,
        window: Window,
    ) -> Result<i32, Stopped> {
        for index in first..self.outcomes.len() {
            let outcome = self.outcomes[index];
            if outcome.bounds.0 == outcome.bounds.1 {
                continue;
            }
            let below = Window {
                low: mean.fails_low(window.low, outcome.weight, outcome.bounds),
                high: mean.fails_high(window.high, outcome.weight, outcome.bounds),
            };
            let value = self.node(game, &outcome.after, place.after_outcome(), below)?;
            if index == first {
                self.follow(place);
            }
            let (low, high) = outcome.bounds;
            let now = match value {
                _ if value <= below.low => (low, value.min(high)),
                _ if value >= below.high => (value.max(low), high),
                _ => (value, value),
            };
            mean.tighten(outcome.weight, now, outcome.bounds);
            if let Some(bound) = cutoff(mean, window) {
                return Ok(bound);
            }
            debug_assert_eq!(now.0, now.1, "a value outside its window decides");
        }
        Ok(mean.low())
    }
}

/// Returns the bound of a mean that proves it to be outside the window.
pub(super) const fn cutoff(mean: &Mean, window: Window) -> Option<i32> {
    if mean.high() <= window.low {
        Some(mean.high())
    } else if mean.low() >= window.high {
        Some(mean.low())
    } else {
        None
    }
}
