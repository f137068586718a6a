//! The messages of the rules protocol, version 1. `docs/rules-protocol.md` is the page for authors
//! of games.
//!
//! Both directions have one flat type each, whose fields depend on the type of the message: JSON of
//! the game stays text ([`RawValue`]), so that it is neither parsed nor written again on its way.

use botyard_engine::{MAX_SEATS, Scores};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// The version of the protocol.
pub const RULES_PROTOCOL: u32 = 1;

/// The word for chance in `to_move`.
pub const CHANCE: &str = "chance";

/// The word for the end of the game in `to_move`.
pub const OVER: &str = "over";

/// The name of the only set of rules of a game that lists none.
pub const STANDARD: &str = "standard";

/// The reason of an outcome that has none.
pub const COMPLETED: &str = "completed";

/// The most actions in a list.
pub const MOST_LEGAL: usize = 100_000;

/// The most playouts in a request.
pub const MOST_PLAYOUTS: u32 = 1000;

/// The most decisions and outcomes of chance in a playout.
pub const LONGEST_PLAYOUT: u32 = 10_000;

/// The limits that a rules program must keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RulesLimits {
    /// The longest line, in bytes.
    pub line_bytes: u32,
    /// The deepest nesting of arrays and objects in a line.
    pub nesting: u32,
    /// The time for the answer to `hello`, in milliseconds.
    pub start_ms: u64,
    /// The time for every other answer, in milliseconds.
    pub answer_ms: u64,
}

impl Default for RulesLimits {
    fn default() -> RulesLimits {
        RulesLimits { line_bytes: 4 << 20, nesting: 64, start_ms: 10_000, answer_ms: 10_000 }
    }
}

/// The referee in `hello`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefereeName<'a> {
    /// The name of the program.
    #[serde(borrow)]
    pub name: Cow<'a, str>,
    /// Its version.
    #[serde(borrow)]
    pub version: Cow<'a, str>,
}

/// A request to a rules program: the type, and the fields that this type has.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Request<'a> {
    /// The type: `hello`, `new`, `open`, `play`, ...
    #[serde(rename = "type", borrow)]
    pub kind: Cow<'a, str>,
    /// `hello`: the version of the protocol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules_protocol: Option<u32>,
    /// `hello`: the referee.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub referee: Option<RefereeName<'a>>,
    /// `hello`: the limits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<RulesLimits>,
    /// `new`: the rules.
    #[serde(borrow, default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub rules: Option<&'a RawValue>,
    /// `open`, `chance`, `determinize`, `playout`: 256 random bits as 64 hexadecimal digits.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub random: Option<Cow<'a, str>>,
    /// `open`: the opening to begin with.
    #[serde(borrow, default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub opening: Option<&'a RawValue>,
    /// `play`, `check`, `view`, `forfeit`, `determinize`, `draw`: the seat's name.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Cow<'a, str>>,
    /// `play`, `check`: the action.
    #[serde(borrow, default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub action: Option<&'a RawValue>,
    /// `chance`: the recorded outcome to apply.
    #[serde(borrow, default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub chance: Option<&'a RawValue>,
    /// `load`, `playout`: the state.
    #[serde(borrow, default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub state: Option<&'a RawValue>,
    /// `playout`: the number of playouts, from 1 to [`MOST_PLAYOUTS`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// `determinize`: what never changes in this game, as far as the seat may know it.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub setup: Option<&'a RawValue>,
    /// `determinize`: the view.
    #[serde(borrow, default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub view: Option<&'a RawValue>,
    /// `parse`: what a person wrote.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub text: Option<Cow<'a, str>>,
}

impl Request<'_> {
    /// Returns a request of this type without other fields.
    pub fn new(kind: &'static str) -> Request<'static> {
        Request { kind: kind.into(), ..Request::default() }
    }
}

