//! Random play from a position: the fast path of Monte Carlo search. Actions are drawn uniformly
//! from the legal ones, as a random bot draws them; nothing allocates.
//!
//! Rejection sampling, because listing all actions would be most of the work: a playout draws an
//! edge from those available, and draws again while it leads to no legal action. The result is
//! uniform as well.

use super::action::Action;
use super::arena::Arena;
use super::detective::Detective;
use super::position::{End, Position, Stage};
use super::station::Station;
use super::ticket::Ticket;
use crate::random::{Rng, below};
use arrayvec::ArrayVec;

/// An upper bound of legal actions in a position: five detectives with at most 13 steps each, or
/// Mr. X with at most 13 by fare and 13 by black ticket, each also as the first half of a double
/// move.
const MOST_ACTIONS: usize = 80;
/// After this many rejected draws the legal actions are few, and listing them is cheaper.
const DRAWS: usize = 12;

impl Position {
    /// Draws a uniformly random legal action; `None` when the game is over.
    #[inline]
    pub fn random_action<R: Rng + ?Sized>(&self, arena: &Arena, rng: &mut R) -> Option<Action> {
        let drawn = match self.stage() {
            Stage::Over(_) => return None,
            Stage::MrX | Stage::SecondLeg => self.draw_x_action(arena, rng),
            Stage::Detectives if arena.fixed_order => {
                let detective = self.detective_to_move()?;
                self.draw_detective_action(arena, &[detective], rng)
            }
            Stage::Detectives => {
                let waiting: ArrayVec<Detective, { super::MAX_DETECTIVES }> =
                    self.all_detectives().filter(|&detective| !self.has_moved(detective)).collect();
                self.draw_detective_action(arena, &waiting, rng)
            }
        };
        drawn.or_else(|| self.listed_action(arena, rng))
    }

    /// Draws a random action of Mr. X; `None` after `DRAWS` rejected draws.
    #[inline]
    fn draw_x_action<R: Rng + ?Sized>(&self, arena: &Arena, rng: &mut R) -> Option<Action> {
        let steps = arena.board().steps(self.mr_x());
        let purse = self.purse();
        let kinds = purse.tickets.kinds();
        let hidden: &[Station] =
            if purse.black > 0 { arena.board().neighbours(self.mr_x()) } else { &[] };
        let may_double = self.stage() == Stage::MrX && self.may_double(arena);
        let singles = steps.len() + hidden.len();
        let slots = if may_double { 2 * singles } else { singles };
        for _ in 0..DRAWS {
            let slot = below(rng, slots as u32) as usize;
            let (double, slot) =
                if slot < singles { (false, slot) } else { (true, slot - singles) };
            let (ticket, to) = match steps.get(slot) {
                Some(step) if kinds.has(step.by) => (step.by.ticket(), step.to),
                Some(_) => continue,
                None => (Ticket::Black, hidden[slot - steps.len()]),
            };
            let occupied = self.pawns().occupy(to);
            if occupied && (double || !arena.x_may_blunder) {
                continue;
            }
            if double && !self.has_second_leg(arena, ticket, to) {
                continue;
            }
            return Some(Action::MrX { ticket, to, double });
        }
        None
    }

    /// Draws a random action of one of these detectives; `None` after `DRAWS` rejected draws.
    #[inline]
    fn draw_detective_action<R: Rng + ?Sized>(
        &self,
        arena: &Arena,
        detectives: &[Detective],
        rng: &mut R,
    ) -> Option<Action> {
        let steps_of = |detective| {
            self.pawns().get(detective).map_or(&[][..], |station| arena.board().steps(station))
        };
        let slots: usize = detectives.iter().map(|&detective| steps_of(detective).len()).sum();
        for _ in 0..DRAWS {
            let mut slot = below(rng, slots as u32) as usize;
            for &detective in detectives {
                let steps = steps_of(detective);
                let Some(step) = steps.get(slot) else {
                    slot -= steps.len();
                    continue;
                };
                if self.tickets_of(detective).kinds().has(step.by)
                    && self.may_enter(arena, detective, step.to)
                {
                    let (ticket, to) = (step.by.ticket(), step.to);
                    return Some(Action::Detective { detective, ticket, to });
                }
                break;
            }
        }
        None
    }

    #[cold]
    fn listed_action<R: Rng + ?Sized>(&self, arena: &Arena, rng: &mut R) -> Option<Action> {
        let mut actions = ArrayVec::<Action, MOST_ACTIONS>::new();
        self.for_each_action(arena, |action| actions.push(action));
        match actions.len() as u32 {
            0 => None,
            count => Some(actions[below(rng, count) as usize]),
        }
    }

    /// Plays at random to the end; returns the end and the number of actions.
    ///
    /// # Panics
    ///
    /// If the position is not over but no seat is to move: only one built from parts can be.
    pub fn play_out<R: Rng + ?Sized>(&mut self, arena: &Arena, rng: &mut R) -> (End, u32) {
        for plies in 0.. {
            if let Stage::Over(end) = self.stage() {
                return (end, plies);
            }
            let action = self
                .random_action(arena, rng)
                .expect("a seat to move has a legal action: positions without one are over");
            self.apply(arena, action);
        }
        unreachable!("a game has a limit")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::random::Stream;
    use crate::scotland_yard::ScotlandYard;
    use std::collections::HashMap;

    /// Returns the chi-squared statistic of the actions drawn in a position, against uniform.
    fn chi_squared(
        position: &Position,
        arena: &Arena,
        actions: &[Action],
        rng: &mut impl Rng,
    ) -> f64 {
        const EACH: usize = 200;
        let mut counts: HashMap<Action, usize> = HashMap::new();
        for _ in 0..EACH * actions.len() {
            let action = position.random_action(arena, rng).unwrap();
            assert!(actions.contains(&action), "{action:?}");
            *counts.entry(action).or_default() += 1;
        }
        let deviation = |action| *counts.get(action).unwrap_or(&0) as f64 - EACH as f64;
        actions.iter().map(|action| deviation(action).powi(2) / EACH as f64).sum()
    }

    #[test]
    fn every_legal_action_is_equally_likely() {
        for preset in ScotlandYard::PRESETS {
            let game = ScotlandYard::new(ScotlandYard::preset(preset.name).unwrap()).unwrap();
            let mut stream = Stream::new(5, "test");
            // The mean of a chi-squared sum is its degrees of freedom; its variance is twice that.
            let (mut sum, mut freedom) = (0.0, 0.0);
            let mut actions = Vec::new();
            while freedom < 200.0 {
                let state = game.start(&game.draw_opening(stream.rng())).unwrap();
                let mut position = *state.position();
                for ply in 0.. {
                    position.actions(game.arena(), &mut actions);
                    if ply % 4 == 0 && actions.len() > 1 {
                        sum += chi_squared(&position, game.arena(), &actions, stream.rng());
                        freedom += actions.len() as f64 - 1.0;
                    }
                    match position.random_action(game.arena(), stream.rng()) {
                        Some(action) => position.apply(game.arena(), action),
                        None => break,
                    }
                }
            }
            let deviation = (sum - freedom) / (2.0 * freedom).sqrt();
            assert!(deviation < 4.0, "{}: {deviation} standard deviations", preset.name);
        }
    }

    #[test]
    fn the_list_has_room_for_every_position() {
        let board = crate::scotland_yard::Board::london_classic();
        let steps = board.stations().map(|station| board.steps(station).len()).max().unwrap();
        assert!(5 * steps <= MOST_ACTIONS && 4 * steps <= MOST_ACTIONS, "{steps}");
    }
}
