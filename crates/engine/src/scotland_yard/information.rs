//! Redaction of openings and of Mr. X's moves: the detectives see everything but his station.

use super::action::Action;
use super::game::ScotlandYard;
use super::opening::{DetectiveTickets, MrXTickets, Opening};
use super::state::State;
use super::station::Station;
use super::ticket::Ticket;
use super::view::Side;
use crate::game::NoChance;
use crate::information::{Information, NoCopy, Seen};
use crate::seat::Seat;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An opening as the detectives see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SeenOpening {
    /// Mr. X's station is hidden.
    pub mr_x: (),
    /// The detectives' stations, one per detective.
    pub detectives: Vec<Station>,
    /// The detectives' tickets, where they differ from the rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detective_tickets: Option<DetectiveTickets>,
    /// Mr. X's tickets, where they differ from the rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mr_x_tickets: Option<MrXTickets>,
    /// The stations at which the detectives must expect Mr. X, where they differ from his start
    /// cards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mr_x_starts: Option<Vec<Station>>,
}

/// A move of Mr. X as the detectives see it, unless it is a reveal or he is caught by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SeenAction {
    /// The ticket he pays with.
    pub ticket: Ticket,
    /// His destination is hidden.
    pub to: (),
    /// Whether he plays a double ticket with it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub double: bool,
}

impl Information<ScotlandYard> for ScotlandYard {
    const HIDDEN: bool = true;

    type Opening = SeenOpening;
    type Action = SeenAction;
    type Chance = NoCopy;

    fn seen_opening(_: &ScotlandYard, opening: &Opening, seat: Seat) -> Seen<SeenOpening> {
        if ScotlandYard::side(seat) == Side::MrX {
            return Seen::Whole;
        }
        // Every field by name, so that a new one is not shown by accident.
        let Opening { mr_x: _, detectives, detective_tickets, mr_x_tickets, mr_x_starts } =
            opening.clone();
        Seen::Redacted(SeenOpening {
            mr_x: (),
            detectives,
            detective_tickets,
            mr_x_tickets,
            mr_x_starts,
        })
    }

    fn seen_action(
        game: &ScotlandYard,
        before: &State,
        action: Action,
        seat: Seat,
    ) -> Seen<SeenAction> {
        let Action::MrX { ticket, to, double } = action else { return Seen::Whole };
        let shown = game.arena().reveals(before.position().x_moves() + 1);
        let caught = before.position().pawns().occupy(to);
        if shown || caught || ScotlandYard::side(seat) == Side::MrX {
            return Seen::Whole;
        }
        Seen::Redacted(SeenAction { ticket, to: (), double })
    }

    fn seen_chance(_: &ScotlandYard, _: &State, chance: &NoChance, _: Seat) -> Seen<NoCopy> {
        match *chance {}
    }
}
