//! The results of an experiment as a text table, CSV, Markdown and JSON, with the same rows in
//! each. Nothing is computed here.

use crate::definition::{Experiment, Published, Row, Statistic};
use crate::distribution::Distribution;
use crate::drawing;
use crate::estimate::Estimate;
use crate::figures::{Figure, RowFigures, Starts};
use crate::row_plan::{Asked, RowPlan};
use botyard_league::atomic_file;
use botyard_league::plain_table::{plain_table, trimmed};
use botyard_runner::Error;
use botyard_runner::words::counted;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// The columns of the table.
const COLUMNS: [&str; 9] =
    ["row", "figure", "starts", "of", "ours", "95% interval", "source", "of", "compared"];

/// The columns with words, which are aligned to the left.
const WORDS: [usize; 4] = [0, 1, 2, 8];

/// The columns of the CSV file.
const CSV_COLUMNS: [&str; 28] = [
    "experiment",
    "row",
    "seat",
    "bot",
    "statistic",
    "to",
    "starts",
    "number",
    "ours",
    "low_95",
    "high_95",
    "longest",
    "source",
    "source_more_than",
    "source_games",
    "verdict",
    "games_wanted",
    "games_counted",
    "forfeited",
    "void",
    "partial",
    "distribution",
    "peaks",
    "source_peaks",
    "botyard",
    "seed",
    "move_ms",
    "bots",
];

/// The most bars of a histogram in text, which stand for several values each beyond this number.
const MOST_BARS: usize = 60;

/// The file with the drawing of the distributions, beside the results.
const DRAWING: &str = "results.svg";

/// The results of an experiment so far.
pub struct Report<'a> {
    /// The experiment.
    pub experiment: &'a Experiment,
    /// The user's choices.
    pub asked: Asked,
    /// The conditions of the games, as text.
    pub conditions: String,
    /// The selected rows.
    pub rows: Vec<RowFigures>,
}

