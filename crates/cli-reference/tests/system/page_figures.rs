//! The measured figures of the pages: each is a value of a file of results, a published value of an experiment, a number
//! of an output that the page quotes, or listed here with the reason why it is none of them.
//!
//! A figure is a number with a percent sign or another of [`UNITS`], outside of code: times, sizes and counts are not
//! checked. In a section that names an experiment, a number with one decimal digit that fills a cell of a table is one
//! too. It must be a value of an experiment that its section names; with an interval, as in `25.0% (18.9 to 32.2)`, all
//! three numbers must be those of one figure.

use crate::page_commands::pages;
use crate::{recorded, repository};
use botyard_experiments::{Experiment, shipped};
use botyard_league::score::Interval;
use std::collections::BTreeSet;
use std::fs;

/// The units of figures.
const UNITS: [&str; 7] =
    ["%", " %", " percent", " Elo", " games/s", " games per second", " moves per second"];

/// The level of the intervals, which is not measured.
const LEVEL: &str = "95%";

/// The pages with figures of matches that were measured for them.
const STRENGTH: [&str; 2] = ["docs/strength.md", "docs/understand/laboratory.md"];

/// The headings on these pages below which intervals are those of blocks: the two games from one start.
const BLOCKS: [&str; 3] = ["Draughts", "Choose a level", "Levels"];

/// Pages whose figures have another origin.
const PAGES: [(&str, &str); 10] = [
    ("CHANGELOG.md", "earlier versions"),
    (STRENGTH[0], "matches by the commands on the page; the last test here checks their intervals"),
    (STRENGTH[1], "matches by the commands beside them; the last test here checks their intervals"),
    (
        "docs/training.md",
        "fits and matches by the commands beside them, some of generations that were not kept",
    ),
    ("docs/standings.md", "simulations by the command beside them"),
    (
        "docs/reference/limits-and-costs.md",
        "benchmarks by the commands beside them, of one machine",
    ),
    ("docs/reference/commands/", "the help: its figures are settings"),
    (
        "docs/learn/strategy-scotland-yard.md",
        "matches with a fixed seed, by the command beside them",
    ),
    ("docs/learn/strategy-draughts.md", "matches with a fixed seed, by the command beside them"),
    ("docs/learn/strategy-dice-wars.md", "matches with a fixed seed, by the command beside them"),
];

/// Figures of other pages that are in no file of results, with their origin.
const FIGURES: [(&str, &[&str], &str); 8] = [
    (
        "docs/games/scotland-yard.md",
        &["63%", "81%", "46%", "69%", "38%", "47%", "26%"],
        "random play, which a test of botyard-engine repeats (scotland_yard_statistics), and the share of odd starts",
    ),
    ("docs/experiments.md", &["43%"], "one less a recorded ratio of janacek-searches"),
    ("docs/learn/lecture.md", &["60%"], "a match with a fixed seed, by the command beside it"),
    (
        "docs/do/is-it-better.md",
        &["54%", "64%", "76%", "91%", "71%", "5%", "30 Elo", "5 Elo"],
        "settings of the test, values of the logistic function, and a match of docs/learn/first-bot.md",
    ),
    ("docs/decisions/0004-blocks.md", &["39%"], "a simulation before the decision"),
    ("docs/glossary.md", &["64%"], "a value of the logistic function"),
    ("docs/do/analyze-a-game.md", &["73%", "88%"], "values of the logistic function"),
    ("docs/do/check-a-bot.md", &["80%"], "a threshold of the check"),
];

/// A section of a page: the text from a heading to the next one.
#[derive(Default)]
struct Section {
    text: String,
    /// The lines outside of blocks of code, with their numbers.
    lines: Vec<(usize, String)>,
}

/// A figure of a page, and the interval behind it.
struct Figure {
    text: String,
    number: Number,
    interval: Option<(Number, Number)>,
}

/// A number as a page prints it.
#[derive(Clone, Copy)]
struct Number {
    value: f64,
    decimals: i32,
}

/// A value, and its interval if it is ours.
type Value = (f64, Option<(f64, f64)>);

impl Number {
    fn read(text: &str) -> Option<Number> {
        let is_number = text.starts_with(|c: char| c.is_ascii_digit());
        let value = text.replace(',', "").parse().ok().filter(|_| is_number)?;
        let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len() as i32);
        Some(Number { value, decimals })
    }

    /// Whether a value is printed as this number. Its half may be rounded up or down.
    fn is(self, value: f64) -> bool {
        (value - self.value).abs() <= 0.5 * 10f64.powi(-self.decimals) + 1e-6
    }
}

/// Returns the numbers of a text, each with what follows it.
fn numbers(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
        let word = &rest[..end.unwrap_or(rest.len())];
        let number = word.trim_end_matches(['.', ',']);
        if !number.is_empty() && !before.is_alphanumeric() && !"_-".contains(before) {
            found.push((number, &rest[number.len()..]));
        }
        before = c;
        rest = &rest[word.len().max(c.len_utf8())..];
    }
    found
}

