//! The page of results: the published figures of every experiment beside recorded ones, in
//! Markdown.

use crate::definition::{Experiment, Published, Row, Statistic};
use crate::estimate::Verdict;
use crate::figures::Figure;
use crate::recorded::{Record, Recorded};
use crate::report::{compared, digits, interval, source};
use crate::results_links::{Said, anchor};
use crate::results_run::Run;
use crate::results_table::{NOTHING, ResultsTable};
use botyard_runner::words::{counted, wrapped};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const INTRODUCTION: &str = "\
Every table that the five sources publish, beside what Botyard measured. [Run an experiment](experiments.md) explains \
the commands and the bots, the [bibliography](bibliography.md) the sources.

This page is generated: the published figures are those of the files in `experiments`, ours those of \
`experiments/results`, the `results.csv` of `botyard experiment run NAME --out DIR`. The number n counts games, won \
games for rounds, and searches for seconds. The verdict on a row:

* **agrees**: the published value lies in our 95% interval, or outside it by no more than chance explains. Few games \
have a wide interval, in which much agrees;
* **differs**: the difference is significant at 95%. One of twenty equal values looks like this. The explanation is \
below the table.

A row that was not played is named below the table, if another row has what is published of it. Rows by time are not \
played: a second has other playouts on every machine. A model, in an explanation, is a program outside the project \
with the game and the searches of the text; brackets have its 95% interval.

Where the published figures are those of other bots than ours, the verdict says which is higher. Times are those of \
different machines, and are compared as a ratio; ours are wall-clock times on two cores that other programs used too, \
those of belej-time of a development build. What has no table here, times and scores without a published one and \
experiments of ours alone, is in `experiments/results`.
";

/// An experiment with its recorded results.
pub struct Played<'a> {
    /// The experiment.
    pub experiment: &'a Experiment,
    /// The recorded results.
    pub recorded: Recorded,
}

