//! A whole build: from the first class, or from where an earlier build was stopped, to the file.

use super::build::{Build, BuildError};
use botyard_engine::draughts::endgame::{Endgames, Material, solve};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// What a build tells while it goes on.
#[derive(Clone, Copy, Debug)]
pub enum BuildStep<'a> {
    /// Before the first class is solved. What an earlier build has left counts as done.
    Begun {
        /// The file that the classes are added to.
        part: &'a Path,
        /// How many classes are done.
        classes_done: usize,
        /// How many there are.
        classes: usize,
        /// How many positions are done.
        positions_done: u64,
        /// How many there are.
        positions: u64,
    },
    /// A class is solved and written.
    Solved {
        /// How many positions it has.
        positions: u64,
    },
}

/// How a build ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Built {
    /// The file is there.
    Whole {
        /// Its size, in bytes.
        bytes: u64,
    },
    /// It was stopped. The next build of the same file continues with this one.
    Stopped {
        /// The file with what was done.
        part: PathBuf,
    },
}

/// Solves all classes with at most this many pieces, 2 to [`Material::MOST_PIECES`], and writes them to a file.
///
/// # Errors
///
/// What the host cannot do.
pub fn build(
    path: &Path,
    pieces: u8,
    threads: NonZero<usize>,
    is_stopped: &(dyn Fn() -> bool + Sync),
    mut observe: impl FnMut(BuildStep<'_>),
) -> Result<Built, BuildError> {
    let (mut build, mut endgames) = Build::begin(path, pieces)?;
    observe(BuildStep::Begun {
        part: build.part(),
        classes_done: endgames.classes().len(),
        classes: Material::up_to(pieces).len(),
        positions_done: positions(endgames.classes()),
        positions: positions(Material::up_to(pieces)),
    });
    let mut failure = None;
    let solved = solve(&mut endgames, pieces, threads.get(), is_stopped, |material, values| {
        observe(BuildStep::Solved { positions: values.len() as u64 });
        match build.add(material, values) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        }
    });
    match (failure, solved) {
        (Some(error), _) => Err(error),
        (None, Err(_)) => Ok(Built::Stopped { part: build.part().into() }),
        (None, Ok(())) => Ok(Built::Whole { bytes: build.finish()? }),
    }
}

fn positions(classes: Vec<Material>) -> u64 {
    classes.into_iter().map(|class| u64::from(Endgames::positions(class))).sum()
}
