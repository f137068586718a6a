//! An evaluation learned from self-play: a small neural network with two hidden layers, in integers.
//! Its first layer is the sum of a row of weights for each piece, looked up eight squares at a time,
//! with weights of its own for positions with kings; the layers after it have weights of their own
//! for each phase of the game. A man is worth about 100.

use super::features::{INPUTS, KINDS, STAGE_INPUTS, STAGES, piece, stage, the_move};
use crate::weights_file::{InvalidWeights, Kind};
use botyard_engine::draughts::Colour;
use botyard_engine::draughts::{Bitboard, Position, Square};
use botyard_search::two_sided::Evaluator;
use std::sync::Arc;

/// The number of units of the first hidden layer.
pub const FIRST: usize = 64;
/// The number of units of the second.
pub const SECOND: usize = 8;
/// The number of phases of a stage of the game.
const STAGE_PHASES: usize = 4;
/// The number of phases of the game.
pub const PHASES: usize = STAGES * STAGE_PHASES;

/// The activation of a unit is 0 to this, which stands for 1. The weights and offsets of the first
/// layer, and the offsets of the second, have the same unit.
pub const ONE: i32 = 256;
/// The unit of the weights of the second layer.
pub const SECOND_ONE: i32 = 512;
/// The unit of the weights of the last layer, in parts of a point.
pub const FRACTION: i32 = 8;

/// The weights of a phase: of the second layer, by its unit and then by the units before it, its
/// offsets, and the weights and the offset of the last layer.
const PHASE_WEIGHTS: usize = SECOND * FIRST + SECOND + SECOND + 1;
/// The first layer, by input, its offsets, and the phases.
pub const WEIGHTS: usize = INPUTS * FIRST + FIRST + PHASES * PHASE_WEIGHTS;

/// The files of these weights.
const FILE: Kind = Kind {
    magic: b"bydraug",
    game: "draughts",
    writer: "`botyard train draughts`",
    weights: WEIGHTS,
    bytes_each: 2,
};

static BUILT_IN: &[u8] = include_bytes!("weights.bin");

/// What an input adds to the first layer.
type Row = [i16; FIRST];

/// By byte of a bitboard and value of the byte: the sum of the rows of its pieces.
type ByteSums = [[Row; 256]; 4];

/// Evaluates by learned weights.
#[derive(Clone)]
pub struct Learned {
    network: Arc<Network>,
    grain: i32,
}

struct Network {
    /// By stage of the game, colour of the side to move and kind of piece: the sums of its rows.
    pieces: Box<[[[ByteSums; KINDS]; 2]; STAGES]>,
    /// By stage of the game and who has the move: its row, and the offsets of the first layer.
    the_move: [[Row; 2]; STAGES],
    phases: [Phase; PHASES],
}

/// The layers after the first in a phase of the game.
#[derive(Clone, Copy)]
struct Phase {
    second: [Row; SECOND],
    second_offsets: [i32; SECOND],
    last: [i32; SECOND],
    last_offset: i32,
}

impl Learned {
    /// Uses the built-in weights; evaluations are multiples of `grain` (1 to 50).
    ///
    /// # Panics
    ///
    /// Never: a test holds the weights to the network.
    pub fn new(grain: i32) -> Learned {
        Learned::from_bytes(BUILT_IN, grain)
            .expect("the weights in the source were trained for this network, as a test checks")
    }

    /// Reads weights that [`to_bytes`] wrote.
    ///
    /// # Errors
    ///
    /// If the bytes are of another kind or for another network, or damaged.
    pub fn from_bytes(bytes: &[u8], grain: i32) -> Result<Learned, InvalidWeights> {
        let weights: Vec<i16> = FILE
            .read(bytes)?
            .chunks_exact(2)
            .map(|bytes| i16::from_le_bytes([bytes[0], bytes[1]]))
            .collect();
        Ok(Learned { network: Arc::new(Network::new(&weights)), grain })
    }
}

