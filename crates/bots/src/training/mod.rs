//! Training that anybody can repeat, whichever game: generations of games and of the weights fitted to
//! them, listed in a [`Manifest`] with the digest of every file, and made again by [`rebuild`].
//!
//! A file is a function of the manifest alone. Every game has a seed of its own, from which everything
//! in it is drawn; games are kept in the order of their seeds, however many threads play them
//! ([`play_in_order`]); one thread fits the weights; and exponentials come from `libm`, which computes them
//! alike on every machine, where the standard library asks the machine's own.

mod manifest;
mod play_in_order;
mod rebuild;

pub use manifest::{Digest, Generation, Manifest, WrongManifest, game_of};
pub use play_in_order::play_in_order;
pub use rebuild::{Progress, RebuildError, Shelf, Training, rebuild};
