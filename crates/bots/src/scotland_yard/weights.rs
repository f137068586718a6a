//! Weights that are fitted and kept in files, whatever computes with them.

use crate::weights_file::{InvalidWeights, Kind};

/// A fixed number of weights, in the order of their file.
pub trait Weights: Sized {
    /// The files of these weights, of four bytes each.
    const FILE: Kind;

    /// Returns weights that are all 0.
    fn zero() -> Self;

    /// Returns all weights in the order of the file.
    fn each(&self) -> impl Iterator<Item = &f32>;

    /// Returns all weights in the order of the file.
    fn each_mut(&mut self) -> impl Iterator<Item = &mut f32>;

    /// Reads weights written by [`Weights::write`].
    ///
    /// # Errors
    ///
    /// If the bytes are of another kind, or damaged.
    fn read(bytes: &[u8]) -> Result<Self, InvalidWeights> {
        let mut weights = Self::zero();
        for (weight, &word) in weights.each_mut().zip(Self::FILE.read(bytes)?.as_chunks::<4>().0) {
            *weight = f32::from_le_bytes(word);
        }
        Ok(weights)
    }

    /// Writes a file.
    fn write(&self) -> Vec<u8> {
        let bytes: Vec<u8> = self.each().flat_map(|weight| weight.to_le_bytes()).collect();
        Self::FILE.write(&bytes)
    }
}
