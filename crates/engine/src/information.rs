//! Redaction: what the seats see of events, either everything or a copy without the hidden parts.
//!
//! A game chooses by its type [`Game::Information`], which has no default: [`PerfectInformation`]
//! where every seat sees everything, otherwise a type that implements [`Information`], usually the
//! game itself. The methods of [`Information`] have no defaults either, so that nothing is shown by
//! omission. The copies are types with their own JSON Schema.
//!
//! Copies go into the records of single seats. Two rules hold for them, and the battery in
//! `tests/kit` checks both for every game: a copy reveals no more than the views before and after
//! it, and the view before together with the copy suffices to rebuild the view after.

use crate::game::Game;
use crate::schema::Described;
use crate::seat::Seat;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// What a seat sees of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen<T> {
    /// All of it, as in the full record.
    Whole,
    /// A copy without the hidden parts.
    Redacted(T),
}

/// How a game `G` redacts events: see the module page.
pub trait Information<G: Game> {
    /// Whether something is hidden from a seat. `false` promises that every view shows the whole
    /// state, and that nothing is redacted.
    const HIDDEN: bool;

    /// The copy of an opening; [`NoCopy`] where openings are shown whole.
    type Opening: PartialEq + Debug + Serialize + DeserializeOwned + Described;
    /// The copy of an action; [`NoCopy`] where actions are shown whole.
    type Action: Clone + PartialEq + Debug + Serialize + DeserializeOwned + Described + Send;
    /// The copy of a chance outcome; [`NoCopy`] where chance outcomes are shown whole, or do not
    /// exist.
    type Chance: Clone + PartialEq + Debug + Serialize + DeserializeOwned + Described + Send;

    /// Returns what `seat` sees of the opening.
    fn seen_opening(game: &G, opening: &G::Opening, seat: Seat) -> Seen<Self::Opening>;

    /// Returns what `seat` sees of an action that is about to be played in `before`.
    fn seen_action(
        game: &G,
        before: &G::State,
        action: G::Action,
        seat: Seat,
    ) -> Seen<Self::Action>;

    /// Returns what `seat` sees of a chance outcome that is about to be applied to `before`.
    fn seen_chance(
        game: &G,
        before: &G::State,
        chance: &G::Chance,
        seat: Seat,
    ) -> Seen<Self::Chance>;
}

/// A type without values, for copies that are never made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(
    feature = "schema",
    schemars(description = "Copies that are never made: a value of this type does not exist.")
)]
pub enum NoCopy {}

/// Perfect information: every view shows the whole state, and every seat sees every event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerfectInformation;

impl<G: Game> Information<G> for PerfectInformation {
    const HIDDEN: bool = false;

    type Opening = NoCopy;
    type Action = NoCopy;
    type Chance = NoCopy;

    fn seen_opening(_: &G, _: &G::Opening, _: Seat) -> Seen<NoCopy> {
        Seen::Whole
    }

    fn seen_action(_: &G, _: &G::State, _: G::Action, _: Seat) -> Seen<NoCopy> {
        Seen::Whole
    }

    fn seen_chance(_: &G, _: &G::State, _: &G::Chance, _: Seat) -> Seen<NoCopy> {
        Seen::Whole
    }
}
