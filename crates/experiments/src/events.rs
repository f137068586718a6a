//! The events of an experiment, as JSON lines for programs (`--json`). Later versions may add
//! fields; none changes its meaning.

use crate::definition::Experiment;
use crate::figures::RowFigures;
use crate::game_result::GameResult;
use crate::report::row_json;
use serde::Serialize;
use serde_json::Value;

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