impl Report<'_> {
    /// Returns whether selected games are missing.
    pub(crate) fn is_partial(&self) -> bool {
        self.rows.iter().any(RowFigures::is_partial)
    }

    /// Returns whether every game of every row was played and counts.
    pub fn is_whole(&self) -> bool {
        self.rows.iter().all(RowFigures::is_whole)
    }

    /// Returns whether a game has a value of a distribution.
    pub fn has_distributions(&self) -> bool {
        self.figures().any(|(_, figure)| figure.distribution.is_some() && figure.ours.is_some())
    }

    /// Returns text for a terminal.
    pub fn text(&self) -> String {
        let mut table = plain_table(&COLUMNS, |column| WORDS.contains(&column));
        for line in self.lines() {
            table.add_row(line);
        }
        let mut text = match self.header() {
            header if header.is_empty() => String::new(),
            header => format!("{header}\n\n"),
        };
        let _ = writeln!(text, "{}", trimmed(&table));
        if let Some([header, lines @ ..]) = self.histograms().as_deref() {
            let header = header.each_ref().map(String::as_str);
            let mut table = plain_table(&header, |column| column != 1);
            for line in lines {
                table.add_row(line);
            }
            let _ = writeln!(text, "\n{}", trimmed(&table));
        }
        for note in self.notes() {
            let _ = write!(text, "\n{note}");
        }
        text.push('\n');
        text
    }

    /// Returns Markdown.
    pub fn markdown(&self) -> String {
        let experiment = self.experiment;
        let mut text = format!("# {}: {}\n", experiment.name, experiment.title);
        for paragraph in [&experiment.about, &experiment.unclear, &experiment.source] {
            if !paragraph.trim().is_empty() {
                let _ = write!(text, "\n{}\n", paragraph.trim());
            }
        }
        let _ = write!(text, "\n{} {}\n\n", self.conditions, self.header());
        let _ = writeln!(text, "| {} |", COLUMNS.join(" | "));
        text.push_str("| --- | --- | --- | ---: | ---: | --- | ---: | ---: | --- |\n");
        for line in self.lines() {
            let cells: Vec<String> = line.iter().map(|cell| cell.replace('|', "\\|")).collect();
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
        if let Some([header, lines @ ..]) = self.histograms().as_deref() {
            let _ = writeln!(text, "\n| {} |", header.join(" | "));
            text.push_str("| --- | ---: | --- | --- | --- |\n");
            for [row, games, bars, peaks, source] in lines {
                let row = row.replace('|', "\\|");
                let _ = writeln!(text, "| {row} | {games} | `{bars}` | {peaks} | {source} |");
            }
            let _ = writeln!(text, "\n![The distributions as bars]({DRAWING})");
        }
        for note in self.notes() {
            let _ = write!(text, "\n* {}", note.trim().replace('\n', " "));
        }
        text.push('\n');
        text
    }

    /// Saves the CSV and the Markdown form in a directory, and the drawing of the distributions if
    /// there are any, each atomically.
    ///
    /// # Errors
    ///
    /// The directory is not writable.
    pub fn save(&self, directory: &Path) -> Result<(), Error> {
        let drawing = drawing::distributions(&self.experiment.title, &self.rows);
        let drawing = drawing.map(|svg| (DRAWING, svg));
        let files = [("results.csv", self.csv()), ("results.md", self.markdown())];
        for (name, text) in files.into_iter().chain(drawing) {
            let path = directory.join(name);
            atomic_file::replace(&path, text.as_bytes())
                .map_err(|error| Error::host(format!("{}: {error}", path.display())))?;
        }
        Ok(())
    }

    /// Returns CSV.
    pub fn csv(&self) -> String {
        let (experiment, asked) = (self.experiment, self.asked);
        let mut records = vec![CSV_COLUMNS.map(String::from)];
        for (row, figure) in self.figures() {
            let Figure { published, starts, ours, verdict, longest_seconds, distribution } = figure;
            let defined = experiment.row(&row.label).ok();
            let move_ms = defined
                .filter(|row| row.is_by_time())
                .and_then(|_| asked.move_ms.or(experiment.move_ms));
            let bots = defined.map(|row| experiment.bots_within(row, move_ms).join(" - "));
            records.push([
                experiment.name.clone(),
                row.label.clone(),
                published.seat.clone().unwrap_or_default(),
                published.bot.clone().unwrap_or_default(),
                word(&published.statistic),
                published.to.clone().unwrap_or_default(),
                word(starts),
                ours.map_or(0, |ours| ours.number).to_string(),
                number(ours.map(|ours| ours.value)),
                number(ours.and_then(|ours| ours.low)),
                number(ours.and_then(|ours| ours.high)),
                number(*longest_seconds),
                number(published.value),
                number(published.more_than),
                published.games.map_or(String::new(), |games| games.to_string()),
                verdict.as_ref().map_or(String::new(), word),
                row.wanted.to_string(),
                row.counted.to_string(),
                row.forfeited.to_string(),
                row.void.to_string(),
                row.is_partial().to_string(),
                distribution.as_ref().map_or(String::new(), counts_text),
                joined(&distribution.as_ref().map(Distribution::peaks).unwrap_or_default(), " "),
                joined(&published.peaks, " "),
                env!("CARGO_PKG_VERSION").to_string(),
                asked.seed().to_string(),
                move_ms.map_or(String::new(), |ms| ms.to_string()),
                bots.unwrap_or_default(),
            ]);
        }
        csv_text(&records)
    }

    /// Returns the figures, with their rows.
    fn figures(&self) -> impl Iterator<Item = (&RowFigures, &Figure)> {
        self.rows.iter().flat_map(|row| row.figures.iter().map(move |figure| (row, figure)))
    }

    /// Explains the labels of the rows, and states whether games are missing.
    fn header(&self) -> String {
        let mut words = Vec::new();
        if !self.experiment.label.is_empty() {
            words.push(format!("Rows are {}.", self.experiment.label));
        }
        if self.is_partial() {
            words.push("PARTIAL: not all selected games were played.".to_string());
        }
        words.join(" ")
    }

    fn lines(&self) -> Vec<[String; 9]> {
        let mut lines = Vec::new();
        for row in &self.rows {
            let mut last = None;
            for figure in &row.figures {
                let published = &figure.published;
                let of_the_row = last.is_none();
                let words = published.in_words();
                let again = last.replace(words.clone()).is_some_and(|last| last == words);
                let partial = if row.is_partial() { " (partial)" } else { "" };
                let (source, games) = match figure.starts {
                    Starts::All => source(published),
                    Starts::Even | Starts::Odd => (String::new(), String::new()),
                };
                lines.push([
                    if of_the_row { format!("{}{partial}", row.label) } else { String::new() },
                    if again { String::new() } else { words },
                    starts_in_words(figure, row).to_string(),
                    figure.ours.map_or(0, |ours| ours.number).to_string(),
                    figure.ours.map_or_else(nothing, |ours| digits(published, ours.value)),
                    figure.ours.map_or_else(nothing, |ours| interval(published, &ours)),
                    source,
                    games,
                    compared(figure),
                ]);
            }
        }
        lines
    }

    /// Returns the table of the distributions, its header first. `None`: no game has such a value.
    fn histograms(&self) -> Option<Vec<[String; 5]>> {
        let all: Vec<(&RowFigures, &Figure, &Distribution)> = self
            .figures()
            .filter_map(|(row, figure)| Some((row, figure, figure.distribution.as_ref()?)))
            .collect();
        let range = Distribution::range(all.iter().map(|one| one.2))?;
        let bars = format!("games of {} to {}", range.start(), range.end());
        let header = ["distribution", "games", &bars, "peaks", "source"].map(String::from);
        let lines = all.iter().map(|(row, figure, distribution)| {
            [
                format!("{}: {}", row.label, figure.published.in_words()),
                distribution.games().to_string(),
                distribution.bars(range.clone(), MOST_BARS),
                joined(&distribution.peaks(), ", "),
                joined(&figure.published.peaks, ", "),
            ]
        });
        Some([header].into_iter().chain(lines).collect())
    }

    /// Returns the notes below the table.
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let uneven = self.figures().any(|(_, figure)| figure.starts == Starts::Odd);
        if uneven {
            notes.push(
                "starts: even if at least one detective starts at an even distance from Mr. X; odd if \
                 none does, so that he is caught only by moving onto a detective, by mistake or because \
                 he has no other move."
                    .to_string(),
            );
        }
        let reasons = |row: &RowFigures| -> String {
            let each = row.reasons.iter().map(|(reason, count)| format!("{reason} {count}"));
            each.collect::<Vec<_>>().join(", ")
        };
        let first = self.rows.first().map(reasons).unwrap_or_default();
        let all_same = self.rows.len() > 1 && self.rows.iter().all(|row| reasons(row) == first);
        if all_same && !first.is_empty() {
            notes.push(format!("Each row ended by: {first}"));
        }
        for row in &self.rows {
            let (label, reasons) = (&row.label, reasons(row));
            if !reasons.is_empty() && !all_same {
                notes.push(format!("{label} ended by: {reasons}"));
            }
            if row.forfeited + row.void > 0 {
                notes.push(format!(
                    "{label}: {} not counted: {} by a bot's fault, {} by the host's. {}",
                    counted(row.forfeited + row.void, "game"),
                    row.forfeited,
                    row.void,
                    row.first_fault.as_deref().unwrap_or_default()
                ));
            }
            if row.is_partial() {
                let played = row.counted + row.forfeited + row.void;
                notes.push(format!("{label}: partial: {played} of {} games", row.wanted));
            }
        }
        notes
    }
}

