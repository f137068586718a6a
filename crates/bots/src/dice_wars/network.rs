//! A small network that treats every player alike: a first layer per player, the mean of these over
//! all players as a summary of the table, a second layer that sees both, and one number per player,
//! its strength (Zaheer et al. 2017, "Deep Sets"). Exchanging two players exchanges their strengths
//! and changes nothing else.

use super::features::{FEATURES, FIRST_FEATURES};
use crate::weights_file::{InvalidWeights, Kind};
use botyard_engine::MAX_SEATS;

/// The units of the first layer.
pub const FIRST: usize = 32;
/// The units of the second layer.
pub const SECOND: usize = 16;

// The offsets of the weights of each part.
/// The biases of the first layer, after its weights.
pub const FIRST_BIAS: usize = FEATURES * FIRST;
/// The weights of the second layer for a player's own units.
pub const OWN: usize = FIRST_BIAS + FIRST;
/// The weights of the second layer for the mean over all players.
pub const TABLE: usize = OWN + FIRST * SECOND;
/// The biases of the second layer.
pub const SECOND_BIAS: usize = TABLE + FIRST * SECOND;
/// The weights of the last layer.
pub const OUT: usize = SECOND_BIAS + SECOND;
/// The number of weights.
pub const WEIGHTS: usize = OUT + SECOND;

/// The files of these weights.
const FILE: Kind = Kind {
    magic: b"bydicew",
    game: "dice-wars",
    writer: "`botyard train dice-wars`",
    weights: WEIGHTS,
    bytes_each: 4,
};

/// The files of the first version, whose network has no weights for the features added later.
const FIRST_FILE: Kind = Kind { weights: WEIGHTS - (FEATURES - FIRST_FEATURES) * FIRST, ..FILE };

static WITH_TRANSFERS: &[u8] = include_bytes!("weights.bin");
static WITHOUT_TRANSFERS: &[u8] = include_bytes!("weights-without-transfers.bin");

/// The network.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// All weights, [`WEIGHTS`] in number.
    pub weights: Box<[f32]>,
}

impl Network {
    /// Returns the network with the built-in weights for rules with transfers.
    ///
    /// # Panics
    ///
    /// Never: a test holds the weights to the network.
    pub fn with_transfers() -> Network {
        Network::built_in(WITH_TRANSFERS)
    }

    /// Returns the network with the built-in weights for rules without transfers.
    ///
    /// # Panics
    ///
    /// Never: a test holds the weights to the network.
    pub fn without_transfers() -> Network {
        Network::built_in(WITHOUT_TRANSFERS)
    }

    fn built_in(bytes: &[u8]) -> Network {
        Network::from_bytes(bytes)
            .expect("the weights in the source are of this network, as a test checks")
    }

