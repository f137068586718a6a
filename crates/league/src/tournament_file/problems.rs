//! The problems of a tournament file: all of them together, each with its line, in the order of the
//! lines.

use std::fmt;

/// All problems of a file, each with its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems<M = String> {
    file: String,
    found: Vec<(usize, M)>,
}

impl<M: PartialEq> Problems<M> {
    /// Makes an empty list for a file of this name.
    pub fn new(file: &str) -> Problems<M> {
        Problems { file: file.to_string(), found: Vec::new() }
    }

    /// Adds a problem in a line, from 1; 0 for the file as a whole. The message says what was expected, and
    /// what came.
    pub fn add(&mut self, line: usize, message: impl Into<M>) {
        let problem = (line, message.into());
        if !self.found.contains(&problem) {
            self.found.push(problem);
        }
    }

    /// Returns the problems in the order of their lines, each with its place: `cup.toml, line 3`.
    pub fn in_order(&self) -> impl Iterator<Item = (String, &M)> {
        let mut found: Vec<_> = self.found.iter().collect();
        found.sort_by_key(|(line, _)| *line);
        found.into_iter().map(|(line, message)| match line {
            0 => (self.file.clone(), message),
            line => (format!("{}, line {line}", self.file), message),
        })
    }

    /// Returns whether there are no problems.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.in_order().map(|(place, message)| format!("{place}: {message}"));
        f.write_str(&lines.collect::<Vec<_>>().join("\n"))
    }
}

impl std::error::Error for Problems {}
