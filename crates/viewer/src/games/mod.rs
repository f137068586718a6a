//! One drawing per game.
//!
//! A drawing is a type that draws the board of a game once, and then states for each decision how
//! the elements look. To draw another game, add a module here and a row in `DRAWINGS`.

mod connect_four;
mod dice_wars;
mod draughts;
mod liars_dice;
mod scotland_yard;

use crate::board::Drawn;
use crate::frame::Scene;
use crate::marks::Spot;
use botyard_engine::{self as engine, Game, Seat};
use botyard_protocol::Place;
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

    /// Returns where a place is drawn, on which a bot draws; `None` if the board does not have it.
    fn spot(&self, place: &Place) -> Option<Spot>;
}

/// A game's drawing with its board.
type Begun = (Box<dyn Drawing>, Drawn);

/// How a game is drawn.
pub(crate) struct Row {
    game: &'static str,
    /// Begins to draw a game.
    pub begin: fn(&Occasion) -> Result<Begun, serde_json::Error>,
    /// What the game's page has in the place of its setup, if that differs.
    geometry: Option<fn(Value) -> Result<Value, serde_json::Error>>,
    /// The rules of style that only this game needs.
    pub style: &'static str,
}

/// Every game that has a drawing.
const DRAWINGS: [Row; 5] = [
    Row {
        game: engine::scotland_yard::ScotlandYard::NAME,
        begin: scotland_yard::begin,
        geometry: Some(scotland_yard::geometry),
        style: scotland_yard::STYLE,
    },
    Row {
        game: engine::draughts::Draughts::NAME,
        begin: draughts::begin,
        geometry: None,
        style: draughts::STYLE,
    },
    Row {
        game: engine::dice_wars::DiceWars::NAME,
        begin: dice_wars::begin,
        geometry: Some(dice_wars::geometry),
        style: dice_wars::STYLE,
    },
    Row {
        game: engine::connect_four::ConnectFour::NAME,
        begin: connect_four::begin,
        geometry: None,
        style: connect_four::STYLE,
    },
    Row {
        game: engine::liars_dice::LiarsDice::NAME,
        begin: liars_dice::begin,
        geometry: None,
        style: liars_dice::STYLE,
    },
];

/// Returns how a game is drawn; `None` if there is no drawing for it.
pub(crate) fn row(game: &str) -> Option<&'static Row> {
    DRAWINGS.iter().find(|row| row.game == game)
}

/// Returns whether there is a drawing of a game, for pictures and animations.
pub fn has_drawing(game: &str) -> bool {
    row(game).is_some()
}

/// The setup of a game as its page draws it: what a page does not need is left out, and the shapes of
/// what is drawn are added.
///
/// # Errors
///
/// A setup without the form that the drawing expects.
pub(crate) fn geometry(game: &str, setup: Value) -> Result<Value, serde_json::Error> {
    match row(game).and_then(|row| row.geometry) {
        Some(geometry) => geometry(setup),
        None => Ok(setup),
    }
}

/// The styles of all games, for tests.
#[cfg(test)]
pub(crate) fn styles() -> impl Iterator<Item = &'static str> {
    DRAWINGS.iter().map(|row| row.style)
}

/// Reads a value as the type of a game.
fn read<T: DeserializeOwned>(value: &Value) -> Result<T, serde_json::Error> {
    T::deserialize(value)
}
