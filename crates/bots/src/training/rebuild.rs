//! Weights made again from a manifest.

use super::manifest::{Digest, Manifest};
use super::play_in_order::play_in_order;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;
use std::num::NonZero;

/// How the evaluation of one game is trained.
pub trait Training {
    /// The name of the game.
    const GAME: &'static str;
    /// How games are played.
    type Play: DeserializeOwned;
    /// How weights are fitted.
    type Fit: DeserializeOwned;

    /// What plays the game of a seed and returns its bytes, which are a function of the seed, `how` and
    /// `weights`. Plays by the evaluation set by hand where there are no weights.
    ///
    /// # Errors
    ///
    /// Weights that cannot be read, and values of `how` that cannot be.
    fn player(
        how: &Self::Play,
        weights: Option<&[u8]>,
    ) -> Result<impl Fn(u64) -> Vec<u8> + Sync, String>;

    /// A file of weights fitted to the games in `files`, each of which holds the bytes of many games, one
    /// after another. `before` has the weights of the generation before. After each epoch `report` gets
    /// its number and the mean error on games that are not learned from.
    ///
    /// # Errors
    ///
    /// Games or weights that cannot be read, and values of `how` that cannot be.
    fn fit(
        how: &Self::Fit,
        files: &[Vec<u8>],
        before: Option<&[u8]>,
        report: &mut dyn FnMut(u32, f64),
    ) -> Result<Vec<u8>, String>;
}

/// Where the files of training are kept: `1.games`, `1.weights`, `2.games` and so on.
pub trait Shelf {
    /// A file's bytes; `None` where there is no such file.
    ///
    /// # Errors
    ///
    /// A file that cannot be read.
    fn get(&self, name: &str) -> io::Result<Option<Vec<u8>>>;

    /// Keeps a file, in place of one of that name.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    fn put(&mut self, name: &str, bytes: &[u8]) -> io::Result<()>;
}

/// Files in memory.
impl Shelf for BTreeMap<String, Vec<u8>> {
    fn get(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        Ok(BTreeMap::get(self, name).cloned())
    }

    fn put(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.insert(name.into(), bytes.into());
        Ok(())
    }
}

/// What [`rebuild`] has just done.
#[derive(Clone, Debug)]
pub enum Progress<'a> {
    /// The number of games of a generation that have been played.
    Games {
        /// How many.
        played: u64,
        /// Of how many.
        of: u64,
    },
    /// All games of a generation have been learned from once more.
    Epoch {
        /// How often by now.
        epoch: u32,
        /// The mean error on games that are not learned from.
        error: f64,
    },
    /// A file is there.
    File {
        /// Its name.
        name: &'a str,
        /// Its digest.
        digest: Digest,
        /// Whether the manifest has this digest.
        is_verified: bool,
        /// Whether it was on the shelf already.
        is_reused: bool,
    },
}

/// Weights that could not be made again.
#[derive(Debug, thiserror::Error)]
pub enum RebuildError {
    /// A manifest without generations.
    #[error(
        "expected at least one [[generation]]: the manifest does not say how the weights are made"
    )]
    NoGeneration,
    /// Another file than the manifest says.
    #[error(
        "{name}: expected the SHA-256 {expected}, got {got}: this version of the program makes another file"
    )]
    Differs {
        /// The name of the file.
        name: String,
        /// What the manifest says.
        expected: Digest,
        /// What was made.
        got: Digest,
    },
    /// It was stopped.
    #[error("stopped in {name}; the files before it are kept and are not made again")]
    Stopped {
        /// The file that was being made.
        name: String,
    },
    /// Games, weights or options that cannot be used.
    #[error("{name}: {message}")]
    Unusable {
        /// The file that was being made.
        name: String,
        /// What is wrong.
        message: String,
    },
    /// A file that cannot be read or written.
    #[error("{name}: {error}")]
    File {
        /// Its name.
        name: String,
        /// Why not.
        error: io::Error,
    },
}

/// Makes the weights of a manifest again, generation by generation, and returns the last. Files on the
/// shelf that have the digest of the manifest are not made again, so that a rebuild that was stopped can be
/// resumed. A file for which the manifest has no digest is made and kept.
///
/// # Errors
///
/// The first file that differs from its digest in the manifest, and what else keeps a file from being
/// made.
pub fn rebuild<T: Training>(
    manifest: &Manifest<T::Play, T::Fit>,
    threads: NonZero<usize>,
    shelf: &mut dyn Shelf,
    is_stopped: &(dyn Fn() -> bool + Sync),
    report: &mut dyn FnMut(Progress<'_>),
) -> Result<Vec<u8>, RebuildError> {
    let mut games: Vec<Vec<u8>> = Vec::new();
    let mut weights: Option<Vec<u8>> = None;
    for (index, generation) in manifest.generations.iter().enumerate() {
        let name = format!("{}.games", index + 1);
        games.push(file(&name, generation.games_digest, shelf, report, |report| {
            let unusable = |message| RebuildError::Unusable { name: name.clone(), message };
            let play = T::player(&generation.play, weights.as_deref()).map_err(unusable)?;
            let seeds = generation.seed..generation.seed.saturating_add(generation.games);
            let (mut bytes, mut played) = (Vec::new(), 0);
            let done = play_in_order(seeds, threads, is_stopped, play, |game| {
                bytes.extend(game);
                played += 1;
                report(Progress::Games { played, of: generation.games });
                Ok::<_, Infallible>(())
            });
            match done {
                Ok(done) if done < generation.games => {
                    Err(RebuildError::Stopped { name: name.clone() })
                }
                Ok(_) => Ok(bytes),
                Err(never) => match never {},
            }
        })?);
        let name = format!("{}.weights", index + 1);
        let last = generation.learns_from.unwrap_or(games.len()).clamp(1, games.len());
        weights = Some(file(&name, generation.weights_digest, shelf, report, |report| {
            let unusable = |message| RebuildError::Unusable { name: name.clone(), message };
            let files = &games[games.len() - last..];
            let epoch = &mut |epoch, error| report(Progress::Epoch { epoch, error });
            T::fit(&generation.fit, files, weights.as_deref(), epoch).map_err(unusable)
        })?);
    }
    weights.ok_or(RebuildError::NoGeneration)
}

/// The bytes of a file: from the shelf if it has the expected digest, else as `make` makes it.
fn file(
    name: &str,
    expected: Option<Digest>,
    shelf: &mut dyn Shelf,
    report: &mut dyn FnMut(Progress<'_>),
    make: impl FnOnce(&mut dyn FnMut(Progress<'_>)) -> Result<Vec<u8>, RebuildError>,
) -> Result<Vec<u8>, RebuildError> {
    let broken = |error| RebuildError::File { name: name.into(), error };
    let kept = match expected {
        Some(_) => shelf.get(name).map_err(broken)?,
        None => None,
    };
    let kept = kept.filter(|bytes| Some(Digest::of(bytes)) == expected);
    let is_reused = kept.is_some();
    let bytes = match kept {
        Some(bytes) => bytes,
        None => {
            let bytes = make(report)?;
            shelf.put(name, &bytes).map_err(broken)?;
            bytes
        }
    };
    let got = Digest::of(&bytes);
    if let Some(expected) = expected
        && got != expected
    {
        return Err(RebuildError::Differs { name: name.into(), expected, got });
    }
    report(Progress::File { name, digest: got, is_verified: expected.is_some(), is_reused });
    Ok(bytes)
}
