//! The table of an experiment on the page of results. Columns without a value are left out, and so are those of the
//! figures and of the published numbers of games if all lines have the same. Where nothing is published and rows have
//! several figures, each figure is a column.

use std::collections::BTreeSet;
use std::fmt::Write;

/// The columns of a table with a line for each figure.
const COLUMNS: [(&str, &str); 7] = [
    ("row", "---"),
    ("figure", "---"),
    ("published", "---:"),
    ("n", "---:"),
    ("ours", "---:"),
    ("n", "---:"),
    ("verdict", "---"),
];

/// The places of columns.
const ROW: usize = 0;
const FIGURE: usize = 1;
const PUBLISHED: usize = 2;
const PUBLISHED_NUMBER: usize = 3;
const OURS: usize = 4;
const NUMBER: usize = 5;

/// Stands for a value that there is not.
pub(crate) const NOTHING: &str = "-";

/// The figures of an experiment as text, a line for each.
#[derive(Default)]
pub(crate) struct ResultsTable {
    lines: Vec<[String; 7]>,
}

impl ResultsTable {
    /// Adds a figure: its row, its name, the published value and its number of games, ours with its interval, our
    /// number, and the verdict.
    pub(crate) fn add(&mut self, line: [String; 7]) {
        self.lines.push(line);
    }

    /// Returns the figure that all lines have, if they have one.
    pub(crate) fn only_figure(&self) -> Option<&str> {
        self.only(FIGURE)
    }

    /// Returns the number of games that all published values have, if they have one.
    pub(crate) fn only_published_number(&self) -> Option<&str> {
        self.only(PUBLISHED_NUMBER)
    }

    fn only(&self, column: usize) -> Option<&str> {
        let published = |line: &&[String; 7]| column == FIGURE || line[PUBLISHED] != NOTHING;
        let mut lines = self.lines.iter().filter(published);
        let first = &lines.next()?[column];
        (!first.is_empty() && lines.all(|line| line[column] == *first)).then_some(first)
    }

    /// Returns the table in Markdown.
    pub(crate) fn markdown(&self) -> String {
        match self.figures_as_columns() {
            Some(figures) => self.by_row(&figures),
            None => self.by_figure(),
        }
    }

    fn is_empty(&self, column: usize) -> bool {
        self.lines.iter().all(|line| line[column].is_empty() || line[column] == NOTHING)
    }

    /// Returns the figures if nothing is published and a row has all of them.
    fn figures_as_columns(&self) -> Option<Vec<&str>> {
        let longest = self.rows().into_iter().max_by_key(|row| row.len())?;
        let figures: Vec<&str> = longest.iter().map(|line| &*line[FIGURE]).collect();
        let all: BTreeSet<&str> = self.lines.iter().map(|line| &*line[FIGURE]).collect();
        let has_all = figures.len() > 1 && all.len() == figures.len();
        (has_all && self.is_empty(PUBLISHED)).then_some(figures)
    }

    /// Returns the lines of each row.
    fn rows(&self) -> Vec<&[[String; 7]]> {
        self.lines.chunk_by(|one, other| one[ROW] == other[ROW]).collect()
    }

    fn by_figure(&self) -> String {
        let is_shown = |column: usize| match column {
            FIGURE | PUBLISHED_NUMBER if self.only(column).is_some() => false,
            _ => !self.is_empty(column),
        };
        let shown: Vec<usize> = (0..COLUMNS.len()).filter(|&column| is_shown(column)).collect();
        let header: Vec<(&str, &str)> = shown.iter().map(|&column| COLUMNS[column]).collect();
        let mut text = head(&header);
        for row in self.rows() {
            for (place, line) in row.iter().enumerate() {
                let cell = |column: usize| match (column, place) {
                    (ROW, 1..) => "",
                    _ => &*line[column],
                };
                let cells: Vec<&str> = shown.iter().map(|&column| cell(column)).collect();
                let _ = writeln!(text, "| {} |", cells.join(" | "));
            }
        }
        text
    }

