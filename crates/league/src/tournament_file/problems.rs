//! The problems of a tournament file: all of them together, each with its line, in the order of the
//! lines.

use std::fmt;

/// A problem of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The line, from 1; 0 for the file as a whole.
    pub line: usize,
    /// What was expected, and what came.
    pub message: String,
}

/// All problems of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems {
    file: String,
    found: Vec<Problem>,
}

impl Problems {
    /// Makes an empty list for a file of this name.
    pub fn new(file: &str) -> Problems {
        Problems { file: file.to_string(), found: Vec::new() }
    }

    /// Adds a problem.
    pub fn add(&mut self, line: usize, message: impl fmt::Display) {
        let problem = Problem { line, message: message.to_string() };
        if !self.found.contains(&problem) {
            self.found.push(problem);
        }
    }

    /// Returns whether there are no problems.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut found = self.found.clone();
        found.sort_by_key(|problem| problem.line);
        for (index, Problem { line, message }) in found.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            match line {
                0 => write!(f, "{}: {message}", self.file)?,
                line => write!(f, "{}, line {line}: {message}", self.file)?,
            }
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}
