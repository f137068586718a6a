//! Pig for three seats: the smallest game with chance, more than two seats, ranks from first to
//! last, and a seat that can drop out while the others continue.
//!
//! On its turn a seat rolls or holds. A roll of 2 to 6 is added to the points at stake; a 1 loses
//! the stake and the turn. Holding banks the stake. The first to bank the target wins; after the
//! last round the seats are ranked by their banked points.

use arrayvec::ArrayVec;
use botyard_engine::game::{Game, Illegal, Preset, Turn};
use botyard_engine::outcome::Outcome;
use botyard_engine::random::{Rng, below};
use botyard_engine::rules::RulesError;
use botyard_engine::seat::{MAX_SEATS, Seat};
use botyard_engine::{JsonOnly, PerfectInformation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

const SEATS: usize = 3;

/// The parameters of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiceRules {
    /// Points to bank for the win, 1 to 1,000.
    pub target: u32,
    /// Rounds until the seats are ranked by their points, 1 to 1,000.
    pub rounds: u32,
}

/// Points that each seat begins with; drawn from 0 to 2.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiceOpening {
    /// The points, by seat.
    pub banked: [u32; SEATS],
}

/// A position; nothing in it is hidden, so it is its own view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiceState {
    /// The round, from 1.
    pub round: u32,
    /// The seat to move, from 0.
    pub to_move: usize,
    /// Whether a die is about to be rolled.
    pub rolling: bool,
    /// The stake: the points that the seat to move loses with a 1.
    pub stake: u32,
    /// The banked points, by seat.
    pub banked: [u32; SEATS],
    /// Seats that dropped out, in this order.
    pub dropped: Vec<usize>,
}

/// An action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiceAction {
    /// Banks the stake and ends the turn.
    Hold,
    /// Rolls the die. Not allowed for a seat that dropped out.
    Roll,
}

/// The roll of a die.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Die {
    /// The face, 1 to 6.
    pub face: u32,
}

/// The constant data of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiceSetup {
    /// The number of seats.
    pub seats: usize,
}

/// The game under one set of rules.
#[derive(Debug)]
pub struct Dice {
    rules: DiceRules,
    seats: Vec<String>,
}

impl Dice {
    fn over(&self, state: &DiceState) -> bool {
        state.round > self.rules.rounds
            || state.dropped.len() + 1 >= SEATS
            || state.banked.iter().any(|&points| points >= self.rules.target)
    }

    fn end_turn(&self, state: &mut DiceState) {
        state.stake = 0;
        state.to_move = (state.to_move + 1) % SEATS;
        if state.to_move == 0 {
            state.round += 1;
        }
    }
}

impl Game for Dice {
    type Rules = DiceRules;
    type Opening = DiceOpening;
    type State = DiceState;
    type Action = DiceAction;
    type Chance = Die;
    type View = DiceState;
    type Setup = DiceSetup;
    type Information = PerfectInformation;
    type Notation = JsonOnly;