    fn by_row(&self, figures: &[&str]) -> String {
        let figure_columns = figures.iter().map(|figure| (*figure, "---:"));
        let header: Vec<(&str, &str)> =
            [COLUMNS[ROW]].into_iter().chain(figure_columns).chain([COLUMNS[NUMBER]]).collect();
        let mut text = head(&header);
        for row in self.rows() {
            let number = row.first().map_or("", |line| &*line[NUMBER]);
            let value = |figure: &&str| {
                row.iter()
                    .find(|line| line[FIGURE] == **figure)
                    .map_or(String::new(), |line| value(line, number))
            };
            let values: Vec<String> = figures.iter().map(value).collect();
            let label = row.first().map_or("", |line| &*line[ROW]);
            let _ = writeln!(text, "| {label} | {} | {number} |", values.join(" | "));
        }
        text
    }
}

/// Returns our value, with its number where that of the row is another.
fn value(line: &[String; 7], number_of_row: &str) -> String {
    let mut text = line[OURS].clone();
    if line[NUMBER] != number_of_row {
        let _ = write!(text, ", n {}", line[NUMBER]);
    }
    text
}

fn head(columns: &[(&str, &str)]) -> String {
    let join = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | "));
    join(columns.iter().map(|column| column.0).collect())
        + &join(columns.iter().map(|column| column.1).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(lines: &[[&str; 7]]) -> ResultsTable {
        ResultsTable { lines: lines.iter().map(|line| line.map(String::from)).collect() }
    }

    #[test]
    fn columns_without_values_or_with_one_are_left_out() {
        let mut lines = [
            ["a", "wins", "82", "10", "80.0 (71.1 to 86.7)", "100", "agrees"],
            ["b", "wins", "-", "", "70.0 (60.0 to 80.0)", "100", ""],
            ["c", "wins", "9", "10", "70.0 (60.0 to 80.0)", "100", "agrees"],
        ];
        let published = table(&lines);
        assert_eq!(published.only_figure(), Some("wins"));
        assert_eq!(published.only_published_number(), Some("10"));
        assert_eq!(
            published.markdown(),
            "| row | published | ours | n | verdict |\n\
             | --- | ---: | ---: | ---: | --- |\n\
             | a | 82 | 80.0 (71.1 to 86.7) | 100 | agrees |\n\
             | b | - | 70.0 (60.0 to 80.0) | 100 |  |\n\
             | c | 9 | 70.0 (60.0 to 80.0) | 100 | agrees |\n"
        );
        lines[2][PUBLISHED_NUMBER] = "20";
        let published = table(&lines);
        assert_eq!(published.only_published_number(), None);
        assert!(published.markdown().starts_with("| row | published | n | ours | n | verdict |\n"));
        let unpublished = table(&[["a", "wins", "-", "", "80.0 (71.1 to 86.7)", "100", ""]]);
        assert!(unpublished.markdown().starts_with("| row | ours | n |\n"));
    }

    #[test]
    fn figures_are_columns_where_nothing_is_published() {
        let table = table(&[
            ["a", "nodes", "-", "", "20 (10 to 30)", "5", ""],
            ["a", "score", "-", "", "0.1", "5", ""],
            ["b", "nodes", "-", "", "2 (1 to 3)", "5", ""],
            ["b", "ratio", "-", "", "0.1 (0.0 to 0.2)", "4", ""],
            ["b", "score", "-", "", "0.1", "5", ""],
        ]);
        assert_eq!(table.only_figure(), None);
        assert_eq!(
            table.markdown(),
            "| row | nodes | ratio | score | n |\n| --- | ---: | ---: | ---: | ---: |\n\
             | a | 20 (10 to 30) |  | 0.1 | 5 |\n\
             | b | 2 (1 to 3) | 0.1 (0.0 to 0.2), n 4 | 0.1 | 5 |\n"
        );
    }

    #[test]
    fn a_row_is_named_once() {
        let table = table(&[
            ["a", "wins", "1", "", "2 (1 to 3)", "5", "agrees"],
            ["a", "rounds", "1", "", "2 (1 to 3)", "5", "agrees"],
        ]);
        assert!(
            table.markdown().contains("| a | wins | 1 | 2 (1 to 3) | 5 | agrees |\n|  | rounds |")
        );
    }
}
