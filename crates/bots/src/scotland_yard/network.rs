//! A small network that predicts the end of a game of Scotland Yard from the [features](Features)
//! of a position: one hidden layer of rectified linear units and two chances.

use super::features::{FEATURES, Features};
use super::weights::Weights;
use crate::weights_file::{InvalidWeights, Kind};

/// The units of the hidden layer.
pub const UNITS: usize = 16;
/// The chances: see [`Chance`].
pub(crate) const OUTPUTS: usize = 2;
/// The number of weights.
const WEIGHTS: usize = FEATURES * UNITS + UNITS + OUTPUTS * UNITS + OUTPUTS;

static LONDON: &[u8] = include_bytes!("weights.bin");
static GRIDS: &[u8] = include_bytes!("weights-grids.bin");
static MR_X_ON_LONDON: &[u8] = include_bytes!("weights-mr-x.bin");

/// What a network predicts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chance {
    /// The probability that Mr. X is caught before the limit.
    pub caught: f32,
    /// The mean value of an early capture: [`Chance::DECAY`] to the power of Mr. X's moves until
    /// then, and 0 for none.
    pub early: f32,
}

impl Chance {
    /// The factor of the value of a capture per move of Mr. X: that of
    /// [`Reward::Shaped`](super::Reward::Shaped).
    pub const DECAY: f32 = 0.8;
}

/// The network.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// By feature: the weights of its units, contiguous.
    pub inputs: [[f32; UNITS]; FEATURES],
    /// The offsets of the units.
    pub offsets: [f32; UNITS],
    /// By output: the weights of the units.
    pub outputs: [[f32; UNITS]; OUTPUTS],
    /// The offsets of the outputs.
    pub output_offsets: [f32; OUTPUTS],
}

impl Network {
    /// Returns the network with the built-in weights for the detectives on the London map.
    ///
    /// # Panics
    ///
    /// Never: a test holds the weights to the network.
    pub(crate) fn of_london() -> Network {
        Network::built_in(LONDON)
    }

    /// Returns the network with the built-in weights for grids.
    ///
    /// # Panics
    ///
    /// Never: a test holds the weights to the network.
    pub(crate) fn of_grids() -> Network {
        Network::built_in(GRIDS)
    }

    /// Returns the network with the built-in weights for Mr. X on the London map.
    ///
    /// # Panics
    ///
    /// Never: a test holds the weights to the network.
    pub(crate) fn of_mr_x_on_london() -> Network {
        Network::built_in(MR_X_ON_LONDON)
    }

    fn built_in(bytes: &[u8]) -> Network {
        Network::from_bytes(bytes)
            .expect("the weights in the source are of this network, as a test checks")
    }

    /// Reads weights written by [`Network::to_bytes`].
    ///
    /// # Errors
    ///
    /// If the bytes are of another kind or another network, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, InvalidWeights> {
        Weights::read(bytes)
    }

    /// Writes an evaluation file: the magic number `byyardw`, and four bytes per weight.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.write()
    }

    /// Returns what the network predicts of a position.
    #[inline]
    pub fn chance(&self, features: &Features) -> Chance {
        let [caught, early] = self.outputs(&self.units(features));
        Chance { caught, early }
    }

    /// Returns the activations of the hidden layer.
    #[inline(always)]
    pub fn units(&self, features: &Features) -> [f32; UNITS] {
        let mut units = self.offsets;
        for (feature, row) in features.iter().zip(&self.inputs) {
            for (unit, weight) in units.iter_mut().zip(row) {
                *unit += feature * weight;
            }
        }
        units.map(|unit| unit.max(0.0))
    }

    /// Returns the chances, given the activations of the hidden layer.
    #[inline(always)]
    pub fn outputs(&self, units: &[f32; UNITS]) -> [f32; OUTPUTS] {
        let mut outputs = self.output_offsets;
        for (output, row) in outputs.iter_mut().zip(&self.outputs) {
            let sum: f32 = units.iter().zip(row).map(|(unit, weight)| unit * weight).sum();
            *output = logistic(*output + sum);
        }
        outputs
    }
}

/// The logistic function, by a library that computes it alike on every machine.
#[inline]
fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x))
}

impl Weights for Network {
    const FILE: Kind = Kind {
        magic: b"byyardw",
        game: "scotland-yard",
        writer: "`botyard train scotland-yard`",
        weights: WEIGHTS,
        bytes_each: 4,
    };

    fn zero() -> Network {
        Network {
            inputs: [[0.0; UNITS]; FEATURES],
            offsets: [0.0; UNITS],
            outputs: [[0.0; UNITS]; OUTPUTS],
            output_offsets: [0.0; OUTPUTS],
        }
    }

    fn each(&self) -> impl Iterator<Item = &f32> {
        let hidden = self.inputs.iter().flatten().chain(&self.offsets);
        hidden.chain(self.outputs.iter().flatten()).chain(&self.output_offsets)
    }

    fn each_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let hidden = self.inputs.iter_mut().flatten().chain(&mut self.offsets);
        hidden.chain(self.outputs.iter_mut().flatten()).chain(&mut self.output_offsets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_read_as_written_and_damage_is_found() {
        assert_eq!(Network::of_grids().to_bytes(), GRIDS);
        assert_eq!(Network::of_mr_x_on_london().to_bytes(), MR_X_ON_LONDON);
        let network = Network::of_london();
        let bytes = network.to_bytes();
        assert_eq!(bytes, LONDON);
        assert_eq!(Network::from_bytes(&bytes), Ok(network));
        let mut damaged = bytes.clone();
        damaged[100] ^= 1;
        assert!(matches!(Network::from_bytes(&damaged), Err(InvalidWeights::Checksum { .. })));
        let cut = &bytes[..bytes.len() - 4];
        assert!(matches!(Network::from_bytes(cut), Err(InvalidWeights::Length { .. })));
        let foreign = Network::from_bytes(include_bytes!("../draughts/weights.bin")).unwrap_err();
        assert!(foreign.to_string().contains("got \"bydraug\""), "{foreign}");
    }

    #[test]
    fn chances_are_probabilities_and_features_count() {
        // Near detectives and no safe station, and far ones with many.
        let mut lost = [0.0; FEATURES];
        lost[..14].copy_from_slice(&[
            0.125, 0.125, 0.25, 0.25, 0.25, 1.0, 0.0, 1.0, 1.0, 0.25, 0.0, 0.0, 0.0, 1.0,
        ]);
        let mut safe = [0.5; FEATURES];
        safe[..14].copy_from_slice(&[
            0.75, 0.75, 0.75, 0.75, 0.75, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.5, 0.0,
        ]);
        for network in [Network::of_london(), Network::of_grids(), Network::of_mr_x_on_london()] {
            let [lost, safe] = [lost, safe].map(|features| network.chance(&features));
            for chance in [lost, safe] {
                assert!((0.0..=1.0).contains(&chance.caught));
                assert!((0.0..=1.0).contains(&chance.early));
            }
            assert!(lost.early > safe.early, "{lost:?} {safe:?}");
        }
    }
}
