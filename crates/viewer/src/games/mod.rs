//! One drawing per game.
//!
//! A drawing is a type that draws the board of a game once, and then states for each decision how
//! the elements look. To draw another game, add a module here and a line in [`drawing`].

mod connect_four;
mod dice_wars;
mod draughts;
mod liars_dice;
mod scotland_yard;

use crate::board::Drawn;
use crate::frame::Scene;
use botyard_engine::{self as engine, Game, Seat};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The longest name in a drawing, in characters.
const NAME: usize = 34;

/// What is known of a game before its first decision.
pub(crate) struct Occasion<'a> {
    /// The resolved rules.
    pub rules: &'a Value,
    /// The setup, as far as it may be seen.
    pub setup: Value,
    /// The names of the seats.
    pub seats: &'a [String],
    /// The name of each seat's player, as its author chose it.
    pub players: Vec<String>,
}

impl Occasion<'_> {
    /// The name of a seat's player, shortened to fit.
    fn player(&self, seat: Seat) -> String {
        botyard_protocol::printable(&self.players[seat.index()], NAME)
    }

    /// All seats.
    fn all_seats(&self) -> impl ExactSizeIterator<Item = Seat> + use<> {
        Seat::all(self.seats.len())
    }
}

/// What happened at a decision, as far as it may be seen.
#[derive(Clone, Debug)]
pub(crate) enum Happened {
    /// A seat's action.
    Move {
        /// The seat.
        seat: Seat,
        /// The action, or its redacted copy.
        action: Value,
        /// Whether the referee chose it.
        by_referee: bool,
    },
    /// A chance outcome, or its redacted copy.
    Chance(Value),
    /// A fault or the end of the game, as a sentence.
    Note(String),
}

/// A decision and the position after it, as far as they may be seen.
pub(crate) struct Moment<'a> {
    /// The view of the position.
    pub view: &'a Value,
    /// What happened since the moment before, in order.
    pub happened: &'a [Happened],
}

impl Moment<'_> {
    /// The actions, with a remark on those that the referee chose.
    fn moves(&self) -> impl Iterator<Item = (Seat, &Value, &'static str)> {
        self.happened.iter().filter_map(|event| match event {
            Happened::Move { seat, action, by_referee } => {
                Some((*seat, action, if *by_referee { " (by the referee)" } else { "" }))
            }
            _ => None,
        })
    }

    /// The chance outcomes.
    fn chances(&self) -> impl Iterator<Item = &Value> {
        self.happened.iter().filter_map(|event| match event {
            Happened::Chance(outcome) => Some(outcome),
            _ => None,
        })
    }
}

/// A game's drawing.
pub(crate) trait Drawing {
    /// States how the board looks at a moment. Called for every moment of a game, in order.
    ///
    /// # Errors
    ///
    /// A view or an event without the form that this drawing expects.
    fn scene(&mut self, moment: &Moment) -> Result<Scene, serde_json::Error>;
}

/// A game's drawing with its board.
type Begun = (Box<dyn Drawing>, Drawn);

/// Begins to draw a game; `None` if there is no drawing for it.
pub(crate) fn drawing(game: &str, occasion: &Occasion) -> Option<Result<Begun, serde_json::Error>> {
    Some(match game {
        engine::scotland_yard::ScotlandYard::NAME => scotland_yard::begin(occasion),
        engine::draughts::Draughts::NAME => draughts::begin(occasion),
        engine::dice_wars::DiceWars::NAME => dice_wars::begin(occasion),
        engine::connect_four::ConnectFour::NAME => connect_four::begin(occasion),
        engine::liars_dice::LiarsDice::NAME => liars_dice::begin(occasion),
        _ => return None,
    })
}

/// The setup of a game as its page draws it: what a page does not need is left out, and the shapes of
/// what is drawn are added.
///
/// # Errors
///
/// A setup without the form that the drawing expects.
pub(crate) fn geometry(game: &str, setup: Value) -> Result<Value, serde_json::Error> {
    match game {
        engine::scotland_yard::ScotlandYard::NAME => Ok(scotland_yard::geometry(setup)),
        engine::dice_wars::DiceWars::NAME => dice_wars::geometry(&setup),
        _ => Ok(setup),
    }
}

/// Reads a value as the type of a game.
fn read<T: DeserializeOwned>(value: &Value) -> Result<T, serde_json::Error> {
    T::deserialize(value)
}

/// The styles of all games, for tests.
#[cfg(test)]
pub(crate) const STYLES: &[&str] = &[
    scotland_yard::STYLE,
    draughts::STYLE,
    dice_wars::STYLE,
    connect_four::STYLE,
    liars_dice::STYLE,
];
