//! Rebuilds weights from a manifest.

use super::manifest::{Digest, Manifest};
use super::play_in_order::play_in_order;
use super::steps::{Learner, Training};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;
use std::num::NonZero;

/// The storage of training files: `1.games`, `1.weights`, `2.games` and so on.
pub trait FileStore {
    /// Returns a file's bytes; `None` if it does not exist.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    fn get(&self, name: &str) -> io::Result<Option<Vec<u8>>>;

    /// Stores a file, replacing one of that name.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    fn put(&mut self, name: &str, bytes: &[u8]) -> io::Result<()>;
}

/// Files in memory.
impl FileStore for BTreeMap<String, Vec<u8>> {
    fn get(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        Ok(BTreeMap::get(self, name).cloned())
    }

    fn put(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.insert(name.into(), bytes.into());
        Ok(())
    }
}

/// The progress of [`rebuild`].
#[derive(Clone, Debug)]
pub enum Progress<'a> {
    /// Games of a generation have been played.
    Games {
        /// The number of games played.
        played: u64,
        /// The number of games of the generation.
        of: u64,
    },
    /// One more pass over all games of a generation is complete.
    Epoch {
        /// The number of complete passes.
        epoch: u32,
        /// The mean error on held-out games.
        error: f64,
    },
    /// A file is complete.
    File {
        /// Its name.
        name: &'a str,
        /// Its digest.
        digest: Digest,
        /// Whether the manifest has this digest.
        is_verified: bool,
        /// Whether it existed already.
        is_reused: bool,
    },
}

impl Progress<'_> {
    /// Returns the name of a complete file, its digest, and whether the manifest has that; `None`
    /// for other progress.
    pub fn file_in_words(&self) -> Option<String> {
        let Progress::File { name, digest, is_verified, is_reused } = self else { return None };
        let verdict = match (is_verified, is_reused) {
            (true, true) => "as in the manifest, not made again",
            (true, false) => "as in the manifest",
            (false, _) => "not in the manifest",
        };
        Some(format!("{name}  {digest}  {verdict}"))
    }
}

/// The reason why weights could not be rebuilt.
#[derive(Debug, thiserror::Error)]
pub enum RebuildError {
    /// The manifest has no generations.
    #[error(
        "expected at least one [[generation]]: the manifest does not say how the weights are made"
    )]
    NoGeneration,
    /// A file differs from its digest in the manifest.
    #[error(
        "{name}: expected the SHA-256 {expected}, got {got}: this version of the program makes another file"
    )]
    Differs {
        /// The name of the file.
        name: String,
        /// The digest in the manifest.
        expected: Digest,
        /// The digest of the rebuilt file.
        got: Digest,
    },
    /// The rebuild was stopped.
    #[error("stopped in {name}; the files before it are kept and are not made again")]
    Stopped {
        /// The file that was being made.
        name: String,
    },
    /// Games, weights or options are invalid.
    #[error("{name}: {message}")]
    Unusable {
        /// The file that was being made.
        name: String,
        /// The error.
        message: String,
    },
    /// A file cannot be read or written.
    #[error("{name}: {error}")]
    File {
        /// Its name.
        name: String,
        /// The error.
        error: io::Error,
    },
}

/// Rebuilds the weights of a manifest, generation by generation, and returns the last ones. Files
/// on the shelf with the digest of the manifest are reused, so that a stopped rebuild can be
/// resumed. A file without a digest in the manifest is made and kept.
///
/// # Errors
///
/// The first file that differs from its digest in the manifest, or any other error in making a
/// file.
pub fn rebuild<T: Training>(
    manifest: &Manifest<T::Play, T::Fit>,
    threads: NonZero<usize>,
    store: &mut dyn FileStore,
    is_stopped: &(dyn Fn() -> bool + Sync),
    report: &mut dyn FnMut(Progress<'_>),
) -> Result<Vec<u8>, RebuildError> {
    let mut games: Vec<Vec<u8>> = Vec::new();
    let mut weights: Option<Vec<u8>> = None;
    for (index, generation) in manifest.generations.iter().enumerate() {
        let name = format!("{}.games", index + 1);
        games.push(file(&name, generation.games_digest, store, report, |report| {
            let unusable = |message| RebuildError::Unusable { name: name.clone(), message };
            let evaluator = match weights.as_deref() {
                Some(bytes) => {
                    T::with_weights(bytes).map_err(|error| unusable(error.to_string()))?
                }
                None => T::by_hand(),
            };
            let play = T::player(&generation.play, evaluator).map_err(unusable)?;
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
        weights = Some(file(&name, generation.weights_digest, store, report, |report| {
            let unusable = |message| RebuildError::Unusable { name: name.clone(), message };
            let files = &games[games.len() - last..];
            let mut learner = T::learner(&generation.fit, weights.as_deref()).map_err(unusable)?;
            files.iter().try_for_each(|file| learner.add(file)).map_err(unusable)?;
            Ok(learner.fit(&mut |epoch, error| report(Progress::Epoch { epoch, error })))
        })?);
    }
    weights.ok_or(RebuildError::NoGeneration)
}

/// Returns the bytes of a file: from the shelf if it has the expected digest, otherwise from
/// `make`.
fn file(
    name: &str,
    expected: Option<Digest>,
    store: &mut dyn FileStore,
    report: &mut dyn FnMut(Progress<'_>),
    make: impl FnOnce(&mut dyn FnMut(Progress<'_>)) -> Result<Vec<u8>, RebuildError>,
) -> Result<Vec<u8>, RebuildError> {
    let broken = |error| RebuildError::File { name: name.into(), error };
    let kept = match expected {
        Some(_) => store.get(name).map_err(broken)?,
        None => None,
    };
    let kept = kept.filter(|bytes| Some(Digest::of(bytes)) == expected);
    let is_reused = kept.is_some();
    let bytes = match kept {
        Some(bytes) => bytes,
        None => {
            let bytes = make(report)?;
            store.put(name, &bytes).map_err(broken)?;
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
