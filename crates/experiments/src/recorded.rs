//! The results of an earlier run, read from the `results.csv` that it saved. Only what was measured
//! is taken from the file: the published figures, and the comparison with them, are those of the
//! present definition.

use crate::definition::{Experiment, Published, Statistic};
use crate::estimate::Estimate;
use crate::figures::{Figure, Starts};
use serde::Deserialize;

/// The results of earlier runs of an experiment. Each run has other rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorded {
    records: Vec<Record>,
}

/// A line of the file. Columns that an earlier version did not write are empty.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Record {
    experiment: String,
    row: String,
    seat: Option<String>,
    bot: Option<String>,
    statistic: Statistic,
    #[serde(default)]
    to: Option<String>,
    starts: Starts,
    number: u64,
    ours: Option<f64>,
    low_95: Option<f64>,
    high_95: Option<f64>,
    longest: Option<f64>,
    pub(crate) games_wanted: u32,
    pub(crate) games_counted: u32,
    pub(crate) forfeited: u32,
    pub(crate) void: u32,
    #[serde(default)]
    pub(crate) botyard: Option<String>,
    #[serde(default)]
    pub(crate) seed: Option<String>,
    #[serde(default)]
    pub(crate) move_ms: Option<u64>,
    #[serde(default)]
    bots: Option<String>,
    /// The peaks of the distribution, with spaces between them.
    #[serde(default)]
    pub(crate) peaks: Option<String>,
}

impl Recorded {
    /// Adds the results of a run of this experiment. Errors name the text `file`.
    ///
    /// # Errors
    ///
    /// The text is not such a file, has a figure that was added before, or one that the experiment
    /// does not define: of another experiment, another row, another statistic or other bots.
    pub fn add(&mut self, file: &str, text: &str, experiment: &Experiment) -> Result<(), String> {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        for record in reader.deserialize() {
            let record: Record = record.map_err(|error| format!("{file}: {error}"))?;
            let checked = match self.records.iter().any(|other| other.is_of_same_figure(&record)) {
                true => Err("there is another result of this figure; remove one".to_string()),
                false => record.check(experiment),
            };
            checked.map_err(|message| {
                let Record { row, statistic, .. } = &record;
                format!("{file}: row {row:?}, {statistic:?}: {message}")
            })?;
            self.records.push(record);
        }
        Ok(())
    }

    /// Returns the line of a figure over all starts, if its row was played.
    pub(crate) fn record(&self, row: &str, published: &Published) -> Option<&Record> {
        let is_it = |record: &&Record| {
            record.row == row && record.describes(published) && record.starts == Starts::All
        };
        self.records.iter().find(is_it)
    }

    /// Returns every measured value, with its interval if it has one.
    pub fn values(&self) -> impl Iterator<Item = (f64, Option<(f64, f64)>)> + '_ {
        self.records
            .iter()
            .filter_map(|record| Some((record.ours?, record.low_95.zip(record.high_95))))
    }
}

impl Record {
    fn is_of_same_figure(&self, other: &Record) -> bool {
        let key = |record: &Record| {
            (
                record.row.clone(),
                record.seat.clone(),
                record.bot.clone(),
                record.statistic,
                record.to.clone(),
                record.starts,
            )
        };
        key(self) == key(other)
    }

    fn describes(&self, published: &Published) -> bool {
        self.statistic == published.statistic
            && self.seat == published.seat
            && self.bot == published.bot
            && self.to == published.to
    }

    fn check(&self, experiment: &Experiment) -> Result<(), String> {
        if self.experiment != experiment.name {
            return Err(format!("expected {}, got {}", experiment.name, self.experiment));
        }
        let row = experiment.row(&self.row)?;
        if !row.figures.iter().any(|figure| self.describes(figure)) {
            return Err("the row has no such figure".into());
        }
        let bots = experiment.bots_within(row, self.move_ms).join(" - ");
        match &self.bots {
            Some(played) if *played != bots => {
                Err(format!("expected {bots}, got {played}; play the row again"))
            }
            _ => Ok(()),
        }
    }

    /// Returns the recorded figure, compared with the published one.
    pub(crate) fn figure(&self, published: &Published) -> Figure {
        let Record { number, low_95: low, high_95: high, .. } = *self;
        let ours = self.ours.map(|value| match published.statistic {
            Statistic::WinPercent => Estimate { value, low, high, deviation: None, number },
            _ => Estimate::mean_below(number, value, low, high),
        });
        Figure::new(published, self.starts, ours, self.longest)
    }
}
