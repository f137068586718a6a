//! Reproducible training for any game: generations of games and of the weights fitted to them,
//! listed in a [`Manifest`] with the digest of every file, and reproduced by [`rebuild`].
//!
//! A file is a function of the manifest alone. Every game has a seed, from which everything in it
//! is drawn. Games are kept in the order of their seeds, however many threads play them
//! ([`play_in_order`]). One thread fits the weights. Exponentials come from `libm`, which computes
//! them alike on every machine; the standard library uses the machine's own.
//!
//! [`draughts`], [`dice_wars`] and [`scotland_yard`] have the training of each game's evaluation.
//! [`endgames`] builds the endgame tables of draughts, which are solved and not learned.

#![warn(unreachable_pub)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

mod any_game;
pub mod dice_wars;
pub mod draughts;
pub mod endgames;
mod files;
mod manifest;
mod play_in_order;
mod rebuild;
pub mod scotland_yard;
mod steps;

pub use any_game::{AnyManifest, DirectoryStore, ManifestError};
pub use files::{Appended, FitProgress, StepError, all_cores, append_games, evaluator, fit_files};
pub use manifest::{Digest, Generation, InvalidManifest, Manifest, game_of};
pub use play_in_order::play_in_order;
pub use rebuild::{FileStore, Progress, RebuildError, rebuild};
pub use steps::{Learner, Training};