/// Describes the conditions of the run, as needed to repeat it, and how they differ from a full
/// run.
pub(crate) fn conditions_in_words(
    experiment: &Experiment,
    plans: &[(&Row, RowPlan)],
    asked: &Asked,
) -> String {
    let mut words = Vec::new();
    let games: BTreeSet<u32> = plans.iter().map(|(_, plan)| plan.games).collect();
    let games: Vec<String> = games.iter().map(u32::to_string).collect();
    let plural = if games == ["1"] { "" } else { "s" };
    words.push(format!("{} game{plural} per row", games.join(" or ")));
    if let Some(ms) = asked.move_ms.or(experiment.move_ms) {
        let full = match experiment.move_ms {
            Some(full) if full != ms => format!(" (source: {full})"),
            _ => String::new(),
        };
        words.push(format!("{ms} ms per move for bots with a time limit{full}"));
    }
    let at_once = plans.iter().map(|(_, plan)| plan.any().concurrency).max().unwrap_or(1);
    words.push(format!("{} at a time", counted(at_once as u64, "game")));
    words.push(format!("seed {}", asked.seed()));
    format!("{}.", words.join("; "))
}

/// Returns the figures of a row as JSON.
pub fn row_json(row: &RowFigures) -> Value {
    let figure = |figure: &Figure| {
        let published = &figure.published;
        json!({
            "seat": published.seat,
            "bot": published.bot,
            "statistic": published.statistic,
            "to": published.to,
            "starts": figure.starts,
            "number": figure.ours.map_or(0, |ours| ours.number),
            "ours": figure.ours.map(|ours| ours.value),
            "interval_95": figure.ours.and_then(|ours| Some([ours.low?, ours.high?])),
            "longest_seconds": figure.longest_seconds,
            "source": published.value,
            "source_more_than": published.more_than,
            "source_games": published.games,
            "verdict": figure.verdict,
            "distribution": figure.distribution,
            "peaks": figure.distribution.as_ref().map(Distribution::peaks),
            "source_peaks": published.peaks,
        })
    };
    json!({
        "row": row.label,
        "games_wanted": row.wanted,
        "games_counted": row.counted,
        "forfeited": row.forfeited,
        "void": row.void,
        "partial": row.is_partial(),
        "reasons": row.reasons,
        "figures": row.figures.iter().map(figure).collect::<Vec<_>>(),
    })
}

