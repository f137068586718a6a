//! Which Hand, for chips: the smallest game with a decision that another seat does not see, and
//! with scores other than 0 to 1.
//!
//! The guesser takes 40 chips from the hider, or asks it to hide. The hider then puts a coin into one
//! of its hands, and the guesser names a hand: the right one wins 100 chips, the wrong one loses 100.

use botyard_engine::JsonOnly;
use botyard_engine::game::{Game, Illegal, NoChance, NoFields, Preset, Turn};
use botyard_engine::information::{Information, NoCopy, Seen};
use botyard_engine::outcome::{Outcome, Scores};
use botyard_engine::random::{Rng, choose};
use botyard_engine::rules::RulesError;
use botyard_engine::seat::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// The seat that guesses.
pub const GUESSER: Seat = Seat::new(0);
/// The seat that hides the coin.
pub const HIDER: Seat = Seat::new(1);
/// The most chips that a game can transfer.
pub const MOST: f64 = 100.0;
/// The chips that the guesser can take without a guess.
pub const TAKEN: f64 = 40.0;

/// An action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HandAction {
    /// The guesser takes the chips: the game is over.
    Take,
    /// The guesser asks the hider to hide.
    Ask,
    /// The hider puts the coin into this hand, or the guesser names it.
    Left,
    /// The same for the other hand.
    Right,
}

/// The hider's action as the guesser sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hidden {
    /// The hand is hidden.
    pub hand: (),
}

/// The stage of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HandStage {
    /// The guesser takes or asks.
    Asking,
    /// The hider hides.
    Hiding,
    /// The guesser guesses.
    Guessing,
    /// It is over, and the guesser has won this number of chips.
    Over {
        /// The chips; negative if lost.
        chips: i32,
    },
}

/// A position, or a seat's view of it, in which a hidden hand is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HandState {
    /// The stage of the game.
    pub stage: HandStage,
    /// The hand with the coin.
    pub hand: Option<HandAction>,
}

/// The game. It has no rules to set.
#[derive(Debug)]
pub struct Hand {
    seats: Vec<String>,
}

impl Default for Hand {
    fn default() -> Hand {
        Hand { seats: ["guesser", "hider"].map(String::from).to_vec() }
    }
}

impl Game for Hand {
    type Rules = NoFields;
    type Opening = NoFields;
    type State = HandState;
    type Action = HandAction;
    type Chance = NoChance;
    type View = HandState;
    type Setup = NoFields;
    type Information = Self;
    type Notation = JsonOnly;

    const NAME: &'static str = "which-hand";
    const ABOUT: &'static str = "Guess in which hand the coin is.";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const SEATS_ALIKE: bool = false;
    const PRESETS: &'static [Preset] = &[Preset { name: "chips", about: "for 100 chips" }];

    fn preset(name: &str) -> Option<NoFields> {
        (name == "chips").then_some(NoFields {})
    }

    fn new(_: NoFields) -> Result<Hand, RulesError> {
        Ok(Hand::default())
    }

    fn rules(&self) -> &NoFields {
        &NoFields {}
    }

    fn seats(&self) -> &[String] {
        &self.seats
    }

    fn scores(&self) -> Scores {
        Scores { least: -MOST, most: MOST, sum: Some(0.0) }
    }

    fn start(&self, _: &NoFields) -> Result<HandState, Illegal> {
        Ok(HandState { stage: HandStage::Asking, hand: None })
    }

    fn setup(&self, _: &HandState, _: Seat) -> NoFields {
        NoFields {}
    }

    fn turn(&self, state: &HandState) -> Turn {
        match state.stage {
            HandStage::Asking | HandStage::Guessing => Turn::Seat(GUESSER),
            HandStage::Hiding => Turn::Seat(HIDER),
            HandStage::Over { .. } => Turn::Over,
        }
    }

    fn actions(&self, state: &HandState, into: &mut Vec<HandAction>) {
        into.clear();
        into.extend_from_slice(match state.stage {
            HandStage::Asking => &[HandAction::Take, HandAction::Ask],
            HandStage::Hiding | HandStage::Guessing => &[HandAction::Left, HandAction::Right],
            HandStage::Over { .. } => &[],
        });
    }

    fn apply(&self, state: &mut HandState, action: HandAction) {
        match state.stage {
            HandStage::Asking if action == HandAction::Take => {
                state.stage = HandStage::Over { chips: TAKEN as i32 };
            }
            HandStage::Asking => state.stage = HandStage::Hiding,
            HandStage::Hiding => {
                *state = HandState { stage: HandStage::Guessing, hand: Some(action) };
            }
            HandStage::Guessing => {
                let found = state.hand == Some(action);
                state.stage =
                    HandStage::Over { chips: if found { MOST as i32 } else { -(MOST as i32) } };
            }
            HandStage::Over { .. } => {}
        }
    }

    fn outcome(&self, state: &HandState) -> Option<Outcome> {
        let HandStage::Over { chips } = state.stage else { return None };
        let chips = f64::from(chips);
        let won = Outcome::winners(2, "chips", |seat| (seat == GUESSER) == (chips > 0.0));
        Some(Outcome { scores: [chips, -chips].into_iter().collect(), ..won })
    }

    fn forfeit(&self, state: &mut HandState, seat: Seat) {
        let lost = MOST as i32;
        state.stage = HandStage::Over { chips: if seat == GUESSER { -lost } else { lost } };
    }

    fn view(&self, state: &HandState, seat: Seat) -> HandState {
        let hides = seat == GUESSER && self.turn(state) != Turn::Over;
        HandState { hand: state.hand.filter(|_| !hides), ..*state }
    }

    fn determinize<R: Rng>(
        &self,
        view: &HandState,
        _: Seat,
        rng: &mut R,
    ) -> Result<HandState, Illegal> {
        let drawn = || choose(rng, &[HandAction::Left, HandAction::Right]).copied();
        let hand = match view.stage {
            HandStage::Guessing => view.hand.or_else(drawn),
            _ => view.hand,
        };
        Ok(HandState { hand, ..*view })
    }

    fn text(&self, state: &HandState) -> String {
        format!("{state:?}\n")
    }
}

impl Information<Hand> for Hand {
    const HIDDEN: bool = true;

    type Opening = NoCopy;
    type Action = Hidden;
    type Chance = NoCopy;

    fn seen_opening(_: &Hand, _: &NoFields, _: Seat) -> Seen<NoCopy> {
        Seen::Whole
    }

    fn seen_action(_: &Hand, before: &HandState, _: HandAction, seat: Seat) -> Seen<Hidden> {
        match before.stage {
            HandStage::Hiding if seat == GUESSER => Seen::Redacted(Hidden { hand: () }),
            _ => Seen::Whole,
        }
    }

    fn seen_chance(_: &Hand, _: &HandState, _: &NoChance, _: Seat) -> Seen<NoCopy> {
        Seen::Whole
    }
}
