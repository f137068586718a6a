//! Rolls of several indistinguishable dice: a roll is the number of dice that show each face.

use crate::random::{Rng, below};
use std::collections::BTreeMap;

/// Rolls this number of dice.
pub fn roll<const FACES: usize, R: Rng>(dice: u8, rng: &mut R) -> [u8; FACES] {
    let mut roll = [0; FACES];
    for _ in 0..dice {
        roll[below(rng, FACES as u32) as usize] += 1;
    }
    roll
}

/// Returns all rolls of this number of dice, each with its probability.
pub fn rolls<const FACES: usize>(dice: u8) -> Vec<(f64, [u8; FACES])> {
    let mut rolls = BTreeMap::from([([0; FACES], 1.0)]);
    // One die at a time, so that equal rolls are merged.
    for _ in 0..dice {
        for (fewer, probability) in std::mem::take(&mut rolls) {
            for face in 0..FACES {
                let mut roll = fewer;
                roll[face] += 1;
                *rolls.entry(roll).or_insert(0.0) += probability / FACES as f64;
            }
        }
    }
    rolls.into_iter().map(|(roll, probability)| (probability, roll)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stream;

    /// The number of multisets of five dice, and the probability of five sixes: 1 in 7,776.
    #[test]
    fn rolls_are_as_likely_as_dice_make_them() {
        let rolls = rolls::<6>(5);
        assert_eq!(rolls.len(), 252);
        assert!((rolls.iter().map(|(chance, _)| chance).sum::<f64>() - 1.0).abs() < 1e-12);
        let chance = |wanted| rolls.iter().find(|(_, roll)| *roll == wanted).unwrap().0 * 7776.0;
        assert!((chance([0, 0, 0, 0, 0, 5]) - 1.0).abs() < 1e-9);
        assert!((chance([1, 1, 1, 1, 1, 0]) - 120.0).abs() < 1e-9);
    }

    #[test]
    fn every_die_shows_a_face() {
        let mut stream = Stream::new(1, "dice");
        for dice in 0..20 {
            assert_eq!(roll::<6, _>(dice, stream.rng()).iter().sum::<u8>(), dice);
        }
    }
}
