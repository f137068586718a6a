//! A complete build: from the first class, or from where an earlier build was stopped, to the file.

use super::build::{Build, BuildError};
use botyard_engine::draughts::endgame::{Endgames, Material, solve};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The progress of a build.
#[derive(Clone, Copy, Debug)]
pub enum BuildStep<'a> {
    /// Before the first class is solved. The classes of an earlier build count as done.
    Begun {
        /// The file that the classes are added to.
        part: &'a Path,
        /// The number of classes done.
        classes_done: usize,
        /// The number of classes.
        classes: usize,
        /// The number of positions done.
        positions_done: u64,
        /// The number of positions.
        positions: u64,
    },
    /// A class is solved and written.
    Solved {
        /// The number of its positions.
        positions: u64,
    },
}

/// The end of a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Built {
    /// The file is complete.
    Whole {
        /// Its size, in bytes.
        bytes: u64,
    },
    /// The build was stopped. The next build of the same file resumes it.
    Stopped {
        /// The unfinished file.
        part: PathBuf,
    },
}

/// Solves all classes with at most this many pieces, 2 to [`Material::MOST_PIECES`], and writes them
/// to a file.
///
/// # Errors
///
/// If an operation on the file fails.
pub fn build(
    path: &Path,
    pieces: u8,
    threads: NonZero<usize>,
    is_stopped: &(dyn Fn() -> bool + Sync),
    mut observe: impl FnMut(BuildStep<'_>),
) -> Result<Built, BuildError> {
    let (mut build, mut endgames) = Build::begin(path, pieces, is_stopped)?;
    observe(BuildStep::Begun {
        part: build.part(),
        classes_done: endgames.classes().len(),
        classes: Material::up_to(pieces).len(),
        positions_done: positions(endgames.classes()),
        positions: positions(Material::up_to(pieces)),
    });
    let mut failure = None;
    let solved = solve(&mut endgames, pieces, threads.get(), is_stopped, |material, values| {
        observe(BuildStep::Solved { positions: Endgames::positions(material).into() });
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
