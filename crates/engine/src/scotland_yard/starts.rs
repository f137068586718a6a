//! The start cards: the stations that Mr. X and the detectives draw from. The decks are data
//! (`data/scotland-yard/starts.csv`).

use super::board::Board;
use super::station::Station;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const CARDS: &str = include_str!("../../data/scotland-yard/starts.csv");

/// The deck that starts are drawn from, or any station.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Starts {
    /// 18 cards, one deck for Mr. X and the detectives.
    #[serde(rename = "classic-18")]
    Classic18,
    /// 16 cards for the detectives, 13 others for Mr. X.
    #[serde(rename = "modern-29")]
    Modern29,
    /// 14 cards for the detectives, 12 others for Mr. X.
    #[serde(rename = "bristol-26")]
    Bristol26,
    /// Any stations, all different.
    Random,
}

impl Starts {
    /// Returns the name used in rules.
    pub const fn name(self) -> &'static str {
        match self {
            Starts::Classic18 => "classic-18",
            Starts::Modern29 => "modern-29",
            Starts::Bristol26 => "bristol-26",
            Starts::Random => "random",
        }
    }

    /// Returns the stations on Mr. X's cards, in ascending order.
    pub fn of_mr_x(self, board: &Board) -> Vec<Station> {
        self.cards("mrx", board)
    }

    /// Returns the stations on the detectives' cards, in ascending order.
    pub fn of_detectives(self, board: &Board) -> Vec<Station> {
        self.cards("detective", board)
    }

    fn cards(self, role: &str, board: &Board) -> Vec<Station> {
        if self == Starts::Random {
            return board.stations().collect();
        }
        let mut stations: Vec<Station> = CARDS
            .lines()
            .skip(1)
            .filter_map(|line| {
                let mut fields = line.split(',');
                let (set, whose) = (fields.next()?, fields.next()?);
                let mine = set == self.name() && (whose == role || whose == "any");
                if mine { Station::new(fields.next()?.trim().parse().ok()?) } else { None }
            })
            .collect();
        stations.sort_unstable();
        stations
    }
}
