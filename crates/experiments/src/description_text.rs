//! The description of an experiment as text: the source, open questions, bots and rows.

use crate::definition::{Experiment, Row};
use crate::report::source;
use botyard_league::plain_table::plain_table;
use botyard_runner::words::{counted, duration, wrapped};
use std::fmt::Write;

/// Lists experiments, with their titles and sizes.
pub fn list_of_experiments(experiments: &[Experiment]) -> String {
    let width = experiments.iter().map(|known| known.name.len()).max().unwrap_or(0) + 2;
    let line = |experiment: &Experiment| {
        let words = format!("{}. {}", experiment.title, experiment.size());
        wrapped(&format!("{:width$}", experiment.name), &words)
    };
    experiments.iter().map(line).collect()
}

impl Experiment {
    /// Returns the description as text.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}: {}\n", self.name, self.title);
        for paragraphs in [&self.about, &self.unclear] {
            let paragraphs = paragraphs.split("\n\n");
            for paragraph in paragraphs.filter(|paragraph| !paragraph.trim().is_empty()) {
                let _ = write!(text, "\n{}", wrapped("", paragraph));
            }
        }
        let _ = write!(text, "\n{}", wrapped("Source: ", &self.source));
        let header = ["row", "bots", "rules", "games", "figure", "source"];
        let mut table = plain_table(&header, |column| [0, 1, 2, 4].contains(&column));
        for row in &self.rows {
            for (index, figure) in row.figures.iter().enumerate() {
                let once = |text: String| if index == 0 { text } else { String::new() };
                table.add_row([
                    once(row.label.clone()),
                    once(self.bots_in_words(row)),
                    once(self.rules_in_words(row)),
                    once(self.games_of(row).to_string()),
                    figure.in_words(),
                    source(figure).0,
                ]);
            }
        }
        if !self.label.is_empty() {
            let _ = write!(text, "\nRows are {}.\n", self.label);
        }
        let _ = write!(text, "\n{table}\n\n{}\n", self.size());
        text
    }

    /// Returns the number of rows and games, and the time of a full run.
    pub fn size(&self) -> String {
        let games: u64 = self.rows.iter().map(|row| u64::from(self.games_of(row))).sum();
        format!(
            "{}, {}: about {} with one game at a time",
            counted(self.rows.len() as u64, "row"),
            counted(games, "game"),
            duration(self.seconds())
        )
    }

    fn bots_in_words(&self, row: &Row) -> String {
        if let Some(bot) = &row.bot {
            return format!("{} in every seat", self.timed(bot, None));
        }
        if row.has_fixed_seats() {
            return self.bots_of(row).join(" - ");
        }
        let entrants = format!("every selection of {}", row.entrants.join(", "));
        match row.always.is_empty() {
            true => entrants,
            false => format!("{} with {entrants}", row.always.join(", ")),
        }
    }

    fn rules_in_words(&self, row: &Row) -> String {
        let mut words = self.preset_of(row).to_string();
        for (rule, value) in self.changes_of(row) {
            let _ = write!(words, ", {rule}={value}");
        }
        words
    }
}
