//! The events of an experiment, as JSON lines for programs (`--json`). Later versions may add
//! fields; none changes its meaning.

use crate::campaign::{Campaign, CampaignObserver};
use crate::definition::{Experiment, Row};
use crate::figures::RowFigures;
use crate::game_result::GameResult;
use crate::report::{Report, row_json};
use crate::row_games::Results;
use botyard_runner::{ConcurrencyChange, Error, JsonLines};
use serde::Serialize;
use serde_json::Value;
use std::io::Write;

/// An event of an experiment.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ExperimentEvent<'a> {
    /// Before the first game.
    ExperimentStarted {
        /// The experiment's name.
        experiment: &'a str,
        /// Its title.
        title: &'a str,
    },
    /// A game has ended and is stored.
    GameEnded(&'a GameResult),
    /// All games of a row were played, or the experiment was stopped: its figures so far.
    RowEnded(Value),
    /// Another number of games is played at once, because bots wait for cores or do not any more.
    ConcurrencyChanged(ConcurrencyChange),
    /// After the last game.
    ExperimentEnded {
        /// Whether it was interrupted.
        interrupted: bool,
        /// Whether every selected game was played and counts.
        whole: bool,
    },
}

impl<'a> ExperimentEvent<'a> {
    /// Returns the event before the first game.
    pub fn experiment_started(experiment: &'a Experiment) -> ExperimentEvent<'a> {
        let Experiment { name, title, .. } = experiment;
        ExperimentEvent::ExperimentStarted { experiment: name, title }
    }

    /// Returns the event after a row.
    pub fn row_ended(figures: &RowFigures) -> ExperimentEvent<'a> {
        ExperimentEvent::RowEnded(row_json(figures))
    }
}

impl<W: Write> CampaignObserver for JsonLines<W> {
    fn begun(&mut self, campaign: &Campaign<'_>) -> Result<(), Error> {
        self.write(&ExperimentEvent::experiment_started(campaign.experiment()))
    }

    fn row_started(&mut self, _: &Row, _: u32, _: u32) {}

    fn game_ended(&mut self, _: &Results, game: &GameResult) -> Result<(), Error> {
        self.write(&ExperimentEvent::GameEnded(game))
    }

    fn concurrency_changed(&mut self, change: &ConcurrencyChange) -> Result<(), Error> {
        self.write(&ExperimentEvent::ConcurrencyChanged(*change))
    }

    fn row_ended(&mut self, figures: &RowFigures) -> Result<(), Error> {
        self.write(&ExperimentEvent::row_ended(figures))
    }

    fn finished(&mut self, report: &Report<'_>, stopped: Option<&Error>) -> Result<(), Error> {
        let interrupted = matches!(stopped, Some(Error::Interrupted));
        self.write(&ExperimentEvent::ExperimentEnded { interrupted, whole: report.is_whole() })
    }
}