/// Returns what follows a number and its unit.
fn after_unit(rest: &str) -> Option<&str> {
    let mut rests = UNITS.iter().filter_map(|unit| rest.strip_prefix(unit));
    rests.rfind(|rest| !rest.starts_with(|c: char| c.is_alphabetic()))
}

/// Returns the interval at the start of a text: ` (18.9 to 32.2)`.
fn interval(rest: &str) -> Option<(Number, Number)> {
    let (low, high) = rest.strip_prefix(" (")?.split_once(')')?.0.split_once(" to ")?;
    Some((Number::read(low)?, Number::read(high)?))
}

/// Returns the figures of a line.
fn figures(line: &str, in_cells: bool) -> Vec<Figure> {
    let mut found: Vec<Figure> = numbers(line)
        .into_iter()
        .filter_map(|(number, rest)| {
            let after = after_unit(rest)?;
            let text = format!("{number}{}", &rest[..rest.len() - after.len()]);
            Some(Figure { text, number: Number::read(number)?, interval: interval(after) })
        })
        .collect();
    if in_cells && line.starts_with('|') {
        let cells =
            line.split('|').map(str::trim).filter_map(|text| Some((text, Number::read(text)?)));
        let one_digit = cells.filter(|(_, number)| number.decimals == 1);
        found.extend(one_digit.map(|(text, number)| Figure {
            text: text.into(),
            number,
            interval: None,
        }));
    }
    found
}

impl Figure {
    fn is(&self, (value, of_value): Value) -> bool {
        self.number.is(value)
            && self.interval.is_none_or(|(low, high)| {
                of_value.is_some_and(|of_value| low.is(of_value.0) && high.is(of_value.1))
            })
    }

    /// Whether the interval is Wilson's for one of these numbers of games. Draws count half, and the share is rounded.
    fn is_wilson_of_any(&self, games: &BTreeSet<u64>) -> bool {
        let Some((low, high)) = self.interval else { return false };
        let rounded = 0.5 * 10f64.powi(-self.number.decimals);
        games.iter().any(|&games| {
            let halves = |share: f64| share / 100.0 * 2.0 * games as f64;
            let least = (halves(self.number.value - rounded) - 1e-6).ceil().max(0.0) as u64;
            let most = (halves(self.number.value + rounded) + 1e-6).floor() as u64;
            (least..=most.min(2 * games)).any(|halves| {
                let found = Interval::wilson(halves as f64 / 2.0 / games as f64, games);
                low.is(100.0 * found.low) && high.is(100.0 * found.high)
            })
        })
    }
}

/// Returns the sections of a page.
fn sections(page: &str) -> Vec<Section> {
    let mut sections = vec![Section::default()];
    let mut fence: Option<&str> = None;
    for (line, number) in page.lines().zip(1..) {
        let start = line.trim_start();
        let mark = &start[..start.len() - start.trim_start_matches('`').len()];
        let is_fence = mark.len() >= 3 && fence.is_none_or(|open| open == mark);
        if is_fence {
            fence = if fence.is_some() { None } else { Some(mark) };
        } else if fence.is_none() && line.starts_with('#') {
            sections.push(Section::default());
        }
        let section = sections.last_mut().expect("there is one from the start");
        section.text.push_str(line);
        section.text.push('\n');
        if !is_fence && fence.is_none() {
            // Every second part is code.
            let words: Vec<&str> = line.split('`').step_by(2).collect();
            section.lines.push((number, words.join("``")));
        }
    }
    sections
}

impl Section {
    fn has_intervals_of_blocks(&self) -> bool {
        let heading = self.text.lines().next().unwrap_or_default();
        heading.starts_with('#') && BLOCKS.iter().any(|words| heading.contains(words))
    }

    fn names(&self, experiment: &str) -> bool {
        self.text.match_indices(experiment).any(|(at, _)| {
            let before = self.text[..at].chars().next_back().unwrap_or(' ');
            let mut after = self.text[at + experiment.len()..].chars();
            let next = after.next().unwrap_or(' ');
            let goes_on = next == '.' && after.next().is_some_and(|c| c.is_ascii_alphanumeric());
            let is_part = |c: char| c.is_alphanumeric() || c == '-';
            !is_part(before) && !is_part(next) && !goes_on
        })
    }
}

/// An experiment's values: those of its source and the recorded ones.
struct Source {
    name: String,
    values: Vec<Value>,
}

fn sources() -> Vec<Source> {
    let source = |experiment: Experiment| {
        let figures = experiment.rows.iter().flat_map(|row| &row.figures);
        let published = figures.filter_map(|figure| Some((figure.value?, None)));
        let values = published.chain(recorded(&experiment).values()).collect();
        Source { name: experiment.name, values }
    };
    shipped::all().expect("the files are valid").into_iter().map(source).collect()
}

