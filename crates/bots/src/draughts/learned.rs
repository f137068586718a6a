//! An evaluation with weights learned from self-play (logistic regression, as Buro 1995 did for
//! Othello). A man is worth about 100.

use super::features::{FEATURES, Features};
use crate::weights_file::{InvalidWeights, Kind};
use botyard_engine::draughts::Position;
use botyard_search::two_sided::Evaluator;
use std::sync::Arc;

/// A weight on a full board and one on an empty board.
pub(super) type Weight = [i16; 2];

/// From this many pieces up, only the weights of the full board count...
const FULL_BOARD: i32 = 22;
/// ...and from this many down, only those of the empty board.
const EMPTY_BOARD: i32 = 6;
/// The steps between them.
pub(super) const PHASES: i32 = FULL_BOARD - EMPTY_BOARD;

/// The unit of stored weights, in parts of a point.
pub(super) const FRACTION: i32 = 8;

/// The files of these weights: for each feature the one on a full board, then the one on an empty one.
const FILE: Kind =
    Kind { magic: b"bydraug", game: "draughts", weights: 2 * FEATURES, bytes_each: 2 };

static WEIGHTS: &[u8] = include_bytes!("weights.bin");

/// Evaluates by learned weights.
#[derive(Clone)]
pub struct Learned {
    features: Arc<Features>,
    weights: Arc<[Weight]>,
    grain: i32,
}

impl Learned {
    /// Uses the built-in weights; evaluations are multiples of `grain` (1 to 50).
    ///
    /// # Panics
    ///
    /// Never: a test holds the weights to the features.
    pub fn new(grain: i32) -> Learned {
        Learned::from_bytes(WEIGHTS, grain)
            .expect("the weights in the source were trained for its features, as a test checks")
    }

    /// Reads weights that [`super::training::fit`] wrote.
    ///
    /// # Errors
    ///
    /// If the bytes are of another kind or for other features, or damaged.
    pub fn from_bytes(bytes: &[u8], grain: i32) -> Result<Learned, InvalidWeights> {
        let weights = FILE
            .read(bytes)?
            .chunks_exact(size_of::<Weight>())
            .map(|b| [i16::from_le_bytes([b[0], b[1]]), i16::from_le_bytes([b[2], b[3]])])
            .collect();
        Ok(Learned { features: Arc::new(Features::new()), weights, grain })
    }
}

/// Returns a file of these weights.
pub(super) fn to_bytes(weights: &[Weight]) -> Vec<u8> {
    let weights: Vec<u8> = weights.iter().flatten().flat_map(|part| part.to_le_bytes()).collect();
    FILE.write(&weights)
}

/// Returns the phase of the game: 0 for an empty board to [`PHASES`] for a full one.
#[inline(always)]
pub(super) fn phase(position: &Position) -> i32 {
    let board = position.board();
    let pieces = 32 - board.empty().len() as i32;
    (pieces - EMPTY_BOARD).clamp(0, PHASES)
}

impl Evaluator<Position> for Learned {
    #[inline]
    fn evaluate(&self, position: &Position) -> i32 {
        let (mut full, mut empty) = (0, 0);
        self.features.for_each(position, |feature, value| {
            let [on_full, on_empty] = self.weights[feature];
            full += value * i32::from(on_full);
            empty += value * i32::from(on_empty);
        });
        let phase = phase(position);
        let value = (full * phase + empty * (PHASES - phase)) / (PHASES * FRACTION);
        value / self.grain * self.grain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(fen: &str) -> i32 {
        Learned::new(1).evaluate(&fen.parse().unwrap())
    }

    #[test]
    fn who_has_more_is_ahead() {
        assert!(value("B:W21-32:B1-12").abs() < 40);
        assert!(value("B:W22-32:B1-12") > 50);
        assert!(value("W:W22-32:B1-12") < -50);
        assert!(value("W:WK14,K15,K18:BK1,K5") > 50);
    }

    #[test]
    fn damaged_and_foreign_weights_are_refused() {
        let mut damaged = WEIGHTS.to_vec();
        damaged[1000] ^= 1;
        let error = Learned::from_bytes(&damaged, 1).err().unwrap();
        assert!(matches!(error, InvalidWeights::Checksum { .. }), "{error}");
        let error = Learned::from_bytes(&WEIGHTS[16..], 1).err().unwrap();
        assert!(matches!(error, InvalidWeights::Foreign { .. }), "{error}");
        let foreign = include_bytes!("../dice_wars/weights.bin");
        let error = Learned::from_bytes(foreign, 1).err().unwrap().to_string();
        assert!(error.contains("got \"bydicew\""), "{error}");
    }
}