/// Returns a file of these weights, [`WEIGHTS`] in number.
pub fn to_bytes(weights: &[i16]) -> Vec<u8> {
    let weights: Vec<u8> = weights.iter().flat_map(|weight| weight.to_le_bytes()).collect();
    FILE.write(&weights)
}

/// Returns the phase of the game: 0 for few pieces without kings, `STAGE_PHASES` for few with.
#[inline(always)]
pub fn phase(position: &Position) -> usize {
    let pieces = 32 - position.board().empty().len() as usize;
    let in_stage = (pieces / 5).saturating_sub(1).min(STAGE_PHASES - 1);
    stage(position.board()) * STAGE_PHASES + in_stage
}

impl Network {
    /// Makes the network with these weights, [`WEIGHTS`] in number.
    fn new(weights: &[i16]) -> Network {
        let (rows, rest) = weights.split_at(INPUTS * FIRST);
        let row = |input: usize| -> Row { std::array::from_fn(|unit| rows[input * FIRST + unit]) };
        let (offsets, phases) = rest.split_at(FIRST);
        let the_move = std::array::from_fn(|stage| {
            std::array::from_fn(|has_it| {
                let row = row((stage + 1) * STAGE_INPUTS - 2 + has_it);
                std::array::from_fn(|unit| row[unit].wrapping_add(offsets[unit]))
            })
        });
        let mut pieces: Box<[[[ByteSums; KINDS]; 2]; STAGES]> =
            vec![[[[[[0; FIRST]; 256]; 4]; KINDS]; 2]; STAGES]
                .into_boxed_slice()
                .try_into()
                .unwrap_or_else(|_| unreachable!("there are two stages"));
        for (stage, colours) in pieces.iter_mut().enumerate() {
            for own in Colour::ALL {
                for (kind, bytes) in colours[own as usize].iter_mut().enumerate() {
                    for (place, values) in bytes.iter_mut().enumerate() {
                        let row_of = |square: u8| {
                            let square = Bitboard::from_bits(u32::from(square) << (8 * place));
                            row(stage * STAGE_INPUTS + piece(kind, own, only_square(square)))
                        };
                        add_up(values, row_of);
                    }
                }
            }
        }
        let mut phases = phases.chunks_exact(PHASE_WEIGHTS).map(Phase::new);
        let phases = std::array::from_fn(|_| phases.next().expect("as many as there are phases"));
        Network { pieces, the_move, phases }
    }

    /// Returns the value of a position, in points.
    #[inline(always)]
    fn value(&self, position: &Position) -> i32 {
        let (board, own) = (position.board(), position.turn());
        let other = own.other();
        let stage = stage(board);
        let mut first = self.the_move[stage][the_move(board, own) + 2 - STAGE_INPUTS];
        let [own_men, other_men, own_kings, other_kings] = &self.pieces[stage][own as usize];
        add_all(&mut first, own_men, board.men(own));
        add_all(&mut first, other_men, board.men(other));
        for (table, colour) in [(own_kings, own), (other_kings, other)] {
            let kings = board.kings(colour);
            if !kings.is_empty() {
                add_all(&mut first, table, kings);
            }
        }
        let first = first.map(|sum| sum.clamp(0, ONE as i16));
        self.phases[phase(position)].value(&first)
    }
}

impl Phase {
    fn new(weights: &[i16]) -> Phase {
        let (second, rest) = weights.split_at(SECOND * FIRST);
        let (offsets, last) = rest.split_at(SECOND);
        Phase {
            second: std::array::from_fn(|unit| {
                std::array::from_fn(|before| second[unit * FIRST + before])
            }),
            second_offsets: std::array::from_fn(|unit| i32::from(offsets[unit]) * SECOND_ONE),
            last: std::array::from_fn(|unit| i32::from(last[unit])),
            last_offset: i32::from(last[SECOND]) * ONE,
        }
    }

    #[inline(always)]
    fn value(&self, first: &Row) -> i32 {
        let mut value = self.last_offset;
        for unit in 0..SECOND {
            let mut sum = self.second_offsets[unit];
            for (&weight, &before) in self.second[unit].iter().zip(first) {
                sum += i32::from(weight) * i32::from(before);
            }
            value += self.last[unit] * (sum / SECOND_ONE).clamp(0, ONE);
        }
        value / (ONE * FRACTION)
    }
}