fn starts_in_words(figure: &Figure, row: &RowFigures) -> &'static str {
    let by_parity = row.figures.iter().any(|figure| figure.starts != Starts::All);
    match figure.starts {
        Starts::All if by_parity => "all",
        Starts::All => "",
        Starts::Even => "even",
        Starts::Odd => "odd",
    }
}

/// Returns the published figure, and its number of games.
pub fn source(published: &Published) -> (String, String) {
    let value = match (published.value, published.more_than) {
        (Some(value), _) => value.to_string(),
        (None, Some(bound)) => format!("more than {bound}"),
        (None, None) if !published.peaks.is_empty() => {
            format!("peaks {}", joined(&published.peaks, ", "))
        }
        (None, None) => nothing(),
    };
    (value, published.games.map_or(String::new(), |games| games.to_string()))
}

pub(crate) fn compared(figure: &Figure) -> String {
    if let Some(verdict) = figure.verdict {
        return verdict.in_words().to_string();
    }
    let published = &figure.published;
    match (published.statistic, figure.ours, published.value.or(published.more_than)) {
        (Statistic::SecondsASearch, Some(ours), Some(theirs)) if ours.value > 0.0 => {
            let least = if published.more_than.is_some() { "more than " } else { "" };
            let ratio = theirs / ours.value;
            let ratio = if ratio < 10.0 { format!("{ratio:.1}") } else { format!("{ratio:.0}") };
            format!("the source needed {least}{ratio} times as long")
        }
        _ => String::new(),
    }
}

pub(crate) fn digits(published: &Published, value: f64) -> String {
    match published.statistic {
        Statistic::WinPercent => format!("{value:.1}"),
        Statistic::MeanWinningRound => format!("{value:.2}"),
        Statistic::SecondsASearch | Statistic::SecondsRatio | Statistic::NodesRatio => {
            format!("{value:.4}")
        }
        Statistic::NodesASearch => format!("{value:.0}"),
        Statistic::ScoreASearch => format!("{value:.3}"),
    }
}

pub(crate) fn interval(published: &Published, ours: &Estimate) -> String {
    match (ours.low, ours.high) {
        (Some(low), Some(high)) => {
            format!("{} to {}", digits(published, low), digits(published, high))
        }
        _ => nothing(),
    }
}

/// Returns the number of games of each value: `1:4 2:8`.
fn counts_text(distribution: &Distribution) -> String {
    let counts: Vec<String> =
        distribution.counts().map(|(value, count)| format!("{value}:{count}")).collect();
    counts.join(" ")
}

fn joined(values: &[u32], between: &str) -> String {
    values.iter().map(u32::to_string).collect::<Vec<_>>().join(between)
}

fn nothing() -> String {
    "-".to_string()
}

fn number(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| {
        format!("{:.6}", value).trim_end_matches('0').trim_end_matches('.').to_string()
    })
}

/// Returns the name of an enum value in a file.
fn word(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}

/// Formats records as CSV, one per line.
fn csv_text<const N: usize>(records: &[[String; N]]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for record in records {
        writer.write_record(record).expect("memory takes all, and the records have one length");
    }
    let bytes = writer.into_inner().expect("memory takes all that was buffered");
    String::from_utf8(bytes).expect("CSV of UTF-8 is UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_csv_are_quoted_where_they_must_be() {
        let records = [
            ["AB/MCTS", "a,b", "a \"b\"", "", " a;'b' "],
            ["", "", "", "", ""],
            ["#", "a\nb", "\r", "é", "="],
        ];
        let text = csv_text(&records.map(|record| record.map(String::from)));
        assert_eq!(text, "AB/MCTS,\"a,b\",\"a \"\"b\"\"\",, a;'b' \n,,,,\n#,\"a\nb\",\"\r\",é,=\n");
    }

    #[test]
    fn numbers_of_csv_have_six_digits_at_most() {
        assert_eq!(number(Some(22.5)), "22.5");
        assert_eq!(number(Some(1.0 / 3.0)), "0.333333");
        assert_eq!(number(Some(100.0)), "100");
        assert_eq!(number(None), "");
    }
}
