//! `botyard experiment list` and `show`: lists the experiments, or describes one.

use super::arguments::{ListArgs, ShowArgs};
use crate::text::out;
use botyard_experiments::{Experiment, Row, shipped, source};
use botyard_league::plain_table::plain_table;
use botyard_runner::words::{counted, duration, wrapped};
use serde_json::Value;
use std::fmt::Write;
use std::process::ExitCode;

/// Prints the list.
pub fn list(args: &ListArgs) -> anyhow::Result<ExitCode> {
    let experiments = shipped::all()?;
    if args.json {
        let list: Value = experiments.iter().map(Experiment::to_json).collect();
        out(&format!("{list:#}\n"))?;
        return Ok(ExitCode::SUCCESS);
    }
    let width = experiments.iter().map(|known| known.name.len()).max().unwrap_or(0) + 2;
    let mut text = String::new();
    for experiment in &experiments {
        let first = format!("{:width$}", experiment.name);
        let words = format!("{}. {}", experiment.title, size(experiment));
        text.push_str(&wrapped(&first, &words));
    }
    text.push_str(
        "\n`botyard experiment show NAME` describes one; `botyard experiment run NAME --games 20` runs \
         a part of it.\n",
    );
    out(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the description of one experiment.
pub fn show(args: &ShowArgs) -> anyhow::Result<ExitCode> {
    let experiment = shipped::find(&args.name)?;
    if args.json {
        out(&format!("{:#}\n", experiment.to_json()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = format!("{}: {}\n", experiment.name, experiment.title);
    for paragraphs in [&experiment.about, &experiment.unclear] {
        for paragraph in paragraphs.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
            let _ = write!(text, "\n{}", wrapped("", paragraph));
        }
    }
    let _ = write!(text, "\n{}", wrapped("Source: ", &experiment.source));
    let header = ["row", "bots", "rules", "games", "figure", "source"];
    let mut table = plain_table(&header, |column| [0, 1, 2, 4].contains(&column));
    for row in &experiment.rows {
        for (index, figure) in row.figures.iter().enumerate() {
            let once = |text: String| if index == 0 { text } else { String::new() };
            let words = figure.in_words();
            table.add_row([
                once(row.label.clone()),
                once(bots_in_words(&experiment, row)),
                once(rules_of(&experiment, row)),
                once(experiment.games_of(row).to_string()),
                words,
                source(figure).0,
            ]);
        }
    }
    if !experiment.label.is_empty() {
        let _ = write!(text, "\nRows are {}.\n", experiment.label);
    }
    let _ = write!(text, "\n{table}\n\n{}\n", size(&experiment));
    out(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn bots_in_words(experiment: &Experiment, row: &Row) -> String {
    if row.has_fixed_seats() {
        return experiment.bots_of(row).join(" - ");
    }
    let entrants = format!("every selection of {}", row.entrants.join(", "));
    match row.always.is_empty() {
        true => entrants,
        false => format!("{} with {entrants}", row.always.join(", ")),
    }
}

fn rules_of(experiment: &Experiment, row: &Row) -> String {
    let mut words = experiment.preset_of(row).to_string();
    for (rule, value) in experiment.changes_of(row) {
        let _ = write!(words, ", {rule}={value}");
    }
    words
}

/// The number of games and the time of a full run.
fn size(experiment: &Experiment) -> String {
    let games: u64 = experiment.rows.iter().map(|row| u64::from(experiment.games_of(row))).sum();
    format!(
        "{}, {}: about {} with one game at a time",
        counted(experiment.rows.len() as u64, "row"),
        counted(games, "game"),
        duration(experiment.seconds())
    )
}
