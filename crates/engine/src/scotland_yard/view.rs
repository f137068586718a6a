//! Views: what one side may know of a state, as the JSON that bots receive. Both sides see the same
//! except for Mr. X's stations. A view contains nothing that its reader could not have recorded
//! during the game.

use super::action::Action;
use super::arena::Arena;
use super::detective::{Detective, MAX_DETECTIVES, Pawns};
use super::opening::StartSet;
use super::position::{End, Stage};
use super::state::State;
use super::station::Station;
use super::ticket::{Ticket, Tickets};
use arrayvec::ArrayVec;
#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::fmt;

/// A state as a seat sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct View {
    /// The round, from 1.
    pub round: u16,
    /// The name of the seat to move; null when the game is over.
    pub to_move: Option<Mover>,
    /// Whether Mr. X is to make the second half of a double move.
    pub second_leg: bool,
    /// Mr. X.
    pub mr_x: MrXView,
    /// The detectives, in order.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<DetectiveView>"))]
    pub detectives: ArrayVec<DetectiveView, MAX_DETECTIVES>,
    /// Mr. X's steps so far, oldest first.
    pub log: Vec<LogView>,
    /// The stations at which Mr. X can be as far as the detectives can know, in ascending order;
    /// only with the rule `show_candidates`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidates: Option<Vec<Station>>,
    /// Mr. X's legal double moves with their second steps; only with the rule `show_second_legs`,
    /// in his own view and on his turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub double_moves: Vec<DoubleMove>,
    /// The stations at which the detectives had to expect Mr. X before his first move; only where a
    /// given opening differs from his start cards.
    #[serde(default, skip_serializing_if = "StartSet::is_cards")]
    pub mr_x_starts: StartSet,
    /// The end of the game; only when it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<End>,
}

/// Mr. X as a seat sees him.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MrXView {
    /// His station. The detectives see it only while the last entry of the log is a reveal, and
    /// when they have caught him; otherwise null.
    pub station: Option<Station>,
    /// His tickets; null if unlimited.
    pub tickets: Option<Tickets>,
    /// His black tickets.
    pub black: u16,
    /// His double tickets.
    pub double: u16,
}

/// A double move that Mr. X can begin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DoubleMove {
    /// Its first half, as in the list of legal actions.
    pub first: Action,
    /// The actions that are legal after it, in the order in which they will be listed.
    pub second: Vec<Action>,
}

/// A detective: nothing about it is hidden.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DetectiveView {
    /// Its station; null if it was taken off the board.
    pub station: Option<Station>,
    /// Its tickets; null if unlimited.
    pub tickets: Option<Tickets>,
    /// Whether its turn in this round is over.
    pub moved: bool,
}

/// An entry of the travel log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LogView {
    /// The ticket that Mr. X showed.
    pub ticket: Ticket,
    /// The station he went to. The detectives see it only in reveals; otherwise null.
    pub station: Option<Station>,
    /// Whether the station was shown to the detectives.
    pub reveal: bool,
    /// The detectives' stations when he moved; null for one off the board.
    pub detectives: Pawns,
}

/// The name of the seat to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    /// `mr-x`
    MrX,
    /// `detectives`, where one seat moves them all.
    Detectives,
    /// `detective-1`, `detective-2`, ..., where each has a seat.
    Detective(Detective),
}

impl fmt::Display for Mover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mover::MrX => f.write_str("mr-x"),
            Mover::Detectives => f.write_str("detectives"),
            Mover::Detective(detective) => write!(f, "detective-{detective}"),
        }
    }
}

impl Serialize for Mover {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Mover {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Mover, D::Error> {
        let name = String::deserialize(deserializer)?;
        match name.as_str() {
            "mr-x" => Some(Mover::MrX),
            "detectives" => Some(Mover::Detectives),
            _ => name
                .strip_prefix("detective-")
                .and_then(|number| Detective::new(number.parse().ok()?))
                .map(Mover::Detective),
        }
        .ok_or_else(|| {
            D::Error::custom(format!(
                "there is no seat {name:?}; expected mr-x, detectives, or detective-1 and so on"
            ))
        })
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for Mover {
    fn schema_name() -> Cow<'static, str> {
        "Mover".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The name of a seat.",
            "type": "string", "pattern": "^(mr-x|detectives|detective-[1-5])$"
        })
    }
}

/// The side that a view is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Mr. X, who sees everything.
    MrX,
    /// The detectives. All of them see the same.
    Detectives,
}

impl View {
    /// Makes `side`'s view of a state. `to_move` is the name of the seat to move.
    pub(super) fn new(arena: &Arena, state: &State, side: Side, to_move: Option<Mover>) -> View {
        let position = state.position();
        let over = match position.stage() {
            Stage::Over(end) => Some(end),
            _ => None,
        };
        let all = side == Side::MrX;
        let log: Vec<LogView> = (1..)
            .zip(state.log())
            .map(|(number, entry)| {
                let reveal = arena.reveals(number);
                LogView {
                    ticket: entry.ticket,
                    station: (all || reveal).then_some(entry.station),
                    reveal,
                    detectives: entry.detectives,
                }
            })
            .collect();
        let shown = all || over == Some(End::Caught) || log.last().is_some_and(|last| last.reveal);
        let purse = position.purse();
        View {
            round: position.round(),
            to_move,
            second_leg: position.stage() == Stage::SecondLeg,
            mr_x: MrXView {
                station: shown.then_some(position.mr_x()),
                tickets: purse.tickets.tickets(),
                black: purse.black,
                double: purse.double,
            },
            detectives: position
                .all_detectives()
                .map(|detective| DetectiveView {
                    station: position.pawns().get(detective),
                    tickets: position.tickets_of(detective).tickets(),
                    moved: position.has_moved(detective),
                })
                .collect(),
            log,
            candidates: None,
            double_moves: Vec::new(),
            mr_x_starts: state.starts().clone(),
            over,
        }
    }

    /// Returns the detectives' stations.
    pub fn pawns(&self) -> Pawns {
        Pawns::new(self.detectives.iter().map(|detective| detective.station))
    }
}
