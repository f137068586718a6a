//! The contract every game's rules fulfil: a state machine whose chance and whose hidden
//! information are explicit.
//!
//! A value of a type that implements [`Game`] is *the game under one set of rules*: it holds what
//! never changes (the resolved rules, the board, distance tables) and works on small states. At
//! every state it is either a seat's turn, or chance's, or the game is over ([`Turn`]). What a
//! seat may know of a state is a [`Game::View`], and a view can be completed to a state again
//! ([`Game::determinize`]).

use crate::information::Information;
use crate::notation::Notation;
use crate::outcome::{Outcome, Scores};
use crate::random::Rng;
use crate::rules::RulesError;
use crate::seat::Seat;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::any::TypeId;
use std::fmt::Debug;
use std::ops::RangeInclusive;

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// This seat decides.
    Seat(Seat),
    /// Something is drawn at random.
    Chance,
    /// The game is over: [`Game::outcome`] tells how it ended.
    Over,
}

/// Why an action is not legal, in a sentence for the author of the bot that sent it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Illegal(pub String);

/// An opening that somebody wrote down and that cannot be read or played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct OpeningError {
    /// Where in the text it stands: `line 3`, `game 2, ply 5, line 14`.
    pub place: String,
    /// What was expected and what came.
    pub message: String,
}

/// Nothing is drawn after the opening: a value of this type does not exist.
///
/// The [`Game::Chance`] of games that never come to a chance turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(
    description = "Nothing is drawn after the opening: a value of this type does not exist."
)]
pub enum NoChance {}

/// No fields: the openings, the set-up or the rules of a game that has none. `{}` in JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("a game's types are plain data with string keys")
}

/// Whether a game has chance turns: whether its [`Game::Chance`] is another type than [`NoChance`].
pub fn has_chance<G: Game>() -> bool {
    TypeId::of::<G::Chance>() != TypeId::of::<NoChance>()
}

/// A named set of rules, or of openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The name used on the command line, in lower case with dashes.
    pub name: &'static str,
    /// One line on where it comes from and what sets it apart.
    pub about: &'static str,
}

