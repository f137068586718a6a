//! A figure of a row: the statistic that is measured, and the source's value beside it.

use serde::{Deserialize, Serialize};

/// A measured figure, with the source's value if there is one.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The statistic.
    pub statistic: Statistic,
    /// The seat that it describes.
    #[serde(default)]
    pub seat: Option<String>,
    /// The bot that it describes: in any seat, or only in `seat` if that is given.
    #[serde(default)]
    pub bot: Option<String>,
    /// The source's value, if there is one.
    #[serde(default)]
    pub value: Option<f64>,
    /// A bound in place of a value: the source only states that it was more than this.
    #[serde(default)]
    pub more_than: Option<f64>,
    /// The number of games that the source measured.
    #[serde(default)]
    pub games: Option<u32>,
    /// Why our value differs from the source's, if it does and the row's explanation is another.
    #[serde(default)]
    pub explanation: Option<String>,
    /// The peaks of the source's distribution, for a statistic that has one.
    #[serde(default)]
    pub peaks: Vec<u32>,
    /// The label of the row to which a ratio compares this one.
    #[serde(default)]
    pub to: Option<String>,
}

impl Published {
    /// Returns the seat or the bot that it describes.
    pub fn subject(&self) -> String {
        match (&self.bot, &self.seat) {
            (Some(bot), Some(seat)) => format!("{bot} as {seat}"),
            (one, other) => one.as_deref().or(other.as_deref()).unwrap_or_default().to_string(),
        }
    }

    /// Describes the figure.
    pub fn in_words(&self) -> String {
        let subject = self.subject();
        let of_searches = |words: &str| match subject.as_str() {
            "" => words.to_string(),
            subject => format!("{subject}: {words}"),
        };
        let to = self.to.as_deref().unwrap_or_default();
        match self.statistic {
            Statistic::WinPercent => format!("{subject} win %"),
            Statistic::MeanWinningRound => format!("{subject} win in round"),
            Statistic::SecondsASearch => of_searches("seconds a search"),
            Statistic::NodesASearch => of_searches("nodes a search"),
            Statistic::ScoreASearch => of_searches("score"),
            Statistic::NodesRatio => of_searches(&format!("nodes / those of {to}")),
            Statistic::SecondsRatio => of_searches(&format!("seconds / those of {to}")),
        }
    }
}

/// A statistic of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Statistic {
    /// The seat's share of the points, in percent.
    WinPercent,
    /// The round in which games won by the seat ended, on average: the number of moves that the
    /// first seat had made. Its figures have the distribution of the rounds too.
    MeanWinningRound,
    /// The wall-clock time of one search of the seat's bot, in seconds. Decisions without a search
    /// (from a table of openings, or planned earlier) do not count.
    SecondsASearch,
    /// The nodes that the bot reports for a search.
    NodesASearch,
    /// The score that the bot reports for a search, in its own unit.
    ScoreASearch,
    /// The nodes of a search divided by those of another row: the geometric mean of the ratios of
    /// games with the same number.
    NodesRatio,
    /// The same for the wall-clock time.
    SecondsRatio,
}

impl Statistic {
    /// Returns whether it describes searches. These may be those of all seats.
    pub(crate) fn is_of_searches(self) -> bool {
        !matches!(self, Statistic::WinPercent | Statistic::MeanWinningRound)
    }

    /// Returns whether it compares searches with those of another row.
    pub(crate) fn is_ratio(self) -> bool {
        matches!(self, Statistic::NodesRatio | Statistic::SecondsRatio)
    }
}
