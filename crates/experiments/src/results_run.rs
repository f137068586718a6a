//! The runs by which recorded results were played, as commands.

use crate::definition::{Experiment, Row};
use crate::recorded::Record;
use crate::row_plan::Asked;
use std::fmt::Write;

/// What was asked for a row, where it differs from the experiment.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Run {
    pub(crate) games: Option<u32>,
    pub(crate) move_ms: Option<u64>,
    pub(crate) seed: Option<String>,
}

impl Run {
    pub(crate) fn new(experiment: &Experiment, row: &Row, record: &Record) -> Run {
        let move_ms = record.move_ms.filter(|&ms| Some(ms) != experiment.move_ms);
        Run {
            games: Some(record.games_wanted).filter(|&games| games != experiment.games_of(row)),
            move_ms,
            seed: record.seed.clone().filter(|seed| *seed != Asked::SEED.to_string()),
        }
    }

    /// Returns the command that plays these rows, or all.
    pub(crate) fn command(&self, name: &str, rows: &[&Row], all: bool) -> String {
        let mut command = format!("botyard experiment run {name}");
        if !all {
            for row in rows {
                let _ = write!(command, " \\\n  --row '{}'", row.label.replace('\'', "'\\''"));
            }
        }
        if let Some(games) = self.games {
            let _ = write!(command, " --games {games}");
        }
        if let Some(ms) = self.move_ms {
            let _ = write!(command, " --move-time {ms}");
        }
        if let Some(seed) = &self.seed {
            let _ = write!(command, " --seed {seed}");
        }
        command + "\n"
    }
}
