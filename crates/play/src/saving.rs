//! Saving the game that is being played: on request, and when the person leaves.

use botyard_runner::Error;
use botyard_runner::play::PlayPlan;
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// The save of a game.
pub(crate) struct Saving<'a> {
    plan: &'a PlayPlan,
    /// The replay that the referee writes.
    replay: RefCell<PathBuf>,
    /// The file to save the game in when the person leaves.
    file: RefCell<Option<PathBuf>>,
}

impl<'a> Saving<'a> {
    /// Makes the save of a game whose replay is written to `replay`. `file`: the saved game that it
    /// resumes.
    pub(crate) fn new(plan: &'a PlayPlan, replay: PathBuf, file: Option<PathBuf>) -> Saving<'a> {
        Saving { plan, replay: RefCell::new(replay), file: RefCell::new(file) }
    }

    /// Follows another replay of the same game: that of its next attempt.
    pub(crate) fn follow(&self, replay: PathBuf) {
        *self.replay.borrow_mut() = replay;
    }

    /// Saves the game in a file, now and at every later [`Saving::leave`]. To be called while the
    /// person is asked: the replay is then complete.
    ///
    /// # Errors
    ///
    /// The file exists and is not a save of this game, or the host cannot write it.
    pub(crate) fn save_in(&self, file: &Path) -> Result<(), Error> {
        self.plan.save(&self.replay.borrow(), file)?;
        *self.file.borrow_mut() = Some(file.to_path_buf());
        Ok(())
    }

    /// Returns the file that the game is saved in, if there is one.
    pub(crate) fn file(&self) -> Option<PathBuf> {
        self.file.borrow().clone()
    }

    /// Saves the game when it is over or the person leaves, if there is a file for it. The replay
    /// must be finished. Returns the file.
    ///
    /// # Errors
    ///
    /// The host cannot write it.
    pub(crate) fn leave(&self, is_over: bool) -> Result<Option<PathBuf>, Error> {
        let file = self.file();
        if let Some(file) = &file {
            self.plan.save(&self.replay.borrow(), file)?;
            if is_over {
                self.plan.forget_settings(file)?;
            }
        }
        Ok(file)
    }
}
