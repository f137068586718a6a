//! The last move of each pawn, from what the person's seats observed.

use super::legal_steps::parts;
use crate::face::{Happened, Seen};
use botyard_engine::scotland_yard::{Detective, ScotlandYard, Station, Ticket};
use std::collections::BTreeMap;
use std::fmt;

/// The last move of a pawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LastMove {
    /// The station that it left, if that is known from its moves.
    pub from: Option<Station>,
    ticket: Ticket,
}

impl LastMove {
    /// Returns the last move of each pawn: `None` is Mr. X.
    pub(crate) fn of_all(past: &[Happened<ScotlandYard>]) -> BTreeMap<Option<u8>, LastMove> {
        let mut last = BTreeMap::new();
        let mut stations: BTreeMap<Option<u8>, Station> = BTreeMap::new();
        for event in past {
            let Happened::Moved { action, .. } = event else { continue };
            let (pawn, ticket, to) = match action {
                Seen::Whole(action) => {
                    let (detective, ticket, to, _) = parts(*action);
                    (detective.map(Detective::number), ticket, Some(to))
                }
                Seen::Redacted(step) => (None, step.ticket, None),
            };
            let from = match to {
                Some(to) => stations.insert(pawn, to),
                None => {
                    stations.remove(&pawn);
                    None
                }
            };
            last.insert(pawn, LastMove { from, ticket });
        }
        last
    }
}

impl fmt::Display for LastMove {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.from {
            Some(from) => write!(formatter, ", by {} from {from}", self.ticket),
            None => write!(formatter, ", by {}", self.ticket),
        }
    }
}
