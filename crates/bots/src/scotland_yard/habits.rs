//! The habits of `mcts` as Mr. X: how much likelier it makes one step than another.
//!
//! A softmax over the steps that are possible. The exponent of a step is the output of a small network
//! with one hidden layer of rectified linear units, whose [inputs](super::mr_x_steps) are 0 or 1. The
//! weights are fitted to recorded games by `botyard_training`.

use super::mr_x_steps::INPUTS;
use super::weights::Weights;
use crate::weights_file::{InvalidWeights, Kind};
use botyard_engine::scotland_yard::BoardName;
use std::sync::LazyLock;

/// The units of the hidden layer.
const UNITS: usize = 32;
/// The number of weights.
const WEIGHTS: usize = INPUTS * UNITS + UNITS;

static ON_LONDON: LazyLock<Habits> =
    LazyLock::new(|| Habits::built_in(include_bytes!("habits.bin")));
static ON_GRIDS: LazyLock<Habits> =
    LazyLock::new(|| Habits::built_in(include_bytes!("habits-grids.bin")));

/// The sums of the units of the hidden layer.
pub(super) type Units = [f32; UNITS];

/// The weights of the network.
#[derive(Clone, Debug, PartialEq)]
pub struct Habits {
    /// By input: the weights of its units.
    pub rows: [Units; INPUTS],
    /// The weights of the output.
    pub output: Units,
}

impl Habits {
    /// Returns the built-in habits on a board.
    ///
    /// # Panics
    ///
    /// Never: a test reads the built-in weights.
    pub fn on(board: BoardName) -> &'static Habits {
        match board {
            BoardName::London | BoardName::LondonClassic => &ON_LONDON,
            BoardName::Grid(_) => &ON_GRIDS,
        }
    }

    fn built_in(bytes: &[u8]) -> Habits {
        Habits::from_bytes(bytes).expect("the weights in the source are habits, as a test checks")
    }

    /// Reads weights written by [`Habits::to_bytes`].
    ///
    /// # Errors
    ///
    /// If the bytes are of another kind, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Habits, InvalidWeights> {
        Weights::read(bytes)
    }

    /// Writes a file of habits: the magic number `byhabit`, and four bytes per weight.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.write()
    }

    /// Returns the sums of the units for these inputs.
    #[inline]
    pub fn sums(&self, inputs: &[usize]) -> Units {
        let mut sums = [0.0; UNITS];
        for &input in inputs {
            for (sum, weight) in sums.iter_mut().zip(&self.rows[input]) {
                *sum += weight;
            }
        }
        sums
    }

    /// Returns the exponent of a step, given the sums for its station and for its fare.
    #[inline]
    pub fn exponent(&self, station: &Units, fare: &Units) -> f32 {
        let units = station.iter().zip(fare).map(|(station, fare)| (station + fare).max(0.0));
        units.zip(&self.output).map(|(unit, weight)| unit * weight).sum()
    }
}

impl Weights for Habits {
    // The name of the command that writes them, as messages have it.
    const FILE: Kind = Kind {
        magic: b"byhabit",
        game: "scotland-yard",
        writer: "`botyard train scotland-yard`",
        weights: WEIGHTS,
        bytes_each: 4,
    };

    fn zero() -> Habits {
        Habits { rows: [[0.0; UNITS]; INPUTS], output: [0.0; UNITS] }
    }

    fn each(&self) -> impl Iterator<Item = &f32> {
        self.rows.iter().flatten().chain(&self.output)
    }

    fn each_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        self.rows.iter_mut().flatten().chain(&mut self.output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_read_as_written_and_damage_is_found() {
        for bytes in [&include_bytes!("habits.bin")[..], include_bytes!("habits-grids.bin")] {
            let habits = Habits::from_bytes(bytes).unwrap();
            assert_eq!(habits.to_bytes(), bytes);
            let mut damaged = bytes.to_vec();
            damaged[100] ^= 1;
            let error = Habits::from_bytes(&damaged).unwrap_err();
            assert!(matches!(error, InvalidWeights::Checksum { .. }));
        }
        let foreign = Habits::from_bytes(include_bytes!("weights.bin")).unwrap_err();
        let foreign = foreign.to_string();
        assert!(foreign.contains("got \"byyardw\""), "{foreign}");
        assert!(foreign.ends_with("written by `botyard train scotland-yard`"), "{foreign}");
    }
}