/// Returns the figures of a page that no file of results has, with their lines.
fn unknown(page: &str, sources: &[Source]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let sections = sections(page);
    // Shares in quoted outputs.
    let mut quoted: Vec<Value> = Vec::new();
    for code in page.split("```").skip(1).step_by(2) {
        let shares = numbers(code).into_iter().filter(|(_, rest)| rest.starts_with('%'));
        quoted.extend(shares.filter_map(|(number, _)| Some((Number::read(number)?.value, None))));
    }
    for section in &sections {
        let named: Vec<&Source> =
            sources.iter().filter(|source| section.names(&source.name)).collect();
        let values = || named.iter().flat_map(|source| &source.values).chain(&quoted);
        for (line, text) in &section.lines {
            let figures = figures(text, !named.is_empty());
            let unknown = figures
                .into_iter()
                .filter(|figure| figure.text != LEVEL && !values().any(|value| figure.is(*value)));
            found.extend(unknown.map(|figure| (*line, figure.text)));
        }
    }
    found
}

#[test]
fn the_figures_of_the_pages_have_an_origin() {
    let sources = sources();
    let listed = FIGURES
        .iter()
        .flat_map(|(page, figures, _)| figures.iter().map(move |figure| (*page, *figure)));
    let mut left: BTreeSet<(&str, &str)> = listed.collect();
    let listed = left.clone();
    let mut wrong = Vec::new();
    for path in pages() {
        let page = path
            .strip_prefix(repository(""))
            .expect("a page of the repository")
            .display()
            .to_string();
        // A name that ends with a slash is that of a directory.
        let is_of = |listed: &str| match listed.ends_with('/') {
            true => page.starts_with(listed),
            false => page == listed,
        };
        if PAGES.iter().any(|(listed, _)| is_of(listed)) {
            continue;
        }
        for (line, figure) in unknown(&fs::read_to_string(&path).expect("a page"), &sources) {
            left.retain(|(of, text)| *of != page || *text != figure);
            if !listed.contains(&(page.as_str(), figure.as_str())) {
                wrong.push(format!("{page}:{line}: {figure}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} figures are in no file of experiments/results of an experiment that their section names; take them from one, \
         or list them in {} with the reason:\n{}",
        wrong.len(),
        file!(),
        wrong.join("\n")
    );
    assert!(
        left.is_empty(),
        "listed figures that are not in their pages, or have an origin: {left:?}"
    );
}

#[test]
fn figures_without_an_origin_are_found() {
    let values = vec![(22.4, None), (20.04, Some((14.96, 26.1))), (93.25, Some((89.0, 95.9)))];
    let sources = [Source { name: "sova-5.1".into(), values }];
    let page = "# `sova-5.1`\n\nAgents win 20.0% (15.0 to 26.1), published 22.4%, at a level of 95%. The share of \
        93.2% or 93.3% rounds to 93%.\n\n| 22.4 | 20.0% |\n\n```text\na 71.0% 5\n```\n\nIt has 71% and `80%`.\n";
    assert_eq!(unknown(page, &sources), []);
    for (right, wrong, expected) in [
        ("win 20.0%", "win 20.1%", "20.1%"),
        ("(15.0 to", "(15.1 to", "20.0%"),
        ("| 22.4 |", "| 22.3 |", "22.3"),
        ("# `sova-5.1`", "# `sova-5.1.2`", "20.0%"),
        ("`80%`", "80 games per second", "80 games per second"),
        ("`80%`", "+30 Elo", "30 Elo"),
        ("`80%`", "1,200%", "1,200%"),
        ("71% and", "5% and", "5%"),
    ] {
        let found = unknown(&page.replace(right, wrong), &sources);
        assert!(found.iter().any(|(_, figure)| figure == expected), "{wrong}: {found:?}");
    }
}

/// The intervals of the pages of strength are Wilson's for a number of games that their section names, but for those
/// below [`BLOCKS`].
#[test]
fn the_intervals_of_strength_follow_from_the_number_of_games() {
    let mut count = 0;
    let mut wrong = Vec::new();
    for name in STRENGTH {
        let page = fs::read_to_string(repository(name)).expect("a page");
        for section in sections(&page).iter().filter(|section| !section.has_intervals_of_blocks()) {
            let numbers = section.lines.iter().flat_map(|(_, line)| numbers(line));
            let games: BTreeSet<u64> = numbers
                .filter_map(|(number, _)| number.replace(',', "").parse().ok())
                .filter(|n| *n > 4)
                .collect();
            for (line, text) in &section.lines {
                let all = figures(text, false).into_iter();
                let with_intervals: Vec<Figure> =
                    all.filter(|one| one.interval.is_some()).collect();
                count += with_intervals.len();
                let alone = with_intervals.iter().filter(|one| !one.is_wilson_of_any(&games));
                wrong.extend(alone.map(|one| format!("{name}:{line}: {}", one.text)));
            }
        }
    }
    assert!(count > 50, "{count} intervals");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}