/// Returns the page.
///
/// # Errors
///
/// Figures differ from the source's without an explanation. The message lists them.
pub fn results_page(all: &[Played<'_>]) -> Result<String, String> {
    let unexplained: Vec<String> = all.iter().flat_map(Played::unexplained).collect();
    if !unexplained.is_empty() {
        return Err(format!(
            "expected an `explanation` of every row or figure that differs from the source's, got none of:\n{}",
            unexplained.join("\n")
        ));
    }
    let all: Vec<&Played<'_>> = all.iter().filter(|played| played.is_of_source()).collect();
    let mut page = "# Results: the published tables beside ours\n\n".to_string();
    for paragraph in INTRODUCTION.trim().split("\n\n") {
        page.push_str(&paragraph_text(paragraph));
        page.push('\n');
    }
    page.push_str("| experiment | agree | differ | not compared |\n");
    page.push_str("| --- | ---: | ---: | ---: |\n");
    all.iter().for_each(|played| played.add_summary(&mut page));
    let conditions = conditions_of(all.iter().flat_map(|played| played.records()));
    if !conditions.is_empty() {
        let text = format!("{conditions} A section says where these differ.");
        let _ = write!(page, "\n{}", wrapped("", &text));
    }
    let mut said = Said::default();
    all.iter().for_each(|played| played.add_to(&mut page, &mut said, &conditions));
    Ok(page)
}

/// Returns a paragraph or a list, with lines of limited length.
fn paragraph_text(text: &str) -> String {
    let items = text.lines().map(|line| match line.strip_prefix("* ") {
        Some(item) => wrapped("* ", item),
        None => wrapped("", line),
    });
    items.collect()
}

/// How a figure compares with the published one.
#[derive(PartialEq)]
enum Comparison {
    Agrees,
    Differs,
    /// Nothing is published, nothing was measured, or the two cannot be compared.
    None,
}

impl Played<'_> {
    /// Returns the figures of the rows, with the recorded line if the row was played.
    fn figures(&self) -> impl Iterator<Item = (&Row, &Published, Option<&Record>)> {
        self.experiment.rows.iter().flat_map(move |row| {
            let recorded = |figure| self.recorded.record(&row.label, figure);
            row.figures.iter().map(move |figure| (row, figure, recorded(figure)))
        })
    }

    fn comparison(&self, figure: &Figure) -> Comparison {
        match figure.verdict {
            None => Comparison::None,
            Some(Verdict::Within | Verdict::Compatible) => Comparison::Agrees,
            Some(Verdict::Higher | Verdict::Lower) => Comparison::Differs,
        }
    }

    /// Returns the figures that differ, each with its row and its explanation.
    fn differing(&self) -> impl Iterator<Item = (&Row, &Published, Option<&String>)> {
        let differs = |published: &Published, record: Option<&Record>| {
            let figure = record.map(|record| record.figure(published));
            figure.is_some_and(|figure| self.comparison(&figure) == Comparison::Differs)
        };
        self.figures().filter(move |(_, published, record)| differs(published, *record)).map(
            |(row, figure, _)| {
                (row, figure, figure.explanation.as_ref().or(row.explanation.as_ref()))
            },
        )
    }

    fn unexplained(&self) -> Vec<String> {
        if self.experiment.comparison {
            return Vec::new();
        }
        let missing = self.differing().filter(|(_, _, explanation)| explanation.is_none());
        let name = &self.experiment.name;
        missing
            .map(|(row, figure, _)| format!("{name}, row {:?}: {}", row.label, figure.in_words()))
            .collect()
    }

    fn add_summary(&self, page: &mut String) {
        let Experiment { name, comparison, .. } = self.experiment;
        let (mut agree, mut differ, mut neither) = (0, 0, 0);
        for (_, published, record) in self.figures() {
            match record
                .map_or(Comparison::None, |record| self.comparison(&record.figure(published)))
            {
                Comparison::Agrees => agree += 1,
                Comparison::Differs => differ += 1,
                Comparison::None => neither += 1,
            }
        }
        let counts = match comparison {
            true => format!("other bots | | {}", agree + differ + neither),
            false => format!("{agree} | {differ} | {neither}"),
        };
        let _ = writeln!(page, "| [{name}](#{}) | {counts} |", anchor(name));
    }

    fn add_to(&self, page: &mut String, said: &mut Said, usual: &str) {
        let experiment = self.experiment;
        let Experiment { name, title, source: published, .. } = experiment;
        let _ = write!(page, "\n## {name}\n\n");
        let published = match said.elsewhere(published, name) {
            Some(first) => format!("The source is that of {first}."),
            None => format!("Published: {published}."),
        };
        page.push_str(&wrapped("", &format!("{title}. {published}")));
        let _ = write!(page, "\n```sh\n{}```\n\n", self.commands());
        let (table, left_out) = self.table();
        let mut words = self.conditions(usual);
        if !experiment.label.is_empty() {
            words.push(format!("Rows are {}.", experiment.label));
        }
        if let Some(figure) = table.only_figure() {
            words.push(format!("Figures are {figure}."));
        }
        if let Some(number) = table.only_published_number() {
            words.push(format!("Published values are of {number} games."));
        }
        if !words.is_empty() {
            let _ = writeln!(page, "{}", wrapped("", &words.join(" ")));
        }
        page.push_str(&table.markdown());
        if !left_out.is_empty() {
            let text = format!("Not played: {}.", left_out.join("; "));
            let _ = write!(page, "\n{}", wrapped("", &text));
        }
        self.add_explanations(page, said);
    }

    /// Returns the table, and the labels of rows without a line in it: they were not played, and a row that was played
    /// has what is published of them.
    fn table(&self) -> (ResultsTable, Vec<&str>) {
        let mut table = ResultsTable::default();
        let mut left_out: Vec<&str> = Vec::new();
        for row in &self.experiment.rows {
            let mut is_in_table = false;
            for published in row.figures.iter().filter(|figure| self.is_shown(figure)) {
                let record = self.recorded.record(&row.label, published);
                if record.is_none() && self.is_elsewhere(published) {
                    continue;
                }
                is_in_table = true;
                let (value, games) = source(published);
                let [ours, number, verdict] = self.measured(published, record);
                let figure = cell(&published.in_words());
                table.add([cell(&row.label), figure, value, games, ours, number, verdict]);
            }
            if !is_in_table {
                left_out.push(&row.label);
            }
        }
        (table, left_out)
    }

    /// Returns whether the experiment has a source.
    fn is_of_source(&self) -> bool {
        !self.experiment.source.starts_with("unpublished")
    }

    /// Returns whether the table has a figure: times and scores of searches only where some are published.
    fn is_shown(&self, figure: &Published) -> bool {
        let has_value = |other: &Published| other.value.is_some() || other.more_than.is_some();
        !matches!(figure.statistic, Statistic::SecondsASearch | Statistic::ScoreASearch)
            || self.figures().any(|(_, other, _)| has_value(other))
    }

    /// Returns whether nothing is published of a figure, or a row that was played has the same published.
    fn is_elsewhere(&self, published: &Published) -> bool {
        let is_same = |other: &Published| {
            other.in_words() == published.in_words() && source(other) == source(published)
        };
        let is_nothing = published.value.is_none()
            && published.more_than.is_none()
            && published.peaks.is_empty();
        let mut played = self.figures().filter(|(_, _, record)| record.is_some());
        self.records().next().is_some()
            && (is_nothing || played.any(|(_, other, _)| is_same(other)))
    }

    /// Returns the cells of our value: with its interval and peaks, its number, and the verdict.
    fn measured(&self, published: &Published, record: Option<&Record>) -> [String; 3] {
        let nothing = |why: &str| [NOTHING.into(), String::new(), why.to_string()];
        let Some(record) = record else { return nothing("not played") };
        let figure = record.figure(published);
        let Some(ours) = figure.ours else { return nothing("nothing measured") };
        let peaks = record.peaks.as_ref().filter(|_| !published.peaks.is_empty());
        let peaks =
            peaks.map_or(String::new(), |peaks| format!(", peaks {}", peaks.replace(' ', ", ")));
        let interval = match &*interval(published, &ours) {
            NOTHING => String::new(),
            interval => format!(" ({interval})"),
        };
        [
            digits(published, ours.value) + &interval + &peaks,
            ours.number.to_string(),
            self.verdict_in_words(&figure),
        ]
    }

    fn verdict_in_words(&self, figure: &Figure) -> String {
        let Some(verdict) = figure.verdict else { return compared(figure) };
        let words = match (self.experiment.comparison, verdict) {
            (true, Verdict::Within | Verdict::Compatible) => "no significant difference",
            (true, Verdict::Higher | Verdict::Lower) => verdict.in_words(),
            (false, Verdict::Within) => "agrees",
            (false, Verdict::Compatible) => "agrees: may be chance",
            (false, Verdict::Higher) => "differs: ours is higher",
            (false, Verdict::Lower) => "differs: ours is lower",
        };
        words.to_string()
    }

    /// Adds the explanations of the figures that differ, each once.
    fn add_explanations(&self, page: &mut String, said: &mut Said) {
        let mut explained: Vec<(&String, Vec<String>)> = Vec::new();
        for (row, figure, explanation) in self.differing() {
            let Some(explanation) = explanation else { continue };
            let of = match figure.statistic {
                Statistic::WinPercent => row.label.clone(),
                _ => format!("{}, {}", row.label, figure.in_words()),
            };
            match explained.iter_mut().find(|(known, _)| *known == explanation) {
                Some((_, of_all)) => of_all.push(of),
                None => explained.push((explanation, vec![of])),
            }
        }
        if !explained.is_empty() && !self.experiment.comparison {
            page.push('\n');
            for (explanation, of) in explained {
                let elsewhere = said.elsewhere(explanation, &self.experiment.name);
                let text = elsewhere.map_or_else(
                    || explanation.trim().to_string(),
                    |first| format!("As in {first}."),
                );
                let text = format!("**{}**: {text}", of.join("; "));
                page.push_str(&wrapped("* ", &text));
            }
        }
    }

    /// Returns the runs that were recorded: what was asked, and the rows.
    fn runs(&self) -> BTreeMap<Run, Vec<&Row>> {
        let mut runs: BTreeMap<Run, Vec<&Row>> = BTreeMap::new();
        let mut rows: Vec<(&Row, Run)> = Vec::new();
        for row in &self.experiment.rows {
            let first =
                row.figures.iter().find_map(|figure| self.recorded.record(&row.label, figure));
            if let Some(record) = first {
                rows.push((row, Run::new(self.experiment, row, record)));
            }
        }
        // A row without a time limit was played by the same command as those that have one.
        let timed: Vec<Run> =
            rows.iter().filter(|(row, _)| row.is_by_time()).map(|(_, run)| run.clone()).collect();
        for (row, mut run) in rows {
            if !row.is_by_time() {
                let same =
                    timed.iter().find(|timed| Run { move_ms: None, ..(*timed).clone() } == run);
                run = same.cloned().unwrap_or(run);
            }
            runs.entry(run).or_default().push(row);
        }
        runs
    }

    /// Returns the commands that play the recorded games, one a line.
    fn commands(&self) -> String {
        let all = self.experiment.rows.len();
        let runs = self.runs();
        if runs.is_empty() {
            return format!("botyard experiment run {}\n", self.experiment.name);
        }
        runs.iter()
            .map(|(run, rows)| run.command(&self.experiment.name, rows, rows.len() == all))
            .collect()
    }

    /// Returns what the recorded games were, where it is not as usual, and how they differ from those of the source.
    fn conditions(&self, usual: &str) -> Vec<String> {
        let mut words = Vec::new();
        if self.records().next().is_none() {
            return vec!["No results are recorded yet.".to_string()];
        }
        let conditions = conditions_of(self.records());
        if conditions != usual {
            words.push(conditions);
        }
        let runs = self.runs();
        if runs.keys().any(|run| run.games.is_some()) {
            let games_of = |(run, rows): (&Run, &Vec<&Row>)| {
                let full = rows.first().map(|row| self.experiment.games_of(row));
                run.games.or(full)
            };
            let games: BTreeSet<u32> = runs.iter().filter_map(games_of).collect();
            let games: Vec<String> = games.iter().map(u32::to_string).collect();
            words.push(format!("{} games per row.", games.join(" or ")));
        }
        let times: BTreeSet<u64> = runs.keys().filter_map(|run| run.move_ms).collect();
        if let (Some(full), false) = (self.experiment.move_ms, times.is_empty()) {
            let times: Vec<String> = times.iter().map(u64::to_string).collect();
            words.push(format!("{} ms per move instead of {full}.", times.join(" or ")));
        }
        let not_counted: u32 =
            self.records().map(|record| record.forfeited + record.void).max().unwrap_or(0);
        if not_counted > 0 {
            words.push(format!(
                "Up to {} per row failed and do not count.",
                counted(not_counted, "game")
            ));
        }
        if self.records().any(|record| {
            record.games_counted + record.forfeited + record.void < record.games_wanted
        }) {
            words.push("Partial: not all games were played.".to_string());
        }
        words
    }

    fn records(&self) -> impl Iterator<Item = &Record> {
        self.figures().filter_map(|(_, _, record)| record)
    }
}

