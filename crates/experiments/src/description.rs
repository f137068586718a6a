//! The description of an experiment as JSON: the source, the rows and their bots.

use crate::definition::{Experiment, Published, Row};
use botyard_engine::registry;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

impl Experiment {
    /// Returns the experiment as JSON.
    pub fn to_json(&self) -> Value {
        let experiment = self;
        let row = |row: &Row| {
            let figure = |figure: &Published| {
                json!({
                    "statistic": figure.statistic,
                    "to": figure.to,
                    "seat": figure.seat,
                    "bot": figure.bot,
                    "source": figure.value,
                    "source_more_than": figure.more_than,
                    "source_games": figure.games,
                    "explanation": figure.explanation.as_ref().or(row.explanation.as_ref()),
                })
            };
            json!({
                "label": row.label,
                "bots": experiment.bots_of(row),
                "preset": experiment.preset_of(row),
                "rules": experiment.changes_of(row).into_iter().collect::<BTreeMap<_, _>>(),
                "games": experiment.games_of(row),
                "figures": row.figures.iter().map(figure).collect::<Vec<_>>(),
            })
        };
        json!({
            "name": experiment.name,
            "title": experiment.title,
            "about": experiment.about.trim(),
            "unclear": experiment.unclear.trim(),
            "source": experiment.source,
            "game": experiment.game,
            "openings": experiment.openings,
            "rows": experiment.rows.iter().map(row).collect::<Vec<_>>(),
            "seconds": experiment.seconds(),
        })
    }

    /// Returns the bots in seat order, or those of all line-ups.
    pub fn bots_of(&self, row: &Row) -> Vec<String> {
        self.bots_within(row, None)
    }

    /// Returns the bots with this time limit per move, in seat order, or those of all line-ups.
    pub(crate) fn bots_within(&self, row: &Row, move_ms: Option<u64>) -> Vec<String> {
        let timed = |bot: &String| self.timed(bot, move_ms);
        if !row.has_fixed_seats() {
            return row.all_bots().map(timed).collect();
        }
        let changes = self.changes_of(row);
        // Tables of rules read from a file were made once before.
        match registry::tables(&self.game, Some(self.preset_of(row)), &changes) {
            Ok(tables) => row.line_ups(tables().seats()).concat().into_iter().map(timed).collect(),
            Err(_) => row.bots.values().cloned().collect(),
        }
    }

    /// Returns the rows with these labels, in the order of the experiment, or all rows if there is
    /// no label.
    ///
    /// # Errors
    ///
    /// No row has one of the labels.
    pub fn rows_named(&self, labels: &[String]) -> Result<Vec<&Row>, String> {
        let mut wanted = BTreeSet::new();
        for label in labels {
            wanted.insert(&self.row(label)?.label);
        }
        let all = self.rows.iter();
        Ok(all.filter(|row| wanted.is_empty() || wanted.contains(&row.label)).collect())
    }
}
