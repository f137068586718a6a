//! The contract that every game's rules implement: a state machine with explicit chance and
//! explicit hidden information.
//!
//! A value of a type that implements [`Game`] is *the game under one set of rules*: it holds what
//! never changes (the resolved rules, the board, distance tables) and works on small states. In
//! every state it is a seat's turn or chance's turn, or the game is over ([`Turn`]). What a seat
//! may know of a state is a [`Game::View`], and a view can be completed to a state
//! ([`Game::determinize`]).

use crate::information::Information;
use crate::json;
use crate::notation::Notation;
use crate::outcome::{Outcome, Scores};
use crate::random::Rng;
use crate::rules::RulesError;
use crate::schema::Described;
use crate::seat::Seat;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::any::TypeId;
use std::fmt::Debug;
use std::ops::RangeInclusive;

/// The actor in a state: a seat, chance, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// This seat is to move.
    Seat(Seat),
    /// An outcome is drawn at random.
    Chance,
    /// The game is over: see [`Game::outcome`].
    Over,
}

/// The reason why an action is not legal, written for the author of the bot that sent it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Illegal(pub String);

/// An opening in a file that cannot be read or played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct OpeningError {
    /// The place in the text: `line 3`, `game 2, ply 5, line 14`.
    pub place: String,
    /// What was expected and what came.
    pub message: String,
}

/// A type without values, for games in which nothing is drawn after the opening.
///
/// The [`Game::Chance`] of games without chance turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(
    feature = "schema",
    schemars(
        description = "Nothing is drawn after the opening: a value of this type does not exist."
    )
)]
pub enum NoChance {}

/// No fields: the openings, the setup or the rules of a game that has none. `{}` in JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NoFields {}

/// Returns whether a game has chance turns: its [`Game::Chance`] is not [`NoChance`].
pub fn has_chance<G: Game>() -> bool {
    TypeId::of::<G::Chance>() != TypeId::of::<NoChance>()
}

/// A named set of rules, or of openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The name used on the command line, in lower case with dashes.
    pub name: &'static str,
    /// One line: where it comes from and what is special about it.
    pub about: &'static str,
}