/// Returns the versions and seeds of records.
fn conditions_of<'a>(records: impl Iterator<Item = &'a Record>) -> String {
    let (mut versions, mut seeds, mut any) = (BTreeSet::new(), BTreeSet::new(), false);
    for record in records {
        any = true;
        versions.extend(record.botyard.as_deref());
        seeds.extend(record.seed.as_deref());
    }
    let joined = |set: BTreeSet<&str>| set.into_iter().collect::<Vec<_>>().join(" and ");
    match (versions.is_empty(), seeds.is_empty()) {
        _ if !any => String::new(),
        (true, _) => "The version was not recorded.".to_string(),
        (false, true) => format!("Version {}.", joined(versions)),
        (false, false) => format!("Version {}. Seed {}.", joined(versions), joined(seeds)),
    }
}

/// Returns text for a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXPERIMENT: &str = r#"
name = "small-1"
title = "A small one"
source = "A study"
about = "Two rows."
unclear = ""
game = "scotland-yard"
preset = "grid-5x5-2"
games = 1000
move_ms = 500

[[row]]
label = "random/random"
bots = { mr-x = "random", detectives = "random" }
seconds_a_game = 0.01
figures = [{ statistic = "win-percent", seat = "detectives", value = 82, games = 1000 }]

[[row]]
label = "it's|mcts"
bots = { mr-x = "random", detectives = "mcts:time={time}" }
seconds_a_game = 0.1
explanation = "The search is longer."
figures = [
    { statistic = "win-percent", seat = "detectives", value = 50, games = 1000 },
    { statistic = "mean-winning-round", seat = "detectives", value = 9.5 },
]
"#;

    const HEADER: &str = "experiment,row,seat,bot,statistic,starts,number,ours,low_95,high_95,longest,games_wanted,\
        games_counted,forfeited,void,botyard,seed,move_ms,bots";

    const LINES: [&str; 4] = [
        "small-1,random/random,detectives,,win-percent,all,100,80,71.11,86.66,,100,100,0,0,0.1.0,1,,random - random",
        "small-1,random/random,detectives,,win-percent,even,70,90,80,95,,100,100,0,0,0.1.0,1,,random - random",
        "small-1,it's|mcts,detectives,,win-percent,all,100,90,82.56,94.48,,100,100,0,0,0.1.0,1,20,random - mcts:time=20",
        "small-1,it's|mcts,detectives,,mean-winning-round,all,90,9.4,9.1,9.7,,100,100,0,0,0.1.0,1,20,random - mcts:time=20",
    ];

    fn page(definition: &str, lines: &[&str]) -> Result<String, String> {
        let experiment =
            Experiment::read("small.toml", definition).map_err(|error| error.to_string())?;
        let mut recorded = Recorded::default();
        recorded.add("small-1.csv", &format!("{HEADER}\n{}\n", lines.join("\n")), &experiment)?;
        results_page(&[Played { experiment: &experiment, recorded }])
    }

    #[test]
    fn a_row_has_both_figures_the_command_the_verdict_and_the_explanation() {
        let page = page(EXPERIMENT, &LINES).unwrap();
        for expected in [
            "| [small-1](#small-1) | 2 | 1 | 0 |",
            "\nbotyard experiment run small-1 --games 100 --move-time 20\n",
            "\nVersion 0.1.0. Seed 1. A section says where these differ.\n",
            "\n100 games per row. 20 ms per move instead of 500.\n",
            "| random/random | detectives win % | 82 | 1000 | 80.0 (71.1 to 86.7) | 100 | agrees |",
            "| it's\\|mcts | detectives win % | 50 | 1000 | 90.0 (82.6 to 94.5) | 100 | differs: ours is higher |",
            "|  | detectives win in round | 9.5 |  | 9.40 (9.10 to 9.70) | 90 | agrees |",
            "\n* **it's|mcts**: The search is longer.\n",
        ] {
            assert!(page.contains(expected), "{expected}\n{page}");
        }
    }

    #[test]
    fn a_difference_without_an_explanation_is_refused() {
        let without = EXPERIMENT.replace("explanation = \"The search is longer.\"\n", "");
        let error = page(&without, &LINES).unwrap_err();
        assert!(error.ends_with("small-1, row \"it's|mcts\": detectives win %"), "{error}");
        let compared = without.replace("move_ms = 500", "move_ms = 500\ncomparison = true");
        let page = page(&compared, &LINES).unwrap();
        assert!(page.contains("| 100 | ours is higher |"), "{page}");
        assert!(page.contains("| 100 | no significant difference |"), "{page}");
    }

    #[test]
    fn rows_of_another_run_have_a_command_of_their_own_and_missing_ones_are_named() {
        let other = [LINES[2], LINES[3]].map(|line| line.replace(",1,20,", ",7,20,"));
        let both = page(EXPERIMENT, &[LINES[0], &other[0], &other[1]]).unwrap();
        let commands = "run small-1 \\\n  --row 'random/random' --games 100\nbotyard experiment run small-1 \\\n  \
            --row 'it'\\''s|mcts' --games 100 --move-time 20 --seed 7\n";
        assert!(both.contains(commands), "{both}");
        let one = page(EXPERIMENT, &LINES[..2]).unwrap();
        assert!(one.contains("| 50 | 1000 | - |  | not played |"), "{one}");
        let none = page(EXPERIMENT, &[]).unwrap();
        assert!(none.contains("run small-1\n```\n\nNo results are recorded yet.\n"), "{none}");
    }

    #[test]
    fn results_of_another_definition_are_refused() {
        for (line, expected) in [
            (LINES[2].replace("small-1,", "small-2,"), "expected small-1, got small-2"),
            (LINES[2].replace("it's|mcts", "it's"), "has no row"),
            (LINES[2].replace("win-percent", "seconds-a-search"), "the row has no such figure"),
            (
                LINES[2].replace("time=20", "time=50"),
                "expected random - mcts:time=20, got random - mcts:time=50",
            ),
            (LINES[0].to_string(), "there is another result of this figure"),
            (LINES[2].replace(",100,", ",many,"), "small-1.csv: "),
        ] {
            let error = page(EXPERIMENT, &[LINES[0], &line]).unwrap_err();
            assert!(error.contains(expected), "{expected}: {error}");
        }
    }

    #[test]
    fn columns_that_earlier_versions_did_not_write_may_be_missing() {
        let experiment = Experiment::read("small.toml", EXPERIMENT).unwrap();
        let cut = |line: &str| line.split(',').take(15).collect::<Vec<_>>().join(",");
        let mut recorded = Recorded::default();
        recorded
            .add("a.csv", &format!("{}\n{}\n", cut(HEADER), cut(LINES[0])), &experiment)
            .unwrap();
        let page = results_page(&[Played { experiment: &experiment, recorded }]).unwrap();
        assert!(page.contains("\nThe version was not recorded. A section"), "{page}");
    }
}