/// Sets the sums of all values of a byte. `row_of` returns the row of a byte with a single bit.
fn add_up(sums: &mut [Row; 256], row_of: impl Fn(u8) -> Row) {
    for value in 1..=255_u8 {
        // The sum without the lowest bit is there already.
        let lowest = value & value.wrapping_neg();
        sums[usize::from(value)] = sums[usize::from(value - lowest)];
        add(&mut sums[usize::from(value)], &row_of(lowest));
    }
}

/// Adds the rows of all pieces of a kind. A function, because the compiler did not inline a closure,
/// and then the sums were in memory instead of registers.
#[inline(always)]
fn add_all(first: &mut Row, table: &ByteSums, set: Bitboard) {
    for (rows, byte) in table.iter().zip(set.bits().to_le_bytes()) {
        add(first, &rows[usize::from(byte)]);
    }
}

/// Adds a row to sums. Trained weights are bounded so that no sum is out of range.
#[inline(always)]
fn add(sums: &mut Row, row: &Row) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_add(*weight);
    }
}

fn only_square(set: Bitboard) -> Square {
    set.into_iter().next().expect("the set has a square")
}

impl Evaluator<Position> for Learned {
    #[inline]
    fn evaluate(&self, position: &Position) -> i32 {
        self.network.value(position) / self.grain * self.grain
    }
}

#[cfg(test)]
mod tests {
    use super::super::features::for_each_input;
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

    /// The first layer by bytes is the sum of the rows of the inputs.
    #[test]
    fn the_first_layer_is_the_sum_over_the_inputs() {
        let weights: Vec<i16> = (0..WEIGHTS).map(|at| (at * 7919 % 401) as i16 - 200).collect();
        let network = Network::new(&weights);
        for fen in ["B:W21-32:B1-12", "W:W18,27,K3:B10,11,K32", "W:W5:B28", "B:WK1,K2:BK32"] {
            let position: Position = fen.parse().unwrap();
            let mut sums: Vec<i16> = weights[INPUTS * FIRST..][..FIRST].to_vec();
            for_each_input(&position, |input| {
                for unit in 0..FIRST {
                    sums[unit] += weights[input * FIRST + unit];
                }
            });
            let first = std::array::from_fn(|unit| sums[unit].clamp(0, ONE as i16));
            let expected = network.phases[phase(&position)].value(&first);
            assert_eq!(network.value(&position), expected, "{fen}");
        }
    }

    #[test]
    fn phases() {
        for (pieces, expected) in
            [(2, 0), (9, 0), (10, 1), (14, 1), (15, 2), (19, 2), (20, 3), (24, 3)]
        {
            let men = |numbers: std::ops::Range<usize>| {
                numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(",")
            };
            let (black, white) = (pieces / 2, pieces - pieces / 2);
            let fen = format!("B:W{}:B{}", men(33 - white..33), men(1..1 + black));
            assert_eq!(phase(&fen.parse().unwrap()), expected, "{fen}");
        }
        assert_eq!(phase(&"B:W21-32:B1-11,K16".parse().unwrap()), 7);
        assert_eq!(phase(&"B:WK21:B12".parse().unwrap()), 4);
    }

    #[test]
    fn damaged_and_foreign_weights_are_refused() {
        let mut damaged = BUILT_IN.to_vec();
        damaged[1000] ^= 1;
        let error = Learned::from_bytes(&damaged, 1).err().unwrap();
        assert!(matches!(error, InvalidWeights::Checksum { .. }), "{error}");
        let error = Learned::from_bytes(&BUILT_IN[16..], 1).err().unwrap();
        assert!(matches!(error, InvalidWeights::Foreign { .. }), "{error}");
        let foreign = include_bytes!("../dice_wars/weights.bin");
        let error = Learned::from_bytes(foreign, 1).err().unwrap().to_string();
        assert!(error.contains("got \"bydicew\""), "{error}");
    }
}
