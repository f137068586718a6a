//! The rebuild of a manifest of any game, with its files in a directory.

use super::manifest::{InvalidManifest, Manifest, game_of};
use super::rebuild::{FileStore, Progress, RebuildError, rebuild};
use super::steps::Training;
use crate::dice_wars::DiceWarsTraining;
use crate::draughts::DraughtsTraining;
use crate::scotland_yard::{HabitsTraining, ScotlandYardTraining};
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};

/// The manifest of one type of training.
type ManifestOf<T> = Manifest<<T as Training>::Play, <T as Training>::Fit>;

/// A manifest of any game with a learned evaluation.
#[derive(Clone, Debug)]
pub enum AnyManifest {
    /// Of draughts.
    Draughts(ManifestOf<DraughtsTraining>),
    /// Of Dice Wars.
    DiceWars(ManifestOf<DiceWarsTraining>),
    /// Of Scotland Yard.
    ScotlandYard(ManifestOf<ScotlandYardTraining>),
    /// Of the habits of Mr. X in Scotland Yard.
    Habits(ManifestOf<HabitsTraining>),
}

/// Why a text cannot be used as a manifest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// It is not a manifest.
    #[error(transparent)]
    Wrong(#[from] InvalidManifest),
    /// Its game has no learned evaluation.
    #[error(
        "expected the game {}, {}, {} or {}, got {:?}",
        DraughtsTraining::GAME,
        DiceWarsTraining::GAME,
        ScotlandYardTraining::GAME,
        HabitsTraining::GAME,
        .0
    )]
    OtherGame(String),
}

impl AnyManifest {
    /// Reads a manifest.
    ///
    /// # Errors
    ///
    /// The text is not a manifest, or its game has no learned evaluation.
    pub fn read(text: &str) -> Result<AnyManifest, ManifestError> {
        match game_of(text)?.as_str() {
            DraughtsTraining::GAME => Ok(AnyManifest::Draughts(Manifest::read(text)?)),
            DiceWarsTraining::GAME => Ok(AnyManifest::DiceWars(Manifest::read(text)?)),
            ScotlandYardTraining::GAME => Ok(AnyManifest::ScotlandYard(Manifest::read(text)?)),
            HabitsTraining::GAME => Ok(AnyManifest::Habits(Manifest::read(text)?)),
            other => Err(ManifestError::OtherGame(other.into())),
        }
    }

    /// Rebuilds the weights: see [`rebuild`].
    ///
    /// # Errors
    ///
    /// Those of [`rebuild`].
    pub fn rebuild(
        &self,
        threads: NonZero<usize>,
        store: &mut dyn FileStore,
        is_stopped: &(dyn Fn() -> bool + Sync),
        report: &mut dyn FnMut(Progress<'_>),
    ) -> Result<Vec<u8>, RebuildError> {
        match self {
            AnyManifest::Draughts(manifest) => {
                rebuild::<DraughtsTraining>(manifest, threads, store, is_stopped, report)
            }
            AnyManifest::DiceWars(manifest) => {
                rebuild::<DiceWarsTraining>(manifest, threads, store, is_stopped, report)
            }
            AnyManifest::ScotlandYard(manifest) => {
                rebuild::<ScotlandYardTraining>(manifest, threads, store, is_stopped, report)
            }
            AnyManifest::Habits(manifest) => {
                rebuild::<HabitsTraining>(manifest, threads, store, is_stopped, report)
            }
        }
    }
}

/// The files in a directory.
pub struct DirectoryStore {
    path: PathBuf,
    replace: fn(&Path, &[u8]) -> io::Result<()>,
}

impl DirectoryStore {
    /// Makes the shelf of a directory, in which `replace` writes files atomically.
    pub fn new(path: &Path, replace: fn(&Path, &[u8]) -> io::Result<()>) -> DirectoryStore {
        DirectoryStore { path: path.to_path_buf(), replace }
    }
}

impl FileStore for DirectoryStore {
    fn get(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        match std::fs::read(self.path.join(name)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn put(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        (self.replace)(&self.path.join(name), bytes)
    }
}
