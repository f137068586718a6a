//! The last move of each pawn, from what the person's seats observed.

use super::legal_steps::parts;
use crate::face::Happened;
use botyard_engine::scotland_yard::{Action, Detective, Station};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;

/// The last move of a pawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LastMove {
    /// The station that it left, if that is known from its moves.
    pub from: Option<Station>,
    /// The ticket, as the person's seats observed it.
    ticket: String,
}

impl LastMove {
    /// Returns the last move of each pawn: `None` is Mr. X.
    pub(super) fn of_all(past: &[Happened]) -> BTreeMap<Option<u8>, LastMove> {
        let mut last = BTreeMap::new();
        let mut stations: BTreeMap<Option<u8>, Station> = BTreeMap::new();
        for event in past {
            let Happened::Moved { seen_by_seat, .. } = event else { continue };
            let (pawn, to) = match Action::deserialize(seen_by_seat).map(parts) {
                Ok((detective, _, to, _)) => (detective.map(Detective::number), Some(to)),
                Err(_) => (None, None),
            };
            let ticket = seen_by_seat["ticket"].as_str().unwrap_or_default().to_string();
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
