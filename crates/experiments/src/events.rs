//! The events of an experiment, for programs. As JSON they are what `--json` prints, one a line. Fields may be
//! added; none changes its meaning.

use crate::definition::Experiment;
use crate::figures::RowFigures;
use crate::game_result::GameResult;
use crate::report::row_json;
use serde::Serialize;
use serde_json::Value;

/// What happens while an experiment is played.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ExperimentEvent<'a> {
    /// Before the first game.
    ExperimentStarted {
        /// The experiment's name.
        experiment: &'a str,
        /// What it repeats.
        title: &'a str,
    },
    /// A game has ended, and is kept.
    GameEnded(&'a GameResult),
    /// All games of a row were played, or the experiment was stopped: its figures so far.
    RowEnded(Value),
    /// After the last game.
    ExperimentEnded {
        /// Whether it was interrupted.
        interrupted: bool,
        /// Whether every game that was asked for was played and counts.
        whole: bool,
    },
}

impl<'a> ExperimentEvent<'a> {
    /// The event before the first game.
    pub fn experiment_started(experiment: &'a Experiment) -> ExperimentEvent<'a> {
        let Experiment { name, title, .. } = experiment;
        ExperimentEvent::ExperimentStarted { experiment: name, title }
    }

    /// The event after a row.
    pub fn row_ended(figures: &RowFigures) -> ExperimentEvent<'a> {
        ExperimentEvent::RowEnded(row_json(figures))
    }
}