/// A game's rules. The module page explains how the parts fit together.
///
/// The battery of tests in `tests/kit` checks every game against this contract.
pub trait Game: Sized + Send + Sync + 'static {
    /// The parameters of the rules, as written in presets, replays and `start` messages. All fields
    /// are always written, except that a field added after games were recorded is left out where it
    /// has its default. Unknown fields are refused (`deny_unknown_fields`).
    type Rules: Clone + PartialEq + Debug + Serialize + DeserializeOwned + Described + Send + Sync;
    /// What is drawn or given before the first decision: start stations, a map, a position.
    type Opening: Clone + PartialEq + Debug + Serialize + DeserializeOwned + Described + Send;
    /// A position of the game: everything that the rules need to continue, including hidden
    /// information.
    ///
    /// Small and cheap to copy; `clone_from` reuses memory, so that searching allocates nothing.
    type State: Clone + PartialEq + Debug + Serialize + DeserializeOwned + Send + Sync;
    /// One decision of a seat.
    type Action: Copy + Eq + Debug + Serialize + DeserializeOwned + Described + Send;
    /// One outcome of a chance turn; [`NoChance`] where there is none.
    type Chance: Clone
        + PartialEq
        + Debug
        + Serialize
        + DeserializeOwned
        + Described
        + Send
        + 'static;
    /// All that one seat may know of a state: the JSON that bots receive. It is complete: a bot
    /// that has it needs no memory of earlier turns.
    type View: Clone + PartialEq + Debug + Serialize + DeserializeOwned + Described + Send;
    /// The constant data of a game that a seat may know from the start: the board, the map.
    type Setup: Serialize + DeserializeOwned + Described;
    /// How events are redacted for the seats: [`crate::PerfectInformation`] where they see all of
    /// them; otherwise usually `Self`, with an implementation of [`Information`].
    type Information: Information<Self>;
    /// How people and other programs write the game: [`crate::JsonOnly`] where JSON is the only
    /// notation; otherwise usually `Self`, with an implementation of [`Notation`].
    type Notation: Notation<Self>;

    /// The game's name on the command line and in the protocol, in lower case with dashes.
    const NAME: &'static str;
    /// One line for people who do not know the game.
    const ABOUT: &'static str;
    /// The JSON Schema of [`Game::Rules`], as the feature `schema` makes it: what the rules mean, for
    /// programs without the feature. The games of this crate have files that a test compares. Empty,
    /// the default: only programs with the feature describe the rules.
    const RULES_SCHEMA: &'static str = "";
    /// The named sets of rules; the first is the default, the one a newcomer expects.
    const PRESETS: &'static [Preset];

    /// The rule that sets the number of seats, if there is one: a match of N bots sets it to N by
    /// default. `None`, the default: the number of seats follows from other rules.
    const SEATS_RULE: Option<&'static str> = None;

    /// Whether all seats ask the same of a bot, as the colours of draughts do. False for different
    /// tasks, such as fleeing and hunting: then a bot has one rating per role.
    const SEATS_ALIKE: bool = true;

    /// How a finished game awards points and places, in a sentence or two for readers of standings.
    const SCORING: &'static str = "the winner has 1 point and the first place, the loser none and the \
                                   second place; in a draw both have half a point and the first place.";

    /// The least and the greatest number of seats, over all rules.
    const SEATS: RangeInclusive<usize>;

    /// Whether the seats of a round decide simultaneously. The contract still asks them one after
    /// the other, and the game hides their decisions until the last seat has decided.
    const SIMULTANEOUS: bool = false;

    /// Returns the rules of one of [`Game::PRESETS`]; `None` for any other name.
    fn preset(name: &str) -> Option<Self::Rules>;

    /// Makes the game under these rules, with every derived parameter resolved.
    ///
    /// # Errors
    ///
    /// If a value is out of range, or parameters contradict each other. Names the parameters.
    fn new(rules: Self::Rules) -> Result<Self, RulesError>;

    /// Returns the resolved rules: `Game::new(game.rules().clone())` is the same game.
    fn rules(&self) -> &Self::Rules;

    /// Returns the names of the seats, in seat order; at most [`crate::MAX_SEATS`].
    fn seats(&self) -> &[String];

    /// Returns whether something is hidden from a seat or drawn after the opening. Then a program
    /// that has played one game has secret knowledge of another with the same opening and the same
    /// seed, so it must not play both.
    fn has_secrets(&self) -> bool {
        Self::Information::HIDDEN || has_chance::<Self>()
    }

    /// Returns the points that a seat can have at the end under these rules. The default,
    /// [`Scores::ONE_POINT`], is for games that are won, drawn or lost.
    fn scores(&self) -> Scores {
        Scores::ONE_POINT
    }

    /// Draws an opening. The default is for openings without fields, such as [`NoFields`]: every
    /// game begins alike.
    fn draw_opening<R: Rng>(&self, _rng: &mut R) -> Self::Opening {
        serde_json::from_str("{}")
            .expect("a game with fields in its openings implements draw_opening")
    }

    /// Returns the first state after an opening, drawn or given.
    ///
    /// # Errors
    ///
    /// If the opening is not one of this game: what is wrong, and where.
    fn start(&self, opening: &Self::Opening) -> Result<Self::State, Illegal>;

    /// Returns the constant data of the game that began with this state, as far as `seat` may know
    /// it. The default is for set-ups without fields, such as [`NoFields`].
    fn setup(&self, _start: &Self::State, _seat: Seat) -> Self::Setup {
        serde_json::from_str("{}").expect("a game with fields in its setup implements setup")
    }

    /// Returns the class of a start, where studies report some starts separately. `None`, the
    /// default: one class.
    fn start_class(&self, _start: &Self::State) -> Option<u8> {
        None
    }

    /// Returns whose turn it is.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Fills `into` with every legal action of the seat whose turn it is, in an order that depends
    /// on the state alone. Empty unless it is a seat's turn; never empty when it is.
    fn actions(&self, state: &Self::State, into: &mut Vec<Self::Action>);

    /// Checks that an action is legal for the seat whose turn it is. The legal actions are those of
    /// [`Game::actions`].
    ///
    /// # Errors
    ///
    /// The reason why it is not legal. The default looks the action up in the list, and can give no
    /// better reason than that it is not in it.
    fn check(&self, state: &Self::State, action: Self::Action) -> Result<(), Illegal> {
        let mut legal = Vec::new();
        self.actions(state, &mut legal);
        if legal.contains(&action) {
            return Ok(());
        }
        Err(Illegal(format!(
            "{} is not one of the {} legal actions",
            json::text(&action),
            legal.len()
        )))
    }

    /// Plays a legal action. An illegal one leaves the state unspecified (but memory-safe): call
    /// [`Game::check`] first on input that is not trusted.
    fn apply(&self, state: &mut Self::State, action: Self::Action);

    /// Fills `into` with outcomes of the chance turn and their probabilities, which sum to 1.
    ///
    /// Outcomes that lead to the same state may be merged into one representative: expectations are
    /// computed over this list, while [`Game::draw`] draws what people would see on the table.
    /// Where there are too many outcomes to list, a sample with equal weights represents all: the
    /// same sample for equal states. A game that samples documents it.
    ///
    /// The defaults of this and the other chance methods are for games without chance turns.
    fn chances(&self, _state: &Self::State, into: &mut Vec<(f64, Self::Chance)>) {
        into.clear();
    }

    /// Draws the outcome of a chance turn.
    ///
    /// # Panics
    ///
    /// If it is not a chance turn.
    fn draw<R: Rng>(&self, _state: &Self::State, _rng: &mut R) -> Self::Chance {
        unreachable!("{} implements no chance turn", Self::NAME)
    }

    /// Checks that this outcome can be drawn in this state; used on recorded games.
    ///
    /// # Errors
    ///
    /// The reason why it cannot. The default looks it up in [`Game::chances`], so a game that does
    /// not list all outcomes there needs its own check.
    fn check_chance(&self, state: &Self::State, chance: &Self::Chance) -> Result<(), Illegal> {
        if self.turn(state) != Turn::Chance {
            return Err(Illegal("nothing is drawn now".into()));
        }
        let mut outcomes = Vec::new();
        self.chances(state, &mut outcomes);
        if outcomes.iter().any(|(_, outcome)| outcome == chance) {
            return Ok(());
        }
        Err(Illegal(format!(
            "{} is not one of the {} outcomes",
            json::text(chance),
            outcomes.len()
        )))
    }

    /// Applies the outcome of a chance turn.
    fn apply_chance(&self, _state: &mut Self::State, _chance: &Self::Chance) {
        unreachable!("{} implements no chance turn", Self::NAME)
    }

    /// Returns the outcome of the game; `None` while it is in progress.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// Forfeits a seat whose bot has failed permanently.
    ///
    /// Either this ends the game, with the other side as the winner, or (in a game of more than two
    /// sides) the seat takes the last place still open, the game continues, and the referee plays
    /// [`Game::pass`] for the seat in the rest of the game.
    fn forfeit(&self, state: &mut Self::State, seat: Seat);

    /// Returns the action that the referee plays for a forfeited seat on its turn: the one with the
    /// least effect that the rules have. Always legal.
    ///
    /// The default is the first of [`Game::actions`].
    ///
    /// # Panics
    ///
    /// If it is not a seat's turn.
    fn pass(&self, state: &Self::State) -> Self::Action {
        let mut actions = Vec::new();
        self.actions(state, &mut actions);
        *actions.first().expect("pass is asked for only on a seat's turn, which has a legal action")
    }

    /// Returns what `seat` may know of a state.
    fn view(&self, state: &Self::State, seat: Seat) -> Self::View;

    /// Draws a state that is consistent with what `seat` sees: its view of that state is `view`.
    ///
    /// # Errors
    ///
    /// If no state of this game can have this view. The default is for games whose view is the
    /// state: it reads the view's JSON as a state.
    fn determinize<R: Rng>(
        &self,
        view: &Self::View,
        _seat: Seat,
        _rng: &mut R,
    ) -> Result<Self::State, Illegal> {
        serde_json::from_str(&json::text(view))
            .map_err(|error| Illegal(format!("the view is not a state: {error}")))
    }

    /// Formats the state in a few lines of plain text, with all hidden information.
    fn text(&self, state: &Self::State) -> String;

    /// Formats an action before it is played, with all hidden information: `detective 2: bus to 45,
    /// and catches Mr. X`. The default is its JSON.
    fn action_text(&self, _before: &Self::State, action: Self::Action) -> String {
        json::text(&action)
    }

    /// Formats an action of the seat whose turn it is, before it is played, from nothing but what
    /// that seat knows: in states of which it has the same view, the text is the same.
    ///
    /// The default is [`Game::action_text`] where nothing is hidden, and the JSON of the action
    /// elsewhere.
    fn own_action_text(&self, before: &Self::State, action: Self::Action) -> String {
        if Self::Information::HIDDEN {
            json::text(&action)
        } else {
            self.action_text(before, action)
        }
    }

    /// Formats a chance outcome; by default as its JSON.
    fn chance_text(&self, _before: &Self::State, chance: &Self::Chance) -> String {
        json::text(chance)
    }
}
