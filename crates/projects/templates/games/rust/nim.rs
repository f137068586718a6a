//! Nim: two players take from one of a few heaps in turn; the player who takes the last piece wins.
//!
//! Rules: Bouton, "Nim, a game with a complete mathematical theory" (1901).

use botyard_engine::{
    Game, Illegal, JsonOnly, NoChance, NoFields, Outcome, PerfectInformation, Preset, RulesError,
    Seat, Turn,
};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// The parameters of the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The pieces of each heap at the start.
    pub heaps: Vec<u8>,
}

/// A position. Nothing is hidden, so it is also the view of both players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The pieces that are left of each heap.
    pub heaps: Vec<u8>,
    /// The index of the seat to move.
    pub to_move: u8,
    /// The index of the seat whose program failed, if one has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeited: Option<u8>,
}

/// An action: takes from a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Take {
    /// The heap, from 1.
    pub heap: u8,
    /// The number of pieces.
    pub count: u8,
}

/// The game.
#[derive(Clone, Debug)]
pub struct Nim {
    rules: Rules,
    seats: [String; 2],
}

impl Game for Nim {
    type Rules = Rules;
    type Opening = NoFields;
    type State = State;
    type Action = Take;
    type Chance = NoChance;
    type View = State;
    type Setup = NoFields;
    type Information = PerfectInformation;
    type Notation = JsonOnly;

    const NAME: &'static str = "{{name}}";
    const ABOUT: &'static str = "Nim: take pieces from one heap; the last piece wins.";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const PRESETS: &'static [Preset] = &[
        Preset { name: "standard", about: "heaps of 3, 4 and 5 pieces" },
        Preset { name: "short", about: "two heaps" },
    ];

    fn preset(name: &str) -> Option<Rules> {
        match name {
            "standard" => Some(Rules { heaps: vec![3, 4, 5] }),
            "short" => Some(Rules { heaps: vec![1, 2] }),
            _ => None,
        }
    }

    fn new(rules: Rules) -> Result<Nim, RulesError> {
        RulesError::check_range("heaps", rules.heaps.len(), 1..=8)?;
        for &heap in &rules.heaps {
            RulesError::check_range("heaps", heap, 1..=20)?;
        }
        Ok(Nim { rules, seats: ["first".into(), "second".into()] })
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn seats(&self) -> &[String] {
        &self.seats
    }

    fn start(&self, NoFields {}: &NoFields) -> Result<State, Illegal> {
        Ok(State { heaps: self.rules.heaps.clone(), to_move: 0, forfeited: None })
    }

    fn turn(&self, state: &State) -> Turn {
        match self.outcome(state) {
            Some(_) => Turn::Over,
            None => Turn::Seat(Seat::new(state.to_move.into())),
        }
    }

    fn actions(&self, state: &State, into: &mut Vec<Take>) {
        into.clear();
        if state.forfeited.is_none() {
            for (heap, &left) in (1..).zip(&state.heaps) {
                into.extend((1..=left).map(|count| Take { heap, count }));
            }
        }
    }

    fn apply(&self, state: &mut State, Take { heap, count }: Take) {
        state.heaps[usize::from(heap) - 1] -= count;
        state.to_move = 1 - state.to_move;
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        let (loser, reason) = match state.forfeited {
            Some(seat) => (seat, "forfeit"),
            None if state.heaps.iter().all(|&left| left == 0) => (state.to_move, "last_piece"),
            None => return None,
        };
        Some(Outcome::winners(2, reason, |seat| seat.index() != usize::from(loser)))
    }

    fn forfeit(&self, state: &mut State, seat: Seat) {
        state.forfeited = Some(seat.index() as u8);
    }

    fn view(&self, state: &State, _seat: Seat) -> State {
        state.clone()
    }

    fn text(&self, state: &State) -> String {
        let heap = |(number, &left): (u8, &u8)| format!("{number}:{}\n", " |".repeat(left.into()));
        (1..).zip(&state.heaps).map(heap).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether the player to move wins under perfect play.
    fn wins(game: &Nim, state: &State) -> bool {
        let mut actions = Vec::new();
        game.actions(state, &mut actions);
        actions.into_iter().any(|action| {
            let mut next = state.clone();
            game.apply(&mut next, action);
            !wins(game, &next)
        })
    }

    #[test]
    fn the_winner_is_the_one_of_the_theorem() {
        for heaps in [[1, 1, 1], [1, 2, 3], [2, 2, 1], [1, 3, 2], [2, 3, 3]] {
            let game = Nim::new(Rules { heaps: heaps.into() }).unwrap();
            let start = game.start(&NoFields {}).unwrap();
            let sum = heaps.iter().fold(0, |sum, heap| sum ^ heap);
            assert_eq!(wins(&game, &start), sum != 0, "{heaps:?}");
        }
    }
}