    const NAME: &'static str = "pig";
    const ABOUT: &'static str = "Roll or hold: a dice race for three.";
    const SEATS: RangeInclusive<usize> = SEATS..=SEATS;
    const PRESETS: &'static [Preset] = &[
        Preset { name: "short", about: "to 12 points" },
        Preset { name: "long", about: "to 50 points" },
    ];

    fn preset(name: &str) -> Option<DiceRules> {
        match name {
            "short" => Some(DiceRules { target: 12, rounds: 30 }),
            "long" => Some(DiceRules { target: 50, rounds: 100 }),
            _ => None,
        }
    }

    fn new(rules: DiceRules) -> Result<Dice, RulesError> {
        for (name, value) in [("target", rules.target), ("rounds", rules.rounds)] {
            if !(1..=1000).contains(&value) {
                return Err(RulesError::bad_value(name, format!("{value} is not in 1..1000")));
            }
        }
        Ok(Dice { rules, seats: ["north", "east", "south"].map(String::from).to_vec() })
    }

    fn rules(&self) -> &DiceRules {
        &self.rules
    }

    fn seats(&self) -> &[String] {
        &self.seats
    }

    fn draw_opening<R: Rng>(&self, rng: &mut R) -> DiceOpening {
        DiceOpening { banked: std::array::from_fn(|_| below(rng, 3)) }
    }

    fn start(&self, opening: &DiceOpening) -> Result<DiceState, Illegal> {
        Ok(DiceState {
            round: 1,
            to_move: 0,
            rolling: false,
            stake: 0,
            banked: opening.banked,
            dropped: Vec::new(),
        })
    }

    fn setup(&self, _start: &DiceState, _seat: Seat) -> DiceSetup {
        DiceSetup { seats: SEATS }
    }

    fn turn(&self, state: &DiceState) -> Turn {
        if self.over(state) {
            Turn::Over
        } else if state.rolling {
            Turn::Chance
        } else {
            Turn::Seat(Seat::new(state.to_move))
        }
    }

    fn actions(&self, state: &DiceState, into: &mut Vec<DiceAction>) {
        into.clear();
        if let Turn::Seat(seat) = self.turn(state) {
            into.push(DiceAction::Hold);
            if !state.dropped.contains(&seat.index()) {
                into.push(DiceAction::Roll);
            }
        }
    }

    fn check(&self, state: &DiceState, action: DiceAction) -> Result<(), Illegal> {
        match self.turn(state) {
            Turn::Over => Err(Illegal("the game is over".into())),
            Turn::Chance => Err(Illegal("the die is still rolling".into())),
            Turn::Seat(seat) if action == DiceAction::Roll => {
                if state.dropped.contains(&seat.index()) {
                    return Err(Illegal("a seat that dropped out can only hold".into()));
                }
                Ok(())
            }
            Turn::Seat(_) => Ok(()),
        }
    }

    fn apply(&self, state: &mut DiceState, action: DiceAction) {
        match action {
            DiceAction::Roll => state.rolling = true,
            DiceAction::Hold => {
                state.banked[state.to_move] += state.stake;
                if !self.over(state) {
                    self.end_turn(state);
                }
            }
        }
    }

    fn chances(&self, _state: &DiceState, into: &mut Vec<(f64, Die)>) {
        into.clear();
        into.extend((1..=6).map(|face| (1.0 / 6.0, Die { face })));
    }

    fn draw<R: Rng>(&self, _state: &DiceState, rng: &mut R) -> Die {
        Die { face: 1 + below(rng, 6) }
    }

    fn check_chance(&self, state: &DiceState, chance: &Die) -> Result<(), Illegal> {
        if self.turn(state) != Turn::Chance {
            return Err(Illegal("no die is rolling".into()));
        }
        if !(1..=6).contains(&chance.face) {
            return Err(Illegal(format!("a die has no face {}", chance.face)));
        }
        Ok(())
    }

    fn apply_chance(&self, state: &mut DiceState, chance: &Die) {
        state.rolling = false;
        if chance.face == 1 {
            self.end_turn(state);
        } else {
            state.stake += chance.face;
        }
    }

    fn outcome(&self, state: &DiceState) -> Option<Outcome> {
        if !self.over(state) {
            return None;
        }
        // Seats that dropped out rank behind all others; the first to drop out is last.
        let strength = |seat: usize| match state.dropped.iter().position(|&s| s == seat) {
            Some(order) => (0, order as u32),
            None => (1, state.banked[seat]),
        };
        let rank = |seat: usize| {
            1 + (0..SEATS).filter(|&other| strength(other) > strength(seat)).count() as u8
        };
        let ranks: ArrayVec<u8, MAX_SEATS> = (0..SEATS).map(rank).collect();
        let first = ranks.iter().filter(|&&rank| rank == 1).count() as f64;
        let reason = if state.dropped.len() + 1 >= SEATS {
            "last_one_left"
        } else if state.round > self.rules.rounds {
            "rounds"
        } else {
            "target"
        };
        Some(Outcome {
            scores: ranks.iter().map(|&r| if r == 1 { 1.0 / first } else { 0.0 }).collect(),
            ranks,
            reason: reason.into(),
        })
    }

    fn forfeit(&self, state: &mut DiceState, seat: Seat) {
        if !state.dropped.contains(&seat.index()) {
            state.dropped.push(seat.index());
        }
    }

    fn view(&self, state: &DiceState, _seat: Seat) -> DiceState {
        state.clone()
    }

    fn determinize<R: Rng>(
        &self,
        view: &DiceState,
        _seat: Seat,
        _rng: &mut R,
    ) -> Result<DiceState, Illegal> {
        if view.to_move >= SEATS {
            return Err(Illegal(format!("there is no seat {}", view.to_move)));
        }
        Ok(view.clone())
    }

    fn text(&self, state: &DiceState) -> String {
        format!("round {}: banked {:?}, at stake {}\n", state.round, state.banked, state.stake)
    }

    fn action_text(&self, before: &DiceState, action: DiceAction) -> String {
        let seat = &self.seats[before.to_move];
        match action {
            DiceAction::Hold => format!("{seat} holds with {} at stake", before.stake),
            DiceAction::Roll => format!("{seat} rolls"),
        }
    }

    fn chance_text(&self, _before: &DiceState, chance: &Die) -> String {
        format!("a {}", chance.face)
    }
}