    /// Reads weights written by [`Network::to_bytes`], of this version or an earlier one: features
    /// that were added since have the weight 0.
    ///
    /// # Errors
    ///
    /// If the bytes are of another kind or another network, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, InvalidWeights> {
        let numbers = |bytes: &[u8]| -> Vec<f32> {
            bytes.as_chunks::<4>().0.iter().map(|&word| f32::from_le_bytes(word)).collect()
        };
        let weights = match FILE.read(bytes) {
            Err(InvalidWeights::Shape { got, .. }) if got == FIRST_FILE.weights => {
                let mut weights = numbers(FIRST_FILE.read(bytes)?);
                let begin = FIRST_FEATURES * FIRST;
                weights.splice(begin..begin, std::iter::repeat_n(0.0, FIRST_BIAS - begin));
                weights
            }
            read => numbers(read?),
        };
        Ok(Network { weights: weights.into() })
    }

    /// Writes an evaluation file: the magic number `bydicew`, and four bytes per weight.
    pub fn to_bytes(&self) -> Vec<u8> {
        let weights: Vec<u8> =
            self.weights.iter().flat_map(|weight| weight.to_le_bytes()).collect();
        FILE.write(&weights)
    }

    /// Computes the strength of each player from its features.
    pub fn logits(&self, rows: &[[f32; FEATURES]], logits: &mut [f32]) {
        let mut first = [[0.0_f32; FIRST]; MAX_SEATS];
        let mut table = [0.0_f32; FIRST];
        for (units, row) in first.iter_mut().zip(rows) {
            *units = self.first_layer(row);
            for (sum, unit) in table.iter_mut().zip(units) {
                *sum += *unit;
            }
        }
        let share = 1.0 / rows.len() as f32;
        table.iter_mut().for_each(|sum| *sum *= share);
        let mut known: [f32; SECOND] = section(&self.weights, SECOND_BIAS);
        multiply_add(&table, &self.weights[TABLE..SECOND_BIAS], &mut known);
        let out: [f32; SECOND] = section(&self.weights, OUT);
        for (logit, units) in logits.iter_mut().zip(&first).take(rows.len()) {
            let mut second = known;
            multiply_add(units, &self.weights[OWN..TABLE], &mut second);
            *logit = second.iter().zip(out).map(|(unit, weight)| unit.max(0.0) * weight).sum();
        }
    }

    /// Returns the activations of the first layer for a player with these features.
    #[inline(always)]
    pub fn first_layer(&self, row: &[f32; FEATURES]) -> [f32; FIRST] {
        let mut units: [f32; FIRST] = section(&self.weights, FIRST_BIAS);
        multiply_add(row, &self.weights[..FIRST_BIAS], &mut units);
        units.map(|unit| unit.max(0.0))
    }
}

/// Returns the weights at an offset.
///
/// # Panics
///
/// The array ends after the weights.
#[inline(always)]
pub fn section<const N: usize>(weights: &[f32], begin: usize) -> [f32; N] {
    *weights[begin..].first_chunk().expect("the parts lie within the weights")
}

/// Adds to each unit the weighted inputs. The weights of one input are contiguous.
#[inline(always)]
pub fn multiply_add<const IN: usize, const UNITS: usize>(
    inputs: &[f32; IN],
    weights: &[f32],
    units: &mut [f32; UNITS],
) {
    let (rows, _) = weights.as_chunks::<UNITS>();
    // This number of sums fits in registers.
    let (blocks, _) = units.as_chunks_mut::<BLOCK>();
    for (number, block) in blocks.iter_mut().enumerate() {
        let mut sums = *block;
        for (input, row) in inputs.iter().zip(rows) {
            let (parts, _) = row.as_chunks::<BLOCK>();
            let part = &parts[number];
            for unit in 0..BLOCK {
                sums[unit] += input * part[unit];
            }
        }
        *block = sums;
    }
}

/// The number of units computed together; each layer has a multiple of it.
const BLOCK: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_read_as_written_and_damage_is_found() {
        let network = Network::with_transfers();
        let bytes = network.to_bytes();
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
    fn weights_of_the_first_version_are_read_with_weight_0_for_later_features() {
        let later = FIRST_FEATURES * FIRST..FIRST_BIAS;
        let mut network = Network::with_transfers();
        let mut first = network.weights.to_vec();
        first.drain(later.clone());
        let bytes: Vec<u8> = first.iter().flat_map(|weight| weight.to_le_bytes()).collect();
        network.weights[later].fill(0.0);
        assert_eq!(Network::from_bytes(&FIRST_FILE.write(&bytes)), Ok(network));
    }

    #[test]
    fn exchanged_players_have_exchanged_strengths() {
        let row = |seed: usize| -> [f32; FEATURES] {
            std::array::from_fn(|index| ((index * 7 + seed * 13) % 11) as f32 / 11.0)
        };
        let strengths = |rows: &[[f32; FEATURES]]| {
            let mut logits = [0.0; 3];
            Network::with_transfers().logits(rows, &mut logits);
            logits
        };
        let [one, two, three] = strengths(&[row(1), row(2), row(3)]);
        let [a, b, c] = strengths(&[row(3), row(2), row(1)]);
        let differences = [one - c, two - b, three - a];
        assert!(differences.iter().all(|difference| difference.abs() < 1e-4), "{differences:?}");
        assert!((one - two).abs() > 1e-3);
    }
}