/// An answer of a rules program, except to `hello`: the type, and the fields that this type has.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Answer<'a> {
    /// The type: `rules`, `position`, `refused`, ...
    #[serde(rename = "type", borrow)]
    pub kind: Cow<'a, str>,
    /// `rules`: the resolved rules.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub rules: Option<&'a RawValue>,
    /// `rules`: the seats' names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seats: Option<Vec<String>>,
    /// `rules`: the points under these rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scores: Option<Scores>,
    /// `refused`: the rule that is wrong.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub rule: Option<Cow<'a, str>>,
    /// `refused`: the reason.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub message: Option<Cow<'a, str>>,
    /// `position`: a seat's name, [`CHANCE`] or [`OVER`].
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub to_move: Option<Cow<'a, str>>,
    /// `position`: the legal actions, an array.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub legal: Option<&'a RawValue>,
    /// `position`: the view of the seat whose turn it is. `view`: the view.
    #[serde(borrow, default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub view: Option<&'a RawValue>,
    /// `position`: the copies of what happened, an object by seat.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub seen: Option<&'a RawValue>,
    /// `position`: the outcomes of chance, an array of `[probability, outcome]`.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub chances: Option<&'a RawValue>,
    /// `position`: the action of a seat that has forfeited.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub pass: Option<&'a RawValue>,
    /// `position`: the outcome of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<GivenOutcome>,
    /// `position` after `open`: the opening.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub opening: Option<&'a RawValue>,
    /// `position` after `open`: what never changes in this game.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub setup: Option<&'a RawValue>,
    /// `position` after `open`: the same for seats that may know something else, an object by seat.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub setups: Option<&'a RawValue>,
    /// `position` after `play`, `action` and `legal`: the action in the game's own form.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub action: Option<&'a RawValue>,
    /// `position` after `chance`: the outcome.
    #[serde(borrow, default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub chance: Option<&'a RawValue>,
    /// `state`: the state.
    #[serde(borrow, default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub state: Option<&'a RawValue>,
    /// `text`: the state for people.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub text: Option<Cow<'a, str>>,
    /// `playouts`: the points of each seat at the end of each playout, in seat order; `None` for one that was
    /// longer than [`LONGEST_PLAYOUT`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub playouts: Option<Vec<Option<Vec<f64>>>>,
    /// `picture`: an SVG document.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub svg: Option<Cow<'a, str>>,
}

impl Answer<'_> {
    /// Returns an answer of this type without other fields.
    pub fn new(kind: &'static str) -> Answer<'static> {
        Answer { kind: kind.into(), ..Answer::default() }
    }
}

/// The outcome of a game as a program writes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GivenOutcome {
    /// The points of each seat, in seat order.
    pub scores: Vec<f64>,
    /// The places of each seat, in seat order. `None`: they follow from the points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranks: Option<Vec<u8>>,
    /// The reason for the end. `None`: [`COMPLETED`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The answer to `hello`: the description of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hello {
    /// `hello`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The version of the protocol that the program speaks.
    pub rules_protocol: u32,
    /// The game's name.
    pub name: String,
    /// The seats.
    pub seats: GivenSeats,
    /// The rule that sets the number of seats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seats_rule: Option<String>,
    /// Whether all seats ask the same of a bot.
    #[serde(default = "yes")]
    pub seats_alike: bool,
    /// The version of the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Whether something is hidden from a seat.
    #[serde(default)]
    pub hidden: bool,
    /// Whether something is drawn after the opening.
    #[serde(default)]
    pub chance: bool,
    /// Whether the seats of a round decide simultaneously.
    #[serde(default)]
    pub simultaneous: bool,
    /// The points that a seat can have.
    #[serde(default = "one_point")]
    pub scores: Scores,
    /// How points and places are awarded, for readers of standings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scoring: Option<String>,
    /// The named sets of rules; the first is the default.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub presets: Vec<GivenPreset>,
    /// JSON Schemas by part.
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    pub schemas: serde_json::Map<String, Value>,
    /// The optional requests that it answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub abilities: Vec<String>,
}

impl Hello {
    /// Returns whether the program has this ability: see [`ability`].
    pub fn can(&self, ability: &str) -> bool {
        self.abilities.iter().any(|own| own == ability)
    }
}

/// The names of the abilities, which are those of their requests.
pub mod ability {
    /// Gives the reason why an action is refused.
    pub const CHECK: &str = "check";
    /// Takes a failed bot out of the game.
    pub const FORFEIT: &str = "forfeit";
    /// Formats the state for people.
    pub const TEXT: &str = "text";
    /// Reads an action that a person wrote.
    pub const PARSE: &str = "parse";
    /// Replaces the state.
    pub const LOAD: &str = "load";
    /// Draws a state that is consistent with a view.
    pub const DETERMINIZE: &str = "determinize";
    /// Plays random games to their end.
    pub const PLAYOUT: &str = "playout";
    /// Draws a picture of the state.
    pub const DRAW: &str = "draw";
}

/// The seats in `hello`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum GivenSeats {
    /// Their names.
    Names(Vec<String>),
    /// The least and the greatest number.
    Range(usize, usize),
}

impl GivenSeats {
    /// Returns the least and the greatest number of seats.
    pub fn range(&self) -> (usize, usize) {
        match self {
            GivenSeats::Names(names) => (names.len(), names.len()),
            GivenSeats::Range(least, most) => (*least, *most),
        }
    }

    /// Returns whether there is a seat, and there are not too many.
    pub fn is_possible(&self) -> bool {
        let (least, most) = self.range();
        1 <= least && least <= most && most <= MAX_SEATS
    }
}

/// A named set of rules in `hello` and in `game.toml`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GivenPreset {
    /// Its name.
    pub name: String,
    /// One line about it.
    #[serde(default)]
    pub about: String,
    /// The rules.
    #[serde(default)]
    pub rules: serde_json::Map<String, Value>,
}

/// Reads a field that is there, whose value may be `null`.
fn given<'de: 'a, 'a, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<&'a RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

fn yes() -> bool {
    true
}

fn one_point() -> Scores {
    Scores::ONE_POINT
}