/// A game's rules. See the module's text for how the parts fit together.
///
/// The battery in `tests/battery` holds every game to this contract.
pub trait Game: Sized + Send + Sync + 'static {
    /// The parameters of the rules, as written in presets, replays and `start` messages. All
    /// fields are always written, except that one which was added after games were recorded is left
    /// out where it has its default; unknown ones are refused (`deny_unknown_fields`).
    type Rules: Clone + PartialEq + Debug + Serialize + DeserializeOwned + JsonSchema + Send + Sync;
    /// What is drawn or given before the first decision: start stations, a map, a position.
    type Opening: Clone + PartialEq + Debug + Serialize + DeserializeOwned + JsonSchema + Send;
    /// A position of the game: everything the rules need to go on, hidden things included.
    ///
    /// Small and cheap to copy; `clone_from` reuses memory, so that searching allocates nothing.
    type State: Clone + PartialEq + Debug + Serialize + DeserializeOwned + Send + Sync;
    /// One decision of a seat.
    type Action: Copy + Eq + Debug + Serialize + DeserializeOwned + JsonSchema + Send;
    /// One outcome of a chance turn; [`NoChance`] where there is none.
    type Chance: Clone
        + PartialEq
        + Debug
        + Serialize
        + DeserializeOwned
        + JsonSchema
        + Send
        + 'static;
    /// All that one seat may know of a state: the same JSON that travels to bots. It is complete:
    /// a bot that sees it needs no memory of earlier turns.
    type View: Clone + PartialEq + Debug + Serialize + DeserializeOwned + JsonSchema + Send;
    /// What never changes during a game and a seat may know from the start: the board, the map.
    type Setup: Serialize + DeserializeOwned + JsonSchema;
    /// What the seats are told of what happens: [`crate::PerfectInformation`] where they see all of
    /// it; otherwise usually `Self`, with an implementation of [`Information`].
    type Information: Information<Self>;
    /// How people and other programs write the game: [`crate::JsonOnly`] where there is nothing but
    /// JSON; otherwise usually `Self`, with an implementation of [`Notation`].
    type Notation: Notation<Self>;

    /// The game's name on the command line and in the protocol, in lower case with dashes.
    const NAME: &'static str;
    /// One line for people who have not heard of the game.
    const ABOUT: &'static str;
    /// The named sets of rules; the first is the default, the one a newcomer expects.
    const PRESETS: &'static [Preset];

    /// The rule that is the number of seats, where there is one: a match of so many bots sets it to
    /// that unless told otherwise. `None`, the default: the seats follow from other things.
    const SEATS_RULE: Option<&'static str> = None;

    /// Whether the seats ask the same of a bot, as the colours of draughts do, and not different
    /// things, as to flee and to hunt: then a bot has a strength for each of them.
    const SEATS_ALIKE: bool = true;

    /// How the points and the places of a finished game are determined, in a sentence or two for people
    /// who read standings.
    const SCORING: &'static str = "the winner has 1 point and the first place, the loser none and the \
                                   second place; in a draw both have half a point and the first place.";

    /// The least and the greatest number of seats, over all rules.
    const SEATS: RangeInclusive<usize>;

    /// Whether the seats of a round decide at once. The contract asks them one after the other all
    /// the same, and the game hides what they decided until the last of them has.
    const SIMULTANEOUS: bool = false;

    /// The rules of one of [`Game::PRESETS`]; `None` for any other name.
    fn preset(name: &str) -> Option<Self::Rules>;

    /// The game under these rules, with every derived parameter resolved.
    ///
    /// # Errors
    ///
    /// Values out of range and parameters that contradict each other, by name.
    fn new(rules: Self::Rules) -> Result<Self, RulesError>;

    /// The resolved rules: `Game::new(game.rules().clone())` is the same game.
    fn rules(&self) -> &Self::Rules;

    /// The names of the seats, in seat order; at most [`crate::MAX_SEATS`].
    fn seats(&self) -> &[String];

    /// Whether something is hidden from a seat or drawn after the opening. Then a program that has
    /// played one game knows what is not to be known in another that begins alike (the same opening
    /// and the same seed), so it must not play both.
    fn has_secrets(&self) -> bool {
        Self::Information::HIDDEN || has_chance::<Self>()
    }

    /// The points that a seat can have at the end under these rules. [`Scores::ONE_POINT`], the
    /// default, is that of games which are won, drawn and lost.
    fn scores(&self) -> Scores {
        Scores::ONE_POINT
    }

    /// Draws an opening. The default is the one without fields, as [`Nothing`]: every game begins
    /// alike.
    fn draw_opening<R: Rng>(&self, _rng: &mut R) -> Self::Opening {
        serde_json::from_str("{}")
            .expect("a game with fields in its openings implements draw_opening")
    }

    /// The first state after an opening, whether drawn or given.
    ///
    /// # Errors
    ///
    /// An opening that is not one of this game: what is wrong with it, and where.
    fn start(&self, opening: &Self::Opening) -> Result<Self::State, Illegal>;

    /// What never changes in the game that began with this state, as far as `seat` may know it. The
    /// default is the one without fields, as [`Nothing`].
    fn setup(&self, _start: &Self::State, _seat: Seat) -> Self::Setup {
        serde_json::from_str("{}").expect("a game with fields in its setup implements setup")
    }

    /// Which of a few classes of starts this one belongs to, where studies report some starts apart
    /// from others. `None`, the default: all starts are alike.
    fn start_class(&self, _start: &Self::State) -> Option<u8> {
        None
    }

    /// Whose turn it is.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Fills `into` with every legal action of the seat whose turn it is, in an order that depends
    /// on the state alone. Empty unless it is a seat's turn; never empty when it is.
    fn actions(&self, state: &Self::State, into: &mut Vec<Self::Action>);

    /// Whether an action is legal for the seat whose turn it is: exactly those of
    /// [`Game::actions`] are.
    ///
    /// # Errors
    ///
    /// The reason why it is not. The default looks it up in the list, and knows no better reason
    /// than that it is not there.
    fn check(&self, state: &Self::State, action: Self::Action) -> Result<(), Illegal> {
        let mut legal = Vec::new();
        self.actions(state, &mut legal);
        if legal.contains(&action) {
            return Ok(());
        }
        Err(Illegal(format!("{} is none of the {} legal actions", json(&action), legal.len())))
    }

    /// Plays a legal action. An illegal one leaves the state in an unspecified (but memory-safe)
    /// condition: call [`Game::check`] first on input that is not trusted.
    fn apply(&self, state: &mut Self::State, action: Self::Action);

    /// Fills `into` with outcomes of the chance turn and their probabilities, which sum to 1.
    ///
    /// Outcomes that lead to the same state may be merged into one representative: this is what
    /// expectation runs over, while [`Game::draw`] draws what people would see on the table. Where
    /// there are too many to list, a sample of equal weights stands for all: the same one for equal
    /// states. A game that does so says it.
    ///
    /// The default, and those of the other methods for chance turns, are for games without any.
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

    /// Whether this could be drawn in this state; used on recorded games.
    ///
    /// # Errors
    ///
    /// The reason why it could not. The default looks it up in [`Game::chances`], so a game that does
    /// not list all outcomes there has a check of its own.
    fn check_chance(&self, state: &Self::State, chance: &Self::Chance) -> Result<(), Illegal> {
        if self.turn(state) != Turn::Chance {
            return Err(Illegal("nothing is drawn now".into()));
        }
        let mut outcomes = Vec::new();
        self.chances(state, &mut outcomes);
        if outcomes.iter().any(|(_, outcome)| outcome == chance) {
            return Ok(());
        }
        Err(Illegal(format!("{} is none of the {} outcomes", json(chance), outcomes.len())))
    }

    /// Goes on from a chance turn with what was drawn.
    fn apply_chance(&self, _state: &mut Self::State, _chance: &Self::Chance) {
        unreachable!("{} implements no chance turn", Self::NAME)
    }

    /// How the game ended; `None` while it goes on.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// A seat's bot has failed for good.
    ///
    /// Either this ends the game, with the other side as the winner, or (in a game of more than
    /// two sides) the seat takes the last place still open, the game goes on, and the referee
    /// plays [`Game::pass`] for it from now on.
    fn forfeit(&self, state: &mut Self::State, seat: Seat);

    /// The action that the referee plays for a forfeited seat on its turn: the quietest one the
    /// rules know. Always legal.
    ///
    /// The default is the first of [`Game::actions`].
    ///
    /// # Panics
    ///
    /// If it is no seat's turn.
    fn pass(&self, state: &Self::State) -> Self::Action {
        let mut actions = Vec::new();
        self.actions(state, &mut actions);
        *actions.first().expect("pass is asked for only on a seat's turn, which has a legal action")
    }

    /// What `seat` may know of a state.
    fn view(&self, state: &Self::State, seat: Seat) -> Self::View;

    /// Draws a state that is consistent with what `seat` sees: its view of that state is `view`.
    ///
    /// # Errors
    ///
    /// A view that no state of this game can have. The default is for games whose view is the
    /// state: it reads the one's JSON as the other.
    fn determinize<R: Rng>(
        &self,
        view: &Self::View,
        _seat: Seat,
        _rng: &mut R,
    ) -> Result<Self::State, Illegal> {
        serde_json::to_value(view)
            .and_then(serde_json::from_value)
            .map_err(|error| Illegal(format!("the view is no state: {error}")))
    }

    /// The state in a few lines of plain text for someone who watches and may know everything.
    fn text(&self, state: &Self::State) -> String;

    /// An action in words, as a person would say it, before it is played: `detective 2: bus to 45`.
    /// The default is its JSON.
    fn action_text(&self, _before: &Self::State, action: Self::Action) -> String {
        json(&action)
    }

    /// A chance outcome in words; by default its JSON.
    fn chance_text(&self, _before: &Self::State, chance: &Self::Chance) -> String {
        json(chance)
    }
}
