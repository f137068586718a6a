//! The two steps of training over files: games are appended to a file, and weights are fitted to
//! the games of several.

use super::play_in_order::play_in_order;
use super::steps::{Learner, Training};
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::num::NonZero;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Why a step of training was not made.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    /// A setting has no such value.
    #[error("{0}")]
    Settings(String),
    /// A file cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// A file has no games or no weights of this game.
    #[error("{}: {message}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// The games cannot be appended to a file.
    #[error("cannot write to {}: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
}

/// The games that were appended to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Appended {
    /// The number of games.
    pub games: u64,
    /// How many [units](Training::UNIT) they have.
    pub units: usize,
}

/// Returns the evaluation of this name, or else the one with the weights in this file.
///
/// # Errors
///
/// There is no evaluation of this name, and the file has no weights.
pub fn evaluator<T: Training>(name: &str) -> Result<T::Evaluator, StepError> {
    match T::named(name) {
        Some(evaluator) => Ok(evaluator),
        None => {
            let path = Path::new(name);
            T::with_weights(&read(path)?).map_err(|error| unusable(path, error.to_string()))
        }
    }
}

/// Plays the games of `seeds` on `threads` threads by the evaluation that [`evaluator`] returns for
/// `eval`, and appends them to a file in the order of their seeds. Calls `on_game` after each. When
/// `is_stopped` returns true, the games in progress are the last ones.
///
/// # Errors
///
/// There is no such evaluation, a value of `how` is invalid, or the file is not writable.
pub fn append_games<T: Training>(
    path: &Path,
    how: &T::Play,
    eval: &str,
    seeds: Range<u64>,
    threads: NonZero<usize>,
    is_stopped: impl Fn() -> bool + Sync,
    mut on_game: impl FnMut(),
) -> Result<Appended, StepError> {
    let play = T::player(how, evaluator::<T>(eval)?).map_err(StepError::Settings)?;
    let failed = |error| StepError::Write { path: path.to_path_buf(), error };
    let mut file = OpenOptions::new().append(true).create(true).open(path).map_err(failed)?;
    let play = |seed| {
        let game = play(seed);
        let units = T::units(&game);
        (game, units)
    };
    let mut all = 0;
    let games = play_in_order(seeds, threads, is_stopped, play, |(game, units)| {
        file.write_all(&game).map_err(failed)?;
        all += units;
        on_game();
        Ok(())
    })?;
    Ok(Appended { games, units: all })
}

/// A step of [`fit_files`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FitProgress {
    /// All files are read.
    Read {
        /// The number of positions in them.
        positions: usize,
    },
    /// One more pass over all positions is complete.
    Epoch {
        /// The number of complete passes.
        epoch: u32,
        /// The number of passes of the fit.
        of: u32,
        /// The mean error on [what was held out](Training::HELD_OUT).
        error: f64,
    },
}

impl FitProgress {
    /// Describes the step. `held_out` is what the error is measured on: [`Training::HELD_OUT`].
    pub fn in_words(&self, held_out: &str) -> String {
        match self {
            FitProgress::Read { positions } => format!("{positions} positions"),
            FitProgress::Epoch { epoch, of, error } => {
                format!("epoch {epoch} of {of}: error on {held_out} not learned from {error:.5}")
            }
        }
    }
}

/// Returns a file of weights fitted to the games in files. `from` has weights to begin with.
///
/// # Errors
///
/// A file cannot be read, or has no games or no weights; a value of `how` is invalid.
pub fn fit_files<T: Training>(
    files: &[PathBuf],
    how: &T::Fit,
    from: Option<&Path>,
    report: &mut dyn FnMut(FitProgress),
) -> Result<Vec<u8>, StepError> {
    let before = from.map(read).transpose()?;
    let mut learner = T::learner(how, before.as_deref()).map_err(|message| match from {
        Some(from) => unusable(from, message),
        None => StepError::Settings(message),
    })?;
    for file in files {
        learner.add(&read(file)?).map_err(|message| unusable(file, message))?;
    }
    report(FitProgress::Read { positions: learner.positions() });
    let of = learner.epochs();
    Ok(learner.fit(&mut |epoch, error| report(FitProgress::Epoch { epoch, of, error })))
}

/// Returns the number of threads that use all cores.
pub fn all_cores() -> NonZero<usize> {
    std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

fn read(path: &Path) -> Result<Vec<u8>, StepError> {
    std::fs::read(path).map_err(|error| StepError::Read { path: path.to_path_buf(), error })
}

fn unusable(path: &Path, message: String) -> StepError {
    StepError::Unusable { path: path.to_path_buf(), message }
}
